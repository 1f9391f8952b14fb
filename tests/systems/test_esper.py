"""The system in esper: version, change detection, deletion, identity, worlds (rules E1 to E5)."""

from __future__ import annotations

import tomllib

import esper
import pytest
from material import HOUSE
from worlds import a_box, a_crate, a_player, a_system, a_wall, a_zone, fresh_world, part, place

from ecs_collision import (
    Box,
    BoxCollider,
    CollisionError,
    CollisionSystem,
    CollisionTypeError,
    CompoundCollider,
    Inertia,
    Motion,
    SetupWarning,
    Static,
    Transform,
    UnknownEntity,
    WorldError,
)

# -- E1 -------------------------------------------------------------------------------------------------------------


def test_the_package_requires_an_esper_that_finds_four_components_at_once_E1(world):
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "esper>=3.9,<4" in project["dependencies"]
    parts = (Transform(0, 0), BoxCollider(1, 1), Motion(force=1), Inertia(1))
    entity = esper.create_entity(*parts)
    assert [(entity, [*parts])] == [(each, [*found]) for each, found in esper.get_components(*map(type, parts))]


def test_a_class_cannot_be_added_as_a_processor_E1(world):
    for kind in (CollisionSystem, type("Own", (CollisionSystem,), {})):
        name = kind.__name__
        with pytest.raises(
            CollisionTypeError, match=rf"^{name} is a class; add an instance: esper.add_processor.{name}"
        ):
            esper.add_processor(kind)
    esper.process()
    system = a_system()
    assert isinstance(CollisionSystem.priority, property) and 0 == system.priority


# -- E2: what the system relies on in esper itself ------------------------------------------------------------------


def test_every_structural_change_is_detected_E2(system):
    body = a_crate(0)
    assert system.space.at(0, 0) == [body]
    second = a_box(5)
    assert system.space.at(5, 0) == [second]
    esper.add_component(second, Transform(7, 0))
    assert (system.space.at(5, 0), system.space.at(7, 0)) == ([], [second])
    esper.add_component(second, BoxCollider(3, 3))
    assert system.space.at(9.5, 0) == [second]
    esper.remove_component(second, BoxCollider)
    assert system.space.at(7, 0) == []
    esper.add_component(second, CompoundCollider([Box(1, 1)]))
    assert system.space.at(7.75, 0) == [second]
    esper.add_component(second, Static())
    assert system.space.at(7.75, 0) == [second]
    assert len(system.space.static_cells) > 0
    esper.remove_component(second, Static)
    assert len(system.space.static_cells) == 0
    esper.clear_database()
    assert system.space.at(0, 0) == []
    system.check()


# -- E3: deletion and identity --------------------------------------------------------------------------------------


def test_an_entity_marked_by_a_deferred_delete_is_removed_at_once_E3(system):
    wall, player = a_wall(2), a_player(0)
    esper.process()
    esper.delete_entity(wall)
    assert system.space.at(2, 0) == []
    assert system.move(player, dx=5).moved == (5, 0, 0)
    assert system.space.overlapping(((1, -1, -1), (3, 1, 1))) == []
    with pytest.raises(UnknownEntity, match=str(wall)):
        system.touching(wall)


@pytest.mark.parametrize("look_between", [True, False])
def test_ids_that_restart_after_clear_database_leave_nothing_stale_E3(system, look_between):
    first = [a_crate(0), a_wall(5), a_zone(10)]
    esper.process()
    kept = part(first[0], Transform)
    esper.clear_database()
    if look_between:
        assert system.space.pairs() == []
    second = [a_wall(20), a_crate(30), a_player(40)]
    assert first == second
    assert [system.space.at(x, 0, triggers=True) for x in (0, 5, 10)] == [[], [], []]
    assert [system.space.at(x, 0) for x in (20, 30, 40)] == [[1], [2], [3]]
    kept.x = 25  # belongs to no entity any more
    assert (system.space.at(25, 0), system.space.at(20, 0)) == ([], [1])
    system.check()


# -- E4: worlds -----------------------------------------------------------------------------------------------------


