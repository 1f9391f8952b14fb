"""Names of `ecs_collision.drawing` for those who draw a view themselves."""

from ecs_collision.drawing import LOOKS, Label, Line, Look, Polygon, svg_of

__all__ = ["LOOKS", "Label", "Line", "Look", "Polygon", "svg_of"]
