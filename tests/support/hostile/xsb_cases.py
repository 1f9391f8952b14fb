"""Hostile files in the format of Sokoban levels, with run lengths and without."""

from __future__ import annotations

from hostile.cases import Case, Folder, Link, Many, Pipe, given

GOOD = """\
; a collection

####
#@ #
#$.#
####
Title: One
Author: unknown

; Two
5#|#@$.#|5#

#######
#+ $ *#
#######
Title: Three
"""


def row(name: str, text: str, *says: str, **more: object) -> Case:
    """Return a board whose third line is hostile."""
    more.setdefault("line", 3)
    return given(name, "level.sok", f"####\n#@.#\n{text}\n#$ #\n####\n", *says, **more)


def cases() -> list[Case]:
    return [
        given("an empty collection", "level.xsb", "", whole=True),
        given("a folder for a collection", "level.xsb", Folder(), whole=True),
        given("a pipe for a collection", "level.xsb", Pipe(), whole=True),
        given("a device for a collection", "level.xsb", Link("/dev/zero"), whole=True),
        given("a link to itself for a collection", "level.xsb", Link("level.xsb"), whole=True),
        given("a collection of comments", "level.xsb", "; one\n; two\nTitle: none\n", whole=True),
        given("a collection in UTF-16", "level.xsb", GOOD.encode("utf-16"), "0xff", line=1, column=1),
        given("a collection with invalid UTF-8", "level.xsb", b"####\n#@$.#\n####\nTitle: \xff\n", "0xff", line=4, column=8),
        given("a collection over 16 MiB", "level.sok", Many("#", 17 * 2**20), "bytes", whole=True),
        given("garbage for a board", "level.xsb", bytes(range(256))),
        given("a board with a null", "level.xsb", "####\n#@$\0.#\n####\n"),
        given("a terminal sequence for a title", "level.xsb", "####\n#@$.#\n####\nTitle: \x1b]0;owned\x07\n", accepted="either"),
        given("two players", "level.xsb", "#####\n#@@.#\n#$  #\n#####\n", accepted="either"),
        given("no player", "level.xsb", "#####\n# $.#\n#####\n", accepted="either"),
        given("one board too wide", "level.xsb", "#" * 100_001 + "\n#@$.#\n"),
        given("one board too high", "level.xsb", Many("#\n", 100_001)),
        given("one board of five million cells", "level.xsb", Many("#" * 2500 + "\n", 2000)),
        given("boards of five million cells together", "level.xsb", Many(("#" * 99 + "\n") * 100 + "\n", 500), accepted="either"),
        given("two thousand boards", "level.xsb", Many("#@$.#\n\n", 2_000), accepted="either"),
        given("two hundred thousand crates", "level.xsb", Many("$" * 500 + "\n", 400)),
        row("a letter that is no board", "#a #", "a"),
        row("a run of 10^9", "1000000000#"),
        row("a run of 10^5000", "1" + "0" * 5000 + "#"),
        row("a run of no length", "0#", "0", accepted="either"),
        row("a run with a sign", "-3#", "-3", accepted="either"),
        row("a run with underscores", "1_0#", accepted="either"),
        row("a run in full-width digits", "３#", line=None),
        row("a run in superscript", "³#", line=None),
        row("a run of nothing", "##3"),
        row("a run of a bar", "#3|#", accepted="either"),
        row("a bracket not closed", "2(#-"),
        row("a bracket not opened", "#-)2"),
        row("a bracket of nothing", "2()", accepted="either"),
        row("a run of runs too long", "99(99(99(99(99(#)))))"),
        row("a run of runs too long, by two", "2(" * 60 + "#" + ")" * 60),
        row("brackets too deep", "(" * 100_000 + "#" + ")" * 100_000),
        row("brackets too deep, not closed", "(" * 100_000, line=None),
        row("brackets of nothing, very long", "99999(99999(99999()))", accepted="either"),
        row("rows out of a run", "100000|#", line=None),
        row("a million rows out of a run of runs", "999(999(#|))"),
        row("rows out of a run of runs", "9999(#|)9999(#|)9999(9999(|))"),
        row("digits, many, before a letter", "1" * 100_000 + "#"),
    ]  # fmt: skip
