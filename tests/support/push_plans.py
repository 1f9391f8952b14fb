"""Reads drawings of pushes, before and after: those of scenes/pushes.txt and of docs/rules.md."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from material import HOUSE

SOURCE = Path(__file__).parent / "scenes" / "pushes.txt"
RULES = HOUSE / "docs" / "rules.md"


@dataclass(frozen=True)
class Plan:
    """One push in tiles; `how` are its options, `stop` has the letters of the blockers and the reason."""

    name: str
    before: str
    after: str
    way: tuple[int, int]
    how: dict[str, Any]
    axis_order: str
    inertias: dict[str, float]
    stop: tuple[str, str] | None


def read(text: str) -> list[Plan]:
    """Return the plans of a text in order."""
    text = re.sub(r"^# .*\n|^#\n", "", text, flags=re.MULTILINE)
    return [_plan(block.splitlines()) for block in re.split(r"\n\s*\n", text.strip())]


def pictured(document: str) -> list[Plan]:
    """Return the plans of a document: its text blocks that begin with a name and a path, such as `P6: x+4`."""
    blocks = re.findall(r"^```text\n([\w-]+: [xy][+-].*?)^```$", document, flags=re.MULTILINE | re.DOTALL)
    return [plan for block in blocks for plan in read(block)]


def _plan(lines: list[str]) -> Plan:
    name, _, options = lines[0].partition(":")
    before, after = ("\n".join(column) for column in zip(*(line.split() for line in lines[1:]), strict=True))
    way, inertias, stop = {"x": 0, "y": 0}, {}, None
    settings: dict[str, Any] = {"force": 5.0, "rule": "each", "max_chain": None, "all_or_nothing": False, "axes": "xyz"}
    for option in options.split():
        key, _, value = option.partition("=")
        if option[0] in way:
            way[option[0]] = int(option[1:])
        elif option.startswith("stop:"):
            _, sign, reason = option.split(":")
            stop = (sign, reason)
        elif len(key) == 1:
            inertias[key] = float(value)
        else:
            settings |= _rule(key, value)
    return Plan(name, before, after, (way["x"], way["y"]), settings, settings.pop("axes"), inertias, stop)


def _rule(key: str, value: str) -> dict[str, Any]:
    known: dict[str, Any] = {
        "force": lambda: {"force": float(value)},
        "rule": lambda: {"rule": value},
        "max_chain": lambda: {"max_chain": int(value)},
        "all_or_nothing": lambda: {"all_or_nothing": True},
        "axes": lambda: {"axes": value},
    }
    found: dict[str, Any] = known[key]()
    return found


PLANS = [*read(SOURCE.read_text(encoding="utf-8")), *pictured(RULES.read_text(encoding="utf-8"))]
