"""What a mover does on meeting a body: push, slide, stop, bounce or cross (M9)."""

from __future__ import annotations

import esper
import pytest

from ecs_collision import (
    Blocked,
    BoxCollider,
    CollisionSystem,
    CollisionTypeError,
    CollisionValueError,
    CollisionWorld,
    Contact,
    ContactBegan,
    ContactEnded,
    Crossed,
    Fused,
    Hit,
    Inertia,
    Mass,
    Motion,
    Mover,
    Overlapped,
    ReentryError,
    SnapshotError,
    SphereCollider,
    Static,
    StopReason,
    Transform,
    Trigger,
    TriggerEntered,
    Velocity,
)
from ecs_collision.bodies.passing import Passing
from ecs_collision.testing import assert_no_overlap

X, Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)


def box(world, x, y=0.0, w=1.0, h=1.0, **parts):
    """Add a box with its corner at (x, y), and return its id."""
    layer = parts.pop("layer", "default")
    collider = parts.pop("collider", None) or BoxCollider(w / 2, h / 2, layer=layer)
    return world.add(transform=Transform(x + w / 2, y + h / 2), collider=collider, **parts)


def hero(world, x=0.0, y=0.0, *, mover=None, force=5.0, **parts):
    """Add a mover of size 1."""
    return box(world, x, y, motion=Motion(force=force), mover=mover, **parts)


def corner(world, id):
    """Return the low corner of a body of size 1."""
    x, y, _ = world._bodies.transform(world._bodies.row(id)).position
    return (x - 0.5, y - 0.5)


def kinds(frame, *wanted):
    return [event for event in frame.events if isinstance(event, wanted)]


# Push and slide.


def test_a_mover_without_responses_pushes_as_before_M9():
    for mover in (None, Mover(), Mover(responses={"ghost": "cross"})):
        world = CollisionWorld()
        id, crate = hero(world, mover=mover), box(world, 2, inertia=Inertia(1))
        result = world.move(id, 3)
        assert (3.0, 0.0) == corner(world, id)
        assert {crate: (2.0, 0.0, 0.0)} == dict(result.pushed)
        assert () == result.hits


def test_a_body_with_the_response_slide_is_not_pushed_and_the_other_axes_go_on_M9():
    world = CollisionWorld()
    id = hero(world, mover=Mover(responses={"glass": "slide"}))
    glass = box(world, 2, inertia=Inertia(1), layer="glass")
    result = world.move(id, 3, 2)
    assert (1.0, 2.0) == corner(world, id)
    [stop] = result.stops
    assert (StopReason.RESPONSE, (glass,), 1.0) == (stop.reason, stop.blockers, stop.allowed)
    assert "the mover does not push it" in result.explain()
    assert (2.0, 0.0) == corner(world, glass)


def test_a_response_holds_for_the_mover_and_not_for_what_it_pushes_M9():
    world = CollisionWorld()
    id = hero(world, mover=Mover(responses={"glass": "slide"}))
    crate, glass = box(world, 2, inertia=Inertia(1)), box(world, 4, inertia=Inertia(1), layer="glass")
    result = world.move(id, 5)
    assert {crate: (4.0, 0.0, 0.0), glass: (3.0, 0.0, 0.0)} == dict(result.pushed)


def test_a_body_that_the_mover_and_its_crate_reach_together_blocks_M9():
    world = CollisionWorld()
    id = hero(world, mover=Mover(responses={"glass": "slide"}))
    box(world, 1, 0, 0, 2, inertia=Inertia(1))  # a plate, as far from the glass as the mover
    glass = box(world, 2, 0, 1, 2, inertia=Inertia(1), layer="glass")
    assert (glass,) == world.move(id, 3).stops[0].blockers


def test_a_slide_wins_over_a_hook_that_allows_the_push_M9():
    world = CollisionWorld(can_push=lambda *question: True)
    id = hero(world, mover=Mover("slide"))
    box(world, 2)
    assert StopReason.RESPONSE is world.move(id, 3).stops[0].reason


def test_a_group_answers_with_the_layer_of_the_member_that_is_met_M9():
    world = CollisionWorld()
    id = hero(world, mover=Mover(responses={"ghost": "cross"}))
    wall = box(world, 4, layer="wall")
    box(world, 2, layer="ghost", fused=Fused(wall))
    result = world.move(id, 9)
    assert (wall,) == result.stops[0].blockers
    assert (3.0, 0.0) == corner(world, id)


# Cross.


def crossing(**parts):
    """Return a world with a hero that crosses ghosts, and a ghost from 2 to 4."""
    world = CollisionWorld(**parts)
    id = hero(world, mover=Mover(responses={"ghost": "cross"}))
    return world, id, box(world, 2, w=2, inertia=Inertia(1), layer="ghost")


