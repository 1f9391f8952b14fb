"""The driver of the soak: plays from seeds, shrinking, scripts, and the ledger of rules."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from boards import AS_SHIPPED, trials
from material import HOUSE
from soak import DEEDS, Play, a_play, costs
from soak.__main__ import main
from soak.generate import WEIGHTS
from soak.rules import never_met, table
from soak.script import failure, played, script_of
from soak.shrinking import Shrinker, simpler_values
from soak.soaking import soak

from ecs_collision import CollisionSystem
from ecs_collision.testing.model import Body, Model

NOWHERE: Any = ({}, {})


class Generous(Model):
    """A model that is wrong in one sign: an equal force pushes (P3)."""

    def apply_changes(self, bodies: Iterable[Body]) -> None:
        super().apply_changes(
            replace(body, inertia=body.inertia and tuple(inertia - 2.0**-16 for inertia in body.inertia))
            for body in bodies
        )


class Silent(Model):
    """A model of which nothing is ever heard."""

    def step(self) -> list[Any]:
        super().step()
        return []


def run(script: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a process of its own."""
    return subprocess.run([sys.executable, "-c", script], cwd=HOUSE, capture_output=True, text=True)


@pytest.mark.parametrize("first", range(0, 400, 100))
def test_the_engine_is_what_the_model_says(first):
    soaked = soak(range(first, first + max(1, trials(12))))
    assert not soaked.failure, soaked.failure
    assert soaked.hits["P2", "free"] > 0


@pytest.mark.skipif(not AS_SHIPPED, reason="how failures are shown is no matter of hot files")
def test_a_wrong_model_is_caught_and_shown_in_a_short_script():
    failure = soak(range(40, 200), length=30, make_model=Generous).failure
    operations = [line for line in failure.splitlines() if line.startswith("# ('")]
    assert 1 <= len(operations) <= 6
    ran = run(failure)
    assert ran.returncode == 1
    assert "AssertionError" in ran.stderr


def test_a_script_shows_what_handlers_and_processors_did():
    body = (("Transform", {}), ("BoxCollider", {}), ("Motion", {}))
    acts = (("before", ("ask_motion", 0, (1.0, 0.0, 0.0))), (1, ("delete", 0, "now")), ("after", ("create", ())))
    play = Play(NOWHERE, "on", (("create", body), ("process", acts)))
    script = script_of(play, Silent)
    for line in (
        "part(1, Motion).move(1.0, 0.0, 0.0)",
        "esper.delete_entity(1, immediate=True)",
        "esper.create_entity()",
    ):
        assert line in script
    assert script.count("def act():") == 3
    assert "heard should be\n#     [], not\n#     [('Moved', 1, (1.0, 0.0, 0.0))]" in script
    ran = run(script)
    assert ran.returncode == 1
    assert "AssertionError" in ran.stderr


def test_a_soak_in_which_an_outcome_was_never_met_fails_and_names_it(capsys):
    assert main(["--operations", "100"]) == 1
    told = capsys.readouterr().out
    found = re.match(r"(\d+) operations in .* a second; (\d+) had nothing to do\n", told)
    assert found and int(found[1]) + int(found[2]) == 120
    assert int(found[2]) > 0
    assert "never met: T7 process raised ExceptionGroup" in told


def test_an_operation_that_has_nothing_to_do_is_not_counted():
    body = (("Transform", {}), ("BoxCollider", {}))
    move, write = ("move", 0, (1.0, 0.0, 0.0), {}), ("write", 0, "Transform", "x", 1.0)
    play = Play(NOWHERE, "", (move, write, ("create", body), move, write, ("hooked", *move[1:], "raise")))
    _, game = played(play)
    assert (game.done, game.idle) == (6, 3)


BOX: Any = ("BoxCollider", {})


def test_cells_left_and_entered_are_counted_beside_the_engine(monkeypatch):
    bodies = tuple(
        ("create", (("Transform", {"x": x}), ("BoxCollider", {"hx": half}))) for x, half in ((0.0, 0.5), (9.0, 4.0))
    )
    nudges = tuple(("nudge", who, 0, length) for who in (0, 1) for length in (0.125, 0.125, -9.0))
    play = Play(NOWHERE, "", bodies + nudges)
    divergence, game = played(play)
    assert divergence is None
    assert {rule: game.hits[rule] for rule in game.hits if rule[0] in ("B1", "B4")} == {
        ("B4", "within its cells"): 4, ("B4", "cells left and entered"): 2, ("B1", "large cells"): 1,
    }  # fmt: skip
    monkeypatch.setattr(costs, "_cells", lambda body, size: [(0, 0, *body.at[:2])])
    wrong = failure(play)
    assert wrong is not None and wrong.kind == "cells changed"


