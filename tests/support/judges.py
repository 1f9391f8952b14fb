"""Oracles of two grid games, written from their rules and without the engine, for recorded games.

There are no boxes, forces or gaps: bodies are sets of cells, and a move is one cell.
"""

from __future__ import annotations

from typing import Any

STEPS = {"l": (-1, 0), "r": (1, 0), "u": (0, -1), "d": (0, 1)}

Cell = tuple[int, int]


class GridSokoban:
    """Sokoban: the player steps into a free cell, or pushes one crate into a free cell."""

    def __init__(self, text: str) -> None:
        self.walls: set[Cell] = set()
        self.goals: set[Cell] = set()
        self.crates: dict[Cell, int] = {}
        self.player = (-1, -1)
        for row, line in enumerate(text.split("\n")):
            if line.strip(" #@+$*.-_"):
                break
            for column, symbol in enumerate(line):
                self._put(symbol, (column, row))

    def _put(self, symbol: str, cell: Cell) -> None:
        if symbol == "#":
            self.walls.add(cell)
        if symbol in ".*+":
            self.goals.add(cell)
        if symbol in "$*":
            self.crates[cell] = len(self.crates)
        if symbol in "@+":
            self.player = cell

    def would(self, letter: str) -> tuple[bool, int | None]:
        """Return (whether the player can move, the number of the crate that would move too or None)."""
        dx, dy = STEPS[letter.lower()]
        x, y = self.player
        ahead, beyond = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
        if ahead in self.walls or (ahead in self.crates and (beyond in self.walls or beyond in self.crates)):
            return False, None
        return True, self.crates.get(ahead)

    def step(self, letter: str) -> tuple[bool, int | None]:
        """Move if the rules allow it, and return the result of `would` before the move."""
        possible, pushed = self.would(letter)
        dx, dy = STEPS[letter.lower()]
        x, y = self.player
        if possible:
            self.player = (x + dx, y + dy)
        if pushed is not None:
            self.crates[x + 2 * dx, y + 2 * dy] = self.crates.pop(self.player)
        return possible, pushed

    def is_won(self) -> bool:
        return set(self.crates) <= self.goals


class GridFish:
    """Fish Fillets: models of several cells, chains pushed all or nothing, falling models, fish that leave."""

    def __init__(self, game: dict[str, Any]) -> None:
        self.width, self.height = game["w"], game["h"]
        self.models = game["models"]
        self.places: dict[int, Cell] = {}
        self.taken: dict[Cell, int] = {}
        self.shapes = [frozenset(map(tuple, model["cells"])) for model in self.models]
        self.rims = [{step: _rim(shape, step) for step in STEPS.values()} for shape in self.shapes]
        self.fish = {model["power"]: number for number, model in enumerate(self.models) if model["power"]}
        self.faces = {number: self.models[number]["faces"] for number in self.fish.values()}
        for number, model in enumerate(self.models):
            self._put(number, (model["x"], model["y"]))
        self.settle()

    def would(self, fish: int, step: Cell) -> set[int]:
        """Return the models that would move if a fish swam one step, including itself; empty if it cannot."""
        chain = self._chain(fish, step)
        possible = chain is not None and all(self._may_push(fish, other) for other in chain - {fish})
        return chain if chain is not None and possible else set()

    def step(self, letter: str) -> tuple[bool, set[int]]:
        """Return (whether the move was possible, the pushed models)."""
        fish = self.fish[2 if letter.isupper() else 1]
        if fish not in self.places:
            return False, set()
        step = STEPS[letter.lower()]
        if step[0] and self.faces[fish] != ("left" if step[0] < 0 else "right"):
            self.faces[fish] = "left" if step[0] < 0 else "right"
            return True, set()
        chain = self.would(fish, step)
        self._shift(chain, step)
        self.settle()
        self._leave()
        return bool(chain), chain - {fish}

    def is_won(self) -> bool:
        return not any(model["goal"] == "out" and number in self.places for number, model in enumerate(self.models))

    def settle(self) -> None:
        """Let all unsupported models fall, one cell per round."""
        while falling := set(self.places) - self._held():
            self._shift(falling, (0, 1))

    def _held(self) -> set[int]:
        """Return the models that do not fall: fixed ones, fish, those on the floor, and those on one of these."""
        carries: dict[int, list[int]] = {}
        held = []
        for number in self.places:
            below = self._ahead(number, (0, 1))
            if below is None or self.models[number]["weight"] == 3 or number in self.faces:
                held.append(number)
            for other in below or ():
                carries.setdefault(other, []).append(number)
        found = set(held)
        while held:
            for above in carries.get(held.pop(), ()):
                if above not in found:
                    found.add(above)
                    held.append(above)
        return found

    def _leave(self) -> None:
        for number, model in enumerate(self.models):
            if model["goal"] == "out" and number in self.places and (step := self._edge(number)):
                while any(self._is_inside(cell) for cell in self._cells(number)):
                    self._shift({number}, step)
                    self.settle()
                self._take(number)
                self.settle()

    def _edge(self, number: int) -> Cell | None:
        for x, y in self._cells(number):
            for out, step in ((x == 0, "l"), (x == self.width - 1, "r"), (y == 0, "u"), (y == self.height - 1, "d")):
                if out:
                    return STEPS[step]
        return None

    def _may_push(self, fish: int, other: int) -> bool:
        return other not in self.faces and self.models[other]["weight"] <= self.models[fish]["power"]

    def _chain(self, first: int, step: Cell) -> set[int] | None:
        """Return the models that would move with `first`, or None at the end of the grid."""
        chain, todo = {first}, [first]
        while todo:
            ahead = self._ahead(todo.pop(), step)
            if ahead is None:
                return None
            todo += ahead - chain
            chain |= ahead
        return chain

    def _ahead(self, number: int, step: Cell) -> set[int] | None:
        """Return the models that touch a model on a side, or None at the end of the grid."""
        x, y = self.places[number]
        found = set()
        for i, j in self.rims[number][step]:
            cell = (x + i + step[0], y + j + step[1])
            if not self._is_inside(cell) and self._is_inside((x + i, y + j)):
                return None
            if cell in self.taken:
                found.add(self.taken[cell])
        return found

    def _is_inside(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    def _cells(self, number: int) -> list[Cell]:
        x, y = self.places[number]
        return [(x + i, y + j) for i, j in self.shapes[number]]

    def _shift(self, numbers: set[int], step: Cell) -> None:
        old = {number: self._take(number) for number in numbers}
        for number, (x, y) in old.items():
            self._put(number, (x + step[0], y + step[1]))

    def _take(self, number: int) -> Cell:
        for cell in self._cells(number):
            del self.taken[cell]
        return self.places.pop(number)

    def _put(self, number: int, place: Cell) -> None:
        self.places[number] = place
        for cell in self._cells(number):
            assert cell not in self.taken, f"models {number} and {self.taken[cell]} meet at {cell}"
            self.taken[cell] = number


def _rim(shape: frozenset[Any], step: Cell) -> list[Cell]:
    return [(i, j) for i, j in shape if (i + step[0], j + step[1]) not in shape]
