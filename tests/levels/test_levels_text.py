"""Text levels: settings, legend, maps, single things, errors, and writing."""

from __future__ import annotations

import pickle
from dataclasses import replace
from textwrap import dedent

import pytest
from boards import trials
from hypothesis import given, settings
from hypothesis import strategies as st
from material import recorded

from ecs_collision import Box, CollisionValueError, CollisionWorld, LevelError
from ecs_collision.levels import Level, Thing, parse_level, parse_levels, spawn, write_text, write_xsb
from ecs_collision.levels.level_properties import MAX_COMPARED_KEYS

CRATES = """
legend
# wall: Static
@ player: Motion(1.5)
$ crate: Inertia(1)
. goal: Trigger
* = $ .
"""


def read(text: str) -> Level:
    return parse_level(dedent(text))


def about(level: Level) -> dict[str, tuple[str, tuple[float, ...], int]]:
    """Return kind, position and number of boxes of each thing, by name."""
    return {thing.name: (thing.kind, thing.position[:2], len(thing.parts)) for thing in level.things}


def test_a_level_has_settings_a_legend_and_a_map():
    level = read(
        """
        title: First push         ; all of it is a comment from here
        author: Ann
        rule: sum
        max_chain: 2
        gravity: D
        win: all crate on goal
        note: Crates are pushed,
        note: never pulled.
        speed: 2.5

        legend
        # wall: Static
        @ player: Motion(force=1.5, priority=2)
        $ crate: Inertia(1), Sleeping
        . goal: Trigger(mask=[default, ghost])

        map
        ######
        #@$ .#   ; a row
        ######
        """
    )
    assert ("First push", (6, 3), "all crate on goal", "D") == (level.title, level.size, level.win, level.gravity)
    assert {"rule": "sum", "max_chain": 2} == level.settings
    assert {"author": "Ann", "note": "Crates are pushed,\nnever pulled.", "speed": 2.5} == level.properties
    assert {
        "wall": ("wall", (0.5, 0.5), 4),
        "player": ("player", (1.5, 1.5), 1),
        "crate": ("crate", (2.5, 1.5), 1),
        "goal": ("goal", (4.5, 1.5), 1),
    } == about(level)
    assert {"Motion": {"force": 1.5, "priority": 2}} == level["player"].components
    assert {"Inertia": {"value": 1}, "Sleeping": {}} == level["crate"].components
    assert {"Trigger": {"mask": ("default", "ghost")}} == level["goal"].components


def test_things_are_numbered_by_kind_in_reading_order_across_letters_and_maps():
    level = read(
        """
        legend
        $ crate: Inertia(1)
        % crate: Inertia(2)
        * = $ %
        map
         %
        $ *
        map
          $
        $
        """
    )
    assert ["crate 1", "crate 2", "crate 3", "crate 4", "crate 5", "crate 6"] == [thing.name for thing in level.things]
    assert [(1.5, 0.5), (2.5, 0.5), (0.5, 1.5), (0.5, 1.5), (2.5, 1.5), (2.5, 1.5)] == [
        thing.position[:2] for thing in level.things
    ]
    assert [2, 1, 1, 1, 1, 2] == [thing.components["Inertia"]["value"] for thing in level.things]


@pytest.mark.parametrize(
    ("legend", "expected"),
    [
        ("A beam: Inertia(1)", {(0.5, 0.5): 1, (1.5, 0.5): 1, (0.5, 1.5): 1, (3.5, 1.5): 1, (2.5, 2.5): 1}),
        ("A beam: Inertia(1), joined", {(0.5, 0.5): 2, (3.5, 1.5): 1, (2.5, 2.5): 1}),
        ("A beam: Inertia(1), whole", {(0.5, 0.5): 4}),
        ("A beam: Static", {(0.5, 0.5): 4}),
        ("A beam: joined, Static", {(0.5, 0.5): 2, (3.5, 1.5): 1, (2.5, 2.5): 1}),
        ("A beam: Static, single", {(0.5, 0.5): 1, (1.5, 0.5): 1, (0.5, 1.5): 1, (3.5, 1.5): 1, (2.5, 2.5): 1}),
        ("A zone: Static, Trigger", {(0.5, 0.5): 1, (1.5, 0.5): 1, (0.5, 1.5): 1, (3.5, 1.5): 1, (2.5, 2.5): 1}),
        ('A beam "the beam": Inertia(1)', {(0.5, 0.5): 4}),
        ("A beam", {(0.5, 0.5): 1, (1.5, 0.5): 1, (0.5, 1.5): 1, (3.5, 1.5): 1, (2.5, 2.5): 1}),
    ],
)
def test_cells_of_a_letter_become_single_joined_or_whole_things(legend, expected):
    level = read(f"legend\n{legend}\nmap\nAA\nA  A\n  A\n")
    assert expected == {thing.position[:2]: len(thing.parts) for thing in level.things}


