"""The sleeping cases S01 to S12, and S1 as a property: sleeping saves work and changes nothing else."""

from __future__ import annotations

import esper
import pytest
from worlds import a_crate, a_player, a_sleeper, a_system, a_wall, a_zone, fresh_world, next_frame, of_kind, part, place

from ecs_collision import LATTICE, BoxCollider, FellAsleep, Inertia, Motion, Sleeping, Static, Transform, Trigger, Woke


def asleep(*entities: int) -> list[bool]:
    """Return whether each of the bodies is asleep."""
    return [part(entity, Sleeping).asleep for entity in entities]


def woke(system) -> list[int]:
    return [event.entity for event in of_kind(system, Woke)]


def fell_asleep(system) -> list[int]:
    return [event.entity for event in of_kind(system, FellAsleep)]


def a_dormitory(x: float, count: int, *, sleeping: bool = True) -> list[int]:
    """Create overlapping crates in rows of ten, every fifth in a trigger of its own."""

    def rest() -> list[Sleeping]:
        return [Sleeping(asleep=True)] if sleeping else []

    made = [a_crate(x + i % 10 * 0.75, i // 10 * 0.75, *rest()) for i in range(count)]
    return made + [a_zone(*place(body)[:2], *rest()) for body in made[::5]]


def test_no_pair_is_tested_if_all_bodies_are_asleep_S01(system):
    a_dormitory(0, 50)
    a_wall(3, 3)
    esper.process()
    esper.process()
    stats = system.stats
    assert (stats.pairs_tested, stats.moved, stats.bin_changes) == (0, 0, 0)
    stray = a_player(500)
    esper.process()
    part(stray, Motion).move(dx=3)
    esper.process()
    assert (system.stats.pairs_tested, system.stats.moved) == (0, 1)
    assert system.events == [event for event in system.events if event.entity == stray]


def test_a_body_entering_a_sleeping_region_meets_it_in_the_same_frame_S02(system):
    zone, body = a_zone(10, 0, Sleeping(asleep=True)), a_player(0)
    a_sleeper(10.75, 1)
    next_frame(system)
    part(body, Motion).move(dx=10)
    assert next_frame(system) == [("entered", zone, body)]
    assert asleep(zone) == [True]


def _crowds(system, sleeping: bool) -> dict[str, int]:
    """Move a hundred bodies beside two sleeping crowds; return the counters of the frame."""
    movers = [a_player(3 * i % 60, 50 + 3 * (i // 20)) for i in range(100)]
    a_dormitory(0, 60, sleeping=sleeping)
    a_dormitory(500, 60, sleeping=sleeping)
    for _ in range(2):
        for mover in movers:
            part(mover, Motion).move(dx=0.5)
        esper.process()
    assert system.stats.moved == 100
    return {name: getattr(system.stats, name) for name in ("pairs_tested", "cells_skipped")}


def test_a_full_pass_skips_sleeping_regions_and_tests_more_without_sleeping_S03(world):
    resting = _crowds(a_system(), sleeping=True)
    with fresh_world():
        awake = _crowds(a_system(), sleeping=False)
    assert resting["cells_skipped"] > 0
    assert resting["pairs_tested"] < awake["pairs_tested"]
    assert awake["cells_skipped"] == 0


@pytest.mark.parametrize("movers", [0, 120], ids=["alone", "in a full pass"])
def test_an_awake_big_box_above_cells_of_sleepers_still_meets_them_S03(system, movers):
    sleepers = [a_sleeper(x, y) for x in range(0, 8, 2) for y in range(0, 8, 2)]
    zone = a_zone(-60, 0, Motion(), hx=20, hy=20)
    bodies = [a_player(3 * i, 100) for i in range(movers)]
    next_frame(system)
    for body in [zone, *bodies]:
        part(body, Motion).move(dx=43.25 if body == zone else 1)
    # The zone's right face reaches 3.25: it covers the columns at 0 and 2 entirely.
    assert next_frame(system) == [("entered", zone, body) for body in sleepers if place(body)[0] < 3.75]
    assert all(asleep(*sleepers))


def test_an_awake_small_box_in_the_cell_of_a_sleeping_big_one_meets_it_S03(system):
    zone = a_zone(0, 0, Sleeping(asleep=True), hx=40, hy=40)
    movers = [a_player(100 + 3 * i, 0) for i in range(120)]
    body = a_player(-50, 30.125)
    next_frame(system)
    for mover in movers:
        part(mover, Motion).move(dx=1)
    part(body, Motion).move(dx=20)
    assert next_frame(system) == [("entered", zone, body)]


def test_a_push_wakes_all_it_displaces_and_no_neighbour_S04(system):
    """The player pushes two crates; one lies against the first from above, one a step behind the second."""
    player, first, second = a_player(0), a_sleeper(1), a_sleeper(2)
    beside, beyond = a_sleeper(1, 1), a_sleeper(4)
    esper.process()
    part(player, Motion).move(dx=1)
    esper.process()
    assert asleep(first, second, beside, beyond) == [False, False, True, True]
    assert woke(system) == [first, second]
    assert [type(event) for event in system.events[:2]] == [Woke, Woke], "Woke comes first (T7)"


@pytest.mark.parametrize("inertia", [5.0, 9.0])
def test_a_blocked_push_does_not_wake_S05(system, inertia):
    sleeper, player = a_sleeper(1, inertia=inertia), a_player(0, force=5)
    esper.process()
    for _ in range(3):
        part(player, Motion).move(dx=1)
        esper.process()
        assert (asleep(sleeper), woke(system)) == ([True], [])


def test_falling_asleep_and_waking_inside_a_trigger_give_no_trigger_event_S06(system):
    zone, body = a_zone(0), a_crate(0.5, 0, Sleeping(after=2))
    assert next_frame(system) == [("entered", zone, body)]
    reported = [next_frame(system) for _ in range(5)]
    assert (reported, asleep(body)) == ([[]] * 5, [True])
    part(body, Sleeping).asleep = False
    assert next_frame(system) == []
    assert woke(system) == [body]
    part(body, Sleeping).asleep = True
    assert next_frame(system) == []
    assert system.inside(zone) == [body]


def test_stayed_and_lingering_continue_for_sleepers_S5(system):
    zone, lingering = a_zone(0, stay=True), a_zone(20, linger=2)
    body, other = a_sleeper(0.5), a_sleeper(20)
    assert next_frame(system) == [("entered", zone, body), ("entered", lingering, other)]
    assert [next_frame(system) for _ in range(3)] == [[("stayed", zone, body)]] * 3
    part(lingering, Transform).x = 40
    reported = [next_frame(system) for _ in range(4)]
    stayed = ("stayed", zone, body)
    assert reported == [[stayed], [stayed], [("left", lingering, other, "MOVED"), stayed], [stayed]]
    assert asleep(body, other) == [True, True]


def test_a_sleeper_teleported_by_a_write_wakes_moves_cells_and_enters_S07(system):
    here, there, sleeper = a_zone(0), a_zone(50), a_sleeper(0.5)
    next_frame(system)
    part(sleeper, Transform).x = 50.25
    assert system.space.at(50.25, 0) == [sleeper]
    assert next_frame(system) == [("left", here, sleeper, "MOVED"), ("entered", there, sleeper)]
    assert (asleep(sleeper), woke(system)) == ([False], [sleeper])
    system.check()


WAKING = {
    "teleported": lambda body: setattr(part(body, Transform), "y", 3),
    "resized": lambda body: setattr(part(body, BoxCollider), "hx", 0.75),
    "layer": lambda body: setattr(part(body, BoxCollider), "layer", "other"),
    "mask": lambda body: setattr(part(body, BoxCollider), "mask", "other"),
    "collider replaced": lambda body: esper.add_component(body, BoxCollider(1, 1)),
    "Transform replaced": lambda body: esper.add_component(body, Transform(0, 9)),
    "inertia": lambda body: setattr(part(body, Inertia), "value", 3),
    "Inertia removed": lambda body: esper.remove_component(body, Inertia),
    "Trigger added": lambda body: esper.add_component(body, Trigger()),
    "by hand": lambda body: setattr(part(body, Sleeping), "asleep", False),
}


@pytest.mark.parametrize("change", WAKING.values(), ids=WAKING)
def test_a_change_of_a_sleeper_wakes_it_in_the_same_frame_S4(system, change):
    body, other = a_sleeper(0), a_sleeper(20)
    esper.process()
    change(body)
    esper.process()
    assert (asleep(body, other), woke(system)) == ([False, True], [body])
    esper.process()
    assert woke(system) == []


def test_a_sleeping_trigger_wakes_when_its_trigger_changes_S4(system):
    zone = a_zone(0, 0, Sleeping(asleep=True))
    esper.process()
    part(zone, Trigger).mask = "other"
    esper.process()
    assert (asleep(zone), woke(system)) == ([False], [zone])


@pytest.mark.parametrize("after", [1, 3])
def test_a_body_rests_at_the_end_of_its_last_quiet_frame_S09(system, after):
    body = a_player(0, 0, Sleeping(after=after))
    esper.process()
    part(body, Motion).move(dx=1)
    esper.process()
    reported = []
    for _ in range(after + 2):
        esper.process()
        reported.append((asleep(body)[0], fell_asleep(system)))
    assert reported == [(False, [])] * (after - 1) + [(True, [body])] + [(True, [])] * 2


def test_resting_and_waking_change_nothing_structural_S2(system):
    """esper would clear its caches if components were added or removed."""
    body = a_player(0, 0, Sleeping(after=1))
    esper.process()
    parts, cached = esper.components_for_entity(body), esper.get_component(Motion)
    for _ in range(3):
        part(body, Motion).move(dx=1)
        esper.process()
        assert asleep(body) == [False]
        esper.process()
        assert asleep(body) == [True]
    assert esper.components_for_entity(body) == parts
    assert esper.get_component(Motion) is cached


RESTLESS = {
    "it moves": lambda body: part(body, Motion).move(dy=1),
    "it asks for less than a lattice step": lambda body: part(body, Motion).move(dy=LATTICE / 8),
    "it asks and is blocked": lambda body: part(body, Motion).move(dx=1),
    "it is written": lambda body: setattr(part(body, Transform), "y", part(body, Transform).y + 1),
}


@pytest.mark.parametrize("do", RESTLESS.values(), ids=RESTLESS)
def test_a_body_that_is_never_quiet_never_rests_S09(system, do):
    body = a_player(0, 0, Sleeping(after=2))
    a_wall(1, 0, hy=100)
    for _ in range(8):
        do(body)
        esper.process()
        assert (asleep(body), fell_asleep(system)) == ([False], [])


NOTHING = {
    "a request of no length": lambda system, body: part(body, Motion).move(),
    "a move of no length": lambda system, body: system.move(body),
    "a question": lambda system, body: system.space.at(0, 0),
}


@pytest.mark.parametrize("do", NOTHING.values(), ids=NOTHING)
def test_a_body_without_a_request_is_quiet_and_rests_S09(system, do):
    """Rules P13 and S2: a quiet body has no request, of any length."""
    body = a_player(0, 0, Sleeping(after=2))
    esper.process()
    for expected in ([False], [True], [True]):
        do(system, body)
        esper.process()
        assert (asleep(body), dict(system.results)) == (expected, {})


def test_sleep_set_by_hand_is_reported_and_sleep_at_creation_is_not_S09(system):
    body, born = a_crate(0, 0, Sleeping()), a_sleeper(5)
    esper.process()
    assert fell_asleep(system) == []
    part(body, Sleeping).asleep = True
    esper.process()
    assert (fell_asleep(system), woke(system)) == ([body], [])
    part(body, Sleeping).asleep = False
    part(born, Sleeping).asleep = False
    esper.process()
    assert (fell_asleep(system), woke(system)) == ([], [body, born])


@pytest.mark.parametrize("first", [True, False], ids=["to sleep and back", "awake and back"])
def test_sleep_set_and_reverted_within_a_frame_gives_no_event_S09(system, first):
    body = a_crate(0, 0, Sleeping(asleep=not first))
    esper.process()
    for state in (first, not first):
        part(body, Sleeping).asleep = state
        assert system.space.at(0, 0) == [body], "queries include sleepers"
    esper.process()
    assert (asleep(body), system.events) == ([not first], [])


@pytest.mark.parametrize("immediate", [True, False])
def test_a_body_deleted_while_asleep_leaves_its_trigger_S09(system, immediate):
    zone, sleeper, other = a_zone(0), a_sleeper(0.5), a_sleeper(-0.5)
    next_frame(system)
    esper.delete_entity(sleeper, immediate=immediate)
    assert next_frame(system) == [("left", zone, sleeper, "DELETED")]
    assert woke(system) == []
    assert (system.inside(zone), system.stats.bodies) == ([other], 2)
    system.check()


def test_a_static_body_beside_sleepers_wakes_none_and_is_tested_against_none_S10(system):
    sleepers = [a_sleeper(x) for x in range(0, 20, 2)]
    esper.process()
    wall = a_wall(1, 0)
    esper.process()
    assert (asleep(*sleepers), woke(system)) == ([True] * 10, [])
    for _ in range(3):
        esper.process()
        assert system.stats.pairs_tested == 0
    esper.delete_entity(wall)
    esper.process()
    assert (asleep(*sleepers), woke(system)) == ([True] * 10, [])


@pytest.mark.parametrize("movers", [0, 120], ids=["alone", "in a full pass"])
def test_a_static_trigger_moved_onto_sleepers_reports_them_and_lets_them_sleep_S10(system, movers):
    zone, sleeper, still = a_zone(50, 0, Static()), a_sleeper(0), a_player(0, 0.75)
    bodies = [a_player(3 * i, 100) for i in range(movers)]
    next_frame(system)
    part(zone, Transform).x = 0.5
    for body in bodies:
        part(body, Motion).move(dx=1)
    assert next_frame(system) == [("entered", zone, sleeper), ("entered", zone, still)]
    assert next_frame(system) == []
    assert asleep(sleeper) == [True]


@pytest.mark.parametrize("movers", [0, 120], ids=["alone", "in a full pass"])
def test_a_body_that_moves_into_and_out_of_a_static_trigger_is_reported_S3(system, movers):
    zone, body = a_zone(50, 0, Static()), a_player(47)
    bodies = [a_player(3 * i, 100) for i in range(movers)]
    next_frame(system)
    reported = []
    for step in (1, 1.5, 0.5, 1):
        for mover in [body, *bodies]:
            part(mover, Motion).move(dx=step)
        reported.append(next_frame(system))
    assert reported == [[], [("entered", zone, body)], [], [("left", zone, body, "MOVED")]]


def test_a_passing_trigger_does_not_wake_S11(system):
    zone, sleeper = a_zone(-5, 0, Motion(force=9)), a_sleeper(0)
    next_frame(system)
    reported = []
    for _ in range(12):
        part(zone, Motion).move(dx=1)
        reported += next_frame(system)
    assert reported == [("entered", zone, sleeper), ("left", zone, sleeper, "MOVED")]
    assert asleep(sleeper) == [True]
