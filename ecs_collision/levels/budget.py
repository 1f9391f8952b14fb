"""The budget of a file: a limit on the memory and work that reading it may cost.

A small file can cause a lot of work: a run length for a million cells, a compressed layer, a repeated legend. Separate
limits are not enough, because their effects multiply. So readers charge everything they create to one budget in
bytes: its memory or, if its time weighs more, the bytes that could be created in that time (a hundred per microsecond).
The limit depends on the size of the file; the limit on that size is in `source.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from ecs_collision.errors import LevelError

ErrorFactory = Callable[[str, str, str], LevelError]
"""Creates a LevelError from what was found, what was expected, and the remedy."""

MAX_COST = 100_000_000
"""Limit for any file, however small: about one second of work, or 100 MB."""

MAX_COST_PER_BYTE = 16
"""Limit per byte of the file, if that is more."""

COSTS = {
    # of any file
    "lines": 250, "cells": 8, "tiles": 15, "drawn tiles": 16, "things": 1000, "boxes": 500, "levels": 9000,
    "properties": 1000, "values": 400,
    # of text and Sokoban files
    "legend letters": 3000, "map letters": 3500, "maps": 2500, "map cells": 40, "filled map cells": 24,
    "lines of things": 4000, "conditions": 500, "run length characters": 250, "expanded characters": 8,
    "expanded rows": 200,
    # of XML
    "elements": 700, "attributes": 200, "tile elements": 200, "text pieces": 120,
    # of JSON
    "arrays and objects": 100, "strings": 90, "keys": 150, "object members": 55, "array items": 12,
    "long numbers": 28,
    # of Tiled maps
    "layers": 25_000, "chunks": 3000, "tilesets": 3000, "tiles with data": 2500, "tile groups": 8000,
    "distinct tiles": 2000,
    "objects": 7000, "points": 700, "tile shapes": 2500,
    # of LDtk projects
    "cell values": 2000, "layer instances": 4000,
    # of plays
    "events": 500, "places": 700,
}  # fmt: skip
"""Cost of one item of each kind, in bytes; measured and rounded up."""


class Budget:
    """The cost of a file and of the files it refers to."""

    __slots__ = ("byte_count", "charged", "counts")

    def __init__(self) -> None:
        self.byte_count = 0
        self.charged = 0
        self.counts: dict[str, int] = {}

    @property
    def limit(self) -> int:
        """Maximum cost in total, in bytes."""
        return max(MAX_COST, MAX_COST_PER_BYTE * self.byte_count)

    def charge(self, what: str, count: int, make_error: ErrorFactory) -> None:
        """Charge `count` items of a kind before they are created; raises the error of `make_error` above the limit."""
        self.charged += COSTS[what] * count
        known = self.counts[what] = self.counts.get(what, 0) + count
        if self.charged > self.limit:
            maximum = known + (self.limit - self.charged) // COSTS[what]
            raise make_error(
                f"{known} {what}",
                f"at most {max(0, maximum)}, because a file of {self.byte_count} bytes may use {self.limit} bytes of "
                "memory",
                "split the file",
            )
