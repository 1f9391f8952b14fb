"""Events as labels that fade away."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ecs_collision.debug.body_shapes import BodyShapes, Rectangle
from ecs_collision.drawing import Label, Point
from ecs_collision.events import DELIVERY_ORDER, Event, Moved, TriggerStayed
from ecs_collision.game.named_events import FIELDS, sentence

KINDS = tuple([kind for kind in DELIVERY_ORDER if kind not in (Moved, TriggerStayed)])
"""Events that are shown: not those that say in every frame what the positions show anyway."""

MAX_LABELS = 150
"""Maximum number of labels; the oldest ones go first."""


class _Shown(NamedTuple):
    at: Point
    frame: int


class EventLabels:
    """The events of the last frames. One that comes again replaces its label."""

    def __init__(self, drawn: BodyShapes, name_of: Callable[[int], str]) -> None:
        self._drawn, self._name_of = drawn, name_of
        self._shown: dict[tuple[int, str], _Shown] = {}

    def add(self, events: list[Event]) -> None:
        """Add the events of a frame, each below its first body."""
        for event in events:
            entity, text = getattr(event, FIELDS[type(event)][0]), sentence(event, self._name_of)
            try:
                at = self._drawn.below(entity)
            except KeyError:  # it was deleted
                before = self._shown.get((entity, text))
                if before is None:
                    continue
                at = before.at
            self._shown.pop((entity, text), None)
            self._shown[entity, text] = _Shown(at, event.frame)
        while len(self._shown) > MAX_LABELS:
            del self._shown[next(iter(self._shown))]

    def clear(self) -> None:
        """Forget all events."""
        self._shown.clear()

    def labels(self, area: Rectangle, frame: int, fade_frames: int) -> Iterator[Label]:
        """Yield the labels in a rectangle at the end of a frame, those that faded away left out."""
        self._shown = {key: shown for key, shown in self._shown.items() if frame - shown.frame < fade_frames}
        x0, y0, x1, y1 = area
        for (_, text), shown in self._shown.items():
            if x0 <= shown.at[0] <= x1 and y0 <= shown.at[1] <= y1:
                yield Label("event", shown.at, text, (frame - shown.frame) / fade_frames)
