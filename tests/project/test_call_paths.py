"""The call paths drawn in ARCHITECTURE match the plain package."""

from __future__ import annotations

import subprocess
import sys
from os import environ
from pathlib import Path

HOUSE = Path(__file__).parents[2]


def test_the_drawn_call_paths_match_the_code() -> None:
    command = [sys.executable, "tests/support/call_paths.py"]
    environment = {**environ, "PYTHONPATH": str(HOUSE)}
    run = subprocess.run(command, cwd=HOUSE, env=environment, check=True, capture_output=True, text=True)
    architecture = (HOUSE / "ARCHITECTURE.md").read_text(encoding="utf-8")
    drawn = architecture.partition("## Two paths")[2].partition("\n## ")[0]
    assert run.stdout.split("\n\n")[:2] == [block.strip("\n") for block in drawn.split("```")[1::2]]