def test_adjacent_cells_of_different_maps_or_letters_are_not_joined():
    level = read("legend\nA beam: Inertia(1), joined\nB beam: Inertia(1), joined\nmap\nAAB\nmap at 1 2\nA\n")
    assert {
        "beam 1": ("beam", (0.5, 0.5), 1), "beam 2": ("beam", (2.5, 0.5), 1), "beam 3": ("beam", (0.5, 1.5), 1),
    } == about(level)  # fmt: skip
    assert (Box(1.0, 0.5, offset=(0.5, 0.0, 0.0)),) == level["beam 1"].parts


def test_a_compound_covers_exactly_its_cells_with_few_boxes():
    level = read("legend\nC hook: Inertia(1), joined\nmap\nCCC\nC\nCCC\n")
    assert (0.5, 0.5, 0.0) == level["hook"].position
    assert (
        Box(1.5, 0.5, offset=(1.0, 0.0, 0.0)),
        Box(0.5, 0.5, offset=(0.0, 1.0, 0.0)),
        Box(1.5, 0.5, offset=(1.0, 2.0, 0.0)),
    ) == level["hook"].parts


def test_several_things_share_a_cell_by_a_combined_letter_or_by_further_maps():
    drawn = read(f"{CRATES}map\n#*#\n")
    layered = read(f"{CRATES}map\n#$#\n\nmap\n .\n")
    assert ["wall", "crate", "goal"] == [thing.name for thing in drawn.things]
    assert drawn.things == layered.things


def test_spaces_and_dots_are_empty_and_other_letters_can_be():
    level = read("legend\n# wall: Static\n_ =\nmap\n. # .\n\n___\n\n")
    assert (5, 3) == level.size
    assert ["wall"] == [thing.name for thing in level.things]


def test_a_thing_without_components_is_scenery_and_keeps_its_properties():
    level = read('legend\n! torch: lit=true, light=2.5, words=["a, b", none, -3], colour=dark red\n~ sea\nmap\n!~\n')
    assert not level["torch"].is_body and not level["sea"].is_body
    assert {"lit": True, "light": 2.5, "words": ("a, b", None, -3), "colour": "dark red"} == level["torch"].properties


def test_single_things_have_their_own_names_and_parts():
    level = read(
        """
        legend
        $ crate: Inertia(1), colour=red
        a crate "left crate"
        b crate "heavy crate": Inertia(5)
        . goal: Trigger
        ! "no entry"
        * = $ .

        map
        $a$b
        *!

        things
        crate 3 = right crate: Inertia(x=2)      ; by the name it would have
        1 1: colour=blue, size=2                 ; by column and row
        1 2 goal = "last; goal"
        2 2 = door
        """
    )
    assert ["crate 1", "left crate", "right crate", "heavy crate", "crate 5", "last; goal", "door"] == [
        thing.name for thing in level.things
    ]
    parts = {thing.name: (dict(thing.components), dict(thing.properties)) for thing in level.things}
    assert ({"Inertia": {"value": 1}}, {"colour": "blue", "size": 2}) == parts["crate 1"]
    assert ({"Inertia": {"value": 1}}, {"colour": "red"}) == parts["left crate"]
    assert ({"Inertia": {"x": 2}}, {"colour": "red"}) == parts["right crate"]
    assert ({"Inertia": {"value": 5}}, {}) == parts["heavy crate"]
    assert ({"Trigger": {}}, {}) == parts["last; goal"]
    assert "no entry" == level["door"].kind


def test_several_levels_in_a_file_may_share_a_legend():
    levels = parse_levels(
        f"title: One\n{CRATES}map\n#@#\n\ntitle: Two\nrule: sum\nmap\n#$#\nthings\ncrate = box\n"
        "title: Three\nlegend\n# rock\nmap\n#\n"
    )
    assert [("One", ["wall", "player"]), ("Two", ["wall", "box"]), ("Three", ["rock"])] == [
        (level.title, [thing.name for thing in level.things]) for level in levels
    ]
    assert [{}, {"rule": "sum"}, {}] == [level.settings for level in levels]


