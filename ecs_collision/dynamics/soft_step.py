# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, auto_pickle=False
"""One step of impulses: contacts are found once, then solved in substeps (rule I2)."""

from __future__ import annotations

try:
    import cython
except ImportError:  # built without Cython: the stand-in has the same names and does nothing
    from ecs_collision import _cython as cython  # type: ignore[no-redef]
if cython.compiled:
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt

from ecs_collision.dynamics.flat_solver import FlatSolver
from ecs_collision.dynamics.kept_impulses import KeptImpulses
from ecs_collision.dynamics.spatial_solver import SpatialSolver
from ecs_collision.dynamics.step_bodies import StepBodies
from ecs_collision.dynamics.step_contacts import StepContacts

SLOP, PUSH, BOUNCE = 0.005, 3.0, 0.01
"""In lengths: the gap at which bodies rest, the largest speed that moves overlapping ones apart, and the speed from
which they bounce without gravity."""

_SLOP = cython.declare(cython.double, SLOP)
_PUSH = cython.declare(cython.double, PUSH)
_BOUNCE = cython.declare(cython.double, BOUNCE)


@cython.final
@cython.cclass
class SoftStep:
    """Moves the bodies of a step. Afterwards `contacts` has what touched."""

    def __init__(self) -> None:
        self.contacts, self.flat, self.spatial = StepContacts(), FlatSolver(), SpatialSolver()

    def step(
        self,
        bodies: StepBodies,
        first: cython.int[::1],
        second: cython.int[::1],
        count: cython.Py_ssize_t,
        kept: KeptImpulses,
        low: cython.longlong[::1],
        high: cython.longlong[::1],
        dt: cython.double,
        gx: cython.double,
        gy: cython.double,
        gz: cython.double,
        substeps: cython.int,
        length: cython.double,
    ) -> cython.void:
        """Compute a step of dt seconds with pairs of bodies that may meet, sorted, and the bounds in lattice units.

        length: how many units of the world are a metre, for all thresholds. Change velocities, `moved` and rotations of
        the bodies, and the kept impulses; positions follow with `commit`.
        """
        h: cython.double = dt / substeps
        slop: cython.double = _SLOP * length
        gravity: cython.double = sqrt(gx * gx + gy * gy + gz * gz)
        threshold: cython.double = _BOUNCE * length + 2.0 * gravity * h
        substep: cython.int
        bodies.place()
        self.contacts.begin(bodies, kept, dt, 4.0 * slop + gravity * dt * dt)
        self.contacts.find_bounds(low, high)
        self.contacts.find_pairs(first, second, count)
        if bodies.flat:
            self.flat.prepare(bodies, self.contacts, h, slop, _PUSH * length, threshold)
            for substep in range(substeps):
                self.flat.substep(gx, gy)
            self.flat.finish()
        else:
            self.spatial.prepare(bodies, self.contacts, h, slop, _PUSH * length, threshold)
            for substep in range(substeps):
                self.spatial.substep(gx, gy, gz)
            self.spatial.finish()
        self.contacts.store(kept)