def test_two_worlds_are_independent_E4(world):
    here = a_system()
    a_wall(2)
    player = a_player(0)
    with fresh_world():
        there = a_system()
        other = a_player(0), a_crate(5)
        assert there.move(other[0], dx=9).moved == (9, 0, 0)
        assert there.space.at(10, 0) == [other[1]]
    assert here.move(player, dx=9).moved == (1, 0, 0)
    assert here.space.at(10, 0) == []


USES = {
    "process": lambda system, body: system.process(),
    "move": lambda system, body: system.move(body, dx=1),
    "request": lambda system, body: system.request(body, dx=1),
    "plan": lambda system, body: system.plan(body, dx=1),
    "teleport": lambda system, body: system.teleport(body, 1, 1),
    "a question": lambda system, body: system.space.at(0, 0),
    "touching": lambda system, body: system.touching(body),
    "check": lambda system, body: system.check(),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_any_call_while_another_world_is_current_raises_E4(world, use):
    system, body = a_system(), a_player(0)
    esper.process()
    with fresh_world() as other:
        with pytest.raises(CollisionError) as caught:
            use(system, body)
        assert isinstance(caught.value, RuntimeError)
        assert world in str(caught.value)
        assert other in str(caught.value)
    use(system, body)


def test_a_system_added_to_two_worlds_raises_in_the_second_E4(world):
    system, body = a_system(), a_crate(0)
    esper.process()
    with fresh_world(), pytest.raises(CollisionError, match="world"):
        esper.add_processor(system)
        esper.process()
    assert system.space.at(0, 0) == [body]
    esper.process()


def test_a_second_live_system_in_one_world_raises_E4(system):
    body = a_crate(0)
    esper.process()
    with pytest.raises(CollisionError, match="close"):
        a_system()
        esper.process()
    with pytest.raises(CollisionError, match="close"):
        CollisionSystem().move(body, dx=1)
    assert system.space.at(0, 0) == [body]


@pytest.mark.parametrize(
    "end",
    [lambda system: system.close(), lambda system: esper.remove_processor(CollisionSystem)],
    ids=["closed", "no longer registered"],
)
def test_a_system_that_is_closed_or_removed_can_be_replaced_E4(system, end):
    wall, player = a_wall(3), a_player(0)
    esper.process()
    end(system)
    esper.remove_processor(CollisionSystem)
    second = a_system()
    esper.process()
    assert second.move(player, dx=9).moved == (2, 0, 0)
    assert second.space.at(3, 0) == [wall]
    second.check()


NEVER_ADDED = {
    "move": lambda system, player: system.move(player, 1),
    "request": lambda system, player: system.request(player, 1),
    "plan": lambda system, player: system.plan(player, 1),
    "space": lambda system, player: system.space,
}


@pytest.mark.parametrize("call", NEVER_ADDED.values(), ids=NEVER_ADDED)
def test_a_system_that_was_never_added_says_so_once_at_the_line_of_the_call_E4(world, call):
    system, player = CollisionSystem(), a_player(0)
    with pytest.warns(SetupWarning, match=r"never added .* call esper\.add_processor\(system\) first") as caught:
        call(system, player)
        for again in NEVER_ADDED.values():
            again(system, player)
    assert [__file__] == [warning.filename for warning in caught]
    system.close()


def test_a_system_that_is_added_late_or_driven_by_hand_or_closed_does_not_warn_E4(world):
    player = a_player(0)
    system = CollisionSystem()
    system.process()  # runs its frames without esper
    system.move(player, 1)
    system.close()
    for call in NEVER_ADDED.values():
        if call is not NEVER_ADDED["space"]:
            with pytest.raises(WorldError, match="this CollisionSystem is closed"):
                call(system, player)
    esper.add_processor(system)
    system.space.at(0, 0), system.move(player, 1), system.request(player, 1), system.plan(player, 1)
    esper.remove_processor(CollisionSystem)
    with pytest.raises(WorldError, match="no longer registered"):
        system.move(player, 1)
    system.close()


# -- E5 -------------------------------------------------------------------------------------------------------------


def test_the_arguments_of_process_are_ignored_E5(system):
    player = a_player(0)
    system.request(player, dx=1)
    esper.process(0.016, mode="fast")
    esper.timed_process(0.016, mode="fast")
    assert place(player) == (1, 0, 0)
