"""The solver of impulses, fed directly: momentum, energy, closed forms, stacks, restitution, friction, sleep."""

import hashlib
import math
import random
from array import array
from itertools import combinations

import pytest

from ecs_collision.dynamics.islands import Islands
from ecs_collision.dynamics.kept_impulses import KeptImpulses
from ecs_collision.dynamics.soft_step import SLOP, SoftStep
from ecs_collision.dynamics.step_bodies import StepBodies

UNIT, FAR, DT = 65536, 2**30, 1 / 60
NUMBERS = {"restitution": 1, "friction": 1, "rolling": 1, "gravity_scale": 1, "angle": 1}
VECTORS = {"velocity": 3, "angular": 3, "inverse_moment": 3, "damping": 2, "centre": 3, "rotation": 4}


def part(half=(0.0, 0.0, 0.0), radius=0.0, at=(0.0, 0.0, 0.0)):
    return array("d", [*at, *half, radius, *(1.0, 0.0, 0.0), *(0.0, 1.0, 0.0), *(0.0, 0.0, 1.0)])


class Room:
    """Bodies that are stepped with all pairs."""

    def __init__(self, flat=True, gravity=(0.0, -10.0, 0.0), length=1.0, bounds=None):
        self.bodies, self.step_of, self.islands, self.kept = StepBodies(), SoftStep(), Islands(), KeptImpulses()
        self.bodies.begin(flat)
        self.gravity, self.length = gravity, length
        low, high = bounds or ((-FAR,) * 3, (FAR,) * 3)
        self.low, self.high = array("q", [int(each * UNIT) for each in low]), array("q", [int(x * UNIT) for x in high])

    def add(self, place, *parts, mass=1.0, entity=None, **values):
        bodies = self.bodies
        at = bodies.add(
            bodies.count + 1 if entity is None else entity,
            *(round(each * UNIT) for each in (*place, 0.0)[:3]),
            1.0 / mass if mass else 0.0,
        )
        for each in parts:
            bodies.add_part(each, 0)
        for name, value in values.items():
            if name in NUMBERS:
                getattr(bodies, name)[at] = value
            for axis in range(VECTORS.get(name, 0)):
                getattr(bodies, name)[VECTORS[name] * at + axis] = value[axis]
        return at

    def box(self, place, half=(0.5, 0.5, 0.0), turns=True, mass=1.0, **values):
        if turns and mass:
            x, y, z = (each * each for each in half)
            values.setdefault("inverse_moment", tuple(3.0 / (mass * sum_) for sum_ in (y + z, x + z, x + y)))
        return self.add(place, part(half), mass=mass, **{"friction": 0.5, **values})

    def ball(self, place, radius=0.5, turns=True, mass=1.0, **values):
        if turns and mass:
            values.setdefault("inverse_moment", (2.0 / (mass * radius * radius),) * 3)
        return self.add(place, part(radius=radius), mass=mass, **{"friction": 0.5, **values})

    def step(self, frames=1, sleeps=False, substeps=4):
        bodies = self.bodies
        pairs = [
            pair
            for pair in combinations(range(bodies.count), 2)
            if bodies.inverse_mass[pair[0]] or bodies.inverse_mass[pair[1]]
        ]
        first, second = (array("i", [pair[side] for pair in pairs] or [0]) for side in range(2))
        for _ in range(frames):
            self.step_of.step(
                *(bodies, first, second, len(pairs), self.kept, self.low, self.high, DT, *self.gravity),
                substeps,
            )
            if sleeps:
                self.islands.update(bodies, self.step_of.contacts, DT)
            bodies.commit()

    def place(self, at):
        bodies = self.bodies
        return [(bodies.position[3 * at + axis] + bodies.remainder[3 * at + axis]) / UNIT for axis in range(3)]

    def vector(self, name, at):
        return list(getattr(self.bodies, name)[3 * at : 3 * at + 3])

    def energy(self):
        total = 0.0
        for at in range(self.bodies.count):
            inverse = self.bodies.inverse_mass[at]
            if inverse:
                total += 0.5 / inverse * sum(each * each for each in self.vector("velocity", at))
                total -= sum(g * x for g, x in zip(self.gravity, self.place(at), strict=True)) / inverse
                for turn, moment in zip(self.vector("angular", at), self.vector("inverse_moment", at), strict=True):
                    total += 0.5 * turn * turn / moment if moment else 0.0
        return total

    def deepest(self):
        """Return the smallest separation at the beginning of the last step."""
        contacts = self.step_of.contacts
        return min([contacts.points[13 * at + 6] for at in range(contacts.point_count)], default=9.0)

    def state(self):
        bodies = self.bodies
        names = ("position", "remainder", "angle", "rotation", "velocity", "angular")
        widths = (3, 3, 1, 4, 3, 3)
        values = [
            list(getattr(bodies, name)[: width * bodies.count]) for name, width in zip(names, widths, strict=True)
        ]
        return repr((values, self.kept.records()))


