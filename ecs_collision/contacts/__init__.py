"""Contacts: which bodies are inside which triggers, which solid ones touch or overlap, and when they begin and end."""

from ecs_collision.contacts.solid_overlaps import SolidOverlaps
from ecs_collision.contacts.triggers import Triggers

__all__ = ["SolidOverlaps", "Triggers"]
