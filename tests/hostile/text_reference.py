"""A second reading of the text formats, written from their descriptions alone, for files already accepted."""

from __future__ import annotations

import re

from hostile.reading import Cell, Reading, reading


def read_text(data: bytes, name: str) -> list[Reading]:
    """Read a level of the text format."""
    title, legend, stacks, maps, part = name, {}, {}, [], "settings"
    for line in data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if (line.strip() in ("legend", "map") and part != "settings") or line.strip() in ("legend", "map"):
            part = line.strip()
            if part == "map":
                maps.append([])
            continue
        if part == "map":
            maps[-1].append(line.rstrip())
            continue
        words = without_comment(line)
        if not words.strip():
            continue
        if part == "settings":
            key, _, value = words.partition(":")
            if key.strip() == "title":
                title = value.strip()
        else:
            letter, rest = words.strip()[0], words.strip()[1:].strip()
            if rest.startswith("="):
                stacks[letter] = rest[1:].split()
            else:
                kind, _, parts = rest.partition(":")
                legend[letter] = (kind.strip(), top_level(parts))
    return [reading_of(title, legend, stacks, maps)]


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


def reading_of(title, legend, stacks, maps) -> Reading:
    """Put letters on cells, then cells into things."""
    drawn = [trimmed(rows) for rows in maps]
    size = (max(len(row) for rows in drawn for row in rows), max(len(rows) for rows in drawn))
    found: dict[str, list[tuple[int, Cell]]] = {}
    for layer, rows in enumerate(drawn):
        for j, row in enumerate(rows):
            for i, letter in enumerate(row):
                for single in letters_of(letter, legend, stacks):
                    found.setdefault(single, []).append((layer, (i, j)))
    things = []
    merged: dict[str, list[Cell]] = {}
    names: dict[str, list[str]] = {}
    for letter, places in found.items():
        kind, words = legend[letter]
        components = [re.match(r"\w+", word)[0] for word in words if word not in ("joined", "single")]
        if "joined" in words:
            for layer in {layer for layer, _ in places}:
                for group in groups({cell for at, cell in places if at == layer}):
                    things.append((kind, list(map(square, group)), components))
        elif "Static" in components and "single" not in words:
            merged.setdefault(kind, []).extend(cell for _, cell in places)
            names[kind] = components
        else:
            things.extend((kind, [square(cell)], components) for _, cell in places)
    things.extend((kind, list(map(square, cells)), names[kind]) for kind, cells in merged.items())
    return reading(title, size, things)


def trimmed(rows: list[str]) -> list[str]:
    """Return rows without the empty ones behind the last."""
    while rows and not rows[-1].strip():
        rows = rows[:-1]
    return rows


def letters_of(letter: str, legend, stacks) -> list[str]:
    """Return the letters that stand for things: of a stack, its members."""
    if letter in stacks:
        return [single for member in stacks[letter] for single in letters_of(member, legend, stacks)]
    if letter in legend:
        return [letter]
    assert letter in " .", f"the letter {letter!r} means nothing"
    return []


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
    found: dict[str, list[Cell]] = {}
    for j, row in enumerate(rows):
        for i, letter in enumerate(row):
            for kind in BOARD[letter]:
                found.setdefault(kind, []).append((i, j))
    things = [(kind, [square(cell)], PARTS[kind]) for kind in found if kind != "wall" for cell in found[kind]]
    if "wall" in found:
        things.append(("wall", list(map(square, found["wall"])), PARTS["wall"]))
    return reading(title, (max(map(len, rows)), len(rows)), things)
