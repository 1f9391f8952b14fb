"""`Observed`: the state of a world that the findings are functions of."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.filters import Filter
from ecs_collision.query import Space
from ecs_collision.settings import Settings


class Observed:
    """A world to be examined; all changes are applied.

    moved_statics: the rows of Static bodies that were moved in each of the last frames. frame_number: the last frame.
    """

    def __init__(
        self, bodies: Bodies, settings: Settings, space: Space, moved_statics: Collection[int], frame_number: int
    ) -> None:
        self.bodies, self.settings, self.space = bodies, settings, space
        self.moved_statics, self.frame_number = moved_statics, frame_number
        self.rows = list(bodies.rows())

    @cached_property
    def entities_by_filter(self) -> dict[Filter, list[int]]:
        """The entities with each filter, sorted; filters by their first entity."""
        found: dict[Filter, list[int]] = {}
        for row in self.rows:
            found.setdefault(self.bodies.filters.of(self.bodies.columns.classes[row]), []).append(
                self.bodies.entity(row)
            )
        return found

    @cached_property
    def layers(self) -> frozenset[str]:
        """The layers that bodies have."""
        return frozenset([each.layer for each in self.entities_by_filter])

    def group_of(self, entity: int) -> tuple[int, ...]:
        """Return the members of the fused group of a body, itself included."""
        group = self.bodies.groups.of(entity) if self.bodies.groups.partner else None
        return (entity,) if group is None else group.members
