"""`solve`: finds the moves that win a level with the fewest pushes and, among those, the fewest steps.

Any game can be searched: the search plays turns, stores states as snapshots and identifies them by their hash. Plain
Sokoban levels are searched without the engine (sokoban.py), with the same result.
"""

from __future__ import annotations

import enum
import math
import os
import struct
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import flag, instance_of, number, shown, whole
from ecs_collision.game.byte_patch import difference, patched
from ecs_collision.game.controls import WAIT, missing_control, player_kinds
from ecs_collision.game.game import Game
from ecs_collision.game.history import Moment
from ecs_collision.game.mechanics.gravity import FallsOut
from ecs_collision.game.scripts import Script
from ecs_collision.levels.conditions import parse_condition
from ecs_collision.levels.level import Level
from ecs_collision.levels.load import load_level
from ecs_collision.solver.general_search import Search, SearchResult
from ecs_collision.solver.sokoban import SokobanSearch, sokoban_level

MAX_STATES = 200_000
"""Default limit on the number of states."""

MAX_BYTES = 2**28
"""Default limit on the memory for states: 256 MiB. A state takes about 700 bytes and, while it is queued, its
difference from the first state: about a hundred bytes, and a few dozen for each moved thing."""

MAX_CELLS = 2**16
"""Largest level that is searched without the engine, where each step processes all cells."""

_PLACE = struct.Struct("<qqq").pack

IsDead = Callable[[Game], bool]


