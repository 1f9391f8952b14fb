"""Reads esper's internal tables; the only file that uses esper's underscore names.

It never writes to them, and uses them only after a probe in a temporary world has found them as in esper 3.9. Otherwise
the same tables are built from esper's public lists. That is slower: a structural change then costs more than 10 ms at
10,000 bodies instead of 0.13 ms.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import esper

from ecs_collision.systems.comparisons import DirtyCheck, EsperNames, Owner

ESPER_NAMES = EsperNames("process_times", "_cache_dirty", "_get_component_cache", "_dead_entities", "_processors_dict")
"""esper's names of what a dirty check reads. `process_times` is public; the lists are those of `get_component`."""

Kind = type[Any]
Row = dict[Kind, Any]


class EntityTables(NamedTuple):
    """The entities of the current world: rows by id, ids by kind, and the ids marked for deletion."""

    rows: dict[int, Row]
    listed: dict[Kind, set[int]]
    marked: set[int]


class TableReader(Protocol):
    """Provides the tables of the current world."""

    def marked_count(self) -> int:
        """Return the number of entities marked for deletion, as far as this reader can tell in O(1)."""
        ...

    def read(self) -> EntityTables:
        """Return the tables of the current world. Do not write to them or keep them."""
        ...

    def dirty_check(self, owner: Callable[[], Owner | None], sentinel: Kind) -> DirtyCheck | None:
        """Return a dirty check for an owner, or None if this reader has no faster way than a full detection."""
        ...


class PrivateTableReader:
    """Reads esper's own tables, without a copy."""

    def marked_count(self) -> int:
        """Return the number of entities marked for deletion."""
        return len(esper._dead_entities)

    def read(self) -> EntityTables:
        """Return esper's own tables. Do not write to them or keep them."""
        return EntityTables(esper._entities, esper._components, esper._dead_entities)

    def dirty_check(self, owner: Callable[[], Owner | None], sentinel: Kind) -> DirtyCheck:
        """Return a dirty check that reads esper's own tables."""
        return DirtyCheck(owner, ESPER_NAMES, vars(esper), sentinel)


class PublicTableReader:
    """Builds the tables from esper's public lists: O(components of these kinds)."""

    def __init__(self, kinds: tuple[Kind, ...]) -> None:
        self._kinds = kinds

    def marked_count(self) -> int:
        """Return 0: marked entities are found at the next structural change (rule E3)."""
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
        """Return None: a dirty check needs the private tables."""


def _entities_with(kind: Kind) -> list[tuple[int, Any]]:
    """Return (entity, component) of all entities that have the kind."""
    try:
        return esper.get_component(kind)
    except KeyError:
        # After `add_component` on a missing id, esper's list of that kind raises for good.
        found = ((entity, esper.try_component(entity, kind)) for entity in esper.get_entities())
        return [(entity, component) for entity, component in found if component is not None]


def reader_for(kinds: tuple[Kind, ...]) -> TableReader:
    """Return the fastest reader that works with this version of esper."""
    return PrivateTableReader() if has_expected_tables() else PublicTableReader(kinds)


@functools.cache
def has_expected_tables() -> bool:
    """Return whether esper's tables are as in esper 3.9; probed once, in a temporary world."""
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
    """A component for the probe."""


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
    """Return whether esper's lists and processors behave as a dirty check requires."""
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
