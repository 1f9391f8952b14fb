# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""The contacts of a substep, as arrays that the phases of the solver share."""

from __future__ import annotations

from array import array
from typing import Any

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]

from ecs_collision._arrays import longer

AHEAD, CLOSE, STILL = 1, 2, 3
"""Values of `ahead`: parts meet in this substep; they meet within the margin; they were in contact before and are
still within it. It is 0 for parts that touch or overlap."""


@cython.final
@cython.cclass
class ContactList:
    """Contacts by number. The normal points from the first body to the second; impulses act on the second.

    A contact without levers acts at the centres of the bodies, so it does not turn them.
    """

    def __init__(self) -> None:
        self.count = self.capacity = self.lever_count = self.lever_capacity = 0
        names = ("first", "second", "first_part", "second_part", "point", "pair", "axis", "ahead", "lever", "layer")
        self.arrays = dict[str, Any]((name, array("i")) for name in (*names, "next", "first_share", "second_share"))
        names = (
            "normal",
            "across",
            "along",
            "depth",
            "limit",
            "friction",
            "restitution",
            "parting",
            "first_crowd",
            "second_crowd",
        )
        self.arrays.update((name, array("d")) for name in (*names, "levers"))
        self.grow(64)
        self.grow_levers(16)

    def clear(self) -> cython.void:
        """Remove all contacts."""
        self.count = self.lever_count = 0

    def add(self) -> cython.Py_ssize_t:
        """Append a contact without impulse and return its number; the caller sets the rest."""
        at: cython.Py_ssize_t = self.count
        if at == self.capacity:
            self.grow(2 * self.capacity)
        self.along[at] = self.across[3 * at] = self.across[3 * at + 1] = self.across[3 * at + 2] = 0.0
        self.lever[at] = -1
        self.count = at + 1
        return at

    def add_lever(self) -> cython.Py_ssize_t:
        """Append levers and return their number."""
        at: cython.Py_ssize_t = self.lever_count
        if at == self.lever_capacity:
            self.grow_levers(2 * self.lever_capacity)
        self.lever_count = at + 1
        return at

    def grow(self, capacity: cython.Py_ssize_t) -> cython.void:
        """Make room for contacts."""
        new = dict[str, Any]()
        for name, old in self.arrays.items():
            if name != "levers":
                new[name] = longer(old, (3 if name in ("normal", "across") else 1) * capacity)
        self.arrays.update(new)
        self.first, self.second = new["first"], new["second"]
        self.first_part, self.second_part = new["first_part"], new["second_part"]
        self.point, self.pair, self.axis, self.ahead = new["point"], new["pair"], new["axis"], new["ahead"]
        self.next, self.lever, self.layer = new["next"], new["lever"], new["layer"]
        self.first_share, self.second_share = new["first_share"], new["second_share"]
        self.normal, self.across, self.along = new["normal"], new["across"], new["along"]
        self.depth, self.limit, self.friction = new["depth"], new["limit"], new["friction"]
        self.restitution, self.parting = new["restitution"], new["parting"]
        self.first_crowd, self.second_crowd = new["first_crowd"], new["second_crowd"]
        self.capacity = capacity

    def grow_levers(self, capacity: cython.Py_ssize_t) -> cython.void:
        """Make room for levers."""
        levers = longer(self.arrays["levers"], 12 * capacity)
        self.arrays["levers"] = levers
        self.levers = levers
        self.lever_capacity = capacity
