"""Words that the project has left; the glossary and "English" in CONTRIBUTING have what is written instead."""

from __future__ import annotations

import re
from collections.abc import Iterator

from material import HOUSE

FOLDERS = ("ecs_collision", "tests", "benchmarks", "tools", "examples", "docs")
SUFFIXES = (".py", ".pxd", ".md")
EXEMPT = ("CHANGELOG.md", "CONTRIBUTING.md", "tests/project/test_words.py")
"""Files that list what was renamed, or show sentences beside better ones."""

NAMES = (
    "Beacon|Book|brace|Called|Census|Contest|Course|embark|Frontier|give_back|go_back|home_of|homes|Journal|Keeper|"
    "keeper|LEAST|memento|MOST|Nearby|Noticing|noticing|obey|patience|Questions|recall|Resident|Resting|rings|roster|"
    "Shelf|shelf|shelves|slate|slates|Stepping|take_in|TakeInError|tall|told|Trail|turn_back|undoing|untold|unserved|"
    "weld|welded|welding|welds"
)
"""Names, and parts of names between underscores, that other words have replaced."""

PHRASES = (
    r"nobody|somebody|everybody|anybody|whoever|whomever|tells? of|telling of|foretells?|roster|census|weld\w*|"
    r"shelf|shelves|patience|deeds?|peers?|meddl\w+|take-in|taken in|took in|broken off|breaks? off|broke off|anew|"
    r"seldom|thereof|therein|wherein|henceforth|lest|nought|upon|amid|that never was|what is so|ours|the heir|"
    r"comes? to nothing|counts? for nothing|not yet undone|by and by|so many (?:bodies|events|cells|files|frames)"
)
"""What is not plain English here, as regular expressions of whole words."""

NAME = re.compile(rf"(?:(?<=_)|(?<![A-Za-z0-9]))(?:{NAMES})(?:(?=_)|(?![A-Za-z0-9]))")
PHRASE = re.compile(rf"\b(?:{PHRASES})\b", re.IGNORECASE)


def findings(text: str) -> Iterator[tuple[int, str]]:
    """Yield the number of the line and the word for each word in a text that the project has left."""
    for number, line in enumerate(text.splitlines(), 1):
        for match in [*NAME.finditer(line), *PHRASE.finditer(line)]:
            yield number, match[0]


def test_no_file_has_words_that_the_project_has_left():
    paths = [*HOUSE.glob("*.md"), *(path for folder in FOLDERS for path in (HOUSE / folder).rglob("*"))]
    texts = {path.relative_to(HOUSE).as_posix(): path for path in sorted(paths) if path.suffix in SUFFIXES}
    found = [
        f"{name}:{number}: {word}"
        for name, path in texts.items()
        if name not in EXEMPT
        for number, word in findings(path.read_text(encoding="utf-8"))
    ]
    assert len(texts) > 400
    assert [] == found