class Outcome(enum.Enum):
    """How a search ended.

    SOLVED: with a solution.
    UNSOLVABLE: all states were searched.
    GAVE_UP: a limit ended it first.
    """

    SOLVED = "solved"
    UNSOLVABLE = "no way to win"
    GAVE_UP = "gave up"


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of a search; true if it found a solution.

    outcome: how the search ended.
    moves: the letters to play, or None.
    pushes: number of turns in which something was pushed.
    steps: number of other turns.
    states: number of states found.
    seconds: how long it took.
    limit: what ended the search if it gave up: "max_states", "max_bytes", "seconds" or "memory" (no more was free).
    missing: what the level lacks, so that nothing can win it, and the remedy; otherwise "".
    """

    outcome: Outcome
    moves: str | None
    pushes: int
    steps: int
    states: int
    seconds: float
    limit: str = ""
    missing: str = ""

    def __bool__(self) -> bool:
        """Return whether a solution was found."""
        return self.moves is not None

    def explain(self) -> str:
        """Return the result as a sentence."""
        seen = f"{_counted(self.states, 'state')} in {self.seconds:.2f} s"
        if self.outcome is Outcome.SOLVED:
            return f"solved with {_counted(self.pushes, 'push')} and {_counted(self.steps, 'step')} ({seen})"
        if self.outcome is Outcome.UNSOLVABLE and self.missing:
            return f"no way to win: {self.missing}"
        if self.outcome is Outcome.UNSOLVABLE:
            return f"no way to win: all states were searched ({seen})"
        advice = self.missing or "there may be a solution, try a higher limit"
        return f"gave up after {seen}, {_LIMIT_REASONS[self.limit]}; {advice}"


_WIN_REMEDY = 'give it the property win, such as "all crate on goal", or set game.win'

_LIMIT_REASONS = {
    "max_states": "the limit max_states", "max_bytes": "which use all the memory of max_bytes",
    "seconds": "the time limit", "memory": "because the system has no more memory",
}  # fmt: skip


def _counted(count: int, noun: str) -> str:
    ending = "" if count == 1 else "es" if noun.endswith("sh") else "s"
    return f"{count:,} {noun}{ending}"


def solve(
    what: Level | Game | str | os.PathLike[str],
    *,
    script: Script | str | os.PathLike[str] | None = None,
    max_states: int = MAX_STATES,
    max_bytes: int = MAX_BYTES,
    seconds: float | None = None,
    is_dead: IsDead | None = None,
    quick: bool = True,
) -> Solution:
    """Return the solution with the fewest pushes and, among those, the fewest steps; always the same one.

    what: a level (or its path), or a game, which is searched from its current state and restored afterwards; states
    with equal hashes must have equal futures. script: that of the level, as for a `Game`. max_states, max_bytes,
    seconds: limits after which the search gives up.
    is_dead: may return True for a game that cannot be won any more, to prune the search. quick: False searches plain
    Sokoban with the engine too. O(states x letters) turns; for the memory of a state see `MAX_BYTES`.
    """
    state_limit, byte_limit = whole(max_states, "max_states", minimum=1), whole(max_bytes, "max_bytes", minimum=1)
    is_quick = flag(quick, "quick")
    time_limit = math.inf if seconds is None else number(seconds, "seconds")
    if time_limit < 0.0:
        raise CollisionValueError(f"seconds is {time_limit!r}, but it must not be negative; give None to search on")
    if is_dead is not None and not callable(is_dead):
        raise CollisionTypeError(f"is_dead is {shown(is_dead)}; give a function that takes the game, or None")
    instance_of(what, (Level, Game, str, os.PathLike), "what", "give a Level, the path of one, or a Game")
    if isinstance(what, Game) and script is not None:
        raise CollisionValueError("solve() got a game and script=, but a game has its script: leave script out")
    started = time.perf_counter()
    end = started + time_limit
    if not isinstance(what, Game | Level):
        what = load_level(what)
    if script is not None and isinstance(what, Level):
        what = Game(what, script=script)
    result = _search(what, is_quick, is_dead, state_limit, lambda: time.perf_counter() > end, byte_limit)
    elapsed = time.perf_counter() - started
    if result.moves is not None:
        return Solution(
            Outcome.SOLVED, result.moves, result.pushes, len(result.moves) - result.pushes, result.states, elapsed
        )
    outcome = Outcome.GAVE_UP if result.limit else Outcome.UNSOLVABLE
    return Solution(outcome, None, 0, 0, result.states, elapsed, result.limit, _missing(what))


def _missing(what: Level | Game) -> str:
    """Return what a level or game lacks, so that nothing can win it, and the remedy; otherwise ""."""
    level = what.level if isinstance(what, Game) else what
    if what.win is None:
        return f"{level.source} has no win condition; {_WIN_REMEDY}"
    is_controlled = what.letters != WAIT if isinstance(what, Game) else player_kinds(level)
    return "" if is_controlled else missing_control(level)


def _search(
    what: Level | Game, quick: bool, is_dead: IsDead | None,
    max_states: int, is_late: Callable[[], bool], max_bytes: int,
) -> SearchResult:  # fmt: skip
    moving: list[list[str]] | None = None
    if isinstance(what, Level):
        level = what
        if level.win is None:
            return SearchResult(None, 0, 0)
        is_small = level.size[0] * level.size[1] <= MAX_CELLS
        sokoban = sokoban_level(level) if quick and is_dead is None and is_small else None
        search = None if sokoban is None else SokobanSearch(sokoban)
        if search is not None and search.is_closed:
            return search.run(max_states, is_late, max_bytes)
        what, moving = Game(level), interchangeable(level)
    with what.trying():
        return Search(_GameStates(what, is_dead, moving)).run(max_states, is_late, max_bytes)


class SavedState(NamedTuple):
    """A stored state: the differences of its world and its rest (None: none) from the first state."""

    world: bytes
    rest: bytes | None
    moves: str


class _GameStates:
    """A game as a `StateSpace`; `moving` are its movable things if their positions determine the state."""

    def __init__(self, game: Game, is_dead: IsDead | None, moving: list[list[str]] | None) -> None:
        self._game = game
        bodies = game.world._bodies
        self._position = bodies.position
        self._rows = None if moving is None else [[bodies.row(game.id(name)) for name in names] for names in moving]
        self._first = game.moment()
        self._is_dead = is_dead
        self.letters = game.letters

    def turn(self, letter: str) -> bool:
        try:
            return any(result.pushed for result in self._game.turn(letter).results.values())
        except FallsOut:  # the turn was rolled back, so the state is unchanged
            return False

    def key(self) -> Hashable:
        if self._rows is None:
            return bytes.fromhex(self._game.state_hash())
        position = self._position
        places = b"".join([b"".join(sorted([_PLACE(*position(row)) for row in rows])) for rows in self._rows])
        return blake2b(places, digest_size=16).digest()

    def save(self) -> SavedState:
        now, first = self._game.moment(), self._first
        extra = None if now.extra == first.extra else now.extra
        return SavedState(difference(now.world, first.world), extra, now.moves)

    def load(self, saved: SavedState) -> None:
        first = self._first
        rest = first.extra if saved.rest is None else saved.rest
        self._game.go_to(Moment(patched(first.world, saved.world), rest, saved.moves))

    def size(self, saved: SavedState) -> int:
        return len(saved.world) + (0 if saved.rest is None else len(saved.rest)) + len(saved.moves)

    def is_won(self) -> bool:
        return self._game.solved

    def is_dead(self) -> bool:
        return self._is_dead is not None and self._is_dead(self._game)


def interchangeable(level: Level) -> list[list[str]] | None:
    """Return the names of all movable things, in lists of things that are interchangeable in a search.

    Without a script the positions determine the state, and equal crates can be exchanged: pushes depend on gap lengths
    (rule P2), and entity ids only break ties between equals. So states that differ only in such an exchange count as
    one: half as many for two crates, a sixth for three. Things that move themselves are never interchangeable, because
    of two movers the one with the lower id goes first. Returns None if the state contains more than positions:
    lingering triggers or fused things.
    """
    if any("Fused" in each.components or (each.fields("Trigger") or {}).get("linger") for each in level.things):
        return None
    clauses = parse_condition(level.win).clauses if level.win is not None else ()
    selectors = {selector for clause in clauses for selector in (clause.things, clause.triggers)}
    falls = level.properties.get("falls")
    found: dict[object, list[str]] = {}
    for thing in level.things:
        moves_itself = thing.is_body and (
            "Motion" in thing.components or thing.kind.lower() == "player" or falls in (thing.name, thing.kind)
        )
        if moves_itself or "Inertia" in thing.components:
            is_single = moves_itself or thing.name in selectors
            key = thing.name if is_single else (thing.kind, thing.components, thing.parts)
            found.setdefault(key, []).append(thing.name)
    return list(found.values())
