# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Builds many event objects at once.

The constructor of a frozen dataclass takes about a microsecond: an interpreted call, and a call of
`object.__setattr__` for each field. Compiled code allocates the object and fills its slots directly in a tenth of that
time. Events stay ordinary dataclasses. Not taken: named tuples (they compare equal across kinds), and compiled classes
(users read, print and pickle events).
"""

from __future__ import annotations

from typing import Any, TypeVar

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.cpython.object import PyObject, PyObject_GenericSetAttr, PyTypeObject

T = TypeVar("T")


@cython.ccall
def build_event(kind: Any, values: tuple) -> object:  # type: ignore[type-arg]
    """Return one object of a kind, a frozen dataclass with slots, from the values of its fields in order."""
    at: cython.Py_ssize_t
    made: object = None
    if not cython.compiled:
        return kind(*values)
    if cython.compiled:
        names: tuple = kind.__match_args__
        empty: tuple = ()
        made = cython.cast(cython.pointer(PyTypeObject), kind).tp_new(
            kind, cython.cast(cython.pointer(PyObject), empty), cython.NULL
        )
        for at in range(len(values)):
            PyObject_GenericSetAttr(made, names[at], values[at])
    return made


@cython.ccall
def build_events(kind: Any, frame: Any, columns: tuple) -> list:  # type: ignore[type-arg]
    """Return an event of a kind, a frozen dataclass with slots, for each row of `columns`; all have the same `frame`.

    `columns` are lists or tuples of equal length, one for each further field in order.
    """
    at: cython.Py_ssize_t
    column: cython.Py_ssize_t
    if not cython.compiled:
        return [kind(frame, *row) for row in zip(*columns, strict=True)]
    made: list = []  # type: ignore[type-arg]
    if cython.compiled:
        names: tuple = kind.__match_args__
        empty: tuple = ()
        for at in range(len(columns[0])):
            event = cython.cast(cython.pointer(PyTypeObject), kind).tp_new(
                kind, cython.cast(cython.pointer(PyObject), empty), cython.NULL
            )
            PyObject_GenericSetAttr(event, names[0], frame)
            for column in range(len(columns)):
                PyObject_GenericSetAttr(event, names[column + 1], columns[column][at])
            made.append(event)
    return made
