"""The cost of snapshots in a scene is limited by bytes, independent of the file size, and the number of frames too."""

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
    monkeypatch.setattr(scene_replay, "MIN_SNAPSHOT_BYTES", 1)
    monkeypatch.setattr(scene_replay, "MAX_SNAPSHOT_BYTES", 70 * size)
    player, acts = Player(parse_scene(text)), 0
    with pytest.raises(LevelError, match=r"found more than [0-9]+ bytes of snapshots; expected fewer") as refusal:
        for _ in player.play():
            acts += 1
    assert 69 * size <= player.snapshot_bytes - size <= 70 * size
    line = text.split("\n")[(refusal.value.line or 0) - 1]
    assert f"back to {acts - 150 + 1}" == line


@pytest.mark.parametrize(
    "acts",
    [["keep 1", *["back to 1"] * 9], ["back", "  AAAA"] * 9],
    ids=["of the scene", "in the file"],
)
def test_a_small_snapshot_counts_as_four_kilobytes(acts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scene_replay, "MAX_SNAPSHOT_BYTES", 3 * 4096)
    head = ["ecs_collision scene 1", "bodies", "1 at 0 0 0: BoxCollider(hx=1, hy=1)", "acts"]
    player = Player(parse_scene("\n".join([*head, *acts, "done", ""])))
    with pytest.raises(LevelError, match=r"found more than 12288 bytes of snapshots") as refusal:
        list(player.play())
    assert ["back"] == [*head, *acts][(refusal.value.line or 0) - 1].split()[:1]
    assert 4 * 4096 == player.snapshot_bytes


def test_restoring_a_snapshot_that_was_refused_is_refused() -> None:
    """A body placed outside the world is refused, so no snapshot can be taken."""
    text = "ecs_collision scene 1\nbodies\n1 at 0 0 0: BoxCollider(hx=1, hy=1)\nacts\n"
    text += "take in\n  place 1 at 6e10 0 0\nkeep 1\nback to 1\ndone\n"
    *_, last = Player(parse_scene(text)).play()
    assert ("refused: snapshot 1 does not exist: taking it was refused",) == last.outcome


def test_a_recording_with_many_restores_can_be_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A recording restarts before a replay of it would be refused."""
    board = Board()
    player = board.player(0, 0, id=1)
    monkeypatch.setattr(scene_replay, "MAX_SNAPSHOT_BYTES", 40 * 4096)
    monkeypatch.setattr(scene_recording, "MAX_RECORDED_BYTES", 20 * 4096)
    with record_scene(board.world) as recording:
        for turn in range(60):
            before = board.world.snapshot()
            board.world.move(1, turn % 7)
            board.world._bodies.of(board.world._bodies.row(player)).motion.force = turn + 1.0
            board.world.restore(before)
        text = recording.text()
    assert recording.restart_count > 3
    player = Player(parse_scene(text))
    assert [] == [each.problem for each in player.play() if each.problem]
    assert None is player.end_problem()


def test_a_recording_of_too_many_idle_frames_restarts(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board()
    board.player(0, 0, id=1)
    for module in (scene_reading, scene_recording):
        monkeypatch.setattr(module, "MAX_ACTS", 30)
    with record_scene(board.world) as recording:
        for _ in range(75):
            board.world.step()
    assert 3 == recording.restart_count
    assert [15] == [act.count for act in parse_scene(recording.text()).acts]
