"""The bodies of a world and their fields as bytes, encoded again only for bodies that changed.

A puzzle takes a snapshot each turn and a solver one for each node, and usually only positions change between two. So
settings and fields are one block, which is the same object in successive snapshots and is compared as a whole.
"""

from __future__ import annotations

import copy
import struct
from array import array
from collections.abc import Collection, Iterator, Mapping
from hashlib import blake2b
from typing import NamedTuple

from ecs_collision.bodies import Bodies
from ecs_collision.components import Motion, Velocity
from ecs_collision.errors import SnapshotError
from ecs_collision.settings import Settings
from ecs_collision.snapshot.component_codec import (
    kind_differences,
    kinds_of,
    record_of,
    setting_differences,
    settings_record,
    summary,
)
from ecs_collision.snapshot.movement_section import MovementParts

_COUNT = struct.Struct("<I")
_HEAD = struct.Struct("<qII")
"""Head of each body: entity, component kinds, length of the record."""
_ID_AND_KINDS_SIZE = 12
"""Length of entity and kinds in bytes."""


class Entry(NamedTuple):
    """A body as a chunk of a block describes it."""

    entity: int
    kinds: int
    record: bytes


class SnapshotCache:
    """The bodies of a world in the order of entity ids, and the block of their fields and the settings.

    `rows` are the rows in that order, `index_of` the index of a row in it.
    `motions` has index, row and component of each body with a Motion, `sleepers` the rows of bodies with Sleeping,
    `velocities` the Velocity components, `movement` those that steps of movement change.
    `version` counts the changes of all these.
    """

    def __init__(self, bodies: Bodies, settings: Settings) -> None:
        self._bodies = bodies
        self._settings = settings_record(settings)
        self._chunk_of: dict[int, bytes] = {}
        self.rows = array("i")
        self.index_of: dict[int, int] = {}
        self.motions: list[tuple[int, int, Motion]] = []
        self.sleepers: list[int] = []
        self.velocities: list[Velocity] = []
        self.movement = MovementParts([], [], [])
        self.block = self.digest = b""
        self.version = 0

    def update(self) -> None:
        """Update the cache; O(1) if only positions, sleep and requests changed."""
        bodies = self._bodies
        if not (bodies.rewritten_rows or bodies.is_restructured):
            return
        if bodies.is_restructured:
            self._update_rows()
        for row in self.rows if bodies.all_rewritten else bodies.rewritten_rows:
            self._chunk_of[row] = self._chunk(row)
        self._update_block()
        bodies.all_rewritten = False
        bodies.rewritten_rows.clear()

    def _chunk(self, row: int) -> bytes:
        parts = self._bodies.of(row)
        record = record_of(parts)
        return _HEAD.pack(self._bodies.entity(row), kinds_of(parts), len(record)) + record

    def _update_block(self) -> None:
        chunks = map(self._chunk_of.__getitem__, self.rows)
        block = b"".join([self._prefix(len(self.rows)), *chunks])
        self.digest = digest_of(block)
        self.block = block

    def is_consistent(self) -> bool:
        """Return whether the cache equals a rebuilt one; True if it is out of date."""
        bodies = self._bodies
        if bodies.rewritten_rows or bodies.is_restructured or not self.version:
            return True
        fresh = copy.copy(self)
        fresh._update_rows()
        fresh._chunk_of = {row: self._chunk(row) for row in fresh.rows}
        fresh._update_block()
        fresh.version = self.version
        return vars(fresh) == vars(self)

    def _prefix(self, count: int) -> bytes:
        return _COUNT.pack(len(self._settings)) + self._settings + _COUNT.pack(count)

    def _update_rows(self) -> None:
        bodies = self._bodies
        self.rows = array("i", bodies.rows())
        self.index_of = {row: index for index, row in enumerate(self.rows)}
        self._chunk_of = {row: chunk for row, chunk in self._chunk_of.items() if row in self.index_of}
        self.motions, self.sleepers, self.velocities = [], [], []
        self.movement = movement = MovementParts([], [], [])
        for index, row in enumerate(self.rows):
            parts = bodies.of(row)
            if parts.motion is not None:
                self.motions.append((index, row, parts.motion))
            if parts.sleeping is not None:
                self.sleepers.append(row)
            if parts.velocity is not None:
                self.velocities.append(parts.velocity)
            if parts.path is not None:
                movement.paths.append(parts.path)
            if parts.lifetime is not None:
                movement.lifetimes.append(parts.lifetime)
            if parts.character is not None:
                movement.characters.append(parts.character)
        self.version += 1
        bodies.is_restructured = False

    # Comparison.

    def changed_chunks(self, block: bytes, rows: Collection[int]) -> dict[int, bytes]:
        """Return by row the chunks of another block of the same world: those that differ, and those of `rows`.

        Raises SnapshotError naming every difference if the block has other bodies or other settings.
        """
        found = self._compare_chunks(block, rows)
        if found is None:
            raise SnapshotError(self._differences(block))
        return found

    def _compare_chunks(self, block: bytes, rows: Collection[int]) -> dict[int, bytes] | None:
        """Return the result of `changed_chunks`, or None if the settings or the bodies differ."""
        found: dict[int, bytes] = {}
        prefix = self._prefix(len(self.rows))
        at = len(prefix)
        if not block.startswith(prefix):
            return None
        for row in self.rows:
            mine = theirs = self._chunk_of[row]
            if not block.startswith(mine, at):
                end = at + _HEAD.size + int.from_bytes(block[at + _ID_AND_KINDS_SIZE : at + _HEAD.size], "little")
                theirs = block[at:end]
                if end > len(block) or theirs[:_ID_AND_KINDS_SIZE] != mine[:_ID_AND_KINDS_SIZE]:
                    return None
            if theirs is not mine or row in rows:
                found[row] = theirs
            at += len(theirs)
        return found if at == len(block) else None

    def replace_block(self, block: bytes, digest: bytes, chunks: Mapping[int, bytes]) -> None:
        """Replace the block by one whose changed chunks have been applied to the world."""
        self._chunk_of.update(chunks)
        self.block, self.digest = block, digest
        self._bodies.rewritten_rows.clear()

    def _differences(self, block: bytes) -> str:
        settings, entries = _parsed(block)
        mine = {entry.entity: entry for entry in (_entry(self._chunk_of[row], 0) for row in self.rows)}
        theirs = {entry.entity: entry for entry in entries}
        differences = [*setting_differences(self._settings, settings), *_differences(mine, theirs)]
        if differences:
            remedy = BODIES_REMEDY if mine.keys() != theirs.keys() else ""
            return f"the snapshot is of another world: {summary(differences)}{remedy}"
        return "the snapshot does not list its bodies in the order of their ids"


