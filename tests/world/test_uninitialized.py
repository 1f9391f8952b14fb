"""No use of a compiled object ends the interpreter: uninitialized, partly initialized, initialized twice, copied."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from material import HOUSE

from ecs_collision import CollisionTypeError, CollisionWorld, Space
from ecs_collision._build import hot_files, hot_files_are_compiled

SCRIPT = HOUSE / "tests" / "support" / "uninitialized.py"

pytestmark = pytest.mark.skipif(
    not hot_files_are_compiled(), reason="plain, an object that is not ready raises AttributeError"
)


def test_every_compiled_class_survives_every_way_of_creation():
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", str(SCRIPT)], capture_output=True, text=True, timeout=600, check=False
    )
    assert 0 == ran.returncode, f"{ran.stdout[-300:]}\n{ran.stderr[-3000:]}"
    lines = ran.stdout.splitlines()
    assert "survived" == lines[-1]
    assert [] == [line for line in lines if line.startswith("WRONG")]
    declared = {
        name
        for source in hot_files()
        for name in re.findall(r"^cdef class (\w+)", source.with_suffix(".pxd").read_text(encoding="utf-8"), re.M)
    }
    declared |= {"Enum", "_memoryviewslice", "array", "memoryview"}  # Cython's own classes for views
    assert declared - {line.split()[-1] for line in lines} == set(), "never tried"


def test_an_object_that_cannot_be_made_names_the_way_to_make_it():
    world = CollisionWorld()
    with pytest.raises(CollisionTypeError, match=r"^Space.__new__ would make an uninitialised object; call Space\("):
        Space.__new__(Space)
    with pytest.raises(CollisionTypeError, match=r"Space.__init__ was called a second time; make a new object"):
        world.space.__init__(world.bodies)
    assert [] == world.space.at(0, 0)
