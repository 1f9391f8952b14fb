"""Reads and applies the lists of faults.

A fault is a block of lines. Blocks are separated by empty lines; a line that begins with "#" is a comment:

    name RULE description
    path inside the package
    - the original text, which must occur exactly once in the file (several such lines: consecutive lines)
    + its replacement
    ! other errors than assertions by which a test may detect the fault (optional)
    room/test file::test
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
TESTS = HERE.parent
PACKAGE = TESTS.parent / "ecs_collision"

ASSERTIONS = ("AssertionError", "Failed", "InvariantError")
"""Errors that count as a detection: asserts, those of pytest (such as "did not raise"), and those of `check()`."""


class Mutant(NamedTuple):
    """One fault; `tests` are the tests that must detect it."""

    name: str
    rule: str
    words: str
    file: str
    old: tuple[str, ...]
    new: tuple[str, ...]
    errors: tuple[str, ...]
    tests: tuple[str, ...]

    @property
    def path(self) -> Path:
        """The file that contains it."""
        return PACKAGE / self.file

    def found(self, source: str) -> list[re.Match[str]]:
        """Return the matches of its original text: full or partial lines, with any indentation."""
        pattern = r"\n *".join(re.escape(line.strip()) for line in self.old)
        return list(re.finditer(pattern, source))

    def applied(self, source: str) -> str:
        """Return a source with the fault applied; raises ValueError unless the original text occurs exactly once."""
        places = self.found(source)
        if len(places) != 1:
            raise ValueError(f"mutant {self.name}: its text occurs {len(places)} times in {self.file}, not once")
        start, end = places[0].span()
        line = source[source.rfind("\n", 0, start) + 1 :]
        indent = " " * (len(line) - len(line.lstrip(" ")))
        return source[:start] + f"\n{indent}".join(self.new) + source[end:]


def listed() -> list[Mutant]:
    """Return the faults of all lists."""
    return [mutant for path in sorted(HERE.glob("*.txt")) for mutant in read(path.read_text(encoding="utf-8"))]


def read(text: str) -> Iterator[Mutant]:
    """Yield the faults of a list; raises ValueError for an invalid block."""
    plain = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for block in re.split(r"\n\s*\n", plain.strip()):
        head, file, *rest = block.splitlines()
        name, rule, words = head.split(" ", 2)
        marked = {mark: tuple(line[2:] for line in rest if line[:2] == mark) for mark in ("- ", "+ ", "! ")}
        tests = tuple(line for line in rest if line[:2] not in marked)
        if not (marked["- "] and marked["+ "] and tests):
            raise ValueError(f"mutant {name}: a block needs the original text, its replacement and tests")
        yield Mutant(name, rule, words, file, marked["- "], marked["+ "], marked["! "], tests)
