"""Refusals and hints find the same names similar."""

from __future__ import annotations

import pytest
from tiled_maps import level_of, objects

from ecs_collision.errors import UnknownEntity
from ecs_collision.levels import parse_level
from ecs_collision.similar import MAX_COMPARED_NAMES, did_you_mean, similar_name

SIMILAR = [
    ("ruel", "rule"), ("Walls", "wall"), ("left-crate", "Left crate"), ("palyer", "player"), ("crate 2", "crate 1"),
    ("wals", "walls"), ("boulders", "boulder"), ("overlay_policy", "overlap_policy"), ("--", "--"),
    ("enemies", "enemy"), ("enemy", "enemies"), ("boxes", "box"),
]  # fmt: skip
DISSIMILAR = [
    ("role", "rule"), ("policy", "overlap_policy"), ("player", "layer"), ("box", "bow"), ("--", "++"), ("", "a"),
    ("wall", ""), ("crate", "crates of apples"), ("wines", "win"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "known"), SIMILAR)
def test_a_misspelt_name_is_similar_to(name, known):
    assert known == similar_name(name, ["quite another", known, "and more"])
    assert f"; did you mean {known!r}?" == did_you_mean(name, [known])


@pytest.mark.parametrize(("name", "known"), DISSIMILAR)
def test_another_word_is_not_similar_to(name, known):
    assert similar_name(name, [known]) is None
    assert did_you_mean(name, [known]) == ""


def test_a_hint_compares_only_the_first_names_of_a_level():
    names = [f"thing {number}" for number in range(MAX_COMPARED_NAMES)]
    assert did_you_mean("wals", [*names[1:], "walls"]) == "; did you mean 'walls'?"
    assert did_you_mean("wals", [*names, "walls"]) == ""
    assert did_you_mean(7, ["7"]) == ""


def test_an_unknown_thing_or_kind_is_answered_with_the_similar_one():
    level = parse_level("legend\n$ crate: Inertia(1)\n\nmap\n$ $\n")
    with pytest.raises(UnknownEntity, match="unknown name 'crats' in level; did you mean 'crate'"):
        level.select("crats")


def test_an_unknown_name_is_answered_with_names_that_are_not_numbered_kinds():
    level = level_of(objects(
        '<object id="1" name="exit" x="0" y="0" width="16" height="16"/>',
        '<object id="2" x="16" y="0" width="16" height="16"/>', '<object id="3" x="32" y="0" width="16" height="16"/>',
    ))  # fmt: skip
    assert ["exit", "object 1", "object 2"] == [thing.name for thing in level.things]
    with pytest.raises(UnknownEntity) as caught:
        level.select("exi")
    expected = (
        f"unknown name 'exi' in {level.source}; did you mean 'exit'?; its kinds are 'object'; its names are 'exit'"
    )
    assert expected == caught.value.args[0]
