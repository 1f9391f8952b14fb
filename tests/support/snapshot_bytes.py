"""The format of snapshots from its description, by hand: taken apart, changed and put together with a true checksum.

Head: magic (8), version and three lengths (4 each), checksum (16). Blocks: what seldom changes, the rest of what the
state hash counts, and what it leaves out. The checksum is that of the head, the checksum of the first block, and the
other two.
"""

from __future__ import annotations

import struct
from hashlib import blake2b
from typing import NamedTuple

HEAD = struct.Struct("<8sIIII")
BEGIN = HEAD.size + 16

Triples = list[tuple[int, int, int]]


def digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()


class Blocks(NamedTuple):
    """A snapshot taken apart."""

    seldom: bytes
    state: bytes
    apart: bytes
    magic: bytes = b"ECSCSNAP"
    version: int = 1

    def sealed(self) -> bytes:
        """Return the snapshot, its checksum true."""
        head = HEAD.pack(self.magic, self.version, len(self.seldom), len(self.state), len(self.apart))
        return (
            head + digest(head + digest(self.seldom) + self.state + self.apart) + self.seldom + self.state + self.apart
        )


def taken_apart(data: bytes) -> Blocks:
    magic, version, a, b, c = HEAD.unpack_from(data)
    assert len(data) == BEGIN + a + b + c
    return Blocks(data[BEGIN:][:a], data[BEGIN + a :][:b], data[BEGIN + a + b :], magic, version)


def lists_of(blocks: Blocks, bodies: int) -> tuple[bytes, Triples, Triples, bytes]:
    """Return the positions, the contacts, the ways and what is behind them, of the block that the hash counts."""
    contacts, ways, _, _ = struct.unpack_from("<IIII", blocks.state)
    at, behind = 16 + 24 * bodies, 16 + 24 * (bodies + contacts + ways)
    triples = [(a, b, c) for a, b, c in struct.iter_unpack("<qqq", blocks.state[at:behind])]
    return blocks.state[16:at], triples[:contacts], triples[contacts:], blocks.state[behind:]
