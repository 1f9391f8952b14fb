"""What a level file costs grows as the file does: counted, never timed.

Counted are the calls of Python, and what the budget has spent. One call can take long, too: files that would take a
slow pattern minutes are in hostile/slow_cases.py.
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
    """Return how many calls a file takes, what it spends, and on what; some files do not get as far as levels."""
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
def test_four_times_the_file_costs_at_most_some_four_times_as_much(case):
    costs(case, 2)  # what is imported and kept at first use
    calls, charged, _ = costs(case, case.few)
    more_calls, more_spent, _ = costs(case, 4 * case.few)
    assert more_calls <= 6 * calls
    assert more_spent <= 6 * charged


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_calls_for_a_file_are_bounded_by_what_it_spends(case):
    """A hundred bytes of the budget are a microsecond, in which Python makes some ten calls at the most."""
    costs(case, 2)
    before, unspent, _ = costs(case, 1)
    calls, charged, _ = costs(case, 4 * case.few)
    assert calls - before <= max(0, charged - unspent) / 10 + 1000


def test_every_cost_is_spent_by_a_file_that_grows():
    charged = {what for case in CASES.values() for what in costs(case, case.few)[2]}
    assert sorted(budget.COSTS) == sorted(charged | {"events", "places"})


@pytest.mark.parametrize("what", [what for what in budget.COSTS if what not in ("events", "places")])
def test_whatever_uses_up_the_room_is_refused_with_its_place_and_the_limit(monkeypatch, what):
    """Only one thing costs anything, and there is room for as many of it as a smaller file has, and one less."""
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
    assert f"at most {most - 1}, for a file of" in problem.expected
    assert problem.line is not None or problem.pointer is not None


@pytest.mark.parametrize("what", ["events", "places"])
def test_a_play_has_as_many_events_and_places_as_there_is_room_for(monkeypatch, what):
    lines = {"events": "1 a pushed b\n", "places": "a at 1 2\n"}[what]
    monkeypatch.setattr(budget, "COSTS", {**dict.fromkeys(budget.COSTS, 0), what: 10})
    monkeypatch.setattr(budget, "MAX_COST_PER_BYTE", 0)
    monkeypatch.setattr(budget, "MAX_COST", 90)
    text = f"level: a.txt\nmoves: R\nsolved: no\nend: 00000000\n{what}\n" + lines * 9
    assert play_of(Source("play", text.encode())).moves == "R"
    with pytest.raises(LevelError, match=rf"^play:15:1: found 10 {what}; expected at most 9, for a file of"):
        play_of(Source("play", (text + lines).encode()))


def test_files_that_a_file_refers_to_share_its_budget(tmp_path):
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
