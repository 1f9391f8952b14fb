"""The snapshot format, implemented from its description: split, change and join with a correct checksum.

Head: magic (8), version and three lengths (4 each), checksum (16). Blocks: settings and fields, the other data that
the state hash covers, and the data that it leaves out. The checksum covers the head, the checksum of the first block,
and the other two blocks.
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
    """The blocks of a snapshot."""

    fields: bytes
    hashed: bytes
    unhashed: bytes
    magic: bytes = b"ECSCSNAP"
    version: int = 1

    def joined(self) -> bytes:
        """Return the snapshot with a correct checksum."""
        head = HEAD.pack(self.magic, self.version, len(self.fields), len(self.hashed), len(self.unhashed))
        checksum = digest(head + digest(self.fields) + self.hashed + self.unhashed)
        return head + checksum + self.fields + self.hashed + self.unhashed


def split(data: bytes) -> Blocks:
    magic, version, a, b, c = HEAD.unpack_from(data)
    assert len(data) == BEGIN + a + b + c
    return Blocks(data[BEGIN:][:a], data[BEGIN + a :][:b], data[BEGIN + a + b :], magic, version)


def with_lists(
    blocks: Blocks, bodies: int, contacts: Triples, crossings: Triples, pending: bytes | None = None
) -> bytes:
    """Return a snapshot with other contacts, crossings and pending events, and a correct checksum."""
    positions, _, _, rest = lists_of(blocks, bodies)
    rest = rest if pending is None else pending
    head = struct.pack("<IIII", len(contacts), len(crossings), 0, len(rest))
    triples = b"".join(struct.pack("<qqq", *triple) for triple in (*contacts, *crossings))
    return blocks._replace(hashed=head + positions + triples + rest).joined()


def lists_of(blocks: Blocks, bodies: int) -> tuple[bytes, Triples, Triples, bytes]:
    """Return positions, contacts, crossings and the remaining bytes of the block that the hash covers."""
    contacts, crossings, _, _ = struct.unpack_from("<IIII", blocks.hashed)
    at, rest = 16 + 24 * bodies, 16 + 24 * (bodies + contacts + crossings)
    triples = [(a, b, c) for a, b, c in struct.iter_unpack("<qqq", blocks.hashed[at:rest])]
    return blocks.hashed[16:at], triples[:contacts], triples[contacts:], blocks.hashed[rest:]
