"""`python -m ecs_collision`: what it prints, what it returns, and what it says about wrong input."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import ecs_collision
from ecs_collision import _build
from ecs_collision.__main__ import main

HOUSE = Path(__file__).resolve().parents[2]


WRONG_ARGUMENTS = {
    "dance": "invalid choice: 'dance'",
    "demo --loud": "unrecognized arguments: --loud",
    "doctor --loud": "unrecognized arguments: --loud",
    "play --which": "argument --which: expected one argument",
    "replay": "the following arguments are required: FILE",
    "replay x.play --delay soon": "argument --delay: 'soon' is not a number of seconds; give one from 0 up",
    "replay x.play --delay -1": "argument --delay: '-1' is not a number of seconds",
    "replay x.play --delay nan": "argument --delay: 'nan' is not a number of seconds",
    "verify": "the following arguments are required: DIR",
    "verify x --jobs none": "argument --jobs: 'none' is not a whole number from 1 up",
    "verify x --jobs 0": "argument --jobs: '0' is not a whole number from 1 up",
    "verify x --jobs 1025": "argument --jobs: 1025 are too many; give at most 1024, or -1 for all cores",
    "verify x --backend x": "argument --backend: invalid choice: 'x'",
    "solve": "the following arguments are required: LEVEL",
    "solve x --max-states 0": "argument --max-states: '0' is not a whole number from 1 up",
    "solve x --seconds soon": "argument --seconds: 'soon' is not a number of seconds",
}


def test_without_arguments_there_is_help(capsys):
    assert 0 == main([])
    output = capsys.readouterr().out
    assert output.startswith("usage: python -m ecs_collision [-h] [--version] COMMAND")
    commands = {"play", "replay", "verify", "solve", "demo", "doctor", '"$(register-python-argcomplete'}
    assert not commands - set(output.split())


def test_the_version_is_that_of_the_package(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert (0, f"ecs-collision {ecs_collision.__version__}\n") == (ended.value.code, capsys.readouterr().out)


def test_the_script_has_its_name_in_its_help(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["/some/bin/ecs-collision"])
    main([])
    assert capsys.readouterr().out.startswith("usage: ecs-collision [-h]")


def test_tab_completes_commands():
    pytest.importorskip("argcomplete")
    line = "ecs-collision so"
    environment = dict(os.environ) | {
        "_ARGCOMPLETE": "1", "_ARGCOMPLETE_IFS": " ", "_ARGCOMPLETE_STDOUT_FILENAME": "/dev/stdout",
        "COMP_LINE": line, "COMP_POINT": str(len(line)),
    }  # fmt: skip
    done = subprocess.run([sys.executable, "-m", "ecs_collision"], env=environment, capture_output=True, text=True)
    assert "solve" == done.stdout.strip(), done.stderr


@pytest.mark.parametrize(("arguments", "message"), WRONG_ARGUMENTS.items())
def test_wrong_arguments_exit_with_2_the_usage_and_what_is_expected(capsys, arguments, message):
    with pytest.raises(SystemExit) as ended:
        main(arguments.split())
    assert 2 == ended.value.code
    printed = capsys.readouterr().err
    assert "usage: python -m ecs_collision" in printed and message in printed


def test_a_warning_is_one_line_without_a_source_line(tmp_path, capsys):
    level = tmp_path / "thin.txt"
    level.write_text("legend\na ant: SphereCollider(0.1)\n\nmap\na\n", encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        main(["doctor", str(level)])
    lines = capsys.readouterr().err.splitlines()
    assert 1 == len(lines) and lines[0].startswith("warning: ") and "thin.txt" in lines[0]


def test_doctor_prints_versions_and_whether_the_hot_files_are_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == (1 if _build.stale_hot_files() else 0)
    output = capsys.readouterr().out
    for name in ("python", "ecs-collision", "numpy", "esper", "sortedcontainers", "kernels"):
        assert any(line.startswith(f"{name} ") for line in output.splitlines()), name
    assert ("plain Python" in output) == bool(_build.plain_hot_files())


def test_doctor_names_plain_kernels_and_what_they_cost(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_build, "plain_hot_files", lambda: ("grid", "planner"))
    monkeypatch.setattr(_build, "is_pure", lambda: False)
    monkeypatch.setattr(_build, "stale_hot_files", lambda: ())
    assert main(["doctor"]) == 0
    output = capsys.readouterr().out
    assert "plain Python (grid, planner): same results, 20 to 110 times slower" in output
    assert "install a C compiler and run this in the source folder:" in output
    assert "kernels           pip install --no-cache-dir --force-reinstall --no-deps ." in output


def test_doctor_names_stale_kernels_and_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_build, "stale_hot_files", lambda: ("grid",))
    assert main(["doctor"]) == 1
    assert "STALE             grid: compiled before the source was last changed" in capsys.readouterr().out


WRONG = """\
tilte_of_game: x
legend
# wall: Static
@ player: Motion(1), Collider(layer="player")
o eye: Trigger(mask="palyer")
map
######
#@ o #
######
"""
SCRIPT = "def script(puzzle):\n    puzzle.set('eye', 'Trigger', mask='player')\n    puzzle.level['tilte_of_game']\n"


def test_doctor_with_levels_prints_what_is_probably_not_meant_in_each_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    level = tmp_path / "tower.txt"
    level.write_text(WRONG, encoding="utf-8")
    assert main(["doctor", str(level), "first_push"]) == 1
    assert [
        f"{level} 1: level 1: 2 lines of advice",
        "  'eye' (entity 3): its Trigger.mask names the layer 'palyer', which no body has; did you mean 'player'?",
        "  nothing uses the property 'tilte_of_game' of the level; correct it if a setting was meant (docs/levels.md), "
        "or use it in the script",
        "first_push 1: First push: nothing to do",
    ] == capsys.readouterr().out.splitlines()
    assert main(["doctor", "first_push", "two_plates"]) == 0


def test_doctor_runs_a_script_only_if_it_may_but_reads_which_properties_it_uses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    level, script = tmp_path / "tower.txt", tmp_path / "tower.py"
    level.write_text(WRONG, encoding="utf-8")
    script.write_text(SCRIPT.replace("puzzle.level[", "puzzle.level.properties["), encoding="utf-8")
    assert main(["doctor", str(level)]) == 1
    output = capsys.readouterr().out.splitlines()
    assert f"  The script {script} was not run; add --script if you trust it." == output[1]
    assert "palyer" in output[2]
    assert 3 == len(output)
    assert main(["doctor", "--script", str(level), "first_push"]) == 0


def test_doctor_runs_no_program_and_says_how_to_examine_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = tmp_path / "game.py"
    game.write_text("raise SystemExit(7)")
    assert main(["doctor", str(game)]) == 2
    assert "this is a program: to examine its world, print system.doctor() in it" in capsys.readouterr().err


def test_doctor_examines_every_level_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    boards = tmp_path / "boards.xsb"
    boards.write_text("; one\n\n#####\n#@$.#\n#####\n\n; two\n\n#####\n#@$.#\n#####\n", encoding="utf-8")
    assert main(["doctor", str(boards)]) == 0
    assert 2 == len(capsys.readouterr().out.splitlines())


def test_a_reader_that_closes_the_pipe_is_no_error() -> None:
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
    output = demo.stderr.read()
    demo.stderr.close()
    assert demo.wait(timeout=300) == 1
    assert output == b""


def test_kinds_of_another_file_are_used_and_a_play_of_them_is_not_saved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    level, kinds = tmp_path / "room.xsb", tmp_path / "heavy.json"
    level.write_text("#####\n#@$.#\n#####\n", encoding="utf-8")
    kinds.write_text('{"crate": {"Inertia": 2}}', encoding="utf-8")
    assert main(["solve", str(level)]) == 0
    assert main(["solve", str(level), "--kinds", str(kinds)]) == 1
    capsys.readouterr()
    assert main(["solve", str(level), "--kinds", str(kinds), "--save"]) == 2
    beside = level.with_suffix(".kinds.json")
    assert f"a play names only its level: copy the kinds to {beside} to save plays" in capsys.readouterr().err
    kinds.rename(beside)
    assert main(["solve", str(level)]) == 1
    beside.write_text('{"crate": {"Inertia": 0.5}}', encoding="utf-8")
    assert main(["solve", str(level), "--kinds", str(beside), "--save"]) == 0
    assert main(["replay", str(level.with_suffix(".play")), "--delay", "0"]) == 0
