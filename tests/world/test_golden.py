"""The golden scenes come to what was recorded: state, snapshot and all that was told, in every process and form."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from material import HOUSE
from record_golden import MARKS, SCENES, differences, recorded

from ecs_collision._build import is_pure

LAST = MARKS[0] if is_pure() else MARKS[-1]


def test_every_scene_is_recorded_at_every_mark_and_nothing_else_is():
    assert {name: list(MARKS) for name in SCENES} == {name: list(marks) for name, marks in recorded().items()}


def test_every_scene_goes_on_and_no_two_tell_the_same():
    for by_frame in recorded().values():
        assert len(by_frame) == len({mark.snapshot for mark in by_frame.values()})
    told = [mark.said for by_frame in recorded().values() for mark in by_frame.values()]
    assert len(told) == len(set(told))


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_comes_to_what_was_recorded(name):
    assert [] == differences([name], LAST)


@pytest.mark.soak
@pytest.mark.skipif(not is_pure(), reason="compiled, it is no longer a matter of hours")
@pytest.mark.parametrize("name", SCENES)
def test_a_scene_comes_to_what_was_recorded_as_plain_python_to_the_end(name):
    assert [] == differences([name], MARKS[-1])


@pytest.mark.parametrize("seed", ["0", "20260101"])
def test_a_fresh_process_with_another_hash_seed_comes_to_the_same(seed):
    """The order of sets of strings differs from seed to seed: none of it may be seen."""
    names = list(SCENES)[:: 4 if is_pure() else 1]
    said = in_a_process(MARKS[0], *names, PYTHONHASHSEED=seed)
    assert said.endswith(f"{len(names)} scenes to frame {MARKS[0]}, 0 differences\n")


@pytest.mark.soak
@pytest.mark.parametrize("pure", ["", "1"], ids=["compiled", "plain"])
def test_a_process_with_the_other_form_of_the_kernels_comes_to_the_same(pure):
    assert "0 differences" in in_a_process(MARKS[-1], PYTHONHASHSEED="random", ECS_COLLISION_PURE=pure)


def in_a_process(frames: int, *names: str, **environment: str) -> str:
    """Play scenes, all if none is named, in a process of its own and return what it says."""
    command = [sys.executable, "tests/support/record_golden.py", "--check", "--frames", str(frames), *names]
    path = os.pathsep.join(filter(None, (str(HOUSE), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        command,
        cwd=HOUSE,
        env=os.environ | {"PYTHONPATH": path} | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
