"""Snapshots: the state of a world as bytes, and back (rules N1 and N2).

A snapshot is a head (magic, version, lengths, checksum) and three blocks: settings and fields, which rarely change
(cache.py); the other data that the state hash covers (positions, contacts, requests, pending events, velocities,
paths); and the data that it leaves out (frame number, sleep, remainders, memory of characters, known overlaps). It
contains the current state, not its history: no rows, no order of creation. Derived data such as the index is not
stored; a restore updates it.

All numbers are little-endian. A restore that fails is rolled back, also if the state that it restored is not the one
of the bytes.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Mapping, Sequence

from ecs_collision.bodies.columns import ASKS, ASLEEP, SWEPT, TRIGGER
from ecs_collision.components import Parts
from ecs_collision.components.dirty_transforms import REWRITTEN, TURNED
from ecs_collision.errors import CollisionTypeError, InvariantError, SnapshotError
from ecs_collision.events import Event
from ecs_collision.fixed_point import shown
from ecs_collision.lattice_warning import collected_roundings
from ecs_collision.snapshot import reader
from ecs_collision.snapshot.cache import SnapshotCache, digest_of, record_in
from ecs_collision.snapshot.codec import little_endian, numbers_of
from ecs_collision.snapshot.component_codec import copy_fields, parts_in, record_of, summary
from ecs_collision.snapshot.dynamics_section import SavedDynamics, dynamics_bytes, renamed
from ecs_collision.snapshot.movement_section import SavedMovement, hashed_bytes, unhashed_bytes
from ecs_collision.snapshot.pending_events import event_bytes, pending_bytes
from ecs_collision.snapshot.reader import (
    ReadContext,
    SavedState,
    inverted,
    read,
    remainder,
    triple_bytes,
)
from ecs_collision.world.step import Step
from ecs_collision.world.undo_log import WorldState

MAGIC, VERSION = b"ECSCSNAP", 4
_HEAD = struct.Struct("<8sIIII")
"""Magic, version and the lengths of the three blocks; the checksum of everything else follows."""
_BEGIN = _HEAD.size + 16

_INVALID = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, struct.error)
"""Exceptions of a restore by values that no world has."""

MAX_KEPT = 1024
"""Maximum number of records whose parsed components are kept, and of checksums."""


class Snapshots:
    """Takes snapshots of a world and restores them."""

    def __init__(self, step: Step) -> None:
        self._step = step
        self._bodies = step.bodies
        self._cache = SnapshotCache(step.bodies, step.settings)
        self._contacts, self._contacts_of = b"", (-1, -1)
        self._parsed: dict[bytes, Parts] = {}
        self._valid: set[bytes] = set()
        """Checksums of snapshots that this world took or has restored, so their states are those of a world."""

    # Taking a snapshot. All changes have been applied.

    def take(self, undelivered: Sequence[Event]) -> bytes:
        """Return the state as bytes."""
        if self._step.number > reader.MAX_FRAME:
            raise SnapshotError(f"frame {self._step.number} is above 2**53, the last of which a snapshot can be taken")
        self._cache.update()
        block, hashed, unhashed = self._cache.block, self._hashed(), self._unhashed(undelivered)
        head = _HEAD.pack(MAGIC, VERSION, len(block), len(hashed), len(unhashed))
        checksum = digest_of(head + self._cache.digest + hashed + unhashed)
        self._remember(checksum)
        return b"".join([head, checksum, block, hashed, unhashed])

    def _remember(self, checksum: bytes) -> None:
        if len(self._valid) == MAX_KEPT:
            self._valid.clear()
        self._valid.add(checksum)

    def digest(self) -> str:
        """Return the hash of the state without frame number, sleep and remainders, in hexadecimal (N2)."""
        self._cache.update()
        return digest_of(self._cache.digest + self._hashed()).hex()

    def _hashed(self) -> bytes:
        step = self._step
        contacts, crossings = self._contact_bytes(), self._crossing_bytes()
        requests = [
            reader.REQUEST.pack(index, motion.dx + 0.0, motion.dy + 0.0, motion.dz + 0.0)
            for index, _, motion in self._cache.motions
            if motion._has_request()
        ]
        index = self._cache.index_of
        passing = [(index[a], index[b]) for a, b in self._bodies.passing.records()]
        pending = pending_bytes(step.log, step.deferred_results, passing)
        counts = reader.HASHED.pack(len(contacts) // 24, len(crossings) // 24, len(requests), len(pending))
        changing = self._dynamics_bytes(), hashed_bytes(self._movement())
        return b"".join([counts, self._positions(), contacts, crossings, *requests, pending, *changing])

    def _positions(self) -> bytes:
        return little_endian(self._bodies.columns.positions_of(self._cache.rows))

    def _contact_bytes(self) -> bytes:
        """Return the contacts as bytes; they are collected again only after they changed."""
        triggers, cache = self._step.triggers, self._cache
        key = (triggers.version, cache.version)
        if key != self._contacts_of or triggers.has_lingering:
            index, flags, number = cache.index_of, self._bodies.columns.flags, self._step.number
            contacts = [
                (
                    index[row],
                    inverted(index[other], asks),
                    inverted(left, not flags[row] & (ASKS if asks else TRIGGER)),
                )
                for row, other, left, asks in triggers.records(number)
            ]
            self._contacts, self._contacts_of = triple_bytes(sorted(contacts)), key
        return self._contacts

    def _crossing_bytes(self) -> bytes:
        crossings = self._step.triggers.sweeps.records()
        if not crossings:
            return b""
        index, flags = self._cache.index_of, self._bodies.columns.flags
        rows = [(index[row], index[other], inverted(came, not flags[row] & SWEPT)) for row, other, came in crossings]
        return triple_bytes(sorted(rows, key=lambda crossing: crossing[:2]))

    def _dynamics_bytes(self) -> bytes:
        """Return velocities, remainders and kept contacts as bytes; none in a world without velocities (I8)."""
        row_of, index = self._bodies.row_of, self._cache.index_of
        kept = renamed(self._step.dynamics.records(), lambda entity: index[row_of[entity]])
        motions = [velocity._motion_state() for velocity in self._cache.velocities]
        return dynamics_bytes(motions, sorted(kept), self._step.dynamics.gravity)

    def _movement(self) -> SavedMovement:
        """Return the state of paths, lifetimes and characters."""
        return self._cache.movement.state(self._bodies.dirty_transforms.step_number)

    def _unhashed(self, undelivered: Sequence[Event]) -> bytes:
        return self._counters(undelivered) + self._overlap_bytes()

    def _counters(self, undelivered: Sequence[Event]) -> bytes:
        """Return the block that the hash leaves out, without the known overlaps."""
        cache, step, log = self._cache, self._step, self._step.log
        left = [(index, motion._request_state()) for index, _, motion in cache.motions if any(motion.remainder())]
        pending = event_bytes(undelivered)
        counts = reader.UNHASHED.pack(step.number, len(log.woke), len(log.fell), len(left), len(pending))
        movement = unhashed_bytes(self._movement())
        if not (left or cache.sleepers or log.woke or log.fell or pending):
            return counts + movement
        flags, quiet, coming = self._bodies.columns.flags, step.sleep.quiet_frames, step.number + 1
        quiet_frames = [-1 if flags[row] & ASLEEP else quiet(row, coming) for row in cache.sleepers]
        numbers = array("q", (*quiet_frames, *sorted(log.woke), *sorted(log.fell)))
        remainders = [reader.REMAINDER.pack(index, *remainder(asked)) for index, asked in left]
        return b"".join([counts, little_endian(numbers), *remainders, pending, movement])

    def _overlap_bytes(self) -> bytes:
        """Return the known overlaps of solid bodies as bytes; none while they are not tracked (T11)."""
        overlaps, index = self._step.solid_overlaps, self._cache.index_of
        if not overlaps.is_tracking:
            return b""
        return reader.overlap_bytes([(index[a], index[b]) for a, b in overlaps.records()])

    def check(self) -> None:
        """Verify the data kept between snapshots; raises InvariantError with the first fault."""
        if not self._cache.is_consistent():
            raise InvariantError("the snapshot cache differs from the bodies")
        contacts = self._contacts_of, self._contacts
        self._contacts_of = (-1, -1)
        is_fresh = not (self._step.triggers.has_lingering or self._bodies.is_restructured)
        if contacts != ((-1, -1), b"") and is_fresh:
            now = self._step.triggers.version, self._cache.version
            if contacts[0] == now and contacts[1] != self._contact_bytes():
                raise InvariantError("the contacts kept for snapshots differ from those of the triggers")
        self._contacts_of, self._contacts = contacts
        for chunk, parts in self._parsed.items():
            if record_of(parts) != record_in(chunk):
                raise InvariantError("a record of a snapshot is kept with other components")

    # Restoring a snapshot.

    def restore(self, data: bytes) -> tuple[Event, ...]:
        """Restore a snapshot and return its undelivered events; if it raises SnapshotError, nothing changed."""
        cache = self._cache
        cache.update()
        checksum, (block, digest), hashed, unhashed = self._split(data)
        chunks = self._changed_chunks(block)
        with collected_roundings():  # warnings were given when the boxes were made
            new_parts = {row: self._parts_in(row, chunk) for row, chunk in chunks.items()}
        step, undo = self._step, self._step.undo
        number = step.number
        parts = self._bodies.groups, WorldState(step, cache, new_parts), self._bodies.filters
        try:
            counts = len(cache.rows), len(cache.sleepers), len(cache.velocities), cache.movement.counts
            context = ReadContext(*counts, self._contact_bytes())
            saved = read(hashed, unhashed, context)
            undo.mark((*parts, step.triggers, step.solid_overlaps, step.dynamics, self._bodies.passing))
            self._check_fit(saved.positions, new_parts)
            self._apply(saved, new_parts)
            if checksum not in self._valid:
                self._check_equal(hashed, unhashed, saved)
            cache.replace_block(block, digest, chunks)
            self._remember(checksum)
            undo.release()
        except BaseException as cause:
            undo.rollback(number)
            if isinstance(cause, _INVALID) and not isinstance(cause, SnapshotError):
                raise SnapshotError(f"the snapshot has a state that this world cannot have: {cause}") from cause
            raise
        return saved.undelivered

    def _check_equal(self, hashed: bytes, unhashed: bytes, saved: SavedState) -> None:
        """Raise ValueError unless the world is now in a state with these bytes, known overlaps apart.

        A right checksum does not tell that a world wrote the bytes: contacts of a body that reports none, lists in
        another order or requests without a Motion are found here.
        """
        overlaps = 0 if saved.overlaps is None else 8 + 16 * len(saved.overlaps)
        if hashed != self._hashed():
            raise ValueError("its contacts, requests or pending events are not those of a world with these bodies")
        if unhashed[: len(unhashed) - overlaps] != self._counters(saved.undelivered):
            raise ValueError("its sleep, remainders or undelivered events are not those of a world with these bodies")
        if any(self._step.triggers.sweeps.faults()):
            raise ValueError("a crossing enters or leaves twice")
        if any(self._bodies.passing.faults()):
            raise ValueError("two bodies pass through each other, but they do not overlap")

    def _split(self, data: bytes) -> tuple[bytes, tuple[bytes, bytes], bytes, bytes]:
        """Return the checksum and the blocks of a complete snapshot of this version, the first with its own."""
        if type(data) is not bytes:
            if not isinstance(data, bytearray | memoryview):
                raise CollisionTypeError(f"restore() got {shown(data)}; give the bytes that snapshot() returned")
            data = bytes(data)
        if len(data) < _BEGIN or not data.startswith(MAGIC):
            raise SnapshotError("these bytes are not a snapshot; give the bytes that snapshot() returned")
        _, version, *lengths = _HEAD.unpack_from(data)
        if version != VERSION:
            raise SnapshotError(f"the snapshot has format {version}, but this version of ecs_collision reads {VERSION}")
        if _BEGIN + sum(lengths) != len(data):
            raise SnapshotError(
                f"the snapshot has {len(data)} bytes instead of {_BEGIN + sum(lengths)}: some are missing or were added"
            )
        middle = _BEGIN + lengths[0]
        block, rest, cache = data[_BEGIN:middle], data[middle:], self._cache
        digest = cache.digest if block == cache.block else digest_of(block)
        checksum = data[_HEAD.size : _BEGIN]
        if checksum != digest_of(data[: _HEAD.size] + digest + rest):
            raise SnapshotError("the snapshot is damaged: its checksum is wrong; use an intact copy")
        return checksum, (block, digest), rest[: lengths[1]], rest[lengths[1] :]

    def _changed_chunks(self, block: bytes) -> dict[int, bytes]:
        """Return by row the chunks of bodies whose fields in the block differ, or have pending writes."""
        dirty_transforms = self._bodies.dirty_transforms
        rewritten = [
            row
            for row in dirty_transforms.rows[: dirty_transforms.count]
            if dirty_transforms.kind_of(row) & (REWRITTEN | TURNED)
        ]
        if block == self._cache.block and not rewritten:
            return {}
        return self._cache.changed_chunks(block, rewritten)

    def _parts_in(self, row: int, chunk: bytes) -> Parts:
        """Return the components of a chunk. Parsed chunks are kept, because fields often alternate (open, closed)."""
        parsed = self._parsed.get(chunk)
        if parsed is None:
            if len(self._parsed) == MAX_KEPT:
                self._parsed.clear()
            entity, parts = self._bodies.entity(row), self._bodies.of(row)
            parsed = self._parsed[chunk] = parts_in(entity, record_in(chunk), parts)
        return parsed

    def _check_fit(self, positions: bytes, new_parts: Mapping[int, Parts]) -> None:
        """Replace pending positions by those of the snapshot; raises SnapshotError if the world would refuse them."""
        if not (new_parts or self._bodies.dirty_transforms.count) and positions == self._positions():
            return
        self._write_positions(positions)
        problems = self._step.changes.restore_faults(new_parts)
        if problems:
            raise SnapshotError(f"the snapshot does not fit into this world: {summary(problems)}")

    def _write_positions(self, positions: bytes) -> None:
        self._bodies.placement.write_units(self._cache.rows, numbers_of(positions))

    def _apply(self, saved: SavedState, new_parts: Mapping[int, Parts]) -> None:
        bodies, step, cache = self._bodies, self._step, self._cache
        for row, parts in new_parts.items():
            copy_fields(bodies.of(row), parts)
            bodies.dirty_transforms.add(row, REWRITTEN)
        if bodies.dirty_transforms.count:
            step.changes.restore(saved.number + 1)
        triggers, rows = step.triggers, cache.rows
        if saved.pending.passing or bodies.columns.passing_count:
            bodies.passing.restore([(rows[a], rows[b]) for a, b in saved.pending.passing])
        if saved.contacts != self._contact_bytes() or triggers.has_lingering:
            contacts = reader.contacts_in(saved.contacts)
            triggers.restore([(rows[a], rows[b], left, asks) for a, b, left, asks in contacts], saved.number)
        triggers.sweeps.restore([(rows[a], rows[b], bool(came)) for a, b, came in saved.crossings])
        if step.solid_overlaps.is_tracking:
            pairs = saved.overlaps
            if pairs is None and not saved.number:
                pairs = []  # as for a subscription there
            step.solid_overlaps.restore(None if pairs is None else [(rows[a], rows[b]) for a, b in pairs])
        self._restore_requests(saved.requests)
        self._restore_dynamics(saved.dynamics)
        cache.movement.set_state(saved.movement)
        if cache.movement.characters:
            bodies.dirty_transforms.step_number = saved.movement.step_number
        if cache.sleepers:
            step.sleep.restore(dict(zip(cache.sleepers, saved.quiet_frames, strict=True)), saved.number)
        step.restore(saved.number, saved.pending.log, saved.pending.deferred_results)

    def _restore_dynamics(self, saved: SavedDynamics) -> None:
        for velocity, motion in zip(self._cache.velocities, saved.motions, strict=True):
            velocity._set_motion_state(motion)
        entity, rows = self._bodies.entity, self._cache.rows
        self._step.dynamics.restore(renamed(saved.kept, lambda index: entity(rows[index])), saved.gravity)
        if self._bodies.moving_rows and self._bodies.asking_count:
            self._step.triggers.note_let_go()
            self._bodies.dirty_rows.clear_notes()

    def _restore_requests(self, saved: Mapping[int, tuple[object, ...]]) -> None:
        requests = self._bodies.requests
        requests.clear()
        for index, row, motion in self._cache.motions:
            motion._discard_undo()  # the frame that took its request may come again with another request
            wanted = saved.get(index, reader.NO_REQUEST)
            if motion._request_state() != wanted:
                motion._set_request_state(wanted)
            if motion._has_request():
                requests.add(row)
