"""Detection of changes in esper: the component diff, the tables and the public lists (rules E2, E3, E6, E8)."""

from __future__ import annotations

import random
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import esper
import pytest
from worlds import a_system, fresh_world

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionError,
    CollisionSystem,
    CollisionWorld,
    CompoundCollider,
    Inertia,
    Motion,
    SetupWarning,
    Static,
    Transform,
)
from ecs_collision.components import COMPONENT_TYPES, Parts
from ecs_collision.systems import esper_internals
from ecs_collision.systems.change_detection import KINDS, ChangeDetector, is_same_entity
from ecs_collision.systems.comparisons import ComponentDiff
from ecs_collision.systems.esper_internals import PrivateTableReader, PublicTableReader, TableReader


class Name:
    """A component of the game."""


READERS: dict[str, Any] = {"esper's tables": PrivateTableReader, "public lists": lambda: PublicTableReader(KINDS)}


class Counting:
    """A table reader that counts its reads."""

    def __init__(self, reader: TableReader) -> None:
        self.marked_count, self._read, self.reads = reader.marked_count, reader.read, 0

    def read(self) -> esper_internals.EntityTables:
        self.reads += 1
        return self._read()


class Scene:
    """A world that applies the changes of a ChangeDetector, in a fresh esper world."""

    def __init__(self, reader: TableReader) -> None:
        self.is_public = isinstance(reader, PublicTableReader)
        self.reader = Counting(reader)
        self.world = CollisionWorld()
        self.detector = ChangeDetector(self.world, self.reader)
        self.world._set_before_changes(self.detector.detect)

    def bodies(self) -> list[int]:
        self.world.apply_changes()
        return sorted(self.world._bodies.row_of)


@pytest.fixture(params=READERS.values(), ids=READERS)
def scene(request: pytest.FixtureRequest) -> Iterator[Scene]:
    with fresh_world():
        yield Scene(request.param())


def a_crate(x: float = 0.0, *more: object) -> int:
    return esper.create_entity(Transform(x, 0), BoxCollider(0.5, 0.5), *more)


# -- detecting ------------------------------------------------------------------------------------------------------


def test_nothing_is_read_while_nothing_structural_changes(scene):
    crate = a_crate()
    assert scene.bodies() == [crate]
    esper.component_for_entity(crate, Transform).x = 3
    esper.get_component(Transform), esper.get_components(Transform, BoxCollider)
    assert (scene.bodies(), scene.reader.reads) == ([crate], 1)


def test_existing_instances_that_are_swapped_are_detected_E6(scene):
    first, second = a_crate(0), a_crate(5)
    scene.bodies()
    for kind in (Transform, BoxCollider):
        mine, yours = (esper.component_for_entity(entity, kind) for entity in (first, second))
        esper.add_component(first, yours)
        esper.add_component(second, mine)
    assert [scene.world.space.at(x, 0) for x in (0, 5)] == [[second], [first]]


def test_clear_database_cancels_a_deferred_delete_and_keeps_the_new_entity_E3(scene):
    crate = a_crate()
    scene.bodies()
    parts = esper.components_for_entity(crate)
    esper.delete_entity(crate)
    esper.create_entity(Name())
    assert scene.bodies() == []
    esper.clear_database()
    assert esper.create_entity(*parts) == crate
    assert scene.bodies() == [crate]


def test_a_component_added_to_an_id_that_never_existed_hides_no_body(scene):
    crate = a_crate()
    with pytest.raises(KeyError):
        esper.add_component(99, Transform(0, 0))
    assert scene.bodies() == [crate]
    second = a_crate(5)
    assert scene.bodies() == [crate, second]
    esper.delete_entity(crate, immediate=True)
    assert scene.bodies() == [second]


def test_a_class_instead_of_an_instance_is_found_under_type_E8(scene):
    wrong = esper.create_entity(Transform(0, 0), BoxCollider)
    esper.create_entity(Name)
    with pytest.raises(CollisionError, match=rf"entity {wrong}: the class BoxCollider"):
        scene.bodies()
    esper.remove_component(wrong, type)
    assert scene.bodies() == []


def test_all_errors_are_listed_by_id_and_correcting_one_leaves_the_others_E8(scene):
    two = a_crate(0, CompoundCollider([Box(1, 1)]))
    alias = a_crate(5)
    esper.add_component(alias, Name(), type_alias=Transform)
    lone = esper.create_entity(Transform(9, 0), Motion())
    with pytest.raises(CollisionError) as caught:
        scene.bodies()
    lines = str(caught.value).splitlines()[1:]
    assert [f"entity {entity}" in line for entity, line in zip((two, alias, lone), lines, strict=True)] == [True] * 3
    assert "BoxCollider and CompoundCollider" in lines[0]
    esper.remove_component(two, BoxCollider)
    esper.remove_component(lone, Motion)
    with pytest.raises(CollisionError, match=rf"^entity {alias}"):
        scene.bodies()
    esper.add_component(alias, Transform(5, 0))
    assert scene.bodies() == [two, alias]