def test_the_program_adds_components_to_kinds_and_registers_its_own():
    text = "legend\n# wall\n$ crate: Inertia(1), Health(3)\n% crate: Health(points=4, regrow=true)\nmap\n# #\n$%"
    level = parse_level(text, kinds={"wall": {"Static": True}, "crate": {"Inertia": 9}}, components={"Health": dict})
    assert ("wall", (0.5, 0.5), 2) == about(level)["wall"]
    assert {"Inertia": {"value": 1}, "Health": {"value": 3}} == level["crate 1"].components
    assert {"Health": {"points": 4, "regrow": True}} == level["crate 2"].components


def test_a_level_spawns_and_a_compound_is_pushed_whole():
    level = read(f"{CRATES}A beam: Inertia(1), joined\nmap\n#########\n#@AA    #\n#  A    #\n#########\n")
    world = CollisionWorld(**level.settings)
    ids = spawn(level, world)
    result = world.move(ids["player"], 9)
    assert (4.0, 0.0, 0.0) == result.moved == result.pushed[ids["beam"]]


SIMILAR = {
    "all_or_nothing": ["all-or-nothing", "allornothing", "All Or Nothing", "all_or_nthng", "al_or_noting"],
    "max_chain": ["max-chain", "MAX_CHAIN", "max-chians", "maxchains", "max_chainn"],
    "overlap_policy": ["overlap-policy", "overlappolicy", "overlay_policy", "overlap_polcy"],
    "axis_order": ["axis order", "axes_order", "axis_ordre"],
    "rule": ["ruel", "rul", "rulee", "Rules", "RULE"],
    "gravity": ["gravty", "gravtiy", "Gravity"],
    "order": ["odrer", "orders", "oder"],
    "win": ["Win", "wins"],
    "note": ["notes", "ntoe", "noe"],
}
DISSIMILAR = ["role", "node", "mule", "wind", "granite", "border", "chain_length", "axis", "nothing", "policy"]


@pytest.mark.parametrize(("key", "meant"), [(key, meant) for meant, keys in SIMILAR.items() for key in keys])
def test_a_key_similar_to_a_setting_is_an_error_that_names_the_setting(key, meant):
    with pytest.raises(LevelError, match=f"did you mean '{meant}'") as refusal:
        parse_level(f"title: One\n{key}: sum\n\nlegend\n# wall: Static\n\nmap\n#\n")
    assert (2, 1) == (refusal.value.line, refusal.value.column)


@pytest.mark.parametrize("key", DISSIMILAR)
def test_any_other_key_is_a_property_of_the_level(key):
    level = parse_level(f"{key}: sum\n\nlegend\n# wall: Static\n\nmap\n#\n")
    assert {key: "sum"} == level.properties


def test_only_the_first_keys_of_a_file_are_compared_with_settings():
    keys = "".join(f"p{number}: 1\n" for number in range(MAX_COMPARED_KEYS - 1))
    end = "\nlegend\n# wall: Static\n\nmap\n#\n"
    with pytest.raises(LevelError, match="did you mean 'rule'"):
        parse_level(f"{keys}ruel: 1\n{end}")
    assert 1 == parse_level(f"{keys}last: 1\nruel: 1\n{end}").properties["ruel"]


HEAD = "legend\n# wall: Static\n$ crate: Inertia(1)\n. goal: Trigger\n"

