"""Sokoban levels in XSB and SOK: boards, run lengths, metadata, and errors."""

from __future__ import annotations

from textwrap import dedent

import pytest
from material import recorded

from ecs_collision import Box, CollisionWorld, LevelError
from ecs_collision.levels import Level, load_level, load_levels, parse_level, parse_levels, spawn, write_xsb

BOARD = "#####\n#@$.#\n#####\n"


def read(text: str) -> list[Level]:
    return parse_levels(dedent(text), "xsb")


def cells(level: Level, kind: str) -> list[tuple[int, int]]:
    """Return the cells (column and row, from 0) that things of a kind cover."""
    found = []
    for thing in level.select(kind):
        for box in thing.parts:
            left, top = thing.position[0] + box.offset[0] - box.hx, thing.position[1] + box.offset[1] - box.hy
            found += [(int(left) + i, int(top) + j) for i in range(int(2 * box.hx)) for j in range(int(2 * box.hy))]
    return sorted(found)


def drawn(level: Level) -> str:
    """Return a drawing of a level, without its outer spaces."""
    columns, rows = level.size
    letters = {("wall",): "#", ("player",): "@", ("crate",): "$", ("goal",): "."}
    letters |= {("crate", "goal"): "*", ("goal", "player"): "+"}
    on: dict[tuple[int, int], list[str]] = {}
    for kind in sorted({thing.kind for thing in level.things}):
        for cell in cells(level, kind):
            on.setdefault(cell, []).append(kind)
    board = ("".join(letters[tuple(on.get((i, j), []))] if (i, j) in on else " " for i in range(columns))
             for j in range(rows))  # fmt: skip
    return "\n".join(line.rstrip() for line in board)


def test_a_board_becomes_one_wall_thing_and_a_thing_per_other_letter():
    level = parse_level("#####\n#@* #\n#$ .#\n#####", "xsb", name="first.xsb")
    assert ["wall", "player", "crate 1", "goal 1", "crate 2", "goal 2"] == [thing.name for thing in level.things]
    assert (5, 4) == level.size
    assert [(0.5, 0.5), (1.5, 1.5), (2.5, 1.5), (2.5, 1.5), (1.5, 2.5), (3.5, 2.5)] == [
        thing.position[:2] for thing in level.things
    ]
    assert (Box(0.5, 0.5),) == level["crate 1"].parts == level["goal 2"].parts
    assert 4 == len(level["wall"].parts)
    assert {"Static": {}} == level["wall"].components
    assert {"Motion": {"force": 1.5}} == level["player"].components
    assert {"Inertia": {"value": 1.0}} == level["crate 2"].components
    assert {"Trigger": {}} == level["goal 1"].components
    assert ("level 1", {"rule": "sum"}, "all crate on goal", None) == (
        level.title, level.settings, level.win, level.gravity,
    )  # fmt: skip
    assert ("first.xsb", "xsb") == (level.source, level.form)


def test_the_walls_of_a_room_are_few_boxes_that_cover_exactly_its_cells():
    level = parse_level("  ####\n###  #\n#@$. #\n# ##.#\n#  $ #\n######", "xsb")
    assert "  ####\n###  #\n#@$. #\n# ##.#\n#  $ #\n######" == drawn(level)
    assert len(level["wall"].parts) <= 8


@pytest.mark.parametrize(
    "text",
    [
        "#####\n#@$.#\n#####",
        "#####   \n#@$.#  \n#####\n\n",
        "_____\n#####\n#@$.#\n#####",
        "\ufeff#####\r\n#@$.#\r\n#####\r\n",
        "#####\n#pbo#\n#####",
        "5#\n#@$.#\n5#",
        "5#|#@$.#|5#",
        "5#|#@$.#|5#|",
        "5#|#@$.#|\n5#",
        "5(#)|#@$.#|2(2#)#",
        "#####\n#@$.#\n#####\n-----\n",
    ],
    ids=["plain", "trailing blanks", "filler above", "other line ends", "other letters", "runs", "one line",
         "a bar at the end", "bars and lines", "groups", "filler below"],
)  # fmt: skip
def test_all_notations_of_a_board_are_read_equally(text):
    level = parse_level(text, "xsb")
    assert BOARD.strip() == drawn(level)
    assert ("level 1", {}) == (level.title, level.properties)


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        ("4#", "####"),
        ("-#--2(-#)@3.#", " #   # #@...#"),
        ("12#|#10-@#", "############\n#          @#"),
        ("3(2(#-)@)#".replace("@", "$") + "@", "# # $# # $# # $#@"),
        ("2(3#|)#@#", "###\n###\n#@#"),
        ("#()#@", "##@"),
        ("#9()#@", "##@"),
        ("2(2(2(2(#))))@", "################@"),
        ("#|||#@", "#\n\n\n#@"),
        ("-||#@|3-|", "#@"),
    ],
)
def test_run_lengths_repeat_a_letter_or_a_group(line, rows):
    player = "" if "@" in line else "|@#"
    assert rows + player.replace("|", "\n") == drawn(parse_level(line + player, "xsb"))


