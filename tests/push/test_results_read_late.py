"""Results and events are the same if they are read late, after any change of the world (P16, T10).

Results may be built when they are read, which must have no visible effect. Every play runs twice: in one world all
results are read at once, in the other after bodies were moved, changed and deleted, and their ids used again.
"""

from __future__ import annotations

import copy
import dataclasses
import gc
import pickle
import random
from collections.abc import Mapping
from typing import Any

import pytest
from boards import sometimes
from random_games import RandomGame
from squares import a_row, a_square, ruin, text_of
from worlds import fresh_world

from ecs_collision import (
    AxisStop,
    Blocked,
    Box,
    BoxCollider,
    CollisionWorld,
    CompoundCollider,
    Inertia,
    Motion,
    Moved,
    MoveResult,
    Pushed,
    PushLink,
    Static,
    StopReason,
    Transform,
    Trigger,
    TriggerEntered,
)

# -- a result is a frozen record ------------------------------------------------------------------------------------

FIELDS = ("entity", "requested", "moved", "pushed", "stops", "links", "force", "inertias", "shares", "hits")
SHOWN = (
    "MoveResult(entity=1, requested=(5.0, 0.0, 0.0), moved=(2.0, 0.0, 0.0), pushed=mappingproxy({2: (1.0, 0.0, 0.0)}), "
    "stops=(AxisStop(axis='x', blocker=3, reason=FORCE, allowed=2.0, direction=(1.0, 0.0, 0.0), blockers=(3,)),), "
    "links=(PushLink(pusher=1, pushed=2, axis='x', gap=1.0),), force=5.0)"
)


@pytest.fixture(params=["at once", "late"])
def pushed(request: pytest.FixtureRequest) -> MoveResult:
    """The result of a push that was stopped; no field of it has been read."""
    world = a_row(1, 7, gap=1)
    result = world.move(1, 5)
    if request.param == "late":
        ruin(world)
        del world
        gc.collect()
    return result


def test_all_fields_of_a_result_have_the_values_and_types_that_are_promised_P16(pushed):
    assert SHOWN == repr(pushed) == str(pushed)
    assert {2: (1.0, 1.0, 1.0), 3: (7.0, 7.0, 7.0)} == pushed.inertias
    assert int is type(pushed.entity)
    assert {float} == set(map(type, (*pushed.requested, *pushed.moved, pushed.force, pushed.links[0].gap)))
    assert isinstance(pushed.pushed, Mapping) and isinstance(pushed.inertias, Mapping)
    assert (AxisStop("x", 3, StopReason.FORCE, 2.0, (1.0, 0.0, 0.0), (3,)),) == pushed.stops
    assert (PushLink(1, 2, "x", 1.0),) == pushed.links


def test_results_are_equal_by_their_values_and_not_hashable(pushed):
    same = a_row(1, 7, gap=1).move(1, 5)
    assert same == pushed and pushed == same and (pushed != same) is False
    assert pushed != a_row(1, 8, gap=1).move(1, 5)
    assert pushed != a_row(1, 7, gap=1).move(1, 4)
    assert pushed != (1, 2) and pushed != None  # noqa: E711 - the comparison is what is tested
    with pytest.raises(TypeError, match="unhashable"):
        hash(pushed)


def test_a_result_cannot_be_changed(pushed):
    for field in FIELDS:
        with pytest.raises(dataclasses.FrozenInstanceError, match=f"cannot assign to field '{field}'"):
            setattr(pushed, field, 1)
        with pytest.raises(dataclasses.FrozenInstanceError, match=f"cannot delete field '{field}'"):
            delattr(pushed, field)
    for change in (lambda: setattr(pushed, "another", 1), lambda: pushed.pushed.update({2: 1})):
        with pytest.raises((AttributeError, TypeError)):
            change()
    assert SHOWN == repr(pushed)


def test_a_result_is_a_dataclass_like_any_other(pushed):
    assert FIELDS == tuple(field.name for field in dataclasses.fields(pushed)) == MoveResult.__match_args__
    renamed = dataclasses.replace(pushed, entity=9, force=2.5)
    assert (9, 2.5, pushed.stops, pushed.inertias) == (renamed.entity, renamed.force, renamed.stops, renamed.inertias)
    assert "entity 9 (force 2.5)" == renamed.explain().split(" moved")[0]
    match pushed:
        case MoveResult(1, moved=(x, _, _), pushed={2: (by, _, _)}):
            assert (2, 1) == (x, by)
        case _:
            pytest.fail("a result should match by its fields")


def test_copies_equal_what_was_copied(pushed):
    assert pushed == copy.copy(pushed)
    for each in (*pushed.stops, *pushed.links):
        assert each == copy.deepcopy(each) == pickle.loads(pickle.dumps(each))
        assert hash(each) == hash(copy.copy(each))


def test_a_result_may_be_made_by_hand_with_few_fields():
    made = MoveResult(1, (1.0, 0.0, 0.0), (1.0, 0.0, 0.0), {}, (), ())
    assert (0.0, {}, True) == (made.force, made.inertias, made.complete)
    assert made == MoveResult(
        entity=1, requested=(1.0, 0.0, 0.0), moved=(1.0, 0.0, 0.0), pushed={}, stops=(), links=(), force=0.0
    )
    assert made == a_row(force=0).move(1, 1)
    assert "entity 1 (force 0) moved x +1 of +1" == made.explain()
    with pytest.raises(TypeError):
        MoveResult(1, (1.0, 0.0, 0.0))


# -- frames and events ----------------------------------------------------------------------------------------------


def a_scene(**settings: Any) -> tuple[CollisionWorld, Trigger]:
    """Return a world with a player 1, crates 2 and 3, a wall 4, a compound 5 and a trigger 6 that stays."""
    world, trigger = CollisionWorld(**settings), Trigger(stay=True)
    world.add(transform=Transform(0, 0), collider=a_square(), motion=Motion(5))
    world.add(transform=Transform(2, 0), collider=a_square(), inertia=Inertia(1))
    world.add(transform=Transform(4, 0), collider=a_square(), inertia=Inertia(2))
    world.add(transform=Transform(9, 0), collider=a_square(), static=Static())
    parts = [Box(0.5, 0.5), Box(0.5, 0.5, offset=(0, 2, 0))]
    world.add(transform=Transform(0, 3), collider=CompoundCollider(parts), inertia=Inertia(1), motion=Motion(3))
    world.add(transform=Transform(6, 0), collider=BoxCollider(1, 1), trigger=trigger)
    return world, trigger


def test_events_are_equal_hashable_copyable_records():
    world, _ = a_scene()
    world.request(1, 9)
    events = world.step().events
    assert {Moved, Pushed, Blocked, TriggerEntered} == set(map(type, events))
    again, _ = a_scene()
    again.request(1, 9)
    others = again.step().events
    assert events == others
    assert len(events) == len({*events, *others})
    assert events == copy.deepcopy(events) == pickle.loads(pickle.dumps(events))
    assert list(map(repr, events)) == list(map(repr, others))
    blocked = (
        "Blocked(frame=1, entity=1, blocker=4, axis='x', reason=IMMOVABLE, direction=(1.0, 0.0, 0.0), blockers=(4,))"
    )
    assert blocked in map(repr, events)
    for event in events:
        values = dataclasses.asdict(event)
        assert event == type(event)(**values) == dataclasses.replace(event, frame=1)
        with pytest.raises(dataclasses.FrozenInstanceError):
            event.frame = 3
        assert {int} == {type(values[name]) for name in ("entity", "by", "trigger", "other", "frame") if name in values}


