"""This engine in the workload of contacts: solid bodies in esper that all ask for their contacts."""

from __future__ import annotations

from typing import Any

from benchmarks.libraries.contact_engines import output
from benchmarks.libraries.frame_own import OwnFrame
from benchmarks.outputs import Output
from ecs_collision import Contact


class OwnContacts(OwnFrame):
    """Bodies with `Contact`: positions by `Transform.position`, events by `system.events`."""

    def _reporting(self) -> Any:
        return Contact()

    def output(self, events: Any) -> Output:
        """Return events as an output, ids as rows."""
        return output(events, self.first)


class OwnTriggers(OwnFrame):
    """The same bodies as triggers that report each other, for the comparison of the two kinds of reports."""
