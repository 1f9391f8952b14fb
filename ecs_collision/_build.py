"""Finds out how the hot files were built, and selects their plain form on request.

A hot file is an ordinary `.py` file whose first line has directives for Cython; in the source tree C declarations are
in a `.pxd` beside it. If a C compiler was found at installation, a compiled file is there too and Python prefers it.
With `ECS_COLLISION_PURE=1` in the environment every hot file is loaded from its `.py`. A compiled file older than its
sources is stale: it would run old code, so the test run and `doctor` name it.
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
    """Finds every hot file in its `.py`, even if there is a compiled file."""

    @staticmethod
    def find_spec(
        fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of the plain form of a hot file, or None for any other module."""
        package, _, name = fullname.partition(".")
        source = PACKAGE.joinpath(*name.split(".")).with_suffix(".py")
        if package != PACKAGE.name or not (source.is_file() and _is_hot(source)):
            return None
        return importlib.util.spec_from_file_location(fullname, source)


def is_pure() -> bool:
    """Return whether the plain form is requested: `ECS_COLLISION_PURE` is set, and not 0."""
    return os.environ.get(PURE, "0") not in ("", "0")


def choose_form() -> None:
    """Install the finder of plain forms if they are requested. Runs on import, before any hot file is imported."""
    if is_pure() and PureFinder not in sys.meta_path:
        sys.meta_path.insert(0, PureFinder)


def hot_files(package: Path = PACKAGE) -> tuple[Path, ...]:
    """Return the `.py` paths of the hot files, sorted."""
    return tuple(sorted(filter(_is_hot, package.rglob("*.py"))))


def _is_hot(source: Path) -> bool:
    with source.open("rb") as file:
        return file.readline().startswith(b"# cython:")


def hot_file_names(package: Path = PACKAGE) -> tuple[str, ...]:
    """Return the module names of the hot files inside the package ("push.graph"), sorted."""
    return tuple(_name(source, package) for source in hot_files(package))


def compiled_file(source: Path) -> Path | None:
    """Return the compiled file that this interpreter loads instead of a source, or None."""
    for suffix in importlib.machinery.EXTENSION_SUFFIXES:
        compiled = source.with_name(source.stem + suffix)
        if compiled.is_file():
            return compiled
    return None


def plain_hot_files() -> tuple[str, ...]:
    """Return the names of the hot files that run as plain Python in this process."""
    return tuple(_name(source, PACKAGE) for source in hot_files() if is_pure() or not compiled_file(source))


def hot_files_are_compiled() -> bool:
    """Return whether every hot file runs compiled in this process."""
    return not plain_hot_files()


def stale_files(package: Path) -> tuple[str, ...]:
    """Return the hot files whose compiled file is older than their source or than any declaration.

    Every declaration counts for every file: code compiled against an old layout of a class would read wrong fields.
    """
    declared = max((path.stat().st_mtime_ns for path in package.rglob("*.pxd")), default=0)
    stale: list[str] = []
    for source in hot_files(package):
        compiled = compiled_file(source)
        if compiled and compiled.stat().st_mtime_ns < max(declared, source.stat().st_mtime_ns):
            stale.append(_name(source, package))
    return tuple(stale)


def stale_hot_files() -> tuple[str, ...]:
    """Return the stale hot files; none outside a source tree, because unpacking an archive sets new times."""
    return stale_files(PACKAGE) if PACKAGE.with_name("pyproject.toml").is_file() else ()


def _name(source: Path, package: Path) -> str:
    return ".".join(source.relative_to(package).with_suffix("").parts)


choose_form()
