"""The legend of a text level: the meaning of each letter."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ecs_collision.levels.frozen import FrozenMap
from ecs_collision.levels.kinds import present
from ecs_collision.levels.level import NO_ITEMS, listed
from ecs_collision.levels.load import Options
from ecs_collision.levels.registry import component_conflict
from ecs_collision.levels.source import Source, shown
from ecs_collision.levels.value_parser import LinePart, ValueParser

GROUPINGS = ("single", "joined", "whole")
"""How the cells of a letter become things: one thing per cell, per connected set of cells, or for all cells."""

MAX_ON_A_CELL = 16
"""Maximum number of letters that one letter may stand for."""

_KIND = re.compile(r"[^\W\d_][\w\-]*( [\w\-]+)*")


@dataclass(frozen=True, slots=True)
class Entry:
    """The meaning of a letter: things of a kind, or one thing if it has a name.

    grouping: one of `GROUPINGS`, or "" if the line has none. bare: the line has no parts. line and columns: the
    position of the letter ("") and of each part.
    """

    letter: str
    kind: str
    line: int
    name: str | None = None
    components: FrozenMap = NO_ITEMS
    properties: FrozenMap = NO_ITEMS
    grouping: str = ""
    bare: bool = False
    columns: dict[str, int] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Legend:
    """The letters and their entries. Levels of a file without their own legend use the previous one.

    stacks: letter to its entries, in the order of their things on a cell. entries: the letters that stand for one
    entry. kinds and together: the same for `Level.letters`, as kinds and letters.
    """

    stacks: Mapping[str, tuple[Entry, ...]] = field(default_factory=dict)
    entries: Mapping[str, Entry] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    together: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def read_legend(source: Source, lines: Iterable[tuple[int, str]], options: Options) -> Legend:
    """Return the legend from these lines with their numbers."""
    own: dict[str, Entry] = {}
    several: dict[str, tuple[int, list[tuple[str, int]]]] = {}
    for number, text in lines:
        parser = ValueParser(source, number, text)
        if not parser.next():
            continue
        letter = _letter(parser, own, several)
        if parser.accept("="):
            several[letter] = (number, _letters(parser))
        else:
            own[letter] = _entry(parser, letter, options)
    models: dict[str, Entry] = {}
    for entry in own.values():
        if not entry.bare:
            models.setdefault(entry.kind, entry)
    entries = {letter: _complete(entry, models, options) for letter, entry in own.items()}
    stacks = {letter: _stack(source, *letters, entries) for letter, letters in several.items()}
    return Legend(
        {letter: (entry,) for letter, entry in entries.items()} | stacks,
        entries,
        {letter: entry.kind for letter, entry in entries.items()},
        {letter: tuple([entry.letter for entry in stack]) for letter, stack in stacks.items()},
    )


def _letter(parser: ValueParser, *known: Container[str]) -> str:
    remedy = "write a letter, a space and a kind, as in '# wall: Static'"
    letter, behind = parser.text[parser.at], parser.text[parser.at + 1 : parser.at + 2]
    if behind not in ("", " ") or not letter.isprintable():
        raise parser.error(shown(parser.text.strip(), 30), "one letter and a space", remedy)
    if any(letter in letters for letters in known):
        raise parser.error(f"a second letter {letter!r}", "each letter once", "choose another letter")
    parser.at += 1
    return letter


def _letters(parser: ValueParser) -> list[tuple[str, int]]:
    """Return the letters that one letter combines, with their columns; no letters mean an empty cell."""
    found: list[tuple[str, int]] = []
    while letter := parser.next():
        if any(letter == other for other, _ in found):
            raise parser.error(f"a second letter {letter!r}", "each letter once", "remove one, or add another map")
        if len(found) == MAX_ON_A_CELL:
            raise parser.error(f"more than {MAX_ON_A_CELL} letters", "fewer on one cell", "add another map")
        found.append((letter, parser.column))
        parser.at += 1
        if parser.text[parser.at : parser.at + 1] not in ("", " "):
            raise parser.unexpected("a space between letters", "separate letters by spaces, as in '* = $ .'")
    return found


def _stack(
    source: Source, number: int, letters: list[tuple[str, int]], entries: Mapping[str, Entry]
) -> tuple[Entry, ...]:
    for letter, column in letters:
        if letter not in entries:
            raise source.error(
                f"the unknown letter {letter!r}", f"letters with a legend line of their own: {listed(entries, 20)}",
                "define it on a line of its own", line=number, column=column,
            )  # fmt: skip
    return tuple([entries[letter] for letter, _ in letters])


def _entry(parser: ValueParser, letter: str, options: Options) -> Entry:
    """Return the entry of a letter from its line."""
    line, columns = parser.line, {"": parser.text.index(letter) + 1}
    kind = kind_name(parser)
    is_named = parser.next() == '"'
    column = parser.column
    name = parser.check_name(parser.quoted(), column) if is_named else None
    if name is not None and not name.strip():
        raise parser.error("an empty name", "the name of a thing", "write a name, or remove the quotes")
    if not parser.next():
        _refuse_forgotten_colon(parser, letter, kind, options)
        return Entry(letter, kind, line, name, bare=True, columns=columns)
    parser.expect(":", "write ':' before components, as in '$ crate: Inertia(1)'")
    parts = read_parts(parser, parser.parts() if parser.next() else [], options, GROUPINGS)
    columns |= parts.columns
    return Entry(letter, kind, line, name, parts.components, parts.properties, parts.flag, columns=columns)


def _refuse_forgotten_colon(parser: ValueParser, letter: str, kind: str, options: Options) -> None:
    """Raise LevelError for `# wall Static`, which would define scenery of the kind "wall Static"."""
    before, _, last = kind.rpartition(" ")
    if before and last in options.registry and f'"{kind}"' not in parser.text:
        raise parser.error(
            f"the kind {kind!r}", "':' before components", f"write '{letter} {before}: {last}', or quote the kind",
            parser.text.rindex(last) + 1,
        )  # fmt: skip


def _complete(entry: Entry, models: dict[str, Entry], options: Options) -> Entry:
    """Return an entry with defaults filled in: a bare entry copies the first one of its kind with parts."""
    model = models.get(entry.kind, entry) if entry.bare else entry
    options.defined.add(entry.kind)
    choice = options.choose(entry.kind, name=entry.name or "")
    components = present({**(model.components or choice.defaults), **choice.overrides})
    grouping = model.grouping
    if not grouping:
        grouping = "whole" if entry.name is not None else grouping_by_default(components)
    return replace(
        entry, kind=choice.kind, components=components, properties=model.properties, grouping=grouping,
        columns={**dict.fromkeys(components, entry.columns[""]), **entry.columns},
    )  # fmt: skip


def grouping_by_default(components: FrozenMap) -> str:
    """Return the default grouping: "whole" for solid static things, else "single"."""
    return "whole" if "Static" in components and "Trigger" not in components else "single"


def kind_name(parser: ValueParser) -> str:
    """Read the name of a kind: quoted, or words of letters, digits, '-' and '_'."""
    parser.next()
    column = parser.column
    if parser.next() == '"':
        return parser.name("a kind", "write the kind that the letter stands for")
    kind = parser.name("a kind", "write the kind that the letter stands for, as in '# wall: Static'")
    if not _KIND.fullmatch(kind):
        raise parser.error(
            shown(kind), "a kind: words of letters, digits, '-' and '_'", "choose another word, or quote it", column
        )
    return kind


@dataclass(frozen=True, slots=True)
class LineParts:
    """The parts of a line: components, properties, and the bare word."""

    components: FrozenMap
    properties: FrozenMap
    flag: str
    columns: dict[str, int]


NO_PARTS = LineParts(NO_ITEMS, NO_ITEMS, "", {})


def read_parts(parser: ValueParser, parts: list[LinePart], options: Options, flags: tuple[str, ...] = ()) -> LineParts:
    """Return the checked parts of a line; raises LevelError with the column of the first invalid one."""
    components: dict[str, Any] = {}
    properties: dict[str, Any] = {}
    flag = ""
    columns: dict[str, int] = {}
    for part in parts:
        if part.word in columns or (part.word in flags and flag):
            raise parser.error(f"a second {part.word!r}", "each part once", "remove one", part.column)
        if part.form == "word" and part.word in flags:
            flag = part.word
        elif part.form == "property" and part.word in options.registry:
            raise parser.error(
                f"'{part.word}='", f"the component {part.word}", f"write {part.word}(...)", part.column
            )  # fmt: skip
        elif part.form == "property":
            properties[part.word] = part.value
        elif part.word not in options.registry:
            expected = [*(flags if part.form == "word" else ()), *options.registry.names()]
            raise parser.error(
                f"the unknown component {part.word!r}", f"one of {listed(expected, 20)}",
                f"choose one, or write {part.word}=true for a property of the game", part.column,
            )  # fmt: skip
        else:
            components[part.word] = parser.component(options.registry, part)
            conflict = component_conflict(components)
            if conflict:
                raise parser.error(conflict, "compatible components", "remove one", part.column)
        columns[part.word] = part.column
    return LineParts(FrozenMap(components), FrozenMap(properties), flag, columns)
