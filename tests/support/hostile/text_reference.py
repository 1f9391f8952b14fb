"""A second reading of the text formats, written from their descriptions alone, for files already accepted."""

from __future__ import annotations

import dataclasses
import re

from hostile.reading import OPEN, Cell, Reading, reading

GROUPINGS = ("single", "joined", "whole")
Entry = tuple[str, str, list[str], bool, bool]
"""A letter, its kind, the parts of its line, whether it has a name, and whether it is a bare kind."""


def read_text(data: bytes, name: str) -> list[Reading]:
    """Read the levels of a text file: settings, legend, maps; what is said of single things changes no kinds or cells.

    `title:` below a map begins the next level, which keeps the legend unless it has one.
    """
    found, legend, legend_lines, maps, title, part = [], {}, None, [], "", "settings"

    def finish() -> None:
        nonlocal legend
        legend = legend_of(legend_lines) if legend_lines is not None else legend
        found.append(reading_of(title, legend, maps))

    for line in data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        text = line.partition(";")[0] if part == "map" else without_comment(line)
        pattern = r"(legend|things|map)( +at +\d+ +\d+)? *" if part == "map" else r"(legend|things|map)(?! *[=:])( .*)?"
        heading = re.fullmatch(pattern, text)
        if heading:
            part = heading[1]
            if part == "map":
                numbers = list(map(int, re.findall(r"\d+", text))) or [1, 1]
                maps.append((numbers[0] - 1, numbers[1] - 1, []))
            elif part == "legend":
                legend_lines = []
        elif maps and re.match("title *:", line):
            finish()
            title = without_comment(line).partition(":")[2].strip()
            legend_lines, maps, part = None, [], "settings"
        elif part == "map":
            maps[-1][2].append(text.rstrip())
        elif part == "legend" and text.strip():
            legend_lines.append(text.strip())
        elif part == "settings" and text.partition(":")[0].strip() == "title":
            title = text.partition(":")[2].strip()
    finish()
    return found


def legend_of(lines: list[str]) -> dict[str, list[Entry]]:
    """Return what each letter stands for; a line of a kind alone means what the first other line of the kind says."""
    own: dict[str, Entry] = {}
    stacks: dict[str, list[str]] = {}
    for line in lines:
        letter, rest = line[0], line[1:].strip()
        if rest.startswith("="):
            stacks[letter] = rest[1:].split()
            continue
        kind, named, parts = re.fullmatch(r'("[^"]*"|[^":]*)\s*("[^"]*")?\s*(:.*)?', rest).groups()
        words = top_level(parts[1:]) if parts else []
        own[letter] = (letter, kind.strip().strip('"'), words, bool(named), parts is None)
    models = {}
    for entry in own.values():
        if not entry[4]:
            models.setdefault(entry[1], entry[2])
    full = {letter: (letter, kind, models.get(kind, words) if bare else words, named, bare)
            for letter, (letter, kind, words, named, bare) in own.items()}  # fmt: skip
    return {letter: [entry] for letter, entry in full.items()} | {
        letter: [full[each] for each in members] for letter, members in stacks.items()
    }


def without_comment(line: str) -> str:
    """Return a line up to the semicolon that no string holds."""
    quoted = False
    for at, letter in enumerate(line):
        if letter == '"':
            quoted = not quoted
        if letter == ";" and not quoted:
            return line[:at]
    return line


def top_level(parts: str) -> list[str]:
    """Return the words of components, split where no bracket is open; without their fields."""
    depth, quoted, words = 0, False, [""]
    for letter in parts:
        quoted ^= letter == '"'
        if not quoted:
            depth += (letter in "([") - (letter in ")]")
        if letter == "," and not depth and not quoted:
            words.append("")
        else:
            words[-1] += letter
    return [word.strip() for word in words if word.strip()]


