"""What esper holds, read as plain tables: the only file that knows esper's underscore names.

It reads them and never writes them, and only after a probe in a world of its own has found them to be
what esper 3.9 made them. Without them the public lists give the same tables, slower: a structural change
then costs more than 10 ms at 10,000 bodies instead of 0.13 ms.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import esper

from ecs_collision.systems.dirty_check import EsperNames, Owner, DirtyCheck

ESPER_NAMES = EsperNames("process_times", "_cache_dirty", "_get_component_cache", "_dead_entities", "_processors_dict")
"""What esper calls what a watch looks at. `process_times` is public; the lists are those `get_component` gives out."""

Kind = type[Any]
Row = dict[Kind, Any]


class EntityTables(NamedTuple):
    """The entities of the current world: rows by id, ids by kind, and the ids marked for deletion."""

    rows: dict[int, Row]
    listed: dict[Kind, set[int]]
    marked: set[int]


class TableReader(Protocol):
    """Where tables come from."""

    def marked_count(self) -> int:
        """Return how many entities are marked for deletion, as far as this source can tell at once."""
        ...

    def read(self) -> EntityTables:
        """Return the tables of the current world; they are to be read and not kept."""
        ...

    def dirty_check(self, owner: Callable[[], Owner | None], sentinel: Kind) -> DirtyCheck | None:
        """Return a watch for an owner, None where there is no faster way than to look."""
        ...


class PrivateTableReader:
    """Reads esper's own tables, which costs nothing."""

    def marked_count(self) -> int:
        """Return how many entities are marked for deletion."""
        return len(esper._dead_entities)

    def read(self) -> EntityTables:
        """Return esper's own tables: not to be written, not to be kept."""
        return EntityTables(esper._entities, esper._components, esper._dead_entities)

    def dirty_check(self, owner: Callable[[], Owner | None], sentinel: Kind) -> DirtyCheck:
        """Return a watch that reads esper's own tables."""
        return DirtyCheck(owner, ESPER_NAMES, vars(esper), sentinel)


class PublicTableReader:
    """Builds the tables from the lists esper gives out: O(components of these kinds)."""

    def __init__(self, kinds: tuple[Kind, ...]) -> None:
        self._kinds = kinds

    def marked_count(self) -> int:
        """Return 0: what is marked shows when something structural changes (rule E3)."""
        return 0

    def read(self) -> EntityTables:
        """Return tables without the entities marked for deletion."""
        rows: dict[int, Row] = {}
        listed: dict[Kind, set[int]] = {}
        for kind in self._kinds:
            for entity, component in _entities_with(kind):
                if esper.entity_exists(entity):
                    rows.setdefault(entity, {})[kind] = component
                    listed.setdefault(kind, set()).add(entity)
        return EntityTables(rows, listed, set())

    def dirty_check(self, owner: Callable[[], Owner | None], sentinel: Kind) -> None:
        """Return None: what a watch reads is private."""


def _entities_with(kind: Kind) -> list[tuple[int, Any]]:
    """Return (entity, component) of everyone who has the kind."""
    try:
        return esper.get_component(kind)
    except KeyError:
        # `add_component` on an id that does not exist breaks esper's own list of that kind for good.
        found = ((entity, esper.try_component(entity, kind)) for entity in esper.get_entities())
        return [(entity, component) for entity, component in found if component is not None]


def reader_for(kinds: tuple[Kind, ...]) -> TableReader:
    """Return the fastest source that works with this esper."""
    return PrivateTableReader() if has_expected_tables() else PublicTableReader(kinds)


@functools.cache
def has_expected_tables() -> bool:
    """Return whether esper's tables are what this file takes them for; tried once, in a world of its own."""
    before = esper.current_world
    name = "ecs_collision probe"
    while name in esper.list_worlds():
        name += "'"
    esper.switch_world(name)
    try:
        return _probe() and _probe_lists()
    except (AttributeError, KeyError, TypeError):
        return False
    finally:
        esper.switch_world(before)
        esper.delete_world(name)


class _Probe:
    """A component of the probe."""


def _probe() -> bool:
    first, second = _Probe(), _Probe()
    entity = esper.create_entity(first)
    other = esper.create_entity()
    rows, listed, marked = esper._entities, esper._components, esper._dead_entities
    if not (type(rows) is dict and type(listed) is dict and type(marked) is set):
        return False
    if not (rows == {entity: {_Probe: first}, other: {}} and listed == {_Probe: {entity}} and marked == set()):
        return False
    if not (type(rows[entity]) is dict and type(listed[_Probe]) is set and rows[entity][_Probe] is first):
        return False
    esper.add_component(entity, second)
    esper.add_component(other, first)
    if not (rows[entity][_Probe] is second and rows[other][_Probe] is first and listed[_Probe] == {entity, other}):
        return False
    esper.remove_component(other, _Probe)
    esper.delete_entity(entity)
    if not (rows == {entity: {_Probe: second}, other: {}} and listed == {_Probe: {entity}} and marked == {entity}):
        return False
    esper.clear_dead_entities()
    return rows == {other: {}} and not listed.get(_Probe) and marked == set()


def _probe_lists() -> bool:
    """Return whether esper's lists are out of date when it says so, and its processors under their types."""
    lists, processors = esper._get_component_cache, esper._processors_dict
    if not (type(lists) is dict and type(processors) is dict and processors == {}):
        return False
    for change in (esper.create_entity, lambda: esper.create_entity(_Probe()), esper.clear_cache):
        change()
        if esper._cache_dirty is not True:
            return False
        given = esper.get_component(_Probe)
        if esper._cache_dirty is not False or lists.get(_Probe) is not given or lists is not esper._get_component_cache:
            return False
    esper.clear_database()
    if not esper._cache_dirty and lists.get(_Probe) is given:
        return False
    processor = esper.Processor()
    esper.add_processor(processor)
    known = processors.get(esper.Processor) is processor
    esper.remove_processor(esper.Processor)
    return known and esper._processors_dict is processors and processors == {}
