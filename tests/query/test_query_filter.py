"""Filters of queries: `layers`, `ignore`, `triggers`, `where`, and `QueryFilter` (rule Q6), for every query alike."""

from __future__ import annotations

import dataclasses
import inspect
import itertools
from collections.abc import Callable
from typing import Any

import numpy
import pytest
from query_scenes import Point, Scene, a_body, scenes

from ecs_collision import (
    BoxCollider,
    CollisionTypeError,
    CollisionWorld,
    Fused,
    Sleeping,
    Space,
    Sphere,
    Static,
    Transform,
    Trigger,
    UnknownEntity,
)
from ecs_collision.query.query_filter import QueryFilter

Query = Callable[..., Any]


def rows(found: tuple[Any, Any]) -> list[list[int]]:
    """Return the entities of each box of `overlapping_many`."""
    offsets, entities = (each.tolist() for each in found)
    return [entities[begin:end] for begin, end in itertools.pairwise(offsets)]


# Each covers the whole row of bodies below. The entities of a result, in its order, or what else it says.
ROW = ((0.25, 0.25), (99, 0.75))
MANY = ([ROW[0], (0, 0)], [ROW[1], (5, 5)])
RAY = ((0, 0.5), (1, 0))
RAYS = ([(0, 0.5), (99, 0.5), (0, 7)], [(1, 0), (-1, 0), (1, 0)])
QUERIES: dict[str, Query] = {
    "overlapping": lambda space, **more: space.overlapping(ROW, **more),
    "touching": lambda space, **more: space.touching(((0, 1), (99, 2)), **more),
    "at": lambda space, **more: [entity for x in range(9) for entity in space.at(x + 0.25, 0.5, **more)],
    "overlapping_many": lambda space, **more: rows(space.overlapping_many(*MANY, **more)),
    "pairs": lambda space, **more: space.pairs(**more),
    "pairs_array": lambda space, **more: space.pairs_array(**more).tolist(),
    "cast": lambda space, **more: space.cast(((-1, 0), (0, 1)), (99, 0), **more),
    "ray": lambda space, **more: space.ray(*RAY, **more),
    "ray_all": lambda space, **more: space.ray_all(*RAY, **more),
    "ray_many": lambda space, **more: [each.tolist() for each in space.ray_many(*RAYS, **more)],
    "line_of_sight": lambda space, **more: [space.line_of_sight((x, 0.5), (x + 1.5, 0.5), **more) for x in range(9)],
    "nearest": lambda space, **more: space.nearest((0, 0.5), 3, **more),
    "overlapping_circle": lambda space, **more: space.overlapping_circle((0, 0.5), 6, **more),
    "frustum": lambda space, **more: space.frustum([(1, 0, 0), (-1, 0, 99), (0, 1, 0)], **more),
    "overlapping an entity": lambda space, **more: space.overlapping(1, **more),
    "touching an entity": lambda space, **more: space.touching(9, **more),
    "cast of an entity": lambda space, **more: space.cast(1, (99, 0), **more),
    "ray from an entity": lambda space, **more: space.ray_all(1, (1, 0), **more),
    "sight of entities": lambda space, **more: [space.line_of_sight(1, each, **more) for each in range(2, 9)],
    "nearest to an entity": lambda space, **more: space.nearest(1, 2, **more),
    "circle around an entity": lambda space, **more: space.overlapping_circle(4, 3, **more),
}
"""Every query that takes a filter, with a function of the space and the filter."""

SINGLE = [name for name in QUERIES if name not in ("pairs", "pairs_array")]


@pytest.fixture
def row() -> CollisionWorld:
    """Bodies 1 to 8 from x to x + 1.25, so that neighbours overlap, of every kind, and 9 on top of them."""
    world = CollisionWorld()
    kinds: list[dict[str, Any]] = [
        {},
        {"static": Static()},
        {"trigger": Trigger()},
        {"layer": "ghost"},
        {"sleeping": Sleeping(asleep=True), "layer": "stone"},
        {"fused": Fused(1), "layer": "stone"},
        {"trigger": Trigger(), "layer": "ghost"},
        {"static": Static(), "layer": "ghost"},
    ]
    for number, kind in enumerate(kinds, 1):
        a_body(world, (number, 0), (number + 1.25, 1), number, **kind)
    a_body(world, (0, 1), (20, 2), 9, layer="lid")
    return world