def reading_of(title: str, legend: dict[str, list[Entry]], maps: list[tuple[int, int, list[str]]]) -> Reading:
    """Put letters on cells, then cells into things."""
    places: dict[str, list[tuple[int, Cell]]] = {}
    entries = {entry[0]: entry for several in legend.values() for entry in several}
    columns = rows = 0
    for layer, (left, top, drawn) in enumerate(maps):
        while drawn and not drawn[-1]:
            drawn = drawn[:-1]
        columns = max(columns, left + max(map(len, drawn), default=0))
        rows = max(rows, top + len(drawn))
        for j, row in enumerate(drawn, top):
            for i, letter in enumerate(row, left):
                assert letter in legend or letter in " .", f"the letter {letter!r} means nothing"
                for entry in legend.get(letter, []):
                    places.setdefault(entry[0], []).append((layer, (i, j)))
    things = []
    for letter, found in places.items():
        _, kind, words, named, _ = entries[letter]
        components = [re.match(r"\w+", word)[0] for word in words if re.fullmatch(r"\w+\s*(\(.*\))?", word)]
        components = [word for word in components if word not in GROUPINGS]
        solid = "Static" in components and "Trigger" not in components
        grouping = next((word for word in words if word in GROUPINGS), "whole" if named or solid else "single")
        if grouping == "single":
            things.extend((kind, [square(cell)], components) for _, cell in found)
        elif grouping == "whole":
            things.append((kind, [square(cell) for _, cell in found], components))
        else:
            for layer in {layer for layer, _ in found}:
                for group in groups({cell for at, cell in found if at == layer}):
                    things.append((kind, [square(cell) for cell in group], components))
    assert things, "nothing is drawn"
    return dataclasses.replace(reading(title, (columns, rows), things), components=OPEN)


def groups(cells: set[Cell]) -> list[set[Cell]]:
    """Return cells in groups that adjoin by their edges."""
    left, found = set(cells), []
    while left:
        group, open_ = set(), [left.pop()]
        while open_:
            i, j = open_.pop()
            group.add((i, j))
            for near in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)):
                if near in left:
                    left.remove(near)
                    open_.append(near)
        found.append(group)
    return found


def square(cell: Cell) -> tuple[float, float, float, float]:
    """Return the box of a cell."""
    i, j = cell
    return (float(i), float(j), i + 1.0, j + 1.0)


BOARD = {
    "#": ("wall",), "@": ("player",), "$": ("crate",), ".": ("goal",), "+": ("player", "goal"), "*": ("crate", "goal"),
    "p": ("player",), "b": ("crate",), "o": ("goal",), "P": ("player", "goal"), "B": ("crate", "goal"), " ": (),
    "-": (), "_": (),
}  # fmt: skip
PARTS = {"wall": ["Static"], "player": ["Motion"], "crate": ["Inertia"], "goal": ["Trigger"]}


def read_xsb(data: bytes, name: str) -> list[Reading]:
    """Read a collection of Sokoban boards.

    A board is lines of its letters, with a wall in the first and in each that has run lengths or other letters. A line
    that holds a whole board in run lengths, player and all, begins another if the one above has its player.
    """
    boards: list[list[str]] = []
    drawing = False
    titles = []
    for line in data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        titles += re.findall(r"^\s*;?\s*[Tt]itle\s*:\s*(.*?)\s*$", line)
        has_wall = re.fullmatch(r"[-_ #@$.+*pbPBo|0-9()]*#[-_ #@$.+*pbPBo|0-9()]*", line) and not line[-1].isdigit()
        if not has_wall and not (drawing and line.strip() and re.fullmatch(r"[-_ #@$.+*]+", line)):
            drawing = False
            continue
        if not drawing or ("|" in line and has_player(line) and any(map(has_player, boards[-1]))):
            boards.append([])
        boards[-1].append(line)
        drawing = True
    title = titles[0] if len(titles) == len(boards) == 1 and titles[0] in data.decode().rpartition("#")[2] else ""
    return [board_of(title, board) for board in boards]


def has_player(line: str) -> bool:
    """Return whether a player is drawn in a line."""
    return re.search("[@+pP]", line) is not None


def run_out(line: str) -> str:
    """Return a line with its run lengths written out, innermost brackets first."""
    while found := re.search(r"(\d+)\(([^()]*)\)|\(([^()]*)\)", line):
        group = run_out(found[2]) * int(found[1]) if found[1] else run_out(found[3])
        line = line[: found.start()] + group + line[found.end() :]
    return re.sub(r"(\d+)(\D)", lambda run: int(run[1]) * run[2], line)


def board_of(title: str, lines: list[str]) -> Reading:
    """Return the reading of one board; a bar ends a row, as the end of a line does."""
    rows = [row.rstrip(" -_") for line in lines for row in run_out(line).removesuffix("|").split("|")]
    while not rows[-1]:
        rows.pop()
    while not rows[0]:
        rows.pop(0)
    found: dict[str, list[Cell]] = {}
    for j, row in enumerate(rows):
        for i, letter in enumerate(row):
            for kind in BOARD[letter]:
                found.setdefault(kind, []).append((i, j))
    things = [(kind, [square(cell)], PARTS[kind]) for kind in found if kind != "wall" for cell in found[kind]]
    if "wall" in found:
        things.append(("wall", list(map(square, found["wall"])), PARTS["wall"]))
    return reading(title, (max(map(len, rows)), len(rows)), things)