def test_frames_in_which_all_sleep_and_those_with_arguments_are_counted(monkeypatch):
    zone = ("create", (("Transform", {}), BOX, ("Trigger", {})))
    sleeper = ("create", (("Transform", {}), BOX, ("Sleeping", {"asleep": True})))
    play = Play(NOWHERE, "on", (zone, sleeper, ("process", (), "0.1, x=1"), ("lull",)))
    divergence, game = played(play)
    assert divergence is None
    for outcome in (("E5", "given arguments"), ("S5", "born asleep in a trigger"), ("S3", "all asleep")):
        assert game.hits[outcome] == 1
    assert "esper.process(0.1, x=1)" in game.real.lines
    monkeypatch.setattr(CollisionSystem, "process", lambda self: None)
    assert failure(play) is not None


def body(x: float, *more: Any, **collider: Any) -> tuple[Any, ...]:
    return ("create", (("Transform", {"x": x}), ("BoxCollider", collider), *more))


FRAME, QUESTION = ("process", ()), ("ask", "touching", 0, ((0.0, 0.0), (1.0, 1.0)), {})
ABOUT_A_BODY = ("overlapping a body", "sweeping a body")
ZONE, SWEPT = ("Trigger", {"mask": "default"}), ("Trigger", {"swept": True})
TRIO = (body(0.0, ZONE), body(-5.0), body(0.0), ("fuse", 2, 1, False), FRAME)
"""A trigger, entity 1, and a group of 2 and 3, of which 3 is inside."""