WRONG = [
    ("", '1:1: found no map; expected a line \'map\' and rows below it; draw a map'),
    (f"{HEAD}map\n#\ntitle: Two\n", "7:1: found no map"),
    (f"{HEAD}map\n. ..\n\n   \n".replace(". goal: Trigger\n", ""), "4:1: found an empty map"),
    ("map\n#\n", "2:1: found the unknown letter '#'; expected a legend that defines letters; add a line"),
    (f"{HEAD}map\n#$#\n# x#\n", "7:3: found the unknown letter 'x'; expected a letter of the legend: '#', '$', '.'"),
    (f"{HEAD}map\n#$#\nwin: all crate on goal\n", "7:1: found the unknown letter 'w'; expected a letter of the "
     "legend: '#', '$', '.'"
     "; add a line such as 'w wall: Static' to the legend, or correct the map; settings belong above the legend"),
    (f"{HEAD}map\n#$\t#\n", "6:3: found a tab; expected printable text; use spaces"),
    ("title: a\x07b\nmap", "1:9: found the control character U+0007; expected printable text; remove it"),
    ("title: a\u202eb\nmap", "1:9: found the control character U+202E; expected printable text; remove it"),
    # The header.
    ("hello\nmap", "1:1: found 'hello'; expected 'key: value', or 'legend', 'map' or 'things' alone on its line;"),
    ("legend:\n# wall", "1:1: found 'legend:'; expected 'legend' alone on its line; remove the colon"),
    ("rule: both\nmap", '1:7: rule is \'both\'; it must be "each" or "sum"'),
    ("max_chain: -1\nmap", "1:12: max_chain is -1"),
    ("all_or_nothing: true\norder: front_first\nmap", '2:8: order="front_first" alternates'),
    ("gravity: down\nmap", "1:10: gravity is 'down'; it must be L, R, U or D, or none"),
    ("rule: sum\nrule: each\nmap", "2:1: found a second 'rule'; expected each key once (it is in line 1); remove one"),
    ("Title: x\nmap", "1:1: found the key 'Title'; expected 'title', or a less similar key; did you mean "
     "'title'? correct it, or choose another name"),
    ("win: ; soon\nmap", "1:6: found no condition; expected a win condition; write for example"),
    ('title: "open\nmap', "1:8: found '\"open'; expected a text in double quotes; close the quotes, and write"),
    ('title: "a" b\nmap', "1:12: found 'b'; expected the end of the line; remove what follows the quotes"),
    ("list: [1, 2\nmap", "1:12: found the end of the line; expected ','; separate the items of a list by commas"),
    ("list: [1 2]\nmap", "1:8: found '1 2'; expected a number, such as 2, 0.5 or -1.25e3; write text in double"),
    ("list: " + "[" * 40 + "\nmap", "1:39: found more than 32 nested lists; expected fewer; write a flatter"),
    # The legend.
    ("legend\nwall: Static", "2:1: found 'wall: Static'; expected one letter and a space; write a letter, a space"),
    ("legend\n# wall\n\n# rock", "4:1: found a second letter '#'; expected each letter once; choose another letter"),
    ("legend\n#\nmap", "2:2: found the end of the line; expected a kind; write the kind that the letter stands"),
    ("legend\n# 3d: Static", "2:3: found '3d'; expected a kind: words of letters, digits, '-' and '_'; choose another"),
    ('legend\n# wall "": Static', "2:10: found an empty name; expected the name of a thing"),
    ("legend\n# stone wall Static", "2:14: found the kind 'stone wall Static'; expected ':' before components; write "
     "'# stone wall: Static', or quote the kind"),
    ("legend\n# wall Static(1)", "2:14: found '(1)'; expected ':'; write ':' before components, as in '$ crate:"),
    ("legend\n# wall: Solid", "2:9: found the unknown component 'Solid'; expected one of 'single', 'joined', 'whole', "
     "'Collider', 'Static', 'Inertia', 'Motion', 'Sleeping', 'Trigger', 'Velocity', 'Mass', 'Material', 'Contact', "
     "'Mover', 'Character', 'OneWay', 'Carries', 'Path', 'Lifetime', 'Fused' and 5 more; choose one, or write "
     "Solid=true"),
    ("legend\n# wall: SphereCollider", "2:9: SphereCollider got no radius; write SphereCollider(radius, "),
    ("legend\n# wall: Transform(x=1)", "2:9: Transform has no field 'x'; it has 'rotation'"),
    ("legend\n# wall: Transform([0, 0, 0, 0])", "2:9: Transform.rotation is a quaternion of length 0"),
    ("legend\n# wall: SphereCollider(1), CapsuleCollider(1, half_length=1)",
     "2:28: found SphereCollider with CapsuleCollider: a body has one collider"),
    ("legend\n# wall: Solid(1)", "2:9: found the unknown component 'Solid'; expected one of 'Collider', 'Static'"),
    ("legend\n# wall: Static=true", "2:9: found 'Static='; expected the component Static; write Static(...)"),
    ("legend\n# wall: Static, Static", "2:17: found a second 'Static'; expected each part once; remove one"),
    ("legend\n# wall: single, joined", "2:17: found a second 'joined'"),
    ("legend\n# wall: Contact, Trigger", "2:18: found Contact with Trigger: a trigger reports what is inside it by "
     "itself; expected compatible components; remove one"),
    ("legend\n# wall: Static, Inertia(1)", "2:17: found Static with Inertia: a static body neither moves nor is "
     "pushed; expected compatible components; remove one"),
    ("legend\n# wall: Static(1)", "2:9: Static has no fields; write Static alone"),
    ("legend\n$ crate: Inertia", "2:10: Inertia needs a value: Inertia(1.0), or Inertia(x=1.0)"),
    ("legend\n$ crate: Inertia(-1)", "2:10: Inertia.value is -1"),
    ("legend\n$ crate: Inertia(heavy)", "2:10: Inertia.value must be a"),
    ("legend\n$ crate: Inertia(w=1)", "2:10: Inertia has no field 'w'; it has 'value', 'x', 'y', 'z'"),
    ("legend\n$ crate: Inertia(.5)", "2:18: found '.5'; expected a number, such as 2, 0.5 or -1.25e3; write text"),
    ("legend\n$ crate: Inertia(٣)", "2:10: Inertia.value must be a"),
    ("legend\n$ crate: Inertia(1", "2:19: found the end of the line; expected ','; separate fields by commas and"),
    ("legend\n$ crate: Motion(1, 2)", "2:20: found '2)'; expected field=value; name every field but the first"),
    ("legend\n$ crate: Motion(force=1, force=2)", "2:26: found the field 'force' twice; expected each field once"),
    ("legend\n$ crate: Motion(1, force=2)", "2:10: Motion: the field 'force' is given twice"),
    ("legend\n$ crate: Motion()) ", "2:18: found ')'; expected ','; separate parts by commas"),
    ("legend\n$ crate: Inertia(1),", "2:21: found the end of the line; expected a component, or key=value; write Name"),
    ("legend\n# wall\n* = # $", "3:7: found the unknown letter '$'; expected letters with a legend line of their own:"),
    ("legend\n# wall\n* = #$", "3:6: found '$'; expected a space between letters; separate letters by spaces, as in"),
    ("legend\n# wall\nlegend\n", "3:1: found a second legend; expected one legend per level; combine them"),
    ("legend of it\n", "1:8: found 'of it'; expected the end of the line; write 'legend' alone on its line"),
    # The win condition.
    (f"win: all crate over goal\n{HEAD}map\n$.", '1:25: found the end; expected "on"; write it like'),
    (f"win:  0 crate on goal\n{HEAD}map\n$.", "1:7: found '0'; expected a number from 1 to 1000000"),
    (f"win: all box on goal\n{HEAD}map\n$.", "1:6: found unknown name 'box' in bad.txt; its kinds are "
     "'crate', 'goal'; expected names or kinds of this level; use the names in the legend"),
    (f"win: all goal on crate\n{HEAD}map\n$.", "1:6: found 'crate' is not a trigger; expected names or kinds of this"),
    (f"win: crate on goal\n{HEAD}map\n$$.", "1:6: found the condition 'crate on goal' names 2 things 'crate'; write"),
    # Maps.
    (f"{HEAD}map 3 2\n#\n", "5:5: found '3 2'; expected 'map', or 'map at COLUMN ROW' with numbers from 1; write"),
    (f"{HEAD}map at 0 2\n#\n", "5:5: found 'at 0 2'; expected 'map', or 'map at COLUMN ROW' with numbers from 1"),
    (f"{HEAD}map at 100001 1\n#\n", "5: found a map of 100001 columns and 1 rows; expected at most 100000 a side"),
    (f"{HEAD}map at 90000 1000\n#\n", "5: found a map of 90000 columns and 1000 rows; expected at most 100000 a side"),
    # Single things.
    (f"{HEAD}map\n$$\nthings\ncrate 3 = x", "8:1: found the unknown thing 'crate 3'; expected one of 'crate 1'"),
    (f"{HEAD}map\n$$\nthings\n3 1 = x", "8:1: found nothing at column 3, row 1; expected one thing; there are none;"),
    (f"{HEAD}* = $ .\nmap\n*\nthings\n1 1 = x", "9:1: found 2 things at column 1, row 1; expected one thing; there are "
     "'crate', 'goal'; name another cell, or add the kind, as in '4 3 plate'"),
    (f"{HEAD}map\n$\nthings\n1 1 wall = x", "8:1: found nothing of kind 'wall' at column 1, row 1; expected one thing"),
    (f"{HEAD}map\n$\nthings\ncrate", "8:6: found the end of the line; expected '=' and a name, or ':' and parts"),
    (f"{HEAD}map\n$\nthings\ncrate =", "8:8: found the end of the line; expected a name; write the name of the thing"),
    (f"{HEAD}map\n$\nthings\ncrate: Static", "8:8: found Static with Inertia: a static body neither moves"),
    (f"{HEAD}map\n$\nthings\ncrate = a\n1 1: b=1", "9:1: found a second line about 'crate'; expected each thing once"),
    (f"{HEAD}map\n$$\nthings\ncrate 1 = crate 2", "8:11: found a second thing named 'crate 2'; expected a name that"),
    (f"{HEAD}map\n$$.\nthings\ngoal = crate", "8:8: found one thing named 'crate'; expected a name that is not used"),
    (f'{HEAD}a crate "x": joined\nmap\na a', "5:1: found a second thing named 'x'; expected a name that is not used "
     "for other things or their kind; choose another name; a letter with a name is one thing"),
    (f"{HEAD}A rod: Inertia(1), Fused(crate 9)\nmap\nA$", "5:20: found 'rod' fused to 'crate 9'; expected the name of "
     "another body: 'rod', 'crate'; name the thing to fuse it to"),
    (f"{HEAD}A rod: Inertia(1), Fused(rod)\nmap\nA$", "5:20: found 'rod' fused to 'rod'"),
    (f"{HEAD}! sign\nmap\n$!\nthings\ncrate: Fused(sign)", "9:8: found 'crate' fused to 'sign'; expected the name of"),
]  # fmt: skip


