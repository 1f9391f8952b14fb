"""`python -m ecs_collision`: what it prints, what it returns, and what it says about wrong input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ecs_collision import _build
from ecs_collision.__main__ import main

HOUSE = Path(__file__).resolve().parents[1]

CORRIDOR = {"id": "corridor", "level": "######\n#@ $.#\n######\nTitle: A corridor", "lurd": "rR"}
"""A level of our own: one step, one push."""

TANK = {
    "level": "tank",
    "w": 7,
    "h": 4,
    "models": [
        # .......    b big fish, s small fish, o a light thing that s carries and loses
        # .b.oo..
        # .b.ss..
        # #######
        {"x": 0, "y": 3, "cells": [[i, 0] for i in range(7)], "weight": 3, "power": 0, "faces": "left", "goal": None},
        {"x": 1, "y": 1, "cells": [[0, 0], [0, 1]], "weight": 1, "power": 2, "faces": "left", "goal": "out"},
        {"x": 3, "y": 2, "cells": [[0, 0], [1, 0]], "weight": 1, "power": 1, "faces": "left", "goal": "out"},
        {"x": 3, "y": 1, "cells": [[0, 0], [1, 0]], "weight": 1, "power": 0, "faces": "left", "goal": None},
    ],
    "moves": "rrrL",
}
"""A level of our own: turn, step from under the thing, step out at the right; the big fish leaves at the left."""


def written(folder: Path, content: Any) -> str:
    path = folder / "games.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return str(path)


def figures(text: str) -> dict[str, str]:
    lines = [line.split("  ", 1) for line in text.splitlines() if "  " in line.strip()]
    return {name.strip(): figure.strip() for name, figure in lines if name.strip()}


def test_a_sokoban_file_is_replayed_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--sokoban", written(tmp_path, [CORRIDOR, CORRIDOR])]) == 0
    found = figures(capsys.readouterr().out)
    assert int(found.pop("moves per second").replace(",", "")) > 0
    assert {
        "levels solved": "2 of 2",
        "moves": "4",
        "moves refused": "0",
        "pushes": "2",
        "longest chain": "1",
    } == found


def test_a_fish_fillets_file_is_replayed_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--fish", written(tmp_path, [TANK])]) == 0
    found = figures(capsys.readouterr().out)
    assert ("1 of 1", "4", "0") == (found["levels solved"], found["moves"], found["moves refused"])


@pytest.mark.parametrize(
    ("option", "game", "solved", "refused"),
    [
        pytest.param("--sokoban", CORRIDOR | {"lurd": "rr" + "r"}, "1 of 1", "1", id="a push into a wall"),
        pytest.param("--sokoban", CORRIDOR | {"lurd": "r"}, "0 of 1", "0", id="a crate not on its goal"),
        pytest.param("--fish", TANK | {"moves": "rrr"}, "0 of 1", "0", id="a fish that stays"),
        pytest.param("--fish", TANK | {"moves": "rrrrL"}, "1 of 1", "1", id="a fish that has left already"),
    ],
)  # fmt: skip
def test_a_recording_that_does_not_play_through_is_a_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, game: dict[str, Any], solved: str, refused: str
) -> None:
    assert main(["demo", option, written(tmp_path, [game])]) == 1
    found = figures(capsys.readouterr().out)
    assert (solved, refused) == (found["levels solved"], found["moves refused"])


def without(game: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in game.items() if key != name}


def with_model(number: int, **fields: Any) -> dict[str, Any]:
    models = [model | fields if at == number else model for at, model in enumerate(TANK["models"])]  # type: ignore[arg-type, operator]
    return TANK | {"models": models}


WRONG = {
    "not JSON": ("--sokoban", "[1,\n2", "games.json:2:2: found the end of the file (Expecting ',' delimiter)"),
    "deep JSON": ("--sokoban", "[" * 200_000, "games.json:1:33: found '[' inside 32 others"),
    "no list": ("--sokoban", {"level": "#"}, "expected a list of recorded games, found an object"),
    "no games": ("--fish", [], "expected a list of recorded games, found an empty list"),
    "no object": ("--sokoban", [CORRIDOR, 7], "game 2: expected an object, found a whole number"),
    "no level": ("--sokoban", [without(CORRIDOR, "level")], "game 1: field 'level' is missing"),
    "no moves": ("--sokoban", [without(CORRIDOR, "lurd")], "game 1: field 'lurd' is missing"),
    "moves no text": ("--sokoban", [CORRIDOR | {"lurd": None}], "field 'lurd' must be a string, found null"),
    "unknown move": ("--sokoban", [CORRIDOR | {"lurd": "rx"}], "field 'lurd' holds 'x'; a move is one of l, u, r, d"),
    "no player": ("--sokoban", [CORRIDOR | {"level": "# $.#"}], "level:1:1: found a board with no player"),
    "two players": ("--sokoban", [CORRIDOR | {"level": "#@+$#"}], "level:1:3: found a second player"),
    "sokoban given as fish": ("--fish", [CORRIDOR], "game 1: field 'models' is missing"),
    "fish given as sokoban": ("--sokoban", [TANK], "game 1: field 'lurd' is missing"),
    "no big fish": ("--fish", [with_model(1, power=0)], "one fish of power 1 and one of power 2"),
    "no cells": ("--fish", [with_model(3, cells=[])], "game 1: model 4: field 'cells' must be a list of [column, row]"),
    "odd cell": ("--fish", [with_model(3, cells=[[0, 0.5]])], "model 4: field 'cells' must be a list of [column, row]"),
    "odd weight": ("--fish", [with_model(3, weight=4)], "model 4: 'weight' must be 1, 2 or 3"),
    "odd goal": ("--fish", [with_model(3, goal="in")], "model 4: field 'goal' must be null or 'out', found 'in'"),
    "far away": ("--fish", [with_model(3, x=10**9)], "level tank cannot be built: tank: found 'model 4'"),
    "flat grid": ("--fish", [TANK | {"h": 0}], "the grid must be at least 1 by 1, found 7 by 0"),
}  # fmt: skip


@pytest.mark.parametrize(("option", "content", "message"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_file_is_refused_and_the_reason_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, content: Any, message: str
) -> None:
    assert main(["demo", option, written(tmp_path, content)]) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: ")
    assert message in told


@pytest.mark.parametrize("option", ["--sokoban", "--fish"])
def test_a_missing_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    missing = tmp_path / "nowhere.json"
    assert main(["demo", option, str(missing)]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"error: {missing}: found no file that can be read (No such file or directory); expected a ")


def test_a_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--sokoban", str(tmp_path)]) == 2
    assert f"error: {tmp_path}: found no regular file; expected a JSON file" in capsys.readouterr().err


def test_bytes_that_are_no_text_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "picture.json").write_bytes(b"\xff\xd8\xff\xe0")
    assert main(["demo", "--fish", str(tmp_path / "picture.json")]) == 2
    assert "picture.json:1:1: found the byte 0xff; expected text in UTF-8" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [[], ["dance"], ["demo", "--sokoban"], ["demo", "--sokoban", "a", "--fish", "b"], ["doctor", "--loud"]],
    ids=" ".join,
)
def test_wrong_arguments_end_with_2_and_the_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: python -m ecs_collision" in capsys.readouterr().err


def test_doctor_tells_versions_and_how_the_kernels_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == (1 if _build.stale_kernels() else 0)
    told = capsys.readouterr().out
    for name in ("python", "ecs-collision", "numpy", "esper", "sortedcontainers", "kernels"):
        assert any(line.startswith(f"{name} ") for line in told.splitlines()), name
    assert ("plain Python" in told) == bool(_build.plain_kernels())


def test_doctor_names_plain_kernels_and_what_they_cost(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_build, "plain_kernels", lambda: ("grid", "planner"))
    monkeypatch.setattr(_build, "is_pure", lambda: False)
    monkeypatch.setattr(_build, "stale_kernels", lambda: ())
    assert main(["doctor"]) == 0
    told = capsys.readouterr().out
    assert "plain Python (grid, planner): same results, hot loops 10 to 40 times slower" in told
    assert "install a C compiler; then type in the checkout:" in told
    assert "kernels           pip install --no-cache-dir --force-reinstall --no-deps ." in told


def test_doctor_names_stale_kernels_and_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_build, "stale_kernels", lambda: ("grid",))
    assert main(["doctor"]) == 1
    assert "STALE             grid: compiled before the last change" in capsys.readouterr().out


def test_a_reader_that_leaves_early_is_no_error() -> None:
    demo = subprocess.Popen(
        [sys.executable, "-m", "ecs_collision", "demo"],
        cwd=HOUSE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert demo.stdout is not None and demo.stderr is not None
    demo.stdout.readline()
    demo.stdout.close()
    told = demo.stderr.read()
    demo.stderr.close()
    assert demo.wait(timeout=300) == 1
    assert told == b""
