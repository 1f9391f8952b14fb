"""Assertions about motions, pictures and overlaps that explain themselves, with and without pytest.

Those about motions take a `MoveResult`, a `Plan` or a `Turn`; entities by number, by name where those are known, or by
letter on a board. What fails is an AssertionError that says what was found, what was expected, and all that became of
the motion.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import EllipsisType
from typing import Any, NoReturn

from ecs_collision.bodies.filters import are_solid
from ecs_collision.components import Faces
from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.events import StopReason
from ecs_collision.fixed_point import LATTICE
from ecs_collision.game.game import Game
from ecs_collision.game.turn import Turn
from ecs_collision.results import AxisStop, MoveResult
from ecs_collision.testing.boards import Board
from ecs_collision.testing.events import by_axis, displacement, reason_of
from ecs_collision.testing.instrument import home_of, world_of
from ecs_collision.testing.messages import counted, hidden, truncate
from ecs_collision.testing.naming import Called, Who, called_in
from ecs_collision.world import Plan

__tracebackhide__ = hidden

Outcome = MoveResult | Plan | Turn

ORIGIN = (0.0, 0.0, 0.0)


def assert_moved(motion: Outcome, by: Iterable[float] | None = None, *, who: Who | None = None) -> None:
    """Assert that what was to move moved, `by` a displacement if it is given; (0, 0) asserts that it stayed.

    who: which of the things that a turn moves, where there are several; without it all of them must have moved so.
    """
    results, called = _results(motion), called_in(motion)
    if who is not None:
        wanted = called.id(who, "who")
        results = [result for result in results if result.entity == wanted]
        if not results:
            _fail(f"{called.told(wanted)} was not asked to move", motion, called)
    expected = None if by is None else displacement(by, "by")
    for name, moved in [(called.told(result.entity), result.moved) for result in results] or [("nothing", ORIGIN)]:
        if expected is None:
            if moved == ORIGIN:
                _fail(f"{name} did not move", motion, called)
        elif moved != expected:
            _fail(f"{name} moved {by_axis(moved)}, expected {by_axis(expected)}", motion, called)


def assert_pushed(motion: Outcome, entity: Who, by: Iterable[float] | None = None) -> None:
    """Assert that a body was pushed, `by` a displacement if it is given; (0, 0) asserts that it was not."""
    results, called = _results(motion), called_in(motion)
    wanted = called.id(entity, "entity")
    found = [result.pushed[wanted] for result in results if wanted in result.pushed]
    moved, name = _sum(found), called.told(wanted)
    expected = None if by is None else displacement(by, "by")
    if bool(found) if expected is None else moved == expected:
        return
    if found:
        _fail(
            f"{name} was pushed {by_axis(moved)}, expected {by_axis(expected or ORIGIN)}",
            motion,
            called,
        )
    others = [f"{called.told(each)} {by_axis(by)}" for result in results for each, by in result.pushed.items()]
    how = "" if expected is None else f", expected {by_axis(expected)}"
    _fail(f"{name} was not pushed{how}; pushed: {', '.join(others) or 'nothing'}", motion, called)


def assert_blocked(
    motion: Outcome,
    by: Who | EllipsisType | None = ...,
    *,
    axis: str | None = None,
    reason: StopReason | str | None = None,
    after: float | None = None,
) -> None:
    """Assert that a motion was stopped: by a body (None: by the bounds), on an axis, for a reason, after a distance.

    reason: a `StopReason` or its name, such as "force" or "immovable". What is not given may be anything.
    """
    results, called = _results(motion), called_in(motion)
    blocker = by if by is ... or by is None else called.id(by, "by")
    why = reason_of(reason, StopReason)
    if axis not in (None, "x", "y", "z"):
        raise CollisionValueError(f"axis is {axis!r}; give 'x', 'y' or 'z'")
    stops = [stop for result in results for stop in result.stops]
    for stop in stops:
        fits = (by is ... or _is_by(stop, blocker)) and axis in (None, stop.axis) and why in (None, stop.reason)
        if fits and after in (None, stop.allowed):
            return
    parts = [] if isinstance(blocker, EllipsisType) else [f"by {called.told(blocker)}"]
    parts += [f"on {axis}"] if axis else []
    parts += [f"after {after:.6g}"] if after is not None else []
    parts += [f"for {why.name}"] if why else []
    expected = f", expected {' '.join(parts)}" if parts else ""
    found = ", and ".join(_stop(stop, called) for stop in stops)
    name = called.told(results[0].entity) if results else "nothing"
    _fail(f"{name} was {found or 'not blocked'}{expected}", motion, called)


def assert_board(seen: Board | Game, drawing: str | Board) -> None:
    """Assert that a board or a game looks like a drawing; else both are shown side by side."""
    difference = (seen if isinstance(seen, Board) else Board.of(seen)).difference(drawing)
    if difference:
        raise AssertionError(difference)


def assert_no_overlap(target: Any, *, allow: Iterable[tuple[Who, Who]] = ()) -> None:
    """Assert that no two solid bodies that may meet overlap, in a system, world, game or board; touching is none.

    Two bodies with Static, such as walls, and two that are fused may overlap, and so may the pairs allowed, given by
    number, name or kind.
    """
    called = called_in(target)
    allow = list(allow)
    if any(isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2 for pair in allow):
        raise CollisionTypeError(f"allow is {allow!r}; give a list of pairs, such as [('player', 'ladder')]")
    allowed = [(set(called.all(a, "allow")), set(called.all(b, "allow"))) for a, b in allow]
    game = getattr(target, "game", target)
    with home_of(game):
        world = world_of(game)
        bodies, told = world.bodies, []
        for a, b in world.space.pairs():
            rows = bodies.row(a), bodies.row(b)
            first, second = bodies.of(rows[0]), bodies.of(rows[1])
            group = bodies.groups.of(a)
            fused = group is not None and b in group.members
            fixed = first.static is not None and second.static is not None
            named = any((a in these and b in those) or (b in these and a in those) for these, those in allowed)
            if are_solid(first, second) and not (fixed or fused or named):
                axis, depth = _depth(bodies.boxes(rows[0]), bodies.boxes(rows[1]))
                told.append(f"  {called.told(a)} and {called.told(b)} overlap by {depth * LATTICE:.10g} on {axis}")
    if told:
        head = counted(len(told), "pair of bodies overlaps", "pairs of bodies overlap")
        raise AssertionError("\n".join([head, *truncate(told, 8)]))


def _results(motion: Outcome) -> list[MoveResult]:
    if isinstance(motion, Turn):
        return list(motion.results.values())
    result = motion.result if isinstance(motion, Plan) else motion
    if isinstance(result, MoveResult):
        return [result]
    raise CollisionTypeError(
        f"{motion!r} is no motion; give what move() returned, a Plan, a Turn, or a value of system.results"
    )


def _is_by(stop: AxisStop, blocker: object) -> bool:
    """Return whether a body stopped a motion, or the bounds where it is None: all or nothing names nobody either."""
    return stop.blocker == blocker and (blocker is not None or stop.reason is StopReason.BOUNDS)


def _stop(stop: AxisStop, called: Called) -> str:
    if stop.reason is StopReason.ALL_OR_NOTHING:
        return f"stopped on {stop.axis} for {stop.reason.name}"
    return f"blocked by {called.told(stop.blocker)} on {stop.axis} after {stop.allowed:.6g} for {stop.reason.name}"


def _sum(ways: Iterable[Sequence[float]]) -> tuple[float, ...]:
    return tuple(map(sum, zip(ORIGIN, *ways, strict=True)))


def _fail(problem: str, motion: Outcome, called: Called) -> NoReturn:
    told = motion.explain() if isinstance(motion, Turn) else called.within(motion.explain())
    letter = f"turn {motion.letter!r}: " if isinstance(motion, Turn) else ""
    planned = "planned: " if isinstance(motion, Plan) else ""
    raise AssertionError(f"{problem}\n  {letter}{planned}{told}")


def _depth(boxes: Iterable[Faces], others: list[Faces]) -> tuple[str, int]:
    """Return the axis along which two bodies part the soonest, and how deep their deepest boxes are on it."""
    found = []
    for a in boxes:
        for b in others:
            depths = [min(a[axis + 3], b[axis + 3]) - max(a[axis], b[axis]) for axis in range(3)]
            if all(depth > 0 for depth in depths):
                found.append(min((depth, axis) for axis, depth in zip("xyz", depths, strict=True)))
    depth, axis = max(found, default=(0, "x"))
    return axis, depth