def even(entity: int) -> bool:
    return entity % 2 == 0


FILTERS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "triggers": {"triggers": True},
    "one layer": {"layers": "ghost"},
    "some layers": {"layers": ("stone", "ghost"), "triggers": True},
    "no layer": {"layers": ()},
    "another layer": {"layers": ["fog"]},
    "ignore": {"ignore": [1, 2, 77]},
    "where": {"where": even},
    "where, with triggers": {"where": even, "triggers": True},
    "where nothing": {"where": lambda entity: None},
    "where all": {"where": lambda entity: "yes"},
    "all of it": {"layers": {"default", "ghost"}, "ignore": (4,), "triggers": True, "where": lambda entity: entity > 2},
}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_a_filter_given_as_one_value_or_as_its_parts_is_the_same_Q6(row, query):
    for name, filters in FILTERS.items():
        chosen = QueryFilter(**filters)
        assert query(row.space, **filters) == query(row.space, filter=chosen), name
        assert query(row.space, filter=chosen) == query(row.space, filter=chosen), "it may be used again"


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_without_a_filter_all_bodies_but_triggers_are_included_Q6(row, query):
    expected = query(row.space)
    assert expected == query(row.space, filter=QueryFilter()) == query(row.space, filter=None)
    assert expected == query(row.space, layers=None, ignore=(), triggers=False, where=None)
    assert expected == query(row.space, where=lambda entity: True)
    assert expected == query(row.space, triggers=True, where=lambda entity: entity not in (3, 7))
    assert expected != query(row.space, layers=())


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_where_is_the_same_as_to_ignore_all_others_Q6(row, query):
    for name, filters in FILTERS.items():
        where = filters.get("where", even)
        others = [entity for entity in range(1, 10) if not where(entity)]
        parts = {"layers": filters.get("layers"), "triggers": filters.get("triggers", False)}
        ignored = list(filters.get("ignore", ()))
        expected = query(row.space, **parts, ignore=ignored + others)
        assert expected == query(row.space, **parts, ignore=ignored, where=where), name


def test_pairs_are_of_bodies_that_are_both_included_Q6(row):
    assert [(1, 2), (4, 5), (5, 6)] == row.space.pairs()
    assert [(4, 5)] == row.space.pairs(where=lambda entity: entity != 2 and entity != 6)
    assert [(2, 3), (3, 4)] == row.space.pairs(triggers=True, where=lambda entity: entity in (2, 3, 4))
    assert (0, 2) == row.space.pairs_array(where=lambda entity: entity % 2).shape


def test_the_first_body_that_meets_the_condition_is_found_Q6(row):
    space = row.space
    for last in range(1, 8):
        expected = next(entity for entity in (1, 2, 4, 5, 6, 8) if entity > last)

        def beyond(entity: int, last: int = last) -> bool:
            return entity > last and entity != 9

        assert expected == space.ray(*RAY, where=beyond).entity
        assert expected == space.cast(((-1, 0), (0, 1)), (99, 0), where=beyond).entity
        assert expected == space.nearest((0, 0.5), where=beyond)[0].entity
        assert [expected, -1] == space.ray_many(*RAYS, where=beyond)[0].tolist()[::2]
    assert [8, 6] == [each.entity for each in space.nearest((9.75, 0.5), 2, where=lambda entity: entity in (8, 6, 1))]
    assert space.ray(*RAY, max_distance=3.5, where=lambda entity: entity > 3) is None


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_where_is_given_ids_of_bodies_that_the_rest_of_the_filter_includes_Q6(row, query):
    asked: list[int] = []
    query(row.space, layers=("ghost", "default"), ignore=[2], where=lambda entity: asked.append(entity) or True)
    assert {int} >= set(map(type, asked))
    assert {*asked} <= {1, 4, 8}