def test_a_crossing_is_reported_when_the_overlap_begins_and_once_M9():
    world, id, ghost = crossing()
    steps = []
    for _ in range(6):
        world.request(id, 1)
        steps.append([(event.entity, event.other) for event in kinds(world.step(), Crossed)])
    assert [[], [(id, ghost)], [], [], [], []] == steps
    assert (6.0, 0.0) == corner(world, id)


def test_a_body_that_is_passed_within_one_motion_is_crossed_M9():
    world, id, ghost = crossing()
    world.request(id, 6)
    assert [(id, ghost)] == [(event.entity, event.other) for event in kinds(world.step(), Crossed)]
    assert (6.0, 0.0) == corner(world, id)
    assert not world._bodies.columns.passing


def test_touching_is_not_crossing_M9():
    world, id, _ = crossing()
    world.request(id, 1)
    assert [] == kinds(world.step(), Crossed)


def test_a_pair_that_passes_is_no_solid_pair_until_it_is_apart_M9():
    world, id, ghost = crossing()
    world.reports_overlaps = True
    world.step()
    world.request(id, 1.5)
    frame = world.step()
    assert [] == kinds(frame, Overlapped)
    assert_no_overlap(world)
    assert [] == [advice for advice in world.doctor() if "overlap" in str(advice)]
    assert world.move(ghost, -1).complete, "P9: the ghost goes deeper into the hero"
    assert (1.5, 0.0) == corner(world, id)
    assert world.move(ghost, -3).complete
    world.check()
    assert not world._bodies.columns.passing
    assert world.move(ghost, 5).blocked, "apart again, the hero blocks it"
    assert (1.5, 0.0) == corner(world, id)


def test_a_pair_that_passes_is_in_no_contact_M9():
    world = CollisionWorld()
    id = hero(world, mover=Mover(responses={"ghost": "cross"}), contact=Contact())
    box(world, 2, w=2, layer="ghost")
    events = []
    for by in (1, 1, 1, 1):
        world.request(id, by)
        events.append([type(event) for event in kinds(world.step(), ContactBegan, ContactEnded)])
    assert [[ContactBegan], [ContactEnded], [], [ContactBegan]] == events, "it touches, is inside, leaves, touches"
    world.check()


def test_a_trigger_reports_what_passes_through_a_solid_body_M9():
    world, id, _ = crossing()
    trigger = box(world, 2, trigger=Trigger())
    world.request(id, 2)
    entered = kinds(world.step(), TriggerEntered)
    assert [(trigger, id)] == [(event.trigger, event.other) for event in entered if event.other == id]


def test_a_body_that_is_removed_or_teleported_away_passes_no_longer_M9():
    for away in (lambda world, ghost: world.remove(ghost), lambda world, ghost: world.teleport(ghost, 50, 0)):
        world, id, ghost = crossing()
        world.move(id, 2)
        assert world._bodies.columns.passing
        away(world, ghost)
        world.apply_changes()
        assert not world._bodies.columns.passing
        world.check()


def test_a_body_that_overlaps_from_the_start_is_crossed_without_an_event_M9():
    world, id, ghost = crossing()
    world.teleport(id, 2, 0.5)
    world.request(id, 1)
    assert [] == kinds(world.step(), Crossed)
    assert (2.5, 0.0) == corner(world, id)
    assert world._bodies.columns.passing
    assert world.move(ghost, -0.25).complete


def test_a_crossing_ends_where_the_motion_ends_M9():
    world, id, ghost = crossing()
    box(world, 4)
    box(world, 6, layer="ghost")
    world.request(id, 9)
    assert [(id, ghost)] == [(event.entity, event.other) for event in kinds(world.step(), Crossed)]
    assert (3.0, 0.0) == corner(world, id)


def test_a_plan_crosses_nothing_and_its_commit_does_M9():
    world, id, ghost = crossing()
    plan = world.plan(id, 2)
    assert not world._bodies.columns.passing
    plan.commit()
    assert world._bodies.columns.passing
    assert [(id, ghost)] == [(event.entity, event.other) for event in kinds(world.step(), Crossed)]


def test_all_or_nothing_crosses_nothing_if_it_does_not_fit_M9():
    world, id, _ = crossing()
    box(world, 6)
    assert world.move(id, 9, all_or_nothing=True).blocked
    assert not world._bodies.columns.passing
    assert [] == kinds(world.step(), Crossed)


def test_snapshots_have_pairs_that_pass_and_crossings_to_report_M9():
    world, id, ghost = crossing()
    before, empty = world.snapshot(), world.state_hash()
    world.move(id, 2)
    within, state = world.snapshot(), world.state_hash()
    assert empty != state
    world.restore(before)
    assert empty == world.state_hash()
    assert not world._bodies.columns.passing
    world.restore(within)
    assert state == world.state_hash()
    world.check()
    assert [(id, ghost)] == [(event.entity, event.other) for event in kinds(world.step(), Crossed)]
    assert world.move(ghost, -1).complete


