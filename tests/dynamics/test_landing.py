"""Bodies take their places on the lattice at the end of a step: none overlap that did not before (P9, T11, I5)."""

import itertools
import random
from array import array

import pytest

from ecs_collision.components.turning_parts import TurningPart
from ecs_collision.dynamics.landing import Landing
from ecs_collision.fixed_point import PER_UNIT
from ecs_collision.shapes.bounds import Shape, Solids
from ecs_collision.shapes.overlap import PlacedPart, separation

UNIT = PER_UNIT
BOX, TALL = (
    (-UNIT // 2, -UNIT // 2, -UNIT // 2, UNIT // 2, UNIT // 2, UNIT // 2),
    TurningPart((9000, 20000, 32768), 0, (0, 0, 0)),
)
BALL = TurningPart((0, 0, 0), 20000, (0, 0, 0))
HAMMER = [TurningPart((0, 20000, 0), 6000, (0, 0, 0)), TurningPart((12000, 5000, 32768), 0, (0, 20000, 0))]
KINDS = {"upright boxes": [[BOX]], "balls": [[BALL]], "boxes": [[TALL]], "all": [[BOX], [BALL], [TALL], HAMMER]}


class Body:
    def __init__(self, solids, place, rotation=None, weight=1.0):
        self.solids, self.weight = solids, weight
        self.old = self.new = (tuple(place), rotation)

    def pose(self, pose):
        form = Solids(tuple(self.solids)).form_of(pose[1])
        return (
            pose[0],
            form.shape or Shape(form.all_parts),
            [f(faces[k] for faces in form.boxes) for k, f in enumerate([min] * 3 + [max] * 3)],
        )


def overlapping(one, other):
    """Return whether bodies overlap, each a position and a shape."""
    a, b = PlacedPart(), PlacedPart()
    for p, q in itertools.product(range(len(one[1].parts)), range(len(other[1].parts))):
        a.set_part(one[1], p, *one[0])
        b.set_part(other[1], q, *other[0])
        if separation(a, b) == 0:
            return True
    return False


def seen(poses):
    return [(place, shape.parts) for place, shape, *_ in poses]


def land(bodies, low=-100, high=100):
    """Return where the bodies are after the step, and which of them had to stay."""
    landing = Landing()
    landing.set_range((int(low * UNIT),) * 3, (int(high * UNIT),) * 3)
    landing.reserve(len(bodies))
    for at, body in enumerate(bodies):
        for pose, position, shapes, bounds in (
            (body.old, landing.old_position, landing.old_shapes, landing.old_bounds),
            (body.new, landing.position, landing.shapes, landing.bounds),
        ):
            place, shape, faces = body.pose(pose)
            position[3 * at : 3 * at + 3], bounds[6 * at : 6 * at + 6] = array("q", place), array("q", faces)
            shapes.append(shape)
        landing.weight[at], landing.size[at], landing.flat[at] = body.weight, 32000.0, 1
    pairs = list(itertools.combinations(range(len(bodies)), 2))
    count = landing.land(len(bodies), *(array("i", each) for each in zip(*pairs, strict=True)), len(pairs))
    held = [at for at in range(len(bodies)) if landing.held[at]]
    assert len(held) == count
    return [(tuple(landing.position[3 * at : 3 * at + 3]), landing.shapes[at]) for at in range(len(bodies))], held


def pile(kind, seed):
    """Return bodies that do not overlap, of which some do after the step; the first is immovable."""
    rng = random.Random(f"{kind}{seed}")
    bodies = [Body([(-9 * UNIT, -UNIT, -UNIT, 9 * UNIT, UNIT, UNIT)], (0, -2 * UNIT, 0), weight=0.0)]
    for _ in range(200):
        place = (rng.randint(-2 * UNIT, 2 * UNIT), rng.randint(-UNIT // 2, 3 * UNIT), 0)
        body = Body(rng.choice(KINDS[kind]), place, rng.uniform(-4, 4), rng.choice([0.5, 1.0, 4.0]))
        if not any(overlapping(body.pose(body.old), each.pose(each.old)) for each in bodies):
            bodies.append(body)
    far, turn = rng.choice([(30, 1e-4), (600, 0.01), (9000, 0.3)])
    for body in bodies[1:]:
        place, rotation = body.old
        body.new = (
            (place[0] + rng.randint(-far, far), place[1] - rng.randint(-far, 3 * far), 0),
            rotation + rng.uniform(-turn, turn),
        )
    return bodies


@pytest.mark.parametrize("kind", KINDS)
def test_bodies_that_are_driven_into_each_other_do_not_overlap_P9(kind):
    pushed = stayed = 0
    for seed in range(8):
        bodies = pile(kind, seed)
        places, held = land(bodies)
        assert not any(overlapping(a, b) for a, b in itertools.combinations(places, 2))
        assert places[0][0] == bodies[0].old[0]
        assert all(seen([places[at]]) == seen([bodies[at].pose(bodies[at].old)]) for at in held)
        stayed += len(held)
        pushed += sum(place[0] != body.new[0] for place, body in zip(places, bodies, strict=True)) - len(held)
    assert pushed > 0
    assert stayed > 0


def test_bodies_that_do_not_overlap_are_where_the_step_moved_them():
    bodies = [Body([TALL], (2 * at * UNIT, 0, 0), 0.0) for at in range(5)]
    for at, body in enumerate(bodies):
        body.new = (body.old[0][0] + at, 7, 0), 0.3
    places, held = land(bodies)
    assert (seen(body.pose(body.new) for body in bodies), []) == (seen(places), held)


def test_two_bodies_share_the_way_by_their_masses():
    a, b = Body([BOX], (0, 0, 0), weight=3.0), Body([BOX], (2 * UNIT, 0, 0), weight=1.0)
    a.new, b.new = ((UNIT // 2 + 100, 0, 0), None), ((UNIT + UNIT // 2 - 300, 5, 0), None)
    places, held = land([a, b])
    assert ([(UNIT // 2 - 201, 0, 0), (UNIT + UNIT // 2 - 199, 5, 0)], []) == ([place for place, _ in places], held)


def test_bodies_that_may_have_passed_each_other_stay():
    a, b, c = Body([BOX], (0, 0, 0)), Body([BOX], (2 * UNIT, 0, 0), weight=0.0), Body([BOX], (0, UNIT, 0))
    a.new, c.new = ((2 * UNIT + UNIT // 4, 0, 0), None), ((0, UNIT // 2, 0), None)
    places, held = land([a, b, c])
    assert ([(0, 0, 0), (2 * UNIT, 0, 0), (0, UNIT, 0)], [0, 2]) == ([place for place, _ in places], held)


def test_bodies_that_overlapped_before_go_where_the_step_moved_them_P9():
    a, b = Body([BOX], (0, 0, 0)), Body([BOX], (UNIT // 2, 0, 0))
    a.new = (5, 0, 0), None
    places, held = land([a, b])
    assert ([(5, 0, 0), (UNIT // 2, 0, 0)], []) == ([place for place, _ in places], held)


@pytest.mark.parametrize(("before", "after"), [(0, 3 * UNIT + UNIT // 2), (4 * UNIT, 5 * UNIT)])
def test_bodies_do_not_leave_the_bounds_unless_they_were_out(before, after):
    body = Body([BOX], (before, 0, 0))
    body.new = (5 * UNIT, -5 * UNIT, 0), None
    places, _ = land([body, Body([BALL], (0, 2 * UNIT, 0))], low=-4, high=4)
    assert (after, -3 * UNIT - UNIT // 2, 0) == places[0][0]


def test_bodies_do_not_leave_the_index_even_if_they_were_out_of_the_bounds_I5():
    body = Body([BOX], (4 * UNIT, 0, 0))
    body.new = (2**40, 0, 0), None
    places, _ = land([body, Body([BALL], (0, 2 * UNIT, 0))], low=-4, high=4)
    assert (2**36 - 1 - UNIT // 2, 0, 0) == places[0][0]


def test_pushing_out_of_the_bounds_is_no_way():
    a, b = Body([BOX], (0, 0, 0)), Body([BOX], (UNIT, 0, 0))
    a.new, b.new = ((40, 0, 0), None), ((UNIT, 0, 0), None)
    landed, held = land([Body([BOX], (-UNIT, 0, 0)), a, b], low=-1.5, high=1.5)
    assert [-UNIT, 0, UNIT] == [place[0] for place, _ in landed]
    assert held in ([], [1, 2])


@pytest.mark.parametrize("kind", ["balls", "boxes"])
def test_bodies_that_are_pushed_apart_do_not_have_to_stay(kind):
    for angle in range(1, 12):
        a, b = (Body(KINDS[kind][0], (x * UNIT, 0, 0), 0.5 * angle + x) for x in (0, 2))
        if kind == "boxes":
            a.solids = b.solids = [TurningPart((20000, 20000, 32768), 0, (0, 0, 0))]
        b.new = b.old
        for step in (2000, 20):
            (x, y, z), rotation = b.new
            b.new = (x + 2000, y - 300, z), rotation
            while not overlapping(a.pose(a.new), b.pose(b.new)):
                (x, y, z), rotation = b.new
                b.new = (x - step, y + 3 * step // 20, z), rotation
        places, held = land([a, b])
        assert not overlapping(*places)
        assert [] == held
        assert max(abs(p - q) for p, q in zip(places[0][0], a.new[0], strict=True)) <= 15