# Conditions that make queries themselves.


@pytest.mark.parametrize("outer", QUERIES.values(), ids=QUERIES)
def test_where_may_make_queries_itself_Q6(row, outer):
    space = row.space
    for name, inner in QUERIES.items():
        answers = []

        def asked(entity: int, inner: Query = inner) -> tuple[Any, Any]:
            return inner(space, triggers=True, ignore=[entity]), inner(space, layers="ghost", where=even)

        def asks(entity: int, asked: Query = asked, answers: list[Any] = answers) -> bool:
            answers.append((entity, asked(entity)))
            return even(entity)

        assert outer(space, where=even) == outer(space, where=asks), name
        chosen = {"layers": ("stone", "ghost"), "triggers": True}
        assert outer(space, where=even, **chosen) == outer(space, where=asks, **chosen), name
        assert answers
        for entity, answer in answers:
            assert asked(entity) == answer, name


def test_conditions_may_be_nested_Q6(row):
    space = row.space

    def sees_the_lid(entity: int) -> bool:
        return bool(space.ray(entity, (0, 1), where=lambda other: space.line_of_sight(entity, other, where=even)))

    assert [8] == [entity for entity in range(1, 9) if sees_the_lid(entity)], "the others have an even body before them"
    assert [8] == [hit.entity for hit in space.ray_all(*RAY, where=sees_the_lid)]
    assert [8] == [hit.entity for hit in space.ray_all(*RAY, where=sees_the_lid, triggers=True)]
    assert 8 == space.nearest((0, 0.5), where=lambda entity: entity < 9 and sees_the_lid(entity))[0].entity


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_an_error_in_a_condition_is_passed_on_and_later_queries_work_Q6(row, query):
    expected, before = query(row.space), row.state_hash()

    def fails(entity: int) -> bool:
        raise LookupError(entity)

    with pytest.raises(LookupError):
        query(row.space, where=fails)
    assert (expected, before) == (query(row.space), row.state_hash())
    row.check()


# Queries change nothing.


def test_no_query_changes_anything_Q1_Q6(row):
    before = row.snapshot(), row.state_hash(), row.version, [*row.space.cells], [*row.space.static_cells], row.events
    for query, filters in itertools.product(QUERIES.values(), FILTERS.values()):
        query(row.space, **filters)
    after = row.snapshot(), row.state_hash(), row.version, [*row.space.cells], [*row.space.static_cells], row.events
    assert before == after
    row.check()


def test_answers_do_not_depend_on_what_was_asked_before_Q1(row):
    expected = {name: query(row.space) for name, query in QUERIES.items()}
    for first, second in itertools.permutations(QUERIES, 2):
        QUERIES[first](row.space, triggers=True, ignore=[1, 5])
        assert expected[second] == QUERIES[second](row.space), (first, second)


def test_a_game_with_queries_goes_on_like_one_without_Q1():
    for seed in range(8):
        asked, silent = Scene(seed), Scene(seed)
        for _ in range(10):
            asked.change()
            silent.change()
            for query in QUERIES.values():
                try:
                    query(asked.world.space, triggers=True)
                except UnknownEntity:
                    assert not {1, 4, 9} <= asked.known.keys()
            asked.world.step()
            silent.world.step()
            assert asked.world.snapshot() == silent.world.snapshot()


# The value itself.


def test_a_query_filter_is_a_value_Q6():
    one = QueryFilter(layers="wall", ignore=[1], triggers=True, where=even)
    assert QueryFilter(layers=("wall",), ignore=(1,), triggers=True, where=even) == one
    assert (frozenset({"wall"}), (1,), True, even) == (one.layers, one.ignore, one.triggers, one.where)
    assert (None, (), False, None) == dataclasses.astuple(QueryFilter())
    assert one != dataclasses.replace(one, triggers=False)
    assert 1 == len({one, QueryFilter(["wall"], iter([1]), numpy.True_, even)})
    assert "QueryFilter(layers=frozenset({'wall'}), ignore=(1,), triggers=True, where=<function even" in repr(one)
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.triggers = False


