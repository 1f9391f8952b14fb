"""Contacts: which bodies are inside which triggers, and when they begin and end."""

from ecs_collision.contacts.triggers import Triggers

__all__ = ["Triggers"]
