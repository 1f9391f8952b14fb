"""The way back and forth through a game, and all of it as bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b

from ecs_collision.errors import CollisionError, ReentryError, SnapshotError
from ecs_collision.fixed_point import whole
from ecs_collision.game.game_world import Engine
from ecs_collision.game.history import History, Moment
from ecs_collision.game.push_filter import Pushing
from ecs_collision.game.saving import pack, unpack
from ecs_collision.game.state import Lasting
from ecs_collision.levels.level import Level

Step = Callable[[Moment], Moment | None]
"""A step through the history, from the moment that is now."""


class Kept(Lasting):
    """A game that can be taken back and saved."""

    def __init__(self, level: Level, engine: Engine, hook: Pushing, is_whole: bool, history: History) -> None:
        super().__init__(level, engine, hook, is_whole)
        self._history = history
        self._busy: str | None = None
        self._began: Moment | None = None

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
                with self._unless_broken_off(now):
                    self._put_back(self._began)
                    self._history.add(now)

    def mark(self) -> None:
        """Set a point to go back to with `undo`, for games in real time."""
        with self._working("mark"):
            self._start()
            now = self._moment()
            with self._history.whole():
                self._history.add(now)

    def _travel(self, what: str, step: Step, count: int) -> int:
        wanted = whole(count, "count", least=0)
        with self._working(what):
            self._start()
            there = now = self._moment()
            done = 0
            with self._unless_broken_off(now):
                while done < wanted and (moment := step(there)) is not None:
                    there, done = moment, done + 1
                if there is not now:
                    self._put_back(there)
            return done

    @contextmanager
    def _unless_broken_off(self, now: Moment | None) -> Iterator[None]:
        """Go back to the moment that is now, and its history, where going elsewhere is broken off.

        A moment that is refused has changed nothing.
        """
        self._history.mark()
        try:
            yield
        except BaseException as error:
            self._history.rewind()
            if now is not None and not isinstance(error, SnapshotError):
                self._put_back(now)
            raise

    def _moment_if_any(self) -> Moment | None:
        """Return the game as it is; None where its `state` cannot be saved, which a restore is to mend."""
        try:
            return self._moment()
        except (CollisionError, TypeError, ValueError):
            return None

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
            there, now = unpack(data), self._moment_if_any()
            with self._unless_broken_off(now):
                self._put_back(there)
                self._history.clear()

    def state_hash(self) -> str:
        """Return 32 hexadecimal digits, equal for equal states: of the world, `state` and rules, not of `moves`."""
        with self._working("state_hash"):
            self._start()
            parts = [self._engine.state_hash(), *self._deciding()]
            return blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()

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

    @property
    def solved(self) -> bool:
        """Whether the level is solved as it stands."""
        self.start()
        with self._engine.at_home():
            return super().solved

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
