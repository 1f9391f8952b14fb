# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Why a contact ended, and the row it is reported under (rules T3, T6 and C3): decided only here."""

from __future__ import annotations

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.bodies.columns import Columns
    from cython.cimports.ecs_collision.bodies.group_links import GroupLinks
else:
    from ecs_collision.bodies.columns import Columns
    from ecs_collision.bodies.group_links import GroupLinks

from ecs_collision.bodies.columns import ENABLED, SOLID
from ecs_collision.events import LeftReason

REASONS = (LeftReason.MOVED, LeftReason.DELETED, LeftReason.DISABLED, LeftReason.FILTERED)
"""Why contacts end. The indices are the codes of `end_reason`, which logs contain."""

CODES = {reason: code for code, reason in enumerate(REASONS)}

_MOVED = cython.declare(cython.int, CODES[LeftReason.MOVED])
_DELETED = cython.declare(cython.int, CODES[LeftReason.DELETED])
_DISABLED = cython.declare(cython.int, CODES[LeftReason.DISABLED])
_FILTERED = cython.declare(cython.int, CODES[LeftReason.FILTERED])

# C copies: compiled code would look the imported names up as Python objects.
_SOLID = cython.declare(cython.int, SOLID)
_ENABLED = cython.declare(cython.int, ENABLED)


@cython.ccall
@cython.exceptval(check=False)
def name_of(columns: Columns, links: GroupLinks, row: cython.int) -> cython.int:
    """Return the row under which a row is reported: the leader of its group if it is solid, else itself (T6)."""
    return links.leader_view[row] if columns.flags_view[row] & _SOLID else row


@cython.ccall
@cython.exceptval(check=False)
def end_reason(
    columns: Columns,
    links: GroupLinks,
    kind: cython.int,
    reporter: cython.int,
    name: cython.int,
    removed: cython.bint = False,
) -> cython.int:
    """Return the code of the first reason that applies to the end of a contact, from the current state.

    kind: TRIGGER or ASKS, what the reporter was when the contact began. removed: whether the body of one of the two
    rows is about to be removed.
    """
    row: cython.int = name
    if removed or not (columns.flags_view[reporter] & kind):
        return _DELETED
    if not (columns.flags_view[reporter] & columns.flags_view[name] & _ENABLED):
        return _DISABLED
    if links.is_same_body(reporter, name):
        return _FILTERED
    while True:
        if name_of(columns, links, row) == name and columns.reports(reporter, row):
            return _MOVED
        row = links.next_row_view[row]
        if row == name:
            return _FILTERED
