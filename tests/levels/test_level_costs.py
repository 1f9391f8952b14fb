"""The cost of a level file grows linearly with its size: counted, not timed.

The tests count Python calls and the charged budget. Files on which a slow pattern would take minutes in one call are in
hostile/slow_cases.py.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from typing import Any

import pytest
from hostile.growing_cases import Growing, cases

from ecs_collision import LevelError
from ecs_collision.levels import budget
from ecs_collision.levels.load import levels_of
from ecs_collision.levels.source import Source, open_source
from ecs_collision.plays.files import play_of

CASES = {f"{case.form}, {case.name}": case for case in cases()}


@cache
def costs(case: Growing, size: int) -> tuple[int, int, dict[str, int]]:
    """Return the number of calls, the charged cost and its items for a file; some files contain no valid level."""
    source = Source("level", case.make(size).encode())
    calls = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        levels_of(source, form=case.form)
    except LevelError:
        pass
    finally:
        sys.setprofile(None)
    return calls, source.budget.charged, source.budget.counts


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_four_times_the_size_costs_at_most_about_four_times_as_much(case):
    costs(case, 2)  # imports and caches
    calls, charged, _ = costs(case, case.few)
    more_calls, more_spent, _ = costs(case, 4 * case.few)
    assert more_calls <= 6 * calls
    assert more_spent <= 6 * charged


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_number_of_calls_is_bounded_by_the_charged_cost(case):
    """A hundred bytes of the budget are one microsecond, in which Python makes at most about ten calls."""
    costs(case, 2)
    before, unspent, _ = costs(case, 1)
    calls, charged, _ = costs(case, 4 * case.few)
    assert calls - before <= max(0, charged - unspent) / 10 + 1000


def test_every_cost_is_charged_by_a_growing_file():
    charged = {what for case in CASES.values() for what in costs(case, case.few)[2]}
    assert sorted(budget.COSTS) == sorted(charged | {"events", "places"})


@pytest.mark.parametrize("what", [what for what in budget.COSTS if what not in ("events", "places")])
def test_exceeding_the_budget_is_an_error_with_position_and_limit(monkeypatch, what):
    """Only one kind of item has a cost, and the limit is one less than the number in a smaller file."""
    case, most = max(
        ((case, costs(case, case.few)[2].get(what, 0)) for case in CASES.values()), key=lambda pair: pair[1]
    )
    monkeypatch.setattr(budget, "COSTS", {**dict.fromkeys(budget.COSTS, 0), what: 10})
    monkeypatch.setattr(budget, "MAX_COST_PER_BYTE", 0)
    monkeypatch.setattr(budget, "MAX_COST", 10 * (most - 1))
    with pytest.raises(LevelError) as refusal:
        levels_of(Source("level", case.make(case.few).encode()), form=case.form)
    problem = refusal.value
    assert re.fullmatch(rf"[0-9]+ {what}", problem.found)
    assert f"at most {most - 1}, because a file of" in problem.expected
    assert problem.line is not None or problem.pointer is not None


@pytest.mark.parametrize("what", ["events", "places"])
def test_events_and_places_of_a_play_are_limited_by_the_budget(monkeypatch, what):
    lines = {"events": "1 a pushed b\n", "places": "a at 1 2\n"}[what]
    monkeypatch.setattr(budget, "COSTS", {**dict.fromkeys(budget.COSTS, 0), what: 10})
    monkeypatch.setattr(budget, "MAX_COST_PER_BYTE", 0)
    monkeypatch.setattr(budget, "MAX_COST", 90)
    text = f"level: a.txt\nmoves: R\nsolved: no\nend: 00000000\n{what}\n" + lines * 9
    assert play_of(Source("play", text.encode())).moves == "R"
    with pytest.raises(LevelError, match=rf"^play:15:1: found 10 {what}; expected at most 9, because a file of"):
        play_of(Source("play", (text + lines).encode()))


def test_referenced_files_share_the_budget(tmp_path):
    sets = "".join(f'<tileset firstgid="{at * 4 + 1}" source="{at}.tsx"/>' for at in range(3))
    image = '<image source="t.png" width="32" height="32"/>'
    for at in range(3):
        tileset = f'<tileset name="t" tilewidth="16" tileheight="16" tilecount="4">{image}</tileset>'
        (tmp_path / f"{at}.tsx").write_text(tileset)
    path = tmp_path / "level.tmx"
    path.write_text(f'<map orientation="orthogonal" width="1" height="1" tilewidth="16" tileheight="16">{sets}</map>')
    source = open_source(path)
    levels_of(source)
    assert 3 + 1 + 2 * 3 == source.budget.counts["elements"]
    assert source.budget.byte_count == sum(file.stat().st_size for file in tmp_path.iterdir())
