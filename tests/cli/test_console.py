"""Levels and plays in the terminal: pictures, keys, output and exit codes."""

from __future__ import annotations

import io
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ecs_collision import CollisionError, puzzles
from ecs_collision.__main__ import main
from ecs_collision.cli import session as playing_session
from ecs_collision.cli import verifying
from ecs_collision.cli.files import choose, next_level
from ecs_collision.cli.playing import PuzzleMenu, play, show
from ecs_collision.cli.session import Session
from ecs_collision.cli.stage import Stage, glyphs_of
from ecs_collision.game import Game
from ecs_collision.levels import load_level, parse_level
from ecs_collision.picture import FIXED, FLAT, LOOSE, MOVER, SMALL, Piece, draw, in_ascii, plain
from ecs_collision.plays.files import read_play
from ecs_collision.plays.replaying import verify

HOUSE = Path(__file__).resolve().parents[2]

DOORS = """\
title: Two doors
author: a tester
note: Push the beam onto the plate.

legend
# wall: Static
@ player: Motion(force=2.5)
o plate: Trigger
. goal: Trigger
A beam: Inertia(2), joined
D door: Static
! torch

map
########
#@  D.!#
#AA ####
# Ao   #
#      #
########
"""

SCRIPT = """\
def script(game):
    game.door("door", opens="plate")
    game.win = "player on goal"
"""
MOVES = "RRDDDLLURLUURRRR"
"""Opens the door and goes through."""


# Pictures.


def test_every_body_is_drawn_with_one_frame() -> None:
    pieces = [
        Piece(((0, 0, 5, 1), (0, 1, 1, 4)), "#", FIXED),
        Piece(((1, 1, 2, 2),), "@", MOVER),
        Piece(((2, 1, 3, 2),), "$", LOOSE),
        Piece(((3, 1, 4, 2),), "$", LOOSE),
        Piece(((1, 2, 4, 3), (3, 3, 4, 4)), "A", LOOSE),
    ]
    assert """\
████████████████████
████████████████████
████┏@━┓┌$─┐┌$─┐
████┗━━┛└──┘└──┘
████┌A─────────┐
████└───────┐  │
████        │  │
████        └──┘""" == plain(draw(pieces, 5, 4))
    assert """\
██████████
██@@$$$$
██A─A─A│
██    A│""" == plain(draw(pieces, 5, 4, SMALL))


def test_a_ring_is_drawn_with_its_hole() -> None:
    ring = Piece(((0, 0, 3, 1), (0, 1, 1, 3), (2, 1, 3, 3), (1, 2, 2, 3)), "O", LOOSE)
    inside = Piece(((1, 1, 2, 2),), "@", MOVER)
    assert """\
┌O─────────┐
│  ┌────┐  │
│  │┏@━┓│  │
│  │┗━━┛│  │
│  └────┘  │
└──────────┘""" == plain(draw([ring, inside], 3, 3))


def test_the_frames_of_fused_bodies_are_joined() -> None:
    left, right = ((0, 0, 1, 1),), ((1, 0, 2, 2),)
    pieces = [Piece(left, "A", LOOSE, joined=right), Piece(right, "B", LOOSE, joined=left)]
    assert """\
┌A───B─┐
└───┐  │
    │  │
    └──┘""" == plain(draw(pieces, 2, 2))
    game = Game(parse_level("legend\na ant: Inertia(1)\nb bee: Inertia(1)\n\nmap\nab\n"))
    stage = Stage(game)
    assert "┌A─┐┌B─┐\n└──┘└──┘" == plain(stage.rows())
    game.fuse("ant", "bee")
    assert "┌A───B─┐\n└──────┘" == plain(stage.rows())
    game.disable("bee")
    assert "┌A─┐\n└──┘" == plain(stage.rows())


def test_bodies_between_cells_are_drawn_there() -> None:
    piece = Piece(((0.5, 0.5, 1.5, 1.5),), "$", LOOSE)
    assert "\n  ┌$─┐\n  └──┘\n" == plain(draw([piece], 3, 2))


def test_bodies_outside_the_level_are_clipped() -> None:
    assert "┌┐\n└┘" == plain(draw([Piece(((-0.5, 0.0, 0.5, 1.0),), "", LOOSE)], 1, 1))
    assert "" == plain(draw([Piece(((5.0, 5.0, 6.0, 6.0),), "$", LOOSE)], 2, 1)).strip()


