"""The driver of the soak: plays from seeds, shrinking and scripts."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from boards import AS_SHIPPED, trials
from material import HOUSE
from soak import Play
from soak.__main__ import main
from soak.soaking import failure, soak

from tests.model.model import Body, Model

pytestmark = pytest.mark.filterwarnings("ignore:.*rotation:ecs_collision.SetupWarning")  # beside boxes

NOWHERE: Any = ({}, {})


class Generous(Model):
    """A model with a fault: a force equal to the inertia pushes (P3)."""

    def apply_changes(self, bodies: Iterable[Body]) -> None:
        super().apply_changes(
            replace(body, inertia=body.inertia and tuple(inertia - 2.0**-16 for inertia in body.inertia))
            for body in bodies
        )


def run(script: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a process of its own."""
    return subprocess.run([sys.executable, "-c", script], cwd=HOUSE, capture_output=True, text=True)


@pytest.mark.parametrize("first", range(0, 200, 100))
def test_the_engine_agrees_with_the_model(first):
    soaked = soak(range(first, first + max(3, trials(12))))
    assert not soaked.failure, soaked.failure
    assert soaked.operations > 2 * soaked.idle


@pytest.mark.skipif(not AS_SHIPPED, reason="the display of failures does not depend on hot files")
def test_a_wrong_model_is_caught_and_shown_in_a_short_script():
    failure = soak(range(40, 200), length=30, make_model=Generous).failure
    operations = [line for line in failure.splitlines() if line.startswith("# ('")]
    assert 1 <= len(operations) <= 8
    ran = run(failure)
    assert ran.returncode == 1
    assert "AssertionError" in ran.stderr


def test_the_command_prints_how_many_operations_engine_and_model_agreed_on(capsys):
    assert main(["--operations", "100"]) == 0
    found = re.fullmatch(r"(\d+) operations in .* per second; (\d+) had no effect\n", capsys.readouterr().out)
    assert found and int(found[1]) + int(found[2]) == 120
    assert int(found[2]) > 0


BOX: Any = ("BoxCollider", {})


def body(x: float, *more: Any, **collider: Any) -> tuple[Any, ...]:
    return ("create", (("Transform", {"x": x}), ("BoxCollider", collider), *more))


FRAME, QUERY = ("process", ()), ("query", "touching", 0, ((0.0, 0.0), (1.0, 1.0)), {})
ABOUT_A_BODY = ("overlapping a body", "casting a body")
ZONE, SWEPT = ("Trigger", {"mask": "default"}), ("Trigger", {"swept": True})
TRIO = (body(0.0, ZONE), body(-5.0), body(0.0), ("fuse", 2, 1, False), FRAME)
"""A trigger, entity 1, and a group of 2 and 3, of which 3 is inside."""

HARD: dict[str, tuple[Any, ...]] = {
    "a member becomes a trigger and solid again": (
        *TRIO, ("add", 2, ("Trigger", {}), False), FRAME, ("compare_all",), ("remove", 1, "Trigger"), FRAME,
        ("compare_all",), ("check", False),
    ),
    "a crossing waits in the snapshot": (
        body(0.0, SWEPT), body(-5.0), FRAME, ("move", 1, (10.0, 0.0, 0.0), {}), ("snapshot", 0), FRAME,
        ("restore", 0, 0, False), FRAME,
    ),
    "a body is deleted while a crossing waits": (
        body(0.0, SWEPT), body(-5.0), body(50.0), body(60.0), body(70.0), ("fuse", 3, 2, False), FRAME,
        ("move", 1, (10.0, 0.0, 0.0), {}), ("delete", 4, "now"), FRAME,
    ),
    "a body is fused while a contact lingers": (
        body(0.0, ("Trigger", {"linger": 3})), body(0.0), body(50.0), body(60.0), ("fuse", 2, 1, False), FRAME,
        ("move", 1, (0.0, 9.0, 0.0), {}), ("fuse", 3, 1, False), FRAME, FRAME, FRAME, FRAME, FRAME,
    ),
    "unfused and fused again, with a query between": (
        *TRIO, ("toggle", 0, "Fused", QUERY), FRAME,
    ),
    "disabled and enabled again, with a query between": (
        *TRIO, ("toggle", 2, "enabled", QUERY), FRAME,
    ),
    "a disabled body in a query": (
        body(0.0, enabled=False), body(1.0), QUERY, *(("query", name, *QUERY[2:]) for name in ABOUT_A_BODY),
    ),
}  # fmt: skip


@pytest.mark.parametrize("operations", HARD.values(), ids=HARD)
def test_combined_features_agree_with_the_model(operations):
    """Each of these once hid a fault."""
    assert failure(Play(NOWHERE, "", operations)) is None
