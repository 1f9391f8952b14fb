"""The sections of a snapshot with the state of movement (rules M3, M13 and M14).

How far bodies are on their paths and the steps that lifetimes have left are covered by the state hash; the number of
steps and what characters remember are not. Both sections are empty for a world without such components, so its
snapshots have the bytes they always had. All records have one size, so the bodies of the world tell the lengths.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

from ecs_collision.components import Character, Lifetime, Path
from ecs_collision.components.movement import Progress
from ecs_collision.fixed_point import MAX_COORDINATE, MAX_INTEGER, PER_UNIT
from ecs_collision.movement.paths import length_of

_LIFETIME = struct.Struct("<q")
_PATH = struct.Struct("<9qqQ")
"""Whether it has begun, start, end, target, direction, and the way along the line: high and low 64 bits."""
_STEP_NUMBER = struct.Struct("<q")
_CHARACTER = struct.Struct("<6q13d")
"""Flags, floor, three numbers of steps, wall; the normal and velocity of the floor, the speed of a jump, and after that
the normal of the wall and the velocity that is kept."""

_FARTHEST = int(MAX_COORDINATE) * PER_UNIT
_NOT_BEGUN = (0,) * 11
_NO_VECTOR = (0.0, 0.0, 0.0)
_HAS_NORMAL, _HAS_VELOCITY = 16, 32
_JUMPED = 64
_HAS_WALL = 128
_ROUNDING = 1e-6


class MovementCounts(NamedTuple):
    """How many bodies of a world have these components."""

    paths: int
    lifetimes: int
    characters: int

    @property
    def hashed_size(self) -> int:
        """Bytes of the section that the state hash covers."""
        return _PATH.size * self.paths + _LIFETIME.size * self.lifetimes

    @property
    def unhashed_size(self) -> int:
        """Bytes of the section that it leaves out."""
        return _STEP_NUMBER.size + _CHARACTER.size * self.characters if self.characters else 0


class MovementParts(NamedTuple):
    """The components of a world that steps of movement change, each list in the order of ids."""

    paths: list[Path]
    lifetimes: list[Lifetime]
    characters: list[Character]

    @property
    def counts(self) -> MovementCounts:
        """How many there are."""
        return MovementCounts(len(self.paths), len(self.lifetimes), len(self.characters))

    def state(self, step_number: int) -> SavedMovement:
        """Return the state of all of them."""
        return SavedMovement(
            [path._progress for path in self.paths],
            [lifetime.frames for lifetime in self.lifetimes],
            [character._memory() for character in self.characters],
            step_number,
        )

    def set_state(self, saved: SavedMovement) -> None:
        """Set what `state` returned, without recording a write; the number of steps is for the caller."""
        for path, progress in zip(self.paths, saved.progress, strict=True):
            path._progress = progress
        for lifetime, frames in zip(self.lifetimes, saved.frames, strict=True):
            lifetime._frames = frames  # type: ignore[attr-defined]
        for character, memory in zip(self.characters, saved.memories, strict=True):
            character._set_memory(memory)


class SavedMovement(NamedTuple):
    """The progress of paths, the steps that lifetimes have left, what characters remember, the number of steps."""

    progress: Sequence[Progress | None]
    frames: Sequence[int]
    memories: Sequence[tuple[Any, ...]]
    step_number: int


def hashed_bytes(saved: SavedMovement) -> bytes:
    """Return the section that the state hash covers."""
    paths = [_PATH.pack(*_path_record(progress)) for progress in saved.progress]
    return b"".join([*paths, *map(_LIFETIME.pack, saved.frames)])


def unhashed_bytes(saved: SavedMovement) -> bytes:
    """Return the section that it leaves out."""
    if not saved.memories:
        return b""
    records = [_CHARACTER.pack(*_character_record(memory)) for memory in saved.memories]
    return b"".join([_STEP_NUMBER.pack(saved.step_number), *records])


def read_movement(hashed: bytes, unhashed: bytes, counts: MovementCounts) -> SavedMovement:
    """Return what was written for these numbers of bodies; raises ValueError if no world can have it."""
    middle = _PATH.size * counts.paths
    progress = [_progress(record) for record in _PATH.iter_unpack(hashed[:middle])]
    frames = [frames for (frames,) in _LIFETIME.iter_unpack(hashed[middle:])]
    _require(all(1 <= each <= MAX_INTEGER for each in frames), "a lifetime is out of range")
    number = _STEP_NUMBER.unpack_from(unhashed)[0] if unhashed else 0
    _require(0 <= number <= MAX_INTEGER, "its number of steps is out of range")
    memories = [_memory(record, number) for record in _CHARACTER.iter_unpack(unhashed[_STEP_NUMBER.size :])]
    return SavedMovement(progress, frames, memories, number)


def _path_record(progress: Progress | None) -> tuple[int, ...]:
    if progress is None:
        return _NOT_BEGUN
    start, end, target, direction, along = progress
    return (1, *start, *end, target, direction, along >> 64, along & (2**64 - 1))


def _progress(record: tuple[int, ...]) -> Progress | None:
    begun, a, b, c, d, e, f, target, direction, high, low = record
    if record == _NOT_BEGUN:
        return None
    found = Progress((a, b, c), (d, e, f), target, direction, (high << 64) + low)
    _require(begun == 1 and direction in (-1, 1) and 0 <= target < 2**31, "a path has no such line")
    _require(all(abs(at) <= _FARTHEST for at in (a, b, c, d, e, f)), "a path leads too far")
    _require(0 <= found.along <= length_of(found), "a body is beyond the end of its path")
    return found


def _character_record(memory: tuple[Any, ...]) -> tuple[float, ...]:
    on_floor, on_wall, on_ceiling, drops, jumped, floor, landed_at, left_at, asked_at, *others = memory
    normal, velocity, speed, wall, wall_normal, kept = others
    flags = on_floor + 2 * on_wall + 4 * on_ceiling + 8 * drops + _JUMPED * jumped
    flags += _HAS_NORMAL * (normal is not None) + _HAS_VELOCITY * (velocity is not None)
    flags += _HAS_WALL * (wall_normal is not None)
    numbers = (*(normal or _NO_VECTOR), *(velocity or _NO_VECTOR), speed, *(wall_normal or _NO_VECTOR), *kept)
    return (flags, floor, landed_at, left_at, asked_at, wall, *[by + 0.0 for by in numbers])


def _memory(record: tuple[Any, ...], step_number: int) -> tuple[Any, ...]:
    flags, floor, landed_at, left_at, asked_at, wall, *numbers = record
    normal, velocity, speed = tuple(numbers[:3]), tuple(numbers[3:6]), numbers[6]
    wall_normal, kept = tuple(numbers[7:10]), tuple(numbers[10:])
    _require(0 <= flags < 256 and -1 <= floor <= MAX_INTEGER, "a character remembers no possible floor")
    _require(-1 <= wall <= MAX_INTEGER and (wall < 0 or flags & 2), "a character remembers no possible wall")
    _require(all(-1 <= at <= step_number for at in (landed_at, left_at)), "a character landed in a step to come")
    _require(-1 <= asked_at <= step_number + 1, "a jump is asked for in a step to come")
    _require(all(map(math.isfinite, numbers)) and 0.0 <= speed <= MAX_COORDINATE, "a character has an impossible speed")
    has_normal, has_velocity = bool(flags & _HAS_NORMAL), bool(flags & _HAS_VELOCITY)
    _require(not has_normal or abs(_square(normal) - 1.0) < _ROUNDING, "the normal of a floor has another length")
    _require(has_normal or normal == _NO_VECTOR, "a character in the air has a floor")
    has_wall = bool(flags & _HAS_WALL)
    _require(has_wall == bool(flags & 2), "a character at a wall has no normal, or one without a wall")
    _require(not has_wall or abs(_square(wall_normal) - 1.0) < _ROUNDING, "the normal of a wall has another length")
    _require(has_wall or wall_normal == _NO_VECTOR, "a character at no wall has its normal")
    _require(has_velocity or velocity == _NO_VECTOR, "a character in the air has a floor")
    states = bool(flags & 1), bool(flags & 2), bool(flags & 4), bool(flags & 8), bool(flags & _JUMPED)
    found = (*states, floor, landed_at, left_at, asked_at, normal if has_normal else None)
    return (*found, velocity if has_velocity else None, speed, wall, wall_normal if has_wall else None, kept)


def _square(vector: tuple[float, ...]) -> float:
    x, y, z = vector
    return x * x + y * y + z * z


def _require(condition: bool, fault: str) -> None:
    if not condition:
        raise ValueError(fault)
