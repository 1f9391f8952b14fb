# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""One step of dynamic bodies (rules I2 to I6)."""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.ecs_collision.dynamics.dynamic_bodies import DynamicBodies
    from cython.cimports.ecs_collision.dynamics.kept_contacts import KeptContacts
else:
    from ecs_collision.dynamics.dynamic_bodies import DynamicBodies
    from ecs_collision.dynamics.kept_contacts import KeptContacts

from ecs_collision.sealing import seal


@cython.final
@cython.cclass
class Solver:
    """Moves bodies by steps."""

    def __init__(self) -> None:
        self.contact_count = self.solve_count = self.meeting_count = 0

    def step(
        self,
        bodies: DynamicBodies,
        pairs_first: array[int],
        pairs_second: array[int],
        pair_count: int,
        kept: KeptContacts,
        h: float,
        gravity: tuple[float, float, float],
        substeps: int,
        iterations: int,
        flat: bool,
        low: tuple[int, int, int],
        high: tuple[int, int, int],
    ) -> None:
        """Move the bodies by one step of `substeps` substeps of h seconds."""


seal(Solver)
