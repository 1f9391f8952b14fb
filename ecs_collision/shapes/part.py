"""One part of a body: every kind of shape as a core and a radius (rules H1 and H2).

A box is a core without radius, a sphere a point with one, a capsule a segment with one, and an oriented box a core that
is turned. So all kinds are compared by the distance of their cores, and kinds of the same form share one computation.
"""

from __future__ import annotations

from typing import NamedTuple

Faces = tuple[int, int, int, int, int, int]
"""A box in lattice units: low x, y, z, high x, y, z."""

Matrix = tuple[float, float, float, float, float, float, float, float, float]
"""A rotation, row by row: point x, y, z of the turned shape is the product of the rows with that of the original."""


class Part(NamedTuple):
    """All points within `radius` of a core, in lattice units relative to the position of the body.

    core: low and high corner. With a matrix, the core is turned by it about its centre, which is a lattice point;
    without, it is parallel to the axes.
    """

    core: Faces
    radius: int = 0
    matrix: Matrix | None = None

    def shifted(self, x: int, y: int, z: int) -> Part:
        """Return the part displaced."""
        lox, loy, loz, hix, hiy, hiz = self.core
        return Part((lox + x, loy + y, loz + z, hix + x, hiy + y, hiz + z), self.radius, self.matrix)
