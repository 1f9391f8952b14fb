"""Plays: their files, recording and verifying, and errors."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from boards import trials
from hypothesis import given
from hypothesis import strategies as st

from ecs_collision import CollisionTypeError, CollisionValueError, LevelError
from ecs_collision.game import Game
from ecs_collision.levels import load_level, parse_level
from ecs_collision.plays import files as plays
from ecs_collision.plays.files import Place, Play, PlayEvent, parse_play, play_text, read_play, write_play
from ecs_collision.plays.replaying import record, replay, script_of, verify

TEXT = """\
; a play of three pushes
level: rooms/doors.txt
which: 2
script: yes
moves: RRUUL
       LDD .w
solved: yes
end: 3f2a97c01be45d68

events
2 player pushed crate 1
2 crate 1 entered plate
7 crate 1 left plate

places
crate 1 at 4.5 2.5
lift at -1 0.25 3
"""

PLAY = Play(
    level="rooms/doors.txt",
    which=2,
    script=True,
    moves="RRUULLDD.w",
    solved=True,
    end="3f2a97c01be45d68",
    events=(
        PlayEvent(2, "player pushed crate 1"),
        PlayEvent(2, "crate 1 entered plate"),
        PlayEvent(7, "crate 1 left plate"),
    ),
    places=(Place("crate 1", (4.5, 2.5, 0.0)), Place("lift", (-1.0, 0.25, 3.0))),
)


def test_missing_values_of_a_play_are_none() -> None:
    play = parse_play("level: a.txt\nmoves:\nsolved: no\nend: 00000000\n")
    assert Play(level="a.txt", moves="", solved=False, end="00000000") == play
    assert (None, False, None, None) == (play.which, play.script, play.events, play.places)


def test_which_may_be_a_title() -> None:
    assert "The 2 doors" == parse_play(TEXT.replace("which: 2", "which: The 2 doors")).which


SAVED = {
    "as written": TEXT,
    "line ends of Windows": TEXT.replace("\n", "\r\n"),
    "a byte order mark": "\ufeff" + TEXT,
    "spaces at line ends": TEXT.replace("\n", "   \n"),
    "no last line end": TEXT.rstrip("\n"),
}


@pytest.mark.parametrize("text", SAVED.values(), ids=SAVED.keys())
def test_a_play_file_is_read_whatever_line_ends_and_marks_an_editor_writes(text: str) -> None:
    assert PLAY == parse_play(text)


def test_a_written_play_wraps_its_moves_and_reads_back() -> None:
    play = replace(PLAY, moves="RU" * 50 + "l")
    text = play_text(play)
    assert f"moves: {'RU' * 30}\n       {'RU' * 20}l\n" in text
    assert play == parse_play(text)


NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)


@given(
    which=st.none() | st.integers(1, 99) | NAMES, moves=st.text("LRUDlrud.x;1:Ü", max_size=200),
    turn=st.integers(1, 300), names=st.lists(NAMES, min_size=2, max_size=2), at=st.integers(-(2**36), 2**36),
)  # fmt: skip
def test_any_play_reads_back_after_writing_or_is_an_error(
    which: str | int | None, moves: str, turn: int, names: list[str], at: int
) -> None:
    event = PlayEvent(turn, f"{names[0]} entered {names[1]}")
    play = replace(PLAY, which=which, moves=moves, events=(event,), places=(Place(names[0], (at / 2**16, 0.5, 0.0)),))
    try:
        text = play_text(play)
    except CollisionValueError as refusal:
        assert "cannot be written" in str(refusal)
        plain = all(name.isprintable() and name == name.strip() for name in [*names, str(which)])
        assert not plain or turn > len(moves) or str(which) != which
    else:
        assert play == parse_play(text)


def swapped(line: str, wrong: str) -> str:
    assert f"{line}\n" in TEXT
    return TEXT.replace(f"{line}\n", f"{wrong}\n")


REFUSED = {
    "nothing at all": ("", 1, 1, "no 'level'"),
    "no moves": (swapped("moves: RRUUL\n       LDD .w", "; none"), 9, 1, "no 'moves'"),
    "no end": (swapped("end: 3f2a97c01be45d68", ""), 10, 1, "no 'end'"),
    "prose": (swapped("which: 2", "the second"), 3, 1, "the line 'the second'"),
    "an unknown key": (swapped("which: 2", "witch: 2"), 3, 1, "the unknown key 'witch'"),
    "a key twice": (swapped("which: 2", "solved: no"), 7, 1, "a second 'solved'"),
    "no title": (swapped("which: 2", "which:"), 3, 7, "found nothing"),
    "a script that may be": (swapped("script: yes", "script: maybe"), 4, 9, "script: 'maybe'"),
    "solved in part": (swapped("solved: yes", "solved:  Yes"), 7, 10, "solved: 'Yes'"),
    "a hash too short": (swapped("end: 3f2a97c01be45d68", "end: 3f2a97"), 8, 6, "'3f2a97'"),
    "a hash in capitals": (swapped("end: 3f2a97c01be45d68", "end: 3F2A97C01BE45D68"), 8, 6, "'3F2A97C01BE45D68'"),
    "an indented line": (swapped("which: 2", "which: 2\n  3"), 4, 1, "an indented line"),
    "a tab": (swapped("       LDD .w", "\tLDD"), 6, 1, "the character '\\t'"),
    "a null": (swapped("which: 2", "which: 2\0"), 3, 9, "the character '\\x00'"),
    "a level outside": (swapped("level: rooms/doors.txt", "level: /etc/passwd"), 2, 8, "the reference '/etc/passwd'"),
    "a level of Windows": (swapped("level: rooms/doors.txt", "level: C:\\a.txt"), 2, 8, "the reference 'C:\\\\a.txt'"),
    "no level": (swapped("level: rooms/doors.txt", "level:"), 2, 7, "the reference ''"),
    "an event of no turn": (swapped("7 crate 1 left plate", "crate 1 left plate"), 13, 1, "'crate 1 left plate'"),
    "an event of turn 0": (swapped("2 player pushed crate 1", "0 player pushed crate 1"), 11, 1, "turn 0"),
    "an unknown event": (swapped("7 crate 1 left plate", "7 crate 1 ate plate"), 13, 1, "'7 crate 1 ate plate'"),
    "an event too early": (swapped("7 crate 1 left plate", "1 crate 1 left plate"), 13, 1, "a turn from 2 to 10"),
    "an event too late": (swapped("7 crate 1 left plate", "11 crate 1 left plate"), 13, 1, "a turn from 2 to 10"),
    "events twice": (TEXT + "\nevents\n", 19, 1, "a second section 'events'"),
    "a place nowhere": (swapped("lift at -1 0.25 3", "lift at -1 nan"), 17, 1, "'lift at -1 nan'"),
    "a place with one number": (swapped("lift at -1 0.25 3", "lift at 1"), 17, 1, "'lift at 1'"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "found"), REFUSED.values(), ids=REFUSED.keys())
def test_an_invalid_play_file_is_an_error_with_a_position(text: str, line: int, column: int, found: str) -> None:
    with pytest.raises(LevelError) as refused:
        parse_play(text, "a.play")
    assert ("a.play", line, column) == (refused.value.file, refused.value.line, refused.value.column)
    assert found in str(refused.value)


def mutant(dice: random.Random) -> bytes:
    """Return the text with a few bytes, lines or pieces changed, duplicated or removed."""
    data = bytearray(TEXT, "utf-8")
    for _ in range(dice.randint(1, 4)):
        at, length = dice.randrange(len(data) or 1), dice.randint(1, 12)
        own = [bytes(data[at : at + length]), bytes([dice.randrange(256)])]
        piece = dice.choice([*own, b"", b"\n", b": ", b"events\n", b"-1", b"1e99", b"\xc3\xa9"])
        data[at : at + dice.randint(0, length)] = piece
    return bytes(data)


def test_a_damaged_play_is_read_or_is_an_error_with_a_position() -> None:
    refused = 0
    for seed in range(trials(2000)):
        data = mutant(random.Random(seed))
        try:
            play = parse_play(data)
        except LevelError as refusal:
            refused += 1
            lines = re.split(rb"\r\n|\r|\n", data)
            assert refusal.line is not None and 1 <= refusal.line <= len(lines), data
            assert refusal.column is not None and 1 <= refusal.column <= len(lines[refusal.line - 1]) + 1, data
        else:
            assert len(play.moves) <= len(data) and play.end
    assert refused > trials(2000) // 4


def test_bytes_that_are_not_text_are_an_error() -> None:
    with pytest.raises(LevelError, match=r"^play:2:3: found the byte 0xff; expected text in UTF-8"):
        parse_play(b"; \xc3\xa4\n; \xff\n")


def test_a_play_file_above_the_limit_of_moves_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plays, "MAX_MOVES", 9)
    with pytest.raises(LevelError, match="more than 9 moves") as refused:
        parse_play(TEXT)
    assert 6 == refused.value.line


def test_a_play_is_written_atomically(tmp_path: Path) -> None:
    path = tmp_path / "first.play"
    write_play(PLAY, path)
    play = read_play(path)
    assert (PLAY, str(path)) == (play, play.name)
    assert play.source is not None and path.resolve() == play.source.path
    with pytest.raises(CollisionValueError, match="rename the thing"):
        write_play(replace(PLAY, places=(Place("a\nb", (0.0, 0.0, 0.0)),)), path)
    assert PLAY == read_play(path)
    assert [path] == list(tmp_path.iterdir())


# Recording and replaying.

BOARD = """\
#######
#@ $ .#
#   $.#
#     #
#######"""

