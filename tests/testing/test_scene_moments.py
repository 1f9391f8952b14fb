"""The cost of snapshots in a scene is limited by bytes and by restored bodies, independent of the file size."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from boards import Board

from ecs_collision import LevelError
from ecs_collision.testing import record_scene, scene_reading, scene_recording, scene_replay
from ecs_collision.testing.scene_reading import parse_scene
from ecs_collision.testing.scene_replay import Player


def scene_with_snapshots(bodies: int, keeps: int) -> str:
    """Return a scene that takes many different snapshots of a row of crates, and restores all of them."""
    crates = [f"{at} at {at} 0 0: BoxCollider(hx=0.5, hy=0.5), Inertia(1)" for at in range(1, bodies + 1)]
    acts = [line for at in range(1, keeps + 1) for line in (f"move {bodies} by 0 {at} 0", "frame", f"keep {at}")]
    back = [f"back to {at}" for at in range(1, keeps + 1)]
    return "\n".join(["ecs_collision scene 1", "bodies", *crates, "acts", *acts, *back, "done", ""])


def restored_snapshots(player: Player) -> Iterator[bytes]:
    """Yield the snapshot of the world after each restore of a scene."""
    for each in player.play():
        assert [] == [line for line in each.outcome if line.startswith("refused")]
        if each.act.kind == "back":
            yield player.world.snapshot()


def test_restored_snapshots_equal_the_taken_ones() -> None:
    player = Player(parse_scene(scene_with_snapshots(1000, 100)))
    world = player.scene.world()
    expected = []
    for at in range(1, 101):
        world.move(1000, 0, at, 0)
        world.step()
        expected.append(world.snapshot())
    assert expected == list(restored_snapshots(player))
    assert 2 * sum(map(len, expected)) == player.snapshot_bytes


def test_a_scene_with_too_many_snapshot_bytes_is_refused_at_the_act(monkeypatch: pytest.MonkeyPatch) -> None:
    text = scene_with_snapshots(20, 50)
    size = len(parse_scene(text).world().snapshot())
    monkeypatch.setattr(scene_replay, "MAX_SNAPSHOT_BYTES", 70 * size)
    player, acts = Player(parse_scene(text)), 0
    with pytest.raises(LevelError, match=r"found more than [0-9]+ bytes of snapshots; expected fewer") as refusal:
        for _ in player.play():
            acts += 1
    assert 69 * size <= player.snapshot_bytes - size <= 70 * size
    line = text.split("\n")[(refusal.value.line or 0) - 1]
    assert f"back to {acts - 150 + 1}" == line
    data = "ecs_collision scene 1\nbodies\n1 at 0 0 0: BoxCollider(hx=1, hy=1)\nacts\n"
    data += "back\n  AAAA\n" * 3 + "done\n"
    monkeypatch.setattr(scene_replay, "MAX_SNAPSHOT_BYTES", 8)
    with pytest.raises(LevelError, match=r"scene:9: found more than"):
        list(Player(parse_scene(data)).play())


BACK = "back to 1"
WRITE = ["take in", "  write 2: BoxCollider(hx=0.25, hy=0.5)", "  write 3: BoxCollider(hx=0.25, hy=0.5)"]
PLACE = ["take in", "  place 2 at 9 9 0"]


@pytest.mark.parametrize(
    "acts",
    [
        ["keep 1"] * 13,
        ["keep 1", *[BACK] * 12],
        ["keep 1", *PLACE, *[BACK] * 12],
        ["keep 1", *WRITE, *[BACK] * 4],
        ["keep 1", "back", "  AAAA", *[BACK] * 2],
    ],
    ids=["keeping", "going back", "moved bodies", "changed bodies", "bytes in the file"],
)
def test_a_scene_that_restores_too_much_is_refused_when_it_is_read(acts, monkeypatch):
    monkeypatch.setattr(scene_reading, "MAX_RESTORED", 12)
    bodies = [f"{at} at {at} 0 0: BoxCollider(hx=0.5, hy=0.5)" for at in range(1, 4)]
    *head, last = ["ecs_collision scene 1", "bodies", *bodies, "acts", *acts]
    with pytest.raises(LevelError, match=rf"scene:{len(head) + 1}:1: found more than 12 states and bodies restored"):
        parse_scene("\n".join([*head, last, "done", ""]))
    assert parse_scene("\n".join([*head, "done", ""])).acts


def test_restoring_a_snapshot_that_was_refused_is_refused() -> None:
    """A body placed outside the world is refused, so no snapshot can be taken."""
    text = "ecs_collision scene 1\nbodies\n1 at 0 0 0: BoxCollider(hx=1, hy=1)\nacts\n"
    text += "take in\n  place 1 at 6e10 0 0\nkeep 1\nback to 1\ndone\n"
    *_, last = Player(parse_scene(text)).play()
    assert ("refused: snapshot 1 does not exist: taking it was refused",) == last.outcome


@pytest.mark.parametrize("limit", ["bytes", "bodies"])
def test_a_recording_with_many_restores_can_be_replayed(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A recording restarts before a replay of it would be refused."""
    board = Board()
    player = board.player(0, 0, id=1)
    size = len(board.world.snapshot())
    if limit == "bytes":
        monkeypatch.setattr(scene_replay, "MAX_SNAPSHOT_BYTES", 40 * size)
        monkeypatch.setattr(scene_recording, "MAX_RECORDED_BYTES", 20 * size)
    else:
        monkeypatch.setattr(scene_reading, "MAX_RESTORED", 60)
        monkeypatch.setattr(scene_recording, "MAX_RESTORED", 60)
    with record_scene(board.world) as recording:
        for turn in range(60):
            before = board.world.snapshot()
            board.world.move(1, turn % 7)
            board.world.bodies.of(board.world.bodies.row(player)).motion.force = turn + 1.0
            board.world.restore(before)
        text = recording.text()
    assert recording.restart_count > 3
    player = Player(parse_scene(text))
    assert [] == [each.problem for each in player.play() if each.problem]
    assert None is player.end_problem()
