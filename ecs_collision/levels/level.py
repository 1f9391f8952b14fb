"""`Level`: the content of a level file, independent of any world.

All formats are read into this record: things with a name, position, parts, components and properties. It is immutable
plain data, so a level can be spawned any number of times, compared, pickled and written back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ecs_collision.components import AnyPart
from ecs_collision.errors import CollisionTypeError, CollisionValueError, UnknownEntity
from ecs_collision.fixed_point import finite, instance_of, is_whole, items_of
from ecs_collision.levels.colliders import rectangles_around
from ecs_collision.levels.drawn_tiles import DrawnTile, Rectangle, TileLayer
from ecs_collision.levels.frozen import FrozenMap, Value
from ecs_collision.similar import did_you_mean

NO_ITEMS = FrozenMap()


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing in a level.

    name: unique in its level.
    kind: for example the word in a legend, a Tiled class or an LDtk identifier.
    position: of the body, in cells, y downwards.
    parts: relative to the position.
    components: name to fields, `{"Inertia": {"value": 1.0}}`; a thing without any is scenery and becomes no body.
    properties: everything else in the file.
    """

    name: str
    kind: str
    position: tuple[float, float, float]
    parts: tuple[AnyPart, ...] = ()
    components: FrozenMap = NO_ITEMS
    properties: FrozenMap = NO_ITEMS

    @property
    def is_body(self) -> bool:
        """Whether `spawn` creates a body for it."""
        return bool(self.components)

    def fields(self, component: str) -> Mapping[str, Value] | None:
        """Return the fields of a component, or None if the thing does not have it."""
        instance_of(component, str, "component", "give the name of a component")
        found = self.components.get(component)
        return found if isinstance(found, FrozenMap) else None