ONE, TWO = (Parts(Transform(0, 0), BoxCollider(1, 1), Inertia(1)) for _ in range(2))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (ONE, ONE, True),
        (ONE, TWO, False),
        (ONE, ONE._replace(transform=TWO.transform), True),
        (ONE, ONE._replace(collider=TWO.collider), True),
        (ONE, ONE._replace(collider=None), True),
        (ONE, TWO._replace(inertia=ONE.inertia), False),
        (ONE, None, False),
        (None, ONE, False),
        (None, None, False),
        (Parts(None, None, ONE.inertia), Parts(None, None, ONE.inertia), False),
    ],
)
def test_an_entity_is_the_same_while_its_transform_or_its_collider_stays_E3(old, new, expected):
    assert is_same_entity(old, new) is expected


# -- the diff -------------------------------------------------------------------------------------------------------

A, B, C = (type(name, (), {}) for name in "ABC")


def listed(table: dict[int, dict[type, object]]) -> dict[type, set[int]]:
    """Return the keys by kind, as esper keeps them beside the rows."""
    kinds: dict[type, set[int]] = {}
    for key, row in table.items():
        for kind in row:
            kinds.setdefault(kind, set()).add(key)
    return kinds


def catch_up(diff: ComponentDiff, table: dict[int, dict[type, object]]) -> tuple[list[int], list[int]]:
    """Return what changed and what was gained, and learn it."""
    changed = sorted(diff.changed(table))
    for key in changed:
        diff.store(key, table.get(key))
    gained = sorted(diff.gained(table, listed(table)))
    for key in gained:
        diff.store(key, table[key])
    return changed, gained


@pytest.mark.parametrize("seed", range(5))
def test_a_diff_of_many_keys_agrees_with_comparing_everything(seed):
    dice = random.Random(seed)
    diff, table, known = ComponentDiff((A, B, C)), {}, {}
    for _ in range(60):
        if dice.random() < 0.1:
            table = dict(dice.sample(sorted(table.items(), key=lambda item: item[0]), len(table)))
        for _ in range(dice.randrange(60)):
            key, kind = dice.randrange(300), dice.choice((A, B, C, Name))
            if dice.random() < 0.2:
                table.pop(key, None)
            elif dice.random() < 0.1 and key in table:
                table[key] = dict(reversed(table[key].items()))
            elif dice.random() < 0.2:
                table.get(key, {}).pop(kind, None)
            else:
                table.setdefault(key, {})[kind] = kind()
        rows = {key: {kind: row[kind] for kind in (A, B, C) if kind in row} for key, row in table.items()}
        now = {key: row for key, row in rows.items() if row}
        changed, gained = catch_up(diff, table)
        assert {*changed, *gained} == {key for key in now.keys() | known.keys() if now.get(key) != known.get(key)}
        assert len(diff) == len(now)
        known = now


# -- the tables -----------------------------------------------------------------------------------------------------


def test_the_probe_accepts_this_esper_and_leaves_no_trace():
    with fresh_world() as name:
        crate, worlds = a_crate(), esper.list_worlds()
        esper_internals.has_expected_tables.cache_clear()
        assert esper_internals.has_expected_tables()
        assert (esper.current_world, esper.list_worlds()) == (name, worlds)
        assert list(esper.get_entities()) == [crate]
        assert isinstance(esper_internals.reader_for(KINDS), PrivateTableReader)


class Itself:
    """Stands for a table as esper has it."""


TABLES = dict.fromkeys(
    ("_entities", "_components", "_dead_entities", "_get_component_cache", "_cache_dirty", "_processors_dict"), Itself
)


class Stranger:
    """An esper whose tables have other names or other contents."""

    def __init__(self, **others: object) -> None:
        self._others = others

    def __getattr__(self, name: str) -> object:
        if name in self._others:
            return getattr(esper, name) if self._others[name] is Itself else self._others[name]
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(esper, name)


@pytest.mark.parametrize(
    "others",
    [
        {},
        {"_entities": {}, "_components": {}, "_dead_entities": set()},
        {"_entities": [], "_components": {}, "_dead_entities": set()},
        TABLES | {"_cache_dirty": False},
        TABLES | {"_get_component_cache": {}},
        TABLES | {"_processors_dict": {}},
        TABLES | {"_processors_dict": ()},
    ],
    ids=["renamed", "unused", "of another type", "never dirty", "other lists", "other processors", "processors listed"],
)
def test_the_probe_refuses_unknown_tables_and_the_public_lists_are_used(monkeypatch, others):
    esper_internals.has_expected_tables.cache_clear()
    monkeypatch.setattr(esper_internals, "esper", Stranger(**others))
    try:
        worlds = esper.list_worlds()
        assert isinstance(esper_internals.reader_for(KINDS), PublicTableReader)
        assert esper.list_worlds() == worlds
    finally:
        esper_internals.has_expected_tables.cache_clear()


# -- the dirty check------------------------------------------------------------------------------------------------


