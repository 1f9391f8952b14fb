"""Films: what a page needs to show what a world did."""

import math
import random

import pytest
from film_reader import states

from ecs_collision import (
    BoxCollider,
    CollisionWorld,
    Contact,
    Fused,
    Inertia,
    Mass,
    Motion,
    OrientedBoxCollider,
    Sleeping,
    Static,
    Transform,
    Trigger,
    Velocity,
)
from ecs_collision.bodies.columns import ASLEEP
from ecs_collision.debug.film import Film

UNIT = 65536


def box(half=0.5):
    """Return a square collider."""
    return BoxCollider(half, half)


@pytest.fixture
def world():
    world = CollisionWorld()
    world.add(1, transform=Transform(0, 0), collider=box(), motion=Motion(force=2))
    world.add(2, transform=Transform(2, 0), collider=box(), inertia=Inertia(1), sleeping=Sleeping(after=2))
    world.add(3, transform=Transform(6, 0), collider=box(), static=Static())
    world.add(4, transform=Transform(4, 0), collider=box(), trigger=Trigger())
    return world


def last_step(film):
    """Return the last step of a film, which is valid."""
    data = film.data()
    states(data)
    return data["steps"][-1]


def test_a_film_begins_with_all_bodies(world):
    film = Film(world, "title", ["a remark"], {1: "player"}.get)
    (bodies,) = states(data := film.data())
    assert ("title", ["a remark"], True, UNIT, 0) == tuple(
        data[key] for key in ("title", "remarks", "flat", "bin", "open_at")
    )
    assert [(1, "player", "mover"), (2, None, "pushable")] == [
        (body["id"], body["name"], body["kind"]) for body in bodies[:2]
    ]
    assert [2 * UNIT, 0, 0] == bodies[1]["at"]
    assert [[0.0, 0.0, 0.0, UNIT / 2, UNIT / 2, UNIT / 2, 0, 0]] == bodies[1]["parts"]
    assert [repr(box()), repr(Motion(force=2))] == bodies[0]["components"]


def test_a_motion_is_a_step_with_its_result(world):
    film = Film(world, "")
    world.move(1, 7)
    step = last_step(film)
    assert ("move entity 1 by x +7", "move") == (step["label"], step["act"])
    assert {"i": [0, 1], "x": [4 * UNIT, 3 * UNIT]} == step["moved"]
    (result,) = step["results"]
    assert result["text"].startswith("entity 1 (force 2) moved x +4 of +7: entity 2 (inertia 1) pushed x +3")
    assert ([[1, 3.0, 0.0, 0.0, "1"]], [[0, 1, "x", 1.0]]) == (result["pushed"], result["links"])
    stop = {"axis": "x", "reason": "immovable", "allowed": 4.0, "blockers": [2], "direction": [1.0, 0.0, 0.0]}
    assert [stop] == result["stops"]


def test_a_frame_has_its_events_and_the_results_that_say_something(world):
    film = Film(world, "", name_of={1: "hero", 2: "crate", 3: "wall", 4: "plate"}.__getitem__)
    world.request(1, 1)
    world.step()
    assert "results" not in last_step(film)
    world.request(1, 2)
    world.step()
    step = last_step(film)
    assert ("frame 2", 2) == (step["label"], step["frame"])
    assert [("Pushed", "hero pushed crate", [1, 0]), ("TriggerEntered", "crate entered plate", [3, 1])] == [
        (event["name"], event["text"], event["bodies"]) for event in step["events"]
    ]
    assert ["hero (force 2) moved x +2 of +2: crate (inertia 1) pushed x +2"] == [
        result["text"] for result in step["results"]
    ]


def test_sleep_is_filmed(world):
    film = Film(world, "")
    for _ in range(3):
        world.step()
    assert [1] == last_step(film)["slept"]
    world.move(1, 2)
    assert [1] == last_step(film)["woke"]


def test_what_a_game_writes_is_a_step_of_its_own(world):
    film = Film(world, "")
    world.teleport(2, 2, 5)
    world.step()
    change, frame = film.data()["steps"][1:]
    assert ("change by the game", {"i": [1], "y": [5 * UNIT]}) == (change["label"], change["moved"])
    assert "moved" not in frame


def test_bodies_come_and_go_and_change(world):
    film = Film(world, "")
    added = world.add(transform=Transform(0, 9), collider=box())
    world.step()
    assert [0, 1] == [bodies[4]["shown"] for bodies in states(film.data())[:2]]
    collider = world._bodies.of(world._bodies.row(added)).collider
    collider.hx = 2.0
    world.step()
    (index, (part,)) = film.data()["steps"][-2]["shapes"][0]
    assert (4, 2 * UNIT) == (index, part[3])
    assert [4, [repr(BoxCollider(2, 0.5))]] == film.data()["steps"][-2]["components"][0]
    collider.enabled = False
    world.step()
    assert [4] == film.data()["steps"][-2]["hidden"]
    collider.enabled = True
    world.remove(added)
    world.step()
    assert 0 == states(film.data())[-1][4]["shown"]
    world.add(added, transform=Transform(1, 9), collider=box(), inertia=Inertia(1))
    world.step()
    body = states(film.data())[-1][4]
    assert (1, "pushable", [UNIT, 9 * UNIT, 0]) == (body["shown"], body["kind"], body["at"])


def test_groups_have_the_number_of_their_root(world):
    film = Film(world, "")
    five = world.add(transform=Transform(2, 1), collider=box(), inertia=Inertia(1), fused=Fused(2))
    world.step()
    assert [1, 1] == [states(film.data())[-1][index]["group"] for index in (1, 4)]
    world.remove(five)
    world.step()
    assert -1 == states(film.data())[-1][1]["group"]


