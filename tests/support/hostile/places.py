"""Checks the positions in errors: a line and a column, or a JSON pointer that resolves."""

from __future__ import annotations

import json
from pathlib import Path

from ecs_collision.errors import LevelError


def untrue(problem: LevelError, inside: Path, whole: bool = False) -> list[str]:
    """Return the faults of the position in an error; with `whole` it may have none."""
    lies = []
    if not str(problem).isprintable():
        lies.append(f"the message holds what no terminal should see: {str(problem)[:300]!r}")
    if len(str(problem)) > 2000:
        lies.append(f"the message is {len(str(problem))} characters long")
    if not (problem.found and problem.remedy):
        lies.append("the message leaves out what was found or what to do")
    path = inside / problem.file
    if not path.is_file():
        return lies + ([] if whole else [f"the file {problem.file!r} is not there"])
    data = path.read_bytes()
    if problem.line is None and problem.pointer is None and not whole:
        lies.append("no place is named")
    if problem.line is not None and not has_place(data, problem.line, problem.column):
        lies.append(f"line {problem.line}, column {problem.column} is not in the file")
    if problem.column is not None and problem.line is None:
        lies.append("a column without its line")
    if problem.pointer is not None and not leads_somewhere(data, problem.pointer):
        lies.append(f"the pointer {problem.pointer!r} leads nowhere")
    return lies


def has_place(data: bytes, line: int, column: int | None) -> bool:
    """Return whether a file has this line and column; the column may be directly after its end."""
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return 1 <= line <= len(lines) and (column is None or 1 <= column <= len(lines[line - 1]) + 1)


def leads_somewhere(data: bytes, pointer: str) -> bool:
    """Return whether a pointer resolves in a document; its last key may be missing."""
    if pointer == "":
        return True
    if not pointer.startswith("/"):
        return False
    try:
        spot = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return False
    *path, last = (step.replace("~1", "/").replace("~0", "~") for step in pointer[1:].split("/"))
    for step in path:
        if not has(spot, step):
            return False
        spot = spot[int(step)] if isinstance(spot, list) else spot[step]
    return isinstance(spot, dict) or has(spot, last)


def has(spot: object, step: str) -> bool:
    """Return whether a value has a member."""
    if isinstance(spot, list):
        return step.isascii() and step.isdigit() and str(int(step)) == step and int(step) < len(spot)
    return isinstance(spot, dict) and step in spot