def test_a_body_shows_the_trigger_below_it_and_its_sleep() -> None:
    goal = Piece(((0, 0, 2, 1),), ".", FLAT)
    assert "┌$.┐ ..\n└──┘ .." == plain(draw([Piece(((0, 0, 1, 1),), "$", LOOSE), goal], 2, 1))
    assert "$. ." == plain(draw([Piece(((0, 0, 1, 1),), "$", LOOSE), goal], 2, 1, SMALL))
    assert "┌$z┐ ..\n└──┘ .." == plain(draw([Piece(((0, 0, 1, 1),), "$", LOOSE, mark="z"), goal], 2, 1))


def test_a_picture_can_be_converted_to_ascii() -> None:
    pieces = [
        Piece(((0, 0, 1, 1),), "#", FIXED),
        Piece(((1, 0, 2, 1),), "@", MOVER),
        Piece(((2, 0, 3, 1),), "$", LOOSE),
    ]
    assert "####+@=++$-+\n####+==++--+" == in_ascii(plain(draw(pieces, 3, 1)))
    assert "?" == in_ascii("é")


def test_runs_of_a_picture_have_one_style_each() -> None:
    rows = draw([Piece(((0, 0, 1, 1),), "$", LOOSE, "red"), Piece(((1, 0, 2, 1),), ".", FLAT, "green")], 3, 1)
    assert [("┌$─┐", "red"), (" .. ", "green"), ("    ", "")] == [tuple(run) for run in rows[0]]


def test_kinds_have_the_usual_letters_or_one_of_their_own() -> None:
    assert {
        "wall": "#", "player": "@", "plate": "P", "goal": ".", "beam": "B", "door": "D", "torch": "T",
    } == dict(glyphs_of(parse_level(DOORS)))  # fmt: skip
    many = "legend\na plate\nb pipe: Static\nc pool: Static\nd Pa: Static\n\nmap\nabcd\n"
    assert {"plate": "P", "pipe": "I", "pool": "O", "Pa": "A"} == dict(glyphs_of(parse_level(many)))


def test_a_game_is_drawn_in_its_current_state() -> None:
    game = Game(parse_level(DOORS))
    stage = Stage(game)
    text = plain(stage.rows())
    assert "████┌B─────┐    ████" in text and "▒D▒▒ .. " in text and " TT " in text
    game.disable("door")
    assert "▒" not in plain(stage.rows())
    assert 4 * 8 == max(map(len, plain(stage.rows(80, 24)).split("\n")))
    assert 2 * 8 == max(map(len, plain(stage.rows(31, 24)).split("\n")))
    assert "█ wall  @ player  D door  . goal  T torch  B beam  P plate" == stage.legend()


def test_sleepers_are_marked() -> None:
    game = Game(parse_level("legend\n@ player: Motion(force=2)\nS sack: Inertia(1), Sleeping(after=2)\n\nmap\n@ S\n"))
    assert "S─" in plain(Stage(game).rows())
    game.play("...")
    assert "Sz" in plain(Stage(game).rows())


# Sessions.


@pytest.fixture
def session() -> Session:
    return Session(Game(parse_level("#######\n#@ $ .#\n#######", "xsb")), lambda game: f"kept {game.moves}")


def test_keys_move_undo_redo_and_restart(session: Session) -> None:
    for key in ["right", "R", "r", "u", "u", "y", ".", " "]:
        session.press(key)
    assert "RR.." == session.game.moves
    session.press("undo")
    session.press("redo")
    assert ("RR..", "") == (session.game.moves, session.message)


def test_a_session_reports_the_result_of_a_key(session: Session) -> None:
    result = []
    for key in ["u", "y", "up", "x", "é", "R", "R", "S", "R", "r", "?"]:
        session.press(key)
        result.append(session.message)
    assert [
        "There is nothing to undo.",
        "There is nothing to redo.",
        "player (force 1.5) moved y 0 of -1; y stopped after 0 by wall (immovable): it cannot be pushed",
        "The key 'x' does nothing here.",
        "The key 'é' does nothing here.",
        "",
        "",
        "kept RR",
        "Solved in 3 moves!",
        "Restarted; undo brings the game back.",
        "The key '?' does nothing here.",
    ] == result
    assert "0 moves" == session.status()


def test_q_and_the_end_of_the_keys_end_a_session(session: Session) -> None:
    session.press("R")
    assert not session.ended
    session.press("q")
    assert session.ended


