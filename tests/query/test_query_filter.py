"""Filters of queries: `layers`, `ignore`, `triggers`, `where`, and `QueryFilter` (rule Q6), for every query alike."""

from __future__ import annotations

import dataclasses
import inspect
import itertools
from collections.abc import Callable
from typing import Any

import numpy
import pytest
from query_scenes import a_body

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


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "where number": ({"where": 3}, "where must be a function of an entity id, not 3; give"),
    "where False": ({"where": False}, "where must be a function .* not False; give"),
    "filter dict": ({"filter": {"layers": "a"}}, "filter must be a QueryFilter, not {'layers'.*; give"),
    "filter class": ({"filter": QueryFilter}, "filter must be a QueryFilter, not <class.*; give"),
    "filter False": ({"filter": False}, "filter must be a QueryFilter, not False; give"),
    "filter and layers": ({"filter": QueryFilter(), "layers": "a"}, "filter was given together with"),
    "filter and ignore": ({"filter": QueryFilter(), "ignore": [1]}, "filter was given together with"),
    "filter and triggers": ({"filter": QueryFilter(), "triggers": True}, "filter was given together"),
    "filter and where": ({"filter": QueryFilter(), "where": even}, "filter was given together with"),
    "layers number": ({"layers": 3}, "layers must be layer names, not 3; give"),
    "layers numbers": ({"layers": [3]}, r"layers must be layer names, not \[3\]; give"),
    "ignore number": ({"ignore": 3}, "ignore must be entity ids, not 3; give"),
    "ignore float": ({"ignore": [1.5]}, r"ignore must be entity ids, not \[1.5\]; give"),
    "ignore text": ({"ignore": "12"}, "ignore must be entity ids, not '12'; give"),
    "ignore bool": ({"ignore": [True]}, r"ignore must be entity ids, not \[True\]; give"),
    "triggers number": ({"triggers": 1}, "triggers must be True or False, not 1"),
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
    options = [each for each in options if each.name != "one_way"]  # of rays, and no part of a filter (M5)
    expected = [(each.name, each.default) for each in dataclasses.fields(QueryFilter)]
    assert [*expected, ("filter", None)] == [(each.name, each.default) for each in options]


def test_a_bad_query_filter_is_refused_by_name_when_it_is_made_L3_Q6():
    for filters, words in BAD.values():
        if "filter" not in filters:
            with pytest.raises(CollisionTypeError, match=words):
                QueryFilter(**filters)


# Random worlds.


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
