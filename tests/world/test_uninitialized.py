"""No use of a compiled object that games have ends the interpreter: without `__init__`, initialized twice, copied."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ecs_collision._build import hot_files_are_compiled

SCRIPT = """
import copy, faulthandler, pickle
from ecs_collision import *
from ecs_collision.components import Component

faulthandler.enable()
ANYTHING = (None, "x", object(), [], Transform, 0, -1, 1 << 40, 0.5, float("nan"), (1, 2), ((0, 0), (1, 1)), b"abc")

def attempt(call, *arguments):
    try:
        return call(*arguments)
    except Exception:
        return None

def poke(thing):
    for name in dir(thing):
        if name.startswith("__") and name not in "__repr__ __hash__ __bool__ __len__ __eq__ __reduce__".split():
            continue
        member = attempt(getattr, thing, name)
        if callable(member) and not isinstance(member, type):
            for count in range(6):
                for value in ANYTHING:
                    attempt(member, *[value] * count)
        elif not name.startswith("__"):
            for value in ANYTHING:
                attempt(setattr, thing, name, value)

world = CollisionWorld()
for x in range(9):
    world.add(transform=Transform(x, 0), collider=BoxCollider(0.5, 0.5), motion=Motion(9), inertia=Inertia(1))
for thing in (world.space, world.move(1, dx=1), Transform(0, 0), BoxCollider(1, 1), Velocity(1, 2)):
    kind = type(thing)
    made = [attempt(base.__new__, kind) for base in kind.__mro__]
    made += [attempt(type, "Heir", (kind,), {}), attempt(copy.copy, thing), attempt(copy.deepcopy, thing), thing]
    for one in made:
        poke(one)
    for value in ANYTHING:
        for count in range(9):
            attempt(kind, *[value] * count)
            attempt(thing.__init__, *[value] * count)
    for protocol in range(6):
        attempt(pickle.dumps, thing, protocol)
    poke(thing)
print("survived")
"""


@pytest.mark.skipif(not hot_files_are_compiled(), reason="plain Python cannot crash")
def test_public_compiled_objects_survive_every_way_of_creation():
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert (0, "survived") == (ran.returncode, ran.stdout.strip()), ran.stderr[-3000:]