def test_booleans_and_none_are_also_read_in_python_spelling():
    """In settings, properties of levels and things, fields and lists; in quotes they are strings."""
    text = (
        "all_or_nothing: {true}\nlit: {false}\nempty: {none}\nall: [{true}, {false}, {none}]\n\nlegend\n"
        "# wall: Static, solid={true}, door={none}\n- beam: Trigger(swept={true}, touching={false})\n"
        "@ player: Motion(force=1, max_chain={none})\n\nmap\n#-@\n\nthings\nwall = gate: Collider(enabled={false})\n"
    )
    plain, python = text.format(true="true", false="false", none="none"), text.format(true=True, false=False, none=None)
    assert parse_level(plain) == parse_level(python)
    level = parse_level(python)
    assert {"lit": False, "empty": None, "all": (True, False, None)} == level.properties
    assert {"Trigger": {"swept": True, "touching": False}} == level["beam"].components
    quoted = parse_level('a: "True"\nlegend\n# wall: Static, b="None"\nmap\n#')
    assert ("True", "None") == (quoted.properties["a"], quoted["wall"].properties["b"])
    assert quoted == parse_level(write_text(quoted))
    assert level == parse_level(write_text(level))
    assert "TRUE" == parse_level("a: TRUE\nlegend\n# wall\nmap\n#").properties["a"]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[message[:50] for _, message in WRONG])