def test_an_empty_row_within_a_board_is_written_with_a_filler():
    assert (3, 5) == parse_level("###\n-\n_\n#@#\n###", "xsb").size


def test_a_board_without_a_wall_in_its_first_row_reads_back():
    level = parse_level("-$|.-$|#@#", "xsb")
    assert " $|. $|#@#\nTitle: level 1\n" == write_xsb(level)
    assert level.things == parse_level(write_xsb(level), "xsb").things


def test_boards_are_separated_by_blank_lines_comments_or_bars():
    assert 2 == len(read(BOARD + "\n" + BOARD))
    assert 2 == len(read(BOARD + "next\n" + BOARD))
    assert ["5#|#@$.#|5#", "4#|#@*#|4#"] == [
        "|".join(line.replace("#####", "5#").replace("####", "4#") for line in drawn(level).split("\n"))
        for level in read("5#|#@$.#|5#\n4#|#@*#|4#\n")
    ]


ONE, TWO = "####\n#@*#\n####\n", "#####\n#@$.#\n#####\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{ONE}Title: One\nAuthor: Ann\n\n{TWO}Title: Two\n", [("One", {"author": "Ann"}), ("Two", {})]),
        (f"Title: One\nAuthor: Ann\n\n{ONE}\nTitle: Two\n{TWO}", [("One", {"author": "Ann"}), ("Two", {})]),
        (f"Title: Box\nAuthor: Ann\nSet: old\n\n{ONE}Title: One\n\n{TWO}Title: Two\nAuthor: Bob\n",
         [("One", {"collection": "old", "author": "Ann"}), ("Two", {"collection": "old", "author": "Bob"})]),
        (f"; 1\n\n{ONE}\n; 2\n\n{TWO}", [("1", {}), ("2", {})]),
        (f"; 1\n; One\n{ONE}\n; 2\n; Two\n{TWO}", [("One", {"note": "1"}), ("Two", {"note": "2"})]),
        (f"{ONE}; One\n\n{TWO}; Two\n; Second\n", [("One", {}), ("Two", {"note": "Second"})]),
        (f";Title: One\n; Author: Ann\n{ONE}\n;Title: Two\n{TWO}", [("One", {"author": "Ann"}), ("Two", {})]),
        (f"A file of boards.\nOf two boards.\n\nOne\n\n{ONE}\n:: a remark\nTwo\n\n{TWO}", [("One", {}), ("Two", {})]),
        (f"One\n{ONE}Author: Ann\n\nTwo\n{TWO}Author: Bob\n", [("One", {"author": "Ann"}), ("Two", {"author": "Bob"})]),
        (f"{ONE}Title: One\nComment:\nby night\n{TWO}Comment-End:\n", [("One", {"note": "by night\n" + TWO.strip()})]),
        (f"{ONE}Title: One\nComment:\nby night\n\n{TWO}Title: Two\n", [("One", {"note": "by night"}), ("Two", {})]),
        (f"{ONE}Comment: a\nComment: b\n", [("level 1", {"note": "a\nb"})]),
        (f"{ONE}Solution\nrRd\nR\n\n{TWO}Title: Two\nSnapshot: rrrrr\nlllll\n",
         [("level 1", {"solution": "rRdR"}), ("Two", {})]),
        (f"One\n{ONE}\nlurdLURD\n\nTwo\n{TWO}", [("One", {"solution": "lurdLURD"}), ("Two", {})]),
        (f"{ONE}Copyright: 1999 Ann\nEmail: a@b.example\nHomepage: c\nDate: 1.2.1999\n",
         [("level 1", {"copyright": "1999 Ann", "email": "a@b.example", "homepage": "c", "date": "1.2.1999"})]),
        (f"Chapter two: the end\n{ONE}", [("Chapter two: the end", {})]),
        (f"=====\n{ONE}-----\n***\n{TWO}".replace("***\n", "\n***\n"), [("level 1", {}), ("level 2", {})]),
    ],
    ids=["titles below", "titles above", "a title for all", "numbers above", "comments above", "comments below",
         "keys in comments", "loose titles", "title above and author below", "a board in a comment",
         "a comment without end", "comments of one line", "solutions", "a solution without heading", "further keys",
         "an unknown key", "rulers"],
)  # fmt: skip
def test_metadata_is_found_in_the_styles_of_all_collections(text, expected):
    assert expected == [(level.title, dict(level.properties)) for level in read(text)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: found no board; expected lines of '#', '@', '$' and '.'; draw one"),
        ("####\n# *#\n####", "1:1: found a board without a player; expected exactly one player, '@' or '+' on a goal"),
        (f"{ONE}\nTitle: b\n\n####\n# *#\n####", "7:1: found a board without a player"),
        ("#####\n#@@$#\n#####", "2:3: found a second player"),
        ("#####\n#@ $#\n#$.+#", "3:4: found a second player"),
        ("5#|#2@#", "1:6: found a second player"),
        ("5#|#@-2(#@)#", "1:10: found a second player"),
        ("#####\n#@x$#\n#####", "2:3: found 'x' in a board; expected only # @ + $ * . - _ and spaces"),
        ("##x##\n#@ $#\n#####", "1:3: found 'x' in a board"),
        ("#####\n #@\t$#\n#####", "2:4: found '\\t' in a board"),
        ("#####\n\t#@ $#\n#####", "2:1: found '\\t' in a board"),
        (f"{ONE}Title: a\x1b[2J\n", "4:9: found the control character U+001B; expected printable text; remove it"),
        ("#0-@", "1:2: found the run length 0; expected 1 or more"),
        ("4#|#@$.#|4#3", "1:12: found the run length '3' at the end of the line; expected something to repeat"),
        ("4#|#@)", "1:6: found ')'; expected ')' only where it closes a group"),
        ("4#|3(#-|#@-#", "1:5: found an unclosed '('; expected ')' in the same line"),
        ("3#|#@99999999999999999999999999#", "1:6: found 1000000006 cells"),
        ("#@" + "9(" * 20 + "#" + ")" * 20, "cells; expected at most"),
        ("#@" + "(" * 40 + "#" + ")" * 40, "1:35: found more than 32 nested groups; expected fewer"),
        ("#@200000-#", "1: found a map of 200003 columns and 1 rows; expected at most 100000 a side"),
        ("#@90000-#|90(#|)#", "1: found a map of 90003 columns and 92 rows; expected at most 100000 a side"),
        ("#@|110000(2000$|)", "1:10: found 220112004 cells; expected at most 4194304"),
        ("; x\n" * 2**20 + "#@", "1:1: found 1048577 lines; expected at most 400000; split the file"),
        ("\n#@" + "-" * 200_000, "2:1: found a line of 200002 characters; expected at most 200000; split the line"),
        ("#@|1000(101$|)", "1: found 100092 things; expected at most 100000"),
    ],
    ids=lambda value: None if value.startswith(("found", "1", "2", "3", "7")) else repr(value[:30]),
)  # fmt: skip
def test_an_invalid_level_is_an_error_with_a_position(text, message):
    with pytest.raises(LevelError) as refusal:
        parse_levels(text, "xsb", name="bad.xsb")
    assert f"bad.xsb:{message}" in str(refusal.value) if message[0].isdigit() else message in str(refusal.value)


