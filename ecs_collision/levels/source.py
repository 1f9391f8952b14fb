"""Reads untrusted files: limits their size and location, and creates errors with positions.

A level file is read completely, up to a limit, before it is parsed. Referenced files are read only from inside one
folder, after symbolic links are resolved. No other module of this package opens level files.
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
from ecs_collision.levels.limits import (
    LARGEST,
    MAX_BYTES,
    MAX_COUNTS,
    MAX_FILES,
    MAX_NAME,
    MAX_SIDE,
    ErrorFactory,
)

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
_CONTROL_OR_TAB = re.compile(f"\t|{_CONTROL.pattern}")
_NOT_IN_NAMES = re.compile(f"[\t\n\ud800-\udfff]|{_CONTROL.pattern}")
"""Control characters, unusual line ends, and characters that change the writing direction."""


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of a file and its name for messages.

    path: None for text from the program. root: the folder that no reference may leave. counts: the items, files and
    bytes read so far; shared with the files it refers to.
    """

    name: str
    data: bytes
    path: Path | None = None
    root: Path | None = None
    counts: dict[str, int] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._add("bytes", len(self.data))

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
        """Return an error about this file."""
        return LevelError(
            self.name, found=found, expected=expected, remedy=remedy, line=line, column=column, pointer=pointer
        )

    def limit(
        self, what: str, count: int = 1, make_error: ErrorFactory | None = None, *, line: int | None = None,
        column: int | None = None,
    ) -> None:  # fmt: skip
        """Count items before they are created; raises LevelError, or that of `make_error`, above their limit."""
        known, maximum = self._add(what, count), MAX_COUNTS[what]
        if known > maximum:
            make_error = make_error or partial(self.error, line=line, column=column)
            raise make_error(f"{known} {what}", f"at most {maximum}", "split the file")

    def _add(self, what: str, count: int) -> int:
        known = self.counts[what] = self.counts.get(what, 0) + count
        return known

    def text(self) -> str:
        """Return the UTF-8 text of the file with line ends as newlines and without a byte order mark."""
        try:
            return self.data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        except UnicodeDecodeError as problem:
            line, column = line_and_column(self.data[: problem.start].replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
            raise self.error(
                f"the byte 0x{self.data[problem.start]:02x}", "text in UTF-8", "save the file as UTF-8",
                line=line, column=column,
            ) from problem  # fmt: skip

    def lines(self, *, tabs: bool = False) -> list[str]:
        """Return the lines of the text; raises LevelError for a control character, or for a tab unless allowed.

        A tab has a different width in each editor, and control characters can change what a terminal shows.
        """
        text = self.text()
        odd = (_CONTROL if tabs else _CONTROL_OR_TAB).search(text)
        if odd is not None:
            line, column = line_and_column(text, odd.start())
            found, remedy = f"the control character U+{ord(odd[0]):04X}", "remove it"
            if odd[0] == "\t":
                found, remedy = "a tab", "use spaces"
            raise self.error(found, "printable text", remedy, line=line, column=column)
        self.limit("lines", text.count("\n") + 1, line=1, column=1)
        lines = text.split("\n")
        for number, each in enumerate(lines, 1):
            if len(each) > 2 * MAX_SIDE:
                found, expected = f"a line of {len(each)} characters", f"at most {2 * MAX_SIDE}"
                raise self.error(found, expected, "split the line", line=number, column=1)
        return lines

    def open_reference(
        self, reference: str, *, line: int | None = None, column: int | None = None, pointer: str | None = None
    ) -> Source:
        """Open the file that a reference in this file names; line, column and pointer locate the reference."""

        def make_error(found: str, expected: str, remedy: str) -> LevelError:
            return self.error(found, expected, remedy, line=line, column=column, pointer=pointer)

        if self.path is None or self.root is None:
            raise make_error(
                f"a reference to {shown(reference)}", "a level without references", "load the level from its file"
            )
        if not is_plain_reference(reference):
            raise make_error(
                f"the reference {shown(reference)}", "a relative path with '/' to a file in the level's folder",
                "name the file relative to the file that refers to it",
            )  # fmt: skip
        target = Path(os.path.realpath(self.path.parent / reference))
        if not target.is_relative_to(self.root):
            raise make_error(
                f"the reference {shown(reference)}, which leads outside the level's folder",
                "a file inside that folder",
                "move the file there, or pass root= with a folder that contains both",
            )  # fmt: skip
        if self._add("references", 1) > MAX_FILES:
            raise make_error(f"more than {MAX_FILES} references", "fewer files", "put the level into fewer files")
        name = posixpath.normpath(PurePosixPath(self.name).parent / reference)
        try:
            data = read_bytes(target, name)
        except LevelError as problem:
            raise make_error(
                f"the reference {shown(reference)}: {problem.found}", problem.expected, problem.remedy
            ) from problem
        if self.counts["bytes"] + len(data) > MAX_BYTES:
            raise make_error(f"files of more than {MAX_BYTES} bytes in total", "smaller files", "split the level")
        return Source(name, data, target, self.root, self.counts)

    def open_beside(self, suffix: str) -> Source | None:
        """Open the file next to this one with the same name and another suffix, links resolved; None without one."""
        if self.path is None:
            return None
        path = self.path.with_suffix(suffix)
        return self.open_reference(path.name) if os.path.lexists(path) else None


def path_text(path: object, what: str = "path") -> str:
    """Return a path, given as text or as a path of text, as text; raises CollisionTypeError for anything else."""
    text = os.fspath(path) if isinstance(path, os.PathLike) else path
    return fixed_point.instance_of(text, str, what, "give a str or a pathlib.Path")


def source_of(text: str | bytes, name: str) -> Source:
    """Return a text as a source that cannot refer to files."""
    fixed_point.instance_of(name, str, "name", "give a text")
    if isinstance(text, str):
        return Source(name, text.encode("utf-8", "surrogatepass"))  # a lone surrogate is refused with its place
    bytes_like = (bytes, bytearray, memoryview)
    return Source(name, bytes(fixed_point.instance_of(text, bytes_like, "text", "give a str or bytes")))


def open_source(
    path: str | os.PathLike[str], root: str | os.PathLike[str] | None = None, *, expected: str = "a level file",
    maximum: int = MAX_BYTES,
) -> Source:  # fmt: skip
    """Open a file of at most `maximum` bytes; `expected` is used in messages.

    Files it refers to must be inside `root`, by default its folder.
    """
    name, inside = path_text(path), None if root is None else path_text(root, "root")
    try:
        where = Path(os.path.realpath(name))
        folder = where.parent if inside is None else Path(os.path.realpath(inside))
    except ValueError as problem:  # not a valid path: a zero byte, a lone surrogate
        raise _unreadable(name, expected, problem) from problem
    return Source(name, read_bytes(where, name, expected, maximum), where, folder)


def read_bytes(path: Path, name: str, expected: str = "a level file", maximum: int = MAX_BYTES) -> bytes:
    """Return the bytes of a regular file of at most `maximum` bytes; raises LevelError under `name`."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as problem:
        raise _unreadable(name, expected, problem) from problem
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise LevelError(name, found="something that is not a regular file", expected=expected, remedy="check the path")
    try:
        with os.fdopen(handle, "rb") as file:
            data = file.read(maximum + 1) or b""  # None if the read would block
    except OSError as problem:
        raise _unreadable(name, expected, problem) from problem
    if len(data) > maximum:
        raise too_large(name, maximum)
    return data


def too_large(name: str, maximum: int = MAX_BYTES) -> LevelError:
    """Return the error for a file or text of too many bytes."""
    return LevelError(name, found=f"more than {maximum} bytes", expected="a smaller file", remedy="split the level")


def _unreadable(name: str, expected: str, problem: Exception) -> LevelError:
    reason = getattr(problem, "strerror", None) or str(problem)
    return LevelError(name, found=f"no readable file ({reason})", expected=expected, remedy="check the path")


def is_plain_reference(reference: str) -> bool:
    """Return whether a reference is a relative path to a file, with forward slashes and printable characters."""
    return (
        0 < len(reference) <= 1000
        and reference.isprintable()
        and not re.search(r'[\\:*?"<>|]', reference)
        and not reference.startswith(("/", "~"))
        and not reference.endswith("/")
    )


def name_problem(name: str) -> str | None:
    """Return what is wrong with the name of a thing or kind, or None."""
    if len(name) > MAX_NAME:
        return f"a name of {len(name)} characters"
    return f"the name {shown(name)}" if _NOT_IN_NAMES.search(name) else None


VALID_NAME = f"a name of at most {MAX_NAME} printable characters"


def line_and_column(data: bytes | str, offset: int | None = None) -> tuple[int, int]:
    """Return line and column, from 1, of an offset or the end; columns count bytes in bytes, characters in strings."""
    offset = len(data) if offset is None else offset
    newline: bytes | str = b"\n" if isinstance(data, bytes) else "\n"
    line = data.count(newline, 0, offset) + 1  # type: ignore[arg-type]
    return line, offset - data.rfind(newline, 0, offset)  # type: ignore[arg-type]


def shown(value: object, maximum: int = 60) -> str:
    """Return a value in one short line, for messages."""
    return fixed_point.shown(value, maximum)


def short(problem: object, maximum: int = 300) -> str:
    """Return the text of an error, shortened for messages."""
    text = str(problem)
    return text if len(text) <= maximum else text[: maximum - 3] + "..."


def said_by(problem: object, remedy: str) -> tuple[str, str, str]:
    """Return the message of an error about a value as found, expected (nothing: it says both) and remedy.

    `remedy` stands for one that the message lacks.
    """
    found, _, own = short(problem).partition("; ")
    return found, "", own or remedy


_INTEGER = re.compile(r"-?[0-9]{1,15}", re.ASCII)
_DECIMAL = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?", re.ASCII)


def integer_of(text: str) -> int | None:
    """Return an integer written in ASCII digits, else None: no spaces, no "+", no "_"."""
    return int(text) if _INTEGER.fullmatch(text) else None


def decimal_of(text: str) -> float | None:
    """Return a finite number written in ASCII digits, else None: no spaces, no "nan", no "inf"."""
    return float(text) if _DECIMAL.fullmatch(text) else None


def range_text(kind: str, minimum: float, maximum: float) -> str:
    """Return the allowed range of a number, for messages."""
    if -minimum == maximum == LARGEST:
        return kind
    return f"{kind} of at least {minimum}" if maximum == LARGEST else f"{kind} from {minimum} to {maximum}"
