"""The driver of the soak: plays from seeds, shrinking, scripts, and the ledger of rules."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from soak import DEEDS, Play, a_play
from soak.generate import WEIGHTS
from soak.rules import never_met, table
from soak.shrinking import Shrinker, simpler_values

NOWHERE: Any = ({}, {})


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

    small = Shrinker(Play(({"rule": "sum"}, {}), True, todo), fails).shrink()
    assert small == Play(NOWHERE, False, (("cause", 3, (0.0, -2.0)), ("effect", False)))


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
