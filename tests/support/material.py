"""Recorded games and maps for tests, stored next to the project and not part of it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

HOUSE = Path(__file__).resolve().parents[2]
FOLDER = HOUSE.parent / "shared" / "data"


def material(name: str) -> Path:
    """Return the path of a recorded file. If it is missing, the test fails with CI=true and is skipped otherwise."""
    path = FOLDER / name
    if path.exists():
        return path
    message = f"recorded material is missing: ../shared/data/{name}, relative to the repository"
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(message, pytrace=False)
    pytest.skip(message, allow_module_level=True)


def recorded(name: str) -> Any:
    """Return the content of a recorded JSON file."""
    return json.loads(material(name).read_text(encoding="utf-8"))
