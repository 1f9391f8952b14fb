"""Who is inside which trigger: begin and end of overlap, from frame to frame."""

from ecs_collision.contacts.triggers import Triggers

__all__ = ["Triggers"]
