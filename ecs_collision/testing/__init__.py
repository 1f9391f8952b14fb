"""Test kit for games. Names are imported on first use."""

from typing import TYPE_CHECKING

from ecs_collision._lazy import lazy

if TYPE_CHECKING:  # what type checkers and editors read
    from ecs_collision.testing.assertions import assert_blocked as assert_blocked
    from ecs_collision.testing.assertions import assert_board as assert_board
    from ecs_collision.testing.assertions import assert_moved as assert_moved
    from ecs_collision.testing.assertions import assert_no_overlap as assert_no_overlap
    from ecs_collision.testing.assertions import assert_pushed as assert_pushed
    from ecs_collision.testing.boards import Board as Board
    from ecs_collision.testing.boards import MakeBoard as MakeBoard
    from ecs_collision.testing.boards import picture as picture
    from ecs_collision.testing.compare_worlds import assert_same_future as assert_same_future
    from ecs_collision.testing.events import assert_events as assert_events
    from ecs_collision.testing.recorder import MakeRecorder as MakeRecorder
    from ecs_collision.testing.recorder import Recorder as Recorder
    from ecs_collision.testing.recorder import record as record
    from ecs_collision.testing.recording_of_test import keep_scene as keep_scene
    from ecs_collision.testing.scene_reading import load_scene as load_scene
    from ecs_collision.testing.scene_reading import parse_scene as parse_scene
    from ecs_collision.testing.scene_recording import record_scene as record_scene
    from ecs_collision.testing.scene_recording import write_scene as write_scene
    from ecs_collision.testing.scenes import Push as Push
    from ecs_collision.testing.scenes import Scene as Scene
    from ecs_collision.testing.scenes import push as push
    from ecs_collision.testing.scenes import scene as scene
    from ecs_collision.testing.worlds import fresh_world as fresh_world
else:
    __all__, __getattr__, __dir__ = lazy(
        __name__,
        assertions="assert_blocked assert_board assert_moved assert_no_overlap assert_pushed",
        boards="Board MakeBoard picture",
        compare_worlds="assert_same_future",
        events="assert_events",
        recorder="MakeRecorder Recorder record",
        recording_of_test="keep_scene",
        scene_reading="load_scene parse_scene",
        scene_recording="record_scene write_scene",
        scenes="Push Scene push scene",
        worlds="fresh_world",
    )
