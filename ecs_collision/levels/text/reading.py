"""Reads text levels: settings, a legend of letters, one or more maps, and lines about single things.

A file may contain several levels: a `title:` below a map starts the next one, which keeps the legend unless it has its
own. docs/levels.md describes the format.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from ecs_collision.errors import CollisionError, CollisionValueError
from ecs_collision.levels.conditions import EXAMPLE, ConditionError, parse_condition
from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.grids import UNIT_BOXES, position_and_boxes
from ecs_collision.levels.kinds import present
from ecs_collision.levels.level import Letters, Level, Thing, listed, names_for
from ecs_collision.levels.load import Options
from ecs_collision.levels.registry import REFERENCE_TEXTS, REFERENCES
from ecs_collision.levels.source import Source, shown
from ecs_collision.levels.text.drawing import DrawnThing, Map, drawn_things
from ecs_collision.levels.text.header import read_header
from ecs_collision.levels.text.legend import Legend, read_legend
from ecs_collision.levels.text.things_section import ThingLine, read_things
from ecs_collision.levels.value_parser import ValueParser

_HEADING = re.compile(r"(legend|things|map)(?! *[=:])( .*)?")
_HEADING_BELOW_A_MAP = re.compile(r"(legend|things|map)( +at +[0-9]+ +[0-9]+)? *")
_POSITION = re.compile(r"at +([1-9][0-9]{0,6}) +([1-9][0-9]{0,6})", re.ASCII)
_NEXT_LEVEL = re.compile(r"title *:")

Lines = list[tuple[int, str]]
"""Lines with their numbers."""


@dataclass(slots=True)
class LevelSections:
    """The lines of one level, by section; `legend` is None if the level has no legend."""

    line: int
    header: Lines = field(default_factory=list)
    legend: Lines | None = None
    maps: list[Map] = field(default_factory=list)
    things: Lines = field(default_factory=list)


def read_text(source: Source, options: Options) -> list[Level]:
    """Return the levels of a text file; raises LevelError with the position of the first fault."""
    legend = Legend()
    levels = []
    for number, sections in enumerate(_split_levels(source), 1):
        source.limit("levels", line=sections.line)
        if sections.legend is not None:
            legend = read_legend(source, sections.legend, options)
        levels.append(_level(source, sections, legend, options, f"level {number}"))
    return levels


def _split_levels(source: Source) -> Iterator[LevelSections]:
    """Yield the lines of each level, split into sections."""
    sections = LevelSections(1)
    section = sections.header
    for number, line in enumerate(source.lines(), 1):
        in_map = bool(sections.maps) and section is sections.maps[-1].rows
        text = line.partition(";")[0] if in_map else line
        heading = (_HEADING_BELOW_A_MAP if in_map else _HEADING).fullmatch(text)
        if heading or not in_map:
            source.limit("lines outside of maps", bool(text.strip()), line=number)
        if heading:
            section = _start_section(source, sections, number, text, heading[1])
        elif sections.maps and _NEXT_LEVEL.match(line):
            yield sections
            sections = LevelSections(number, [(number, line)])
            section = sections.header
        else:
            section.append((number, text))
    yield sections


def _start_section(source: Source, sections: LevelSections, number: int, text: str, heading: str) -> Lines:
    """Start a section and return its list of lines."""
    parser = ValueParser(source, number, text, len(heading))
    if heading == "map":
        sections.maps.append(_map(parser))
        return sections.maps[-1].rows
    parser.end(f"write {heading!r} alone on its line")
    if heading == "things":
        return sections.things
    if sections.legend is not None:
        raise source.error("a second legend", "one legend per level", "combine them", line=number, column=1)
    sections.legend = []
    return sections.legend


def _map(parser: ValueParser) -> Map:
    """Return a map without rows from its heading: `map`, or `map at COLUMN ROW`, from 1."""
    if not parser.next():
        return Map(parser.line)
    column = parser.column
    match = _POSITION.fullmatch(parser.bare())
    if match is None or parser.next():
        raise parser.error(
            shown(parser.text[column - 1 :].strip()), "'map', or 'map at COLUMN ROW' with numbers from 1",
            "write 'map at 3 2' to place the first letter at column 3, row 2", column,
        )  # fmt: skip
    return Map(parser.line, row=int(match[2]) - 1, column=int(match[1]) - 1)


def _level(source: Source, sections: LevelSections, legend: Legend, options: Options, title: str) -> Level:
    header = read_header(source, sections.header)
    if not sections.maps:
        raise source.error("no map", "a line 'map' and rows below it", "draw a map", line=sections.line, column=1)
    drawn, size = drawn_things(source, sections.maps, legend)
    if not drawn:
        raise source.error(
            "an empty map", "letters of the legend", "draw at least one thing", line=sections.maps[0].line, column=1
        )
    names = names_for([thing.entry.kind for thing in drawn])
    thing_lines = read_things(source, sections.things, drawn, names, options) if sections.things else {}
    _give_names(source, drawn, names, thing_lines)
    things = [
        _thing(thing, name, thing_lines.get(number), options)
        for number, (thing, name) in enumerate(zip(drawn, names, strict=True))
    ]
    _check_references(source, drawn, things, thing_lines)
    letters = {thing.name: each.entry.letter for each, thing in zip(drawn, things, strict=True)}
    level = Level(
        title=header.title or title,
        size=size,
        things=tuple(things),
        settings=FrozenMap(header.settings),
        properties=FrozenMap(header.properties),
        win=header.win,
        gravity=header.gravity,
        source=source.name,
        letters=Letters(letters, legend.kinds, legend.together),
    )
    if level.win is not None:
        _check_win(source, level, *header.win_at)
    return level


def _thing(drawn: DrawnThing, name: str, thing_line: ThingLine | None, options: Options) -> Thing:
    entry = drawn.entry
    kind, components, properties = entry.kind, entry.components, entry.properties
    if thing_line is not None:
        components = FrozenMap({**components, **thing_line.parts.components})
        properties = FrozenMap({**properties, **thing_line.parts.properties})
        if thing_line.name is not None:
            choice = options.kinds.choose(kind, {"name": thing_line.name})
            kind, components = choice.kind, present({**(components or choice.defaults), **choice.overrides})
    if drawn.rectangles is None:
        row, column, _, _ = drawn.place
        return Thing(name, kind, (column + 0.5, row + 0.5, 0.0), UNIT_BOXES, components, properties)
    position, boxes = position_and_boxes(drawn.rectangles)
    return Thing(name, kind, position, boxes, components, properties)


def _give_names(source: Source, drawn: list[DrawnThing], names: list[str], thing_lines: dict[int, ThingLine]) -> None:
    """Replace default names by those in the file; raises LevelError if two things would have the same name."""
    kinds = Counter(thing.entry.kind for thing in drawn)
    places: dict[int, tuple[str, int, int]] = {}
    for number, thing in enumerate(drawn):
        if thing.entry.name is not None:
            places[number] = (thing.entry.name, thing.entry.line, thing.entry.columns[""])
    for number, thing_line in thing_lines.items():
        if thing_line.name is not None:
            places[number] = (thing_line.name, thing_line.line, thing_line.column)
    for number, (name, _, _) in places.items():
        names[number] = name
    owners = Counter(names)
    for number, (name, line, column) in places.items():
        others = kinds[name] - (drawn[number].entry.kind == name)
        if owners[name] > 1 or others:
            taken = "a second thing" if owners[name] > 1 else "one thing"
            raise source.error(
                f"{taken} named {name!r}", "a name that is not used for other things or their kind",
                "choose another name; a letter with a name is one thing, so connect its cells or add 'whole'",
                line=line, column=column,
            )  # fmt: skip


def _check_references(
    source: Source, drawn: list[DrawnThing], things: list[Thing], thing_lines: dict[int, ThingLine]
) -> None:
    """Raise LevelError if a thing is fused to itself, or to something that is not a body of the level, or grips it."""
    found = [
        (number, kind, str(fields["to"]))
        for number, thing in enumerate(things)
        for kind in REFERENCES
        if (fields := thing.fields(kind.__name__))
    ]
    bodies = [thing.name for thing in things if thing.is_body] if found else []
    known = set(bodies)
    for number, kind, to in found:
        component, (does, remedy) = kind.__name__, REFERENCE_TEXTS[kind]
        name, entry = things[number].name, drawn[number].entry
        if to in known and to != name:
            continue
        line, columns = entry.line, entry.columns
        if number in thing_lines and component in thing_lines[number].parts.columns:
            line, columns = thing_lines[number].line, thing_lines[number].parts.columns
        raise source.error(
            f"{name!r} {does} {to!r}", f"the name of another body: {listed(bodies)}",
            remedy, line=line, column=columns[component],
        )  # fmt: skip


def _check_win(source: Source, level: Level, line: int, before: int) -> None:
    """Raise LevelError unless the win condition is valid and names bodies and triggers of the level."""
    try:
        parse_condition(str(level.win)).check(_Bodies(level))
    except ConditionError as problem:
        column = before + problem.column
        raise source.error(problem.found, problem.expected, EXAMPLE, line=line, column=column) from problem
    except CollisionError as problem:
        expected, remedy = "names or kinds of this level", "use the names in the legend"
        raise source.error(str(problem), expected, remedy, line=line, column=before + 1) from problem


class _Bodies:
    """The bodies of a level as a `GameView`: all are enabled, and triggers are empty."""

    def __init__(self, level: Level) -> None:
        self._level = level
        self._known: dict[str, tuple[tuple[int, ...], bool]] = {}

    def members(self, selector: str, *, trigger: bool = False) -> tuple[int, ...]:
        if selector not in self._known:
            found = [thing for thing in self._level.select(selector) if thing.is_body]
            are_triggers = all("Trigger" in thing.components for thing in found)
            self._known[selector] = (tuple(range(len(found))), are_triggers)
        members, are_triggers = self._known[selector]
        if not members or (trigger and not are_triggers):
            raise CollisionValueError(f"{selector!r} is not a {'trigger' if trigger else 'body'}")
        return members

    def is_enabled(self, id: int) -> bool:
        return True

    def ids_inside(self, trigger: int) -> list[int]:
        return []
