"""Reading files nobody vouches for: how large, from where, and how a refusal names the place.

A level file is untrusted. It is read whole, up to a limit, before anything is parsed, and what it refers to is read
only from inside one folder, symbolic links followed first. Nothing else of this room opens files.
"""

from __future__ import annotations

import os
import posixpath
import re
import stat
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath

from ecs_collision import fixed_point
from ecs_collision.errors import LevelError
from ecs_collision.levels.budget import Budget

MAX_BYTES = 16 * 2**20
"""The largest file read."""

MAX_CELLS = 2**22
"""The most cells that a level may be wide and high together, whatever lies in them: 4 million."""

MAX_SIDE = 100_000
"""The most columns or rows."""

MAX_DEPTH = 32
"""How deep groups, properties and JSON may lie in each other."""

MAX_NAME = 200
"""The most characters of a name or kind: each of a hundred thousand things may have its own copy, with a number."""

MAX_FILES = 256
"""The most files one level may refer to."""

MAX_BYTES_TOGETHER = 2 * MAX_BYTES
"""The most bytes of all files one level refers to."""


LARGEST = 10**15
"""The largest number read, where nothing narrower is asked: every whole number up to it is exact as a float."""

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
_CONTROL_OR_TAB = re.compile(f"\t|{_CONTROL.pattern}")
_NOT_IN_NAMES = re.compile(f"[\t\n\ud800-\udfff]|{_CONTROL.pattern}")
"""Control characters, other ends of lines, and what turns the direction of writing."""


@dataclass(slots=True)
class Folder:
    """The folder out of which no reference of a level leads, and how many files and bytes were read so far."""

    root: Path
    read_count: int = 0
    byte_count: int = 0


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of a file, its name in messages, its path (None for text that was given), and its folder.

    budget: what may be made of it; the files it refers to share it.
    """

    name: str
    data: bytes
    path: Path | None = None
    folder: Folder | None = None
    budget: Budget = field(default_factory=Budget, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.budget.byte_count += len(self.data)

    def error(
        self,
        found: str,
        expected: str,
        remedy: str,
        *,
        line: int | None = None,
        column: int | None = None,
        pointer: str | None = None,
    ) -> LevelError:
        """Return the refusal of something in this file."""
        return LevelError(
            self.name, found=found, expected=expected, remedy=remedy, line=line, column=column, pointer=pointer
        )

    def charge(
        self, what: str, count: int = 1, *, line: int | None = None, column: int | None = None,
        pointer: str | None = None,
    ) -> None:  # fmt: skip
        """Take the room for so many things of a sort out of the budget; raises LevelError where it is used up."""
        self.budget.charge(what, count, partial(self.error, line=line, column=column, pointer=pointer))

    def text(self) -> str:
        """Return the text of the file, UTF-8, line ends as newlines, a byte order mark left out."""
        try:
            return self.data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        except UnicodeDecodeError as problem:
            line, column = line_and_column(self.data[: problem.start].replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
            raise self.error(
                f"the byte 0x{self.data[problem.start]:02x}", "text in UTF-8", "save the file as UTF-8",
                line=line, column=column,
            ) from problem  # fmt: skip

    def lines(self, *, tabs: bool = False) -> list[str]:
        """Return the lines of the text; raises LevelError where one has a control character, or a tab unless allowed.

        Such characters draw what is not there: a tab is as wide as the editor likes, others steer terminals.
        """
        text = self.text()
        odd = (_CONTROL if tabs else _CONTROL_OR_TAB).search(text)
        if odd is None:
            self.charge("lines", text.count("\n") + 1, line=1, column=1)
            return self._check_line_lengths(text.split("\n"))
        line, column = line_and_column(text, odd.start())
        raise self.error(
            "a tab" if odd[0] == "\t" else f"the control character U+{ord(odd[0]):04X}", "printable text",
            "write blanks" if odd[0] == "\t" else "remove it", line=line, column=column,
        )  # fmt: skip

    def _check_line_lengths(self, lines: list[str]) -> list[str]:
        for number, line in enumerate(lines, 1):
            if len(line) > 2 * MAX_SIDE:
                raise self.error(
                    f"a line of {len(line)} letters", f"at most {2 * MAX_SIDE}", "divide the line", line=number,
                    column=1,
                )  # fmt: skip
        return lines

    def open_reference(
        self, reference: str, *, line: int | None = None, column: int | None = None, pointer: str | None = None
    ) -> Source:
        """Return the file a reference in this one leads to; the place is that of the reference."""

        def make_error(found: str, expected: str, remedy: str) -> LevelError:
            return self.error(found, expected, remedy, line=line, column=column, pointer=pointer)

        if self.path is None or self.folder is None:
            raise make_error(
                f"a reference to {shown(reference)}", "a level that stands alone", "load the level from its file"
            )
        folder = self.folder
        if not is_plain_reference(reference):
            raise make_error(
                f"the reference {shown(reference)}", "a relative path with '/' to a file in the level's folder",
                "name the file relative to the file that refers to it",
            )  # fmt: skip
        target = Path(os.path.realpath(self.path.parent / reference))
        if not target.is_relative_to(folder.root):
            raise make_error(
                f"the reference {shown(reference)}, which leads out of the level's folder", "a file inside that folder",
                "move the file there, or load with root= the folder that holds both",
            )  # fmt: skip
        folder.read_count += 1
        if folder.read_count > MAX_FILES:
            raise make_error(f"more than {MAX_FILES} references", "fewer files", "put the level into fewer files")
        name = posixpath.normpath(PurePosixPath(self.name).parent / reference)
        try:
            data = read_bytes(target, name)
        except LevelError as problem:
            raise make_error(
                f"the reference {shown(reference)}: {problem.found}", problem.expected, problem.remedy
            ) from problem
        folder.byte_count += len(data)
        if folder.byte_count > MAX_BYTES_TOGETHER:
            raise make_error(
                f"references to more than {MAX_BYTES_TOGETHER} bytes together", "smaller files", "divide the level"
            )
        return Source(name, data, target, folder, self.budget)


def open_source(
    path: str | os.PathLike[str], root: str | os.PathLike[str] | None = None, *, expected: str = "a level file"
) -> Source:
    """Return a file, `expected` in messages; what it refers to must lie in `root`, by default the folder of it."""
    name = os.fspath(path)
    try:
        where = Path(os.path.realpath(path))
    except ValueError as problem:  # no name of a file: a zero byte, half of a surrogate pair
        raise _unreadable(name, expected, problem) from problem
    inside = Path(os.path.realpath(root)) if root is not None else where.parent
    return Source(name, read_bytes(where, name, expected), where, Folder(inside))


def read_bytes(path: Path, name: str, expected: str = "a level file") -> bytes:
    """Return the bytes of a regular file of at most `MAX_BYTES`; raises LevelError under `name`."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as problem:
        raise _unreadable(name, expected, problem) from problem
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise LevelError(name, found="no regular file", expected=expected, remedy="check the path")
    try:
        with os.fdopen(handle, "rb") as file:
            data = file.read(MAX_BYTES + 1) or b""  # None where the system would have to wait for more
    except OSError as problem:
        raise _unreadable(name, expected, problem) from problem
    if len(data) > MAX_BYTES:
        raise LevelError(
            name, found=f"more than {MAX_BYTES} bytes", expected="a smaller file", remedy="divide the level"
        )
    return data


