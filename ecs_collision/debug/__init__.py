"""Looking at a world: what it draws, what it did and why, in a window or as a page for a browser.

`with_pygame` and `with_pyglet` draw a `DebugView`; they are modules of this package, because they need a library.
"""

from typing import TYPE_CHECKING

from ecs_collision._lazy import lazy

if TYPE_CHECKING:  # what type checkers and editors read
    from ecs_collision.debug.controls import KEYS as KEYS
    from ecs_collision.debug.controls import Camera as Camera
    from ecs_collision.debug.layers import DEFAULT_LAYERS as DEFAULT_LAYERS
    from ecs_collision.debug.layers import Layer as Layer
    from ecs_collision.debug.shapes import LOOKS as LOOKS
    from ecs_collision.debug.shapes import Label as Label
    from ecs_collision.debug.shapes import Line as Line
    from ecs_collision.debug.shapes import Look as Look
    from ecs_collision.debug.shapes import Polygon as Polygon
    from ecs_collision.debug.shapes import svg_of as svg_of
    from ecs_collision.debug.view import DebugView as DebugView
else:
    __all__, __getattr__, __dir__ = lazy(
        __name__,
        controls="KEYS Camera",
        layers="DEFAULT_LAYERS Layer",
        view="DebugView",
        shapes="LOOKS Label Line Look Polygon svg_of",
    )
