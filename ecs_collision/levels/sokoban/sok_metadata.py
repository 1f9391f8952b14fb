"""The text between the boards of a Sokoban collection: titles, authors, comments, solutions.

There is no common convention for its position. Here `Key: value` lines belong to the board above them, unless the file
has a `Title:` above its first board and none below its last. Loose lines (`; 12`, `The corridor`) belong to the board
below them, unless there is none above the first board and one below the last. Key lines above the first board that
belong to no board are defaults for all levels of the collection.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import dropwhile
from operator import not_

_KEYS = {
    "title": "title", "author": "author", "comment": "note", "comments": "note", "note": "note", "notes": "note",
    "set": "collection", "collection": "collection", "copyright": "copyright", "email": "email",
    "homepage": "homepage", "website": "homepage", "date": "date", "id": "id", "difficulty": "difficulty",
}  # fmt: skip
"""Common keys, in lower case, and their property names; other lines with a colon are loose."""

_KEY = re.compile(r"([A-Za-z]+)\s*:\s*(.*)")
_MOVES = re.compile(r"[lurdLURD]+")
_RECORDED = re.compile(r"(solution|snapshot)\b", re.IGNORECASE)
_COMMENT = re.compile(r"comments?\s*:", re.IGNORECASE)
_COMMENT_END = re.compile(r"comment-end\s*:?", re.IGNORECASE)
MIN_SOLUTION_LENGTH = 5
"""Minimum number of moves in a line to count as a solution without a heading."""

Metadata = dict[str, str]
"""Property names to texts."""


def comment_lines(lines: Sequence[str]) -> set[int]:
    """Return the numbers, from 0, of the lines in comments: from `Comment:` to `Comment-End:`, both included.

    A comment without an end before the next comment ends with its paragraph.
    """
    inside: set[int] = set()
    begin: int | None = None
    blank: int | None = None
    for number, line in enumerate([*lines, "Comment:"]):
        text = _content(line)
        if _COMMENT_END.fullmatch(text):
            inside.update(range(number if begin is None else begin, number + 1))
            begin = None
        elif _COMMENT.fullmatch(text):
            if begin is not None:
                inside.update(range(begin, number if blank is None else blank))
            begin, blank = number, None
        elif begin is not None and blank is None and not line.strip():
            blank = number
    return inside


def _content(line: str) -> str:
    """Return a line without surrounding spaces and a leading ';'."""
    return line.strip().removeprefix(";").strip()


@dataclass(slots=True)
class Gap:
    """The text between two boards: key lines, notes, loose lines, and the moves of a solution.

    last_paragraph: number of loose lines before the last paragraph.
    """

    keys: Metadata = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    loose: list[str] = field(default_factory=list)
    last_paragraph: int = 0
    moves: list[str] = field(default_factory=list)

    @property
    def note(self) -> str:
        """The notes as one text, without empty lines at the start."""
        return "\n".join(dropwhile(not_, self.notes))


def gap_of(lines: Sequence[tuple[str, bool]]) -> Gap:
    """Return the content of the lines between two boards, given as (line, is in a comment)."""
    gap = Gap()
    heading = ""
    blank = False
    for line, in_comment in lines:
        text = _content(line)
        key = _KEY.fullmatch(text)
        property = _KEYS.get(key[1].lower()) if key else None
        recorded = _recorded(text)
        if in_comment:
            if not _COMMENT.fullmatch(text) and not _COMMENT_END.fullmatch(text):
                gap.notes.append(text)
        elif not text:
            blank = True
        elif recorded is not None:
            heading, moves = recorded
            gap.moves += [moves] if heading != "snapshot" else []
        elif _MOVES.fullmatch(text) and (heading or len(text) >= MIN_SOLUTION_LENGTH):
            gap.moves += [text] if heading != "snapshot" else []
        elif property == "note" and key:
            gap.notes.append(key[2])
        elif property and key and key[2]:
            gap.keys.setdefault(property, key[2])
        elif not text.startswith("::") and any(map(str.isalnum, text)):
            gap.last_paragraph = len(gap.loose) if blank else gap.last_paragraph
            gap.loose.append(text)
            blank = False
    return gap


def _recorded(text: str) -> tuple[str, str] | None:
    """Return "solution" or "snapshot" and the moves after it; None for any other line."""
    heading = _RECORDED.match(text)
    if heading is None:
        return None
    moves = text[heading.end() :].partition(":")[2].strip()
    is_recorded = not moves or _MOVES.fullmatch(moves)
    return (heading[1].lower(), moves) if is_recorded else None


def metadata_of(gaps: Sequence[Gap]) -> list[Metadata]:
    """Return the metadata of each board, given the gaps before, between and after the boards."""
    count = len(gaps) - 1
    found: list[Metadata] = [{} for _ in range(count)]
    keys_below = "title" in gaps[-1].keys or "title" not in gaps[0].keys
    for number, gap in enumerate(gaps):
        board = min(number - 1 if keys_below else number, count - 1)
        if board >= 0:
            found[board] = {**gap.keys, **found[board]}
            note = "\n".join(filter(None, [found[board].get("note"), gap.note]))
            found[board].update({"note": note} if note else {})
        solution = "".join(gap.moves)
        if number and solution:
            found[number - 1].setdefault("solution", solution)
    _title_by_loose_lines(gaps, found)
    if keys_below:
        shared = {"collection" if key == "title" else key: text for key, text in gaps[0].keys.items()}
        found = [{**shared, **metadata} for metadata in found]
    return found


def _title_by_loose_lines(gaps: Sequence[Gap], found: list[Metadata]) -> None:
    """Assign loose lines to boards: the nearest one is the title unless a key line gave one, the others are notes."""
    below = bool(gaps[-1].loose) and not gaps[0].loose
    for number, metadata in enumerate(found):
        gap = gaps[number + 1] if below else gaps[number]
        lines = gap.loose[gap.last_paragraph :] if not number and not below else list(gap.loose)
        if lines and "title" not in metadata:
            metadata["title"] = lines.pop(0 if below else -1)
        if lines:
            metadata["note"] = "\n".join([*lines, *filter(None, [metadata.get("note")])])