def test_a_dynamic_body_passes_as_long_as_it_overlaps_M9():
    for by, expected in ((2.5, True), (1.0, False)):
        world = CollisionWorld()
        id = hero(world, mover=Mover("cross"))
        crate = box(world, 2, mass=Mass(1), velocity=Velocity(-1, 0))
        world.move(id, by)
        world.step_dynamics(0.25)
        assert expected == (corner(world, crate)[0] < 2), "inside the mover it goes on, in front of it it is stopped"
        world.check()


@pytest.mark.parametrize("call", ["drop_apart", "add"])
def test_a_crossing_that_fails_half_way_is_rolled_back_M9(call, monkeypatch):
    world, id, ghost = crossing()
    other = box(world, 8, layer="ghost")
    world.move(id, 2)
    world.step()
    before, pairs = world.snapshot(), set(world._bodies.columns.passing)
    original = getattr(Passing, call)

    def failing(self, *arguments):
        original(self, *arguments)
        raise MemoryError

    monkeypatch.setattr(Passing, call, failing)
    with pytest.raises(MemoryError):
        world.move(id, 6)
    monkeypatch.undo()
    assert pairs == world._bodies.columns.passing
    assert before == world.snapshot()
    world.check()
    world.move(id, 6)
    assert [(id, other)] == [(event.entity, event.other) for event in kinds(world.step(), Crossed)]
    assert ghost


def test_changes_that_fail_half_way_keep_what_passes_M9(monkeypatch):
    world, id, ghost = crossing()
    world.move(id, 2)
    pairs, original = set(world._bodies.columns.passing), Passing.drop_apart

    def failing(self, rows=None):
        original(self, rows)
        raise MemoryError

    monkeypatch.setattr(Passing, "drop_apart", failing)
    with pytest.raises(MemoryError):
        world.teleport(ghost, 50, 0)
    monkeypatch.undo()
    assert pairs == world._bodies.columns.passing
    world.check()
    world.teleport(ghost, 50, 0)
    assert not world._bodies.columns.passing


# Stop.


def test_stop_ends_all_axes_at_the_first_contact_of_the_straight_line_M9():
    world = CollisionWorld()
    id = hero(world, mover=Mover(responses={"spikes": "stop"}))
    spikes = box(world, 3, 0, 1, 4, inertia=Inertia(1), layer="spikes")
    result = world.move(id, 4, 2)
    assert (2.0, 1.0) == corner(world, id)
    assert (Hit(spikes, (-1.0, 0.0, 0.0), "stop", (2.0, 1.0, 0.0)),) == result.hits
    assert [("x", 2.0), ("y", 1.0)] == [(stop.axis, stop.allowed) for stop in result.stops]
    assert {StopReason.RESPONSE} == {stop.reason for stop in result.stops}


def test_stop_goes_on_where_another_body_keeps_the_motion_from_its_contact_M9():
    world = CollisionWorld()
    id = hero(world, mover=Mover(responses={"spikes": "stop"}))
    box(world, 1)
    box(world, 3, 0, 1, 9, layer="spikes")
    result = world.move(id, 4, 2)
    assert (0.0, 2.0) == corner(world, id)
    assert () == result.hits


def test_all_or_nothing_and_stop_move_nothing_M9():
    world = CollisionWorld()
    id = hero(world, mover=Mover("stop"))
    box(world, 3)
    result = world.move(id, 4, all_or_nothing=True)
    assert (0.0, 0.0, 0.0) == result.moved
    assert result.blocked_x


def test_what_overlaps_from_the_start_stops_no_line_and_blocks_what_goes_deeper_M9():
    world = CollisionWorld()
    id = hero(world, 0.5, mover=Mover("stop"))
    box(world, 1)
    assert world.move(id, -1, 3).complete
    world.teleport(id, 1.0, 0.5)
    assert (0.0, 2.0, 0.0) == world.move(id, 1, 2).moved


# Bounce.


def test_bounce_mirrors_what_is_left_and_reports_the_normal_M9():
    world = CollisionWorld()
    id = hero(world, mover=Mover("bounce"))
    wall = box(world, 3, -10, 1, 20, static=Static())
    result = world.move(id, 5, 5)
    assert (-1.0, 5.0) == corner(world, id)
    assert (Hit(wall, (-1.0, 0.0, 0.0), "bounce", (2.0, 2.0, 0.0)),) == result.hits
    assert ["x"] == [stop.axis for stop in result.stops]


def test_restitution_scales_what_goes_across_the_surface_M9():
    world = CollisionWorld()
    id = hero(world, mover=Mover("bounce", restitution=0.5))
    box(world, 3, -10, 1, 20, static=Static())
    world.move(id, 5, 5)
    assert (0.5, 5.0) == corner(world, id)


