"""Every command under every condition: invalid files, hostile texts and names, closed and broken streams.

The commands and their file arguments come from the parser of the command line (commands.py), so new ones are tested
too, or fail the first test.
"""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest
from commands import (
    BOARD,
    LEVEL,
    SCENE,
    VALID_CALLS,
    CommandResult,
    FileArgument,
    Streams,
    call,
    calls,
    commands,
    control_characters,
    file_arguments,
    run,
    streams,
    valid_files,
    write_files,
)

from ecs_collision import CollisionError, puzzles
from ecs_collision.cli.verifying import Checked, Table
from ecs_collision.levels.limits import MAX_SCENE_BYTES

ARGUMENTS = list(file_arguments())
OUTPUTS = ("--save", "--html")
INPUTS_TO_READ = [argument for argument in ARGUMENTS if argument.option not in OUTPUTS]
FILES_TO_WRITE = [argument for argument in ARGUMENTS if argument.option in OUTPUTS]


@pytest.fixture(autouse=True)
def time_limit() -> Iterator[None]:
    """Fail a test after two minutes: it may wait for a pipe without a writer."""

    def stop(*_: object) -> None:
        raise AssertionError("the command does not end")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(120)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a valid file for every argument."""
    return write_files(tmp_path / "there")


def names(table: Any) -> list[str]:
    return [" ".join(filter(None, (argument.command, argument.option))) for argument in table]


# The commands and arguments.


def test_every_command_and_every_file_argument_is_tested(folder: Path) -> None:
    assert set(VALID_CALLS) == set(commands()), "a new command: add a valid call to commands.py"
    for argument in ARGUMENTS:
        assert valid_files(argument), "a new argument: add valid files to commands.py"


@pytest.mark.parametrize("command", VALID_CALLS)
def test_a_valid_call_succeeds(folder: Path, command: str) -> None:
    result = run(call(folder, command))
    assert (0, []) == (result.status, result.faults())


@pytest.mark.parametrize("argument", ARGUMENTS, ids=names(ARGUMENTS))
def test_a_valid_file_is_accepted(folder: Path, argument: FileArgument) -> None:
    for name in valid_files(argument):
        (folder / "new.play").unlink(missing_ok=True)
        result = run(calls(folder, argument, str(folder / name)), streams(b"RS"))
        assert (0, []) == (result.status, result.faults()), name


# Invalid files.


def _linked(path: Path, to: str) -> Path:
    path.symlink_to(to)
    return path


def _large(path: Path) -> Path:
    path.touch()
    os.truncate(path, 2**40)
    return path


def _piped(path: Path) -> Path:
    os.mkfifo(path)
    return path


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def _filled(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


INVALID_FILES: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: path,
    "a folder": _folder,
    "a pipe without a writer": _piped,
    "a device without end": lambda path: _linked(path, "/dev/zero"),
    "a device with nothing": lambda path: _linked(path, "/dev/null"),
    "the memory of this process": lambda path: _linked(path, "/proc/self/mem"),
    "a file of a terabyte": _large,
    "a link to itself": lambda path: _linked(path, path.name),
    "a link to nowhere": lambda path: _linked(path, "nowhere"),
    "a name too long": lambda path: path.with_name("a" * 300 + path.suffix),
    "a path too long": lambda path: path.parent / ("a/" * 3000) / path.name,
    "inside a file": lambda path: _filled(path, b"x") / path.name,
    "a zero byte in the name": lambda path: f"{path.parent}/a\0b{path.suffix}",
    "half of a surrogate pair in the name": lambda path: f"{path.parent}/\ud800{path.suffix}",
    "orders in the name": lambda path: f"{path.parent}/\x1b[2J\x07\nforged\u202e{path.suffix}",
    "nothing in it": lambda path: _filled(path, b""),
    "no text": lambda path: _filled(path, b"\xff\xfe\x00\xd8" * 100),
    "zeros": lambda path: _filled(path, bytes(1000)),
    "brackets in brackets": lambda path: _filled(path, b"[" * 100_000),
    "one long line": lambda path: _filled(path, b"a" * 1_000_000),
}
"""Conditions of invalid files: each takes a path and returns the path to pass."""


SOME = ("missing", "a pipe without a writer", "brackets in brackets")
"""The conditions for commands that read a file with the same function as another command, which has all of them."""


@pytest.mark.parametrize(
    ("argument", "condition"),
    [
        (argument, condition)
        for argument in INPUTS_TO_READ
        for condition in (SOME if argument.command in ("solve", "doctor") else INVALID_FILES)
    ],
)
def test_an_invalid_file_is_refused_in_one_line(folder: Path, argument: FileArgument, condition: str) -> None:
    for name in valid_files(argument):
        path = folder / "odd" / (Path(name).name or "odd.play")
        path.parent.mkdir()
        result = run(calls(folder, argument, str(INVALID_FILES[condition](path))))
        assert result.faults() == []
        assert 2 == result.status or (argument.command, 1) == ("verify", result.status), result
        for one in path.parent.iterdir():
            one.rmdir() if one.is_dir() and not one.is_symlink() else one.unlink()
        path.parent.rmdir()


@pytest.mark.parametrize(
    ("command", "condition"), [("replay", each) for each in INVALID_FILES] + [("verify", each) for each in SOME]
)
def test_a_play_with_an_invalid_level_is_refused_in_one_line(folder: Path, command: str, condition: str) -> None:
    (folder / "level.xsb").unlink()
    path = INVALID_FILES[condition](folder / "level.xsb")
    play = folder / "good.play"
    reference = os.path.relpath(str(path).replace("\0", "0"), folder)
    play.write_text(play.read_text().replace("level.xsb", reference), "utf-8", "surrogatepass")
    result = run(call(folder, command, str(play)))
    assert result.faults() == []
    assert (1 if command == "verify" else 2) == result.status or "Differs from the recording" in result.out


@pytest.mark.parametrize("condition", [each for each in INVALID_FILES if each not in ("missing", "nothing in it")])
def test_an_invalid_script_is_refused_in_one_line(folder: Path, condition: str) -> None:
    INVALID_FILES[condition](folder / "level.py")
    result = run([*call(folder, "solve"), "--script"])
    assert (2, []) == (result.status, result.faults())


@pytest.mark.parametrize("argument", INPUTS_TO_READ, ids=names(INPUTS_TO_READ))
def test_a_file_without_read_permission_is_refused_in_one_line(
    folder: Path, argument: FileArgument, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user of the tests may read every file, so `os.open` is replaced."""
    opened = os.open

    def refuse(path: Any, *how: Any, **more: Any) -> int:
        if str(path).startswith(str(folder)):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return opened(path, *how, **more)

    monkeypatch.setattr(os, "open", refuse)
    for name in valid_files(argument):
        result = run(calls(folder, argument, str(folder / name)))
        assert result.faults() == []
        assert "Permission denied" in result.out + result.err
        assert result.status == (1 if argument.command == "verify" else 2)


