"""Limits on level files, which may come from anywhere: on bytes, depth and numbers of items.

A small file can cause a lot of work: a run length for a million cells, a compressed layer, a property for each of many
objects. So readers count what they create, before they create it, in a file together with the files it refers to. A
file within the limits is read within about two seconds and 300 MB.
"""

from __future__ import annotations

from collections.abc import Callable

from ecs_collision.errors import LevelError

ErrorFactory = Callable[[str, str, str], LevelError]
"""Creates a LevelError from what was found, what was expected, and the remedy."""

MAX_BYTES = 8 * 2**20
"""Maximum size of a file together with the files it refers to."""

MAX_SCENE_BYTES = 2 * MAX_BYTES
"""Maximum size of a scene file, which contains the components of all bodies."""

MAX_FILES = 256
"""Maximum number of files that one level may refer to."""

MAX_CELLS = 2**22
"""Maximum area of a level in cells, empty or not, and of all layers of a file together: 4 million."""

MAX_SIDE = 100_000
"""Maximum number of columns or rows."""

MAX_DEPTH = 32
"""Maximum nesting of groups, properties and JSON."""

MAX_NAME = 200
"""Maximum length of a name or kind: each of a hundred thousand things may have a copy of it, with a number."""

LARGEST = 10**15
"""Default limit on numbers: all integers up to it are exact as floats."""

MAX_COUNTS = {
    # of any file
    "cells": MAX_CELLS, "levels": 5000, "things": 100_000, "boxes": 150_000, "values": 200_000, "lines": 400_000,
    "runs of equal cells": 500_000,
    # of text files
    "lines outside of maps": 20_000,
    # of XML
    "elements": 150_000, "attributes": 400_000,
    # of Tiled maps and LDtk projects
    "objects": 10_000, "layers and tilesets": 2000, "chunks": 20_000, "tiles": 20_000, "drawn tiles": 150_000,
    "shapes of tiles": 40_000,
}  # fmt: skip
"""Maximum number of items of each kind in a file; with the most of one kind, reading takes about a second."""


def check_size(columns: int, rows: int, make_error: ErrorFactory) -> None:
    """Raise an error if a level has too many columns, rows or cells."""
    if max(columns, rows) > MAX_SIDE or columns * rows > MAX_CELLS:
        raise make_error(
            f"a map of {columns} columns and {rows} rows", f"at most {MAX_SIDE} a side and {MAX_CELLS} cells",
            "split the level",
        )  # fmt: skip
