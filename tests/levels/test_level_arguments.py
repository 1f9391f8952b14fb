"""Arguments of a wrong type are errors of this package, which say what to give."""

from __future__ import annotations

import pytest

from ecs_collision import CollisionTypeError, CollisionValueError, CollisionWorld
from ecs_collision.levels import (
    FrozenMap,
    Level,
    load_level,
    load_levels,
    parse_condition,
    parse_level,
    parse_levels,
    spawn,
    unused_properties,
    write_text,
    write_xsb,
)

TEXT = "legend\n# wall: Static\n$ crate: Inertia(1)\nmap\n#$\n"
LEVEL = parse_level(TEXT)
THING = LEVEL.things[0]
WRONG = {
    "a text": (parse_levels, "text is .*; give a str or bytes"),
    "a name for messages": (lambda value: parse_level(TEXT, name=value), "name is .*; give a text"),
    "a path": (load_levels, r"path is .*; give a str or a pathlib\.Path"),
    "a root": (lambda value: load_level(__file__, form="text", root=value), r"root is .*; give a str or"),
    "components": (lambda value: parse_level(TEXT, components=value), "components is .*; give {name: class"),
    "kinds": (lambda value: parse_level(TEXT, kinds=value), "kinds is .*; give a mapping such as"),
    "a condition": (parse_condition, "the condition is .*; write it like"),
    "a level to spawn": (lambda value: spawn(value, CollisionWorld()), "the level is .*; give a Level"),
    "a level to write": (write_text, "a level to write is .*; give a Level, or several"),
    "levels to write": (lambda value: write_xsb([LEVEL, value]), "a level to write is .*; give a Level, or several"),
    "a level with properties": (unused_properties, "the level is .*; give a Level"),
    "a script": (lambda value: unused_properties(LEVEL, value), "script is .*; give the source of a script"),
    "a selector": (LEVEL.select, "a selector is .*; give the name of a thing, or a kind"),
    "a thing by name": (LEVEL.__getitem__, "a name is .*; give the name of a thing"),
    "a thing with pixels": (LEVEL.pixels, "thing is .*; give a thing of the level, as in level.pixels"),
    "a cell": (lambda value: LEVEL.pixels(THING, value), "cell is .*; give its width and height in pixels"),
    "a component": (THING.fields, "component is .*; give the name of a component"),
    "items": (FrozenMap, "items is .*; give a mapping"),
    "a title": (lambda value: Level(value, (1, 1), ()), "title is .*; give a text"),
    "a size": (lambda value: Level("a", value, ()), "size is .*; give the number of columns and rows"),
    "things": (lambda value: Level("a", (1, 1), value), "a thing of a level is .*; give a Thing"),
}


@pytest.mark.parametrize("value", [7, [7], [[]]], ids=["a number", "a list", "a list of lists"])
@pytest.mark.parametrize(("call", "message"), WRONG.values(), ids=WRONG)
def test_an_argument_of_a_wrong_type_is_an_error_that_says_what_to_give(call, message, value):
    with pytest.raises(CollisionTypeError, match=message):
        call(value)


@pytest.mark.parametrize("form", [None, 7, ["text"], "png"])
def test_an_unknown_form_is_an_error_with_the_known_ones(form):
    with pytest.raises(CollisionValueError, match="is not a level format; formats are 'text', 'xsb'"):
        parse_level(TEXT, form)


def test_what_is_no_name_is_not_in_a_level():
    assert "wall" in LEVEL
    assert [] not in LEVEL and 7 not in LEVEL
