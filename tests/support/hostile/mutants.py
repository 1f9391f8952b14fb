"""Mutants of level files: valid files with random damage. The same seed gives the same mutant."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree

NUMBERS = [
    "0", "-0", "-1", "1", "2", "3", "00", "0.5", "-0.5", "1e3", "1e308", "1e999", "NaN", "inf", "-Infinity", "1_000",
    " 7 ", "0x10", ".5", "٣", "99999", "1000000000", "2147483647", "2147483648", "4294967295", "4294967296",
    "9223372036854775808", "1" * 30, "1" * 400, "1e-400", "true", "null", "",
]  # fmt: skip
STRINGS = [
    "", " ", "0", "a", "/", "../secret.tsx", "/etc/passwd", "os.system", "__class__", "Inertia", "Inertia.value",
    "Motion", "Motion_rule", "Trigger.mask", "Fused", "Collider.layer", "SphereCollider", "Transform", "Static",
    "hero", "crate", "crate 1", "wall", "rule", "win", "gravity", "title", "max_chain", "sum", "class", "float", "int",
    "bool", "file", "object", "color", "gzip", "zstd", "csv", "base64", "hexagonal", "tilelayer", "group",
    "IntGrid", "Entities", "Tiles", "all crate on goal", "\u202e", "\x1b[2J", "\x00", "\ud800", "é", "a\nb", "a" * 300,
    "'", '"', "<", "&", "{}", "%s",
]  # fmt: skip
VALUES: list[Any] = [
    None, True, False, 0, -1, 1, 1.5, 1e300, 2**31, 2**63, 2**70, "", "1", "a", [], [1], {}, {"a": 1}, [[]], [None],
    {"value": 1}, {"force": -1}, float("nan"),
]  # fmt: skip
LETTERS = "#@$.+*!A -_|()[]=:;,\"'0123456789\t\0\x1b\u2028\xa0é"

Files = dict[str, bytes]


def mutant(seed: int, good: Files, main: str) -> Files:
    """Return files of which one, usually the main one, is damaged in one to three places."""
    chance = random.Random(seed)
    name = main if chance.random() < 0.8 else chance.choice(sorted(good))
    data = good[name]
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        ways = [*PLAIN, *WAYS.get(name.rpartition(".")[2], [])]
        data = chance.choice(ways)(data, chance)
    return {**good, name: data}


# Bytes, lines and words.


def some_bytes(data: bytes, chance: random.Random) -> bytes:
    """Flip, drop, duplicate or insert a few bytes, or cut off the rest."""
    if not data:
        return chance.randbytes(3)
    at, length = chance.randrange(len(data)), chance.choice((1, 1, 1, 2, 4, 16, 64))
    match chance.randrange(6):
        case 0:
            return data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :]
        case 1:
            return data[:at] + data[at + length :]
        case 2:
            return data[: at + length] + data[at:]
        case 3:
            odd = (b"\0", b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"\x1b[2J")
            return data[:at] + chance.choice(odd) + data[at:]
        case 4:
            return data[:at]
        case _:
            other = chance.randrange(len(data))
            return data[:at] + data[other : other + length] + data[at + length :]


def lines(data: bytes, chance: random.Random) -> bytes:
    """Drop, duplicate or swap lines."""
    rows = data.split(b"\n")
    a, b = chance.randrange(len(rows)), chance.randrange(len(rows))
    match chance.randrange(4):
        case 0:
            del rows[a]
        case 1:
            rows.insert(a, rows[b])
        case 2:
            rows[a], rows[b] = rows[b], rows[a]
        case _:
            rows[a] = rows[b]
    return b"\n".join(rows)


def numbers(data: bytes, chance: random.Random) -> bytes:
    """Replace a number by a problematic one."""
    return replaced(data, rb"-?\d+(\.\d+)?", chance, lambda text: chance.choice(NUMBERS).encode())


def strings(data: bytes, chance: random.Random) -> bytes:
    """Replace a quoted string by a problematic one, or by another from the file."""
    return replaced(data, rb'"[^"\n]*"', chance, lambda text: b'"' + text + b'"')


def words(data: bytes, chance: random.Random) -> bytes:
    """Replace a word by a problematic one, or by another from the file."""
    return replaced(data, rb"[A-Za-z_]\w*", chance, lambda text: text)


def replaced(data: bytes, pattern: bytes, chance: random.Random, written: Callable[[bytes], bytes]) -> bytes:
    """Replace a match of a pattern by another of the file, or by a problematic text in the form of `written`."""
    found = list(re.finditer(pattern, data))
    if not found:
        return data
    spot, other = chance.choice(found), chance.choice(found)[0]
    new = other if chance.random() < 0.4 else written(chance.choice(STRINGS).encode("utf-8", "surrogatepass"))
    return data[: spot.start()] + new + data[spot.end() :]


def letters(data: bytes, chance: random.Random) -> bytes:
    """Replace one character by one with a meaning in drawings."""
    text = data.decode("utf-8", "replace")
    at = chance.randrange(len(text) + 1)
    return (text[:at] + chance.choice(LETTERS) * chance.choice((1, 1, 1, 2, 30)) + text[at + 1 :]).encode()


def runs(data: bytes, chance: random.Random) -> bytes:
    """Insert a run length or a bracket before a character."""
    text = data.decode("utf-8", "replace")
    at = chance.randrange(len(text) + 1)
    return (text[:at] + chance.choice(("9", "2(", ")", "0", "99999", "3(#|", "2(2(", "|")) + text[at:]).encode()


# Structure.


def elements(data: bytes, chance: random.Random) -> bytes:
    """Drop, duplicate, move or rename an XML element, or change its attributes."""
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError):
        return data
    found = list(root.iter())
    parent, element = chance.choice([(parent, child) for parent in found for child in parent] or [(root, root)])
    match chance.randrange(8):
        case 0 if parent is not element:
            parent.remove(element)
        case 1 if parent is not element:
            parent.append(copy.deepcopy(element))
        case 2:
            chance.choice(found).append(copy.deepcopy(element))
        case 3:
            element.tag = chance.choice([*(each.tag for each in found), "property", "object", "chunk", "tile", "x"])
        case 4 if element.attrib:
            del element.attrib[chance.choice(sorted(element.attrib))]
        case 5:
            element.text = chance.choice(("", "0", "1,1", "words", "\n", *NUMBERS[:20]))
        case _:
            names = sorted({name for each in found for name in each.attrib})
            value = chance.choice((*NUMBERS, *(text for text in STRINGS if text.isprintable())))
            element.set(chance.choice(sorted(element.attrib) * 3 + names or ["x"]), value)
    return ElementTree.tostring(root, encoding="UTF-8")


def members(data: bytes, chance: random.Random) -> bytes:
    """Drop, duplicate, move or replace a JSON value."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return data
    spots = list(walk(document))
    if not spots:
        return data
    (holder, key), (other, other_key) = chance.choice(spots), chance.choice(spots)
    match chance.randrange(6):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        case 2:
            holder[key] = copy.deepcopy(other[other_key])
        case 3:
            holder[key] = [holder[key]]
        case 4 if isinstance(holder, dict):
            holder[chance.choice(STRINGS)] = holder.pop(key)
        case _:
            holder[key] = chance.choice((*VALUES, *STRINGS))
    try:
        return json.dumps(document, indent=1).encode()
    except ValueError:  # a value inside itself
        return data


def walk(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every member of a document as (container, key)."""
    members: list[tuple[Any, Any]]
    if isinstance(value, dict):
        members = [(value, key) for key in value]
    else:
        members = [(value, index) for index in range(len(value))] if isinstance(value, list) else []
    for holder, key in members:
        yield holder, key
        yield from walk(holder[key])


PLAIN = [some_bytes, lines, numbers, strings, words]
XML, JSON = [elements] * 3, [members] * 3
WAYS = {
    "txt": [letters, letters], "xsb": [letters, runs], "sok": [letters, runs], "tmx": XML, "tsx": XML, "tx": XML,
    "tmj": JSON, "tsj": JSON, "tj": JSON, "ldtk": JSON, "ldtkl": JSON,
}  # fmt: skip
"""Suffix to the mutations for its format."""