SCRIPT = """\
def script(game):
    game.state["pushes"] = 0

    @game.on_push("crate")
    def count(event):
        game.state["pushes"] += 1
        if game.state["pushes"] == 4:
            raise RuntimeError("too often")
"""


@pytest.fixture
def level_file(tmp_path: Path) -> Path:
    """Return a level file with a script next to it."""
    (tmp_path / "room.xsb").write_text(BOARD)
    (tmp_path / "room.py").write_text(SCRIPT)
    return tmp_path / "room.xsb"


def recorded_play(level_file: Path, turns: str, script: bool = False, **changes: Any) -> Play:
    """Record a play, change some fields, write it next to the level and read it."""
    game = Game(load_level(level_file), script=script_of(level_file) if script else None)
    game.play(turns)
    path = level_file.with_suffix(".play")
    write_play(replace(record(game, level_file.name, script=script), **changes), path)
    return read_play(path)


def test_a_play_is_recorded_with_its_result(level_file: Path) -> None:
    play = recorded_play(level_file, "RRDR")
    game = Game(load_level(level_file))
    game.play("RRDR")
    assert ("room.xsb", "RRDR", False, game.state_hash()) == (play.level, play.moves, play.solved, play.end)
    assert (
        PlayEvent(2, "player pushed crate 1"),
        PlayEvent(4, "player pushed crate 2"),
        PlayEvent(4, "crate 2 entered goal 2"),
    ) == play.events
    assert play.places is not None
    assert ["crate 1 at 4.5 1.5", "crate 2 at 5.5 2.5", "player at 4.5 2.5"] == sorted(map(str, play.places))


