"""Say how the kernels were built, and choose their plain form on request.

A kernel is an ordinary `.py` file with its C declarations (`.pxd`) beside it. Where a C compiler was found at
installation a compiled twin lies there too, and Python prefers the twin; `ECS_COLLISION_PURE=1` in the environment
makes every kernel load from its `.py`. A twin older than what it was made from is stale: it would run yesterday's
code under today's source, so the test run and `doctor` name it.
"""

import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

PACKAGE = Path(__file__).parent
PURE = "ECS_COLLISION_PURE"


class PureFinder:
    """Finds every kernel in its `.py` file, whatever compiled files lie beside."""

    @staticmethod
    def find_spec(
        fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of the plain kernel, or None for any other module."""
        package, _, name = fullname.partition(".")
        source = PACKAGE.joinpath(*name.split(".")).with_suffix(".py")
        if package != PACKAGE.name or not source.with_suffix(".pxd").is_file():
            return None
        return importlib.util.spec_from_file_location(fullname, source)


def is_pure() -> bool:
    """Return whether plain kernels are asked for: `ECS_COLLISION_PURE` is set, and not 0."""
    return os.environ.get(PURE, "0") not in ("", "0")


def choose_form() -> None:
    """Put the plain finder first when it is asked for; this module does so, before any kernel is imported."""
    if is_pure() and PureFinder not in sys.meta_path:
        sys.meta_path.insert(0, PureFinder)


def hot_files(package: Path = PACKAGE) -> tuple[Path, ...]:
    """Return the `.py` files of the kernels, sorted."""
    return tuple(sorted(declared.with_suffix(".py") for declared in package.rglob("*.pxd")))


def hot_file_names(package: Path = PACKAGE) -> tuple[str, ...]:
    """Return the names of the kernels inside the package ("kernels.grid"), sorted."""
    return tuple(_name(source, package) for source in hot_files(package))


def compiled_file(source: Path) -> Path | None:
    """Return the compiled file that this interpreter prefers to a kernel's source, or None."""
    for suffix in importlib.machinery.EXTENSION_SUFFIXES:
        twin = source.with_name(source.stem + suffix)
        if twin.is_file():
            return twin
    return None


def plain_hot_files() -> tuple[str, ...]:
    """Return the names of the kernels that run as plain Python in this process."""
    return tuple(_name(source, PACKAGE) for source in hot_files() if is_pure() or not compiled_file(source))


def hot_files_are_compiled() -> bool:
    """Return whether every kernel runs compiled in this process."""
    return not plain_hot_files()


def stale_files(package: Path) -> tuple[str, ...]:
    """Return the kernels whose compiled file is older than their source or than any declaration.

    Every declaration counts for every twin: a kernel compiled against another's old layout would read wrong fields.
    """
    declared = max((path.stat().st_mtime_ns for path in package.rglob("*.pxd")), default=0)
    stale = []
    for source in hot_files(package):
        twin = compiled_file(source)
        if twin and twin.stat().st_mtime_ns < max(declared, source.stat().st_mtime_ns):
            stale.append(_name(source, package))
    return tuple(stale)


def stale_hot_files() -> tuple[str, ...]:
    """Return the kernels whose compiled file is stale; none outside a source tree: unpacking sets all times anew."""
    return stale_files(PACKAGE) if PACKAGE.with_name("pyproject.toml").is_file() else ()


def _name(source: Path, package: Path) -> str:
    return ".".join(source.relative_to(package).with_suffix("").parts)


choose_form()
