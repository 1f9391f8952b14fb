"""Triggers and bodies with Static: reported only if the trigger has `statics` (rules T3 and T6)."""

from __future__ import annotations

import esper
import pytest
from worlds import a_crate, a_player, a_wall, a_zone, next_frame, part

from ecs_collision import BoxCollider, Inertia, Motion, Static, Transform, Trigger

PASSES = "ecs_collision.contacts.triggers.FULL_PASS_"


@pytest.fixture(params=["each body", "all pairs"])
def update(request, monkeypatch):
    """Run a test with the update around each changed body and with the one of all pairs."""
    monkeypatch.setattr(PASSES + "MINIMUM", 1 if request.param == "all pairs" else 10**9)
    monkeypatch.setattr(PASSES + "SHARE", 10**9)


@pytest.mark.parametrize("mask", [None, "stone"], ids=["every layer", "its layer"])
@pytest.mark.parametrize("statics", [False, True], ids=["", "statics"])
def test_a_trigger_reports_a_static_body_only_with_statics_T6(system, update, statics, mask):
    plate, wall = a_zone(0, statics=statics, mask=mask), a_wall(0.25, layer="stone")
    assert next_frame(system) == [("entered", plate, wall)] * statics
    part(wall, Transform).x = 9
    assert next_frame(system) == [("left", plate, wall, "MOVED")] * statics
    part(plate, Transform).x = 9
    assert next_frame(system) == [("entered", plate, wall)] * statics


@pytest.mark.parametrize("linger", [0, 3], ids=["", "lingering"])
def test_a_body_that_becomes_static_leaves_and_one_that_is_static_no_more_enters_T3(system, update, linger):
    plate, box = a_zone(0, linger=linger), a_crate(0)
    esper.remove_component(box, Inertia)
    assert next_frame(system) == [("entered", plate, box)]
    esper.add_component(box, Static())
    assert next_frame(system) == [("left", plate, box, "FILTERED")]
    esper.remove_component(box, Static)
    assert next_frame(system) == [("entered", plate, box)]
    part(box, Transform).x = 9
    assert next_frame(system) == ([("left", plate, box, "MOVED")] if not linger else [])
    esper.add_component(box, Static())
    assert next_frame(system) == ([("left", plate, box, "FILTERED")] if linger else [])


@pytest.mark.parametrize("linger", [0, 3], ids=["", "lingering"])
def test_assigning_statics_enters_and_leaves_what_is_inside_T3(system, update, linger):
    plate, wall, crate = a_zone(0, linger=linger), a_wall(0.25), a_crate(-0.25)
    assert next_frame(system) == [("entered", plate, crate)]
    part(plate, Trigger).statics = True
    assert next_frame(system) == [("entered", plate, wall)]
    part(plate, Trigger).statics = False
    assert next_frame(system) == [("left", plate, wall, "FILTERED")]
    part(plate, Trigger).statics = True
    part(plate, Trigger).statics = False
    assert next_frame(system) == []
    assert system.inside(plate) == [crate]


@pytest.mark.parametrize("wide", [0.5, 40.0], ids=["small", "giant"])
def test_a_trigger_with_statics_that_moves_meets_and_leaves_walls_T6(system, update, wide):
    """The giant searches only the strips that it enters and leaves."""
    plate = a_zone(0, 0, Motion(), hx=wide, hy=wide, statics=True)
    ahead, behind = a_wall(wide + 1), a_wall(0.75 - wide)
    a_crate(90)
    assert next_frame(system) == [("entered", plate, behind)]
    part(plate, Motion).move(dx=2)
    assert next_frame(system) == [("left", plate, behind, "MOVED"), ("entered", plate, ahead)]
    system.check()


@pytest.mark.parametrize("statics", [False, True], ids=["", "statics"])
def test_a_swept_trigger_that_passes_a_wall_reports_it_only_with_statics_T4(system, statics):
    plate, wall = a_zone(0, 0, Motion(), swept=True, statics=statics), a_wall(4)
    next_frame(system)
    part(plate, Motion).move(dx=9)
    assert next_frame(system) == [("entered", plate, wall), ("left", plate, wall, "MOVED")] * statics


def test_what_crosses_a_static_swept_trigger_is_reported_T4(system):
    beam, player = a_zone(4, 0, Static(), swept=True), a_player(0)
    next_frame(system)
    part(player, Motion).move(dx=9)
    assert next_frame(system) == [("entered", beam, player), ("left", beam, player, "MOVED")]


@pytest.mark.parametrize(
    ("options", "searches"),
    [((), 0), ((Trigger(),), 0), ((Trigger(statics=True),), 1)],
    ids=["a crate", "a trigger", "a trigger with statics"],
)
def test_only_triggers_with_statics_search_the_static_index_T6(system, update, options, searches):
    a_wall(0)
    a_zone(5)
    mover = a_crate(20, 0, *options)
    next_frame(system)
    for x in (8, 8.25):
        part(mover, Transform).x = x
        next_frame(system)
        assert system.stats.static_searches == searches
    next_frame(system)
    assert system.stats.static_searches == 0


def test_every_body_searches_for_static_triggers_and_their_count_is_checked_T6(system, update):
    gate, crate = a_wall(0, 0, Trigger()), a_crate(9)
    next_frame(system)
    part(crate, Transform).x = 0.25
    assert next_frame(system) == [("entered", gate, crate)]
    assert system.stats.static_searches == 1
    system.check()
    esper.remove_component(gate, Static)
    part(crate, Transform).x = 0.5
    assert next_frame(system) == []
    assert system.stats.static_searches == 0
    system.check()


def test_statics_and_the_contacts_of_then_are_in_snapshots_N1(system):
    plate, wall = a_zone(0, statics=True), a_wall(0.25)
    next_frame(system)
    saved, digest = system.snapshot(), system.state_hash()
    part(plate, Trigger).statics = False
    assert next_frame(system) == [("left", plate, wall, "FILTERED")]
    assert digest != system.state_hash()
    system.restore(saved)
    assert (part(plate, Trigger).statics, system.inside(plate), system.state_hash()) == (True, [wall], digest)
    assert next_frame(system) == []


def test_a_wall_that_is_enabled_inside_a_trigger_enters_only_with_statics_E9(system, update):
    plain, strict, wall = a_zone(0), a_zone(0, statics=True), a_wall(0, enabled=False)
    assert next_frame(system) == []
    part(wall, BoxCollider).enabled = True
    assert next_frame(system) == [("entered", strict, wall)]
    part(wall, BoxCollider).enabled = False
    assert next_frame(system) == [("left", strict, wall, "DISABLED")]
    assert system.inside(plain) == []
