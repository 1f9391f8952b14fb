"""The warning about boxes off the lattice: whose line it names, what it says, and how often (L1)."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import esper
import pytest
from worlds import fresh_world

from ecs_collision import Box, BoxCollider, CollisionSystem, CollisionWorld, CompoundCollider, LatticeWarning, Transform
from ecs_collision.components import box as box_module
from ecs_collision.components import colliders as collider_module
from ecs_collision.levels import load_level, parse_level, spawn

TAKEN = "is not on the lattice of 1/65536: it is taken as"
ADVICE = "; whole numbers, such as sizes in pixels, and multiples of 1/2, 1/4, 1/8 and so on to 1/65536 are exact"


@contextmanager
def caught(action: str = "always") -> Iterator[list[warnings.WarningMessage]]:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter(action)  # type: ignore[arg-type]
        yield seen


def line_here() -> int:
    """Return the number of the line that calls."""
    return sys._getframe(1).f_lineno


def test_a_size_off_the_lattice_is_named_with_what_it_is_taken_as_L1():
    with caught() as seen:
        BoxCollider(0.4, 12.8)
    assert [str(each.message) for each in seen] == [
        f"BoxCollider.hx 0.4 {TAKEN} 0.399993896, 6.1e-06 less; BoxCollider.hy 12.8 {TAKEN} 12.7999878, 1.2e-05 less"
        + ADVICE
    ]
    with caught() as seen:
        BoxCollider(0.5, 0.5, offset=(0.1, 0.0))
    expected = f"BoxCollider.offset x 0.1 {TAKEN} 0.0999984741, 1.5e-06 less{ADVICE}"
    assert [str(each.message) for each in seen] == [expected]


MADE: dict[str, Callable[[], object]] = {
    "a collider": lambda: BoxCollider(0.4, 0.5),
    "a box": lambda: Box(0.4, 0.5),
    "a compound of cells": lambda: CompoundCollider.from_cells([(0, 0), (1, 0), (1, 1)], 0.3),
    "a field": lambda: setattr(BoxCollider(0.5, 0.5), "hx", 0.4),
    "an entity": lambda: esper.create_entity(Transform(0, 0), BoxCollider(0.4, 0.5)),
    "a body": lambda: CollisionWorld().add(transform=Transform(0, 0), collider=BoxCollider(0.4, 0.5)),
}


@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
def test_the_warning_names_the_line_of_the_caller_L1(make):
    with fresh_world(), caught() as seen:
        make()
    assert [(each.filename, each.lineno) for each in seen] == [(__file__, make.__code__.co_firstlineno)]
    assert seen[0].category is LatticeWarning


def test_a_field_of_a_class_warns_once_however_many_objects_are_made_L1():
    with caught() as seen:
        for _ in range(3):
            BoxCollider(0.4, 0.5)
        BoxCollider(0.3, 0.7), Box(0.4, 0.5)
    names = [str(each.message).partition(" ")[0] for each in seen]
    assert names == ["BoxCollider.hx", "BoxCollider.hy", "Box.hx"]
    for _ in range(2):  # what was refused is refused again, and other filters see it again
        with caught("error"):
            for _ in range(2):
                with pytest.raises(LatticeWarning, match=r"BoxCollider\.hx 0\.4"):
                    BoxCollider(0.4, 0.5)


def test_a_field_of_a_body_is_named_with_its_entity_L1():
    with fresh_world():
        esper.add_processor(CollisionSystem())
        entity = esper.create_entity(Transform(0, 0), collider := BoxCollider(0.5, 0.5))
        esper.process()
        with caught() as seen:
            collider.hy = 0.3
            line = line_here() - 1
    assert (seen[0].filename, seen[0].lineno) == (__file__, line)
    assert str(seen[0].message) == f"BoxCollider.hy of entity {entity} 0.3 {TAKEN} 0.299987793, 1.2e-05 less{ADVICE}"


def test_exact_boxes_warn_of_nothing_and_do_not_reach_the_warning_L1(monkeypatch):
    def fail(*arguments: object) -> None:
        raise AssertionError(arguments)

    with caught("error"):
        Box(2**-17, 0.5, offset=(2**-17, 0))  # its faces are 0 and 2**-16
        for module in (box_module, collider_module):
            monkeypatch.setattr(module, "warn_of_rounding", fail)
        collider = BoxCollider(0.375, 2**-16, offset=(3, -0.5))
        collider.hx = 13
        CompoundCollider.from_cells([(0, 0)], 0.25)


def tiled(*crates: str) -> str:
    """Return a map of tiles of 24 pixels, with crates."""
    objects = "".join(
        f'<object id="{number}" name="crate {number}" type="crate" {place}/>' for number, place in enumerate(crates, 1)
    )
    return (
        '<map version="1.10" orientation="orthogonal" width="9" height="9" tilewidth="24" tileheight="24" infinite="0">'
        f'<objectgroup id="1" name="things">{objects}</objectgroup></map>'
    )


ROOM = tiled('x="0" y="0" width="24" height="24"', 'x="48" y="0" width="20" height="24"')
CRATES = {"crate": {"Inertia": 1}}


def test_a_level_names_its_file_and_the_first_thing_once_L1(tmp_path):
    (tmp_path / "tower.tmx").write_text(ROOM, encoding="utf-8")
    with caught() as seen:
        level = load_level(tmp_path / "tower.tmx", kinds=CRATES)
        line = line_here() - 1
        world = CollisionWorld()
        spawn(level, world)
        world.restore(world.snapshot())
    assert [(each.filename, each.lineno) for each in seen] == [(__file__, line)]
    message = str(seen[0].message)
    assert f"tower.tmx: thing 'crate 2': Box.hx 0.4166666666666667 {TAKEN} 0.41665649" in message
    assert message.endswith(
        "sizes and places of whole tiles are exact, and whole pixels if the side of a tile is a power of two, such as "
        "16 or 32"
    )
    with caught() as seen:
        parse_level(tiled('x="0" y="0" width="24" height="24"'), "tmx", kinds=CRATES)
    assert seen == []


def test_a_restore_does_not_repeat_the_warning_L1():
    world = CollisionWorld()
    with caught():
        world.add(1, transform=Transform(0, 0), collider=(collider := BoxCollider(0.4, 0.5)))
    saved = world.snapshot()
    collider.hx = 0.5
    with caught() as seen:
        world.restore(saved)
    assert (collider.hx, seen) == (0.4, [])
