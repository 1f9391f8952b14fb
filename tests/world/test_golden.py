"""The golden games have the recorded hashes of state, snapshot and output, compiled and plain."""

from __future__ import annotations

import pytest
from boards import AS_SHIPPED
from record_golden import MARKS, SCENES, differences, recorded


def test_every_game_is_recorded_at_every_mark_with_different_output():
    assert {name: list(MARKS) for name in SCENES} == {name: list(marks) for name, marks in recorded().items()}
    outputs = [mark.output for by_frame in recorded().values() for mark in by_frame.values()]
    assert len(outputs) == len(set(outputs))


LONG = ("all_movement", "bins_of_65536", "groups_[]", "groups_and_restores", "impulses", "movement", "rules")
"""The beginnings of the names of games that are long here; the others differ from them in a setting or a place."""


@pytest.mark.parametrize("in_full", [False, pytest.param(True, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", SCENES)
def test_a_game_has_the_recorded_hashes(name, in_full):
    """The puzzles are short here: a test replays whole plays of them too."""
    short = MARKS[AS_SHIPPED and name.startswith(LONG)]
    assert [] == differences([name], MARKS[-1] if in_full else short)