def test_an_invalid_level_is_an_error_with_a_position(text, message):
    with pytest.raises(LevelError) as refusal:
        parse_levels(text, name="bad.txt")
    assert f"bad.txt:{message}" == str(refusal.value)[: len(message) + 8]


# Writing.


def assert_reads_back(level: Level) -> None:
    assert replace(level, source="level") == parse_level(write_text(level), components={"Health": dict})


def test_written_levels_are_readable():
    level = read(
        """
        title: "A ; b"
        win: all crate on goal
        note: one
        note: two
        rule: sum
        legend
        C crate: Inertia(1), colour="dark red"
        D crate: Inertia(x=2, y=3), Sleeping
        . goal: Trigger(mask=[default])
        L hook: joined, Inertia(1)
        w wall: Static
        * = D .
        map
        wwwwww
        w C* w
        wLLLDw
        ww Lww
        map at 2 2
        L
        things
        crate 2 = heavy one: size=2
        """
    )
    assert """title: "A ; b"
win: all crate on goal
rule: sum
note: one
note: two

legend
# wall: Static
H hook: Inertia(1), joined
$ crate: Inertia(1), colour="dark red"
C crate: Inertia(x=2, y=3), Sleeping, size=2
. goal: Trigger([default])
c crate: Inertia(x=2, y=3), Sleeping
* = C .

map
######
#H$* #
#   c#
##  ##

map at 2 3
HHH
  H

things
crate 2 = heavy one
""" == write_text(level)
    assert_reads_back(level)


