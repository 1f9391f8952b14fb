"""Win conditions as text, such as "all crate on goal and no gem".

    all THINGS on TRIGGERS      every enabled one is inside one of the triggers
    any THINGS on TRIGGERS      at least one is
    3 THINGS on TRIGGERS        at least 3 are
    no THINGS on TRIGGERS       none is
    no THINGS                   none is enabled
    NAME on TRIGGERS            that thing is
    ... and ...                 both hold

THINGS and TRIGGERS are names or kinds. One that contains a keyword needs quotes: all "no entry" on goal.
The parser is written by hand because it is shorter than a grammar for any parser library.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from ecs_collision.errors import CollisionValueError
from ecs_collision.fixed_point import instance_of

WORDS = frozenset(("all", "any", "no", "on", "and", "or"))
EXAMPLE = 'write it like "all crate on goal", "any player on exit", "2 crate on plate" or "no gem", joined by "and"'
MAX_COUNT = 1_000_000
MAX_LENGTH = 1000
"""Maximum length of a condition: each clause is checked against every thing of the level."""

_TOKEN = re.compile(r'"([^"]*)"|(\S+)')


def quoted(selector: str) -> str:
    """Return a name or kind as a condition writes it: in quotes unless it is a plain word."""
    return selector if re.fullmatch(r"[^\W\d]\w*", selector) and selector not in WORDS else f'"{selector}"'


class ConditionError(CollisionValueError):
    """A condition with a syntax error: what was `found` and `expected` in `column` (from 1) of its `text`."""

    def __init__(self, text: str, column: int, found: str, expected: str) -> None:
        self.text, self.column, self.found, self.expected = text, column, found, expected
        super().__init__(f"the condition {text!r}, column {column}: found {found}; expected {expected}; {EXAMPLE}")

    def __reduce__(self) -> tuple[type[ConditionError], tuple[str, int, str, str]]:
        """Pickle the fields; the message is rebuilt from them."""
        return (type(self), (self.text, self.column, self.found, self.expected))


class GameView(Protocol):
    """The part of a game that a condition reads."""

    def members(self, selector: str, *, trigger: bool = False) -> tuple[int, ...]:
        """Return the ids of the bodies with a name or kind; raises if there are none, or if they are no triggers."""

    def is_enabled(self, id: int) -> bool:
        """Return whether a body is enabled."""

    def ids_inside(self, trigger: int) -> list[int]:
        """Return the ids of the bodies inside a trigger."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: at least `minimum` of the `things` (None: all) are on the `triggers`; 0 means none.

    triggers: None for the form "no THINGS". single: the clause has no quantity such as "all" or "any".
    """

    things: str
    triggers: str | None
    minimum: int | None
    single: bool = False

    def is_met(self, game: GameView) -> bool:
        """Return whether the clause holds."""
        there = [id for id in game.members(self.things) if game.is_enabled(id)]
        if self.triggers is None:
            return not there
        if self.single and not there:
            return False
        inside: set[int] = set()
        for trigger in game.members(self.triggers, trigger=True):
            inside.update(game.ids_inside(trigger))
        count = sum(id in inside for id in there)
        if self.minimum == 0:
            return count == 0
        return count >= (len(there) if self.minimum is None else self.minimum)

    def check(self, game: GameView) -> None:
        """Raise an error for a name or kind that the level lacks, or for several things without a quantity."""
        members = game.members(self.things)
        if self.single and len(members) > 1:
            raise CollisionValueError(
                f"the condition {str(self)!r} names {len(members)} things {self.things!r}; "
                f'write "all {self.things} on ..." or "any {self.things} on ..."'
            )
        if self.triggers is not None:
            game.members(self.triggers, trigger=True)

    def __str__(self) -> str:
        how_many = "" if self.single else {None: "all ", 0: "no ", 1: "any "}.get(self.minimum, f"{self.minimum} ")
        return how_many + _quoted(self.things) + ("" if self.triggers is None else f" on {_quoted(self.triggers)}")


@dataclass(frozen=True, slots=True)
class Condition:
    """The `clauses` of a win condition, which must all hold."""

    clauses: tuple[Clause, ...]

    def is_met(self, game: GameView) -> bool:
        """Return whether all clauses hold."""
        return all(clause.is_met(game) for clause in self.clauses)

    def check(self, game: GameView) -> None:
        """Raise UnknownEntity or CollisionValueError for a name or kind that the level does not have."""
        for clause in self.clauses:
            clause.check(game)

    def __str__(self) -> str:
        return " and ".join(map(str, self.clauses))


def parse_condition(text: str) -> Condition:
    """Return the condition of a text; raises ConditionError with the column of the first syntax error."""
    instance_of(text, str, "the condition", EXAMPLE)
    if len(text) > MAX_LENGTH:
        found = f"{len(text)} characters"
        raise ConditionError(f"{text[:60]}...", MAX_LENGTH + 1, found, f"at most {MAX_LENGTH}")
    return Condition(tuple(_Reader(text).clauses()))


class _Reader:
    """Parses a list of tokens (word, column, is_quoted)."""

    def __init__(self, text: str) -> None:
        self._text = text
        found = [(match, match[1] is not None) for match in _TOKEN.finditer(text)]
        self._tokens = [(match[2 - quoted], match.start(2 - quoted) + 1, quoted) for match, quoted in found]
        self._at = 0

    def clauses(self) -> Iterator[Clause]:
        """Yield the clauses, which are joined by "and"."""
        yield self._clause()
        while self._at < len(self._tokens):
            self._expect("and")
            yield self._clause()

    def _clause(self) -> Clause:
        minimum, single = self._quantity()
        things = self._selector("the name or kind of things")
        if minimum == 0 and self._keyword() != "on":
            return Clause(things, None, 0)
        self._expect("on")
        return Clause(things, self._selector("the name or kind of triggers"), minimum, single)

    def _quantity(self) -> tuple[int | None, bool]:
        """Return the minimum (None for all), and whether the quantity is missing."""
        word = self._keyword()
        known = {"all": None, "any": 1, "no": 0}
        if word in known:
            self._at += 1
            return known[word], False
        if word is not None and re.fullmatch("[0-9]{1,7}", word):
            if not 1 <= int(word) <= MAX_COUNT:
                raise self._error(f'a number from 1 to {MAX_COUNT}, or "no" for none')
            self._at += 1
            return int(word), False
        return None, True

    def _selector(self, what: str) -> str:
        """Return the words up to the next keyword."""
        words: list[str] = []
        while self._at < len(self._tokens):
            word, _, quoted = self._tokens[self._at]
            if (word in WORDS and not quoted) or (quoted and words):
                break
            words.append(word)
            self._at += 1
            if quoted:
                break
        if not words or not words[0]:
            self._at -= bool(words)
            raise self._error(what)
        return " ".join(words)

    def _keyword(self) -> str | None:
        """Return the next word, or None if it is quoted or the text ends."""
        if self._at >= len(self._tokens) or self._tokens[self._at][2]:
            return None
        return self._tokens[self._at][0]

    def _expect(self, word: str) -> None:
        if self._keyword() != word:
            raise self._error(f'"{word}"')
        self._at += 1

    def _error(self, expected: str) -> ConditionError:
        if self._at >= len(self._tokens):
            return ConditionError(self._text, len(self._text.rstrip()) + 1, "the end", expected)
        word, column, _ = self._tokens[self._at]
        return ConditionError(self._text, column, repr(word), expected)


def _quoted(selector: str) -> str:
    words = selector.split(" ")
    plain = WORDS.isdisjoint(words) and not words[0].isdigit() and all(words) and '"' not in selector
    return selector if plain else f'"{selector}"'
