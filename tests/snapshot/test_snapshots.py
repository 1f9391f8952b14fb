"""After a restore a world has the same state and the same future (N1, cases U01 to U03)."""

from __future__ import annotations

import random
from typing import Any

import esper
import numpy
import pytest
from boards import Board, trials
from random_games import STRUCTURAL, RandomGame
from worlds import a_crate, a_player, a_sleeper, a_system, a_zone, fresh_world, next_frame, part, place

from ecs_collision import (
    Blocked,
    Box,
    BoxCollider,
    CompoundCollider,
    FellAsleep,
    Fused,
    Inertia,
    InvalidChanges,
    Motion,
    Moved,
    Pushed,
    ReentryError,
    Sleeping,
    StalePlan,
    StopReason,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
    TriggerStayed,
    Woke,
)

GAMES: list[dict[str, Any]] = [
    {},
    {"rule": "sum", "order": "front_first"},
    {"overlap_policy": "leave", "axis_order": "zyx"},
    {"all_or_nothing": True, "bounds": ((-6, -6), (6, 6))},
    {"fusing": True},
    {"fusing": True, "order": "front_first"},
    {"asking": True},
]

# Random games.


def a_game(seed: int, **settings: Any) -> RandomGame:
    """Return a game whose bodies are all there: from now on only their values change."""
    game = RandomGame(seed, bodies=20, actions=3, **settings)
    for _ in range(3):
        game.frame()
    for _ in range(12 if settings.get("fusing") else 0):
        game.do_fuse()
    game.names = [name for name in game.names if name not in STRUCTURAL]
    game.take_log()
    return game


Point = tuple[bytes, Any]
"""A snapshot, and the state of the random generator."""


def play(game: RandomGame) -> tuple[Point, tuple[Any, ...], Point]:
    """Do an action, then a frame with more; return the point between them, the results, and the last point."""
    getattr(game, game.choice(game.names))()
    game.take_log()
    middle = point(game)
    return middle, seen(game), point(game)


def point(game: RandomGame) -> Point:
    return game.system.snapshot(), game.random.getstate()


def seen(game: RandomGame) -> tuple[Any, ...]:
    """Run a frame and return its results, sometimes also components, triggers and the index."""
    game.frame()
    system = game.system
    read: list[Any] = [list(map(str, game.take_log())), repr(system.events), system.state_hash()]
    read.append({entity: result.explain() for entity, result in system.results.items()})
    if system.stats.frame % 10 == 0:
        read += [*map(game.components, game.alive), *game.index_lines()]
    return tuple(read)


Record = list[tuple[Point, tuple[Any, ...], Point]]


def assert_continues(game: RandomGame, record: Record, number: int, length: int, *, midway: bool) -> None:
    """Assert that a game continues after a point of another as that did; midway: from the middle of a frame."""
    snapshot, dice = record[number][0 if midway else 2]
    game.system.restore(snapshot)
    assert snapshot == game.system.snapshot()
    game.random.setstate(dice)
    if midway:
        assert record[number][1:] == (seen(game), point(game)), number
    for at in range(number + 1, number + length):
        assert record[at] == play(game), (number, at)
    game.system.check()


KINDS = ("Woke", "Moved", "Pushed", "Blocked", "TriggerLeft", "TriggerEntered", "TriggerStayed", "FellAsleep")


@pytest.mark.parametrize("settings", GAMES, ids=repr)
def test_after_a_restore_the_game_continues_identically(settings):
    """After four points: in the world itself after many changes, and in another world with the same bodies."""
    length, points = max(trials(60), 10), range(0, 28, 7)
    with fresh_world():
        game = a_game(2, **settings)
        record = [play(game) for _ in range(length + points.stop)]
        for number in random.Random(1).sample(points, len(points)):
            assert_continues(game, record, number, length, midway=number % 2 == 0)
        lines = "".join(events[1] for _, events, _ in record)
        wanted = (*KINDS, "ContactBegan", "ContactEnded") if settings.get("asking") else KINDS
        assert [kind for kind in wanted if kind not in lines] == [], "the game is too tame to compare anything"
    with fresh_world():
        other = a_game(2, **settings)
        other.random.seed(8)
        for _ in range(9):
            play(other)
        for number in points:
            assert_continues(other, record, number, 10, midway=number % 2 == 1)


# The cases.


def everything(board: Board) -> tuple[Any, ...]:
    """Return positions, contents of triggers, sleepers, cells and regions."""
    world, bodies = board.world, board.world._bodies
    parts = {entity: bodies.of(bodies.row(entity)) for entity in board.transforms}
    return (
        board.places(),
        {entity: world.inside(entity) for entity in parts if parts[entity].trigger is not None},
        {entity: each.sleeping.asleep for entity, each in parts.items() if each.sleeping is not None},
        list(world.space.cells),
        [region.asleep for region in world.space.regions()],
        world.frame_number,
    )


