"""Sleep of fused groups: a group sleeps and wakes as one, and nothing else visible depends on it (rules S)."""

from __future__ import annotations

from typing import Any

import pytest
from boards import Board, event_tuples

from ecs_collision import BoxCollider, FellAsleep, Fused, Inertia, Motion, Sleeping, Transform, Trigger, Woke


class Dorm(Board):
    """A board that reads its bodies' Sleeping and can fuse them."""

    def sleeper(self, x: float, y: float = 0.0, after: int = 2, asleep: bool = False, **more: Any) -> int:
        return self.crate(x, y, sleeping=Sleeping(asleep, after), **more)

    def parts(self, entity: int) -> Any:
        return self.world._bodies.of(self.world._bodies.row(entity))

    def change(self, entity: int, **parts: Any) -> None:
        self.world._stage(entity, self.parts(entity)._replace(**parts))

    def asleep(self, *entities: int) -> list[bool]:
        return [self.parts(entity).sleeping.asleep for entity in entities]

    def frame(self) -> list[tuple[Any, ...]]:
        reported = event_tuples(self.world.step().events, Woke, FellAsleep)
        self.world.check()
        return reported


def pair(board: Dorm, after: tuple[int, int] = (2, 2), **more: Any) -> tuple[int, int]:
    one = board.sleeper(0, after=after[0], **more)
    return one, board.sleeper(1, after=after[1], fused=Fused(one), **more)


def test_a_group_falls_asleep_as_one_after_the_longest_time_of_its_members():
    board = Dorm()
    one, two = pair(board, after=(2, 4))
    assert [board.frame() for _ in range(4)] == [[], [], [], []]
    assert board.asleep(one, two) == [False, False]
    assert board.frame() == [("FellAsleep", one)]
    assert board.asleep(one, two) == [True, True]
    assert board.frame() == []


def test_a_group_with_a_solid_member_that_has_no_sleeping_never_rests():
    board = Dorm()
    one = board.sleeper(0)
    two = board.crate(1, fused=Fused(one))
    assert [board.frame() for _ in range(6)] == [[]] * 6
    board.change(two, sleeping=Sleeping(after=2))
    assert [board.frame() for _ in range(3)] == [[], [], [("FellAsleep", one)]]
    board.change(two, sleeping=None)
    assert board.frame() == [("Woke", one)]
    assert board.asleep(one) == [False]


def test_a_sensor_needs_no_sleeping_and_shows_the_sleep_of_its_group_if_it_has():
    board = Dorm()
    one = board.sleeper(0)
    bare = board.body(2, trigger=Trigger(), fused=Fused(one))
    resting = board.body(3, trigger=Trigger(), sleeping=Sleeping(after=99), fused=Fused(bare))
    assert [board.frame() for _ in range(3)] == [[], [], [("FellAsleep", one)]]
    assert board.asleep(one, resting) == [True, True]
    board.world.teleport(bare, 9, 9)
    assert board.frame() == [("Woke", one)]
    assert board.asleep(one, resting) == [False, False]


WAKING = {
    "pushed": lambda board, one, two: board.push(board.player(-1.5, id=9), 1),
    "the other pushed": lambda board, one, two: board.push(board.player(3, id=9), -2),
    "moved": lambda board, one, two: board.push(two, 0, 1),
    "written": lambda board, one, two: board.world.teleport(two, 9, 9),
    "the root written": lambda board, one, two: board.world.teleport(one, 9, 9),
    "resized": lambda board, one, two: setattr(board.colliders[two], "hx", 0.25),
    "its layer changed": lambda board, one, two: setattr(board.colliders[two], "layer", "ghost"),
    "its inertia changed": lambda board, one, two: setattr(board.parts(two).inertia, "value", 7),
    "by hand": lambda board, one, two: setattr(board.parts(two).sleeping, "asleep", False),
    "the root by hand": lambda board, one, two: setattr(board.parts(one).sleeping, "asleep", False),
    "a member made a trigger": lambda board, one, two: board.change(two, trigger=Trigger()),
}


@pytest.mark.parametrize("wake", WAKING.values(), ids=WAKING)
def test_a_change_that_wakes_a_member_wakes_the_group_with_one_event(wake):
    board = Dorm()
    one, two = pair(board)
    while not board.frame():
        pass
    wake(board, one, two)
    assert board.frame() == [("Woke", one)]
    assert board.asleep(one, two) == [False, False]
    reported = [board.frame() for _ in range(3)]
    assert [("FellAsleep", one)] in reported
    assert board.asleep(one, two) == [True, True]


