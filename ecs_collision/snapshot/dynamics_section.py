"""The section of a snapshot with the state of dynamics: remainders of motion and kept contacts (rules I5 and I8).

It is empty for a world that has neither, so the snapshots of worlds without dynamics have the bytes they always had.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from ecs_collision.dynamics.kept_contacts import BOUNDS, KeptRecord

_COUNTS = struct.Struct("<II")
"""Numbers of bodies with a remainder and of kept contacts."""
_REMAINDERS = struct.Struct("<q6d")
_KEPT = struct.Struct("<qqiii4d")

MAX_IMPULSE = 2.0**62
"""The largest kept impulse; that of the heaviest and fastest bodies is below 2**48."""

Remainders = tuple[float, float, float, float, float, float]


class SavedDynamics(NamedTuple):
    """The remainders by the index of a body, and the kept contacts; both name bodies by their index."""

    remainders: Mapping[int, Remainders]
    kept: Sequence[KeptRecord]


NO_DYNAMICS = SavedDynamics({}, ())


def renamed(kept: Iterable[KeptRecord], name: Callable[[int], int]) -> list[KeptRecord]:
    """Return kept contacts with other names of their bodies; the bounds of the world keep theirs."""
    return [
        (BOUNDS if first == BOUNDS else name(first), name(second), part, other, point, along, x, y, z)
        for first, second, part, other, point, along, x, y, z in kept
    ]


def dynamics_bytes(remainders: Sequence[tuple[int, Remainders]], kept: Sequence[KeptRecord]) -> bytes:
    """Return the section: what `read_dynamics` reads."""
    if not (remainders or kept):
        return b""
    rows = [_REMAINDERS.pack(index, *[left + 0.0 for left in lefts]) for index, lefts in remainders]
    contacts = [_KEPT.pack(*record[:5], *[by + 0.0 for by in record[5:]]) for record in kept]
    return b"".join([_COUNTS.pack(len(rows), len(contacts)), *rows, *contacts])


def read_dynamics(data: bytes, bodies: int, has_velocity: Callable[[int], bool]) -> SavedDynamics:
    """Return what `dynamics_bytes` wrote; raises ValueError if no world can have it."""
    if not data:
        return NO_DYNAMICS
    row_count, contact_count = _COUNTS.unpack_from(data)
    middle = _COUNTS.size + _REMAINDERS.size * row_count
    _require(len(data) == middle + _KEPT.size * contact_count, "its section of dynamics has a wrong length")
    rows = list(_REMAINDERS.iter_unpack(data[_COUNTS.size : middle]))
    kept: list[KeptRecord] = list(_KEPT.iter_unpack(data[middle:]))
    _require(all(a[0] < b[0] for a, b in pairwise(rows)), "its remainders are out of order")
    for index, *lefts in rows:
        _require(0 <= index < bodies and has_velocity(index), "a remainder belongs to no Velocity")
        _require(any(lefts) and all(-0.5 <= left <= 0.5 for left in lefts), "a remainder of motion is out of range")
    _require(all(a[:5] < b[:5] for a, b in pairwise(kept)), "its kept contacts are out of order")
    for first, second, first_part, second_part, point, *impulses in kept:
        _require(BOUNDS <= first < second < bodies and second >= 0, "a kept contact has bodies that do not exist")
        limit = 6 if first == BOUNDS else 2**31
        _require(0 <= first_part < limit and second_part >= 0 and point >= 0, "a kept contact has no such part")
        _require(all(-MAX_IMPULSE <= by <= MAX_IMPULSE for by in impulses), "a kept impulse is out of range")
        _require(impulses[0] >= 0.0, "a kept contact pulls")
    remainders = {index: (a, b, c, d, e, f) for index, a, b, c, d, e, f in rows}
    _require(dynamics_bytes(list(remainders.items()), kept) == data, "its section of dynamics has another encoding")
    return SavedDynamics(remainders, kept)


def _require(condition: bool, fault: str) -> None:
    if not condition:
        raise ValueError(fault)
