"""Snapshots that a scene keeps: one is kept whole, the others as their difference to it; together they are bounded."""

from __future__ import annotations

from ecs_collision.game.byte_patch import difference, patched

MOST_BYTES = 2**26
"""The most bytes of snapshots that a scene takes and goes back to, together: about a second of work.

A line of a scene asks for a snapshot of all bodies, so neither the file nor the number of its acts bounds them.
"""


class TooManyBytes(Exception):
    """The snapshots of a scene are more than may be."""


class Moments:
    """Snapshots by number. `handled` counts the bytes of those taken and those gone back to."""

    def __init__(self) -> None:
        self.handled = 0
        self._base = b""
        self._kept: dict[int, tuple[bytes, bytes | None]] = {}

    def __contains__(self, number: int) -> bool:
        """Return whether a snapshot is kept under a number."""
        return number in self._kept

    @property
    def byte_count(self) -> int:
        """The bytes of all snapshots as they are kept."""
        wholes = {id(base): len(base) for base, _ in self._kept.values()}
        return sum(wholes.values()) + sum(len(patch) for _, patch in self._kept.values() if patch is not None)

    def count(self, data: bytes) -> None:
        """Count the bytes of a snapshot; raises TooManyBytes where they are too many together."""
        self.handled += len(data)
        if self.handled > MOST_BYTES:
            raise TooManyBytes

    def keep(self, number: int, data: bytes) -> None:
        """Keep a snapshot under a number."""
        self.count(data)
        patch = difference(data, self._base) if self._base else data
        if 2 * len(patch) > len(data):  # the first, or one of other bodies: the next are compared with this one
            self._base, self._kept[number] = data, (data, None)
        else:
            self._kept[number] = (self._base, patch)

    def find(self, number: int) -> bytes:
        """Return the snapshot kept under a number."""
        base, patch = self._kept[number]
        data = base if patch is None else patched(base, patch)
        self.count(data)
        return data
