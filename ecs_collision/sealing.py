# cython: language_level=3
"""Closing the ways by which Python could get hold of a compiled object that is not ready for use.

Compiled methods read their arrays without asking whether there are any: `Space.__new__(Space).at(0, 0)` would end
the interpreter, and so would a second `__init__` that is broken off. So a compiled class is sealed at the end of its
module: calling it makes an object as ever, `__new__` and a second `__init__` raise. Nothing is paid afterwards: the
slots of the type, which a call goes through, stay as they are. Not taken: checks in every method (they are the hot
loops), a flag set by `__init__` (the same), arrays that are never missing (there is none for another object).

Components are not sealed: `__new__` makes one that belongs to nobody, and Python classes inherit from them.

The views by which kernels read arrays are objects of Cython's own classes, which believe what they are given: a view
without strides, or of objects where there are numbers, ends the interpreter at the first look. Cython makes views
through the slots that a call from Python goes through, so these are replaced by what makes whole views only. It costs
a view some nanoseconds, and views are made when arrays grow.
"""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from importlib import import_module

    from cython.cimports.cpython.buffer import PyBUF_FORMAT, PyBUF_STRIDES
    from cython.cimports.cpython.long import PyLong_AsLong, PyLong_CheckExact
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


if cython.compiled:

    def _seal_views(view, others):
        """Let Python make only whole views, and nothing else of the classes behind them."""
        global _views, _make_view, _call_view
        _views, slots = view, _slots(view)
        _make_view, slots.tp_new = slots.tp_new, _whole_view
        _call_view = slots.tp_vectorcall
        if _call_view != cython.NULL:
            slots.tp_vectorcall = _called_view
        for kind in others:
            slots = _slots(kind)
            slots.tp_new, slots.tp_vectorcall = _no_view, cython.NULL
        # Two indexes of a view of one axis end the interpreter; what kernels show is of an heir, and refuses.
        slots = _slots(view)
        slots.tp_as_mapping = slots.tp_as_sequence = cython.NULL
        table: dict = cython.cast(dict, cython.cast(cython.pointer(PyTypeObject), view).tp_dict)
        for name in ("__getitem__", "__setitem__", "__delitem__"):
            del table[name]
        PyType_Modified(view)
        return 0

    def _slots(kind):
        """Return the slots of a class, those that matter here."""
        return cython.cast(cython.pointer(Slots), kind)  # noqa: F821 - declared in the .pxd

    def _is_whole(flags, of_objects):
        """Return whether a view is asked for as Cython asks: of numbers, with shape, strides and format."""
        return (
            PyLong_CheckExact(flags)
            and PyLong_AsLong(flags) & (PyBUF_STRIDES | PyBUF_FORMAT) == PyBUF_STRIDES | PyBUF_FORMAT
            and of_objects is False
        )

    def _whole_view(kind, args, named):
        """Make a view, if it is a whole one. Heirs would get by with less."""
        given: tuple = cython.cast(tuple, args)
        if kind is _views and named == cython.NULL and len(given) == 3 and _is_whole(given[1], given[2]):
            return _make_view(kind, args, named)
        return _no_view(kind, args, named)

    def _called_view(kind, args, count, names):
        """Make a view, if it is a whole one: what compiled code calls. The highest bit of `count` is no count."""
        if (
            names == cython.NULL
            and count << 1 == 6
            and _is_whole(cython.cast(object, args[1]), cython.cast(object, args[2]))
        ):
            return _call_view(kind, args, count, names)
        return _no_view(kind, cython.NULL, cython.NULL)

    def _no_view(kind, args, named):
        """Make nothing."""
        raise CollisionTypeError(f"{kind.__name__} objects are made by compiled code alone; use array.array or numpy")

    _module = import_module("ecs_collision._memoryviews")
    _seal_views(_module.memoryview, (_module._memoryviewslice, _module.array, _module.Enum))
