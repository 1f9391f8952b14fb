"""Replaces the `cython` module where Cython is not installed: the same names, without effect.

Hot files are plain Python with `cython` annotations. Compiled, they do not import `cython`; as plain Python they need
only its names. So Cython stays a build-time dependency, as in fontTools. A C type converts like the corresponding
built-in type, and subscripting it (`longlong[::1]`, a view) returns a type. A test compares this module with the names
that hot files use.
"""

import builtins
from collections.abc import Callable
from typing import Any, Final, TypeVar

T = TypeVar("T")

compiled: Final = False


class CType:
    """A C type: calling it converts a value, subscripting it gives the type of a view, an array or a pointer."""

    __slots__ = ("convert", "name")

    def __init__(self, name: str, convert: Callable[..., Any]) -> None:
        self.name = name
        self.convert = convert

    def __call__(self, *value: Any) -> Any:
        return self.convert(*value)

    def __getitem__(self, axes: Any) -> "CType":
        return CType(f"{self.name}[...]", _same)

    def __repr__(self) -> str:
        return f"<C type {self.name}>"


class _Directive:
    """A decorator without effect."""

    def __call__(self, decorated: T, /) -> T:
        return decorated


def _same(*value: Any) -> Any:
    return value[0] if value else None


def _typing(*types: Any, **names: Any) -> _Directive:
    """Return a decorator without effect. Its arguments are types and options: callable, but not to be decorated."""
    return cfunc


cclass = cfunc = ccall = inline = final = no_gc = _Directive()
exceptval = boundscheck = wraparound = _typing

int = schar = CType("int", builtins.int)
longlong = Py_ssize_t = CType("long long", builtins.int)
double = CType("double", builtins.float)
bint = CType("bint", builtins.bool)
void = CType("void", _same)
pointer = p_schar = p_int = p_longlong = p_double = CType("pointer", _same)


def declare(kind: Any = None, value: Any = None, **names: Any) -> Any:
    """Return the value converted by its type, or None without a value."""
    return value if value is None else cast(kind, value)


def cast(kind: Any, value: Any, **checks: Any) -> Any:
    """Return the value converted by a C type, or unchanged for any other type."""
    return kind.convert(value) if type(kind) is CType else value


def address(value: Any) -> Any:
    """Return the value: only compiled code uses pointers."""
    return value
