"""The numbers that tests of games give (rows as in number_stages.py)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from number_stages import ENTITY, LEVEL, UNSAID, Give, Row, Stage, unread
from numbers_given import flag, real, strength, whole

from ecs_collision import CollisionWorld
from ecs_collision.testing import Board, assert_same_future


class OnBoard(Stage):
    """A board, drawn."""

    def __init__(self) -> None:
        self.board = Board(LEVEL)
        self.board.process()

    def state(self) -> object:
        return self.board.system.snapshot(), len(self.board.events)

    def close(self) -> None:
        self.board.close()


def _boards() -> Iterator[Row]:
    for at, axis in enumerate("xy"):
        yield Row(f"Board.move.d{axis}", real(), f"d{axis} of move", _moved(f"d{axis}", at), OnBoard)
        yield Row(f"Board.request.d{axis}", real(), f"Motion.d{axis} of entity", _called("request", at), OnBoard)
        yield Row(
            f"Board.teleport.{axis}", real(), f"{axis} of teleport", _called("teleport", at), OnBoard, edges=False
        )
    for option, kind in HOW.items():
        give = unread(lambda s, v, option=option: s.board.move("player", dx=1, **{option: v}))
        yield Row(f"Board.move.how[{option}]", kind, f"{option} of entity", give, OnBoard)
    yield Row("Board.process.frames", FRAMES, "frames", unread(lambda s, v: s.board.process(v)), OnBoard, edges=False)
    yield Row("Board.name.entity", NAMED, "", unread(lambda s, v: s.board.name(v)), OnBoard)


HOW = {"force": strength(**UNSAID), "max_chain": whole(0, **UNSAID), "all_or_nothing": flag(**UNSAID)}
FRAMES = whole(0)
NAMED = replace(ENTITY, otherwise="has no thing with the id")


def _moved(way: str, at: int) -> Give:
    return lambda stage, value: stage.board.move("player", **{way: value}).requested[at]


def _called(call: str, at: int) -> Give:
    return unread(lambda s, v: getattr(s.board, call)("player", *[v if axis == at else 1 for axis in range(2)]))


def _futures() -> Iterator[Row]:
    worlds = CollisionWorld(), CollisionWorld()
    give = unread(lambda _, v: assert_same_future(*worlds, v))
    yield Row("assert_same_future.frames", FRAMES, "frames", give, edges=False)


ROWS: list[Row] = [*_boards(), *_futures()]
