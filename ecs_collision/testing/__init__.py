"""Help for those who test a game, and the rules told a second time: nothing is imported until it is asked for."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ecs_collision.testing.worlds import fresh_world

__all__ = ["fresh_world"]

_HOME_OF = {
    "fresh_world": "worlds",
}
"""Names to the modules they are imported from."""

if not TYPE_CHECKING:  # a checker that saw this would take any misspelt name for good

    def __getattr__(name: str) -> Any:
        """Import a name when it is first asked for."""
        if name not in _HOME_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
