"""Hostile files of kinds next to a level, which are read with it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hostile import json_cases, ldtk_cases, tmj_cases, tmx_cases
from hostile.cases import Case, File, Link, Many, Pipe

KINDS = "level.kinds.json"
GOOD: dict[str, Any] = {
    "wall": {"Static": True},
    "class:box": {"Sleeping": {"after": 16}, "Inertia": 3},
    "layer:bits": "wall",
    "name:mark": {"Trigger": True},
    "id:4": {"Inertia": {"x": 2}},
    "gid:3": {"Trigger": {"swept": True}},
    "tile:t/0": {"Static": False},
}
READ = ("line ends of Windows in a document", "a document on one line")
"""Further members and byte order marks are refused or read, but these are always read."""


def good_case() -> Case:
    return beside("a good file of kinds", json.dumps(GOOD, indent=1).encode(), accepted="yes")


def beside(name: str, data: File, *says: str, level: Case | None = None, **more: Any) -> Case:
    """Return a good level with a file of kinds next to it."""
    good = level or tmj_cases.good_case()
    more.setdefault("file", KINDS)
    return Case(name, good.main, {**good.files, KINDS: data}, says, **more)


def of_json(case: Case) -> Case:
    """Return a case of a document as a file of kinds."""
    accepted = "either" if case.accepted == "yes" and not case.name.endswith(READ) else case.accepted
    accepted = "yes" if case.name.endswith("an object of nothing") else accepted
    file = "level.tmj" if case.name.endswith("over 16 MiB") else KINDS  # refused like any reference
    return replace(beside(case.name, case.files[KINDS], file=file), **{
        key: getattr(case, key) for key in ("says", "line", "column", "pointer", "whole")
    }, accepted=accepted)  # fmt: skip


def cases() -> list[Case]:
    documents = json_cases.cases("kinds", KINDS, GOOD, {}, "/class:box/Sleeping/after", "/layer:bits")

    def kinds(name: str, content: dict[str, Any], pointer: str, *says: str, **more: Any) -> Case:
        return beside(f"kinds: {name}", json.dumps(content).encode(), *says, pointer=pointer, **more)

    many = {f"name:{number}": {"Static": True} for number in range(30_000)}
    mask = {"Collider": {"mask": [f"m{number}" for number in range(200_000)]}, "Inertia": 1}
    crowd = json.loads(tmj_cases.good_case().data)
    crowd["layers"][2]["layers"][0]["objects"] = [
        {"id": number, "name": "", "type": "box", "x": 0, "y": 0, "width": 16, "height": 16, "rotation": 0,
         "visible": True} for number in range(1, 5000)
    ]  # fmt: skip
    crowded = replace(tmj_cases.good_case(), files={
        **tmj_cases.good_case().files, "level.tmj": json.dumps(crowd).encode(),
    })  # fmt: skip
    return [
        *(of_json(case) for case in documents[::4]),
        kinds("a key that matches nothing", {"name:her": {}}, "/name:her", "no such name", "mark"),
        kinds("a layer that matches nothing", {"layer:wals": {}}, "/layer:wals", "did you mean 'layer:walls'?"),
        kinds("a kind that matches nothing", {"Box": {}}, "/Box", "did you mean 'box'?"),
        kinds("a kind of a terminal sequence", {"\x1b[2J": {}}, "/\x1b[2J"),
        kinds("a kind that is a terminal sequence", {"class:box": "\x1b[2J"}, "/class:box"),
        kinds("a kind of nothing", {"class:box": ""}, "/class:box", "empty kind"),
        kinds("an unknown kind", {"class:box": "wal"}, "/class:box", "unknown kind 'wal'", "did you mean 'wall'?"),
        kinds("a key of a million letters", {"a" * 1_000_000: {}}, "", "a key of 1000000 characters"),
        kinds("a selector of nothing", {"layer:": {}}, "/layer:", "selects nothing"),
        kinds("components that exclude each other", {"class:box": {"Static": True}, "id:4": {"Motion": 1}},
              "/layers/2/layers/0/objects/3", "Static with", file="level.tmj"),
        kinds("a gid there is not", {"gid:99": {}}, "/gid:99", "no such gid"),
        kinds("a tile there is not", {"tile:t/4": {}}, "/tile:t~14", "no such tile"),
        kinds("thirty thousand names", many, "/name:0"),
        kinds("a long list for each of many things", {"layer:things": mask}, "", file="level.tmj", whole=True,
              level=crowded),
        beside("kinds: in a Tiled map in XML", b'{"name:missing": {}}', pointer="/name:missing", level=tmx_cases.good_case()),
        beside("kinds: in an LDtk project", b'{"id:missing": {}}', pointer="/id:missing", level=ldtk_cases.good_case()),
        beside("kinds: a link out", Link("@OUT@/secret.txt"), "outside the level's folder", file="level.tmj", whole=True),
        beside("kinds: a link to itself", Link(KINDS), file="level.tmj", whole=True),
        beside("kinds: a link to a device", Link("/dev/zero"), file="level.tmj", whole=True),
        beside("kinds: a pipe", Pipe(), "not a regular file", file="level.tmj", whole=True),
        beside("kinds: objects in objects without a level", Many('{"a":', 100_000, "", "1" + "}" * 100_000)),
    ]  # fmt: skip