CONTACTS = """\
legend
@ player: Motion(force=2), Contact
$ crate: Inertia(1)

map
@ $ .
"""


def test_contacts_that_begin_and_end_are_recorded(tmp_path: Path) -> None:
    (tmp_path / "room.txt").write_text(CONTACTS)
    play = recorded_play(tmp_path / "room.txt", "RRL")
    assert play.events is not None
    assert [
        "1 player came into contact with crate", "2 player pushed crate", "3 player lost contact with crate",
    ] == [*map(str, play.events)]  # fmt: skip
    assert verify(play)
    verdict = verify(replace(play, events=play.events[:-1]))
    assert "turn 3 (L): expected nothing more, found 'player lost contact with crate'" == verdict.problem


def test_recording_leaves_the_game_and_its_history_unchanged() -> None:
    game = Game(parse_level(BOARD, "xsb"))
    game.play("RRDRRR")
    before = game.snapshot()
    assert "RRDR" == record(game, "room.xsb").moves
    assert before == game.snapshot()
    assert (4, 4) == (game.undo(99), game.redo(99))


def test_an_unchanged_play_verifies(level_file: Path) -> None:
    play = recorded_play(level_file, "RRRLDR")
    verdict = verify(play)
    assert (True, None, 6) == (bool(verdict), verdict.problem, verdict.turns)
    assert play.solved
    assert verify(recorded_play(level_file, "RRRLDR", **only())), "events and places are optional"


def event(turn: int, text: str) -> dict[str, Any]:
    return {"events": (PlayEvent(turn, text),)}


def only(**change: Any) -> dict[str, Any]:
    return {"events": None, "places": None} | change


DIFFERENT = {
    "another push": (event(2, "player pushed crate 2"),
                     "turn 2 (R): expected 'player pushed crate 2', found 'player pushed crate 1'"),
    "a push too few": (event(2, "player pushed crate 1"),
                       "turn 3 (R): expected nothing more, found 'player pushed crate 1'"),
    "a push too many": (event(1, "player pushed crate 1"),
                        "turn 1 (R): expected 'player pushed crate 1', found nothing more"),
    "another place": (only(places=(Place("crate 1", (4.5, 1.5, 0.0)),)),
                      "the end: expected crate 1 at 4.5 1.5, found crate 1 at 5.5 1.5"),
    "a thing that moved": (only(places=()), "the end: expected player where it began, found player at 4.5 2.5"),
    "a thing that stayed": (only(places=(Place("goal 1", (1.5, 1.5, 0.0)),)),
                            "the end: expected goal 1 at 1.5 1.5, found goal 1 where it began"),
    "not solved": (only(solved=False), "the end: expected not solved, found solved"),
    "another end": (only(end="0" * 32), f"the end: expected the state {'0' * 32}, found"),
    "a letter unknown": (only(moves="RRRLX"), "turn 5 (X): CollisionValueError: the letter 'X' moves nothing"),
    "no such level": (only(which=2), "found no level 2; expected one of 1"),
    "no such file": (only(level="hall.xsb"), "found the reference 'hall.xsb': no readable file"),
    "a file outside": (only(level="../room.xsb"), "which leads outside the level's folder"),
    "no level file": (only(level="room.py"), "found a file ending in '.py'"),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "problem"), DIFFERENT.values(), ids=DIFFERENT.keys())