def test_what_a_filter_was_made_of_may_change_afterwards_Q6(row):
    layers, ignore = ["ghost"], [4]
    chosen = QueryFilter(layers, ignore)
    layers.append("stone")
    ignore.clear()
    assert [8] == [hit.entity for hit in row.space.ray_all(*RAY, filter=chosen)]


def test_a_filter_of_iterators_may_be_used_again_Q6(row):
    chosen = QueryFilter(layers=iter(["default", "ghost"]), ignore=(entity for entity in (1, 2)))
    for _ in "12":
        assert [4, 8] == [hit.entity for hit in row.space.ray_all(*RAY, filter=chosen)]


TOGETHER = "filter was given together with"
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "where number": ({"where": 3}, "where must be a function of an entity id, not 3; give"),
    "where list": ({"where": [1]}, r"where must be a function of an entity id, not \[1\]; give"),
    "where False": ({"where": False}, "where must be a function .* not False; give"),
    "filter dict": ({"filter": {"layers": "a"}}, "filter must be a QueryFilter, not {'layers'.*; give"),
    "filter function": ({"filter": len}, "filter must be a QueryFilter, not <built-in.*; give"),
    "filter class": ({"filter": QueryFilter}, "filter must be a QueryFilter, not <class.*; give"),
    "filter False": ({"filter": False}, "filter must be a QueryFilter, not False; give"),
    "filter and layers": ({"filter": QueryFilter(), "layers": "a"}, TOGETHER),
    "filter and ignore": ({"filter": QueryFilter(), "ignore": [1]}, TOGETHER),
    "filter and triggers": ({"filter": QueryFilter(), "triggers": True}, TOGETHER),
    "filter and where": ({"filter": QueryFilter(), "where": even}, TOGETHER),
    "layers number": ({"layers": 3}, "layers must be layer names, not 3; give"),
    "layers numbers": ({"layers": [3]}, r"layers must be layer names, not \[3\]; give"),
    "ignore number": ({"ignore": 3}, "ignore must be entity ids, not 3; give"),
    "ignore None": ({"ignore": None}, "ignore must be entity ids, not None; give"),
    "ignore float": ({"ignore": [1.5]}, r"ignore must be entity ids, not \[1.5\]; give"),
    "ignore text": ({"ignore": "12"}, "ignore must be entity ids, not '12'; give"),
    "ignore bool": ({"ignore": [True]}, r"ignore must be entity ids, not \[True\]; give"),
    "triggers number": ({"triggers": 1}, "triggers must be True or False, not 1"),
    "triggers None": ({"triggers": None}, "triggers must be True or False, not None"),
}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_a_bad_filter_is_refused_by_name_in_every_query_L3_Q6(row, query):
    before = row.state_hash()
    for filters, words in BAD.values():
        with pytest.raises(CollisionTypeError, match=words):
            query(row.space, **filters)
        if "filter" not in filters:
            with pytest.raises(CollisionTypeError, match=words):
                query(row.space, **{"where": even, **filters})
    assert before == row.state_hash()


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_a_misspelt_option_is_refused_by_every_query_L3_Q6(row, query):
    with pytest.raises(TypeError, match="layer"):
        query(row.space, layer="ghost")


def test_a_misspelt_option_is_answered_with_the_one_that_is_meant_L3_Q6(row):
    for query in (row.space.pairs, row.space.pairs_array):
        with pytest.raises(CollisionTypeError) as refused:
            query(layer="ghost")
        assert str(refused.value) == (
            "'layer' is not an option of a query; the options are layers, ignore, triggers, where, filter; "
            "did you mean 'layers'?"
        )


