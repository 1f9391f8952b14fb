"""Other libraries that a user might choose instead, all with the same small interface.

A function sets a library up for a scene and returns a `Job`. The decorator `library` declares its workload, the name of
the library, the supported dimensions, whether its output is exact, and what it leaves out of the work. Setting up is
not timed; `Job.run` is. The result of `run` goes through `Job.output`, which is not timed. If the library is exact, it
must then equal the output of this project.

    @library("pairs", "LBVH", leaves_out="float32")
    def lbvh(boxes: Boxes) -> Job:
        import LBVH

        packed = numpy.stack([boxes.lo, boxes.hi], axis=1).astype(numpy.float32)
        return Job(lambda: LBVH.find_intersections(packed), pairs)

A library is imported inside the function, never at the top: if it is missing or fails, it is skipped with a remark.
Each file here contains one library, or one kind of libraries.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from benchmarks.other_memory import walk
from benchmarks.outputs import Output

MANY = 1_000_000_000


class Skipped(Exception):
    """Raised by a library that cannot take part, with a short reason."""


class Scene(Protocol):
    """What libraries are set up for: any object with a size and dimensions; each workload has its own."""

    @property
    def count(self) -> int:
        """The number of bodies."""

    @property
    def dims(self) -> int:
        """2 or 3."""


@dataclass(frozen=True, slots=True)
class RemoteTiming:
    """The result of `Job.run` if the work was done, and timed, in another process."""

    seconds: float
    result: Any


@dataclass(frozen=True, slots=True)
class Job:
    """A library set up for one scene.

    `run` is called `calls` times in a timed run, `before` once before it, not timed. `output` converts the result of
    the last call for the comparison; without it there is none. `cool` walks other memory, in the process that does the
    work. `run` must hold everything that has to stay alive.
    """

    run: Callable[[], Any]
    output: Callable[[Any], Output] | None = None
    before: Callable[[], object] = lambda: None
    calls: int = 1
    cool: Callable[[], object] = walk


@dataclass(frozen=True, slots=True)
class Library:
    """One participant of a comparison. It is skipped for more than `most` bodies, which would take minutes."""

    name: str
    make: Callable[[Any], Job]
    dims: Sequence[int] = (2, 3)
    exact: bool = True
    leaves_out: str = ""
    most: int = MANY
    own: bool = False

    def set_up(self, scene: Scene) -> Job:
        """Return the library set up for a scene. Raises Skipped with the reason if it cannot take part."""
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
        except BaseException as failure:  # a Rust panic is not an Exception
            raise Skipped(f"failed: {in_a_line(failure)}") from failure


_REGISTERED: dict[str, list[Library]] = {}
Make = TypeVar("Make", bound=Callable[[Any], Job])


def library(
    workload: str,
    name: str,
    *,
    dims: Sequence[int] = (2, 3),
    exact: bool = True,
    leaves_out: str = "",
    most: int = MANY,
) -> Callable[[Make], Make]:
    """Return a decorator that registers a function for a workload and returns it unchanged."""

    def register(make: Make) -> Make:
        _REGISTERED.setdefault(workload, []).append(Library(name, make, dims, exact, leaves_out, most))
        return make

    return register


def libraries_of(workload: str) -> list[Library]:
    """Return all libraries of a workload, sorted by name. Imports the modules here, not the libraries."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return sorted(_REGISTERED.get(workload, []), key=lambda found: found.name.lower())


def in_a_line(failure: BaseException, width: int = 60) -> str:
    """Return an exception as one short line."""
    text = " ".join(f"{type(failure).__name__}: {failure}".split())
    return text if len(text) <= width else f"{text[: width - 3]}..."