def test_letters_of_the_game_come_before_those_of_commands(session: Session) -> None:
    usual = "arrows or wasd move   space waits   u undo   y redo   r restart   h hint   l log   S save   q quit"
    assert usual == session.help()
    session.game.control("player", "lrud")
    for key in ["r", "right", "undo"]:
        session.press(key)
    assert "r" == session.game.moves
    assert "arrows l r u d move   space waits   y redo   h hint   S save   q quit" == session.help()


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda game: game.teleport("stranger", 0, 0), "has no thing named 'stranger'"),
        (lambda game: 1 / 0, "The script raised ZeroDivisionError: division by zero. The turn was undone."),
    ],
    ids=["of the package", "of Python"],
)
def test_an_error_of_a_handler_becomes_a_message(session: Session, act: Callable[[Game], object], message: str) -> None:
    session.game.on_push("crate")(lambda event: act(session.game))
    for key in "RR":
        session.press(key)
    assert message in session.message
    assert "R" == session.game.moves


def test_wasd_are_arrow_keys_unless_the_game_uses_one_of_them(session: Session) -> None:
    for key in "dsaw":
        session.press(key)
    assert "RDLU" == session.game.moves or "RL" == session.game.moves
    session.game.control("player", "asdf")
    session.press("w")
    assert "The key 'w' does nothing here." == session.message
    session.press("d")
    assert "arrows a s d f move" in session.help()


def test_a_partly_refused_push_is_explained() -> None:
    level = parse_level("legend\n# wall: Static\n@ player: Motion(force=2)\nB beam: Inertia(5)\n\nmap\n@B #\n")
    session = Session(Game(level), lambda game: "")
    session.press("R")
    assert (
        "player (force 2) moved x 0 of +1; x stopped after 0 by beam (inertia 5): the force is too small"
        == session.message
    )


def test_the_log_follows_undo_and_redo(session: Session) -> None:
    for key in "RR":
        session.press(key)
    assert ["2 player pushed crate"] == session.log
    session.press("u")
    assert [] == session.log
    session.press("y")
    assert ["2 player pushed crate"] == session.log
    session.press("u")
    session.press("L")
    assert [] == session.log
    session.press("l")
    assert not session.shows_log


def test_hints_are_the_moves_of_a_solution(session: Session) -> None:
    for number in range(3):
        session.press("h")
        assert (number, "Hint: right") == (len(session.game.moves), session.message)
        session.press("R")
    session.press("h")
    assert "It is solved." == session.message


def test_a_hint_follows_the_recorded_solution_while_the_player_does() -> None:
    level = parse_level("######\n#    #\n#@$ .#\n######", "xsb")
    session = Session(Game(level), lambda game: "", solution="URDLRR")  # not the shortest
    session.press("h")
    assert "Hint: up" == session.message
    session.press("R")
    session.press("h")
    assert "Hint: right" == session.message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#####\n#$@.#\n#####", "It cannot be won from here; undo or restart."),
        ("#####\n#@  #\n#####", "no win condition"),
    ],
    ids=["lost", "without a goal"],
)
def test_a_game_that_cannot_be_won_has_no_hint(text: str, expected: str) -> None:
    session = Session(Game(parse_level(text, "xsb")), lambda game: "")
    session.press("h")
    assert expected in session.message


def test_a_search_for_a_hint_ends(monkeypatch: pytest.MonkeyPatch, session: Session) -> None:
    monkeypatch.setattr(playing_session, "HINT_SECONDS", 0.0)
    session.press("h")
    assert "No hint: the solver found no way to win within 0 seconds." == session.message


def test_winning_leads_to_the_next_level() -> None:
    session = Session(Game(parse_level("#####\n#@$.#\n#####", "xsb")), lambda game: "", next_title="Two")
    session.press("n")
    assert ("Win this level first; then n plays 'Two'.", False) == (session.message, session.ended)
    session.press("R")
    assert "Solved in 1 move! Press n for 'Two'." == session.message and "n next" in session.help()
    session.press("n")
    assert session.ended and session.goes_on
    last = Session(Game(parse_level("#####\n#@$.#\n#####", "xsb")), lambda game: "")
    last.press("n")
    assert ("There is no next level.", False) == (last.message, last.ended)


def test_the_next_level_is_that_of_the_file_or_the_next_puzzle(tmp_path: Path) -> None:
    path = tmp_path / "two.xsb"
    path.write_text("#####\n#@$.#\n#####\nTitle: One\n\n#####\n#.$@#\n#####\nTitle: Two\n")
    for which in (None, "1", "One"):
        following = next_level(choose(str(path), which, False))
        assert following is not None and "Two" == following.level.title and next_level(following) is None
    names = puzzles.names()
    second = next_level(choose(names[0], None, False))
    assert second is not None and names[1] == second.path.stem
    assert next_level(choose(names[-1], None, False)) is None


# Commands.


@pytest.fixture
def doors(tmp_path: Path) -> Path:
    """Return a level file with a script beside it."""
    (tmp_path / "doors.py").write_text(SCRIPT)
    (tmp_path / "doors.txt").write_text(DOORS)
    return tmp_path / "doors.txt"