def test_the_first_difference_is_reported(level_file: Path, changes: dict[str, Any], problem: str) -> None:
    verdict = verify(recorded_play(level_file, "RRRLDR", **changes))
    assert not verdict
    assert verdict.problem is not None and problem in verdict.problem


def test_the_script_of_a_play_runs_only_if_allowed(level_file: Path) -> None:
    play = recorded_play(level_file, "RRDR", script=True)
    assert verify(play, scripts=True)
    refused = verify(play).problem
    assert refused is not None
    assert "found script: yes; expected a play without a script; allow scripts (--script) if you trust" in refused
    level_file.with_suffix(".py").unlink()
    missing = verify(play, scripts=True).problem
    assert missing is not None and "no readable file" in missing


def test_a_play_recorded_without_the_script_is_replayed_without_it(level_file: Path) -> None:
    with_script = recorded_play(level_file, "RRDR", script=True)
    without = recorded_play(level_file, "RRDR")
    assert with_script.end != without.end
    assert verify(without, scripts=True)


def test_an_exception_of_a_script_is_a_difference(level_file: Path) -> None:
    play = recorded_play(level_file, "RRRLDR", script=True)
    level_file.with_suffix(".py").write_text(SCRIPT.replace("== 4", "== 2"))
    assert "turn 3 (R): RuntimeError: too often" == verify(play, scripts=True).problem


def test_a_play_is_replayed_turn_by_turn(level_file: Path) -> None:
    shown = [(turn and turn.letter, game.moves) for turn, game in replay(recorded_play(level_file, "RRD"))]
    assert [(None, ""), ("R", "R"), ("R", "RR"), ("D", "RRD")] == shown


def test_a_play_of_one_of_several_levels_names_it(tmp_path: Path) -> None:
    level = tmp_path / "rooms.xsb"
    level.write_text(f"{BOARD}\nTitle: First\n\n#####\n#@$.#\n#####\nTitle: Second\n")
    game = Game(load_level(level, "Second"))
    game.play("R")
    write_play(record(game, level.name, which="Second"), tmp_path / "second.play")
    play = read_play(tmp_path / "second.play")
    assert ("Second", True) == (play.which, play.solved)
    assert verify(play)


def test_a_play_from_text_has_no_level() -> None:
    problem = verify(parse_play("level: a.xsb\nmoves: R\nsolved: no\nend: 00000000\n")).problem
    assert problem is not None and "was not read from a file, so its level is unknown" in problem


WRONG_TYPES: dict[str, tuple[Callable[[], Any], str]] = {
    "moves": (lambda: replace(PLAY, moves=None), "Play.moves is None; give letters as a str"),
    "a truth": (lambda: replace(PLAY, solved=1), "Play.solved is 1; give True or False"),
    "a list": (lambda: replace(PLAY, places=[]), "Play.places is []; give a tuple of places, or None"),
    "an event": (lambda: replace(PLAY, events=("R",)), "an item of Play.events is 'R'; give events as PlayEvent("),
    "a play to write": (lambda: play_text(7), "play is 7; give a Play, such as read_play(path) or"),  # type: ignore
    "a play to replay": (lambda: next(replay(7)), "play is 7; give a Play"),  # type: ignore
    "a play to verify": (lambda: verify(7), "play is 7; give a Play"),  # type: ignore
    "a game": (lambda: record(7, "a.txt"), "game is 7; give a Game or a Puzzle"),  # type: ignore
    "a path": (lambda: read_play(7), "path is 7; give a str or a pathlib.Path"),  # type: ignore
    "a folder": (lambda: read_play("a.play", 7), "root is 7; give a str or a pathlib.Path"),  # type: ignore
    "a path to write": (lambda: write_play(PLAY, 7), "path is 7; give a str or a pathlib.Path"),  # type: ignore
    "a text": (lambda: parse_play(7), "text is 7; give a str or bytes"),  # type: ignore
}


@pytest.mark.parametrize(("call", "message"), WRONG_TYPES.values(), ids=WRONG_TYPES)
def test_a_value_of_the_wrong_type_is_refused_with_what_to_give(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(CollisionTypeError) as error:
        call()
    assert str(error.value).startswith(message)


def test_half_of_a_surrogate_pair_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LevelError, match="play:1:1: found"):
        parse_play("\ud800")
    with pytest.raises(CollisionValueError, match="cannot be written"):
        play_text(replace(PLAY, moves="\ud800"))
    with pytest.raises(LevelError, match="no readable file"):
        read_play(tmp_path / "a.play", root="\ud800")
