"""`Level`: what a level file says, before any world exists.

Every format becomes this one record: things with a name, a place, boxes, components and properties. It is plain data
and cannot change, so one level can be spawned any number of times, compared, pickled and written back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ecs_collision.components import Box
from ecs_collision.errors import CollisionValueError, UnknownEntity
from ecs_collision.levels.frozen import FrozenMap, Value

NO_ITEMS = FrozenMap()


@dataclass(frozen=True, slots=True)
class Thing:
    """Something in a level.

    name: unique in its level. kind: what it is (the word of a legend, a Tiled class, an LDtk identifier). position: of
    the body, in cells, y downwards. boxes: relative to the position. components: name to fields, `{"Inertia": {"value":
    1.0}}`; a thing with none is scenery, to be read but no body. properties: whatever else the file says.
    """

    name: str
    kind: str
    position: tuple[float, float, float]
    boxes: tuple[Box, ...] = ()
    components: FrozenMap = NO_ITEMS
    properties: FrozenMap = NO_ITEMS

    @property
    def is_body(self) -> bool:
        """Whether it becomes a body when the level is spawned."""
        return bool(self.components)

    def fields(self, component: str) -> Mapping[str, Value] | None:
        """Return the fields given for a component, None where the thing does not have it."""
        found = self.components.get(component)
        return found if isinstance(found, FrozenMap) else None


class Letters(NamedTuple):
    """How a level was drawn: the letter of each thing, by name, and what else its legend says.

    kinds: what each letter is, used or not. together: those that stand for several letters on one cell, or for none.
    """

    of: Mapping[str, str]
    kinds: Mapping[str, str]
    together: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Level:
    """A level: its things, in reading order, and what it says of itself.

    size: columns and rows, in cells. settings: for the world (`rule`, `max_chain`, ...). win: the condition to win, as
    text. gravity: the letter of a direction (L, R, U, D) in which things fall, or None. source: the name of the file
    it was read from, for messages. form: "text", "xsb", "tiled" or "ldtk". letters: how it was drawn, where that is
    known; levels drawn otherwise may be equal.
    """

    title: str
    size: tuple[int, int]
    things: tuple[Thing, ...]
    settings: FrozenMap = NO_ITEMS
    properties: FrozenMap = NO_ITEMS
    win: str | None = None
    gravity: str | None = None
    source: str = "level"
    form: str = "text"
    letters: Letters | None = field(default=None, repr=False, compare=False)
    _by_name: dict[str, Thing] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        by_name = {thing.name: thing for thing in self.things}
        if len(by_name) != len(self.things):
            duplicate = Counter(thing.name for thing in self.things).most_common(1)[0][0]
            raise CollisionValueError(
                f"{self.source}: two things are named {duplicate!r}; names must be unique in a level"
            )
        object.__setattr__(self, "_by_name", by_name)

    def __getitem__(self, name: str) -> Thing:
        """Return the thing of a name; raises UnknownEntity with the names there are."""
        thing = self._by_name.get(name)
        if thing is None:
            raise UnknownEntity(f"{self.source} has no thing named {name!r}; it has {listed(self._by_name)}")
        return thing

    def __contains__(self, name: object) -> bool:
        """Return whether a thing has this name."""
        return name in self._by_name

    def select(self, selector: str) -> tuple[Thing, ...]:
        """Return the thing of a name, or all things of a kind; raises UnknownEntity where there is neither."""
        if selector in self._by_name:
            return (self._by_name[selector],)
        found = tuple(thing for thing in self.things if thing.kind == selector)
        if not found:
            kinds = dict.fromkeys(thing.kind for thing in self.things)
            raise UnknownEntity(f"{self.source} has no thing and no kind {selector!r}; its kinds are {listed(kinds)}")
        return found

    def __repr__(self) -> str:
        columns, rows = self.size
        return f"Level({self.title!r}, {columns} x {rows}, {len(self.things)} things, from {self.source})"


def names_for(kinds: Iterable[str], given: Iterable[str] = ()) -> list[str]:
    """Return a unique name for each of a list of kinds: the kind itself where it comes once, else "crate 1", ...

    A number that would make a name another thing has is passed over; `given` are names that other things have already.
    """
    listed_kinds, fixed = list(kinds), frozenset(given)
    count = Counter(listed_kinds)
    taken = {kind for kind, times in count.items() if times == 1} | fixed
    numbers: Counter[str] = Counter()
    names: list[str] = []
    for kind in listed_kinds:
        name = kind
        while (count[kind] > 1 or kind in fixed) and (name == kind or name in taken):
            numbers[kind] += 1
            name = f"{kind} {numbers[kind]}"
        taken.add(name)
        names.append(name)
    return names


def unique_names(given: Sequence[str], kinds: Sequence[str]) -> list[str]:
    """Return a unique name for each thing: the name given where it comes once, else numbered by it or by the kind.

    "" is no name.
    """
    count = Counter(given)
    own = {name for name in given if name and count[name] == 1}
    others = (name or kind for name, kind in zip(given, kinds, strict=True) if name not in own)
    numbered = iter(names_for(others, own))
    return [name if name in own else next(numbered) for name in given]


def listed(names: Iterable[str], maximum: int = 8) -> str:
    """Return names in one line, the first few of many."""
    shown = list(names)
    more = f" and {len(shown) - maximum} more" if len(shown) > maximum else ""
    return (", ".join(map(repr, shown[:maximum])) or "none") + more