def a_room() -> Board:
    """Return a player among crates, some asleep, on plates with events."""
    board = Board(bounds=((-1, -1), (12, 8)))
    board.player(0, 0, force=9.0, id=1)
    for number in range(10):
        sleeping = Sleeping(number % 2 == 0, 2)
        board.crate(1 + number % 5 * 2, 1 + number // 5 * 2, id=10 + number, sleeping=sleeping)
    for number in range(4):
        trigger = Trigger(linger=number % 2 * 3, swept=number == 3, stay=number == 2)
        board.body(3 * number, 2, 2, 2, id=30 + number, trigger=trigger)
    board.world.step()
    return board


def test_a_plan_changes_nothing():
    """U01."""
    board = a_room()
    before, snapshot = everything(board), board.world.snapshot()
    assert board.world.plan(1, 5, 3).result.pushed
    assert before == everything(board)
    assert snapshot == board.world.snapshot()
    board.world.check()
    assert board.world.step().events == [TriggerStayed(2, 32, 18)]


def test_a_plan_commits_its_result_and_a_restore_makes_it_stale():
    """U02."""
    board = a_room()
    snapshot = board.world.snapshot()
    plan = board.world.plan(1, 5, 3)
    assert plan.commit() == plan.result
    after = board.world.snapshot()
    board.world.restore(snapshot)
    stale = board.world.plan(1, 5, 3)
    board.world.restore(snapshot)
    with pytest.raises(StalePlan, match="entity 1 is stale"):
        stale.commit()
    assert plan.result == board.push(1, 5, 3)
    assert after == board.world.snapshot()


# State other than positions.


WRITES: list[tuple[type[Any], str, Any, Any]] = [
    (BoxCollider, "hx", 0.5, 1.5),
    (BoxCollider, "offset", (0.0, 0.0, 0.0), (0.25, -1.0, 0.0)),
    (BoxCollider, "layer", "default", "ghosts"),
    (BoxCollider, "mask", None, frozenset({"b", "a"})),
    (BoxCollider, "enabled", True, False),
    (Inertia, "y", 1.0, float("inf")),
    (Motion, "force", 5.0, 2.5),
    (Motion, "priority", 0, -3),
    (Motion, "rule", None, "sum"),
    (Motion, "max_chain", None, 2),
    (Motion, "all_or_nothing", None, True),
    (Sleeping, "after", 30, 3),
    (Sleeping, "asleep", False, True),
    (Trigger, "mask", None, frozenset()),
    (Trigger, "statics", False, True),
    (Trigger, "touching", False, True),
    (Trigger, "swept", False, True),
    (Trigger, "stay", False, True),
    (Trigger, "linger", 0, 4),
    (Trigger, "enabled", True, False),
    (Transform, "position", (0.0, 0.0, 0.0), (3.0, -2.5, 1.0)),
]


@pytest.mark.parametrize("applied", [True, False], ids=["applied", "pending"])
@pytest.mark.parametrize(("kind", "field", "old", "new"), WRITES, ids=[f"{w[0].__name__}.{w[1]}" for w in WRITES])
def test_a_field_written_since_is_restored_in_the_component_of_the_game(world, kind, field, old, new, applied):
    system = a_system()
    body = a_player(0, 0, Inertia(1), Sleeping())
    if kind is Trigger:
        esper.add_component(body, Trigger())
    component = part(body, kind)
    esper.process()
    snapshot = system.snapshot()
    setattr(component, field, new)
    if applied:
        esper.process()
        changed = system.snapshot()
        assert snapshot != changed
    system.restore(snapshot)
    assert old == getattr(component, field)
    assert snapshot == system.snapshot()
    system.check()
    setattr(component, field, new)
    if applied:
        esper.process()
        assert changed == system.snapshot()


def test_a_request_and_its_remainder_are_restored(world):
    system = a_system()
    player, step = a_player(0), 0.3 / 65536
    for _ in range(2):
        system.request(player, dx=step, dy=-1)
        esper.process()
    assert place(player) == (1 / 65536, -2, 0)
    system.request(player, dx=step)
    snapshot = system.snapshot()
    after = []
    for _ in range(2):
        motion = part(player, Motion)
        assert (motion.dx, motion.dy) == (step, 0)
        esper.process()
        for _ in range(9):
            system.request(player, dx=step)
            esper.process()
        after.append((place(player), motion.remainder(), system.snapshot()))
        system.restore(snapshot)
    assert after[0] == after[1]
    assert after[0][0][0] == 4 / 65536


def test_events_between_two_frames_are_reported_after_a_restore(world):
    system = a_system()
    player, crate, wall = a_player(0), a_sleeper(2), a_crate(5, inertia=9)
    esper.process()
    system.move(player, 3)
    snapshot = system.snapshot()
    system.move(player, 3)
    esper.process()
    system.restore(snapshot)
    assert system.events == [] and system.results == {}
    esper.process()
    assert [
        Woke(2, crate),
        Moved(2, player, (3.0, 0.0, 0.0)),
        Moved(2, crate, (2.0, 0.0, 0.0)),
        Pushed(2, crate, player, (2.0, 0.0, 0.0)),
    ] == system.events
    system.restore(snapshot)
    system.move(player, 3)
    esper.process()
    assert Blocked(2, player, wall, "x", StopReason.FORCE, (1.0, 0.0, 0.0), (wall,)) in system.events


SHAPES: dict[str, Any] = {
    "a box": lambda: BoxCollider(0.5, 0.5),
    "a giant": lambda: BoxCollider(8, 8),
    "a compound": lambda: CompoundCollider([Box(0.5, 0.5), Box(0.5, 0.5, offset=(0, 1))]),
}


@pytest.mark.parametrize(("crowd", "groups"), [(0, 0), (90, 0), (0, 1), (90, 3)], ids=["", "crowd", "fused", "both"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("after", ["a frame", "nothing", "a way out and back"])
def test_enters_and_leaves_since_the_last_frame_happen_again(world, shape, after, crowd, groups):
    """One body has left a trigger and another entered one, without an event yet; after a restore that is so again."""
    system = a_system()
    one, two = a_zone(0), a_zone(100)
    first, second = (esper.create_entity(Transform(x, 0), SHAPES[shape](), Motion()) for x in (0, 60))
    others = [a_crate(3 * number, 60) for number in range(crowd)]
    for number in range(groups):
        a_crate(0, -60 - number, Fused(a_zone(0, -60, hx=4)))
    esper.process()
    system.set_positions([first, second, *others], [[40, 0], [100, 0], *[[3 * number, 61] for number in range(crowd)]])
    snapshot = system.snapshot()
    for _ in range(2):
        if after != "nothing":
            esper.process()
        if after == "a way out and back":
            for x in (20, 0):
                system.teleport(first, x, 0)
                system.teleport(second, 100 - x, 0)
                system.set_positions(others, [[3 * number, x] for number in range(crowd)] or numpy.zeros((0, 2)))
                esper.process()
        system.restore(snapshot)
        assert (system.inside(one), system.inside(two)) == ([first], [])
        assert next_frame(system) == [("left", one, first, "MOVED"), ("entered", two, second)]
        assert next_frame(system) == []
        system.check()


def test_a_restore_fires_no_events(world):
    """Neither for the jump nor those that the abandoned frames had pending."""
    system, heard = a_system(), []
    for kind in (Woke, Moved, Pushed, Blocked, TriggerLeft, TriggerEntered, TriggerStayed, FellAsleep):
        system.on(kind, heard.append)
    player, sleeper = a_player(0), a_sleeper(4, after=2)
    zone = a_zone(8, hx=2)
    esper.process()
    snapshot = system.snapshot()
    assert snapshot == system.snapshot()
    system.move(player, 5)
    esper.process()
    assert heard and system.inside(zone) == [sleeper]
    system.move(player, 1)
    heard.clear()
    system.restore(snapshot)
    assert system.events == []
    esper.process()
    assert heard == []
    assert system.inside(zone) == []
    assert part(sleeper, Sleeping).asleep


def test_results_deferred_by_a_hook_that_raised_are_restored():
    angry: list[int] = []

    def hook(pusher: int, pushed: int, axis: str, force: float) -> None:
        if pushed in angry:
            raise RuntimeError("no")

    board = Board(can_push=hook)
    one, two = board.player(0, 0, priority=2), board.player(0, 5, priority=1)
    crates = [board.crate(1, 0), board.crate(1, 5)]
    for player in (one, two):
        board.world.request(player, 2, 1)
    angry.append(crates[1])
    with pytest.raises(RuntimeError):
        board.world.step()
    angry.clear()
    snapshot, frames = board.world.snapshot(), []
    for _ in range(2):
        frame = board.world.step()
        frames.append((frame.events, dict(frame.results), [r.explain() for r in frame.results.values()]))
        board.push(two, 5)
        board.world.step()
        board.world.restore(snapshot)
        assert snapshot == board.world.snapshot()
    assert frames[0] == frames[1]
    assert list(frames[0][1]) == [one, two]
    assert frames[0][1][one].pushed == {crates[0]: (2.0, 0.0, 0.0)}


# In esper.


def test_undelivered_events_come_first_after_a_restore(world):
    system, heard, wild = a_system(), [], [True]

    @system.on(Moved)
    def listen(event: Moved) -> None:
        if wild.pop():
            raise KeyboardInterrupt
        heard.append(event)

    one, two, three = a_player(0), a_player(0, 5), a_player(0, 9)
    esper.process()
    for number, player in enumerate((one, two, three)):
        system.move(player, number + 1)
    with pytest.raises(KeyboardInterrupt):
        esper.process()
    system.move(one, 7)
    snapshot = system.snapshot()
    late = [Moved(2, two, (2.0, 0.0, 0.0)), Moved(2, three, (3.0, 0.0, 0.0))]
    for _ in range(2):
        wild[:] = [False] * 9
        esper.process()
        assert heard == [*late, Moved(3, one, (7.0, 0.0, 0.0))]
        heard.clear()
        esper.process()
        assert heard == []
        system.restore(snapshot)
        assert snapshot == system.snapshot()
    kept = system.snapshot()
    esper.process()
    heard.clear()
    system.restore(kept)
    esper.process()
    assert heard[:2] == late


def test_a_restore_discards_undelivered_events_of_later_frames(world):
    system, heard = a_system(), []
    player = a_player(0)
    esper.process()
    snapshot = system.snapshot()
    subscription = system.on(Moved, interrupt)
    system.on(Moved, heard.append)
    system.move(player, 1)
    with pytest.raises(KeyboardInterrupt):
        esper.process()
    subscription.cancel()
    system.restore(snapshot)
    esper.process()
    assert heard == []
    system.move(player, 2)
    esper.process()
    assert heard == [Moved(3, player, (2.0, 0.0, 0.0))]


def interrupt(event: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("call", ["snapshot", "restore", "state_hash"])
def test_a_handler_may_neither_take_nor_restore_a_snapshot(world, call):
    system = a_system()
    player = a_player(0)
    snapshot = system.snapshot()
    given = [snapshot] if call == "restore" else []
    system.on(Moved, lambda event: getattr(system, call)(*given))
    system.move(player, 1)
    with pytest.raises(ReentryError, match=f"a handler of collision events called {call}"):
        esper.process()
    assert place(player) == (1, 0, 0)


def test_subscriptions_stay_and_entities_created_again_are_the_same_bodies(world):
    """A body is identified by its id and the types of its components, so a game may recreate its entities."""
    system, heard = a_system(), []
    system.on(TriggerEntered, heard.append)
    crate, zone = a_crate(0), a_zone(3)
    esper.process()
    snapshot = system.snapshot()
    for entity in (crate, zone):
        esper.delete_entity(entity, immediate=True)
    esper.process()
    assert len(system.space.cells) == 0
    esper._entities[zone] = {}
    esper._entities[crate] = {}
    for component in (Transform(8, 8), BoxCollider(2, 2), Trigger(stay=True)):
        esper.add_component(zone, component)
    for component in (Inertia(3), BoxCollider(1, 1), Transform(1, 1)):
        esper.add_component(crate, component)
    system.restore(snapshot)
    assert (place(crate), part(crate, Inertia).value, part(zone, Trigger).stay) == ((0, 0, 0), 1.0, False)
    system.move(crate, 3, force=1)
    esper.process()
    assert heard == [TriggerEntered(2, zone, crate)]


def test_a_snapshot_of_a_system_is_one_of_a_world_without_esper(world):
    system = a_system()
    crate, zone = a_crate(0), a_zone(0)
    esper.process()
    board = Board()
    board.crate(7, id=crate)
    board.body(0, 0, id=zone, trigger=Trigger())
    board.world.restore(system.snapshot())
    assert board.world.inside(zone) == [crate]
    assert board.world.snapshot() == system.snapshot()
    board.push(crate, 1)
    board.world.step()
    system.restore(board.world.snapshot())
    assert place(crate) == (1, 0, 0)
    assert system.inside(zone) == []


def test_a_snapshot_applies_pending_changes(world):
    system = a_system()
    crate = a_crate(0)
    first = system.snapshot()
    part(crate, Transform).x = 3
    assert first != system.snapshot()
    system.restore(first)
    part(crate, Transform).x = 2.0**35
    with pytest.raises(InvalidChanges, match="outside the range"):
        system.snapshot()
    system.restore(first)  # invalid pending writes are discarded like all others
    assert place(crate) == (0, 0, 0)
    assert first == system.snapshot()
