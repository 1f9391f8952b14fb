"""Contacts of two parts: a normal, a depth and up to four points (rule H9).

There is a file for each pair of kinds; kinds that are computed alike share one.
"""

from ecs_collision.shapes.contact.contact_of import (
    ContactManifold,
    contact_of,
    deepest_contact,
    deepest_normal,
    normal_of,
)

__all__ = ["ContactManifold", "contact_of", "deepest_contact", "deepest_normal", "normal_of"]
