"""How much may be made of one file: a budget of memory and work, spent where things are made.

A small file can ask for much: a run length for a million cells, a layer that unpacks, a legend that is repeated. A
limit for each of these does not help, for there is always one more, and they multiply. So everything that is made is
counted in one currency, bytes: those it takes, or, where its time weighs more, those that would be made in that time
(a hundred in a microsecond). What all of it may take together follows from the size of the file.
How large a file may be is in `source.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from ecs_collision.errors import LevelError

ErrorFactory = Callable[[str, str, str], LevelError]
"""Makes the refusal of what was found, what was expected, and what to do."""

MAX_COST = 100_000_000
"""What may be made of any file, however small: about a second of work, or 100 MB."""

MAX_COST_PER_BYTE = 16
"""What may be made of each byte of a file, where that is more."""

COSTS = {
    # of any file
    "lines": 250, "cells": 8, "tiles": 15, "things": 1000, "boxes": 500, "levels": 9000, "properties": 1000,
    "values": 400,
    # of text and Sokoban files
    "letters of legends": 3000, "letters on maps": 3500, "maps": 2500, "cells of letters": 40, "cells with letters": 24,
    "lines about things": 4000, "demands": 500, "letters of run lengths": 250, "letters out of run lengths": 8,
    "rows out of run lengths": 200,
    # of XML
    "elements": 700, "attributes": 200, "tile elements": 200, "pieces of text": 120,
    # of JSON
    "arrays and objects": 100, "texts": 90, "keys": 150, "members of objects": 55, "members of arrays": 12,
    "long numbers": 28,
    # of Tiled maps
    "layers": 25_000, "chunks": 3000, "tilesets": 3000, "tiles that say something": 2500, "groups of tiles": 8000,
    "sorts of tiles": 2000,
    "objects": 7000, "points": 700, "shapes of tiles": 2500,
    # of LDtk projects
    "values on cells": 2000, "layer instances": 4000,
    # of plays
    "events": 500, "places": 700,
}  # fmt: skip
"""What one of each costs, in bytes; measured, and rounded up."""


class Budget:
    """What may still be made of a file and of the files it refers to."""

    __slots__ = ("byte_count", "charged", "counts")

    def __init__(self) -> None:
        self.byte_count = 0
        self.charged = 0
        self.counts: dict[str, int] = {}

    @property
    def limit(self) -> int:
        """How many bytes may be made in all."""
        return max(MAX_COST, MAX_COST_PER_BYTE * self.byte_count)

    def charge(self, what: str, count: int, make_error: ErrorFactory) -> None:
        """Charge `count` items of a kind before they are made; raises the error of `make_error` above the limit."""
        self.charged += COSTS[what] * count
        known = self.counts[what] = self.counts.get(what, 0) + count
        if self.charged > self.limit:
            maximum = known + (self.limit - self.charged) // COSTS[what]
            raise make_error(
                f"{known} {what}",
                f"at most {max(0, maximum)}, for a file of {self.byte_count} bytes may take {self.limit} bytes of "
                "memory",
                "divide the file into several",
            )
