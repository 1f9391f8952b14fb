"""Saved games: the bytes of `Game.snapshot`, validated before they are used.

A header (magic, version, lengths, checksum), the snapshot of the world, and JSON with the other state: the level, the
moves, the script's variables, the state of the mechanics. The JSON is parsed strictly, and no code is run.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from ecs_collision.errors import CollisionTypeError, SnapshotError
from ecs_collision.game.history import Moment
from ecs_collision.game.variables import check, text_of
from ecs_collision.levels.level import Level

MAGIC, VERSION = b"ECSCGAME", 1
_HEAD = struct.Struct("<8sIQQQ16s")


@dataclass(frozen=True, slots=True)
class ExtraState:
    """The state of a game besides its world. `controls` is None if they are the declared ones.

    fused: the name that each fused thing is fused to; None if there are none.
    """

    gravity: str | None
    falls: str | None
    fall_speed: float
    controls: dict[str, Any] | None
    mechanics: list[Any]
    fused: dict[str, Any] | None
    state: dict[str, Any]


_KINDS: dict[str, tuple[type[Any], ...]] = {
    "gravity": (str, type(None)),
    "falls": (str, type(None)),
    "fall_speed": (float,),
    "controls": (dict, type(None)),
    "mechanics": (list,),
    "fused": (dict, type(None)),
    "state": (dict,),
}


def fingerprint(level: Level) -> str:
    """Return a hash that identifies the things of a level."""
    names = "\n".join(f"{thing.name}\t{thing.kind}" for thing in level.things)
    return blake2b(names.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


class ExtraStatePacker:
    """Encodes the extra state of one game as JSON; reuses the text of what rarely changes."""

    def __init__(self, level_id: str) -> None:
        self._level_id = level_id
        self._last_values: tuple[str | None, str | None, float] | None = None
        self._last_text = ""

    def pack(self, extra: ExtraState) -> bytes:
        """Return the extra state as JSON."""
        if extra.mechanics or extra.fused or extra.controls:
            fixed = self._fixed_text(extra)
        else:
            values = (extra.gravity, extra.falls, extra.fall_speed)
            if self._last_values != values:
                self._last_values, self._last_text = values, self._fixed_text(extra)
            fixed = self._last_text
        return f'["{self._level_id}",{fixed},{text_of(extra.state)}]'.encode()

    def _fixed_text(self, extra: ExtraState) -> str:
        values = [extra.gravity, extra.falls, extra.fall_speed, extra.controls, extra.mechanics, extra.fused]
        return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def read_extra_state(data: bytes, level_id: str) -> ExtraState:
    """Parse an extra state; raises SnapshotError if `ExtraStatePacker` cannot have written it."""
    try:
        found, (gravity, falls, fall_speed, controls, mechanics, fused), state = json.loads(data.decode())
        extra = ExtraState(gravity, falls, fall_speed, controls, mechanics, fused, state)
        check(state, "state")
    except (ValueError, RecursionError, TypeError) as problem:
        raise SnapshotError(f"the saved game cannot be read: {problem}; use the bytes of Game.snapshot()") from problem
    if found != level_id:
        raise SnapshotError("the saved game is of another level: its things have other names; load that level first")
    for name, kinds in _KINDS.items():
        if type(getattr(extra, name)) not in kinds:
            raise SnapshotError(f"the saved game has {getattr(extra, name)!r} for {name}")
    return extra


def pack(moment: Moment) -> bytes:
    """Return a saved game."""
    moves = moment.moves.encode()
    body = moment.world + moment.extra + moves
    return _HEAD.pack(MAGIC, VERSION, len(moment.world), len(moment.extra), len(moves), _digest(body)) + body


def unpack(data: object) -> Moment:
    """Return the moment of a saved game; raises SnapshotError if it is damaged or of another version."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise CollisionTypeError(f"restore() got {data!r}; give the bytes that snapshot() returned")
    data = bytes(data)
    if len(data) < _HEAD.size or not data.startswith(MAGIC):
        raise SnapshotError("these bytes are not a saved game; give the bytes that Game.snapshot() returned")
    _, version, world, extra, moves, digest = _HEAD.unpack_from(data)
    if version != VERSION:
        raise SnapshotError(f"the saved game has format {version}, this version of ecs_collision reads {VERSION}")
    if len(data) != _HEAD.size + world + extra + moves:
        raise SnapshotError(f"the saved game has {len(data)} bytes instead of {_HEAD.size + world + extra + moves}")
    body = data[_HEAD.size :]
    if digest != _digest(body):
        raise SnapshotError("the saved game is damaged: the checksum does not match; use an intact copy")
    try:
        return Moment(body[:world], body[world : world + extra], body[world + extra :].decode())
    except UnicodeDecodeError as problem:
        raise SnapshotError(f"the moves of the saved game are not text: {problem}") from problem


def _digest(body: bytes) -> bytes:
    return blake2b(body, digest_size=16).digest()
