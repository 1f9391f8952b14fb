"""Draws a debug view with pyglet, and passes keys and the pointer on to it."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from ecs_collision.debug import controls
from ecs_collision.debug.controls import Camera, border, border_parts, line_parts
from ecs_collision.debug.view import DebugView
from ecs_collision.drawing import Label, Point, Polygon, look_of
from ecs_collision.errors import extra, how_to_install

if TYPE_CHECKING:
    import pyglet
else:
    pyglet = extra("pyglet", "the debug view in pyglet", how_to_install("pyglet"))

_VERTEX = """#version 150 core
in vec2 position; in vec4 colors; out vec4 colour;
uniform WindowBlock { mat4 projection; mat4 view; } window;
void main() { gl_Position = window.projection * window.view * vec4(position, 0.0, 1.0); colour = colors; }
"""
_FRAGMENT = """#version 150 core
in vec4 colour; out vec4 result;
void main() { result = colour; }
"""


class _Triangles:
    """Triangles in pixels from the lower left corner, with their colours, that are drawn at once."""

    def __init__(self, height: int) -> None:
        self.height, self.points, self.colours = height, list[float](), list[float]()

    def fill(self, points: list[Point], colour: tuple[float, ...]) -> None:
        """Add a convex polygon."""
        first, *rest = [(x, self.height - y) for x, y in points]
        self.points += [each for a, b in pairwise(rest) for each in (*first, *a, *b)]
        self.colours += colour * (3 * (len(points) - 2))

    def lines(self, lines: list[tuple[Point, Point]], width: float, colour: tuple[float, ...]) -> None:
        """Add lines."""
        for (ax, ay), (bx, by) in lines:
            length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5 or 1.0
            x, y = (by - ay) / length * width / 2, (ax - bx) / length * width / 2
            self.fill([(ax + x, ay + y), (ax - x, ay - y), (bx - x, by - y), (bx + x, by + y)], colour)

    def draw(self) -> None:
        """Draw all triangles, each over the ones before."""
        if self.points:
            program, batch = _program(pyglet.gl.current_context), pyglet.graphics.Batch()
            group = pyglet.graphics.ShaderGroup(program)
            values, count = {"position": ("f", self.points), "colors": ("f", self.colours)}, len(self.points) // 2
            program.vertex_list(count, pyglet.gl.GL_TRIANGLES, batch, group, **values)
            pyglet.gl.glEnable(pyglet.gl.GL_BLEND)
            pyglet.gl.glBlendFunc(pyglet.gl.GL_SRC_ALPHA, pyglet.gl.GL_ONE_MINUS_SRC_ALPHA)
            batch.draw()


def debug_draw(window: pyglet.window.BaseWindow, view: DebugView, camera: Camera, alpha: float = 1.0) -> None:
    """Draw what the camera sees over what the game has drawn.

    alpha: that of the game's clock, if the game draws with `interpolated`.
    """
    controls.begin_picture(window, view, camera)
    triangles, labels = _Triangles(window.height), list[Label]()
    for shape in view.shapes(*camera.rectangle, alpha):
        look = look_of(shape.kind)
        if isinstance(shape, Label):
            labels.append(shape)
        elif isinstance(shape, Polygon):
            points = border(shape, camera)
            if look.fill != "none" and len(points) > 2:
                triangles.fill(points, _colour(look.fill, look.opacity))
            if look.line != "none":
                triangles.lines(border_parts(points, look), look.width, _colour(look.line))
        else:
            if shape.arrow:  # a light border, to be seen on bodies of any colour
                triangles.lines(line_parts(shape, camera), look.width + 2, _colour("#ffffff"))
            triangles.lines(line_parts(shape, camera), look.width, _colour(look.line))
    placed = list(controls.label_places(labels, camera, _text_size))
    for label, x, y in placed:
        width, height = _text_size(label.text)
        plate: list[Point] = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
        triangles.fill(plate, _colour("#ffffff", 0.85 * (1.0 - label.fade)))
    triangles.draw()
    for label, x, y in placed:
        look, text = look_of(label.kind), _text(label.text)
        red, green, blue, _ = _colour(look.line if look.fill == "none" else look.fill)
        text.color = round(255 * red), round(255 * green), round(255 * blue), round(255 * (1.0 - label.fade))
        text.x, text.y = x, window.height - y
        text.draw()


class DebugHandlers:
    """The events of a window for a view: `window.push_handlers(DebugHandlers(view, camera))`.

    Keys switch layers (`KEYS`), the wheel zooms, the left button drags the picture, and a click selects a body.
    """

    def __init__(self, view: DebugView, camera: Camera) -> None:
        self._view, self._camera = view, camera

    def on_text(self, text: str) -> bool | None:
        """Switch the layer of a key."""
        return controls.press_key(text, self._view) or None

    def on_mouse_scroll(self, x: int, y: int, _dx: float, dy: float) -> bool:
        """Zoom at the pointer."""
        self._camera.zoom_at(x, self._camera.size[1] - y, controls.STEP**dy)
        return True

    def on_mouse_press(self, x: int, y: int, button: int, _modifiers: int) -> bool | None:
        """Begin a click or a drag."""
        if is_left := button == pyglet.window.mouse.LEFT:
            self._camera._press(x, self._camera.size[1] - y)
        return is_left or None

    def on_mouse_drag(self, _x: int, _y: int, dx: int, dy: int, _buttons: int, _modifiers: int) -> bool | None:
        """Move the picture."""
        if is_dragged := self._camera._pressed is not None:
            self._camera.pan(dx, -dy)
        return is_dragged or None

    def on_mouse_release(self, x: int, y: int, _button: int, _modifiers: int) -> bool | None:
        """End a drag, or select the body that was clicked."""
        return self._camera._release(self._view, x, self._camera.size[1] - y) or None


@lru_cache(1024)
def _text(text: str) -> pyglet.text.Label:
    """Return a text that can be placed and drawn."""
    return pyglet.text.Label(text, font_size=9, anchor_y="top", multiline="\n" in text, width=480)


def _text_size(text: str) -> tuple[int, int]:
    return _text(text).content_width, _text(text).content_height


@lru_cache
def _colour(colour: str, opacity: float = 1.0) -> tuple[float, ...]:
    """Return #rrggbb as numbers from 0 to 1."""
    return *(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)), opacity


@lru_cache(4)
def _program(_context: object) -> pyglet.graphics.shader.ShaderProgram:
    """Return the program that draws triangles, in a context of GL."""
    shader = pyglet.graphics.shader
    return shader.ShaderProgram(shader.Shader(_VERTEX, "vertex"), shader.Shader(_FRAGMENT, "fragment"))
