"""The lists of faults, read and applied.

A fault is a block of lines, blocks are parted by empty lines, a line that begins with "#" is a remark:

    name RULE what goes wrong
    path inside the package
    - the text that is there, exactly once in the file (several such lines: lines that follow each other)
    + what stands there instead
    ! other errors than assertions by which a test may notice it, where that is meant
    room/file of tests::test
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
"""What says that a test has noticed: an assert, pytest's own (such as "did not raise"), and `check()`."""


class Mutant(NamedTuple):
    """One fault; `tests` name who must notice it."""

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
        """The file it is in."""
        return PACKAGE / self.file

    def found(self, source: str) -> list[re.Match[str]]:
        """Return where its old text stands, each line whole or in part, whatever the indentation."""
        pattern = r"\n *".join(re.escape(line.strip()) for line in self.old)
        return list(re.finditer(pattern, source))

    def applied(self, source: str) -> str:
        """Return a source with the fault in it; raises ValueError unless the old text stands in it exactly once."""
        places = self.found(source)
        if len(places) != 1:
            raise ValueError(f"mutant {self.name}: its text stands {len(places)} times in {self.file}, not once")
        start, end = places[0].span()
        line = source[source.rfind("\n", 0, start) + 1 :]
        indent = " " * (len(line) - len(line.lstrip(" ")))
        return source[:start] + f"\n{indent}".join(self.new) + source[end:]


def listed() -> list[Mutant]:
    """Return all faults, list by list."""
    return [mutant for path in sorted(HERE.glob("*.txt")) for mutant in read(path.read_text(encoding="utf-8"))]


def read(text: str) -> Iterator[Mutant]:
    """Yield the faults of a list; raises ValueError where a block is not of the form."""
    plain = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for block in re.split(r"\n\s*\n", plain.strip()):
        head, file, *rest = block.splitlines()
        name, rule, words = head.split(" ", 2)
        marked = {mark: tuple(line[2:] for line in rest if line[:2] == mark) for mark in ("- ", "+ ", "! ")}
        tests = tuple(line for line in rest if line[:2] not in marked)
        if not (marked["- "] and marked["+ "] and tests):
            raise ValueError(f"mutant {name}: a block names what was, what is instead, and the tests that notice")
        yield Mutant(name, rule, words, file, marked["- "], marked["+ "], marked["! "], tests)