def test_an_unreadable_folder_is_not_reported_as_verified(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "closed").mkdir()
    looked = os.scandir

    def refuse(path: Any) -> Any:
        if str(path).endswith("closed"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return looked(path)

    monkeypatch.setattr(os, "scandir", refuse)
    result = run(call(folder, "verify"))
    assert (2, []) == (result.status, result.faults())
    assert f"error: {folder / 'closed'}: Permission denied\n" == result.err


# Files that cannot be written.


def _raises(*what: Any) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise OSError(*what)

    return refuse


UNWRITABLE: dict[str, Callable[[Path, pytest.MonkeyPatch], object]] = {
    "no such folder": lambda path, _: path.parent / "nowhere" / path.name,
    "a folder that is a file": lambda path, _: _filled(path.parent / "file", b"") / path.name,
    "a folder of this name": lambda path, _: _folder(path),
    "a folder of the system": lambda path, _: Path("/proc") / path.name,
    "a name too long": lambda path, _: path.with_name("a" * 300 + path.suffix),
    "a path in a circle": lambda path, _: _linked(path.parent / "round", "round") / path.name,
    "a zero byte in the name": lambda path, _: f"{path.parent}/a\0b{path.suffix}",
    "orders in the name": lambda path, _: f"{path.parent}/no/\x1b[2J\x07\nforged\u202e{path.suffix}",
    "a folder that may only be read": lambda path, patch: [
        patch.setattr(tempfile, "mkstemp", _raises(errno.EROFS, "Read-only file system", "/some/.tmp")), path,
    ][1],
    "a full disk": lambda path, patch: [
        patch.setattr(os, "replace", _raises(errno.ENOSPC, "No space left on device", "a", None, "b")), path,
    ][1],
}  # fmt: skip


@pytest.mark.parametrize("condition", UNWRITABLE)
@pytest.mark.parametrize("argument", FILES_TO_WRITE, ids=names(FILES_TO_WRITE))
def test_a_file_that_cannot_be_written_is_reported_in_one_line(
    folder: Path, argument: FileArgument, condition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(folder.iterdir())
    suffix, said = (".html", "Written") if argument.option == "--html" else (".play", "Saved")
    fine = run(calls(folder, argument, str(folder / f"fine{suffix}")), streams(b"RS"))
    (folder / f"fine{suffix}").unlink()
    path = UNWRITABLE[condition](folder / f"new{suffix}", monkeypatch)
    result = run(calls(folder, argument, str(path)), streams(b"RS"))
    assert result.faults() == []
    assert said in fine.out and said not in result.out
    if argument.command == "play":
        assert (0, len(fine.out.splitlines())) == (result.status, len(result.out.splitlines()))
    else:
        assert 2 == result.status
    assert not [each for each in set(folder.iterdir()) - set(before) if each.suffix == ".tmp"]


# Streams.


class Endless(io.RawIOBase):
    """An input that never ends."""

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        room[:] = b"R" * len(room)
        return len(room)


def _closed() -> io.TextIOWrapper:
    stream = io.TextIOWrapper(io.BytesIO())
    stream.close()
    return stream


INPUTS: dict[str, Callable[[], Any]] = {
    "none": lambda: None,
    "closed": _closed,
    "no text": lambda: io.TextIOWrapper(io.BytesIO(b"RR\xff"), encoding="utf-8"),
    "without end": lambda: io.TextIOWrapper(io.BufferedReader(Endless()), encoding="utf-8"),
}


@pytest.mark.parametrize("condition", INPUTS)
@pytest.mark.parametrize("command", VALID_CALLS)
def test_an_invalid_input_is_refused_by_play_and_ignored_by_the_others(
    folder: Path, command: str, condition: str
) -> None:
    result = run(call(folder, command), streams()._replace(stdin=INPUTS[condition]()))
    assert ((2 if command == "play" else 0), []) == (result.status, result.faults())


class Broken(io.TextIOWrapper):
    """An output that raises."""

    def __init__(self, problem: BaseException) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)
        self.problem = problem

    def write(self, text: str) -> int:
        raise self.problem

    def writelines(self, lines: Any) -> None:
        raise self.problem


RAISED: dict[str, tuple[BaseException, int]] = {
    "a full disk": (OSError(errno.ENOSPC, "No space left on device"), 2),
    "a file with orders in its name": (PermissionError(errno.EACCES, "Permission denied", "\x1b[2J\na"), 2),
    "an error without words": (OSError(), 2),
    "text that cannot be read": (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), 2),
    "text that cannot be written": (UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed"), 2),
    "no memory": (MemoryError(), 2),
    "a full stack": (RecursionError("maximum recursion depth exceeded"), 2),
    "an error of this package": (CollisionError("\x1b]0;pwn\x07a\nb\u202e\ud800"), 2),
    "a reader that left": (BrokenPipeError(errno.EPIPE, "Broken pipe"), 1),
    "control-c": (KeyboardInterrupt(), 130),
}


@pytest.mark.parametrize(
    ("command", "condition"), [("demo", each) for each in RAISED] + [(each, "a full disk") for each in VALID_CALLS]
)
def test_a_system_error_becomes_one_line_and_an_exit_code(folder: Path, command: str, condition: str) -> None:
    problem, status = RAISED[condition]
    result = run(call(folder, command), streams()._replace(stdout=Broken(problem)))
    assert (status, []) == (result.status, result.faults())
    assert {1: 0, 2: 1, 130: 1}[status] == len(result.err.splitlines())


@pytest.mark.parametrize("command", VALID_CALLS)
def test_a_bug_is_not_hidden(folder: Path, command: str) -> None:
    with pytest.raises(ZeroDivisionError):
        run(call(folder, command), streams()._replace(stdout=Broken(ZeroDivisionError())))


@pytest.mark.parametrize("command", VALID_CALLS)
def test_closed_outputs_do_not_change_the_exit_code(folder: Path, command: str) -> None:
    assert 0 == run(call(folder, command), Streams(streams().stdin, None, None)).status
    assert (0 if command in ("demo", "doctor") else 2) == run(
        [command, *["nowhere.txt"] * (command not in ("demo", "doctor"))], Streams(streams().stdin, None, None)
    ).status


@pytest.mark.parametrize("encoding", ["ascii", "utf-16"])
@pytest.mark.parametrize("command", VALID_CALLS)
def test_a_terminal_with_another_encoding_is_supported(folder: Path, command: str, encoding: str) -> None:
    result = run(call(folder, command), streams(encoding=encoding))
    assert (0, []) == (result.status, result.faults())


# Hostile texts, in every field of a file.

TEXTS = {
    "an escape": "\x1b[2J", "a title of the window": "\x1b]0;pwn\x07", "an escape of one byte": "\x9b2J",
    "a bell": "a\x07b", "a return": "a\rerror", "a line": "a\nok    forged.play: level.xsb, 3 moves, 1 ms",
    "a line of two": "a\r\nb", "a form feed": "a\x0cb", "a tab": "a\tb", "a step back": "abc\b\b\b", "nothing": "a\0b",
    "delete": "a\x7fb", "next line": "a\x85b", "a line separator": "a\u2028b", "a paragraph separator": "a\u2029b",
    "turned round": "a\u202egnp.b", "isolated": "a\u2066b\u2069", "a mark of direction": "a\u200fb\u061cc",
    "a joiner": "a\u200db", "a byte order mark": "a\ufeffb", "a tag": "a\U000e0041b", "half a pair": "a\ud800b",
    "no character": "a\uffffb", "markup": "[red]a[/red]", "a place holder": "%s{0}{a.__class__}",
}  # fmt: skip
WITHIN_A_LINE = [
    text for text in TEXTS.values() if text.splitlines() == [text] and not set("\0\ud800\uffff") & set(text)
]
IN_FILES = [
    *(each for each in TEXTS.values() if each not in WITHIN_A_LINE),
    *("".join(WITHIN_A_LINE[at::2]) for at in (0, 1)),
]
"""Texts that end a line or a file, one by one, and the others in two."""
PLAIN = "some words"


def _tmj(text: str) -> str:
    thing = {"id": 1, "name": "me", "type": "player", "x": 0, "y": 0, "width": 16, "height": 16}
    thing["properties"] = [{"name": "Motion", "type": "float", "value": 1}]
    layer = {"type": "objectgroup", "name": text, "id": 1, "objects": [thing], "x": 0, "y": 0}
    texts = [{"name": name, "type": "string", "value": text} for name in ("title", "author", "note", "other")]
    more = {"infinite": False, "layers": [layer], "tilesets": [], "version": "1.10", "properties": texts}
    sizes = {"width": 2, "height": 2, "tilewidth": 16, "tileheight": 16}
    return json.dumps({"type": "map", "orientation": "orthogonal"} | sizes | more)


def _tmx(text: str) -> str:
    shown = "".join(f"&#{ord(letter)};" if letter in "\n\r\t" else letter for letter in quoteattr(text))
    texts = "".join(f'<property name="{name}" value={shown}/>' for name in ("title", "author", "note"))
    thing = '<object id="1" type="player" width="16" height="16"><properties>'
    thing += '<property name="Motion" type="float" value="1"/></properties></object>'
    sizes = 'orientation="orthogonal" width="2" height="2" tilewidth="16" tileheight="16"'
    layer = f'<objectgroup id="1" name={shown}>{thing}</objectgroup>'
    return f'<map version="1.10" {sizes}><properties>{texts}</properties>{layer}</map>'


def _play(**values: str) -> str:
    texts = {"level": "level.xsb", "moves": "R", "solved": "no", "end": "00000000"} | values
    return "".join(f"{key}: {value}\n" for key, value in texts.items())


def _named_tmj(text: str) -> str:
    return _tmj(PLAIN).replace('"me"', json.dumps(text)).replace('"player"', json.dumps(text))


SAID: dict[str, tuple[str, Callable[[str], str]]] = {
    "a text level": ("level.txt", lambda text: LEVEL.format(text)),
    "a kind of a text level": ("level.txt", lambda text: LEVEL.format("a").replace("crate", text)),
    "a quoted kind of a text level": ("level.txt", lambda text: LEVEL.format("a").replace("crate", json.dumps(text))),
    "a board": ("level.xsb", lambda text: f"{BOARD}\nTitle: {text}\nAuthor: {text}\nComment: {text}\n{text}\n"),
    "a comment of a board": ("level.xsb", lambda text: f"{BOARD}\nComment:\n{text}\nComment-End:\n"),
    "a map of Tiled": ("level.tmj", _tmj),
    "names in a map of Tiled": ("level.tmj", _named_tmj),
    "a map of Tiled in XML": ("level.tmx", _tmx),
    "the level of a play": ("good.play", lambda text: _play(level=text)),
    "which level of a play": ("good.play", lambda text: _play(which=text)),
    "the moves of a play": ("good.play", lambda text: _play(moves=text)),
    "the events of a play": ("good.play", lambda text: _play() + f"\nevents\n1 {text} pushed a\n"),
    "the places of a play": ("good.play", lambda text: _play() + f"\nplaces\n{text} at 1 1\n"),
    "a remark of a scene": ("good.scene", lambda text: SCENE.replace("a remark", text)),
    "a layer of a scene": ("good.scene", lambda text: SCENE.replace('"soft"', json.dumps(text))),
    "a field of a scene": ("good.scene", lambda text: SCENE.replace("value=1.0", f"value={json.dumps(text)}")),
    "what came in a scene": ("good.scene", lambda text: SCENE.replace("frame\nkeep", f"frame\n  = {text}\nkeep")),
    "a heading of a scene": ("good.scene", lambda text: SCENE.replace("acts", text)),
}  # fmt: skip
"""What a file can say: the name of the file, and what makes it of a text."""


IN_NAMES = [*(text for text in TEXTS.values() if not set("\0\ud800/") & set(text)), "\udcff", "\udc9b"]
"""Such of them as may stand in a name of a file, and bytes that are no text."""
NAMES = ["".join(IN_NAMES[at::6]) for at in range(6)]


def readers(name: str) -> Iterator[FileArgument]:
    """Yield the arguments that accept a file with this name."""
    for argument in INPUTS_TO_READ:
        files = valid_files(argument)
        if any(Path(file).suffix == Path(name).suffix and (argument.option or file != "level") for file in files):
            if not argument.option or argument.option.strip("-") in name:
                yield argument
        elif argument.metavar == "LEVEL" and name.startswith("level."):
            yield argument


@pytest.mark.parametrize("field", SAID)
def test_the_text_of_a_file_prints_no_control_characters_and_no_extra_lines(folder: Path, field: str) -> None:
    name, made = SAID[field]
    found = list(readers(name))
    assert found
    wrong = []

    def texts(argument: FileArgument, text: str) -> tuple[CommandResult, int]:
        (folder / name).write_bytes(made(text).encode("utf-8", "surrogatepass"))
        result = run(calls(folder, argument, str(folder / name)), streams(b"RuRx"))
        return result, len(result.out.splitlines())

    for argument in found:
        plain, expected = texts(argument, PLAIN)
        for text in IN_FILES:
            result, count = texts(argument, text)
            faults = result.faults()
            if count > expected or (count < expected and result.status == plain.status != 2):
                faults.append(f"it writes {count} lines instead of {expected} for a valid file: {result.out[:300]!r}")
            wrong += [f"{' '.join(argument)} {text!r}: {fault}" for fault in faults]
    assert [] == wrong


def result_for_name(folder: Path, argument: FileArgument, name: str, text: str) -> CommandResult:
    """Return the result for a file whose name, and whose folder's name, contain a text."""
    path = folder / text / name
    path.parent.mkdir(exist_ok=True)
    if (folder / name).exists():
        for each in (name, "level.xsb"):
            (path.parent / f"{text}{each}").write_bytes((folder / each).read_bytes())
            (path.parent / each).write_bytes((folder / each).read_bytes())
        path = path.parent / f"{text}{name}"
    result = run(calls(folder, argument, str(path)), streams(b"RS"))
    if argument.command == "verify":
        below = run(call(folder, "verify", str(path.parent)))
        assert [] == below.faults() and 3 == len(below.out.splitlines()), below
    return result


@pytest.mark.parametrize("argument", ARGUMENTS, ids=names(ARGUMENTS))
def test_a_file_name_prints_no_control_characters_and_no_extra_lines(folder: Path, argument: FileArgument) -> None:
    """Valid and invalid files are tested, and names that are not text."""
    for name in filter(None, valid_files(argument)):
        for data in (None, b"nothing"):
            if data is not None and (folder / name).exists():
                (folder / name).write_bytes(data)
            plain = result_for_name(folder, argument, name, PLAIN)
            for text in NAMES:
                result = result_for_name(folder, argument, name, text)
                assert [] == result.faults(), ascii(text)
                assert plain.status == result.status, ascii(text)
                assert len(plain.out.splitlines()) == len(result.out.splitlines()), ascii(text)
        write_files(folder)


@pytest.mark.parametrize("command", VALID_CALLS)
def test_arguments_print_no_control_characters_and_no_extra_lines(folder: Path, command: str) -> None:
    # argparse takes a text with a space for a file, whatever it begins with
    words = (texts.replace(" ", "_") for texts in (PLAIN, "".join(TEXTS.values())))
    plain, result = (run([*call(folder, command), f"--{word}", word]) for word in words)
    assert (2, len(plain.err.splitlines())) == (result.status, len(result.err.splitlines()))
    assert [] == control_characters(result.err)


def test_the_table_of_a_terminal_shows_names_in_one_line() -> None:
    rich = pytest.importorskip("rich.console")
    result = {}
    for text in (PLAIN, "".join(TEXTS.values())[:60]):
        table = Table(io.StringIO(), 1)
        table.rows = [Checked(text, text, 1, 1.0, text)]
        screen = rich.Console(width=1000, file=io.StringIO(), color_system=None)
        screen.print(table._table())
        result[text] = screen.file.getvalue()
        assert [] == control_characters(result[text])
    assert 1 == len({text.count("\n") for text in result.values()})


# Scripts without permission.


@pytest.fixture
def evil(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a link to an included puzzle, and beside it a script that writes a file."""
    own = tmp_path / "own"
    own.mkdir()
    (own / "room.txt").write_text(LEVEL.format("a"), encoding="utf-8")
    (own / "room.py").write_text("def script(game):\n    game.state['builtin'] = 1\n", encoding="utf-8")
    monkeypatch.setattr(puzzles, "FOLDER", own.resolve())
    evil = tmp_path / "evil"
    evil.mkdir()
    (evil / "room.txt").symlink_to(own / "room.txt")
    trace = f"open({str(tmp_path / 'trace')!r}, 'w').close()\ndef script(game): pass\n"
    (evil / "room.py").write_text(trace, encoding="utf-8")
    return evil


@pytest.mark.parametrize("where", ["the file", "the folder", "a link to the link", "a path with dots"])
@pytest.mark.parametrize("command", VALID_CALLS)
def test_a_link_to_a_built_in_puzzle_does_not_run_a_script_beside_the_link(
    evil: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, where: str
) -> None:
    """Saving a play of it does not copy that script either."""
    away = tmp_path / "away"
    away.mkdir()
    monkeypatch.chdir(away)
    path = evil / "room.txt"
    if where == "a link to the link":
        path = _linked(tmp_path / "again.txt", str(path))
        (tmp_path / "again.py").write_bytes((evil / "room.py").read_bytes())
    elif where == "a path with dots":
        path = Path(f"{evil}/../evil/./room.txt")
    for argument in INPUTS_TO_READ:
        if argument.command == command:
            given = str(path.parent if where == "the folder" else path)
            run([*calls(tmp_path / "there", argument, given), *["--save"] * (command == "solve")], streams(b"RRS"))
    assert not (tmp_path / "trace").exists()
    copies = [copy for copy in away.iterdir() if copy.suffix == ".py"]
    assert all(copy.read_bytes() == (puzzles.FOLDER / "room.py").read_bytes() for copy in copies)
    assert (command == "play" and where != "the folder") <= bool(copies)


def test_a_built_in_puzzle_runs_its_script_through_a_link(evil: Path) -> None:
    result = run(["play", str(evil / "room.txt")])
    assert 0 == result.status and "was not run" not in result.out


def test_no_file_is_read_beyond_its_limit(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every reader passes a limit to `read`."""
    asked: list[int] = []
    opened = os.fdopen

    class Counting:
        def __init__(self, file: Any) -> None:
            self.file = file

        def __enter__(self) -> Counting:
            return self

        def __exit__(self, *_: object) -> None:
            self.file.close()

        def read(self, count: int = -1) -> Any:
            asked.append(count)
            return self.file.read(count)

    def counted(handle: int, mode: str = "r", *more: Any, **how: Any) -> Any:
        file = opened(handle, mode, *more, **how)
        return Counting(file) if mode == "rb" else file

    monkeypatch.setattr(os, "fdopen", counted)
    for argument in INPUTS_TO_READ:
        for name in valid_files(argument):
            assert 0 == run(calls(folder, argument, str(folder / name))).status
    assert len(asked) >= len(INPUTS_TO_READ)
    assert all(0 < count <= MAX_SCENE_BYTES + 1 for count in asked)