@dataclass
class CommandResult:
    """The exit code and output of a command."""

    status: int
    out: str
    err: str


Run = Callable[..., CommandResult]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command, with keys from a pipe."""

    def run(*arguments: object, keys: str = "") -> CommandResult:
        monkeypatch.setattr("sys.stdin", io.StringIO(keys))
        status = main([str(argument) for argument in arguments])
        return CommandResult(status, *capsys.readouterr())

    return run


def test_a_level_is_played_by_letters_from_a_pipe(run: Run, doors: Path) -> None:
    result = run("play", doors, keys="RR\nxD u q R")
    assert (0, "") == (result.status, result.err)
    first, last = result.out.split("2: The key 'x' does nothing here.")
    assert first.startswith("Two doors\na tester\nPush the beam onto the plate.\n")
    assert "████┏@━┓        ▒D▒▒" in first
    assert "████        ┏@━┓▒D▒▒" in last
    assert result.out.endswith("\n2 moves, no win condition\n")


def test_a_level_in_which_nothing_moves_or_wins_says_so(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "stock.txt"
    path.write_text("legend\n# wall: Static\n\nmap\n# #\n")
    played = run("play", path, keys="R").out
    assert f"0: the letter 'R' moves nothing; {path} has no thing that can move; give components with kinds=" in played
    assert played.endswith("\n0 moves, no win condition\n")
    assert f": no way to win: {path} has no win condition; give it the property win" in run("solve", path).out


def test_the_script_beside_a_level_runs_only_with_the_option(run: Run, doors: Path) -> None:
    without = run("play", doors)
    assert f"The script {doors.with_suffix('.py')} was not run; add --script if you trust it." in without.out
    with_it = run("play", doors, "--script", keys=MOVES)
    assert "was not run" not in with_it.out
    assert f"{len(MOVES)} moves, solved\n" in with_it.out
    doors.with_suffix(".py").unlink()
    assert "was not run" not in run("play", doors).out
    missing = run("play", doors, "--script")
    assert 2 == missing.status
    assert "doors.py: found no such file; expected the script of the level; leave out --script" in missing.err


def test_S_saves_the_play_beside_the_level_under_an_unused_name(run: Run, doors: Path) -> None:
    first, second = doors.with_suffix(".play"), doors.with_name("doors-2.play")
    assert f"1: Saved: {first}" in run("play", doors, keys="RS").out
    assert ("doors.txt", "R", False) == (read_play(first).level, read_play(first).moves, read_play(first).script)
    run("play", doors, "--script", keys=MOVES[:3] + "S" + MOVES[3:] + "S")
    assert "R" == read_play(first).moves
    play = read_play(second)
    assert (MOVES, True, True) == (play.moves, play.solved, play.script)
    assert verify(play, scripts=True)
    assert ["doors-2.play", "doors.play", "doors.py", "doors.txt"] == sorted(
        path.name for path in doors.parent.iterdir()
    )


def test_a_play_is_saved_to_a_path_from_which_it_can_refer_to_its_level(run: Run, doors: Path) -> None:
    above = doors.parent / "plays" / ".." / "above.play"
    (doors.parent / "rooms").mkdir()
    (doors.parent / "plays").mkdir()
    shutil.move(doors, doors.parent / "rooms")
    level = doors.parent / "rooms" / "doors.txt"
    assert "Saved" in run("play", level, "--save", above, keys="RS").out
    assert "rooms/doors.txt" == read_play(above).level
    aside = run("play", level, "--save", doors.parent / "plays" / "a.play", keys="RS").out
    assert "a play refers to its level by a path inside its folder: save it beside the level" in aside
    (doors.parent / "folder.play").mkdir()
    assert "Is a directory" in run("play", level, "--save", doors.parent / "folder.play", keys="S").out
    (doors.parent / "folder.play").rmdir()
    assert ["doors.txt"] == os.listdir(level.parent) and ["plays", "rooms"] == sorted(os.listdir(doors.parent))[2:]


@pytest.mark.parametrize("command", ["play", "solve"])
def test_a_play_never_replaces_a_level(run: Run, doors: Path, command: str) -> None:
    before = doors.read_bytes()
    result = run(command, doors, "--save", doors, keys="RS")
    assert (2, "", before) == (result.status, result.out, doors.read_bytes())
    expected = f"{doors}: found a file ending in '.txt' to save to; expected one ending in .play; write --save "
    assert expected in result.err


def test_a_level_is_selected_in_a_file_with_several(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "two.xsb"
    path.write_text("#####\n#@$.#\n#####\nTitle: One\n\n#####\n#.$@#\n#####\nTitle: Two\n")
    for which in ("2", "Two"):
        assert "1: Solved in 1 move!" in run("play", path, "--which", which, keys="L").out
    wrong = run("play", path, "--which", "3")
    assert 2 == wrong.status and "found no level 3; expected one of 2: 'One', 'Two'" in wrong.err


def test_play_without_a_level_lists_the_built_in_puzzles(
    run: Run, monkeypatch: pytest.MonkeyPatch, doors: Path
) -> None:
    monkeypatch.setattr(puzzles, "FOLDER", doors.parent)
    result = run("play")
    assert result.out.startswith("doors  Two doors\n\nPlay one with: python -m ecs_collision play NAME")


def test_a_built_in_puzzle_runs_its_script_and_is_copied_with_its_play(
    run: Run, monkeypatch: pytest.MonkeyPatch, doors: Path
) -> None:
    monkeypatch.setattr(puzzles, "FOLDER", doors.parent)
    away = doors.parent.parent / "away"
    away.mkdir()
    monkeypatch.chdir(away)
    result = run("play", "doors", keys=MOVES + "S")
    assert (0, True) == (result.status, f"Saved: {away / 'doors.play'}" in result.out)
    assert ["doors.play", "doors.py", "doors.txt"] == sorted(path.name for path in away.iterdir())
    assert verify(read_play(away / "doors.play"), scripts=True)
    (away / "doors.txt").write_text("another")
    assert "found a different file with this name" in run("play", "doors", keys="S").out


def test_an_invalid_level_is_refused(run: Run, tmp_path: Path) -> None:
    unknown = run("play", "nowhere")
    assert (2, "") == (unknown.status, unknown.out)
    assert "error: nowhere: found no such file and no included puzzle" in unknown.err
    assert "found no readable file" in run("solve", tmp_path / "nowhere.xsb").err
    (tmp_path / "bad.txt").write_text("legend\n# wall: Wall\n\nmap\n#\n")
    bad = run("play", tmp_path / "bad.txt")
    assert 2 == bad.status and "bad.txt:2:9: found" in bad.err


def test_a_solution_is_printed_and_saved(run: Run, doors: Path) -> None:
    result = run("solve", doors, "--script", "--save")
    assert (0, "") == (result.status, result.err)
    assert re.match(r"Two doors: solved with 1 push and 15 steps \(\d+ states in [0-9.]+ s\)\n", result.out)
    assert verify(read_play(doors.with_suffix(".play")), scripts=True)
    assert f"Saved: {doors.with_suffix('.play')}\n" in result.out
    run("solve", doors, "--script", "--save", doors.with_name("b.play"))
    assert read_play(doors.with_name("b.play")) == read_play(doors.with_suffix(".play"))


def test_every_file_that_saving_a_solution_writes_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    files = [tmp_path / f"keep_it_open.{ending}" for ending in ("play", "txt", "py")]
    assert f"Saved: {', '.join(map(str, files))}\n" in run("solve", "keep_it_open", "--save").out
    assert sorted(files) == sorted(tmp_path.iterdir())
    second = run("solve", "keep_it_open", "--save").out
    assert f"Saved: {tmp_path / 'keep_it_open-2.play'}\n" in second, "the copies are there already"


def test_no_solution_or_none_within_the_limits_returns_1(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "lost.xsb"
    path.write_text("######\n#@ $.#\n#   .#\n#  $ #\n######")
    lost = run("solve", path)
    assert 1 == lost.status and "no way to win: all states were searched" in lost.out
    path.write_text("#######\n#@ $ .#\n#  $ .#\n#     #\n#######")
    assert 1 == run("solve", path, "--max-states", 2).status
    late = run("solve", path, "--seconds", 0)
    assert 1 == late.status and "gave up after" in late.out
    assert 0 == run("solve", path).status


@pytest.fixture
def folder(run: Run, doors: Path) -> Path:
    """Return a folder with four plays: two valid ones, one that differs, one that cannot be read."""
    (doors.parent / "b").mkdir()
    shutil.copy(doors, doors.parent / "b" / "again.txt")
    run("play", doors, "--script", keys=MOVES + "S")
    run("play", doors.parent / "b" / "again.txt", keys="RRS")
    good = doors.with_suffix(".play")
    doors.with_name("c.play").write_text(good.read_text().replace("solved: yes", "solved: no"))
    doors.with_name("d.play").write_text("level: doors.txt\n")
    return doors.parent


def test_verify_replays_every_play_of_a_folder(run: Run, folder: Path) -> None:
    result = run("verify", folder, "--jobs", 1, "--script")
    assert (1, "") == (result.status, result.err)
    assert [
        "ok    b/again.play: again.txt, 2 moves, N ms",
        "WRONG c.play: doors.txt: the end: expected not solved, found solved",
        f"WRONG d.play: ?: {folder / 'd.play'}:2:1: found no 'moves'; expected the keys 'level', 'moves', 'solved', "
        "'end'; add a line 'moves: ...'",
        f"ok    doors.play: doors.txt, {len(MOVES)} moves, N ms",
        "4 plays, 2 of them WRONG",
    ] == re.sub(r"\d+ ms", "N ms", result.out).splitlines()


def test_verify_reports_that_all_is_as_recorded(run: Run, folder: Path) -> None:
    result = run("verify", folder / "b", "--jobs", 1)
    assert 0 == result.status and result.out.endswith("\n1 play, all as recorded\n")
    assert 0 == run("verify", folder / "b" / "again.play", "--jobs", 1).status


def test_verify_runs_scripts_only_with_the_option(run: Run, folder: Path) -> None:
    result = run("verify", folder / "doors.play", "--jobs", 1)
    assert (1, "") == (result.status, result.err)
    assert [
        "SKIPPED doors.play: doors.txt: its script was not run",
        "1 play, 1 of them SKIPPED: add --script if you trust their scripts",
    ] == result.out.splitlines()


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_several_cores_give_the_same_table(run: Run, folder: Path, backend: str) -> None:
    alone, together = (run("verify", folder, "--script", "--jobs", jobs, "--backend", backend).out for jobs in (1, 2))
    assert re.sub(r"\d+ ms", "N ms", alone) == re.sub(r"\d+ ms", "N ms", together)


def test_a_folder_without_plays_is_refused(run: Run, tmp_path: Path) -> None:
    result = run("verify", tmp_path)
    assert 2 == result.status and f"error: {tmp_path}: found no plays; expected a folder with files" in result.err
    assert 2 == run("verify", tmp_path / "nowhere").status


def test_a_cluster_needs_dask(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = run("verify", folder, "--backend", "dask")
    assert 2 == result.status
    expected = "error: --backend dask needs distributed, which is not installed; run: pip install distributed\n"
    assert expected == result.err


def test_a_cluster_is_found_by_its_address_or_started_locally(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    class Client:
        def __init__(self, *address: str) -> None:
            asked.extend(address)
            if address == ("nowhere:1",):
                raise OSError("timed out")

        def __enter__(self) -> Client:
            return self

        def __exit__(self, *problem: object) -> None:
            asked.append("closed")

    module = types.ModuleType("distributed")
    module.Client = Client  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "distributed", module)
    with verifying.connect("here:8786"), verifying.connect(None):
        assert ["here:8786"] == asked
    assert ["here:8786", "closed", "closed"] == asked
    result = run("verify", folder, "--backend", "dask", "--address", "nowhere:1")
    assert 2 == result.status and "error: no Dask scheduler answers at 'nowhere:1': timed out; start it" in result.err


@pytest.mark.parametrize("module", ["readchar", "rich.console"])
def test_a_missing_extra_is_reported_with_the_command_to_install_it(
    run: Run, doors: Path, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setitem(sys.modules, module, None)
    chosen = choose(str(doors), None, script=False)
    with pytest.raises(CollisionError) as missing:
        play(chosen, Terminal(), Terminal())
    name = module.partition(".")[0]
    assert str(missing.value) == (
        f"playing in a terminal needs {name}, which is not installed; run: "
        "pip install 'ecs-collision[play]' (in a checkout: pip install -e '.[play]')"
    )


def test_a_play_is_shown_and_compared_with_its_recording(run: Run, folder: Path) -> None:
    result = run("replay", folder / "doors.play", "--script", "--delay", 0)
    assert (0, "") == (result.status, result.err)
    assert "Two doors\n\n███" in result.out and f"0 of {len(MOVES)}\n1 of {len(MOVES)}: {MOVES[0]}" in result.out
    assert "player pushed beam; beam entered plate" in result.out
    assert result.out.endswith("\nAll as recorded.\n")
    wrong = run("replay", folder / "c.play", "--script", "--delay", 0)
    assert 1 == wrong.status
    assert wrong.out.endswith("Differs from the recording: the end: expected not solved, found solved\n")
    refused = run("replay", folder / "doors.play")
    assert (2, "") == (refused.status, refused.out)
    assert "found script: yes; expected a play without a script" in refused.err


def test_pictures_are_in_ascii_if_the_terminal_supports_nothing_else(doors: Path) -> None:
    result = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    play(choose(str(doors), None, script=False), io.StringIO("R"), result)
    result.seek(0)
    assert "####    +@=+    %D%% .." in result.read()


# A real terminal.


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    pytest.importorskip("pty")
    terminal = Terminal()
    yield terminal
    terminal.close()


class Terminal:
    """A program running in a terminal of 100 columns and 30 rows."""

    def __init__(self) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self._ours, self._theirs = pty.openpty()
        fcntl.ioctl(self._theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        self._program: subprocess.Popen[bytes] | None = None
        self.seen = ""

    def start(self, *arguments: object) -> None:
        import fcntl
        import termios

        def sit_down() -> None:
            """Own the terminal, and handle Control-C even if the parent process ignores it."""
            signal.signal(signal.SIGINT, signal.default_int_handler)
            fcntl.ioctl(self._theirs, termios.TIOCSCTTY, 0)

        self._program = subprocess.Popen(
            [sys.executable, "-m", "ecs_collision", *map(str, arguments)],
            cwd=HOUSE, env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "", "LINES": "", "NO_COLOR": ""},
            stdin=self._theirs, stdout=self._theirs, stderr=self._theirs, start_new_session=True,
            preexec_fn=sit_down,
        )  # fmt: skip

    def press(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def wait_for(self, text: str) -> None:
        """Read until a text was written since the last wait; fails after a minute."""
        end = time.monotonic() + 60
        self.seen = ""
        while text not in self.seen:
            assert time.monotonic() < end, f"{text!r} did not come; last came {self.seen[-2000:]!r}"
            self._listen(1.0)

    def status(self) -> int:
        """Return what the program returns, once it does; fails after a minute."""
        assert self._program is not None
        end = time.monotonic() + 60
        while self._program.poll() is None:
            assert time.monotonic() < end, f"it does not end; last came {self.seen[-2000:]!r}"
            self._listen(0.01)
        return self._program.returncode

    def _listen(self, seconds: float) -> None:
        if select.select([self._ours], [], [], seconds)[0]:
            self.seen += _plain(os.read(self._ours, 65536).decode(errors="replace"))

    def close(self) -> None:
        if self._program is not None and self._program.poll() is None:
            self._program.kill()
            self._program.wait()
        os.close(self._ours)
        os.close(self._theirs)


def _plain(text: str) -> str:
    """Return a text without escape sequences."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


