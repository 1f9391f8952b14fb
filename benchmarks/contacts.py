"""A frame of solid bodies that ask for contacts: some move a little, and each contact that begins or ends is an event.

The crowd and the writes are those of the workload of frames; the bodies are solid and have a `Contact` instead of a
`Trigger`. Every `ContactBegan` has its normal, and the other libraries are asked for it as well. The same bodies as
triggers run beside them: the contacts may take 1.3 times as long.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from benchmarks.comparison import Comparison, compare, own
from benchmarks.frames import FRAMES, SHARES, second_of_two
from benchmarks.frames_crowd import crowd
from benchmarks.libraries import Library, libraries_of
from benchmarks.libraries.contact_engines import CONTACTS
from benchmarks.libraries.contact_own import OwnContacts, OwnTriggers
from benchmarks.libraries.frame_own import delete_worlds, own_job
from benchmarks.other_memory import WARM
from benchmarks.report import Report

COUNT = 10_000
OWN, TRIGGERS = "ecs-collision", "ecs-collision, triggers instead"
TARGET = 1.0
"""How many times as fast as the fastest other library."""
LIMIT = 1.3
"""How many times as long as with triggers a frame may take."""


def contacts() -> Report:
    """Measure frames of bodies that report what they touch."""
    report = Report(CONTACTS, f"a frame of {COUNT:,} solid bodies that report their contacts, every event as an object")
    for dims in (2, 3):
        for share in SHARES:
            title, rounds = f"{dims}D, {100 / share:g} % moving, contacts", FRAMES[share]
            scene = crowd(COUNT, dims, "uniform", max(1, COUNT // share), 2 * (rounds + 1))
            participants = [replace(each, make=partial(second_of_two, each.make, WARM)) for each in participants_of()]
            made = compare(title, scene, participants, targets={OWN: TARGET}, rounds=rounds, checked=rounds + 1)
            report.add(made)
            ratio = ratio_of(made)
            report.figures[f"{title}: contacts to triggers"] = ratio
            report.limit(f"contacts in {dims}D with {100 / share:g} % moving: {ratio:.2f} of triggers, at most {LIMIT}",
                         ratio <= LIMIT)  # fmt: skip
            delete_worlds()
    return report


def participants_of() -> list[Library]:
    """Return this project, with contacts and with triggers, and the other libraries."""
    return [
        own(OWN, partial(own_job, OwnContacts, OwnContacts.one_by_one.__name__)),
        own(TRIGGERS, partial(own_job, OwnTriggers, OwnTriggers.one_by_one.__name__)),
        *libraries_of(CONTACTS),
    ]


def ratio_of(made: Comparison) -> float:
    """Return how many times as long as triggers the contacts took."""
    medians = {entry.name: entry.median for entry in made.entries}
    return medians[OWN] / medians[TRIGGERS]
