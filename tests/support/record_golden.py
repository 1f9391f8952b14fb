"""Record what the golden scenes come to, or look whether they still do.

`python tests/support/record_golden.py [--check]`: without `--check` every hash is recorded anew in golden/hashes.txt,
for when a scene, the state hash, the snapshot or what events tell has changed on purpose; say why in the commit. With
it the scenes are only played, up to frame `--frames`, and what differs is told: for other versions of Python and NumPy
(`make numpys`). Names choose scenes.
"""

from __future__ import annotations

import argparse
import platform
import sys
import warnings
from pathlib import Path

import numpy
from golden import MARKS, Mark, Scene, marks_of, noticing, playing, pushing

from ecs_collision import LatticeWarning
from ecs_collision._build import kernels_are_compiled

HASHES = Path(__file__).parent / "golden" / "hashes.txt"
SCENES: dict[str, type[Scene]] = {
    scene.__name__: scene for scene in (*pushing.SCENES, *noticing.SCENES, *playing.SCENES)
}


def recorded() -> dict[str, dict[int, Mark]]:
    """Return the hashes of each scene, by frame."""
    found: dict[str, dict[int, Mark]] = {}
    for line in HASHES.read_text(encoding="ascii").splitlines():
        name, number, *hashes = line.split()
        found.setdefault(name, {})[int(number)] = Mark(*hashes)
    return found


def differences(names: list[str], last: int) -> list[str]:
    """Return in words which hashes are not those recorded, up to a frame."""
    golden = recorded()
    found = []
    for name in names:
        for number, mark in marks_of(SCENES[name], last).items():
            wrong = [what for what, a, b in zip(Mark._fields, mark, golden[name][number], strict=True) if a != b]
            found += [f"{name}, frame {number}: {', '.join(wrong)} differ"] if wrong else []
    return found


def record() -> None:
    """Write all hashes."""
    lines = [
        f"{name} {number} {' '.join(mark)}\n"
        for name, scene in SCENES.items()
        for number, mark in marks_of(scene, MARKS[-1]).items()
    ]
    HASHES.write_text("".join(lines), encoding="ascii")
    print(f"{len(SCENES)} scenes, {len(lines)} lines in {HASHES}")


def main() -> int:
    """Do what the command line says; return 0 if all is as recorded."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--frames", type=int, default=MARKS[-1])
    parser.add_argument("names", nargs="*", default=list(SCENES))
    given = parser.parse_args()
    warnings.simplefilter("ignore", LatticeWarning)
    if not given.check:
        record()
        return 0
    wrong = differences(given.names, given.frames)
    form = "compiled" if kernels_are_compiled() else "plain"
    print(f"Python {platform.python_version()}, NumPy {numpy.__version__}, {form}: ", end="")
    print(f"{len(given.names)} scenes to frame {given.frames}, {len(wrong)} differences", *wrong, sep="\n  ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
