"""Hostile files in the text format of our own."""

from __future__ import annotations

from typing import Any

from hostile.cases import Case, Folder, Link, Many, Pipe, changed, given

GOOD = """\
title: First push
rule: sum
win: all crate on goal
note: for testers

legend
# wall: Static
@ player: Motion(force=1.5)
$ crate: Inertia(1)          ; weighs one
. goal: Trigger(mask=["default"])
A beam: Inertia(2), joined
* = $ .
! torch

map
########
#@ $ .*#
#AA  A!#
########
"""


MORE = """\
title: Two of them
author: unknown
max_chain: 3
gravity: D
depth: 7

legend
# wall: Static
% wall
@ player "hero": Motion(1.5), Sleeping(after=9)
$ "heavy crate": Inertia(x=2), colour=red, joined
o plate: Trigger(touching=true), single
+ = @ o
T tree: old=true, whole

map
##########
# @  $$ o#
# T  $  T#
##%%######

map at 3 2
 o

things
plate 1 = left plate: Trigger(linger=2)
9 2 = far plate: note="by its cell"

title: Second
win: any hero on plate

map
# +  $ ;
"""


def odd(name: str, old: str, new: str | Many, *says: str, **more: Any) -> Case:
    return changed(name, "level.txt", GOOD, old, new, *says, **more)


def component(name: str, written: str, *says: str, **more: Any) -> Case:
    """Return the good level with another component on its crates."""
    return odd(name, "Inertia(1)", written, *says, **more)


def value_cases() -> list[Case]:
    wrong = {
        "nan": "nan", "minus inf": "-inf", "an overflow": "1e999", "below nothing": "-1", "underscores": "1_000",
        "full-width digits": "１", "hexadecimal": "0x10", "a fraction": "1/2", "a dot in front": ".5",
        "an exponent of many digits": "1e" + "9" * 5000, "many digits": "9" * 5000, "an expression": "1+1",
        "a call": "__import__('os').system('true')", "an f-string": 'f"{1}"', "a dict": "{}", "a string": '"1"',
        "a list": "[1]", "True": "True", "None": "None", "a null": "\0",
    }  # fmt: skip
    return [
        *(component(f"a component's number as {name}", f"Inertia({text})") for name, text in wrong.items()),
        component("a sphere of half a world", "SphereCollider(1e12)", "SphereCollider.radius is 1000000000000.0"),
        component("a rotation of words", 'Transform("left")', "Transform.rotation must be an angle"),
        component("a rotation of many numbers", f"Transform([{'1, ' * 9999}1])", "Transform.rotation must be an angle"),
    ]


def cases() -> list[Case]:
    return [
        given("an empty file", "level.txt", "", whole=True),
        given("a folder for a level", "level.txt", Folder(), whole=True),
        given("a pipe for a level", "level.txt", Pipe(), whole=True),
        given("a device for a level", "level.txt", Link("/dev/zero"), whole=True),
        given("a link to itself for a level", "level.txt", Link("level.txt"), whole=True),
        given("blank lines only", "level.txt", "\n\n \n", whole=True),
        given("binary garbage", "level.txt", bytes(range(256)) * 40, "byte"),
        given("UTF-16", "level.txt", GOOD.encode("utf-16"), "0xff", line=1, column=1),
        given("a byte order mark", "level.txt", b"\xef\xbb\xbf" + GOOD.encode(), accepted="yes"),
        given("line ends of Windows", "level.txt", GOOD.replace("\n", "\r\n"), accepted="yes"),
        given("Latin-1", "level.txt", GOOD.replace("First", "Fürst").encode("latin-1"), "0xfc", line=1, column=9),
        given("a surrogate in UTF-8", "level.txt", GOOD.replace("First", "F\ud800rst"), "0xed", line=1, column=9),
        given("a file over 16 MiB", "level.txt", Many(" ", 17 * 2**20), "bytes", whole=True),
        given("ten thousand empty maps", "level.txt", Many("map\n", 10_000, GOOD), accepted="either"),
        given("a setting again and again", "level.txt", Many("key: 1\n", 100_000)),
        odd("a null in a title", "First", "Fi\0st"),
        odd("a terminal sequence in a title", "First", "\x1b]0;owned\x07\x1b[2J"),
        odd("a win condition that is code", "all crate on goal", "__import__('os').system('true')"),
        odd("a win condition of a thousand demands", "all crate on goal", " and ".join(["all crate on goal"] * 1000), "1000"),
        odd("a win condition of one long word", "all crate on goal", Many("x", 1_000_000), "1000"),
        odd("a control character in the map", "#@ $ .*#", "#@ $\x1b.*#", line=17, column=5),
        odd("a line separator in the map", "#@ $ .*#", "#@ $\u2028.*#", line=17, column=5),
        odd("a kind of half a million letters", "! torch", Many("x", 500_000, "! ")),
        odd("a name of a terminal sequence", "! torch", '! torch "\\u001b[2J"'),
        odd("a stack of itself", "* = $ .", "* = * .", "*"),
        odd("stacks of stacks", "* = $ .", "* = $ .\nα = * *\nβ = α α\nγ = β β", accepted="either"),
        odd("a stack of a million letters", "* = $ .", Many("$ ", 1_000_000, "* = ")),
        odd("a stack of nothing", "* = $ .", "* =", accepted="yes"),
        odd("no legend", "legend\n", "", line=6),
        given("a map too high", "level.txt", Many("#\n", 100_001, "legend\n# wall: Static\n\nmap\n")),
        given("a text map of five million cells", "level.txt", Many("#" * 2500 + "\n", 2000, "legend\n# wall: Static\n\nmap\n")),
        given("a hundred thousand and more crates", "level.txt",
              Many("$" * 400 + "\n", 400, "legend\n$ crate: Inertia(1)\n\nmap\n"), "100"),
        component("a component that imports", '__import__("os")', "__import__"),
        component("a dunder field", "Inertia(__class__=1)", "__class__"),
        component("a field of a wrong type", 'Motion(force="1.5")'),
        component("lists in lists, deep", "Trigger(mask=" + "[" * 5000 + "]" * 5000 + ")"),
        component("spaces, many, before a fault", "Inertia(1" + " " * 100_000 + "!"),
        *value_cases(),
    ]  # fmt: skip
