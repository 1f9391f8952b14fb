"""Malicious files: the files in a folder, and the expected error with its position.

Most cases make one change in a valid level. The position of the fault is then computed from the change: a line for
text and XML, a JSON pointer for JSON.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Link:
    """A symbolic link; `@OUT@` in its target is the folder around the level's."""

    target: str


class Pipe:
    """A named pipe without a writer: opening it normally blocks forever."""


class Folder:
    """A folder in place of a file."""


@dataclass(frozen=True)
class Many:
    """A repeated piece of text, created only when the file is written; in JSON a list of `unit`, as text."""

    unit: str
    count: int
    before: str = ""
    after: str = ""

    @property
    def data(self) -> bytes:
        """All bytes."""
        return as_bytes(self.before + self.unit * self.count + self.after)

    def between(self, before: str, after: str) -> Many:
        """Return the same with text around it."""
        return Many(self.unit, self.count, before + self.before, self.after + after)


File = bytes | Link | Pipe | Folder | Many


@dataclass(frozen=True)
class Case:
    """A hostile level.

    main: the file that is loaded. says: words of the refusal, in any case of letters. line, column, pointer: the place
    of the fault, in `file` (main where None); `whole` where the fault has no place, as in a file too large. accepted:
    "no", "yes" or "either".
    """

    name: str
    main: str
    files: Mapping[str, File] = field(repr=False)
    says: tuple[str, ...] = ()
    line: int | None = None
    column: int | None = None
    pointer: str | None = None
    file: str | None = None
    whole: bool = False
    accepted: str = "no"

    @property
    def form(self) -> str:
        """The format, as `load_levels` calls it."""
        return FORMS[Path(self.main).suffix]

    @property
    def data(self) -> bytes:
        """The bytes of the main file."""
        given = self.files[self.main]
        if isinstance(given, Many):
            return given.data
        assert isinstance(given, bytes), f"{self.main} of {self.name!r} is no plain file"
        return given


FORMS = {".txt": "text", ".xsb": "xsb", ".sok": "xsb", ".tmx": "tmx", ".tmj": "tmj", ".ldtk": "ldtk"}


def lay(files: Mapping[str, File], outside: Path) -> Path:
    """Write files into the folder "level" inside `outside`, with secrets around it; returns that folder.

    `@OUT@` and `@IN@` in their bytes become the paths of the two folders.
    """
    inside = outside / "level"
    inside.mkdir(exist_ok=True)
    for name, data in SECRETS.items():
        (outside / name).write_bytes(data)
    for name, given in files.items():
        path = inside / name
        path.parent.mkdir(parents=True, exist_ok=True)
        match given:
            case Link(target):
                path.symlink_to(target.replace("@OUT@", str(outside)).replace("@IN@", str(inside)))
            case Pipe():
                os.mkfifo(path)
            case Folder():
                path.mkdir()
            case Many():
                path.write_bytes(given.data)
            case _:
                known = given.replace(b"@OUT@", os.fsencode(outside)).replace(b"@IN@", os.fsencode(inside))
                path.write_bytes(known)
    return inside


TILESET = b"""\
<tileset version="1.10" name="t" tilewidth="16" tileheight="16" tilecount="4" columns="2">
 <image source="t.png" width="32" height="32"/>
</tileset>
"""
SECRETS: dict[str, bytes] = {
    "secret.tsx": TILESET,
    "secret.tsj": b'{"name": "t", "tilewidth": 16, "tileheight": 16, "tilecount": 4, "columns": 2, "type": "tileset",'
    b'"image": "t.png", "imagewidth": 32, "imageheight": 32}',
    "secret.tx": b'<template><object type="crate" width="16" height="16"/></template>\n',
    "secret.tj": b'{"type": "template", "object": {"type": "crate", "width": 16, "height": 16}}',
    "secret.ldtkl": b"{}",
    "secret.txt": b"root:x:0:0:secret\n",
}
"""Valid files next to the level's folder: references to them must fail because of their location."""


def changed(name: str, main: str, good: str, old: str, new: str | Many, *says: str, **more: Any) -> Case:
    """Return a valid text with one change; the fault is in the changed line."""
    before, found, after = good.partition(old)
    assert found, f"{name}: {old!r} is not in the good file"
    more.setdefault("line", before.count("\n") + 1)
    data = new.between(before, after) if isinstance(new, Many) else as_bytes(before + new + after)
    return Case(name, main, {main: data, **more.pop("files", {})}, says, **more)


def as_bytes(text: str) -> bytes:
    """Return text as UTF-8, with lone surrogates encoded as some programs do."""
    return text.encode("utf-8", "surrogatepass")


def given(name: str, main: str, data: bytes | str | File, *says: str, **more: Any) -> Case:
    """Return a case with this file."""
    content = as_bytes(data) if isinstance(data, str) else data
    return Case(name, main, {main: content, **more.pop("files", {})}, says, **more)


class Absent:
    """Placeholder for a value: the key is removed."""


def put(name: str, main: str, good: Any, spot: str, value: Any, *says: str, **more: Any) -> Case:
    """Return a valid JSON document with the value at a pointer changed or removed (`Absent`)."""
    document = json.loads(json.dumps(good))
    *path, last = spot.split("/")[1:]
    holder = document
    for step in path:
        holder = holder[int(step)] if isinstance(holder, list) else holder[step]
    if value is Absent:
        del holder[last]
    else:
        holder[int(last) if isinstance(holder, list) else last] = "@MANY@" if isinstance(value, Many) else value
    more.setdefault("pointer", spot)
    text = json.dumps(document, indent=1)
    data = value.between(*text.split('"@MANY@"')) if isinstance(value, Many) else text.encode()
    return Case(name, main, {main: data, **more.pop("files", {})}, says, **more)


def items(item: Any, count: int) -> Many:
    """Return a list with one item repeated, for `put`."""
    text = json.dumps(item)
    return Many(text + ",", count - 1, "[", text + "]")
