"""Finds the known name that an unknown one is probably meant to be.

One measure serves refusals (a key similar to a setting) and hints ("did you mean ...?"). `difflib` is not used: it
finds "policy" similar to "overlap_policy", and compares every letter with every other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice, takewhile

MAX_COMPARED_NAMES = 100
"""Number of known names that an unknown one is compared with for a hint, 20 us each."""

_SEPARATORS = re.compile(r"[\W_]+")


def similar_name(name: str, known: Iterable[str]) -> str | None:
    """Return the first known name that is similar to a name, or None.

    Similar are: another case or other separators; a plural or a singular; the same first letter and one letter
    missing, added, changed or swapped (two from 8 letters on). In 4 letters none may be changed: "role" is a word of
    its own.
    """
    letters = _letters(name)
    return next((each for each in known if _is_similar(letters, _letters(each))), None)


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Return "; did you mean ...?" with the first similar one of the first known names, "" if none is similar."""
    near = similar_name(name, islice(known, MAX_COMPARED_NAMES)) if isinstance(name, str) else None
    return "" if near is None else f"; did you mean {near!r}?"


def _letters(name: str) -> str:
    return _SEPARATORS.sub("", name).lower() or name


def _is_similar(name: str, known: str) -> bool:
    if name == known:
        return True
    if name[:1] != known[:1]:  # decides nearly all, before anything is computed
        return False
    if name in _plurals(known) or known in _plurals(name):
        return True
    edits = 0 if len(known) < 4 else 1 if len(known) < 8 else 2
    if abs(len(name) - len(known)) > edits:
        return False
    if len(name) == len(known) == 4 and sorted(name) != sorted(known):
        return False
    return _is_within(name, known, edits)


def _plurals(word: str) -> tuple[str, ...]:
    if word.endswith("y"):
        return f"{word}s", f"{word[:-1]}ies"
    return (f"{word}es",) if word.endswith(("s", "x", "ch", "sh")) else (f"{word}s",)


def _is_within(one: str, other: str, edits: int) -> bool:
    """Return whether so many letters missing, added, changed or swapped turn one text into the other."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    one, other = one[same:], other[same:]
    if not edits or not one or not other:
        return max(len(one), len(other)) <= edits
    return (
        _is_within(one[1:], other, edits - 1)
        or _is_within(one, other[1:], edits - 1)
        or _is_within(one[1:], other[1:], edits - 1)
        or (one[:2] == other[1::-1] and _is_within(one[2:], other[2:], edits - 1))
    )
