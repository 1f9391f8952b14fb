"""The step of dynamics beside the oracle of rules I2 to I6, in random scenes of boxes and balls that do not turn."""

from __future__ import annotations

import pytest
from boards import many, trials
from hypothesis import given, settings
from hypothesis import strategies as st
from impulse_oracle import Oracle, oracle_of
from impulse_worlds import UNIT, Made, Thing, a_scene, made

from ecs_collision import CollisionWorld

NEAR = 1e-9


def differences(oracle: Oracle, bodies: list[Made]) -> list[str]:
    """Return how bodies differ from those of the oracle: velocities to 1e-9, positions to the lattice.

    A remainder that one of them dropped, because a contact stops the body, may make two units of difference.
    """
    found = []
    for body, expected in zip(bodies, oracle.bodies, strict=True):
        wanted, slack = [value * UNIT for value in expected.position], 2 * UNIT
        if body.id in oracle.crowded:
            continue
        if any(abs(a - b) > slack for a, b in zip(wanted, body.position, strict=True)):
            found.append(f"body {body.id} at {wanted}, not {body.position}")
        if any(abs(a - b) > NEAR * max(1.0, abs(a)) for a, b in zip(expected.velocity, body.velocity, strict=True)):
            found.append(f"body {body.id} with speed {expected.velocity}, not {body.velocity}")
    return found


def compared(things: list[Thing], gravity: tuple[float, float, float], frames: int, substeps: int = 4) -> int:
    """Step a world and the oracle; return how many motions of bodies in a contact were compared.

    Each step of the oracle begins with the positions, velocities and remainders of the world. Sets with several
    contacts of a body are not compared: there rounding decides how far the iterations come, and how overlaps are
    separated.
    """
    world, count = CollisionWorld(), 0
    bodies = made(things, world)
    oracle = oracle_of(world, [body.id for body in bodies], gravity=gravity, substeps=substeps)
    for frame in range(frames):
        oracle.step(1 / 60)
        world.step_dynamics(1 / 60, gravity=gravity, substeps=substeps)
        assert [] == differences(oracle, bodies), f"frame {frame}"
        count += len(oracle.met - oracle.crowded)
        for body, followed in zip(bodies, oracle.bodies, strict=True):
            followed.position = [round(at / UNIT) for at in body.position]
            followed.velocity = list(body.velocity)
            if body.moving is not None:
                followed.remainder = list(body.moving._remainders()[:3])
    return count


KINDS = {"2D": {"count": 5}, "3D": {"count": 6, "deep": True}, "2D without walls": {"count": 8, "walls": False}}
FALL, FLOAT = (0.0, 10.0, 0.0), (0.0, 0.0, 0.0)


@pytest.mark.parametrize("gravity", [FALL, FLOAT], ids=["falling", "floating"])
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("seed", many(4))
def test_random_scenes_move_as_the_oracle_says_I2_I5(seed, kind, gravity):
    compared(a_scene(seed, **kind), gravity, trials(60) + 3, 1 + seed % 4)


NUMBERS = st.integers(-48, 48).map(lambda number: number / 16)
SPEEDS = st.tuples(st.integers(-400, 400), st.integers(-400, 400)).map(lambda pair: (pair[0] / 50, pair[1] / 50, 0.0))


@st.composite
def pairs(draw):
    """Draw two bodies that do not overlap, of which the second may be immovable."""
    found = []
    for at in ((0.0, 0.0, 0.0), (draw(NUMBERS) + 4.0, draw(NUMBERS), 0.0)):
        kind = draw(st.sampled_from(("box", "ball")))
        size = draw(st.sampled_from((0.25, 0.5, 0.75)))
        mass = draw(st.sampled_from((0.001, 0.5, 1.0, 3.0, 1000.0, *((None,) if found else ()))))
        sizes = (size,) if kind == "ball" else (size, draw(st.sampled_from((0.25, 0.5))), 0.5)
        found.append(
            Thing(kind, sizes, at, draw(SPEEDS), mass, None,
                  draw(st.sampled_from((0.0, 0.25, 0.5, 1.0))), draw(st.sampled_from((0.0, 0.2, 0.5, 1.0))))
        )  # fmt: skip
    return found


@settings(deadline=None)
@given(pairs(), st.sampled_from((FALL, FLOAT, (3.0, -7.0, 0.0))), st.integers(1, 4))
def test_two_bodies_meet_as_the_oracle_says_I2_I5(things, gravity, substeps):
    compared(things, gravity, 20, substeps)


def test_the_scenes_of_the_oracle_have_many_contacts_to_compare():
    assert sum(compared(a_scene(seed, count=8), FALL, 60) for seed in (0, 3)) > 100
