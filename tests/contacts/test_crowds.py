"""Frames in which one body of many changes, about a quarter, or all: each tells what brute force over all pairs says.

An engine may compare changed bodies one by one or all at once, by their share; the answers are the same (T1 to T6, B5).
"""

from __future__ import annotations

from typing import Any

import pytest
from crowds import Crowd

COUNT = 280
"""So many bodies that a quarter of them is more than any least number from which on all are looked at."""

SHARES = (1, 69, 0, 70, 71, 63, 64, 65, 2, COUNT // 2, COUNT - 1, COUNT)

FLAT: dict[str, Any] = {"room": 12.0}
TALL = {"room": 8.0, "tall": True}
MIXED = {"room": 25.0, "mixed": True}
SMALL_BINS = {"room": 20.0, "tall": True, "mixed": True, "bin_size": 0.5}
FAR_APART = {"room": 60.0, "bin_size": 16.0}
PACKED = {"room": 5.0}
SOLID = {"room": 14.0, "solid": True}

PLAYS: dict[str, tuple[dict[str, Any], str]] = {
    "flat, written": (FLAT, "write"),
    "flat, moving": (FLAT, "request"),
    "flat, all at once": (FLAT, "mix"),
    "tall, in bulk": (TALL, "write_in_bulk"),
    "tall, altered": (TALL, "alter"),
    "tall, moving": (TALL, "request"),
    "sizes mixed, written": (MIXED, "write"),
    "sizes mixed, all at once": (MIXED, "mix"),
    "small bins, in bulk": (SMALL_BINS, "write_in_bulk"),
    "small bins, all at once": (SMALL_BINS, "mix"),
    "far apart, moving": (FAR_APART, "request"),
    "packed, written": (PACKED, "write"),
    "packed, altered": (PACKED, "alter"),
    "pushing": (SOLID, "request"),
    "pushing, all at once": (SOLID, "mix"),
    "pushing in small bins": ({**SOLID, "bin_size": 0.25, "order": "front_first"}, "mix"),
}


@pytest.mark.parametrize(("options", "way"), PLAYS.values(), ids=PLAYS)
def test_a_frame_tells_the_same_whatever_the_share_of_bodies_that_changed_O8(world, options, way):
    crowd = Crowd(len(way), COUNT, **options)
    crowd.frame()
    for turn, share in enumerate(SHARES):
        if turn % 5 == 4:
            crowd.renew(crowd.dice.sample(crowd.alive, 8))
        getattr(crowd, way)(crowd.dice.sample(crowd.alive, share))
        crowd.frame()
    assert crowd.ledger.pairs() == crowd.system.space.pairs(triggers=True)
    crowd.system.check()