STILL = {
    "a push that is blocked": lambda board, one, two: board.push(board.player(-1, id=9, force=0.5), 1),
    "a request of its own that is blocked": lambda board, one, two: [
        board.wall(2, id=9),
        board.change(two, motion=Motion()),
        board.frame(),
        board.frame(),
        board.frame(),
        board.world.request(two, 1),
    ],
    "a trigger that passes": lambda board, one, two: board.push(board.body(-9, trigger=Trigger(), id=9), 20),
    "no motion at all": lambda board, one, two: board.push(two, 0),
    "its time to rest": lambda board, one, two: setattr(board.parts(two).sleeping, "after", 9),
}


@pytest.mark.parametrize("play", STILL.values(), ids=STILL)
def test_changes_that_wake_no_body_wake_no_group(play):
    board = Dorm()
    one, two = pair(board)
    while not board.frame():
        pass
    play(board, one, two)
    assert ("Woke", one) not in board.frame()
    assert board.asleep(one, two) == [True, True]


def test_a_request_of_one_member_keeps_the_group_from_falling_asleep():
    board = Dorm()
    one, two = pair(board)
    board.wall(2)
    board.change(two, motion=Motion())
    for _ in range(6):
        board.world.request(two, 1)
        assert board.frame() == []
    assert [board.frame() for _ in range(2)] == [[], [("FellAsleep", one)]]


def test_sleep_by_hand_on_any_member_puts_the_group_to_rest_if_it_can():
    board = Dorm()
    one, two = pair(board, after=(50, 50))
    board.frame()
    board.parts(two).sleeping.asleep = True
    assert board.frame() == [("FellAsleep", one)]
    assert board.asleep(one, two) == [True, True]
    third = board.crate(5, fused=Fused(two))
    assert board.frame() == [("Woke", one)]
    board.parts(two).sleeping.asleep = True
    assert board.frame() == []
    assert board.asleep(one, two) == [False, False]
    board.world.remove(third)
    board.frame()
    board.parts(one).sleeping.asleep = True
    assert board.frame() == [("FellAsleep", one)]


def test_fusing_wakes_the_fused_bodies():
    board = Dorm()
    one, two, three = board.sleeper(0), board.sleeper(1), board.sleeper(2)
    while not board.frame():
        pass
    board.change(two, fused=Fused(one))
    assert board.frame() == [("Woke", one), ("Woke", two)]
    assert board.asleep(one, two, three) == [False, False, True]
    assert [board.frame() for _ in range(2)] == [[], [("FellAsleep", one)]]
    board.change(three, fused=Fused(two))
    assert board.frame() == [("Woke", one), ("Woke", three)]
    board.change(three, fused=None)
    assert board.frame() == []
    assert [board.frame() for _ in range(2)] == [[], [("FellAsleep", one), ("FellAsleep", three)]]


def test_splitting_wakes_with_one_event_of_the_root():
    board = Dorm()
    one, two = pair(board)
    while not board.frame():
        pass
    board.change(two, fused=None)
    assert board.frame() == [("Woke", one)]
    assert board.asleep(one, two) == [False, False]
    assert [board.frame() for _ in range(2)] == [[], [("FellAsleep", one), ("FellAsleep", two)]]


def test_deleting_a_member_wakes_the_rest_and_deleting_a_root_gives_no_event_of_it():
    board = Dorm()
    one, two = pair(board)
    three = board.sleeper(2, fused=Fused(two))
    while not board.frame():
        pass
    board.world.remove(three)
    assert board.frame() == [("Woke", one)]
    while not board.frame():
        pass
    board.change(two, fused=None)
    board.world._stage(one, None)
    assert board.frame() == []
    assert board.asleep(two) == [False]
    assert [board.frame() for _ in range(2)] == [[], [("FellAsleep", two)]]


@pytest.mark.parametrize(
    ("one", "two", "expected"), [(True, True, True), (True, False, False), (False, True, False), (False, False, False)]
)
def test_a_group_is_created_asleep_if_all_its_members_are(one, two, expected):
    board = Dorm()
    members = {1: Sleeping(one, after=50), 2: Sleeping(two, after=50)}
    from ecs_collision.components import Parts

    for entity, sleeping in members.items():
        fused = Fused(1) if entity == 2 else None
        parts = Parts(Transform(entity, 0), BoxCollider(0.5, 0.5), Inertia(1), sleeping=sleeping, fused=fused)
        board.world._stage(entity, parts)
    assert board.frame() == []
    assert board.asleep(1, 2) == [expected, expected]
