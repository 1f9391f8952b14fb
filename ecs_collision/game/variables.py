"""The variables of a script: a dict of values that JSON represents exactly, so saving and undo restore them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from ecs_collision.errors import CollisionTypeError

MAX_DEPTH = 64
"""Maximum nesting of lists and dicts."""

MAX_BITS = 2048
"""Maximum length of integers. Python limits decimals, to 640 digits at its strictest setting."""

_PLAIN = (str, int, bool, type(None))
REMEDY = "save only None, True, False, integers, finite floats, str, lists, and dicts with str keys"


def text_of(state: Mapping[str, Any]) -> str:
    """Return a state as JSON; raises CollisionTypeError with the key of a value that JSON cannot represent."""
    if not state:
        return "{}"
    check(state, "state")
    return json.dumps(state, ensure_ascii=False, separators=(",", ":"))


def canonical(state: Mapping[str, Any]) -> str:
    """Return a state as JSON with sorted keys: equal for equal states."""
    check(state, "state")
    return json.dumps(state, ensure_ascii=True, separators=(",", ":"), sort_keys=True)


def check(value: object, where: str, depth: int = 0) -> None:
    """Raise CollisionTypeError with the location of the first invalid value."""
    kind = type(value)
    if kind in _PLAIN or (kind is float and math.isfinite(value)):  # type: ignore[arg-type]
        if kind is str:
            _check_text(value, where)  # type: ignore[arg-type]
        elif kind is int and value.bit_length() > MAX_BITS:  # type: ignore[attr-defined]
            raise CollisionTypeError(
                f"{where} is an integer of {value.bit_length()} bits; "  # type: ignore[attr-defined]
                f"{REMEDY}, at most {MAX_BITS} bits long"
            )
        return
    if depth >= MAX_DEPTH:
        raise CollisionTypeError(f"{where} is nested {depth} deep or in itself; {REMEDY}, at most {MAX_DEPTH} deep")
    if kind is list:
        for index, item in enumerate(value):  # type: ignore[var-annotated, arg-type]
            check(item, f"{where}[{index}]", depth + 1)
    elif kind is dict:
        for key, item in value.items():  # type: ignore[attr-defined]
            if type(key) is not str:
                raise CollisionTypeError(f"{where} has the key {key!r}, which is not a str; {REMEDY}")
            _check_text(key, where)
            check(item, f"{where}[{key!r}]", depth + 1)
    else:
        raise CollisionTypeError(f"{where} is {value!r}, which cannot be saved; {REMEDY}")


def _check_text(text: str, where: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise CollisionTypeError(f"{where} contains {text!r}, which UTF-8 cannot encode; {REMEDY}") from None