def test_a_member_of_a_group_pushes_in_the_name_of_its_root(world):
    member = world.add(transform=Transform(0, 1), collider=box(), inertia=Inertia(1), fused=Fused(1))
    film = Film(world, "")
    world.move(member, 3, force=5)
    (result,) = last_step(film)["results"]
    assert (4, [[0, 1, "x", 1.0]]) == (result["body"], result["links"])


def test_turned_bodies_and_dynamics_are_filmed():
    world = CollisionWorld()
    place, plank = Transform(0, 0, rotation=0.5), OrientedBoxCollider(1, 0.5)
    world.add(transform=place, collider=plank, velocity=Velocity(1, 0), mass=Mass(1))
    film = Film(world, "")
    world.step_dynamics(1 / 4)
    step = last_step(film)
    assert ("step of dynamics", {"i": [0], "x": [UNIT // 4]}) == (step["label"], step["moved"])
    assert 1 == film.data()["bodies"][0]["parts"][0][7]
    place.rotation = (0.0, 0.0, math.sin(0.5), math.cos(0.5))
    world.step()
    assert [[0, list(place.rotation)]] == [[i, list(turn)] for i, turn in film.data()["steps"][-2]["turned"]]
    world.apply_impulse(1, (1, 0))
    assert "impulse on entity 1" == last_step(film)["label"]


def test_contacts_have_their_normal():
    world = CollisionWorld()
    world.add(transform=Transform(0, 0), collider=box(), contact=Contact(), inertia=Inertia(1))
    world.add(transform=Transform(1, 0), collider=box(), inertia=Inertia(1))
    film = Film(world, "")
    world.step()
    (event,) = last_step(film)["events"]
    assert ("ContactBegan", [1.0, 0.0, 0.0]) == (event["name"], event["normal"])


def test_a_restore_is_a_step_that_takes_everything_back(world):
    film = Film(world, "")
    before = world.snapshot()
    world.move(1, 7)
    world._bodies.of(world._bodies.row(3)).collider.enabled = False
    world.step()
    world.restore(before)
    first, *_, last = states(film.data())
    assert first == last and "restore" == film.data()["steps"][-1]["label"]


def test_an_act_that_raises_says_so_and_a_note_opens_the_page_there():
    def refuse(pusher, pushed, axis, force):
        raise ZeroDivisionError("no")

    world = CollisionWorld(can_push=refuse)
    world.add(transform=Transform(0, 0), collider=box(), motion=Motion(force=2))
    world.add(transform=Transform(1, 0), collider=box(), inertia=Inertia(1))
    film = Film(world, "")
    with pytest.raises(ZeroDivisionError):
        world.move(1, 1)
    assert ["ZeroDivisionError: no"] == last_step(film)["notes"]
    world.step()
    film.note("first")
    world.step()
    film.note("second")
    assert 2 == film.data()["open_at"]


def test_a_film_ends_with_stop(world):
    film = Film(world, "")
    film.stop()
    world.move(1, 7)
    world.step()
    assert "_instrument" not in vars(world)
    assert ["start"] == [step["act"] for step in film.data()["steps"][:1]]


def test_worlds_in_space_are_not_flat():
    world = CollisionWorld()
    world.add(transform=Transform(0, 0, 3), collider=BoxCollider(1, 1, 1))
    assert not Film(world, "").data()["flat"]


@pytest.mark.parametrize("seed", range(8))
def test_a_film_shows_every_body_where_it_is(seed):
    chosen = random.Random(seed)
    world = CollisionWorld()

    def add():
        place = Transform(chosen.randrange(12), chosen.randrange(12))
        more = chosen.choice([{}, {"inertia": Inertia(1)}, {"static": Static()}, {"trigger": Trigger()}])
        if "inertia" in more:
            more |= {"motion": Motion(force=2), "sleeping": Sleeping(after=2)}
        world.add(transform=place, collider=box(chosen.choice([0.25, 0.5, 1.0])), **more)

    for _ in range(12):
        add()
    film, expected = Film(world, ""), []
    for _ in range(60):
        entity = chosen.choice(sorted(world._bodies.row_of))
        collider = world._bodies.of(world._bodies.row(entity)).collider
        by = chosen.choice([-1, 0.5, 2]), chosen.choice([-1, 0, 1])
        kind = chosen.choice(["move", "move", "frame", "teleport", "add", "remove", "switch"])
        if kind == "move" and world._bodies.of(world._bodies.row(entity)).static is None:
            world.move(entity, *by, force=2)
        elif kind == "teleport":
            world.teleport(entity, *by)
        elif kind == "add":
            add()
        elif kind == "remove":
            world.remove(entity)
        elif kind == "switch":
            collider.enabled = not collider.enabled
        world.step()
        bodies = world._bodies
        enabled = {id: row for id, row in bodies.row_of.items() if _is_enabled(bodies.of(row))}
        asleep = {id for id, row in enabled.items() if bodies.has(row, ASLEEP)}
        expected.append(({id: bodies.position(row) for id, row in enabled.items()}, asleep))
    film = film.data()
    frames = [bodies for bodies, step in zip(states(film), film["steps"], strict=True) if step["act"] == "frame"]
    assert expected == [
        (
            {body["id"]: tuple(body["at"]) for body in bodies if body["shown"]},
            {body["id"] for body in bodies if body["shown"] and body["asleep"]},
        )
        for bodies in frames
    ]


def _is_enabled(parts):
    return parts.collider.enabled and (parts.trigger is None or parts.trigger.enabled)
