"""What a game remembers: its variables, its moves, the way back, and all of it as bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

from ecs_collision.errors import CollisionError, ReentryError, SnapshotError
from ecs_collision.lattice import whole
from ecs_collision.levels.engine import Engine
from ecs_collision.levels.gravity import step_of
from ecs_collision.levels.history import History, Moment
from ecs_collision.levels.level import Level
from ecs_collision.levels.mechanics import Mechanics
from ecs_collision.levels.pushing import Pushing
from ecs_collision.levels.saving import Rest, RestPacker, fingerprint, pack, read_rest, unpack
from ecs_collision.levels.states import canonical


class Kept(Mechanics):
    """A game that can be taken back and saved."""

    def __init__(self, level: Level, engine: Engine, hook: Pushing, is_whole: bool, history: History) -> None:
        super().__init__(level, engine, hook, is_whole)
        self._history = history
        self._level_mark = fingerprint(level)
        self._busy: str | None = None
        self._began: Moment | None = None
        self._declared = self._controls
        self._state: dict[str, Any] = {}
        self._moves = ""
        self._seldom: tuple[Any, Any, str] = (None, None, "")
        self._packer = RestPacker(self._level_mark)

    @property
    def moves(self) -> str:
        """The letters of all turns so far."""
        return self._moves

    @property
    def state(self) -> dict[str, Any]:
        """The script's own variables: whatever JSON can hold, saved and undone with the world."""
        return self._state

    @state.setter
    def state(self, state: Mapping[str, Any]) -> None:
        kept = dict(state)
        self._state.clear()
        self._state.update(kept)

    # The history.

    @property
    def can_undo(self) -> bool:
        """Whether there is a turn to take back."""
        return len(self._history.past) > 0

    @property
    def can_redo(self) -> bool:
        """Whether a turn was taken back."""
        return len(self._history.future) > 0

    def undo(self, count: int = 1) -> int:
        """Take back so many turns, as far as there are; returns how many. Nobody is told."""
        return self._travel("undo", self._history.back, count)

    def redo(self, count: int = 1) -> int:
        """Do again what was taken back; a new turn forgets it. Returns how many."""
        return self._travel("redo", self._history.forth, count)

    def restart(self) -> None:
        """Go back to how it was when the game had started; that can be taken back like a turn."""
        with self._working("restart"):
            self._start()
            now = self._moment()
            assert self._began is not None
            if now != self._began:
                self._put_back(self._began)
                self._history.add(now)

    def mark(self) -> None:
        """Set a point to go back to with `undo`, for games in real time."""
        with self._working("mark"):
            self._start()
            self._history.add(self._moment())

    def _travel(self, what: str, step: Callable[[Moment], Moment | None], count: int) -> int:
        wanted = whole(count, "count", least=0)
        with self._working(what):
            self._start()
            there = now = self._moment()
            done = 0
            while done < wanted and (moment := step(there)) is not None:
                there, done = moment, done + 1
            if there is not now:
                self._put_back(there)
            return done

    @contextmanager
    def trying(self) -> Iterator[Trial]:
        """Let turns be tried: afterwards the game and its history are as they were; meanwhile no history is kept."""
        trial = Trial(self)
        before, history = trial.moment(), self._history
        self._history = History(0, 0)
        try:
            yield trial
        finally:
            self._history = history
            trial.put_back(before)

    # Saving.

    def snapshot(self) -> bytes:
        """Return the game as bytes, for `restore`: the world, `state`, `moves` and what rules remember."""
        with self._working("snapshot"):
            self._start()
            return pack(self._moment())

    def restore(self, data: bytes) -> None:
        """Set the game to a snapshot of the same level under the same rules; nobody is told, the history is cleared.

        Raises SnapshotError where the bytes are damaged or of another game, and then nothing has changed.
        """
        with self._working("restore"):
            self._start()
            self._put_back(unpack(data))
            self._history.clear()

    def state_hash(self) -> str:
        """Return 32 hexadecimal digits, equal for equal states: of the world, `state` and rules, not of `moves`."""
        with self._working("state_hash"):
            self._start()
            parts = [self._engine.state_hash(), *self._deciding()]
            return blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()

    def _moment(self) -> Moment:
        return Moment(self._engine.snapshot(), self._rest(), self._moves)

    def _rest(self) -> bytes:
        welds, rules = self._welds(), self._saved_rules()
        controls = None if self._controls is self._declared else dict(self._controls)
        return self._packer.pack(Rest(self._gravity, self._falls, controls, rules, welds, self._state))

    def _deciding(self) -> tuple[str, str]:
        """Return what decides how the game goes on, besides its world: what seldom changes, and what a turn changes."""
        seldom = (self._gravity, self._falls, self._controls)
        if self._seldom[0] != seldom[:2] or self._seldom[1] is not self._controls:
            controls = {letter: list(control) for letter, control in self._controls.items()}
            self._seldom = (
                seldom[:2],
                self._controls,
                canonical({"gravity": seldom[0], "falls": seldom[1], "controls": controls}),
            )
        often = canonical({"rules": self._saved_rules(), "state": self._state}) if self._rules or self._state else ""
        return self._seldom[2], often

    def _saved_rules(self) -> list[Any]:
        return [rule.save() for rule in self._rules]

    def _put_back(self, moment: Moment) -> None:
        """Set everything to a moment, or raise and leave everything."""
        if self._has_rest(moment.rest):
            self._engine.restore(moment.world)
            self._moves = moment.moves
            return
        rest = read_rest(moment.rest, self._level_mark)
        if len(rest.rules) != len(self._rules):
            raise SnapshotError(f"the saved game has {len(rest.rules)} rules, this one {len(self._rules)}")
        for rule, value in zip(self._rules, rest.rules, strict=True):
            rule.judge(value)
        controls = self._declared if rest.controls is None else self._checked_controls(rest.controls)
        if rest.gravity is not None:
            step_of(rest.gravity, "gravity")
        if rest.falls is not None:
            self._names.members(rest.falls)
        self._restore_bodies(moment.world, self._wanted_welds(rest.welds or {}))
        self._gravity, self._falls, self._controls = rest.gravity, rest.falls, controls
        self.state, self._moves = rest.state, moment.moves
        for rule, value in zip(self._rules, rest.rules, strict=True):
            rule.load(value)

    def _has_rest(self, rest: bytes) -> bool:
        """Return whether nothing but the world has to be set back."""
        try:
            return rest == self._rest()
        except CollisionError:  # a turn that failed has left what cannot be saved
            return False

    def _welds(self) -> dict[str, str] | None:
        self.world.take_in()
        partner = self.world.bodies.groups.partner
        return {self.name(id): self.name(to) for id, to in sorted(partner.items())} if partner else None

    def _wanted_welds(self, welds: Mapping[str, Any]) -> dict[int, int | None]:
        """Return whom each body is to be fused to that is now fused otherwise."""
        if not all(isinstance(to, str) and {name, to} <= self.ids.keys() for name, to in welds.items()):
            raise SnapshotError(f"the saved game has the welds {welds!r}; it is of another level")
        wanted = {self.id(name): self.id(to) for name, to in welds.items()}
        partner = self.world.bodies.groups.partner
        every = sorted({*wanted, *partner})
        return {id: wanted.get(id) for id in every if wanted.get(id) != partner.get(id)}

    def _restore_bodies(self, data: bytes, welds: Mapping[int, int | None]) -> None:
        """Restore the world, which must have the same welds before."""
        partner = dict(self.world.bodies.groups.partner)
        if welds:
            self._engine.drop_teleports()
            self._engine.weld(welds)
        try:
            self._engine.restore(data)
        except BaseException:
            if welds:
                self._engine.weld({id: partner.get(id) for id in welds})
            raise

    # Starting, and that turns do not nest.

    def start(self) -> None:
        """Let things fall and hear what stands where from the beginning; done by itself before the first turn."""
        if self._began is None and self._busy is None:
            with self._working("start"):
                self._start()

    @property
    def has_begun(self) -> bool:
        """Whether the game has started."""
        return self._began is not None

    def _start(self) -> None:
        if self._began is not None:
            return
        self._declared = self._controls
        before = self._began = self._moment()
        try:
            self._begin()
            self._began = self._moment()
        except BaseException:
            self._put_back(before)
            self._began = None
            raise

    def request(self, name: str, dx: float = 0.0, dy: float = 0.0) -> None:
        """Add to what a thing's Motion asks for in the next frame, for games in real time."""
        self.start()
        super().request(name, dx, dy)

    def ids_inside(self, trigger: int) -> list[int]:
        """Return the ids of what is in a trigger at the end of the last frame."""
        self.start()
        return super().ids_inside(trigger)

    @contextmanager
    def _working(self, what: str) -> Iterator[None]:
        """Be at home and busy; raises ReentryError where the game is busy already."""
        if self._busy is not None:
            raise ReentryError(
                f"{what} was called by a handler or hook during {self._busy}; handlers may move and change things, "
                "turns and the history are for whoever plays"
            )
        self._busy = what
        try:
            with self._engine.at_home():
                yield
        finally:
            self._busy = None


class Trial:
    """The way back and forth between the moments of a game while turns are tried; quicker than saved games."""

    __slots__ = ("_game",)

    def __init__(self, game: Kept) -> None:
        self._game = game

    def moment(self) -> Moment:
        """Return the game as it is now, for `put_back`."""
        with self._game._working("trying"):
            self._game._start()
            return self._game._moment()

    def put_back(self, moment: Moment) -> None:
        """Set the game to a moment of it."""
        with self._game._working("trying"):
            self._game._put_back(moment)
