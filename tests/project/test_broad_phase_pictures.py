"""The pictures of docs/broad_phases.md: they are what the code draws, of every broad phase, over the same boxes."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from material import HOUSE

from ecs_collision.broadphase.choices import CHOICES
from tools.broad_phase_pictures import drawn, index_with_scene, pictures, scene

PICTURES = {picture.choice.name: picture for picture in pictures()}
SVG = "{http://www.w3.org/2000/svg}"


def test_there_is_a_picture_of_every_broad_phase_on_the_page():
    page = (HOUSE / "docs" / "broad_phases.md").read_text(encoding="utf-8")
    assert list(CHOICES) == list(PICTURES) == re.findall(r"!\[\w+: [^]]+\]\(broad_phase_(\w+)\.svg\)", page)


@pytest.mark.parametrize("name", CHOICES)
def test_a_committed_picture_is_the_one_that_the_code_draws(name):
    assert drawn(PICTURES[name]) == PICTURES[name].file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CHOICES)
def test_a_picture_has_every_box_and_the_nodes_of_its_structure(name):
    index = index_with_scene(PICTURES[name].choice)
    index.check()
    group = ElementTree.fromstring(drawn(PICTURES[name])).find(f"{SVG}g")
    opacities = [float(each.get("fill-opacity")) for each in group.findall(f"{SVG}rect")]
    assert len(scene()) == opacities.count(1.0) == index.boxes.box_count
    assert (name == "brute_force") == (len(opacities) == len(scene()))


def test_the_boxes_of_the_pictures_do_not_overlap():
    boxes = scene()
    overlapping = [
        (a, b)
        for a in boxes
        for b in boxes
        if a < b and all(a[axis] < b[axis + 2] and b[axis] < a[axis + 2] for axis in range(2))
    ]
    assert [] == overlapping