@pytest.mark.parametrize("name", sorted({name.partition(" ")[0] for name in QUERIES} - {"sight", "circle"}))
def test_every_query_describes_its_options_and_has_them_in_its_signature_Q6(name):
    query = getattr(Space, name)
    assert "ignore: ids of entities to leave out." in query.__doc__
    assert "filter: these four as one QueryFilter" in query.__doc__
    options = [each for each in inspect.signature(query).parameters.values() if each.kind is each.KEYWORD_ONLY]
    expected = [(each.name, each.default) for each in dataclasses.fields(QueryFilter)]
    assert [*expected, ("filter", None)] == [(each.name, each.default) for each in options]


@pytest.mark.parametrize(("filters", "words"), BAD.values(), ids=BAD)
def test_a_bad_query_filter_is_refused_by_name_when_it_is_made_L3_Q6(filters, words):
    if "filter" not in filters:
        with pytest.raises(CollisionTypeError, match=words):
            QueryFilter(**filters)


# Random worlds.


def questions(at: Point, way: Point, reach: float) -> list[Query]:
    """Return queries about this point, the box around it, and the ray from it."""
    lo, hi = (tuple(value + side * reach for value in at) for side in (-1, 1))
    path = tuple(max(-99.0, min(99.0, step)) for step in way)
    return [
        lambda space, **more: space.overlapping((lo, hi), **more),
        lambda space, **more: space.touching((lo, hi), **more),
        lambda space, **more: space.at(at, **more),
        lambda space, **more: rows(space.overlapping_many([lo], [hi], **more)),
        lambda space, **more: space.pairs(**more),
        lambda space, **more: space.cast((lo, hi), path, **more),
        lambda space, **more: space.ray_all(at, way, **more),
        lambda space, **more: space.ray(at, way, reach, **more),
        lambda space, **more: [each.tolist() for each in space.ray_many([at] * 2, [way] * 2, **more)],
        lambda space, **more: space.nearest(at, 4, reach, **more),
        lambda space, **more: space.overlapping_circle(at, reach, **more),
        lambda space, **more: space.frustum([(1, 2, 3), (-2, 1, reach)], **more),
    ]


def test_filters_of_every_query_equal_lists_of_ids_in_random_worlds_Q6_B7():
    """A filter gives the same answer as the same query that ignores all that the filter leaves out."""
    found = 0
    for scene in scenes(300, 10):
        space, filters = scene.world.space, scene.filter()
        chosen = {body.entity for body in scene.bodies if accepts(body, **filters)}
        others = [entity for entity in scene.known if entity not in chosen]
        at = scene.point()
        for query in questions(at, scene.direction(at), scene.dice.choice([1.0, 3.5, 20.0])):
            expected = query(space, triggers=True, ignore=others)
            assert expected == query(space, **filters), (scene.seed, filters)
            assert expected == query(space, filter=QueryFilter(**filters)), (scene.seed, filters)
            found += bool(expected)
    assert found > 1000


def accepts(body: Any, layers: Any = None, ignore: Any = (), triggers: bool = False, where: Any = None) -> bool:
    """Return whether a filter includes a body (Q6)."""
    return (
        (triggers or not body.trigger)
        and (layers is None or body.layer in layers)
        and body.entity not in ignore
        and (where is None or bool(where(body.entity)))
    )


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_ids_to_ignore_may_make_queries_of_their_own_when_they_are_read_Q6(row, query):
    class Ids:
        def __iter__(self):
            row.space.cast((Sphere(2), (0, 50)), (0, 9))
            row.space.ray((0, 50), (0, 9))
            return iter((2, 3))

    assert query(row.space, ignore=(2, 3)) == query(row.space, ignore=Ids())


def test_ids_to_ignore_are_read_once_by_the_cast_of_a_disabled_body_Q6():
    world = CollisionWorld()
    for id, enabled in ((1, False), (2, True), (3, True)):
        world.add(id, transform=Transform(4 * id, 0), collider=BoxCollider(0.5, 0.5, enabled=enabled))
    assert 3 == world.space.cast(1, (9, 0), ignore=iter([2])).entity
