"""When a ray enters round and turned parts (rule H6)."""

import math
from fractions import Fraction

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from placed_parts import parts, placed, places, rounds

from ecs_collision.shapes.bounds import part_of
from ecs_collision.shapes.part import Part
from ecs_collision.shapes.ray_entry import INSIDE, exact_entry, normal_at, rounded_time, turned_entry
from ecs_collision.shapes.rotation import matrix_of
from ecs_collision.shapes.round_parts import round_entry as entry_of_part
from ecs_collision.shapes.round_parts import touch

UNIT = 65536
SMALL = st.integers(-8, 8)
TRIPLES = st.tuples(SMALL, SMALL, SMALL)
SIDES = st.tuples(*[st.integers(0, 6)] * 3)
EIGHTH = matrix_of(math.pi / 4)


def round_entry(origin, direction, core, radius, limit=math.inf):
    return entry_of_part(placed(Part((*origin, *origin))), *direction, placed(Part(core, radius)), limit)


@example((2, -62, 61), (77, -1, -1000), (0, 6, 1), (4, 2, 1), 6, 1, 2**42, 0.0)
@example((-17, 76, 23), (-1, -1000, -1), (6, 6, 1), (2, 4, 0), 5, 1, 2**42, 2.0**43)
@given(
    starts=st.tuples(*[st.integers(-90, 90)] * 3),
    direction=st.tuples(*[st.sampled_from([0, 1, -1, 30, 77, -1000])] * 3),
    sides=SIDES,
    own_sides=SIDES,
    radius=st.integers(0, 6),
    scale=st.sampled_from([1, 30, 2**12, 2**40]),
    far=st.sampled_from([0, 1, 2**20, 2**42]),
    limit=st.floats(0.0, 30.0) | st.just(2.0**20),
)
def test_float64_never_decides_which_face_edge_or_corner_is_met_H8(
    starts, direction, sides, own_sides, radius, scale, far, limit
):
    """The quick way gives what fractions give, to the bit, also from far away; or nothing if that is beyond a limit."""
    core, other = ((*(-scale * side for side in each), *(scale * side for side in each)) for each in (own_sides, sides))
    steps, place = (
        [scale * step for step in direction],
        [scale * start // 3 - far // scale * scale * step for start, step in zip(starts, direction, strict=True)],
    )
    mover = placed(Part(core, scale), place)
    halves = [2 * scale * (a + b) for a, b in zip(sides, own_sides, strict=True)]
    expected = exact_entry([2 * at for at in place], [2 * step for step in steps], halves, 2 * scale * (radius + 1))
    assert expected == entry_of_part(mover, *steps, placed(Part(other, scale * radius)), math.inf)
    early = entry_of_part(mover, *steps, placed(Part(other, scale * radius)), limit)
    assert early == expected or (early is None and Fraction(*expected) > limit)


@example((-149867653, -88945898, 0), (11397, -6412, 0), 12761)
@given(
    origin=st.tuples(*[st.integers(-(2**28), 2**28)] * 3),
    aside=st.tuples(*[st.integers(-(2**14), 2**14)] * 3),
    radius=st.integers(1, 2**14),
)
def test_a_small_ball_is_met_far_away_when_fractions_say_H6(origin, aside, radius):
    direction = tuple(to - start for to, start in zip(aside, origin, strict=True))
    expected = exact_entry([2 * at for at in origin], [2 * step for step in direction], [0, 0, 0], 2 * radius)
    assert expected == round_entry(origin, direction, (0,) * 6, radius)


@given(origin=TRIPLES, direction=TRIPLES, sides=SIDES, radius=st.integers(1, 6), shift=places(2**40))
def test_entries_do_not_depend_on_the_place_in_the_world(origin, direction, sides, radius, shift):
    core = (0, 0, 0, *sides)
    moved = tuple(face + step for face, step in zip(core, shift + shift, strict=True))
    there = tuple(map(int.__add__, origin, shift))
    assert round_entry(origin, direction, core, radius) == round_entry(there, direction, moved, radius)


CASES = [
    pytest.param((-10, 0, 0), (1, 0, 0), (0,) * 6, 5, (5, 1), id="head-on"),
    pytest.param((-10, 0, 0), (10, 0, 0), (0,) * 6, 5, (1, 2), id="half-of-the-direction"),
    pytest.param((-10, 3, 0), (1, 0, 0), (0,) * 6, 5, (6, 1), id="three-four-five"),
    pytest.param((-10, 5, 0), (1, 0, 0), (0,) * 6, 5, None, id="touching-at-a-point"),
    pytest.param((-10, 5, 0), (1, 0, 0), (-3, 0, 0, 3, 0, 0), 5, None, id="along-the-side-of-a-capsule"),
    pytest.param((-10, 4, 0), (1, 0, 0), (-3, 0, 0, 3, 0, 0), 5, (4, 1), id="into-the-end-of-a-capsule"),
    pytest.param((1, 9, 0), (0, -1, 0), (-3, 0, 0, 3, 0, 0), 5, (4, 1), id="into-the-side-of-a-capsule"),
    pytest.param((-10, 0, 0), (-1, 0, 0), (0,) * 6, 5, None, id="away"),
    pytest.param((0, 4, 0), (1, 0, 0), (0,) * 6, 5, INSIDE, id="inside"),
    pytest.param((0, 4, 0), (0, 0, 0), (0,) * 6, 5, INSIDE, id="a-point-inside"),
    pytest.param((0, 5, 0), (0, 0, 0), (0,) * 6, 5, None, id="a-point-on-the-surface"),
    pytest.param((-3, 4, 0), (1, 0, 0), (0,) * 6, 5, (0, 1), id="from-the-surface-inward"),
    pytest.param((-3, 4, 0), (-1, 0, 0), (0,) * 6, 5, None, id="from-the-surface-outward"),
    pytest.param((-3, 4, 0), (4, 3, 0), (0,) * 6, 5, None, id="from-the-surface-along-it"),
]


@pytest.mark.parametrize("origin, direction, core, radius, expected", CASES)
def test_cases_of_entry(origin, direction, core, radius, expected):
    entry = round_entry(origin, direction, core, radius)
    if expected in (None, INSIDE):
        assert expected == entry
    else:
        assert Fraction(*expected) == Fraction(*entry)


def test_an_irrational_time_is_rounded_down():
    when, step = round_entry((-10, 1, 0), (1, 0, 0), (0,) * 6, 5)  # 10 - sqrt(24) = 5.1
    assert step == 1 << 56
    assert (when - (10 << 56)) ** 2 >= 24 << 112 > (when + 1 - (10 << 56)) ** 2
    quick = round_entry((-200, 1, 0), (1, 0, 0), (0,) * 6, 2)  # 200 - sqrt(3): the root itself rounds up
    for when, step in (quick, exact_entry([-200, 1, 0], [1, 0, 0], [0, 0, 0], 2)):
        assert step == 1 << 51
        assert (when - (200 << 51)) ** 2 >= 3 << 102 > (when + 1 - (200 << 51)) ** 2
    for when, step in (round_entry((-2, 1, 0), (1, 0, 0), (0,) * 6, 2), exact_entry([-2, 1, 0], [1, 0, 0], [0] * 3, 2)):
        assert step == 1 << 59
        assert (when - (2 << 59)) ** 2 >= 3 << 118 > (when + 1 - (2 << 59)) ** 2


def test_the_farthest_ray_has_a_fraction_of_sixty_bits():
    when, step = round_entry((-(2**52), 0, 0), (1, 0, 0), (2**52, 0, 0, 2**52, 0, 0), 1)
    assert (2**53 - 1 << 6, 1 << 6) == (when, step)
    when, step = round_entry((-(2**52), 0, 0), (2**54, 0, 0), (2**52, 0, 0, 2**52, 0, 0), 1)
    assert step == 1 << 59
    assert 2**58 - 32 == when


@given(part=rounds(st.just(0.0)), place=places(), origin=places(), direction=TRIPLES)
def test_float_and_whole_numbers_agree(part, place, origin, direction):
    there = placed(part, place)
    core = (there.lox, there.loy, there.loz, there.hix, there.hiy, there.hiz)
    exact, found = round_entry(origin, direction, core, part.radius), turned_entry(origin, direction, there)
    if exact in (None, INSIDE):
        assert exact == found
    else:
        assert float(Fraction(*exact)) == pytest.approx(float(Fraction(*found)), rel=1e-9, abs=1e-9)


def test_a_ray_enters_a_diamond_through_one_of_its_faces():
    diamond = placed(part_of((UNIT, UNIT, UNIT), 0, (0.0, 0.0, 0.0), EIGHTH))
    origin, direction = (-3 * UNIT, 1000, 0), (UNIT, 0, 0)
    entry = turned_entry(origin, direction, diamond)
    assert 3 - math.sqrt(2) + 1000 / UNIT == pytest.approx(entry[0] / entry[1])
    half = math.sqrt(0.5)
    assert (-half, half, 0.0) == pytest.approx(normal_at(origin, direction, diamond, entry))
    assert INSIDE == turned_entry((0, 1000, 0), direction, diamond)
    assert turned_entry((3 * UNIT, 1000, 0), direction, diamond) is None
    assert turned_entry((-3 * UNIT, 0, UNIT), direction, diamond) is None  # along a face


def test_a_ray_crosses_a_turned_plate_without_thickness():
    plate = placed(part_of((UNIT, 0, UNIT), 0, (0.0, 0.0, 0.0), EIGHTH))
    entry = turned_entry((-UNIT, 0, 0), (UNIT, 0, 0), plate)
    assert 1.0 == pytest.approx(entry[0] / entry[1])
    assert turned_entry((-UNIT, 0, UNIT), (UNIT, 0, 0), plate) is None


@pytest.mark.parametrize(
    "part, origin, direction, normal",
    [
        (Part((0, 0, 0, 0, 0, 0), 5), (-10, 3, 0), (1, 0, 0), (-0.8, 0.6, 0.0)),
        (Part((-3, 0, 0, 3, 0, 0), 5), (1, 9, 0), (0, -1, 0), (0.0, 1.0, 0.0)),
        (Part((-3, 0, 0, 3, 0, 0), 5), (-10, 4, 0), (1, 0, 0), (-0.6, 0.8, 0.0)),
        (Part((0, 0, 0, 0, 0, 0), 5), (-3, 4, 0), (1, 0, 0), (-0.6, 0.8, 0.0)),
        (Part((0, 0, 0, 0, 0, 0), 5), (0, 4, 0), (1, 0, 0), (0.0, 0.0, 0.0)),
    ],
)
def test_normals_of_round_parts_come_from_the_core(part, origin, direction, normal):
    entry = round_entry(origin, direction, part.core, part.radius)
    found, point = touch(placed(Part((*origin, *origin))), *direction, placed(part), *entry, entry == INSIDE)
    assert normal == pytest.approx(found)
    there = [at + entry[0] / entry[1] * step for at, step in zip(origin, direction, strict=True)]
    assert entry == INSIDE or there == pytest.approx([UNIT * at for at in point])


@example(0, 1, 2**58 + 2**5, 2**59)  # half way between two floats, and then just beyond it
@example(0, 2**53 - 1, 2**58 + 2**5 + 1, 2**59)
@example(3 * 2**40 + 1, 2**50 + 1, 1, 3)
@given(
    place=st.integers(-(2**52), 2**52),
    way=st.integers(-(2**53), 2**53),
    when=st.integers(0, 2**59),
    step=st.integers(0, 59).map(lambda bits: 1 << bits) | st.integers(1, 2**54),
)
def test_points_of_touch_are_rounded_once_H8(place, way, when, step):
    assume(when <= step)
    wide = (-(2**54),) * 3 + (2**54,) * 3
    point = touch(placed(Part((place, 0, 0) * 2)), way, 0, 0, placed(Part(wide)), when, step, False)[1]
    assert (place * step + way * when) / step == UNIT * point[0]


@given(part=parts(), place=places(), origin=places(), aim=TRIPLES)
def test_normals_have_length_one_and_face_the_ray(part, place, origin, aim):
    direction = tuple(at + 1000 * step - start for at, step, start in zip(place, aim, origin, strict=True))
    there = placed(part, place)
    entry = turned_entry(origin, direction, there)
    assume(entry is not None and entry != INSIDE)
    normal = normal_at(origin, direction, there, entry)
    assert 1.0 == pytest.approx(math.hypot(*normal))
    assert sum(n * d for n, d in zip(normal, direction, strict=True)) <= 1e-3


def test_times_beyond_every_distance_are_none():
    assert rounded_time(2.0**59) is None
    assert rounded_time(math.inf) is None
    assert (5 << 56, 1 << 56) == rounded_time(5.0)
