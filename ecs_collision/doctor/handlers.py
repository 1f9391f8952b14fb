"""Handlers that are never called."""

from __future__ import annotations

from collections.abc import Iterator

from ecs_collision.doctor.advice import Finding

MIN_FRAMES = 600
"""Number of frames that a handler may wait for its first event: ten seconds at 60 frames a second."""


def never_matched(label: str, entities: tuple[int, ...], frames: int, topic: str) -> Iterator[Finding]:
    """Yield a finding about a handler that no event has matched in `frames` frames, if these are enough."""
    if frames >= MIN_FRAMES:
        yield Finding(
            "handler", entities,
            f"{label} has matched no event in {frames} frames; compare what it matches with the events of those frames",
            topic,
        )  # fmt: skip
