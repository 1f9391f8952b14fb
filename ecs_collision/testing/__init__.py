"""Help for those who test a game, and the rules told a second time: nothing is imported until it is asked for."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ecs_collision.testing.assertions import assert_blocked, assert_board, assert_moved, assert_pushed
    from ecs_collision.testing.boards import Board, picture
    from ecs_collision.testing.compare_worlds import assert_same_future
    from ecs_collision.testing.event_assertions import assert_events
    from ecs_collision.testing.oracle import Divergence, Oracle, check_scene, checked
    from ecs_collision.testing.overlaps import assert_no_overlap
    from ecs_collision.testing.recorder import Recorder, record
    from ecs_collision.testing.recording_of_test import keep_scene
    from ecs_collision.testing.scene_reading import load_scene, parse_scene
    from ecs_collision.testing.scene_recording import record_scene, write_scene
    from ecs_collision.testing.scenes import Push, Scene, push, scene
    from ecs_collision.testing.worlds import fresh_world

__all__ = [
    "Board",
    "Divergence",
    "Oracle",
    "Push",
    "Recorder",
    "Scene",
    "assert_blocked",
    "assert_board",
    "assert_events",
    "assert_moved",
    "assert_no_overlap",
    "assert_pushed",
    "assert_same_future",
    "check_scene",
    "checked",
    "fresh_world",
    "keep_scene",
    "load_scene",
    "parse_scene",
    "picture",
    "push",
    "record",
    "record_scene",
    "scene",
    "write_scene",
]

_HOME_OF = {
    "assert_blocked": "assertions",
    "assert_board": "assertions",
    "assert_moved": "assertions",
    "assert_pushed": "assertions",
    "Board": "boards",
    "picture": "boards",
    "assert_events": "event_assertions",
    "keep_scene": "recording_of_test",
    "assert_same_future": "compare_worlds",
    "Divergence": "oracle",
    "Oracle": "oracle",
    "check_scene": "oracle",
    "checked": "oracle",
    "assert_no_overlap": "overlaps",
    "Recorder": "recorder",
    "record": "recorder",
    "load_scene": "scene_reading",
    "parse_scene": "scene_reading",
    "record_scene": "scene_recording",
    "write_scene": "scene_recording",
    "Push": "scenes",
    "Scene": "scenes",
    "push": "scenes",
    "scene": "scenes",
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