BODIES_REMEDY = (
    "; restore needs the same entities: disable bodies instead of deleting them (collider.enabled = False), "
    "and make all of them first, in the same order"
)
"""What to do about bodies that were added or deleted since the snapshot."""


def digest_of(data: bytes) -> bytes:
    """Return the checksum of a block."""
    return blake2b(data, digest_size=16).digest()


def _parsed(block: bytes) -> tuple[bytes, list[Entry]]:
    """Return the settings and the bodies of a block; raises SnapshotError if its lengths are inconsistent."""
    try:
        at = 4 + _COUNT.unpack_from(block)[0]
        settings = block[4:at]
        count, at = _COUNT.unpack_from(block, at)[0], at + 4
        entries = []
        while at < len(block):
            entries.append(_entry(block, at))
            at += _HEAD.size + len(entries[-1].record)
    except struct.error as cause:
        raise SnapshotError(f"the snapshot's list of bodies ends too soon: {cause}") from cause
    if at != len(block) or count != len(entries):
        raise SnapshotError("the snapshot's list of bodies has a wrong length")
    return settings, entries


def record_in(chunk: bytes) -> bytes:
    """Return the record in the chunk of a body."""
    return chunk[_HEAD.size :]


def _entry(block: bytes, at: int) -> Entry:
    entity, kinds, length = _HEAD.unpack_from(block, at)
    at += _HEAD.size
    record = block[at : at + length]
    if len(record) != length:
        raise struct.error("a record is cut off")
    return Entry(entity, kinds, record)


def _differences(mine: dict[int, Entry], theirs: dict[int, Entry]) -> Iterator[str]:
    for entity in sorted(mine.keys() - theirs.keys()):
        yield f"entity {entity} is a body here, but not in the snapshot"
    for entity in sorted(theirs.keys() - mine.keys()):
        yield f"entity {entity} is a body in the snapshot, but not here"
    for entity in sorted(mine.keys() & theirs.keys()):
        if mine[entity].kinds != theirs[entity].kinds:
            yield from kind_differences(entity, mine[entity].kinds, theirs[entity].kinds)