HARD: dict[str, tuple[tuple[str, str], tuple[Any, ...]]] = {
    "a member becomes a trigger and solid again": (
        ("T1", "a member becomes solid"),
        (*TRIO, ("add", 2, ("Trigger", {}), False), FRAME, ("look_closely",), ("remove", 1, "Trigger"), FRAME,
         ("look_closely",), ("check", False)),
    ),
    "a crossing waits in the snapshot": (
        ("N1", "back with crossings"),
        (body(0.0, SWEPT), body(-5.0), FRAME, ("move", 1, (10.0, 0.0, 0.0), {}), ("snapshot", 0), FRAME,
         ("restore", 0, 0, False), FRAME),
    ),
    "somebody goes while a crossing waits": (
        ("T4", "kept while bodies come or go"),
        (body(0.0, SWEPT), body(-5.0), body(50.0), body(60.0), body(70.0), ("fuse", 3, 2, False), FRAME,
         ("move", 1, (10.0, 0.0, 0.0), {}), ("delete", 4, "now"), FRAME),
    ),
    "somebody joins while a contact lingers": (
        ("T5", "kept while regrouped"),
        (body(0.0, ("Trigger", {"linger": 3})), body(0.0), body(50.0), body(60.0), ("fuse", 2, 1, False), FRAME,
         ("move", 1, (0.0, 9.0, 0.0), {}), ("fuse", 3, 1, False), FRAME, FRAME, FRAME, FRAME, FRAME),
    ),
    "unfused and fused again, with a question between": (
        ("T1", "regrouped and back"), (*TRIO, ("blink", 0, "Fused", QUESTION), FRAME),
    ),
    "disabled and enabled again, with a question between": (
        ("T1", "regrouped and back"), (*TRIO, ("blink", 2, "enabled", QUESTION), FRAME),
    ),
    "a disabled body asks": (
        ("E9", "disabled body asks"),
        (body(0.0, enabled=False), body(1.0), QUESTION, *(("ask", name, *QUESTION[2:]) for name in ABOUT_A_BODY)),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("outcome", "operations"), HARD.values(), ids=HARD)
def test_what_is_fused_swept_restored_and_asked_in_one_scene_is_as_the_model_says(outcome, operations):
    """Each of these once hid a fault: the operations can make it, the model knows it, and the ledger counts it."""
    divergence, game = played(Play(NOWHERE, "", operations))
    assert divergence is None
    assert game.hits[outcome] > 0


GROUP_THAT_CROSSES = ("move", 1, (10.0, 0.0, 0.0), {})
MIXTURE = {
    "asked": ("ask", "pairs", 0, ((0.0, 0.0), (1.0, 1.0)), {}),
    "restored": ("restore", 0, 0, False),
    "deleted": ("delete", 3, "now"),
    "handled": ("process", ((1, ("teleport", 0, (50.0, 50.0))),)),
}
"""What is done while a group crosses a swept trigger, but for the crossing itself."""


@pytest.mark.parametrize("left_out", [None, *MIXTURE])
def test_a_play_counts_as_mixed_if_all_that_is_hard_was_met_in_its_one_scene(left_out):
    done = [operation for name, operation in MIXTURE.items() if name != left_out]
    again = [each for operation in done for each in (GROUP_THAT_CROSSES, operation, ("teleport", 1, (-5.0, 0.0)))]
    begun = (body(0.0, SWEPT), body(-5.0), body(-6.0), body(90.0), ("fuse", 2, 1, False), FRAME, ("snapshot", 0))
    divergence, game = played(Play(NOWHERE, "on", (*begun, *again, FRAME)))
    assert divergence is None
    assert game.hits["mixed", "all in one scene"] == (left_out is None)
    assert game.hits["mixed", "delete while a group crosses"] == (left_out != "deleted")
    assert game.hits["mixed", "a handler acts as a group has crossed"] == (left_out != "handled")


def plain(value: object) -> bool:
    """Return whether a value is data all through."""
    if isinstance(value, tuple | list):
        return all(map(plain, value))
    if isinstance(value, dict):
        return all(map(plain, [*value, *value.values()]))
    return value is None or isinstance(value, str | int | float)


def test_a_play_is_plain_data_that_its_seed_alone_decides():
    assert repr(a_play(7, 200)) == repr(a_play(7, 200)) != repr(a_play(8, 200))
    assert plain(a_play(7, 200))


def test_every_operation_can_be_drawn():
    drawn = {operation[0] for seed in range(60) for operation in a_play(seed, 120).operations}
    assert drawn == WEIGHTS.keys()
    assert WEIGHTS.keys() < DEEDS.keys()
    assert len(DEEDS) >= 30


def test_a_play_is_shrunk_to_the_operations_and_the_arguments_that_matter():
    noise = [("noise", number, (0.1 * number, None), {"force": 2.5}) for number in range(40)]
    todo = (*noise[:17], ("cause", 6, (3.7, -2.9)), *noise[17:], ("effect", True))

    def fails(play: Play) -> bool:
        names = [operation[0] for operation in play.operations]
        causes = [operation for operation in play.operations if operation[0] == "cause"]
        return "effect" in names and bool(causes) and causes[0][2][1] < -1 and causes[0][1] >= 3

    small = Shrinker(Play(({"rule": "sum"}, {}), "on", todo), fails).shrink()
    assert small == Play(NOWHERE, "", (("cause", 3, (0.0, -2.0)), ("effect", False)))


@pytest.mark.parametrize("value", [3.7, -1e6, 24, 0.5, (1.5, (0.1, {"a": 2.0, "b": True}))], ids=repr)
def test_making_a_value_simpler_comes_to_an_end(value):
    steps = 0
    while (simpler := next(simpler_values(value), None)) is not None:
        value, steps = simpler, steps + 1
    assert steps < 100
    assert value in (0, ())


def test_what_was_never_met_is_named_and_the_table_counts_the_rest():
    outcomes = [("P3", "equal blocks"), ("P10", "by priority"), ("P3", "more pushes")]
    hits = Counter({("P3", "more pushes"): 1234, ("P10", "by priority"): 1})
    assert never_met(hits, outcomes) == [("P3", "equal blocks")]
    assert table(hits, outcomes).splitlines() == ["P3     equal blocks 0; more pushes 1,234", "P10    by priority 1"]


def test_what_breaks_a_play_off_is_told_with_its_seed():
    class Broken(Model):
        def plan(self, *given, **how):
            raise ZeroDivisionError("broken")

    with pytest.raises(ZeroDivisionError) as caught:
        soak(range(50), make_model=Broken)
    (note,) = caught.value.__notes__
    assert note.startswith("in the play of seed ")


def test_a_request_along_z_is_compared():
    class Forgetful(Model):
        def step(self):
            asked = {id: body.asked.dz for id, body in self.bodies.items()}
            events = super().step()
            for id, body in self.bodies.items():
                body.asked.dz = asked[id]
            return events

    body = (("Transform", {"x": 0.0, "y": 0.0, "z": 0.0}), ("BoxCollider", {"hx": 0.5, "hy": 0.5}), ("Motion", {}))
    play = Play(({}, {}), "", (("create", body), ("ask_motion", 0, (0.0, 0.0, 1.0)), ("process", ())))
    found = failure(play, Forgetful)
    assert found is not None and found.kind == "requests"
    assert failure(play) is None
