"""The results that boards gave, and what their entities are called: a result knows entities by number alone.

A test forgets those it was given when it ends, so that they do not keep its worlds.
"""

from __future__ import annotations

from collections import deque
from typing import Any

MOST = 256
"""So many are remembered, the newest."""

results: deque[tuple[Any, Any]] = deque(maxlen=MOST)
"""Results and turns, each with a `Called`."""
