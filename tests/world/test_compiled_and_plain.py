"""Compiled and plain kernels give the same bytes for the same games, with any hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import zip_longest
from pathlib import Path

import pytest
import random_games
from material import HOUSE

from ecs_collision._build import compiled_file, hot_files, is_pure


def players(folder: Path, share: int, **worlds: dict[str, str]) -> dict[str, list[str]]:
    """Play part of all random games, each in a process of its own, and return their output by name."""
    running = {}
    for name, settings in worlds.items():
        paths = os.pathsep.join([str(HOUSE), str(HOUSE / "tests"), *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = {**os.environ, "PYTHONPATH": paths, **settings}
        command = [sys.executable, "-X", "utf8", random_games.__file__, "transcript", str(share)]
        with (folder / name).open("wb") as out, (folder / f"{name}.err").open("wb") as err:
            running[name] = subprocess.Popen(command, env=environment, cwd=HOUSE, stdout=out, stderr=err)
    for name, process in running.items():
        status, complaints = process.wait(), (folder / f"{name}.err").read_text(encoding="utf-8")
        assert (0, "") == (status, complaints), f"{name} failed:\n{complaints}"
    return {name: (folder / name).read_text(encoding="utf-8").splitlines() for name in running}


def assert_same(one: list[str], other: list[str], names: str) -> None:
    """Fail with the first line in which two transcripts differ."""
    for number, (first, second) in enumerate(zip_longest(one, other, fillvalue="(no more)")):
        if first != second:
            at = next((at for at, pair in enumerate(zip(first, second, strict=False)) if len(set(pair)) > 1), 0)
            begin = max(0, at - 60)
            pytest.fail(
                f"{names} differ first in line {number}, at character {at} of {first[:50]!r}:\n"
                f"  ...{first[begin : at + 120]}\n  ...{second[begin : at + 120]}",
                pytrace=False,
            )


@pytest.mark.skipif(is_pure(), reason="the run with compiled kernels compares both")
@pytest.mark.parametrize("share", [3, pytest.param(1, marks=pytest.mark.soak)])
def test_compiled_and_plain_kernels_play_the_same_games_byte_for_byte(tmp_path, share):
    """The first third of each game; the golden games cover more in both forms."""
    missing = [source.stem for source in hot_files() if compiled_file(source) is None]
    if missing:
        pytest.skip(f"not compiled: {', '.join(missing)}")
    output = players(
        tmp_path,
        share,
        compiled={"ECS_COLLISION_PURE": "0", "PYTHONHASHSEED": "1"},
        plain={"ECS_COLLISION_PURE": "1", "PYTHONHASHSEED": "2"},
    )
    assert_same(output["compiled"], output["plain"], "compiled and plain")
    lines = "\n".join(output["compiled"])
    for wanted in (
        "Woke(", "Moved(", "Pushed(", "TriggerLeft(", "TriggerEntered(", "TriggerStayed(", "FellAsleep(", "CastHit(",
        "reason=DELETED", "reason=DISABLED", "reason=FILTERED", "reason=MOVED", "reason=FORCE", "reason=IMMOVABLE",
        "reason=CHAIN_LIMIT", "reason=HOOK", "reason=BOUNDS", "reason=ALL_OR_NOTHING", "InvalidChanges",
    ):  # fmt: skip
        assert wanted in lines, f"no game has {wanted}, so the comparison proves too little"
