"""A game as a picture of letters: what is on its cells, exactly, and where everything else is."""

from __future__ import annotations

from collections.abc import Iterator

from ecs_collision.components import Faces
from ecs_collision.fixed_point import LATTICE
from ecs_collision.game.game import Game
from ecs_collision.levels import Thing
from ecs_collision.testing.drawings import PARTLY, Alphabet, Cell, Picture
from ecs_collision.testing.legends import kind_letters

CELL = int(1 / LATTICE)
"""Units of the lattice in a cell."""

SLAB = (-CELL // 2, CELL // 2)
"""The range of z that all bodies of a board share."""

FURTHEST = 64
"""A picture grows by so many cells beyond its level; what is further out is told of in a note."""


def picture_of(game: Game, alphabet: Alphabet) -> Picture:
    """Return what is to be seen of a game now; what is disabled is not."""
    letters = _letters(game)
    cells: dict[Cell, list[str]] = {}
    strays: list[str] = []
    touched: set[Cell] = set()
    columns, rows = game.level.size
    for name, letter, boxes in _bodies(game, letters):
        covered = _cells(boxes)
        aligned = all(face % CELL == 0 for box in boxes for face in (box[0], box[1], box[3], box[4]))
        flat = all((box[2], box[5]) == SLAB for box in boxes)
        inside = all(_is_near(cell, game.level.size) for cell in covered)
        if aligned and flat and inside and covered:
            for cell in covered:
                cells.setdefault(cell, []).append(letter)
        else:
            strays.append(name)
            touched |= {cell for cell in covered if _is_near(cell, game.level.size)}
    found = dict.fromkeys(touched, PARTLY) | {cell: tuple(sorted(those)) for cell, those in cells.items()}
    size = (max([columns, *(column + 1 for column, _ in found)]), max([rows, *(row + 1 for _, row in found)]))
    return Picture(alphabet, found, tuple(strays), size)


def _is_near(cell: Cell, size: tuple[int, int]) -> bool:
    """Return whether a cell is drawn at all."""
    return 0 <= cell[0] < size[0] + FURTHEST and 0 <= cell[1] < size[1] + FURTHEST


def _letters(game: Game) -> dict[str, str]:
    """Return the letter of each thing of a level."""
    drawn = game.level.letters
    by_kind = kind_letters(game.level) if drawn is None else {}
    return {thing.name: by_kind[thing.kind] if drawn is None else drawn.of[thing.name] for thing in game.level.things}


def _bodies(game: Game, letters: dict[str, str]) -> Iterator[tuple[str, str, list[Faces]]]:
    """Yield what there is to see: a note of where it is, its letter, and its boxes in units."""
    with game.at_home():
        world = game.world
        world.apply_changes()
        names = {id: name for name, id in game.ids.items()}
        for id in sorted(world.bodies.row_of):
            if game.things.is_there(id):
                name, row = names.get(id, f"entity-{id}"), world.bodies.row(id)
                boxes = world.bodies.boxes(row)
                place = world.bodies.position(row)
                yield _note(name, place, boxes), letters.get(name, name), boxes
    for thing in game.level.things:
        if thing.name not in game.ids:
            boxes = _scenery(thing)
            yield _note(thing.name, _units(thing.position), boxes), letters[thing.name], boxes


def _units(place: tuple[float, float, float]) -> tuple[int, int, int]:
    x, y, z = (round(value * CELL) for value in place)
    return x, y, z


def _scenery(thing: Thing) -> list[Faces]:
    """Return the boxes of a thing that is no body, where it stands."""
    x, y, z = _units(thing.position)
    faces = [box.faces for box in thing.boxes]
    return [(x + a, y + b, z + c, x + d, y + e, z + f) for a, b, c, d, e, f in faces]


def _cells(boxes: list[Faces]) -> set[Cell]:
    """Return the cells that boxes cover, wholly or in part; of a huge one only its corners."""
    found: set[Cell] = set()
    for box in boxes:
        columns, rows = range(box[0] // CELL, -(-box[3] // CELL)), range(box[1] // CELL, -(-box[4] // CELL))
        if len(columns) * len(rows) > 10**6:
            found.update({(columns[0], rows[0]), (columns[-1], rows[-1])})
        else:
            found.update((column, row) for row in rows for column in columns)
    return found


def _note(name: str, place: tuple[int, int, int], boxes: list[Faces]) -> str:
    """Return where a body is, exactly, and how large where that is no whole number of cells."""
    numbers = [_number(units * LATTICE) for units in (place if place[2] else place[:2])]
    note = f"{name} at {' '.join(numbers)}"
    sides = [[box[axis + 3] - box[axis] for axis in range(3)] for box in boxes]
    if any(side % CELL or not side for box in sides for side in box):
        note += ", " + " and ".join(" x ".join(_number(side * LATTICE) for side in box[:2 if box[2] == CELL else 3])
                                    for box in sides)  # fmt: skip
    return note


def _number(value: float) -> str:
    return repr(float(value)).removesuffix(".0")
