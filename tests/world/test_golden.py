"""The golden games come to what was recorded: state, snapshot and all that was told, in every process and form."""

from __future__ import annotations

import pytest
from boards import AS_SHIPPED
from record_golden import MARKS, SCENES, differences, recorded


def test_every_game_is_recorded_at_every_mark_and_no_two_tell_the_same():
    assert {name: list(MARKS) for name in SCENES} == {name: list(marks) for name, marks in recorded().items()}
    told = [mark.said for by_frame in recorded().values() for mark in by_frame.values()]
    assert len(told) == len(set(told))


@pytest.mark.parametrize("last", [MARKS[AS_SHIPPED], pytest.param(MARKS[-1], marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", SCENES)
def test_a_game_comes_to_what_was_recorded(name, last):
    assert [] == differences([name], last)
