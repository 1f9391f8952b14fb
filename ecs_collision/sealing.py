# cython: language_level=3
"""Prevents Python code from making uninitialised compiled objects, which would crash the interpreter.

Compiled methods index their arrays without checking that these exist: `Space.__new__(Space).at(0, 0)` would crash the
interpreter, and so would a second `__init__` that is interrupted. So every compiled class is sealed at the end of its
module: calling it makes an object as usual, `__new__` and a second `__init__` raise. This costs nothing at run time,
because the type slots used by a call do not change. Not taken: checks in every method (these are the hot loops), a
flag set by `__init__` (the same), default arrays (fields that are other objects have no default).

Components are not sealed: `__new__` makes an unbound one, and Python classes inherit from them.

The memoryviews by which kernels read arrays are objects of Cython's own classes, which do not check their arguments: a
view without strides, or of objects instead of numbers, crashes the interpreter at the first access. Cython makes views
through the same slots as a call from Python, so these slots are replaced by functions that make only complete views.
This costs a few nanoseconds per view, and views are made only when arrays grow.
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
"""The flag of classes made by a Python `class` statement (Py_TPFLAGS_HEAPTYPE)."""


@cython.ccall
def seal(kind: Kind) -> Kind:
    """Make a compiled class create objects only when it is called, and return it; plain classes are not changed."""
    if isinstance(kind, type) and kind.__flags__ & _PLAIN:
        return kind
    if not (isinstance(kind, type) and str(kind.__module__).startswith("ecs_collision.")):
        raise CollisionTypeError(f"seal() got {kind!r:.100}; give it a class of this package")
    if cython.compiled:
        table: dict = cython.cast(dict, cython.cast(cython.pointer(PyTypeObject), kind).tp_dict)
        table["__new__"] = staticmethod(_refuse_new(kind))
        table["__init__"] = _refuse_second_init(kind, kind.__init__)
        PyType_Modified(kind)
    return kind


def _refuse_new(kind: type[Any]) -> Any:
    """Return the replacement of `__new__`. This function is only ever called compiled."""

    def __new__(*_args: Any, **_named: Any) -> NoReturn:
        name = kind.__name__
        raise CollisionTypeError(f"{name}.__new__ would make an uninitialised object; call {name}(...)")

    return __new__


def _refuse_second_init(kind: type[Any], original: Any) -> Any:
    """Return the replacement of `__init__`, for subclasses the original. This function is only ever called compiled."""

    def __init__(self: Any, *args: Any, **named: Any) -> None:
        if type(self) is kind:
            raise CollisionTypeError(
                f"{kind.__name__}.__init__ was called a second time; make a new object with {kind.__name__}(...)"
            )
        original(self, *args, **named)

    return __init__


if cython.compiled:

    def _seal_views(view, others):
        """Let Python code make only complete views, and no objects of the related classes."""
        global _views, _make_view, _call_view
        _views, slots = view, _slots(view)
        _make_view, slots.tp_new = slots.tp_new, _checked_new_view
        _call_view = slots.tp_vectorcall
        if _call_view != cython.NULL:
            slots.tp_vectorcall = _checked_call_view
        for kind in others:
            slots = _slots(kind)
            slots.tp_new, slots.tp_vectorcall = _no_view, cython.NULL
        # Two indices into a view of one axis crash the interpreter; views of kernels are of a subclass, which checks.
        slots = _slots(view)
        slots.tp_as_mapping = slots.tp_as_sequence = cython.NULL
        table: dict = cython.cast(dict, cython.cast(cython.pointer(PyTypeObject), view).tp_dict)
        for name in ("__getitem__", "__setitem__", "__delitem__"):
            del table[name]
        PyType_Modified(view)
        return 0

    def _slots(kind):
        """Return the slots of a class that are replaced here."""
        return cython.cast(cython.pointer(Slots), kind)  # noqa: F821 - declared in the .pxd

    def _is_complete(flags, of_objects):
        """Return whether the arguments are those that Cython uses: numbers, with shape, strides and format."""
        return (
            PyLong_CheckExact(flags)
            and PyLong_AsLong(flags) & (PyBUF_STRIDES | PyBUF_FORMAT) == PyBUF_STRIDES | PyBUF_FORMAT
            and of_objects is False
        )

    def _checked_new_view(kind, args, named):
        """Make a view if it is complete. Subclasses could bypass the check, so they are refused."""
        given: tuple = cython.cast(tuple, args)
        if kind is _views and named == cython.NULL and len(given) == 3 and _is_complete(given[1], given[2]):
            return _make_view(kind, args, named)
        return _no_view(kind, args, named)

    def _checked_call_view(kind, args, count, names):
        """Make a view if it is complete; compiled code calls this. The highest bit of `count` is a flag."""
        if (
            names == cython.NULL
            and count << 1 == 6
            and _is_complete(cython.cast(object, args[1]), cython.cast(object, args[2]))
        ):
            return _call_view(kind, args, count, names)
        return _no_view(kind, cython.NULL, cython.NULL)

    def _no_view(kind, args, named):
        """Refuse to make an object."""
        raise CollisionTypeError(f"{kind.__name__} objects are made only by compiled code; use array.array or numpy")

    _module = import_module("ecs_collision._memoryviews")
    _seal_views(_module.memoryview, (_module._memoryviewslice, _module.array, _module.Enum))