def test_the_program_may_override_the_components_of_kinds():
    level = parse_level(BOARD, "xsb", kinds={"crate": {"Inertia": 3, "Sleeping": True}})
    assert {"Inertia": {"value": 3}, "Sleeping": {}} == level["crate"].components
    assert {"Static": {}} == level["wall"].components


@pytest.mark.parametrize(
    ("board", "win"),
    [
        ("#@$.#", "all crate on goal"),
        ("#@$..#", "all crate on goal"),
        ("#@$$.#", "1 crate on goal"),
        ("#@$#", None),
        ("#@.#", None),
    ],
)
def test_every_goal_needs_a_crate_or_every_crate_a_goal(board, win):
    assert win == parse_level(board, "xsb").win


def test_levels_of_a_file_are_selected_by_title_or_number(tmp_path):
    path = tmp_path / "both.sok"
    path.write_text(f"{ONE}Title: One\n\n{TWO}Title: Two\n", encoding="utf-8")
    assert ["One", "Two"] == [level.title for level in load_levels(path)]
    assert "Two" == load_level(path, "Two").title == load_level(path, 2).title


def test_every_recorded_level_reads_back_as_drawn():
    for entry in recorded("sokoban.json"):
        board, _, rest = entry["level"].partition("\nTitle:")
        level = parse_level(entry["level"], "xsb")
        assert "\n".join(line.rstrip() for line in board.split("\n")) == drawn(level)
        assert (rest.strip() or "level 1") == level.title


STEPS = {"l": (-1, 0), "r": (1, 0), "u": (0, -1), "d": (0, 1)}


@pytest.mark.parametrize("entry", recorded("sokoban.json")[::23], ids=lambda entry: entry["id"])
def test_a_recorded_level_spawns_and_its_solution_solves_it(entry):
    level = parse_level(entry["level"], "xsb")
    world = CollisionWorld(**level.settings)
    ids = spawn(level, world)
    crates = [ids[thing.name] for thing in level.select("crate")]
    goals = [ids[thing.name] for thing in level.select("goal")]
    world.step()
    for step in entry["lurd"].lower():
        assert world.move(ids["player"], *STEPS[step]).complete
    world.step()
    inside = {other for goal in goals for other in world.inside(goal)}
    assert len(goals) == len(crates) and set(crates) <= inside