def test_a_level_is_played_with_the_arrow_keys(terminal: Terminal, doors: Path) -> None:
    terminal.start("play", doors, "--script")
    terminal.wait_for("wasd move")
    assert "Push the beam onto the plate." in terminal.seen and "┌B─────┐" in terminal.seen
    arrows = {"L": "\x1b[D", "R": "\x1b[C", "U": "\x1b[A", "D": "\x1b[B"}
    for number, letter in enumerate(MOVES, start=1):
        terminal.press(arrows[letter])
        terminal.wait_for(f"{number} move")
        terminal.wait_for("q quit") if "q quit" not in terminal.seen else None
    assert f"Solved in {len(MOVES)} moves!" in terminal.seen
    terminal.press("\x7f")
    terminal.wait_for("q quit")
    assert f"{len(MOVES) - 1} moves" in terminal.seen and "solved" not in terminal.seen
    terminal.press("y")
    terminal.wait_for("solved")
    terminal.press("S")
    terminal.wait_for("Saved: ")
    terminal.press("q")
    assert 0 == terminal.status()
    assert MOVES == read_play(doors.with_suffix(".play")).moves


def test_keys_typed_quickly_are_all_read(terminal: Terminal, doors: Path) -> None:
    terminal.start("play", doors, "--script")
    terminal.wait_for("q quit")
    terminal.press("\x1b[C\x1b[CDDDé\x1bOD\x1b[DURLUURRRRSq")
    assert 0 == terminal.status()
    assert (MOVES, True) == (read_play(doors.with_suffix(".play")).moves, read_play(doors.with_suffix(".play")).solved)


