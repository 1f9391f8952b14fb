"""Hostile files in the format of Sokoban levels, with run lengths and without."""

from __future__ import annotations

from hostile.cases import Case, Folder, Many, given

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
        given("a collection with invalid UTF-8", "level.xsb", b"####\n#@$.#\n####\nTitle: \xff\n", "0xff", line=4, column=8),
        given("a collection over 16 MiB", "level.sok", Many("#", 17 * 2**20), "bytes", whole=True),
        given("a board with a null", "level.xsb", "####\n#@$\0.#\n####\n"),
        given("a terminal sequence for a title", "level.xsb", "####\n#@$.#\n####\nTitle: \x1b]0;owned\x07\n", accepted="either"),
        given("two players", "level.xsb", "#####\n#@@.#\n#$  #\n#####\n", accepted="either"),
        given("no player", "level.xsb", "#####\n# $.#\n#####\n", accepted="either"),
        given("one board too wide", "level.xsb", "#" * 100_001 + "\n#@$.#\n"),
        given("one board too high", "level.xsb", Many("#\n", 100_001)),
        given("one board of five million cells", "level.xsb", Many("#" * 2500 + "\n", 2000)),
        given("boards of five million cells together", "level.xsb", Many(("#" * 99 + "\n") * 100 + "\n", 500), accepted="either"),
        given("two hundred thousand crates", "level.xsb", Many("$" * 500 + "\n", 400)),
        row("a letter that is no board", "#a #", "a"),
        row("a run of 10^9", "1000000000#"),
        row("a run of 10^5000", "1" + "0" * 5000 + "#"),
        row("a run of runs too long", "99(99(99(99(99(#)))))"),
        row("brackets too deep", "(" * 100_000 + "#" + ")" * 100_000),
        row("brackets of nothing, very long", "99999(99999(99999()))", accepted="either"),
        row("rows out of a run of runs", "9999(#|)9999(#|)9999(9999(|))"),
        row("digits, many, before a letter", "1" * 100_000 + "#"),
    ]  # fmt: skip
