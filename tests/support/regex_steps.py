"""How many steps a regular expression takes, counted by a small matcher that goes the ways the real one goes.

A pattern that can read one text in several ways may take a time that grows with the square of its length, or worse, and
nothing that counts calls sees it, for it is one call. The matcher works on the parse tree of `re`, and knows what the
patterns of this package are made of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

MOST = 30
"""The most steps a character of a text may take."""

LENGTH = 160
"""The length of texts: so long that the square of it is many times what is allowed."""


class TooManyStepsError(Exception):
    """A text took too many steps."""


def slow_text(pattern: re.Pattern[Any], way: str) -> str | None:
    """Return a text that takes a pattern too many steps, None where none of those tried does.

    way: "match", "fullmatch", or any method that searches.
    """
    written = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = _parser.parse(written, pattern.flags & ~(0 if isinstance(pattern.pattern, str) else re.ASCII))
    matcher = _Matcher(pattern.flags)
    for text in texts(list(tree)):
        try:
            matcher.run(list(tree), text, way)
        except TooManyStepsError:
            return text
    return None


def texts(ops: list[Any]) -> Iterator[str]:
    """Yield texts to try: what a pattern begins with, something from it again and again, and an end that is wrong."""
    letters = list(dict.fromkeys([*(example(op) for op in leaves(ops)), " "]))[:9]
    begins = ["", *(shortest(ops[:count]) for count in range(1, len(ops) + 1))][:6]
    begins = list(dict.fromkeys([*begins, *(f"{begin} " for begin in begins)]))
    pumps = [*letters, *(one + other for one in letters[:5] for other in letters[:5] if one != other)]
    for begin in begins:
        for pump in pumps:
            for end in ("", "!", ":!"):
                yield begin + pump * (LENGTH // len(pump)) + end


def leaves(ops: list[Any]) -> Iterator[Any]:
    """Yield what matches single characters."""
    for op, argument in ops:
        if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            yield op, argument
        elif op in _REPEATS:
            yield from leaves(list(argument[2]))
        elif op is sre.SUBPATTERN:
            yield from leaves(list(argument[3]))
        elif op is sre.ATOMIC_GROUP:
            yield from leaves(list(argument))
        elif op is sre.BRANCH:
            for each in argument[1]:
                yield from leaves(list(each))


def example(leaf: Any) -> str:
    """Return a character that a leaf matches."""
    return next((letter for letter in _LETTERS if matches(leaf, letter, 0)), "\uffff")


def shortest(ops: list[Any]) -> str:
    """Return a short text of the kind a sequence matches."""
    text = ""
    for op, argument in ops:
        if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            text += example((op, argument))
        elif op in _REPEATS:
            text += shortest(list(argument[2])) * max(argument[0], op is sre.MAX_REPEAT and argument[0])
        elif op is sre.SUBPATTERN:
            text += shortest(list(argument[3]))
        elif op is sre.ATOMIC_GROUP:
            text += shortest(list(argument))
        elif op is sre.BRANCH:
            text += shortest(list(argument[1][0]))
    return text


def matches(leaf: Any, letter: str, flags: int) -> bool:
    """Return whether a leaf matches a character."""
    op, argument = leaf
    if op is sre.ANY:
        return letter != "\n" or bool(flags & re.DOTALL)
    if flags & re.IGNORECASE:
        either = {letter.lower(), letter.upper()}
        return any(matches(leaf, each, flags & ~re.IGNORECASE) for each in either)
    if op is sre.LITERAL:
        return ord(letter) == argument
    if op is sre.NOT_LITERAL:
        return ord(letter) != argument
    negated = False
    for kind, what in argument:
        if kind is sre.NEGATE:
            negated = True
        elif (
            (kind is sre.LITERAL and ord(letter) == what)
            or (kind is sre.RANGE and what[0] <= ord(letter) <= what[1])
            or (kind is sre.CATEGORY and bool(re.fullmatch(_CATEGORIES[what], letter)))
        ):
            return not negated
    return negated


class _Matcher:
    def __init__(self, flags: int) -> None:
        self._flags = flags
        self._steps = self._most = 0

    def run(self, ops: list[Any], text: str, way: str) -> None:
        """Match a text; raises TooManyStepsError."""
        self._steps, self._most = 0, MOST * (len(text) + 10)
        at = 0
        while at <= len(text):
            ends = self._sequence(ops, 0, text, at)
            end = next((end for end in ends if way != "fullmatch" or end == len(text)), None)
            if way in ("match", "fullmatch") or (way == "search" and end is not None):
                return
            at = at + 1 if end is None else max(end, at + 1)

    def _step(self) -> None:
        self._steps += 1
        if self._steps > self._most:
            raise TooManyStepsError

    def _sequence(self, ops: list[Any], first: int, text: str, at: int) -> Iterator[int]:
        """Yield where a sequence can end, in the order of the real matcher."""
        if first == len(ops):
            yield at
            return
        for end in self._one(*ops[first], text, at):
            yield from self._sequence(ops, first + 1, text, end)

    def _one(self, op: Any, argument: Any, text: str, at: int) -> Iterator[int]:
        self._step()
        if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            if at < len(text) and matches((op, argument), text[at], self._flags):
                yield at + 1
        elif op in _REPEATS:
            yield from self._repeat(op, argument, text, at)
        elif op is sre.SUBPATTERN:
            yield from self._sequence(list(argument[3]), 0, text, at)
        elif op is sre.ATOMIC_GROUP:
            yield from _first(self._sequence(list(argument), 0, text, at))
        elif op is sre.BRANCH:
            for each in argument[1]:
                yield from self._sequence(list(each), 0, text, at)
        elif op in (sre.ASSERT, sre.ASSERT_NOT):
            assert argument[0] == 1, "no pattern here looks back"
            found = next(self._sequence(list(argument[1]), 0, text, at), None) is not None
            if found is (op is sre.ASSERT):
                yield at
        else:
            assert op is sre.AT, f"{op} is not known here"
            if argument is not sre.AT_BOUNDARY or _is_word(text, at - 1) != _is_word(text, at):
                yield at

    def _repeat(self, op: Any, argument: Any, text: str, at: int) -> Iterator[int]:
        least, most, inner = argument[0], argument[1], list(argument[2])
        if op is sre.POSSESSIVE_REPEAT:
            yield from _first(self._greedy(least, most, inner, text, at))
        elif op is sre.MAX_REPEAT:
            yield from self._greedy(least, most, inner, text, at)
        else:
            count, end = 0, at
            while True:
                if count >= least:
                    yield end
                after = next(self._sequence(inner, 0, text, end), None) if count < most else None
                if after is None:
                    return
                count, end = count + 1, after

    def _greedy(self, least: int, most: int, inner: list[Any], text: str, at: int) -> Iterator[int]:
        """Yield the ends of a greedy repeat, the longest first; without recursion, for texts are long."""
        ways = [self._sequence(inner, 0, text, at) if most else iter(())]
        ends = [at]
        while ways:
            after = next(ways[-1], None)
            if after is not None and (after > ends[-1] or len(ends) <= least):
                ends.append(after)
                ways.append(self._sequence(inner, 0, text, after) if len(ends) <= most else iter(()))
                continue
            if after is not None:
                continue
            self._step()
            if len(ends) > least:
                yield ends[-1]
            ends.pop()
            ways.pop()


def _first(ends: Iterator[int]) -> Iterator[int]:
    end = next(ends, None)
    if end is not None:
        yield end


def _is_word(text: str, at: int) -> bool:
    return 0 <= at < len(text) and bool(re.match(r"\w", text[at]))


_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
_LETTERS = [*map(chr, range(97, 123)), *map(chr, range(32, 127)), "\t", "\n", "\0", "\x80", "\u2028", "\ud800", "é"]
_CATEGORIES: dict[Any, str] = {
    sre.CATEGORY_DIGIT: r"\d", sre.CATEGORY_NOT_DIGIT: r"\D", sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S", sre.CATEGORY_WORD: r"\w", sre.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip
