"""Draws a debug view with pygame-ce, and passes keys and the pointer on to it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ecs_collision.debug.controls import (
    STEP,
    Camera,
    begin_picture,
    border,
    border_parts,
    is_rectangle,
    label_places,
    line_parts,
    press_key,
)
from ecs_collision.debug.view import DebugView
from ecs_collision.drawing import Label, Point, Polygon, look_of
from ecs_collision.errors import extra, how_to_install

if TYPE_CHECKING:
    import pygame
else:
    pygame = extra("pygame", "the debug view in pygame", how_to_install("pygame"))

_MAX_SPRITE = 200
"""Size in pixels up to which boxes and balls are drawn once and copied."""

_TEXT_SIZE, _MAX_TEXTS = 18, 8000
_texts: dict[tuple[str, str], pygame.Surface] = {}


def debug_draw(surface: pygame.Surface, view: DebugView, camera: Camera, alpha: float = 1.0) -> None:
    """Draw what the camera sees over what the game has drawn.

    alpha: that of the game's clock, if the game draws with `interpolated`.
    """
    begin_picture(surface, view, camera)
    x0, y0, x1, y1 = camera.rectangle
    zoom, blits, labels = camera.zoom, list[tuple[pygame.Surface, tuple[int, int]]](), list[Label]()
    for shape in view.shapes(x0, y0, x1, y1, alpha):
        if isinstance(shape, Polygon):
            kind, corners, radius, _ = shape
            (x, y), (end_x, end_y) = corners[0], corners[len(corners) // 2]
            is_round = len(corners) == 1
            if is_round or (not radius and is_rectangle(corners)):
                left, top = int((x - radius - x0) * zoom), int((y - radius - y0) * zoom)
                width, height = int((end_x + radius - x0) * zoom) - left, int((end_y + radius - y0) * zoom) - top
                if width < _MAX_SPRITE and height < _MAX_SPRITE:
                    blits.append((_sprite(kind, width, height, is_round), (left, top)))
                    continue
        elif isinstance(shape, Label):
            labels.append(shape)
            continue
        if blits:
            surface.blits(blits, False)
            blits.clear()
        if isinstance(shape, Polygon):
            _draw_polygon(surface, shape, camera)
            continue
        parts, look = line_parts(shape, camera), look_of(shape.kind)
        if shape.arrow:  # a light border, to be seen on bodies of any colour
            _draw_lines(surface, parts, "#ffffff", look.width + 2)
        _draw_lines(surface, parts, look.line, look.width)
    surface.blits(blits, False)
    if labels:
        _draw_labels(surface, labels, camera)


def handle_event(event: pygame.event.Event, view: DebugView, camera: Camera) -> bool:
    """Use an event for the view; return whether it was one for it, so that a game can leave it out.

    Keys switch layers (`KEYS`), the wheel zooms, the left button drags the picture, and a click selects a body.
    """
    if event.type == pygame.KEYDOWN:
        return press_key(getattr(event, "unicode", ""), view)
    if event.type == pygame.MOUSEWHEEL:
        camera.zoom_at(*pygame.mouse.get_pos(), STEP**event.y)
        return True
    if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
        camera._press(*event.pos)
        return True
    if event.type == pygame.MOUSEMOTION and camera._pressed is not None:
        camera.pan(*event.rel)
        return True
    return event.type == pygame.MOUSEBUTTONUP and event.button == 1 and camera._release(view, *event.pos)


@lru_cache(2048)
def _sprite(kind: str, width: int, height: int, is_round: bool) -> pygame.Surface:
    """Return the picture of a box or a ball."""
    look = look_of(kind)
    size = max(width, 1), max(height, 1)
    is_opaque = look.opacity == 1.0 and look.fill != "none" and not is_round and not look.dashed
    sprite = pygame.Surface(size, 0 if is_opaque else pygame.SRCALPHA, 32)
    draw = pygame.draw.ellipse if is_round else pygame.draw.rect
    if look.fill != "none":
        draw(sprite, f"{look.fill}{round(255 * look.opacity):02x}", sprite.get_rect())
    if look.line != "none" and not look.dashed:
        draw(sprite, look.line, sprite.get_rect(), max(1, round(look.width)))
    elif look.line != "none":
        camera, middle, inset = Camera(size[0] / 2, size[1] / 2, 1.0, size), min(size) / 2, look.width / 2
        low, right, bottom = inset, size[0] - inset, size[1] - inset
        box = ((low, low), (right, low), (right, bottom), (low, bottom))
        shape = Polygon(kind, ((middle, middle),), middle - inset) if is_round else Polygon(kind, box)
        _draw_lines(sprite, border_parts(border(shape, camera), look), look.line, look.width)
    return sprite


def _draw_polygon(surface: pygame.Surface, shape: Polygon, camera: Camera) -> None:
    look, points = look_of(shape.kind), border(shape, camera)
    if look.fill != "none" and len(points) > 2:
        if look.opacity == 1.0:
            pygame.draw.polygon(surface, look.fill, points)
        else:
            (left, top), (right, bottom) = (map(int, map(edge, zip(*points, strict=True))) for edge in (min, max))
            area = pygame.Rect(left, top, right - left + 1, bottom - top + 1).clip(surface.get_rect())
            glass = pygame.Surface(area.size, pygame.SRCALPHA)
            moved = [(x - area.x, y - area.y) for x, y in points]
            pygame.draw.polygon(glass, f"{look.fill}{round(255 * look.opacity):02x}", moved)
            surface.blit(glass, area)
    if look.line != "none":
        _draw_lines(surface, border_parts(points, look), look.line, look.width)


def _draw_lines(surface: pygame.Surface, lines: list[tuple[Point, Point]], colour: str, width: float) -> None:
    for start, end in lines:
        pygame.draw.line(surface, colour, start, end, max(1, round(width)))


def _draw_labels(surface: pygame.Surface, labels: list[Label], camera: Camera) -> None:
    """Draw texts on plates, so that they can be read on everything."""
    if not pygame.font.get_init():
        pygame.font.init()
    font = pygame.font.Font(None, _TEXT_SIZE)
    if len(_texts) > _MAX_TEXTS:
        _texts.clear()

    def text_of(text: str, colour: str = "") -> pygame.Surface:
        found = _texts.get((text, colour))
        if found is None:
            found = _texts[text, colour] = font.render(text, True, colour or "#000000", "#ffffff").convert(surface)
        return found

    for label, left, top in label_places(labels, camera, lambda text: text_of(text).get_size()):
        look = look_of(label.kind)
        text = text_of(label.text, look.line if look.fill == "none" else look.fill)
        text.set_alpha(round(220 * (1.0 - label.fade)))
        surface.blit(text, (left, top))
