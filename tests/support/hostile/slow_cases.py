"""Texts on which an ambiguous pattern would backtrack: quadratic time in their length, which takes minutes."""

from __future__ import annotations

from hostile.cases import Case, Many, given
from hostile.text_cases import GOOD

MANY = 200_000
BOARD = "#####\n#@$.#\n#####\n"


def text(name: str, data: Many) -> Case:
    return given(f"slow: {name}", "level.txt", data, accepted="either")


def xsb(name: str, data: Many) -> Case:
    return given(f"slow: {name}", "level.sok", data, accepted="either")


def cases() -> list[Case]:
    return [
        text("a key of blanks", Many(" ", MANY, "a", "!\n")),
        text("a key of blanks, with a colon", Many(" ", MANY, "a", "! : 1\n")),
        text("a key of words", Many("a ", MANY, "", "!\n")),
        text("blanks before nothing", Many(" ", MANY, "title:", "!\n" + GOOD)),
        text("quotes in a value", Many('"', MANY, "key: a", "\n" + GOOD)),
        text("escaped quotes in a value", Many('\\"', MANY, 'key: "', "\n" + GOOD)),
        text("a kind of words", Many("a ", MANY, "legend\n# ", "!\nmap\n#\n")),
        text("a component of blanks", Many(" ", MANY, "legend\n# wall: Inertia(1", "!\nmap\n#\n")),
        text("a win of words", Many("all ", MANY, "win: ", "\n" + GOOD)),
        text("a map heading of blanks", Many(" ", MANY, "legend\n# wall\nmap at", "!\n#\n")),
        text("a thing of blanks", Many(" ", MANY, GOOD + "things\ncrate", "!\n")),
        xsb("blanks before a comment", Many(" ", MANY, BOARD, "comment!\n")),
        xsb("blanks around a semicolon", Many(" ", MANY, BOARD + " ;", "x\n")),
        xsb("a solution of one long line", Many("l", MANY, BOARD + "solution ", ":!\n")),
        xsb("a solution of blanks", Many(" ", MANY, BOARD + "solution:", "!\n")),
        xsb("a title of blanks", Many(" ", MANY, BOARD + "title", "!\n")),
        xsb("digits of a run", Many("1", MANY, "#@#\n", "!\n")),
        xsb("a row of blanks", Many(" ", MANY, "#@#\n", "!\n")),
        given("slow: quotes in JSON", "level.tmj", Many('\\"', MANY, '{"a": "', "!}"), accepted="either"),
        given("slow: an unclosed text in JSON", "level.tmj", Many("a\\n", MANY, '["'), accepted="either"),
        given("slow: blanks in CSV", "level.tmx", Many(" ", MANY, (
            '<map orientation="orthogonal" width="1" height="1" tilewidth="16" tileheight="16">'
            '<layer width="1" height="1"><data encoding="csv">1'), "!</data></layer></map>"), accepted="either"),
    ]  # fmt: skip
