"""Unpacks tiles from base64, plain or compressed, to exactly the expected number of bytes and never more."""

from __future__ import annotations

import binascii
import sys
import zlib
from array import array
from typing import TYPE_CHECKING, TypeAlias

try:
    import zstandard
except ImportError:  # optional; few maps need it
    zstandard = None  # type: ignore[assignment]

from ecs_collision.errors import LevelError

if TYPE_CHECKING:
    from ecs_collision.levels.tiled.elements import TiledElement

Gids: TypeAlias = "array[int]"
"""Global tile ids with flip flags, row by row: an array of 32-bit numbers."""

COMPRESSIONS = ("", "zlib", "gzip", "zstd")
_WINDOW_BITS = {"zlib": zlib.MAX_WBITS, "gzip": zlib.MAX_WBITS | 16}
_WHITESPACE = str.maketrans("", "", " \t\n")


def unpack(at: TiledElement, text: str, compression: str, count: int) -> Gids:
    """Return `count` tiles from base64; raises LevelError for another length, invalid characters or trailing data."""
    try:
        data = binascii.a2b_base64(text.translate(_WHITESPACE), strict_mode=True)
    except ValueError as problem:
        raise at.error("invalid base64", "complete base64 with padding") from problem
    size = count * 4
    if compression == "zstd":
        data = _from_zstd(at, data, size)
    elif compression:
        data = _from_zlib(at, data, size, compression)
    if len(data) != size:
        raise at.error(f"{len(data)} bytes of tiles", f"{size} bytes, four for each of {count} tiles")
    gids = array("I", data)
    if sys.byteorder == "big":
        gids.byteswap()
    return gids


def _from_zlib(at: TiledElement, data: bytes, size: int, compression: str) -> bytes:
    stream = zlib.decompressobj(_WINDOW_BITS[compression])
    try:
        found = stream.decompress(data, size + 1)
    except zlib.error as problem:
        raise _damaged(at, compression) from problem
    if len(found) > size:
        raise _too_long(at, size)
    if not stream.eof:
        raise at.error(f"{compression} data that ends early, after {len(found)} bytes", f"{size} bytes and the end")
    if stream.unused_data:
        raise at.error(f"{len(stream.unused_data)} bytes after the end of the {compression} data", "nothing there")
    return found


def _from_zstd(at: TiledElement, data: bytes, size: int) -> bytes:
    """Return the content of one frame; raises LevelError before allocation if the frame declares a larger size."""
    if zstandard is None:
        raise at.error(
            "zstd data, but the module zstandard is missing", "zlib or gzip",
            "pip install zstandard, or choose zlib in the map's properties in Tiled",
        )  # fmt: skip
    try:
        if zstandard.frame_content_size(data) > size:
            raise _too_long(at, size)
        # With a larger output size, trailing bytes would not be detected.
        found: bytes = zstandard.ZstdDecompressor(max_window_size=2**25).decompress(
            data, max_output_size=size, allow_extra_data=False
        )
    except zstandard.ZstdError as problem:
        raise _damaged(at, "zstd") from problem
    return found


def _damaged(at: TiledElement, compression: str) -> LevelError:
    return at.error(f"no {compression} data, or damaged data", f"{compression} data as the attribute says")


def _too_long(at: TiledElement, size: int) -> LevelError:
    return at.error(f"data that unpacks to more than {size} bytes", f"{size} bytes, four for each tile")
