# cython: language_level=3
"""Closing the ways by which Python could get hold of a compiled object that is not ready for use.

Compiled methods read their arrays without asking whether there are any: `Space.__new__(Space).at(0, 0)` would end
the interpreter, and so would a second `__init__` that is broken off. So a compiled class is sealed at the end of its
module: calling it makes an object as ever, `__new__` and a second `__init__` raise. Nothing is paid afterwards: the
slots of the type, which a call goes through, stay as they are. Not taken: checks in every method (they are the hot
loops), a flag set by `__init__` (the same), arrays that are never missing (there is none for another object).

Components are not sealed: `__new__` makes one that belongs to nobody, and Python classes inherit from them.
"""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.cpython.object import PyTypeObject
    from cython.cimports.cpython.type import PyType_Modified

from ecs_collision.errors import CollisionTypeError

Kind = TypeVar("Kind", bound=type[Any])

_PLAIN = 1 << 9
"""The flag of classes that a `class` statement of Python made (Py_TPFLAGS_HEAPTYPE)."""


@cython.ccall
def seal(kind: Kind) -> Kind:
    """Return a class, from which Python can make objects only by calling it; a plain class is left as it is."""
    if isinstance(kind, type) and kind.__flags__ & _PLAIN:
        return kind
    if not (isinstance(kind, type) and str(kind.__module__).startswith("ecs_collision.")):
        raise CollisionTypeError(f"seal() got {kind!r:.100}; give it a class of this package")
    if cython.compiled:
        table: dict = cython.cast(dict, cython.cast(cython.pointer(PyTypeObject), kind).tp_dict)
        table["__new__"] = staticmethod(_unready(kind))
        table["__init__"] = _once(kind, kind.__init__)
        PyType_Modified(kind)
    return kind


def _unready(kind: type[Any]) -> Any:
    """Return what stands for `__new__`. This function is only ever called compiled."""

    def __new__(*_args: Any, **_named: Any) -> NoReturn:
        name = kind.__name__
        raise CollisionTypeError(f"{name}.__new__ makes nothing that is ready for use; call {name}(...)")

    return __new__


def _once(kind: type[Any], first: Any) -> Any:
    """Return what stands for `__init__`: heirs go on to `first`. This function is only ever called compiled."""

    def __init__(self: Any, *args: Any, **named: Any) -> None:
        if type(self) is kind:
            raise CollisionTypeError(
                f"{kind.__name__}.__init__ was called on one that is made; make another with {kind.__name__}(...)"
            )
        first(self, *args, **named)

    return __init__