def test_the_screen_shows_the_last_events_if_there_is_room() -> None:
    rich = pytest.importorskip("rich.console")
    level = parse_level("###########\n#@$      .#\n###########", "xsb")
    session = Session(Game(level), lambda game: "")
    for _ in range(7):
        session.press("R")

    def screen(height: int) -> str:
        console = rich.Console(width=100, height=height, file=io.StringIO(), color_system=None)
        shown = show(session, Stage(session.game), level, (100, height))
        return "\n".join("".join(part.text for part in line) for line in console.render_lines(shown, pad=False))

    assert "3 player pushed crate" in screen(40) and "2 player pushed crate" not in screen(40)
    assert "7 crate entered goal" in screen(40) and "pushed" not in screen(14)
    session.press("l")
    assert "pushed" not in screen(40)


@pytest.mark.parametrize(
    ("width", "height", "seen", "unseen"),
    [
        (80, 40, ["┌B─────┐", "Push the beam", "B beam", "q quit"], []),
        (80, 22, ["┌B─────┐", "Push the beam", "B beam", "q quit"], []),
        (80, 21, ["██B─B│ ", "Push the beam", "B beam", "q quit"], ["┌B─────┐"]),
        (20, 25, ["██B─B│ ", "Push the beam", "B beam", "q quit"], ["┌B─────┐"]),
        (20, 12, ["██B─B│ ", "0 moves", "over there"], ["Push", "B beam", "q quit"]),
    ],
)
def test_a_small_terminal_shows_at_least_the_picture(
    width: int, height: int, seen: list[str], unseen: list[str]
) -> None:
    rich = pytest.importorskip("rich.console")
    level = parse_level(DOORS)
    session = Session(Game(level), lambda game: "")
    session.message = "over there"
    screen = rich.Console(width=width, height=height, file=io.StringIO(), color_system=None)
    shown = show(session, Stage(session.game), level, (width, height))
    lines = "\n".join("".join(part.text for part in line) for line in screen.render_lines(shown, pad=False))
    assert len(lines.split("\n")) <= height
    assert all(text in re.sub(r"\s+", " ", lines) for text in seen), lines
    assert not [text for text in unseen if text in lines]


