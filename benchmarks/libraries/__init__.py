"""Peers: what a user might choose instead, each behind the same small door.

A peer is a function that sets a library up for a scene and returns a `Job`; the decorator `peer` says of which
workload it is, how the library is called, which dimensions it knows, whether its answers are exact, and in a word what
it leaves out of the work. Setting up is not timed; `Job.run` is. What `run` returns goes through `Job.answer`, untimed,
and must then equal the answer of ours, where the peer is exact.

    @peer("pairs", "LBVH", leaves_out="float32")
    def lbvh(boxes: Boxes) -> Job:
        import LBVH

        packed = numpy.stack([boxes.lo, boxes.hi], axis=1).astype(numpy.float32)
        return Job(lambda: LBVH.find_intersections(packed), pairs)

A library is imported inside the function, never at the top: where it is missing, the peer is skipped with a word, as it
is when it fails. Each file here holds one library, or one kind of libraries.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from benchmarks.answers import Answer

MANY = 1_000_000_000


class Skipped(Exception):
    """Raised by a peer that cannot take part, with the reason in a word or two."""


class Scene(Protocol):
    """What peers are set up for: any object that tells its size and dimensions; each workload has its own."""

    @property
    def count(self) -> int:
        """How many bodies there are."""

    @property
    def dims(self) -> int:
        """2 or 3."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What `Job.run` returns when the work was done, and timed, in another process."""

    seconds: float
    result: Any


@dataclass(frozen=True, slots=True)
class Job:
    """A peer set up for one scene.

    `run` is called `calls` times in a timed run, `before` once ahead of it, untimed. `answer` turns what the last call
    returned into what is compared; without it nothing is. Whatever must stay alive, `run` holds.
    """

    run: Callable[[], Any]
    answer: Callable[[Any], Answer] | None = None
    before: Callable[[], object] = lambda: None
    calls: int = 1


@dataclass(frozen=True, slots=True)
class Peer:
    """One entrant of a contest; beyond `most` bodies it is not asked, for it would take minutes."""

    name: str
    make: Callable[[Any], Job]
    dims: Sequence[int] = (2, 3)
    exact: bool = True
    leaves_out: str = ""
    most: int = MANY
    ours: bool = False

    def set_up(self, scene: Scene) -> Job:
        """Return the peer set up for a scene; raises Skipped with the reason where it cannot take part."""
        if scene.count > self.most:
            raise Skipped(f"too slow beyond {self.most:,}")
        try:
            return self.make(scene)
        except Skipped:
            raise
        except ImportError as missing:
            raise Skipped(f"not installed ({missing.name or missing})") from missing
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as failure:  # a panic of Rust is no Exception
            raise Skipped(f"failed: {in_a_line(failure)}") from failure


_REGISTERED: dict[str, list[Peer]] = {}
Make = TypeVar("Make", bound=Callable[[Any], Job])


def peer(
    workload: str,
    name: str,
    *,
    dims: Sequence[int] = (2, 3),
    exact: bool = True,
    leaves_out: str = "",
    most: int = MANY,
) -> Callable[[Make], Make]:
    """Return a decorator that registers a function as a peer in a workload, and returns the function unchanged."""

    def register(make: Make) -> Make:
        _REGISTERED.setdefault(workload, []).append(Peer(name, make, dims, exact, leaves_out, most))
        return make

    return register


def peers_of(workload: str) -> list[Peer]:
    """Return all peers of a workload, by name; the adapters are imported here, their libraries are not."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return sorted(_REGISTERED.get(workload, []), key=lambda found: found.name.lower())


def in_a_line(failure: BaseException, width: int = 60) -> str:
    """Return an exception as one short line."""
    text = " ".join(f"{type(failure).__name__}: {failure}".split())
    return text if len(text) <= width else f"{text[: width - 3]}..."
