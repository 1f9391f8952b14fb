"""Which bodies a query includes, as one value (rule Q6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ecs_collision.errors import CollisionTypeError
from ecs_collision.fixed_point import flag, shown
from ecs_collision.query.arguments import entity_ids, layer_names

Where = Callable[[int], object]
"""A condition on the id of an entity; a true result includes it."""


@dataclass(frozen=True, slots=True)
class QueryFilter:
    """Which bodies a query includes: make it once, and give it to any query as `filter=`.

    layers: the names of the layers to include, None for all. ignore: ids of entities to leave out. triggers: whether
    triggers are included. where: a function of an entity id; only entities for which it returns a true value are
    included. It may make queries of its own.
    """

    layers: str | Iterable[str] | None = None
    ignore: Iterable[int] = ()
    triggers: bool = False
    where: Where | None = None

    def __post_init__(self) -> None:
        if self.layers is not None:
            object.__setattr__(self, "layers", layer_names(self.layers))
        object.__setattr__(self, "ignore", tuple(entity_ids(self.ignore)))
        object.__setattr__(self, "triggers", flag(self.triggers, "triggers"))
        if self.where is not None and not callable(self.where):
            raise CollisionTypeError(
                f"where must be a function of an entity id, not {shown(self.where)}; give for example "
                "where=lambda entity: entity != 7"
            )

    def _those(self, entities: list[int]) -> list[int]:
        """Return the entities that meet the condition."""
        return entities if self.where is None else [entity for entity in entities if self.where(entity)]


ALL = QueryFilter()
"""All bodies but triggers."""


def filter_of(
    given: QueryFilter | None, layers: object, ignore: object, triggers: object, where: object
) -> QueryFilter:
    """Return the filter of a query that is given as one value or as its parts."""
    if given is None:
        if layers is None and where is None and triggers is False and type(ignore) is tuple and not ignore:
            return ALL
        return QueryFilter(layers, ignore, triggers, where)  # type: ignore[arg-type]
    if not isinstance(given, QueryFilter):
        raise CollisionTypeError(f"filter must be a QueryFilter, not {shown(given)}; give QueryFilter(layers=...)")
    if layers is not None or where is not None or triggers is not False or not (type(ignore) is tuple and not ignore):
        raise CollisionTypeError(
            "filter was given together with layers, ignore, triggers or where; give these to the QueryFilter instead"
        )
    return given
