"""Assertions about motions, boards and overlaps, with and without pytest.

Assertions about motions take a `MoveResult`, a `Plan` or a `Turn`. Entities are given by number, by name where names
are known, or by letter on a board. A failure is an AssertionError that states what was found, what was expected, and
the whole result of the motion.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import EllipsisType
from typing import NoReturn

from ecs_collision.bodies.filters import are_solid
from ecs_collision.debug.instrument import Watched, world_context, world_of
from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.events import StopReason
from ecs_collision.fixed_point import Axis, items_of, number, shown
from ecs_collision.game.game import Game
from ecs_collision.game.turn import Turn
from ecs_collision.query.contact import overlap_text
from ecs_collision.results import AxisStop, MoveResult
from ecs_collision.testing.boards import Board
from ecs_collision.testing.events import displacement, displacement_text, reason_of
from ecs_collision.testing.messages import count_text, hide_traceback, truncate
from ecs_collision.testing.naming import EntityNames, EntityRef, names_in
from ecs_collision.world import Plan

__tracebackhide__ = hide_traceback

Outcome = MoveResult | Plan | Turn

ORIGIN = (0.0, 0.0, 0.0)


def assert_moved(motion: Outcome, by: Iterable[float] | None = None, *, entity: EntityRef | None = None) -> None:
    """Assert that a body moved, by the displacement `by` if it is given; `by=(0, 0)` asserts that it stayed.

    entity: which body, if a turn moves several; without it, all of them must have moved like this.
    """
    results, names = _results(motion), names_in(motion)
    if entity is not None:
        wanted = names.entity(entity, "entity")
        results = [result for result in results if result.entity == wanted]
        if not results:
            _fail(f"{names.label(wanted)} was not moved by this call", motion, names)
    expected = None if by is None else displacement(by, "by")
    for name, moved in [(names.label(result.entity), result.moved) for result in results] or [("nothing", ORIGIN)]:
        if expected is None:
            if moved == ORIGIN:
                _fail(f"{name} did not move", motion, names)
        elif moved != expected:
            _fail(f"{name} moved {displacement_text(moved)}, expected {displacement_text(expected)}", motion, names)


def assert_pushed(motion: Outcome, entity: EntityRef, by: Iterable[float] | None = None) -> None:
    """Assert that a body was pushed, by the displacement `by` if it is given; `by=(0, 0)` asserts that it was not."""
    results, names = _results(motion), names_in(motion)
    wanted = names.entity(entity, "entity")
    found = [result.pushed[wanted] for result in results if wanted in result.pushed]
    moved, name = _sum(found), names.label(wanted)
    expected = None if by is None else displacement(by, "by")
    if bool(found) if expected is None else moved == expected:
        return
    if found:
        _fail(
            f"{name} was pushed {displacement_text(moved)}, expected {displacement_text(expected or ORIGIN)}",
            motion,
            names,
        )
    others = [
        f"{names.label(each)} {displacement_text(by)}" for result in results for each, by in result.pushed.items()
    ]
    expectation = "" if expected is None else f", expected {displacement_text(expected)}"
    _fail(f"{name} was not pushed{expectation}; pushed: {', '.join(others) or 'nothing'}", motion, names)


def assert_blocked(
    motion: Outcome,
    by: EntityRef | EllipsisType | None = ...,
    *,
    axis: Axis | None = None,
    reason: StopReason | str | None = None,
    after: float | None = None,
) -> None:
    """Assert that a motion was stopped: by a body (None: the bounds), on an axis, for a reason, after a distance.

    by: any of the bodies that stopped it at that distance. reason: a `StopReason` or its name, such as "force" or
    "immovable". Arguments that are left out match anything.
    """
    results, names = _results(motion), names_in(motion)
    blocker = by if by is ... or by is None else names.entity(by, "by")
    wanted_reason = reason_of(reason, StopReason)
    after = None if after is None else number(after, "after")
    if axis not in (None, "x", "y", "z"):
        raise CollisionValueError(f"axis is {axis!r}; give 'x', 'y' or 'z'")
    stops = [stop for result in results for stop in result.stops]
    for stop in stops:
        matches = (
            (by is ... or _is_stopped_by(stop, blocker))
            and axis in (None, stop.axis)
            and wanted_reason in (None, stop.reason)
        )
        if matches and after in (None, stop.allowed):
            return
    parts = [] if isinstance(blocker, EllipsisType) else [f"by {names.label(blocker)}"]
    parts += [f"on {axis}"] if axis else []
    parts += [f"after {after:.6g}"] if after is not None else []
    parts += [f"({wanted_reason.name})"] if wanted_reason else []
    expected = f", expected {' '.join(parts)}" if parts else ""
    found = ", and ".join(_stop_text(stop, names) for stop in stops)
    name = names.label(results[0].entity) if results else "nothing"
    _fail(f"{name} was {found or 'not blocked'}{expected}", motion, names)


def assert_board(actual: Board | Game, drawing: str | Board) -> None:
    """Assert that a board or a game matches a drawing; a failure shows both side by side."""
    difference = (actual if isinstance(actual, Board) else Board.of(actual)).difference(drawing)
    if difference:
        raise AssertionError(difference)


def assert_no_overlap(target: Watched, *, allow: Iterable[tuple[EntityRef, EntityRef]] = ()) -> None:
    """Assert that no two solid bodies that may meet overlap, in a system, world, game or board. Touching is no overlap.

    Parts are compared in their true shapes (H5). Two bodies with Static, such as walls, two bodies of a fused group,
    and those that pass through each other (M5, M8, M9) may overlap. `allow` lists further pairs that may, by number,
    name or kind.
    """
    names = names_in(target)
    pairs = items_of(allow)
    if pairs is None or any(
        isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2 for pair in pairs
    ):
        raise CollisionTypeError(f"allow is {shown(allow)}; give a list of pairs, such as [('player', 'ladder')]")
    allowed = [(set(names.entities(a, "allow")), set(names.entities(b, "allow"))) for a, b in pairs]
    game = getattr(target, "game", target)
    with world_context(game):
        world = world_of(game)
        bodies, lines = world._bodies, []
        world.apply_changes()
        overlaps = {id: world.space.overlapping(id) for id in sorted(bodies.row_of)}
        for a, b in [(id, other) for id, others in overlaps.items() for other in others if id < other]:
            rows = bodies.row(a), bodies.row(b)
            first, second = bodies.of(rows[0]), bodies.of(rows[1])
            group = bodies.groups.of(a)
            fused = group is not None and b in group.members
            fixed = first.static is not None and second.static is not None
            named = any(
                (a in first_set and b in second_set) or (b in first_set and a in second_set)
                for first_set, second_set in allowed
            )
            passes = bodies.columns.passes(*rows)
            if are_solid(first, second) and not (fixed or fused or named or passes):
                lines.append(f"  {names.label(a)} and {names.label(b)} overlap by {overlap_text(bodies, *rows)}")
    if lines:
        head = count_text(len(lines), "pair of bodies overlaps", "pairs of bodies overlap")
        raise AssertionError("\n".join([head, *truncate(lines, 8)]))


def _results(motion: Outcome) -> list[MoveResult]:
    if isinstance(motion, Turn):
        return list(motion.results.values())
    result = motion.result if isinstance(motion, Plan) else motion
    if isinstance(result, MoveResult):
        return [result]
    raise CollisionTypeError(
        f"{motion!r} is not the result of a motion; give the return value of move(), a Plan, a Turn, or a value of "
        "system.results"
    )


def _is_stopped_by(stop: AxisStop, blocker: object) -> bool:
    """Return whether this blocker, alone or with others, stopped a motion; None stands for the bounds.

    A stop by all or nothing has no blocker either, so the reason decides.
    """
    return blocker in stop.blockers or (blocker is None and stop.reason is StopReason.BOUNDS)


def _stop_text(stop: AxisStop, names: EntityNames) -> str:
    if stop.reason is StopReason.ALL_OR_NOTHING:
        return f"stopped on {stop.axis} ({stop.reason.name})"
    by = ", ".join(map(names.label, stop.blockers or (None,)))
    return f"blocked by {by} on {stop.axis} after {stop.allowed:.6g} ({stop.reason.name})"


def _sum(displacements: Iterable[Sequence[float]]) -> tuple[float, ...]:
    return tuple(map(sum, zip(ORIGIN, *displacements, strict=True)))


def _fail(problem: str, motion: Outcome, names: EntityNames) -> NoReturn:
    explanation = motion.explain() if isinstance(motion, Turn) else names.replace_ids(motion.explain())
    letter = f"turn {motion.letter!r}: " if isinstance(motion, Turn) else ""
    planned = "planned: " if isinstance(motion, Plan) else ""
    raise AssertionError(f"{problem}\n  {letter}{planned}{explanation}")