def test_a_motion_bounces_at_most_eight_times_M9():
    world = CollisionWorld()
    id = hero(world, x=0, mover=Mover("bounce"))
    for x in (-2, 2):
        box(world, x, -1, 1, 3, static=Static())
    result = world.move(id, 100)
    assert ["bounce"] * 8 + ["stop"] == [hit.response for hit in result.hits]
    assert corner(world, id)[0] in (-1.0, 1.0)


# The hook.


def test_the_hook_decides_before_the_component_and_is_asked_in_the_order_of_ids_M9():
    asked = []

    def respond(mover, other):
        asked.append((mover, other))
        return {3: "cross", 2: None}.get(other)

    world = CollisionWorld(respond=respond)
    id = hero(world, mover=Mover("slide"))
    box(world, 4, inertia=Inertia(1))
    box(world, 2, inertia=Inertia(1))
    world.move(id, 9)
    assert [(1, 2), (1, 3)] == asked
    assert (3.0, 0.0) == corner(world, id)


def test_the_hook_is_asked_about_bodies_without_a_mover_too_M9():
    world = CollisionWorld(respond=lambda mover, other: "cross")
    id = hero(world)
    box(world, 2)
    assert world.move(id, 9).complete


def test_the_answer_of_the_hook_is_checked_and_it_may_only_read_M9():
    world = CollisionWorld(respond=lambda mover, other: "crosss")
    id = hero(world)
    box(world, 2)
    with pytest.raises(CollisionValueError, match=r"respond\(1, 2\) is 'crosss'.*did you mean 'cross'"):
        world.move(id, 3)
    assert (0.0, 0.0) == corner(world, id)
    world.check()

    def writes(mover, other):
        inertia.x = 5.0

    inertia = Inertia(1)
    world = CollisionWorld(respond=writes)
    id = hero(world)
    box(world, 2, inertia=inertia)
    with pytest.raises(ReentryError, match="may only read"):
        world.move(id, 3)
    with pytest.raises(CollisionTypeError, match="respond is 3"):
        CollisionWorld(respond=3)


def test_snapshots_say_whether_there_is_such_a_hook_M9():
    plain, hooked = CollisionWorld(), CollisionWorld(respond=lambda mover, other: None)
    with pytest.raises(SnapshotError, match="the snapshot has a respond hook, but this world has none"):
        plain.restore(hooked.snapshot())
    with pytest.raises(SnapshotError, match="this world has a respond hook, but the snapshot has none"):
        hooked.restore(plain.snapshot())


# In frames.


@pytest.mark.parametrize("order", ["sequential", "front_first"])
def test_requests_have_responses_too_M9(order):
    world = CollisionWorld(order=order)
    id = hero(world, mover=Mover(responses={"ghost": "cross", "glass": "slide"}))
    ghost = box(world, 2, layer="ghost")
    glass = box(world, 4, layer="glass", inertia=Inertia(1))
    world.request(id, 9, 0.5)
    frame = world.step()
    assert (3.0, 0.5) == corner(world, id)
    assert [(id, ghost)] == [(event.entity, event.other) for event in kinds(frame, Crossed)]
    assert [(glass, StopReason.RESPONSE)] == [(event.blocker, event.reason) for event in kinds(frame, Blocked)]


def test_a_round_mover_passes_while_its_shape_is_inside_M9():
    world = CollisionWorld()
    ball = world.add(transform=Transform(0, 0), collider=SphereCollider(0.5), motion=Motion(), mover=Mover("cross"))
    box(world, 0, 0, 2, 2)
    world.teleport(ball, -0.5, -0.5)
    assert world.move(ball, 0.75, 0.75).complete
    assert world._bodies.columns.passing
    assert world.move(ball, -0.65, -0.65).complete, "its bounds still overlap"
    assert not world._bodies.columns.passing


def test_the_doctor_names_movers_without_effect_M9():
    world = CollisionWorld()
    box(world, 0, mover=Mover(responses={"gost": "cross"}))
    box(world, 5)
    text = "\n".join(str(advice) for advice in world.doctor())
    assert "it has a Mover but no Motion" in text
    assert "to the layer 'gost', on which no body is" in text


def test_handlers_of_esper_hear_of_crossings_M9():
    esper.switch_world("crossings")
    system = CollisionSystem()
    esper.add_processor(system)
    heard = []

    def hear(event):
        heard.append((event.entity, event.other))

    esper.set_handler("collision_crossed", hear)
    id = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Motion(), Mover("cross"))
    other = esper.create_entity(Transform(3, 0), BoxCollider(0.5, 0.5))
    system.request(id, 9)
    esper.process()
    assert [(id, other)] == heard
    esper.remove_handler("collision_crossed", hear)
    esper.switch_world("default")
    esper.delete_world("crossings")
