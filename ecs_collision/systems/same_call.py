"""Calls that are passed on to another object are described once: there."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

Call = TypeVar("Call", bound=Callable[..., Any])


def same_as(original: Callable[..., object] | property) -> Callable[[Call], Call]:
    """Decorate a call that is passed on to `original`: it has the same docstring and the same keyword arguments."""

    def decorate(call: Call) -> Call:
        call.__doc__ = original.__doc__
        signature = inspect.signature(call)
        *own, last = signature.parameters.values()
        if last.kind is last.VAR_KEYWORD and not isinstance(original, property):
            named = [each for each in inspect.signature(original).parameters.values() if each.kind is each.KEYWORD_ONLY]
            call.__signature__ = signature.replace(parameters=[*own, *named])  # type: ignore[attr-defined]
        return call

    return decorate
