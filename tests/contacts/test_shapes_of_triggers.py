"""Triggers report who is inside by the true shapes, through frames of all sorts of changes (H3 to H5, T1 to T6)."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from boards import trials
from query_oracle import Body, group_of
from query_scenes import ShapedScene, in_world
from shape_oracle import agrees, meeting

from ecs_collision import (
    Box,
    CapsuleCollider,
    CollisionWorld,
    CompoundCollider,
    OrientedBoxCollider,
    Sphere,
    SphereCollider,
    Static,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
)
from tests.model.shapes import Given, any_of, shape_of, shapes_overlap

pytestmark = pytest.mark.filterwarnings("ignore:.*rotation:ecs_collision.SetupWarning")


class TriggerScene(ShapedScene):
    """A world of shapes of which many are triggers, and whose bodies come and go."""

    trigger_share = 0.4

    def _trigger(self) -> Trigger:
        dice = self.dice
        mask = dice.choice([None, None, ["a"], ["a", "b"], ["b", "c"]])
        return Trigger(mask=mask, touching=dice.random() < 0.4, statics=dice.random() < 0.4)

    def frame(self) -> None:
        """Change some things and let a frame pass."""
        for _ in range(self.dice.choice([1, 1, 2, 3])):
            self._change_something()
        self.__dict__.pop("bodies", None)
        self.world.step()
        self.__dict__.pop("bodies", None)

    def _change_something(self) -> None:
        dice, chance = self.dice, self.dice.random()
        needed = {known.rest["fused"].to for known in self.known.values() if "fused" in known.rest}
        free = [entity for entity in self.known if entity not in needed]
        triggers = [known.rest["trigger"] for known in self.known.values() if "trigger" in known.rest]
        if chance < 0.1 and len(self.known) > 3 and free:
            entity = dice.choice(free)
            self.world.remove(entity)
            del self.known[entity]
        elif chance < 0.2:
            self._add(max(self.known) + 3)
        elif chance < 0.3 and triggers:
            trigger = dice.choice(triggers)
            name = dice.choice(["enabled", "touching", "statics"])
            setattr(trigger, name, not getattr(trigger, name))
        elif chance < 0.4:
            self._reshape(dice.choice(list(self.known)))
        elif chance < 0.5:
            known = dice.choice(list(self.known.values()))  # to a place where centres or corners coincide
            x, y, z = dice.choice(self.bodies).position
            known.transform.position = in_world((x + self._step()[0], y, z))
        else:
            self.change()
        self.__dict__.pop("bodies", None)

    def _reshape(self, entity: int) -> None:
        """Write a field of a collider."""
        known = self.known[entity]
        part = known.given[0]
        if isinstance(known.collider, SphereCollider):
            radius = self.dice.choice([0.5, 1.0, 2.5])
            known.collider.radius = radius
            known.given = (Given("sphere", radius=radius, offset=part.offset),)
        elif isinstance(known.collider, CompoundCollider):
            known.collider.parts = (Sphere(1.5), Box(0.5, 0.5, offset=(1.0, 0.0, 0.0)))
            known.given = (
                Given("sphere", radius=1.5),
                Given("box", (0.5, 0.5, 0.5), offset=(1.0, 0.0, 0.0)),
            )

    def expected(self, trigger: Body) -> dict[int, bool | None]:
        """Return who is inside a trigger: by name, whether it is, None if too close to call (T2, T6, E9)."""
        settings, found = self.known[trigger.entity].rest["trigger"], dict[int, list[bool | None]]()
        own = group_of(self.bodies, trigger.entity)
        for body in self.bodies if trigger.enabled else ():
            reports = not body.trigger if settings.mask is None else body.layer in settings.mask
            static = "static" in self.known[body.entity].rest and not settings.statics
            if body.enabled and reports and not static and body.entity not in own:
                answer = shapes_overlap(body.parts, trigger.parts, settings.touching)
                found.setdefault(body.entity if body.trigger else self.root_of(body), []).append(answer)
        return {name: any_of(answers) for name, answers in found.items()}

    def root_of(self, body: Body) -> int:
        """Return the member of the group of a body that is fused to none of the others."""
        group = group_of(self.bodies, body.entity)
        return next(other for other in group if self.body(other).fused not in group)


@pytest.mark.parametrize("frames", [trials(600), pytest.param(60_000, marks=pytest.mark.soak)])
def test_triggers_contain_what_overlaps_them_after_every_frame_H5_T1_T2(frames: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(frames):
        if number % 30 == 0:
            scene, inside = TriggerScene(number // 30), set[tuple[int, int]]()
        scene.frame()
        for event in scene.world.events:
            if isinstance(event, TriggerEntered):
                assert (event.trigger, event.other) not in inside, (scene.seed, number, event)
                inside.add((event.trigger, event.other))
            elif isinstance(event, TriggerLeft):
                assert (event.trigger, event.other) in inside, (scene.seed, number, event)
                inside.remove((event.trigger, event.other))
                seen[event.reason.name] += 1
        found = {body.entity: scene.world.inside(body.entity) for body in scene.bodies if body.trigger}
        assert inside == {(trigger, other) for trigger, others in found.items() for other in others}, scene.seed
        for trigger, others in found.items():
            expected = scene.expected(scene.body(trigger))
            wrong = {name: answer for name, answer in expected.items() if not agrees(name in others, answer)}
            assert ({}, set()) == (wrong, {*others} - expected.keys()), (scene.seed, number, trigger)
            seen["too close to call"] += None in expected.values()
        seen["inside"] += len(inside)
    assert frames < 500 or min(seen[name] for name in ("inside", "MOVED", "DELETED", "DISABLED")) > 10, seen


@pytest.mark.parametrize("passes", [trials(300), pytest.param(30_000, marks=pytest.mark.soak)])
def test_a_swept_trigger_reports_who_passes_through_its_true_shape_T4_H5(passes: int) -> None:
    """One part moves along an axis past another: it crosses the trigger if it meets it on the way."""
    seen: Counter[str] = Counter()
    scene = ShapedScene(2)
    for number in range(passes):
        dice, world = scene.dice, CollisionWorld()
        scene.coarse = number % 2 == 0
        zone, runner = scene._part(), scene._part()
        turns = [scene._rotation() for _ in range(2)]
        place, axis, sign = scene._place(3), dice.randrange(2), dice.choice([-1, 1])
        steps, apart = [0, 0, 0], [scene._number(3) for _ in "xyz"]
        apart[axis] = -sign * abs(scene._number(6))
        apart[2] = 0 if scene.flat else apart[2]
        start = (place[0] + apart[0], place[1] + apart[1], place[2] + apart[2])
        steps[axis] = sign * abs(scene._number(12))
        colliders = [scene._collider([part]) for part in (zone, runner)]
        world.add(transform=Transform(*in_world(place), rotation=turns[0]), collider=colliders[0],
                        trigger=Trigger(swept=True))  # fmt: skip
        two = world.add(transform=Transform(*in_world(start), rotation=turns[1]), collider=colliders[1])
        world.step()
        world.move(two, *in_world((steps[0], steps[1], steps[2])), force=1.0)
        world.step()
        found = [type(event) for event in world.events if isinstance(event, TriggerEntered | TriggerLeft)]
        fixed, moving = shape_of(zone, turns[0]).at(place), shape_of(runner, turns[1]).at(start)
        before, after = (
            shapes_overlap([fixed], [shape]) for shape in (moving, moving.at((steps[0], steps[1], steps[2])))
        )
        met = meeting([moving], Body(1, place, (), parts=(fixed,)), (steps[0], steps[1], steps[2]))
        if None in (before, after) or (
            met is not None and (met.last is None or (met.last != met.first and met.last >= 1))
        ):
            seen["too close to call"] += 1
            continue
        crosses = met is not None and met.first < 1
        expected = {
            (True, True): [], (True, False): [TriggerLeft], (False, True): [TriggerEntered],
            (False, False): [TriggerEntered, TriggerLeft] if crosses else [],
        }[bool(before), bool(after)]  # fmt: skip
        assert expected == found, (number, zone, runner, turns, place, start, steps)
        seen[f"{len(expected)} events"] += 1
    assert passes < 300 or min(seen[f"{count} events"] for count in range(3)) > 10, seen


# By hand.


def inside(world: CollisionWorld, zone: int) -> list[int]:
    """Return who is inside after a frame."""
    world.step()
    return world.inside(zone)


def test_a_sphere_enters_a_round_trigger_when_it_is_closer_than_the_radii_H5_T2() -> None:
    world = CollisionWorld()
    zone = world.add(transform=Transform(0, 0), collider=SphereCollider(2), trigger=Trigger())
    wide = world.add(transform=Transform(0, 0), collider=SphereCollider(2), trigger=Trigger(touching=True))
    place = Transform(3, 4)
    ball = world.add(transform=place, collider=SphereCollider(3))
    assert ([], [ball]) == (inside(world, zone), world.inside(wide)), "at a distance of 5 they touch"
    place.x -= 2**-16
    assert ([ball], [ball]) == (inside(world, zone), world.inside(wide))
    place.position = (3 + 2**-16, 4)
    assert ([], []) == (inside(world, zone), world.inside(wide))


def test_a_rotation_takes_a_capsule_into_a_trigger_and_out_of_it_H3_T1() -> None:
    world = CollisionWorld()
    zone = world.add(transform=Transform(0, 2.5), collider=SphereCollider(0.5), trigger=Trigger())
    place = Transform(0, 0)
    body = world.add(transform=place, collider=CapsuleCollider(0.5, 2.5, axis="x"))
    assert [] == inside(world, zone)
    place.rotation = math.pi / 2
    assert [body] == inside(world, zone)
    place.rotation = math.pi / 4
    assert [] == inside(world, zone), "only the bounds overlap"
    place.rotation = (0, 0, 1, 1)
    assert [body] == inside(world, zone)
    place.rotation = None
    assert [] == inside(world, zone)


def test_a_trigger_that_turns_reports_static_things_at_its_corner_H4_T6() -> None:
    world = CollisionWorld()
    turn = Transform(0, 0)
    zone = world.add(transform=turn, collider=OrientedBoxCollider(1, 1), trigger=Trigger(statics=True))
    wall = world.add(transform=Transform(1.25, 0), collider=SphereCollider(0.125), static=Static())
    assert [] == inside(world, zone)
    turn.rotation = math.pi / 4
    assert [wall] == inside(world, zone)


def test_a_sphere_is_stopped_by_its_bounds_and_reported_by_its_shape_H4_P2() -> None:
    """
    The sphere S stops where its bounds meet those of the ball B, and does not come close enough to be in the trigger T.
    """
    world = CollisionWorld()
    zone = world.add(transform=Transform(4, 2), collider=SphereCollider(1), trigger=Trigger(touching=True))
    world.add(transform=Transform(6, 1.5), collider=SphereCollider(1), static=Static())
    ball = world.add(transform=Transform(0, 0), collider=SphereCollider(1))
    assert 4.0 == world.move(ball, 9, force=1.0).moved[0], "the bounds meet at x 5"
    assert [ball] == inside(world, zone), "one unit of each: they touch above each other"
    world.teleport(ball, 4 - 2**-16, 0)
    assert [] == inside(world, zone)