class Letters(NamedTuple):
    """The letters of a level: `of` maps the name of each thing to its letter.

    kinds: the kind of each letter, used or not. together: letters that stand for several others on one cell, or for
    none.
    """

    of: Mapping[str, str]
    kinds: Mapping[str, str]
    together: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Level:
    """A level: its things, in reading order, and its own properties. Those of its file (from `form` on) do not compare.

    title: its name.
    size: columns and rows, in cells.
    things: all things, scenery included.
    settings: for the world (`rule`, `max_chain`, ...).
    properties: everything else in the file.
    win: the win condition as text.
    gravity: the direction in which things fall (L, R, U, D), or None.
    source: the name of its file, for messages.
    form: "text", "xsb", "tiled" or "ldtk".
    letters: the letters of the file, if any.
    cell_pixels: the size of a cell in the editor, None in text.
    tile_layers: the tiles that the editor draws; see `tiles`.
    """

    title: str
    size: tuple[int, int]
    things: tuple[Thing, ...]
    settings: FrozenMap = NO_ITEMS
    properties: FrozenMap = NO_ITEMS
    win: str | None = None
    gravity: str | None = None
    source: str = "level"
    form: str = field(default="text", compare=False)
    letters: Letters | None = field(default=None, repr=False, compare=False)
    cell_pixels: tuple[float, float] | None = field(default=None, repr=False, compare=False)
    tile_layers: tuple[TileLayer, ...] = field(default=(), repr=False, compare=False)
    _by_name: dict[str, Thing] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        instance_of(self.title, str, "title", "give a text")
        if len(size := items_of(self.size) or ()) != 2 or not all(map(is_whole, size)):
            raise CollisionTypeError(f"size is {self.size!r}; give the number of columns and rows, as in (8, 5)")
        things = items_of(self.things)
        for thing in (self.things,) if things is None else things:
            instance_of(thing, Thing, "a thing of a level", "give a Thing")
        by_name = {thing.name: thing for thing in self.things}
        if len(by_name) != len(self.things):
            duplicate = Counter(thing.name for thing in self.things).most_common(1)[0][0]
            raise CollisionValueError(
                f"{self.source}: two things are named {duplicate!r}; names must be unique in a level"
            )
        object.__setattr__(self, "_by_name", by_name)

    def __getitem__(self, name: str) -> Thing:
        """Return the thing with a name; raises UnknownEntity with the known names."""
        instance_of(name, str, "a name", "give the name of a thing")
        thing = self._by_name.get(name)
        if thing is None:
            raise UnknownEntity(f"{self.source} has no thing named {name!r}; it has {listed(self._by_name)}")
        return thing

    def __contains__(self, name: object) -> bool:
        """Return whether the level has a thing with this name."""
        return isinstance(name, str) and name in self._by_name

    def select(self, selector: str) -> tuple[Thing, ...]:
        """Return the thing with a name, or all things of a kind; raises UnknownEntity if there are none."""
        instance_of(selector, str, "a selector", "give the name of a thing, or a kind")
        if selector in self._by_name:
            return (self._by_name[selector],)
        found = tuple(thing for thing in self.things if thing.kind == selector)
        if not found:
            kinds = dict.fromkeys(thing.kind for thing in self.things)
            own = (each for each in self.things if each.kind not in (each.name, each.name.rpartition(" ")[0]))
            names = [thing.name for thing in own]  # "crate 1" is only the first crate
            near = did_you_mean(selector, [*kinds, *names])
            known = f"its kinds are {listed(kinds)}{f'; its names are {listed(names)}' * bool(names)}"
            raise UnknownEntity(f"unknown name {selector!r} in {self.source}{near}; {known}")
        return found

    def tiles(self) -> Iterator[DrawnTile]:
        """Yield the tiles that the editor draws, with their things, in the order of drawing: the lowest layer first."""
        for layer in self.tile_layers:
            yield from layer.tiles(self.things)

    def pixels(self, thing: Thing, cell: tuple[float, float] | None = None) -> Rectangle:
        """Return the rectangle around the parts of a thing: left, top, width and height in pixels, y downwards.

        cell: the size of a cell in pixels; None means that of the editor, which text levels do not have.
        """
        instance_of(thing, Thing, "thing", "give a thing of the level, as in level.pixels(level[name])")
        size = self.cell_pixels if cell is None else _cell_of(cell)
        if size is None:
            raise CollisionValueError(
                f"{self.source} has no pixels; give the size of a cell, as in level.pixels(thing, cell=(32, 32))"
            )
        around, (x, y, _) = [*rectangles_around(thing)] or [(0.0, 0.0, 0.0, 0.0)], thing.position
        lefts, tops, rights, bottoms = zip(*around, strict=True)
        left, top = min(lefts), min(tops)
        width, height = max(rights) - left, max(bottoms) - top
        return ((x + left) * size[0], (y + top) * size[1], width * size[0], height * size[1])

    def __repr__(self) -> str:
        columns, rows = self.size
        return f"Level({self.title!r}, {columns} x {rows}, {len(self.things)} things, from {self.source})"


def _cell_of(cell: object) -> tuple[float, float]:
    """Return the size of a cell in pixels; raises an error for other values."""
    sides = items_of(cell)
    if sides is None or len(sides) != 2:
        raise CollisionTypeError(f"cell is {cell!r}; give its width and height in pixels, as in (32, 32)")
    return finite(sides[0], "cell"), finite(sides[1], "cell")


def names_for(kinds: Iterable[str], given: Iterable[str] = ()) -> list[str]:
    """Return a unique name for each kind in a list: the kind itself if it occurs once, else "crate 1", "crate 2", ...

    Numbers that lead to a name in use are skipped; `given` are names that other things already have.
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
    """Return a unique name for each thing: its given name if that occurs once, else the name or the kind with a number.

    "" means that no name is given.
    """
    count = Counter(given)
    own = {name for name in given if name and count[name] == 1}
    others = (name or kind for name, kind in zip(given, kinds, strict=True) if name not in own)
    numbered = iter(names_for(others, own))
    return [name if name in own else next(numbered) for name in given]


def listed(names: Iterable[str], maximum: int = 8) -> str:
    """Return names as one line, at most `maximum` of them."""
    shown = list(names)
    more = f" and {len(shown) - maximum} more" if len(shown) > maximum else ""
    return (", ".join(map(repr, shown[:maximum])) or "none") + more