NAMES = st.sampled_from(["crate", "wall", "a b", "goal", "Ünder", "x-1", "3d", "no: entry", 'a "b"', "map", "title"])
VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-(10**14), 10**14), st.floats(-1000, 1000).map(lambda x: round(x, 3)),
        st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
        st.sampled_from(["true", "1", ".5", "", " a", "a ;b"]),
    ),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=4,
)  # fmt: skip
WORDS = st.from_regex(r"[a-z]{1,4}_?[0-9]?", fullmatch=True)
COMPONENTS = st.sampled_from([
    {}, {"Static": {}}, {"Inertia": {"value": 2.5}}, {"Inertia": {"x": 1}, "Sleeping": {"asleep": True, "after": 3}},
    {"Motion": {"force": 1, "rule": "sum"}}, {"Trigger": {}},
    {"Static": {}, "Trigger": {"mask": ("a", "b c"), "linger": 2}},
    {"Health": {"points": 3, "who": "a; b"}}, {"Health": {}, "Collider": {"layer": "ghost"}},
])  # fmt: skip


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Draw a random text level: a legend with a few letters of all groupings, and maps."""
    letters = draw(st.lists(st.sampled_from("#$.@AbZé_~=:"), min_size=1, max_size=5, unique=True))
    lines = [f"title: T{draw(st.integers(0, 9))}", f"note: {draw(WORDS)}", "legend"]
    for letter in letters:
        parts = [_component(name, fields) for name, fields in draw(COMPONENTS).items()]
        grouping = draw(st.sampled_from(["", "single", "joined", "whole"]))
        kind = draw(st.sampled_from(["crate", "wall", "goal", "beam"]))
        lines.append(f"{letter} {kind}: {', '.join([*parts, *filter(None, [grouping])])}")
    lines.append(f"* = {' '.join(letters[:3])}")
    for _ in range(draw(st.integers(1, 3))):
        rows = draw(st.lists(st.text(st.sampled_from([*letters, "*", " ", " "]), max_size=6), min_size=1, max_size=5))
        lines += ["", draw(st.sampled_from(["map", "map at 2 1", "map at 1 3"])), *(rows[:-1]), rows[-1] + letters[0]]
    return "\n".join(lines)


def _component(name: str, fields: dict[str, object]) -> str:
    def said(value: object) -> str:
        if isinstance(value, tuple):
            return f"[{', '.join(map(said, value))}]"
        return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)

    return f"{name}({', '.join(f'{key}={said(value)}' for key, value in fields.items())})"


@settings(max_examples=trials(60), deadline=None)
@given(texts())
def test_every_level_reads_back_equal_after_writing(text):
    level = parse_level(text, components={"Health": dict})
    assert_reads_back(level)
    assert write_text(level) == write_text(parse_level(write_text(level), components={"Health": dict}))


@settings(max_examples=trials(60), deadline=None)
@given(NAMES, NAMES, st.dictionaries(WORDS, VALUES, max_size=3), VALUES.filter(lambda value: value is not None))
def test_names_titles_and_values_are_quoted_if_necessary(kind, name, properties, title):
    thing = Thing(name, kind, (0.5, 0.5, 0.0), (Box(0.5, 0.5),), properties=_frozen(properties))
    own = _frozen({f"p{key}": value for key, value in properties.items()})
    level = Level(str(title) or "-", (1, 1), (thing,), properties=own)
    assert_reads_back(level)


def _frozen(values):
    return Level("", (1, 1), ()).properties.__class__(values)


def test_recorded_levels_are_written_and_read_in_each_format():
    every = [parse_level(entry["level"], "xsb", name=entry["id"]) for entry in recorded("sokoban.json")[::3]]
    first, second, third = (every[at::3] for at in range(3))
    for form, levels, text in [
        ("xsb", first, write_xsb(first)), ("xsb", second, write_xsb(second, run_lengths=True)),
        ("text", third, write_text(third)),
    ]:  # fmt: skip
        pairs = zip(parse_levels(text, form), levels, strict=True)
        assert levels == [replace(read, source=level.source, form="xsb") for read, level in pairs]


def crate(**changes: object) -> Thing:
    return replace(Thing("crate", "crate", (0.5, 0.5, 0.0), (Box(0.5, 0.5),)), **changes)


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        (crate(position=(0.75, 0.5, 0.0)), "'crate' at (0.75, 0.5, 0.0) does not fill whole cells"),
        (crate(position=(-0.5, 0.5, 0.0)), "'crate' at (-0.5, 0.5, 0.0) does not fill whole cells"),
        (crate(parts=(Box(0.5, 0.25),)), "does not fill whole cells"),
        (crate(parts=()), "does not fill whole cells"),
        (crate(parts=(Box(0.5, 0.5, 0.25),)), "does not fill whole cells"),
        (crate(parts=(Box(0.5, 0.5), Box(0.5, 0.5))), "does not fill whole cells"),
        (crate(parts=(Box(5000.5, 5000.5, offset=(5000, 5000, 0)),)), "does not fill whole cells"),
        (crate(properties=_frozen({"a": {"b": 1}})), "'a' with the value {'b': 1}; a text level can contain"),
        (crate(properties=_frozen({"a": 10**15})), "'a' with the value 1000000000000000; a text level"),
        (crate(properties=_frozen({"two words": 1})), "the property 'two words' of 'crate'; name the property"),
        (crate(name=" "), "reading it back fails: written:"),
    ],
)
def test_what_text_cannot_express_is_named_in_the_error(thing, message):
    with pytest.raises(CollisionValueError) as refusal:
        write_text(Level("One", (1, 1), (thing,), source="odd.tmx"))
    assert str(refusal.value).startswith("odd.tmx: 'One' cannot be written as text: ")
    assert message in str(refusal.value)


def test_things_out_of_reading_order_cannot_be_written_as_text():
    things = (crate(position=(1.5, 0.5, 0.0)), crate(name="wall", kind="wall"))
    with pytest.raises(CollisionValueError, match="the name of 'crate', 'crate', would be read back as 'wall'"):
        write_text(Level("One", (2, 1), things))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("!", "'torch' is of kind 'torch' with {}; XSB supports only wall, player, crate and goal, with"),
        ("c", "'crate' is of kind 'crate' with {'Inertia': {'value': 2}}"),
        ("#@$", "its settings, {}, would be read back as {'rule': 'sum'}; change it, or choose another format"),
        ("=", "crate and wall on column 1, row 1; put at most a player or a crate on a goal"),
        ("$", "reading it back fails: written:1:1: found no board"),
        ("#@@", "reading it back fails: written:1:3: found a second player"),
    ],
)
def test_what_xsb_cannot_express_is_named_in_the_error(text, message):
    level = read(f"{CRATES}c crate: Inertia(2)\n! torch\n= = # $\nmap\n{text}\n")
    with pytest.raises(CollisionValueError) as refusal:
        write_xsb(level)
    assert f"level: 'level 1' cannot be written as XSB: {message}" in str(refusal.value)


def test_metadata_is_written_back_to_xsb():
    board = "Title: One\nAuthor: Ann\nComment:\na\nb\nComment-End:\nSolution: rR\nDate: today\n"
    level = parse_level("#####\n#@$.#\n#####\n" + board, "xsb")
    for run_lengths in (False, True):
        again = parse_level(write_xsb([level, level], run_lengths=run_lengths), "xsb", 2)
        assert level == again
    assert "5#|#@$.#|5#\nTitle: One\n" in write_xsb(level, run_lengths=True)
    with pytest.raises(CollisionValueError, match="its property 'mood'; XSB knows author, collection"):
        write_xsb(replace(level, properties=_frozen({"mood": "grim"})))
    with pytest.raises(CollisionValueError, match="its title, ' One', would be read back as 'One'"):
        write_xsb(replace(level, title=" One"))


def test_a_very_long_number_is_shortened_in_messages():
    text = f"legend\n@ me: Motion({'٣' + '9' * 5000})\n\nmap\n@\n"
    with pytest.raises(LevelError) as caught:
        parse_level(text)
    assert (2, 7) == (caught.value.line, caught.value.column)
    assert len(str(caught.value)) < 600


def test_a_level_stores_its_letters_and_ignores_them_in_comparisons():
    legend = "legend\n# wall: Static\n$ crate: Inertia(1)\no goal: Trigger\nD door: Static\n* = $ o\n_ =\n"
    text = f"{legend}map\n#_$*\nthings\ncrate 2 = last\n"
    level = parse_level(text)
    assert level.letters is not None
    assert {"wall": "#", "crate 1": "$", "last": "$", "goal": "o"} == level.letters.of
    assert {"#": "wall", "$": "crate", "o": "goal", "D": "door"} == level.letters.kinds
    assert {"*": ("$", "o"), "_": ()} == level.letters.together
    other = parse_level(text.replace("$", "x"))
    assert (other, hash(other), "x") == (level, hash(level), other.letters.of["last"])
    assert pickle.loads(pickle.dumps(level)).letters == level.letters
    assert parse_level("####\n#@$.#\n####", "xsb").letters is None
