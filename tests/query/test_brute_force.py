"""Queries against brute force, in worlds of boxes and of all shapes (rules B7, C5, L4, Q1 to Q7, H1 to H9)."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple
from typing import Any

import numpy
import pytest
from boards import trials
from query_oracle import (
    UNIT,
    Body,
    Entry,
    agrees,
    box_shape,
    distance_range,
    entries,
    faults_of_cast,
    faults_of_contact,
    faults_of_nearest,
    faults_of_rays,
    group_of,
    in_frustum,
    included,
    inside_circle,
    is_exact,
    is_free,
    lattice,
    overlapping,
    point_of,
    steps_of,
    touching,
    touching_on,
    wrong_answers,
)
from query_scenes import Scene, ShapedScene, around, assert_all_seen, in_world, scenes, shaped_scenes

from tests.model.shapes import Shape, shapes_overlap

pytestmark = pytest.mark.filterwarnings("ignore:.*rotation:ecs_collision.SetupWarning")

INF = math.inf
ALL = 10**6
LONG = [pytest.param(kind, 200_000, marks=pytest.mark.soak) for kind in (scenes, shaped_scenes)]
in_random_worlds = pytest.mark.parametrize(
    ("worlds", "queries"),
    [pytest.param(scenes, trials(800), id="boxes"), pytest.param(shaped_scenes, trials(300), id="all shapes"), *LONG],
)
Worlds = Callable[..., Iterator[Scene]]


def asked(scene: Scene, given: Any, **filters: Any) -> list[Body]:
    """Return the bodies that a query includes that is given a place or an entity."""
    return included(scene.bodies, asking=scene.asking(given), **filters)


@in_random_worlds
def test_rays_equal_those_of_brute_force_B7_H6_Q1_Q2_Q6(worlds: Worlds, queries: int) -> None:
    seen: Counter[str] = Counter()
    for scene in worlds(queries):
        space, given, filters = scene.world.space, scene.place(), scene.filter()
        origin = scene.units(given)
        direction = scene.direction(in_world(origin)[: 2 if scene.flat else 3])
        steps, clue = steps_of(direction), (scene.seed, given, direction, filters)
        expected = entries(asked(scene, given, **filters), origin, steps)
        found = space.ray_all(given, direction, **filters)
        assert [] == faults_of_rays([astuple(hit) for hit in found], expected, origin, steps), clue
        limit = scene.limit([hit.distance for hit in found])
        near = [hit for hit in found if hit.distance <= limit]
        assert near == space.ray_all(given, direction, limit, **filters), (limit, *clue)
        assert (near[0] if near else None) == space.ray(given, direction, limit, **filters), (limit, *clue)
        assert (found[0] if found else None) == space.ray(given, direction, **filters), clue
        _count_entries(seen, scene, expected.values(), len(found))
        if isinstance(scene, ShapedScene):
            seen["a miss of a shape whose bounds are hit"] += len(entries_of_bounds(scene, origin, steps)) > len(found)
        seen["a tie"] += any(a.distance == b.distance > 0 for a, b in itertools.pairwise(found))
        seen["a point"] += not any(steps) and bool(found)
        seen["from an entity"] += isinstance(given, int) and bool(found)
        seen["at the limit"] += limit > 0 and any(hit.distance == limit for hit in found)
    assert_all_seen(seen, queries, 5)


def entries_of_bounds(scene: Scene, origin: Any, steps: Any) -> list[int]:
    """Return the bodies whose bounds a ray enters."""
    bodies = [Body(body.entity, body.position, (), parts=tuple(map(box_shape, body.boxes))) for body in scene.bodies]
    return list(entries(bodies, origin, steps))


def _count_entries(seen: Counter[str], scene: Scene, expected: Iterable[Entry], found: int) -> None:
    """Count what kinds of entries there were."""
    seen["miss"] += not found
    for entry in expected:
        kinds = {("round" if part.radius else "flat", part.rows is not None) for part, _ in entry.parts}
        seen["inside or on a face"] += entry.first == 0
        if isinstance(scene, ShapedScene):
            seen["round"] += ("round", False) in kinds and entry.first > 0
            seen["round and turned"] += ("round", True) in kinds
            seen["a turned box"] += ("flat", True) in kinds


@in_random_worlds
def test_many_rays_are_the_same_as_single_ones_B7_H6_Q1(worlds: Worlds, queries: int) -> None:
    seen: Counter[str] = Counter()
    rows = 20
    for scene in worlds(queries // rows, 3):
        space, filters = scene.world.space, scene.filter()
        origins = [scene.point() for _ in range(rows)]
        ways = [scene.direction(origin) for origin in origins]
        limits = numpy.array([scene.limit([1.0, 2.0]) for _ in range(rows)])
        found, distances = space.ray_many(origins, ways, limits, **filters)
        bodies = included(scene.bodies, **filters)
        for number, (origin, way) in enumerate(zip(origins, ways, strict=True)):
            hit = space.ray(origin, way, limits[number], **filters)
            expected = (hit.entity, hit.distance) if hit else (-1, INF)
            assert expected == (found[number], distances[number]), (scene.seed, origin, way, limits[number])
            hits = entries(bodies, point_of(origin), steps_of(way))
            assert hit is None or hit.entity in hits, (scene.seed, origin, way)
            if hit is not None and all(entry.exact for entry in hits.values()):
                assert min((entry.first, entity) for entity, entry in hits.items())[1] == hit.entity, (scene.seed, way)
            seen["hit"] += hit is not None
            seen["miss"] += hit is None and not hits
            seen["beyond the limit"] += hit is None and any(entry.last is not None for entry in hits.values())
    assert_all_seen(seen, queries, 5)


@in_random_worlds
def test_lines_of_sight_equal_those_of_brute_force_B7_H6_Q3_Q6(worlds: Worlds, queries: int) -> None:
    seen: Counter[str] = Counter()
    for scene in worlds(queries):
        a, b, filters = scene.place(), scene.place(), scene.filter()
        bodies = included(scene.bodies, asking=scene.asking(a, b), **filters)
        expected = is_free(bodies, scene.units(a), scene.units(b))
        found = scene.world.space.line_of_sight(a, b, **filters)
        assert agrees(found, expected), (scene.seed, a, b, filters, expected)
        seen["free"] += found
        seen["blocked"] += not found
        seen["from an entity"] += isinstance(a, int)
    assert_all_seen(seen, queries, 5)


@in_random_worlds
def test_the_nearest_surfaces_are_those_of_brute_force_B7_H7_Q4_Q6(worlds: Worlds, queries: int) -> None:
    seen: Counter[str] = Counter()
    for scene in worlds(queries):
        space, given, filters, k = scene.world.space, scene.place(), scene.filter(), scene.dice.choice([1, 2, 5, ALL])
        clue, at, bodies = (scene.seed, given, k, filters), scene.units(given), asked(scene, given, **filters)
        found = space.nearest(given, k, **filters)
        assert [] == faults_of_nearest([astuple(each) for each in found], bodies, at, k), clue
        distances = [each.distance for each in found]
        limit = scene.limit(distances)
        within = [each for each in found if each.distance <= limit]
        assert within == space.nearest(given, k, limit, **filters), (limit, *clue)
        seen["none"] += not found
        seen["fewer"] += 0 < len(found) < k < ALL
        seen["inside or at a surface"] += bool(found) and distances[0] == 0
        seen["apart"] += bool(found) and distances[0] > 0
        seen["beyond the limit"] += len(within) < len(found)
    assert_all_seen(seen, queries, 5)


@in_random_worlds
def test_the_nearest_are_the_same_with_a_condition_that_all_meet_Q4_Q6(worlds: Worlds, queries: int) -> None:
    """A condition is asked body by body, nearest first; without one the boxes are found by kernels."""
    seen: Counter[str] = Counter()
    for scene in worlds(queries):
        space, given, filters, k = scene.world.space, scene.place(), scene.filter(), scene.dice.choice([1, 2, 8, 65])
        clue = (scene.seed, given, k, filters)
        expected = space.nearest(given, k, **{**filters, "where": filters.get("where", bool) or bool})
        assert expected == space.nearest(given, k, **filters), clue
        limit = scene.limit([each.distance for each in expected])
        within = [each for each in expected if each.distance <= limit]
        assert within == space.nearest(given, k, limit, **filters), (limit, *clue)
        seen["none"] += not expected
        seen["several"] += len(expected) > 1
        seen["a tie"] += any(a.distance == b.distance for a, b in itertools.pairwise(expected))
        seen["several boxes"] += any(len(scene.body(each.entity).parts) > 1 for each in expected)
    assert_all_seen(seen, queries, 5)


@in_random_worlds
def test_circles_contain_what_is_closer_than_both_radii_B7_H7_Q5_Q6(worlds: Worlds, queries: int) -> None:
    seen: Counter[str] = Counter()
    for scene in worlds(queries):
        given, filters, dice = scene.place(), scene.filter(), scene.dice
        at, bodies = scene.units(given), asked(scene, given, **filters)
        distances = [(distance_range(body, at)[0] >> 64) / UNIT for body in bodies]
        radius = dice.choice([1e-5, 0.5, 2.5, 5.0, 4 * dice.random(), *distances[:5], *distances[:5]])
        expected = inside_circle(bodies, at, lattice(radius))
        found = scene.world.space.overlapping_circle(given, radius, **filters)
        assert sorted(found) == found
        assert [] == wrong_answers(found, expected if lattice(radius) else {}), (scene.seed, given, radius, filters)
        seen["none"] += not found
        seen["some"] += 0 < len(found) < len(bodies)
        seen["touching"] += radius > 0 and any(
            distance_range(body, at)[0] == lattice(radius) << 64 for body in bodies if is_exact(body)
        )
    assert_all_seen(seen, queries, 5)


def region(scene: Scene) -> Any:
    """Return a random region in world units, often one without thickness."""
    a, b = scene.point(), scene.point()
    if scene.dice.random() < 0.2:
        b = a
    low, high = (tuple(map(pick, a, b)) for pick in (min, max))
    return low, high


def shape_of_region(box: Any, flat: bool) -> Shape:
    """Return a region as a shape; in 2D it has the z range of L5."""
    low, high = (point_of(corner) for corner in box)
    if flat:
        low, high = (*low[:2], -UNIT // 2), (*high[:2], UNIT // 2)
    return box_shape((low, high))


@in_random_worlds
def test_what_overlaps_or_touches_is_that_of_brute_force_B7_H5_L4(worlds: Worlds, queries: int) -> None:
    seen: Counter[str] = Counter()
    for scene in worlds(queries):
        space, filters = scene.world.space, scene.filter()
        if scene.dice.random() < 0.5:
            given: Any = scene.dice.choice(list(scene.known))
            parts = scene.body(given).parts
        else:
            given = region(scene)
            parts = (shape_of_region(given, scene.flat),)
        bodies, clue = asked(scene, given, **filters), (scene.seed, given, filters)
        found, touched = space.overlapping(given, **filters), space.touching(given, **filters)
        assert [] == wrong_answers(found, overlapping(bodies, parts)), clue
        assert [] == wrong_answers(touched, touching(bodies, parts)), clue
        assert (sorted(found), sorted(touched)) == (found, touched)
        seen["overlapping"] += bool(found)
        seen["touching"] += bool(touched)
        if isinstance(scene, ShapedScene):
            touched_parts = [part for body in bodies if body.entity in touched for part in (*body.parts, *parts)]
            seen["touching a round part"] += any(part.radius for part in touched_parts)
            bounds = [Body(body.entity, body.position, (), parts=tuple(map(box_shape, body.boxes))) for body in bodies]
            seen["only bounds overlap"] += sum(map(bool, overlapping(bounds, parts).values())) > len(found)
            seen["too close to call"] += None in overlapping(bodies, parts).values()
    assert_all_seen(seen, queries, 1)


SIDES = {(0, -1): "left", (0, 1): "right", (1, -1): "up", (1, 1): "down", (2, -1): (0, 0, -1), (2, 1): (0, 0, 7.5)}


@in_random_worlds
def test_what_touches_on_a_side_is_what_brute_force_finds_there_C5(worlds: Worlds, queries: int) -> None:
    seen: Counter[str] = Counter()
    for scene in worlds(queries):
        space, filters = scene.world.space, scene.filter()
        if scene.dice.random() < 0.7:
            given: Any = scene.dice.choice(list(scene.known))
            parts = scene.body(given).parts
        else:
            given = region(scene)
            parts = (shape_of_region(given, scene.flat),)
        bodies, found = asked(scene, given, **filters), {}
        for side, name in SIDES.items():
            found[side] = space.touching(given, name, **filters)
            expected = touching_on(bodies, parts, *side)
            assert [] == wrong_answers(found[side], expected), (scene.seed, given, name, filters)
            assert sorted(found[side]) == found[side]
            way = tuple(side[1] * (axis == side[0]) for axis in range(3))
            assert found[side] == space.touching(given, side=way, **filters)
            seen[str(name)] += bool(found[side])
        ids = [entity for each in found.values() for entity in each]
        assert space.touching(given, **filters) == sorted(set(ids)), (scene.seed, given, filters)
        seen["on two sides"] += len(set(ids)) < len(ids)
        if isinstance(scene, ShapedScene):
            seen["a round part"] += any(part.radius for body in bodies if body.entity in ids for part in body.parts)
    assert_all_seen(seen, queries, 1)


@in_random_worlds
def test_a_body_touches_another_on_the_side_opposite_to_that_of_the_other_C5(worlds: Worlds, queries: int) -> None:
    seen: Counter[str] = Counter()
    for scene in worlds(queries):
        space, entity = scene.world.space, scene.dice.choice(list(scene.known))
        for side, name in SIDES.items():
            opposite = SIDES[side[0], -side[1]]
            for other in space.touching(entity, name, triggers=True):
                is_here = scene.body(entity).enabled
                answers = space.touching(other, opposite, triggers=True)
                assert is_here == (entity in answers), (scene.seed, entity, other)
                seen[str(name)] += is_here
    assert_all_seen(seen, queries, 1)


@in_random_worlds
def test_points_and_many_regions_are_those_of_brute_force_B7_H5(worlds: Worlds, queries: int) -> None:
    seen: Counter[str] = Counter()
    for scene in worlds(queries):
        space, filters, at = scene.world.space, scene.filter(), scene.point()
        bodies = included(scene.bodies, **filters)
        found = space.at(*at, **filters)
        assert [] == wrong_answers(found, overlapping(bodies, [box_shape((point_of(at),) * 2)])), (scene.seed, at)
        seen["contained"] += bool(found)
        regions = [region(scene) for _ in range(3)]
        offsets, entities = space.overlapping_many(
            [low for low, _ in regions], [high for _, high in regions], **filters
        )
        for number, box in enumerate(regions):
            own = entities[offsets[number] : offsets[number + 1]].tolist()
            assert [] == wrong_answers(own, overlapping(bodies, [shape_of_region(box, scene.flat)])), (scene.seed, box)
            seen["overlapping"] += bool(own)
    assert_all_seen(seen, queries, 5)


@pytest.mark.parametrize("worlds", [scenes, shaped_scenes], ids=["boxes", "all shapes"])
@pytest.mark.parametrize("queries", [trials(40), pytest.param(10_000, marks=pytest.mark.soak)])
def test_pairs_equal_those_of_brute_force_B7_H5(worlds: Worlds, queries: int) -> None:
    seen: Counter[str] = Counter()
    for scene in worlds(queries, 2):
        filters = scene.filter()
        bodies = sorted(included(scene.bodies, **filters), key=lambda body: body.entity)
        found = scene.world.space.pairs(**filters)
        assert sorted(found) == found
        for number, a in enumerate(bodies):
            group = group_of(scene.bodies, a.entity)
            for b in bodies[number + 1 :]:
                expected = False if b.entity in group else shapes_overlap(a.parts, b.parts)
                assert agrees((a.entity, b.entity) in found, expected), (scene.seed, a, b)
        assert {entity for pair in found for entity in pair} <= {body.entity for body in bodies}
        seen["pairs"] += len(found)
    assert seen["pairs"] > queries


@in_random_worlds
def test_casts_meet_the_first_body_of_brute_force_B7_H8(worlds: Worlds, queries: int) -> None:
    seen: Counter[str] = Counter()
    for scene in worlds(queries):
        (given, parts, asking), filters = scene.moving(), scene.filter()
        way = scene.direction(scene.point())
        way = tuple(min(max(step, -8), 8) for step in way)
        steps, bodies = point_of(way), included(scene.bodies, asking=asking, **filters)
        hit = scene.world.space.cast(given, way, **filters)
        found = None if hit is None else astuple(hit)
        assert [] == faults_of_cast(found, parts, bodies, steps), (scene.seed, given, way, filters)
        assert hit is None or not scene.flat or hit.point[2] == 0.0, (scene.seed, given, way)
        seen["none"] += hit is None
        seen["from the start"] += hit is not None and not any(hit.normal)
        seen["on the way"] += hit is not None and hit.fraction > 0
        seen["an entity"] += isinstance(given, int)
    assert_all_seen(seen, queries, 5)


@in_random_worlds
def test_frustums_contain_what_is_not_wholly_outside_one_plane_B7_Q6_Q7(worlds: Worlds, queries: int) -> None:
    seen: Counter[str] = Counter()
    for scene in worlds(queries):
        filters, dice = scene.filter(), scene.dice
        bodies = included(scene.bodies, **filters)
        planes = [_plane(scene) for _ in range(dice.choice([1, 2, 3, 4, 6, 20]))]
        if dice.random() < 0.2:
            planes = around(*region(scene))
        found = scene.world.space.frustum(planes, **filters)
        assert [] == wrong_answers(found, in_frustum(bodies, planes)), (scene.seed, planes, filters)
        assert sorted(found) == found
        seen["none"] += not found
        seen["some"] += 0 < len(found) < len(bodies)
    assert_all_seen(seen, queries, 5)


def _plane(scene: Scene) -> tuple[float, ...]:
    """Return a plane through a random point: along axes, at sides of 3 and 4, or anyhow."""
    at, chance = scene.point(), scene.dice.random()
    size = len(at)
    if chance < 0.3:
        normal = [0.0] * size
        normal[scene.dice.randrange(size)] = scene.dice.choice([1.0, -1.0, 2.5])
    elif chance < 0.6:
        normal = [*scene.dice.choice([(3.0, 4.0), (-0.6, 0.8), (-4.0, 3.0)]), 0.0][:size]
    else:
        normal = [scene.dice.gauss(0, 1) for _ in at]
    return (*normal, -sum(n * x for n, x in zip(normal, at, strict=True)))


@in_random_worlds
def test_contacts_separate_along_the_shortest_way_H9(worlds: Worlds, queries: int) -> None:
    seen: Counter[str] = Counter()
    for scene in worlds(queries):
        space, dice = scene.world.space, scene.dice
        one = dice.choice(list(scene.known))
        others = [*space.overlapping(one, triggers=True)] or list(scene.known)
        two = dice.choice([other for other in [*others, *scene.known] if other != one] or [one])
        if one == two:
            continue
        a, b = scene.body(one), scene.body(two)
        contact, back = space.contact(one, two), space.contact(two, one)
        found = None if contact is None else (contact.normal, contact.depth, contact.points)
        assert [] == faults_of_contact(found, a, b), (scene.seed, one, two)
        assert (0.0 if contact is None else contact.depth) == space.overlap_depth(one, two)
        if contact is not None:
            assert back is not None
            opposite = tuple(-part or 0.0 for part in contact.normal)
            assert (opposite, contact.depth, contact.points) == (back.normal, back.depth, back.points), scene.seed
            if isinstance(scene, ShapedScene):
                seen["turned"] += not (is_exact(a) and is_exact(b))
            seen["several points"] += len(contact.points) > 1
        seen["none"] += contact is None
        seen["some"] += contact is not None
    assert_all_seen(seen, queries, 5)
