"""`Turn`: the result of one letter."""

from __future__ import annotations

from collections.abc import Mapping

from ecs_collision.events import Blocked, Event
from ecs_collision.game.named_events import NamedEvent
from ecs_collision.game.naming import Names
from ecs_collision.levels.spawning import with_names
from ecs_collision.results import MoveResult
from ecs_collision.world import Frame


class Turn:
    """The result of one letter. Made by `turn` and `wait`.

    letter: the letter.
    moved: whether anything happened: a controlled thing moved, or a `before` handler handled the letter.
    results: the result of each motion of a controlled thing, by name.
    names: the names of the things.
    frames: the frames of the turn; empty if all motions were blocked and no time passed, and then `blocked` lists the
    events. Events are built when they are read.
    """

    __slots__ = ("_events", "_read", "blocked", "frames", "letter", "moved", "names", "results")

    def __init__(self, letter: str, names: Names) -> None:
        self.letter = letter
        self.moved = False
        self.results: Mapping[str, MoveResult] = {}
        self.names = names
        self.frames: list[Frame] = []
        self.blocked: list[Blocked] = []
        self._events: list[NamedEvent] = []
        self._read = 0

    @property
    def result(self) -> MoveResult | None:
        """The result of the motion of the controlled thing, the first one if there are several."""
        return next(iter(self.results.values()), None)

    @property
    def rounds(self) -> int:
        """The number of frames."""
        return len(self.frames)

    @property
    def events(self) -> list[NamedEvent]:
        """The events in order, with names."""
        if self._read < 1 + len(self.frames):
            events: list[Event] = [*self.blocked] if self._read == 0 else []
            for frame in self.frames[max(0, self._read - 1) :]:
                events += frame.events
            self._events += [NamedEvent(event, self.names) for event in events]
            self._read = 1 + len(self.frames)
        return list(self._events)

    def explain(self) -> str:
        """Return what happened to the motions, with names."""
        text = "; ".join(result.explain() for result in self.results.values())
        return with_names(text, self.names.display_name) or "nothing to move"

    def __bool__(self) -> bool:
        """Return whether anything happened."""
        return self.moved

    def __repr__(self) -> str:
        return f"Turn({self.letter!r}, moved={self.moved}, rounds={self.rounds})"