def test_a_puzzle_is_chosen_from_a_list_by_keys(terminal: Terminal) -> None:
    terminal.start("play")
    terminal.wait_for("Enter plays")
    assert "> 1  First push" in terminal.seen or ">  1  First push" in terminal.seen
    terminal.press("s")
    terminal.wait_for(">  2")
    terminal.press("w\r")
    terminal.wait_for("q quit")
    terminal.press("hq")
    terminal.wait_for("Enter plays")
    terminal.press("q")
    assert 0 == terminal.status()


def test_a_won_puzzle_leads_to_the_next_one_in_the_terminal(terminal: Terminal) -> None:
    terminal.start("play", "first_push")
    terminal.wait_for("wasd move")
    terminal.press(read_play(puzzles.FOLDER / "first_push.play").moves.translate(str.maketrans("LRUD", "adws")))
    terminal.wait_for("n next")
    terminal.press("n")
    terminal.wait_for("0 moves")
    assert load_level(puzzles.path(puzzles.names()[1])).title in terminal.seen
    terminal.press("q")
    assert 0 == terminal.status()


@pytest.mark.parametrize("height", [6, 12, 60])
def test_a_list_of_puzzles_shows_the_marked_one_in_any_terminal(height: int) -> None:
    menu = PuzzleMenu()
    for _ in menu.names:
        lines = menu.lines(height)
        assert len(lines) <= height and 1 == sum(line.startswith(">") for line, _ in lines)
        assert menu.press("down") is None
    assert (menu.names[0], menu.names[-1]) == (menu.press("\r"), menu.press("up") or menu.press(" "))


