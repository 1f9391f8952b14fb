"""Which bodies a query includes, as one value (rule Q6)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypedDict, TypeVar

from ecs_collision.errors import CollisionTypeError
from ecs_collision.fixed_point import flag, shown
from ecs_collision.query.arguments import entity_ids, layer_names
from ecs_collision.similar import did_you_mean

Call = TypeVar("Call", bound=Callable[..., Any])

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


class QueryOptions(TypedDict, total=False):
    """The options of every query, for the types of `**options`: the fields of a QueryFilter, or one as `filter`."""

    layers: str | Iterable[str] | None
    ignore: Iterable[int]
    triggers: bool
    where: Where | None
    filter: QueryFilter | None


_DEFAULTS: dict[str, object] = {"layers": None, "ignore": (), "triggers": False, "where": None, "filter": None}
_MEANINGS = inspect.cleandoc(QueryFilter.__doc__ or "").partition("\n\n")[2]


def takes_filter(query: Call) -> Call:
    """Decorate a query: its docstring says what the options are, and its signature lists them."""
    own = inspect.cleandoc(query.__doc__ or "")
    query.__doc__ = f"{own}\n\n{_MEANINGS} filter: these four as one QueryFilter (rule Q6)."
    signature = inspect.signature(query)
    parameters = list(signature.parameters.values())
    if parameters[-1].kind is inspect.Parameter.VAR_KEYWORD:
        hints = {name: hint.__forward_arg__ for name, hint in QueryOptions.__annotations__.items()}
        parameters[-1:] = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hints[name])
            for name, default in _DEFAULTS.items()
        ]
        query.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return query


def filter_of(options: QueryOptions) -> QueryFilter:
    """Return the filter that the options of a query make."""
    if not options:
        return ALL
    if len(options) == 1 and type(options.get("filter")) is QueryFilter:  # the common cases, fast
        return options["filter"]  # type: ignore[return-value]
    for name in options:
        if name not in _DEFAULTS:
            raise CollisionTypeError(
                f"{name!r} is not an option of a query; the options are {', '.join(_DEFAULTS)}"
                f"{did_you_mean(name, _DEFAULTS)}"
            )
    return filter_of_parts(**options)


def filter_of_parts(
    filter: QueryFilter | None = None,
    layers: object = None,
    ignore: object = (),
    triggers: object = False,
    where: object = None,
) -> QueryFilter:
    """Return the filter of a query that is given as one value or as its parts."""
    if filter is None:
        if layers is None and where is None and triggers is False and type(ignore) is tuple and not ignore:
            return ALL
        return QueryFilter(layers, ignore, triggers, where)  # type: ignore[arg-type]
    if not isinstance(filter, QueryFilter):
        raise CollisionTypeError(f"filter must be a QueryFilter, not {shown(filter)}; give QueryFilter(layers=...)")
    if layers is not None or where is not None or triggers is not False or not (type(ignore) is tuple and not ignore):
        raise CollisionTypeError(
            "filter was given together with layers, ignore, triggers or where; give these to the QueryFilter instead"
        )
    return filter
