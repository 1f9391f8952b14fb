"""References out of the level's folder, in every place of every format where a file may name another."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace

from hostile import ldtk_cases, tmj_cases, tmx_cases
from hostile.cases import Case, File, Folder, Link, Many, Pipe

AROUND: dict[str, File] = {
    "way_out": Link("@OUT@/secret{suffix}"),
    "folder_out": Link("@OUT@"),
    "loop": Link("loop{suffix}"),
    "device": Link("/dev/zero"),
    "pipe": Pipe(),
    "folder": Folder(),
    "large": Many(" ", 17 * 2**20),
    "empty": b"",
    "garbage": bytes(range(256)),
}
"""What lies in the folder besides the level; a suffix is added to each name but that of the folder linked."""

REFUSED = {
    "to the folder above": "../secret{suffix}",
    "up and down and up": "sets/../../secret{suffix}",
    "up through a folder that is missing": "none/../../secret{suffix}",
    "from the root": "@OUT@/secret{suffix}",
    "from the root into the folder": "@IN@/{good}",
    "to the passwords": "/etc/passwd",
    "as a file URL": "file:///etc/passwd",
    "as a web address": "http://127.0.0.1:9/x{suffix}",
    "to a share": "//host/share/x{suffix}",
    "to a share, as Windows writes it": "\\\\host\\share\\x{suffix}",
    "to a drive": "C:/x{suffix}",
    "up, as Windows writes it": "..\\secret{suffix}",
    "to a stream of a file": "{good}:stream",
    "to the home folder": "~/secret{suffix}",
    "of nothing": "",
    "to the folder itself": ".",
    "to the folder above itself": "..",
    "to a folder": "folder{suffix}",
    "that ends in a slash": "{good}/",
    "to nothing": "missing{suffix}",
    "through a link out": "way_out{suffix}",
    "through a folder linked out": "folder_out/secret{suffix}",
    "through a link to itself": "loop{suffix}",
    "through a link to a device": "device{suffix}",
    "to a pipe": "pipe{suffix}",
    "to a file too large": "large{suffix}",
    "to an empty file": "empty{suffix}",
    "to garbage": "garbage{suffix}",
    "of five thousand letters": "a" * 5000 + "{suffix}",
    "with a terminal sequence": "\x1b[2J{suffix}",
    "with a null": "{good}\0.png",
    "read from right to left": "\u202exst.{suffix}",
    "with a lone surrogate": "\ud800{suffix}",
}
"""What is wrong with a reference -> the reference; `{suffix}` of what is expected there, `{good}` a file that is."""

READ = {
    "beginning in this folder": "./{good}",
    "up and down inside the folder": "none/../{good}",
    "through a link inside the folder": "way_in{suffix}",
}


def spots() -> Mapping[str, tuple[Case, str]]:
    """Return each place of a reference: a good level, and the file it names there."""
    return {
        "a tileset": (tmx_cases.good_case(), "sets/more.tsx"),
        "a template": (tmx_cases.good_case(), "crate.tx"),
        "a tileset in JSON": (tmj_cases.good_case(), "sets/more.tsj"),
        "a template in JSON": (tmj_cases.good_case(), "crate.tj"),
        "a level of a world": (ldtk_cases.good_external(), "levels/Two.ldtkl"),
    }


def cases() -> Iterator[Case]:
    for spot, (good, target) in spots().items():
        for wanted, references in (("no", REFUSED), ("yes", READ)):
            for name, reference in references.items():
                found = case(f"{spot} {name}", good, target, reference, wanted)
                if found is not None:
                    yield found


def case(name: str, good: Case, target: str, reference: str, wanted: str) -> Case | None:
    """Return a good level whose reference to `target` is another; None where the format cannot write it."""
    suffix = "." + target.rpartition(".")[2]
    written = reference.replace("{suffix}", suffix).replace("{good}", target)
    is_json = good.main != "level.tmx"
    if not is_json and any(letter in written for letter in "\0\ud800\x1b"):
        return None
    quoted = json.dumps(written)[1:-1] if is_json else written.replace("<", "&lt;").replace("\n", "&#10;")
    old = f'"{target}"'.encode()
    at = good.data.index(old)
    data = good.data.replace(old, f'"{quoted}"'.encode(), 1)
    around: dict[str, File] = {}
    for each, file in AROUND.items():
        if reference.startswith(each):
            around[each if each == "folder_out" else each + suffix] = (
                Link(file.target.replace("{suffix}", suffix)) if isinstance(file, Link) else file
            )
    if reference.startswith("way_in"):
        around["way_in" + suffix] = Link("@IN@/" + target)
    found = Case(name, good.main, {**good.files, **around, good.main: data}, accepted=wanted)
    faulty = "garbage" in reference or "empty" in reference
    if wanted == "yes" or name.endswith("up through a folder that is missing"):
        return replace(found, accepted="yes" if wanted == "yes" else "no")
    if faulty:
        return replace(found, file=(around and next(iter(around))) or None, whole="empty" in reference)
    if good.main != "level.ldtk" and "\ud800" not in written:
        found = replace(found, says=("found the reference ",))
    if is_json and written and "\ud800" not in written:
        return replace(found, pointer=pointer_of(json.loads(data), written))
    if is_json:
        return found
    return replace(found, line=data.count(b"\n", 0, at) + 1)


def pointer_of(document: object, value: str, here: str = "") -> str | None:
    """Return the pointer to the first place of a value in a document."""
    if document == value:
        return here
    members = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, member in members:
        found = pointer_of(member, value, f"{here}/{key}")
        if found is not None:
            return found
    return None