def test_the_results_of_a_frame_are_a_read_only_mapping():
    world, _ = a_scene()
    world.request(5, 0, 1)
    world.request(1, 9)
    first = world.step()
    kept = dict(first.results)
    assert {1, 5} == set(kept) == set(first.results.keys())
    assert "Frame(1, " in repr(first) and ", 2 results)" in repr(first)
    assert first.results == kept
    assert (2, True, False, None) == (len(first.results), 5 in first.results, 2 in first.results, first.results.get(2))
    with pytest.raises(TypeError):
        first.results[1] = None
    with pytest.raises(KeyError):
        first.results[2]
    assert world.results == kept
    world.step()
    assert ({}, kept) == (world.results, first.results)
    assert all(first.results[entity] == first.results[entity] for entity in kept)


def test_a_result_of_an_interrupted_frame_has_the_stops_and_links_of_both_P16():
    asked = []

    def hook(pusher: int, pushed: int, axis: str, force: float) -> None:
        asked.append(axis)
        if asked.count("y") == 1:
            raise ZeroDivisionError

    world = CollisionWorld(order="front_first", can_push=hook)
    for x, y, more in (
        (0, 0, {"motion": Motion(5)}),
        (2, 0, {"inertia": Inertia(1)}),
        (4, 0, {"static": Static()}),
        (2, 2, {"inertia": Inertia(2)}),
        (2, 4, {"static": Static()}),
    ):
        world.add(transform=Transform(x, y), collider=a_square(), **more)
    world.request(1, 9, 9)
    with pytest.raises(ZeroDivisionError):
        world.step()
    result = world.step().results[1]
    ruin(world)
    assert (
        "entity 1 (force 5) moved x +2 of +9, y +2 of +9: entity 2 (inertia 1) pushed x +1, "
        "entity 4 (inertia 2) pushed y +1; x stopped after 2 by entity 3 (immovable): it cannot be pushed; "
        "y stopped after 2 by entity 5 (immovable): it cannot be pushed"
    ) == result.explain()
    assert (PushLink(1, 2, "x", 1.0), PushLink(1, 4, "y", 1.0)) == result.links


def test_a_plan_read_late_explains_the_same_P17():
    world, _ = a_scene()
    plan = world.plan(1, 9)
    world.teleport(2, 50, 50)
    world.remove(3)
    said = plan.explain()
    assert "entity 2 (inertia 1) pushed x +5, entity 3 (inertia 2) pushed x +4" in said
    assert repr(plan) == f"Plan({plan.result!r})"
    assert plan.blocked
    text_of(plan.commit, RuntimeError)
    assert said == plan.explain()


# -- random games ---------------------------------------------------------------------------------------------------


def played(seed: int, at_once: bool) -> list[str]:
    """Return all results and frames of a random game as text, read at once or in any order at its end."""
    kept, texts = [], []
    with fresh_world():
        rule = "sum" if seed % 2 else "each"
        game = RandomGame(seed, 12, querying=True, handling=False, fusing=seed % 2 == 1, rule=rule)
        for _ in range(60):
            game.frame()
            found = [each for each in game.log if isinstance(each, MoveResult)] + [game.system._world.frame]
            game.log.clear()
            kept += found
            texts += [full_text(each) for each in found] if at_once else []
        game.system.check()
        game.system.close()
    order = random.Random(seed).sample(range(len(kept)), len(kept))
    read = {number: full_text(kept[number]) for number in order}
    return texts or [read[number] for number in range(len(kept))]


def full_text(thing: Any) -> str:
    """Return all fields of a result or a frame as text."""
    if isinstance(thing, MoveResult):
        return f"{thing!r} {dict(thing.inertias)!r} {thing.explain()}"
    results = {entity: full_text(thing.results[entity]) for entity in sorted(thing.results)}
    return f"{thing.number} {thing.events!r} {results!r}"


@pytest.mark.parametrize("seed", sometimes(range(4), [1, 2, 3]))
def test_results_and_events_of_a_long_game_read_the_same_at_its_end(seed):
    eager = played(seed, at_once=True)
    assert eager == played(seed, at_once=False)
    assert sum("pushed" in text for text in eager) > 20