def test_control_c_ends_a_game(terminal: Terminal, doors: Path) -> None:
    terminal.start("play", doors)
    terminal.wait_for("wasd move")
    terminal.press("\x03")
    assert 0 == terminal.status()
    assert "Traceback" not in terminal.seen


def test_a_terminal_shows_a_bar_and_a_table(terminal: Terminal, folder: Path) -> None:
    terminal.start("verify", folder, "--script", "--jobs", 1)
    terminal.wait_for("of them WRONG")
    assert 1 == terminal.status()
    rows = [[cell.strip() for cell in line.split("│")[1:-2]] for line in terminal.seen.splitlines() if "│" in line]
    assert ["b/again.play", "again.txt", "2", "as recorded"] in rows
    assert ["c.play", "doors.txt", str(len(MOVES)), "the end: expected not solved, found solved"] in rows


def test_a_terminal_shows_a_play_in_place(terminal: Terminal, folder: Path) -> None:
    terminal.start("replay", folder / "doors.play", "--script", "--delay", "0.01")
    terminal.wait_for("All as recorded.")
    assert 0 == terminal.status()
    assert f"{len(MOVES)} of {len(MOVES)}: {MOVES[-1]}" in terminal.seen


def test_control_c_ends_a_long_search(terminal: Terminal, doors: Path) -> None:
    doors.write_text("win: 2 player on goal\nlegend\n@ player: Motion(force=1)\n. goal: Trigger\n\nmap\n@\n.\n")
    terminal.start("solve", doors, "--max-states", "100000000")
    terminal.wait_for("was not run")
    terminal.press("\x03")
    assert 130 == terminal.status()
    assert "Interrupted." in terminal.seen and "Traceback" not in terminal.seen
