"""NumPy, for calls that work on arrays: they import it here, when they are called.

All else runs without it, and it takes longer to import than the engine.
"""

from ecs_collision.errors import MissingExtra

try:
    import numpy as numpy
except ImportError as missing:
    raise MissingExtra(
        "this call works on arrays, which needs NumPy, and that is not installed; run: pip install numpy"
    ) from missing
