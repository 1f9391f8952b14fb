"""The built-in demo, run as a user runs it."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import esper
import pytest

from ecs_collision import BoxCollider, CollisionWorld, Static, Transform, Trigger
from ecs_collision.demo.puzzle import PLAN, picture
from ecs_collision.demo.story import SCENES, run_demo

HOUSE = Path(__file__).resolve().parents[2]


def demo_output(hash_seed: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "ecs_collision", "demo"],
        cwd=HOUSE,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


@pytest.fixture(scope="module")
def output() -> str:
    return demo_output("1")


@pytest.fixture(scope="module")
def scenes(output: str) -> list[str]:
    """The text of every scene, the opening first and the summary last."""
    return output.split("\n--- ")


def joined(scene: str) -> str:
    return " ".join(scene.split())


def test_the_demo_is_the_same_in_every_run(output: str) -> None:
    assert output == demo_output("20")


def test_the_demo_fits_a_terminal_of_80_columns(output: str) -> None:
    assert output.isascii()
    assert [line for line in output.splitlines() if len(line) > 79 or line != line.rstrip()] == []


def test_every_scene_has_a_heading_a_text_and_a_picture(scenes: list[str]) -> None:
    assert len(SCENES) + 2 == len(scenes)
    for number, (scene, text) in enumerate(zip(SCENES, scenes[1:], strict=False), start=1):
        assert text.startswith(f"{number}. {scene.heading} -")
        assert joined(scene.text) in joined(text)
        assert sum(line.strip().startswith("##") for line in text.splitlines()) == len(PLAN.splitlines())


WORDS = {
    "a train is pushed over its gaps": (
        2,
        "player (force 2) moved x +4 of +4: wagon A (inertia 1) pushed x +3, wagon B (inertia 1) pushed x +2, "
        "wagon C (inertia 1) pushed x +2",
    ),
    "a region sleeps": (1, "crate S, crate T, rock R, crate U fell asleep"),
    "sleeping costs nothing": (1, "0 moved, 0 cells changed, 0 pairs tested"),
    "sleepers wake in the frame they are pushed": (3, "frame 6 crate S, crate T woke"),
    "a heavy rock stops a train": (4, "x stopped after 1 by rock R (inertia 5): the force is too small"),
    "a blocked motion is reported": (4, "player was blocked on x by rock R: FORCE"),
    "a region falls asleep again": (5, "crate S, crate T fell asleep"),
    "a closed door blocks": (5, "player was blocked on x by door D: IMMOVABLE"),
    "a compound stops as one": (6, "J (inertia 1.5) pushed x +2; x stopped after 2 by corner piece K (immovable)"),
    "a compound is pushed along another axis": (7, "compound J (inertia 1.5) pushed y -2"),
    "a compound goes across the corner": (8, "compound J (inertia 1.5) pushed x +4"),
    "a compound goes down behind the corner": (9, "compound J (inertia 1.5) pushed y +3"),
    "a plate opens the door": (9, "compound J entered plate: the door is open"),
    "the exit solves it": (10, "player entered exit: solved"),
    "the end": (11, "solved yes"),
    "the state is verified": (11, "invariants all hold"),
}  # fmt: skip


@pytest.mark.parametrize(("number", "words"), WORDS.values(), ids=WORDS.keys())
def test_the_demo_shows(scenes: list[str], number: int, words: str) -> None:
    assert words in joined(scenes[number])


ROWS = {
    "the train before": (0, "##@@  AA  BBCC          SSTT    RR            ##"),
    "the train asleep ahead": (1, "##@@  AA  BBCC          SzTz    Rz            ##"),
    "the train together": (2, "##        @@AABBCC      SzTz    Rz            ##"),
    "the sleepers woken, all but one": (3, "##                @@AABBCCSSTT  Rz            ##"),
    "their neighbour sleeps on": (3, "##    ##################Uz######################"),
    "the train at the rock, which sleeps on": (4, "##                  @@AABBCCSSTTRz            ##"),
    "the player at the door": (5, "##          JJ    %%        @@||      <>      ##"),
    "the compound at the corner piece": (6, "##          @@JJJJ%%          ##              ##"),
    "the compound above it": (7, "##            JJJJ            ##              ##"),
    "the compound behind it": (9, "##                %%%%JJJJ    ##              ##"),
    "the open door": (9, "##                %%                  <>      ##"),
    "the player at the exit": (10, "##                %%                  @@      ##"),
}


@pytest.mark.parametrize(("number", "row"), ROWS.values(), ids=ROWS.keys())
def test_the_demo_draws(scenes: list[str], number: int, row: str) -> None:
    assert row in [line.strip() for line in scenes[number].splitlines()]


def test_the_summary_counts_what_was_reported(output: str, scenes: list[str]) -> None:
    counted = dict(line.rsplit(maxsplit=1) for line in scenes[-1].splitlines()[1:-1])
    assert output.count("was blocked on") == int(counted["  motions blocked"])
    assert len(re.findall(r"\)\s+pushed\s+[xy] ", output)) == int(counted["  pushes"])
    assert len(re.findall(r" entered (plate|exit):", output)) == int(counted["  triggers entered"])


def test_the_demo_leaves_the_worlds_of_esper_unchanged() -> None:
    before = esper.current_world, esper.list_worlds()
    assert run_demo(io.StringIO())
    assert before == (esper.current_world, esper.list_worlds())


def test_a_picture_draws_solid_bodies_before_triggers_and_disabled_ones_not_at_all() -> None:
    #    0 1 2        plate under a crate, a bare plate, a disabled wall
    world = CollisionWorld()
    for column in (0, 1):
        world.add(transform=Transform(column + 0.5, 0.5), collider=BoxCollider(0.5, 0.5), trigger=Trigger())
    crate = world.add(transform=Transform(0.5, 0.5), collider=BoxCollider(0.5, 0.5))
    wall = BoxCollider(0.5, 0.5)
    world.add(transform=Transform(2.5, 0.5), collider=wall, static=Static())
    glyphs = {crate: "[]"}
    drawn = [picture(world.space, 3, 1, lambda entity: glyphs.get(entity, "__"))]
    wall.enabled = False
    drawn.append(picture(world.space, 3, 1, lambda entity: glyphs.get(entity, "__")))
    assert ["[]____", "[]__"] == drawn