def floor(room, **values):
    return room.box((0.0, -1.0), (50.0, 1.0, 0.0 if room.bodies.flat else 50.0), mass=0.0, **values)


def cluster(flat, seed, restitution=0.0):
    """Bodies of all kinds that fly into each other without gravity."""
    room, chance = Room(flat, (0.0, 0.0, 0.0)), random.Random(seed)
    for number in range(9):
        place = (1.3 * (number % 3), 1.3 * (number // 3), 0.0 if flat else chance.uniform(-0.3, 0.3))
        velocity = tuple(chance.uniform(-3, 3) for _ in range(2 if flat else 3)) + ((0.0,) if flat else ())
        values = {"velocity": velocity, "restitution": restitution, "mass": chance.choice((0.5, 1.0, 3.0))}
        if number % 2:
            room.ball(place, 0.4, turns=number > 4, **values)
        else:
            half = (0.5, 0.3, 0.0 if flat else 0.4)
            room.box(place, half, turns=number != 4, **values, **({"angle": number} if flat and number != 4 else {}))
    return room


def momentum(room):
    """Return the momentum and the angular momentum about the origin (about z), of bodies with one moment about z."""
    linear, turning = [0.0, 0.0, 0.0], 0.0
    for at in range(room.bodies.count):
        mass, velocity, place = 1.0 / room.bodies.inverse_mass[at], room.vector("velocity", at), room.place(at)
        linear = [total + mass * each for total, each in zip(linear, velocity, strict=True)]
        turning += mass * (place[0] * velocity[1] - place[1] * velocity[0])
        moment = room.bodies.inverse_moment[3 * at + 2]
        turning += room.bodies.angular[3 * at + 2] / moment if moment else 0.0
    return linear, turning


@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_collisions_in_free_space_keep_momentum_and_add_no_energy(flat, seed):
    room = cluster(flat, seed, restitution=0.5 * (seed % 2))
    room.bodies.place()
    before, turning = momentum(room)
    energy = room.energy()
    hits = 0
    for _ in range(60):
        room.step()
        hits += room.step_of.contacts.count
        assert room.energy() <= energy * (1 + 1e-6)
        energy = room.energy()
    assert hits
    after, turning_after = momentum(room)
    assert after == pytest.approx(before, abs=1e-9)
    if flat:
        assert turning_after == pytest.approx(turning, abs=0.15 * (1 + abs(turning)))


def test_damping_and_gravity_scale_act_on_one_body():
    room = Room()
    slow = room.ball(
        (0.0, 0.0), velocity=(8.0, 0.0, 0.0), angular=(0.0, 0.0, 8.0), damping=(1.0, 2.0), gravity_scale=0.0
    )
    floats = room.ball((0.0, 9.0), gravity_scale=-0.5)
    room.step(60)
    assert room.vector("velocity", slow)[0] == pytest.approx(8 * math.exp(-1), rel=0.01)
    assert room.bodies.angular[3 * slow + 2] == pytest.approx(8 * math.exp(-2), rel=0.02)
    assert room.vector("velocity", floats)[1] == pytest.approx(5.0)


@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize("friction", [0.2, 0.5])
def test_a_box_slides_on_a_slope_or_holds_by_its_friction_I3(flat, friction):
    """A slope of 3 in 4 as gravity that leans; friction 0.75 would hold."""
    for lean in (0.9 * friction, 1.5 * friction):
        room = Room(flat, (10.0 * lean, -10.0, 0.0))
        floor(room, friction=friction)
        box = room.box((0.0, 0.5 + SLOP), (0.5, 0.5, 0.0 if flat else 0.5), friction=friction)
        room.step(60)
        expected = max(0.0, 10.0 * (lean - friction))
        assert room.vector("velocity", box)[0] == pytest.approx(expected, abs=0.02 + 0.02 * expected)


def test_friction_in_space_is_a_cone_and_acts_along_the_motion():
    room = Room(False)
    floor(room)
    box = room.box((0.0, 0.5 + SLOP), (0.5, 0.5, 0.5), turns=False, velocity=(3.0, 0.0, 4.0))
    room.step(30)
    x, _, z = room.vector("velocity", box)
    assert math.hypot(x, z) == pytest.approx(5.0 - 0.5 * 10 * 0.5, rel=0.02)
    assert x / z == pytest.approx(0.75, rel=1e-6)


def test_a_turned_box_that_bounces_flat_does_not_begin_to_turn():
    room = Room()
    floor(room)
    box = room.box((0.0, 2.0), restitution=0.8)
    for _ in range(120):
        room.step()
        assert room.bodies.angular[3 * box + 2] == pytest.approx(0.0, abs=1e-4)


@pytest.mark.parametrize("gap", [0.0, 0.001, 0.03])
@pytest.mark.parametrize("turns", [False, True])
def test_billiards_keep_their_energy_I4(turns, gap):
    room = Room(gravity=(0.0, 0.0, 0.0), bounds=((-10.0, -5.0, -1.0), (10.0, 5.0, 1.0)))
    for row in range(5):
        for number in range(row + 1):
            place = (3 + 0.8661 * row * (0.6 + gap), (number - row / 2) * (0.6 + gap))
            room.ball(place, 0.3, turns, restitution=1.0, friction=0.0)
    room.ball((-5.0, 0.05), 0.3, turns, restitution=1.0, friction=0.0, velocity=(10.0, 0.0, 0.0))
    energy = room.energy()
    for _ in range(600):
        room.step()
        before, energy = energy, room.energy()
        assert 0.98 * 50 <= energy <= before + 0.01  # what touches in the beginning is parted


@pytest.mark.parametrize("flat", [True, False])
def test_a_ball_rolls_without_slip_and_rolling_resistance_stops_it(flat):
    room = Room(flat)
    floor(room)
    free = room.ball((0.0, 0.5 + SLOP), velocity=(3.0, 0.0, 0.0))
    slow = room.ball((5.0, 0.5 + SLOP), velocity=(3.0, 0.0, 0.0), rolling=0.1)
    room.step(180)
    x = room.vector("velocity", free)[0]
    assert x == pytest.approx(2.0, rel=0.02)  # a disc keeps two thirds
    assert room.bodies.angular[3 * free + 2] == pytest.approx(-x / 0.5, rel=1e-2)
    room.step(150)
    assert room.vector("velocity", slow)[0] == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize("scale", [1.0, 64.0])
def test_rolling_resistance_is_a_share_of_the_radius_I1(flat, scale):
    """A torque of rolling * radius * weight slows a disc that rolls by two thirds of rolling * gravity."""
    room = Room(flat, (0.0, -10.0 * scale, 0.0))
    room.box((0.0, -scale), (90 * scale, scale, 0.0 if flat else 90 * scale), mass=0.0)
    speeds = {"velocity": (3.0 * scale, 0.0, 0.0), "angular": (0.0, 0.0, -6.0)}
    ball = room.ball((0.0, (0.5 + SLOP) * scale), 0.5 * scale, rolling=0.1, **speeds)
    room.step(60)
    assert room.vector("velocity", ball)[0] / scale == pytest.approx(3.0 - 0.1 * 10 * 2 / 3, rel=0.01)


def test_a_belt_and_a_turntable_carry_what_lies_on_them_I1():
    room = Room(False)
    floor(room, velocity=(2.0, 0.0, 0.0))
    box = room.box((0.0, 0.5 + SLOP), (0.5, 0.5, 0.5))
    table = Room(False)
    floor(table, angular=(0.0, 1.0, 0.0))
    rider = table.box((1.0, 0.5 + SLOP), (0.5, 0.5, 0.5), friction=1.0)
    room.step(60)
    table.step(30)
    assert room.vector("velocity", box) == pytest.approx([2.0, 0.0, 0.0], abs=0.01)
    assert math.hypot(*table.vector("velocity", rider)) == pytest.approx(1.0, rel=0.1)


@pytest.mark.parametrize("length", [1.0, 64.0])
def test_a_stack_of_boxes_that_turn_stands_and_falls_asleep_I7(length):
    room = Room(gravity=(0.0, -10.0 * length, 0.0), length=length)
    room.box((0.0, -length), (50 * length, length, 0.0), mass=0.0)
    half = (0.5 * length, 0.5 * length, 0.0)
    boxes = [room.box((0.0, (0.6 + 1.1 * level) * length), half) for level in range(10)]
    for _ in range(240):
        room.step(sleeps=True)
        assert room.deepest() >= -0.2 * SLOP * length
        if room.islands.sleeping_count == 10:
            break
    assert room.islands.sleeping_count == 10
    assert room.deepest() > 0.0
    assert all(room.vector("velocity", box) == [0.0, 0.0, 0.0] for box in boxes)
    assert room.place(boxes[-1])[1] / length == pytest.approx(9.5, abs=0.1)


def test_compound_turns_about_its_centre_of_mass():
    room = Room(gravity=(0.0, 0.0, 0.0))
    values = {"centre": (1.0, 0.0, 0.0), "inverse_moment": (0.0, 0.0, 1.0), "angular": (0.0, 0.0, math.pi)}
    body = room.add((0.0, 0.0), part(radius=0.5), part(radius=0.5, at=(2.0, 0.0, 0.0)), **values)
    room.step(60)
    assert room.place(body) == pytest.approx([2.0, 0.0, 0.0], abs=1e-3)


def test_fast_bodies_are_reported():
    room = Room()
    room.ball((0.0, 0.0), velocity=(31.0, 0.0, 0.0))
    room.ball((0.0, 50.0), velocity=(29.0, 0.0, 0.0))
    room.box((0.0, 90.0), (5.0, 0.1, 0.0), angular=(0.0, 0.0, 2.0))
    room.step(sleeps=True)
    assert [0, 2] == [body for body in room.islands.fast_bodies(room.bodies) if body < 3]


def test_a_hit_tells_its_speed_and_impulse_also_if_it_is_over_after_the_step():
    room = Room(gravity=(0.0, 0.0, 0.0))
    floor(room)
    room.ball((0.0, 0.55), mass=2.0, velocity=(0.0, -6.0, 0.0), restitution=0.5)
    room.step()
    contacts = room.step_of.contacts
    assert contacts.count == 1 and not contacts.known[0]
    assert contacts.points[12] == pytest.approx(6.0)
    assert contacts.points[11] == pytest.approx(2.0 * 9.0, rel=0.01)
    assert contacts.points[7] == 0.0 and not room.kept.records()


def test_kept_impulses_go_to_sleep_and_come_back():
    room = pile(90)
    records = room.kept.records()
    assert len(room.kept) == len(records) > 3 and records == sorted(records)
    mark, asleep = room.kept.mark(), KeptImpulses()
    room.kept.move_to(asleep, {3, 4})
    assert asleep.records() == [each for each in records if each[0] in (3, 4) or each[1] in (3, 4)]
    asleep.move_to(room.kept, {3, 4})
    assert records == room.kept.records()
    room.kept.forget({1})
    assert not any(1 in each[:2] for each in room.kept.records())
    room.kept.rollback(mark)
    assert records == room.kept.records()


def pile(frames):
    """Return turned boxes and rolling balls that have fallen on each other."""
    room = Room()
    floor(room)
    for number in range(6):
        place = (0.4 * (number % 2), 0.6 + 1.05 * number)
        room.box(place, angle=0.3 * number) if number % 2 else room.ball(place, rolling=0.05)
    room.step(frames)
    return room


GOLDEN = {True: "b19a25ce098c1b28", False: "99c9d36fb498fdf7"}
"""Digests of the state, by whether the step is flat."""


@pytest.mark.parametrize("flat", [True, False])
def test_results_are_the_same_in_both_forms_and_on_every_machine(flat):
    room = cluster(flat, 7, restitution=0.3)
    room.gravity = (0.5, -10.0, 0.0)
    floor(room)
    room.step(40)
    assert GOLDEN[flat] == hashlib.sha256(room.state().encode()).hexdigest()[:16]