def _unreadable(name: str, expected: str, problem: Exception) -> LevelError:
    reason = getattr(problem, "strerror", None) or str(problem)
    return LevelError(name, found=f"no file that can be read ({reason})", expected=expected, remedy="check the path")


def is_plain_reference(reference: str) -> bool:
    """Return whether a reference is a relative path with forward slashes, of printable characters, to a file."""
    return (
        0 < len(reference) <= 1000
        and reference.isprintable()
        and not re.search(r'[\\:*?"<>|]', reference)
        and not reference.startswith(("/", "~"))
        and not reference.endswith("/")
    )


def name_problem(name: str) -> str | None:
    """Return what is wrong with the name of a thing or of a kind, None where nothing is."""
    if len(name) > MAX_NAME:
        return f"a name of {len(name)} characters"
    return f"the name {shown(name)}" if _NOT_IN_NAMES.search(name) else None


VALID_NAME = f"a name of at most {MAX_NAME} characters, all of which can be shown"


def line_and_column(data: bytes | str, offset: int | None = None) -> tuple[int, int]:
    """Return the line and column, from 1, of an offset or of the end; columns count bytes in bytes, else characters."""
    offset = len(data) if offset is None else offset
    newline: bytes | str = b"\n" if isinstance(data, bytes) else "\n"
    line = data.count(newline, 0, offset) + 1  # type: ignore[arg-type]
    return line, offset - data.rfind(newline, 0, offset)  # type: ignore[arg-type]


def shown(value: object, maximum: int = 60) -> str:
    """Return a value as it may stand in a message: one line, not long."""
    return fixed_point.shown(value, maximum)


def short(problem: object, maximum: int = 300) -> str:
    """Return what an error says, as it may stand in a message: not long."""
    text = str(problem)
    return text if len(text) <= maximum else text[: maximum - 3] + "..."


_INTEGER = re.compile(r"-?[0-9]{1,15}", re.ASCII)
_DECIMAL = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?", re.ASCII)


def integer_of(text: str) -> int | None:
    """Return a whole number written in ASCII digits, else None: no spaces, no "+", no "_", no other digits."""
    return int(text) if _INTEGER.fullmatch(text) else None


def decimal_of(text: str) -> float | None:
    """Return a finite number written in ASCII digits, else None: no "nan", no "inf", no spaces."""
    return float(text) if _DECIMAL.fullmatch(text) else None


def range_text(kind: str, minimum: float, maximum: float) -> str:
    """Return what a number is to be, for a message."""
    if -minimum == maximum == LARGEST:
        return kind
    return f"{kind} from {minimum} on" if maximum == LARGEST else f"{kind} from {minimum} to {maximum}"
