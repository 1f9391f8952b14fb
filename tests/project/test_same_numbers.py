"""State and answers are computed only with operations that give the same bits everywhere.

The builtin sum() of floats is compensated from Python 3.12 on, NumPy may add in any order, and the sines and powers of
C libraries differ in the last bit. What remains is what IEEE 754 defines: + - * / and the square root.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from material import HOUSE

PACKAGE = HOUSE / "ecs_collision"
ELSEWHERE = ("cli", "debug", "demo", "doctor", "drawing.py", "testing")
"""Rooms and files that compute no state and no answers."""

EXACT = {
    "ceil", "copysign", "factorial", "floor", "frexp", "inf", "isfinite", "isinf", "isnan", "isqrt", "ldexp", "logb",
    "nan", "pi", "radians", "remainder", "rint", "sqrt", "trunc",
}  # fmt: skip
"""The names of `math` with one possible value."""

SUMS = {
    "average", "dot", "einsum", "inner", "matmul", "mean", "nansum", "prod", "reduce", "std", "sum", "trace", "var",
}  # fmt: skip
CURVES = {
    "arccos", "arcsin", "arctan", "arctan2", "cbrt", "cos", "exp", "float_power", "hypot", "linalg", "log", "power",
    "sin", "tan",
}  # fmt: skip
"""Names of NumPy with more."""

WHOLE = {
    "_arrays.py bytes_of", "broadphase/inspection.py measure", "contacts/crossings.py _span",
    "levels/ldtk/layers.py _add_things", "levels/round_trip.py _filled_cells", "levels/text/drawing.py _things",
    "movement/paths.py _within_lap", "movement/paths.py length_between",
    "levels/tiled/cells.py _add_single", "levels/tiled/context.py value_count", "query/arrays.py _unique_bodies",
    "shapes/contact/contact_box_box.py contact_box_box",
    "snapshot/component_codec.py kinds_of",
    "solver/sokoban.py _can_push_one", "solver/sokoban.py _expand", "solver/sokoban.py _mask",
    "solver/sokoban.py _walkable", "world/snapshots.py _split",
    "world/validation.py _faults", "world/validation.py _grid_faults", "world/validation.py _count_faults",
}  # fmt: skip
"""Places that add whole numbers, or raise them to a power, which the syntax does not show."""

BOUNDS = {"query/planes.py region_of"}
"""Functions that bound a search, with room for any rounding. What they find is then compared exactly."""


def is_whole(node: ast.AST) -> bool:
    """Return whether an expression is a whole number, or an iterable of them, by its syntax."""
    match node:
        case ast.GeneratorExp(elt=each) | ast.ListComp(elt=each):
            return is_whole(each)
        case ast.Call(func=ast.Name("map"), args=[ast.Name("bool" | "len"), *_]):
            return True
        case ast.Call(func=ast.Name("bool" | "int" | "len")) | ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.BinOp(op=ast.LShift() | ast.BitAnd()) | ast.Constant(value=int()):
            return True
    return False


def is_inexact(node: ast.AST) -> bool:
    """Return whether the value of an expression may depend on the machine, on Python or on NumPy."""
    match node:
        case ast.ImportFrom(module="math" | "cython.cimports.libc.math", names=names):
            return any(each.name not in EXACT for each in names)
        case ast.Import(names=names):
            return any(each.name in ("cmath", "statistics") for each in names)
        case ast.Attribute(value=ast.Name("math"), attr=name):
            return name not in EXACT
        case ast.Attribute(value=ast.Name("np" | "numpy"), attr=name):
            return name in SUMS | CURVES
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in SUMS
        case ast.Call(func=ast.Name("sum" | "pow"), args=args):
            return not is_whole(args[0])
        case ast.BinOp(op=ast.MatMult()) | ast.BinOp(op=ast.Pow()):
            return not isinstance(node.left, ast.Constant)
    return False


def places(tree: ast.AST, name: str) -> Iterator[str]:
    """Yield the innermost function of each expression whose value is not the same everywhere."""
    for node in ast.iter_child_nodes(tree):
        inner = f"{name.split()[0]} {node.name}" if isinstance(node, ast.FunctionDef) else name
        if is_inexact(node):
            yield inner
        yield from places(node, inner)


def test_every_number_is_computed_with_exact_operations():
    paths = {path.relative_to(PACKAGE).as_posix(): path for path in sorted(PACKAGE.rglob("*.py"))}
    found = {
        place
        for name, path in paths.items()
        if name.split("/")[0] not in ELSEWHERE
        for place in places(ast.parse(path.read_text(encoding="utf-8")), name)
    }
    assert sorted(WHOLE | BOUNDS) == sorted(found)


def numbers_as_flags(function: ast.FunctionDef) -> Iterator[str]:
    """Yield the assignments of whole numbers to names declared `cython.bint`: only compiled code makes them 0 or 1."""
    declared = [node for node in ast.walk(function) if isinstance(node, ast.AnnAssign)]
    flags = {ast.unparse(node.target) for node in declared if getattr(node.annotation, "attr", "") == "bint"}

    def is_number(value: ast.expr) -> bool:
        match value:
            case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr() | ast.BitXor(), right=right):
                return not all(isinstance(each, ast.BinOp | ast.Compare | ast.Name) for each in (left, right)) or any(
                    is_number(each) or (isinstance(each, ast.Name) and each.id not in flags) for each in (left, right)
                )
            case ast.BoolOp(values=values):
                return any(map(is_number, values))
            case _:
                return isinstance(value, ast.BinOp)

    for node in ast.walk(function) if flags else ():
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in flags and is_number(node.value):
            yield ast.unparse(node)


def test_flags_of_kernels_are_true_or_false_in_both_forms():
    for path in (path.with_suffix(".py") for path in PACKAGE.rglob("*.pxd")):
        functions = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]
        assert [] == [found for each in functions for found in numbers_as_flags(each)], path
    source = "def f(kinds):\n    keep: cython.bint\n    keep = kinds & 4 or g()\n    keep = (kinds & 4) != 0 or g()"
    assert ["keep = kinds & 4 or g()"] == list(numbers_as_flags(ast.parse(source).body[0]))
