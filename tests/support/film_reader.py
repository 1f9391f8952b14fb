"""Reads a film as the page does: the state of every body at each step."""

from __future__ import annotations

import base64
import gzip
import json
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

STEP_KEYS = {
    "label", "act", "frame", "moved", "turned", "shown", "hidden", "slept", "woke", "kinds", "groups", "shapes",
    "components", "events", "results", "notes",
}  # fmt: skip
SWITCHES = (("shown", "shown", 1), ("hidden", "shown", 0), ("slept", "asleep", 1), ("woke", "asleep", 0))
FIELDS = {"turned": "rotation", "kinds": "kind", "groups": "group", "shapes": "parts", "components": "components"}
BODY_KEYS = {"id", "name", "kind", "at", "rotation", "parts", "group", "asleep", "shown", "components"}


def film_in(page: Path) -> dict[str, Any]:
    """Return the film in a page."""
    found = re.search(r'id="film"[^>]*>([^<]*)<', page.read_text(encoding="utf-8"))
    assert found is not None
    film: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(found[1])))
    return film


def states(film: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """Return the bodies after each step; raises AssertionError for a film that is not valid."""
    film = json.loads(json.dumps(film, allow_nan=False))
    assert {"version", "title", "remarks", "flat", "bin", "bodies", "steps", "open_at"} == film.keys()
    assert 1 == film["version"] and 0 <= film["open_at"] < len(film["steps"])
    bodies = film["bodies"]
    assert all(body.keys() == BODY_KEYS for body in bodies)
    found = []
    for step in film["steps"]:
        assert step.keys() <= STEP_KEYS and isinstance(step["label"], str)
        apply(step, bodies)
        check_events(step, len(bodies))
        found.append(deepcopy(bodies))
    return found


def apply(step: dict[str, Any], bodies: list[dict[str, Any]]) -> None:
    """Change the bodies as a step says."""
    moved = step.get("moved", {"i": []})
    for axis, name in enumerate("xyz"):
        for index, by in zip(moved["i"], moved.get(name, []), strict=name in moved):
            assert isinstance(by, int)
            bodies[index]["at"][axis] += by
    for key, field, value in SWITCHES:
        for index in step.get(key, []):
            assert bodies[index][field] != value, (key, index)
            bodies[index][field] = value
    for key, field in FIELDS.items():
        for index, value in step.get(key, []):
            assert bodies[index][field] != value, (key, index)
            bodies[index][field] = value


def check_events(step: dict[str, Any], count: int) -> None:
    """Check that events and results name bodies of the film."""
    for event in step.get("events", []):
        assert event["text"] and event["name"] and all(0 <= index < count for index in event["bodies"])
    for result in step.get("results", []):
        named = [result["body"], *(row[0] for row in result["pushed"])]
        named += [each for row in result["links"] for each in row[:2]]
        named += [each for stop in result["stops"] for each in stop["blockers"]]
        assert all(0 <= index < count for index in named)
