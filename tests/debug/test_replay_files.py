"""Pages of scenes, plays, recordings and failed tests: what is in them, and what is refused."""

import pytest
from film_reader import film_in, states

from ecs_collision import BoxCollider, CollisionWorld, Inertia, LevelError, Motion, Static, Transform
from ecs_collision.__main__ import main
from ecs_collision.debug.play_film import film_of_play
from ecs_collision.plays.files import read_play
from ecs_collision.puzzles import FOLDER
from ecs_collision.testing import load_scene, record_scene
from ecs_collision.testing.boards import Board
from ecs_collision.testing.scene_film import film_of_scene


@pytest.fixture
def world():
    world, half = CollisionWorld(), BoxCollider(0.5, 0.5)
    world.add(transform=Transform(0, 0), collider=half, motion=Motion(force=2))
    world.add(transform=Transform(2, 0), collider=half.copy(), inertia=Inertia(1))
    world.add(transform=Transform(6, 0), collider=half.copy(), static=Static())
    return world


def test_a_recording_becomes_a_page(world, tmp_path):
    with record_scene(world) as recording:
        world.move(1, 9)
        world.step()
    path = recording.to_html(tmp_path / "a push.html", "a remark")
    assert tmp_path / "a push.html" == path
    film = film_in(path)
    assert ("a push", ["a remark"], 0) == (film["title"], film["remarks"], film["open_at"])
    assert ["start", "move", "frame"] == [step["act"] for step in film["steps"]]
    assert [4 * 65536, 0, 0] == states(film)[-1][0]["at"]
    assert str(tmp_path) not in path.read_text(encoding="utf-8")


def test_a_notebook_plays_a_recording(world):
    with record_scene(world) as recording:
        world.move(1, 1)
    shown = recording._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and shown.endswith("</iframe>") and "<script" not in shown


def test_the_page_of_a_game_has_the_names_of_its_things(tmp_path):
    board = Board("#@$ .#")
    with record_scene(board) as recording:
        board.move("@", "R")
    film = film_in(recording.to_html(tmp_path / "board.html"))
    assert {"player", "crate"} <= {body["name"] for body in film["bodies"]}
    (result,) = film["steps"][1]["results"]
    assert result["text"].startswith("player (force 1.5) moved x +1 of +1: crate (inertia 1) pushed x +1")
    board.close()


def test_a_scene_file_becomes_a_page(world, tmp_path, capsys):
    with record_scene(world) as recording:
        world.move(1, 9)
    scene, page = recording.save(tmp_path / "push.scene"), tmp_path / "out.html"
    assert 0 == main(["replay", str(scene), "--html", str(page)])
    assert f"Written: {page}\n" == capsys.readouterr().out
    assert "push.scene" == film_in(page)["title"]


def test_the_page_of_a_scene_opens_where_it_differs(world, tmp_path, capsys):
    with record_scene(world) as recording:
        world.move(1, 1)
        world.move(1, 9)
        world.step()
    path = recording.save(tmp_path / "push.scene")
    lines = path.read_text(encoding="utf-8").split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("move 1 by 9"))
    lines[at + 1] = lines[at + 1].replace("moved", "went")
    path.write_text("\n".join(lines), encoding="utf-8")
    page = tmp_path / "out.html"
    assert 1 == main(["replay", str(path), "--html", str(page)])
    assert "Differs from the recording: line" in capsys.readouterr().out
    film = film_in(page)
    assert film["steps"][film["open_at"]]["label"].startswith("move entity 1 by x +9")
    assert film["steps"][film["open_at"]]["notes"][0].startswith("not as recorded: line")


@pytest.mark.parametrize("name", ["first_push", "two_plates", "thin_ice"])
def test_a_play_becomes_a_page_turn_by_turn(name, tmp_path, capsys):
    path, page = FOLDER / f"{name}.play", tmp_path / "out.html"
    assert 0 == main(["replay", str(path), "--html", str(page)])
    assert f"Written: {page}\n" == capsys.readouterr().out
    film, play = film_in(page), read_play(path)
    states(film)
    turns = [step["label"].partition(",")[0] for step in film["steps"][1:]]
    assert [f"turn {number} ({letter})" for number, letter in enumerate(play.moves, 1)] == list(dict.fromkeys(turns))


def test_the_page_of_a_play_says_where_it_differs():
    play = read_play(FOLDER / "first_push.play")
    wrong = type(play)(play.level, play.moves + "L", play.solved, play.end, source=play.source)
    film, problem = film_of_play(wrong)
    assert problem is not None and film["open_at"] == len(film["steps"]) - 1
    assert [f"differs from the recording: {problem}"] == film["steps"][-1]["notes"]


def test_a_page_replaces_no_other_file(world, tmp_path, capsys):
    with record_scene(world) as recording:
        world.step()
    scene = recording.save(tmp_path / "push.scene")
    before = scene.read_bytes()
    assert 2 == main(["replay", str(scene), "--html", str(scene)])
    assert "found a file ending in '.scene' to write a page to; expected one ending in .html" in capsys.readouterr().err
    assert before == scene.read_bytes()
    assert 2 == main(["replay", str(scene), "--html", str(tmp_path / "no" / "page.html")])
    assert "No such file or directory" in capsys.readouterr().err


def test_a_recording_is_written_to_a_page_only(world, tmp_path):
    with record_scene(world) as recording:
        world.step()
    with pytest.raises(LevelError, match=r"expected one ending in \.html"):
        recording.to_html(tmp_path / "x.txt")
    with pytest.raises(FileNotFoundError, match="No such file or directory; make the folder first"):
        recording.to_html(tmp_path / "no" / "x.html")


def test_names_of_a_scene_are_those_at_its_head(world, tmp_path):
    with record_scene(world) as recording:
        world.move(1, 2)
    path = tmp_path / "named.scene"
    recording.save(path, "said\nnames: 1 is player, 2 is crate, 1 is heavy, 3 is wall")
    film, problem = film_of_scene(load_scene(path), at_end=True)
    assert problem is None and film["open_at"] == len(film["steps"]) - 1
    assert ["said"] == film["remarks"]
    assert "wall" == film["bodies"][2]["name"]