def test_the_probe_accepts_an_esper_with_the_tables_it_knows(monkeypatch):
    esper_internals.has_expected_tables.cache_clear()
    monkeypatch.setattr(esper_internals, "esper", Stranger(**TABLES))
    try:
        assert isinstance(esper_internals.reader_for(KINDS), PrivateTableReader)
    finally:
        esper_internals.has_expected_tables.cache_clear()


class Owned:
    """An owner that counts its calls."""

    def __init__(self) -> None:
        self.calls = 0

    def _detect_changes(self) -> None:
        self.calls += 1


def test_a_dirty_check_calls_its_owner_until_armed_and_after_changes_E2_E4():
    with fresh_world() as name:
        owner, crate = Owned(), a_crate()
        esper.add_processor(owner)
        check = PrivateTableReader().dirty_check(weakref.ref(owner), Name)

        def calls_after(change: Callable[[], object]) -> int:
            check.arm(esper.process_times, esper.get_component(Name), len(esper_internals.esper._dead_entities))
            owner.calls = 0
            check()
            assert owner.calls == 0
            change()
            check()
            return owner.calls

        check()
        assert owner.calls == 1
        assert calls_after(lambda: setattr(esper.component_for_entity(crate, Transform), "x", 5)) == 0
        assert calls_after(lambda: esper.get_components(Transform, BoxCollider)) == 0
        assert calls_after(esper.create_entity) == 1
        assert calls_after(lambda: [esper.create_entity(), esper.get_component(Transform)]) == 1
        assert calls_after(lambda: esper.add_component(crate, Transform(1, 1))) == 1
        assert calls_after(lambda: esper.remove_component(crate, Transform)) == 1
        assert calls_after(lambda: esper.delete_entity(crate)) == 1
        assert calls_after(esper.clear_dead_entities) == 1
        assert calls_after(esper.clear_database) == 1
        assert calls_after(lambda: esper.remove_processor(Owned)) == 1
        esper.add_processor(owner)
        assert calls_after(lambda: esper.add_processor(Owned())) == 1
        esper.add_processor(owner)
        assert calls_after(check.disarm) == 1
        with fresh_world():
            esper.add_processor(owner)
            assert calls_after(lambda: esper.switch_world(name)) == 1
            assert calls_after(lambda: None) == 0


def test_a_system_detects_changes_once_after_each_change_E2(system, monkeypatch):
    calls = []
    monkeypatch.setattr(ChangeDetector, "detect", lambda self, detect=ChangeDetector.detect: calls.append(detect(self)))

    def used() -> int:
        calls.clear()
        for _ in range(3):
            esper.process()
            system.move(crate, dx=1)
            system.space.at(0, 0)
        return len(calls)

    crate = a_crate()
    assert (used(), used()) == (1, 0)
    stray = esper.create_entity(Name())
    assert (used(), used()) == (1, 0)
    esper.delete_entity(stray)  # noticed as marked, then as deleted: the frame deletes it first
    assert (used(), used()) == (1, 0)
    with fresh_world():
        esper.create_entity()
    assert used() == 0
    esper.remove_processor(CollisionSystem)
    esper.add_processor(system)
    assert used() == 0


def test_a_system_that_is_not_added_detects_changes_every_time_E4(world, monkeypatch):
    calls = []
    monkeypatch.setattr(ChangeDetector, "detect", lambda self, detect=ChangeDetector.detect: calls.append(detect(self)))
    system, crate = CollisionSystem(), a_crate()
    with pytest.warns(SetupWarning):
        space = system.space
    for number in range(1, 4):
        assert (space.at(0, 0), len(calls)) == ([crate], number)
    system.close()


def test_a_system_on_the_public_lists_does_the_same_without_a_dirty_check_E2(monkeypatch):
    monkeypatch.setattr("ecs_collision.systems.change_detection.reader_for", PublicTableReader)
    with fresh_world():
        system, crate, wall = a_system(), a_crate(), a_crate(3)
        assert [system.move(crate, dx=9).moved[0] for _ in range(2)] == [2, 0]
        esper.delete_entity(wall, immediate=True)
        assert system.move(crate, dx=9).moved[0] == 9
        esper.process()
        assert system.stats.frame == 1


def test_every_component_kind_is_detected():
    assert set(KINDS) == {*COMPONENT_TYPES, type}
    assert {type(kind) for kind in COMPONENT_TYPES} == {type}


@pytest.mark.parametrize("is_static", [False, True], ids=["moving", "static"])
def test_there_is_room_for_new_bodies_before_they_are_staged(system, is_static):
    for x in range(300):
        esper.create_entity(Transform(2 * x, 0), BoxCollider(0.5, 0.5), *([Static()] if is_static else []))
    assert system._world._bodies.columns.capacity < 300
    system._detect_changes()
    assert system._world._bodies.columns.capacity >= 300
    assert (system._world._bodies.dynamic.boxes.capacity >= 300) != is_static
    assert len(system._world._bodies) == 0
