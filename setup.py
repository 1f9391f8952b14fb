"""Build ecs-collision: compiled where there is a C compiler, plain Python elsewhere or on request.

Every `.py` of the package with a `.pxd` beside it is compiled. `ECS_COLLISION_PURE=1` leaves that out, and so does a
machine on which a small C file does not compile: the wheel is then `py3-none-any`. A plain wheel never carries a
platform tag, because pip would keep it and install it again after a compiler has come.

All files are translated in one run of Cython, and the code of memoryviews stands in one module that the others share.
File by file, with that code in each, translating took ten times as long and compiling three times.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

PURE = "ECS_COLLISION_PURE"
PACKAGE = "ecs_collision"
SHARED = f"{PACKAGE}._memoryviews"
HERE = Path(__file__).resolve().parent

OPTIMISED = [] if "-O" in os.environ.get("CFLAGS", "") else ["-O2"]
FLAGS = [] if sys.platform == "win32" else [*OPTIMISED, "-g0", "-ffp-contract=off"]
"""No fused multiply-add: it would change results from machine to machine. An -O in CFLAGS takes the place of ours."""


def hot_files() -> list[Path]:
    """Return the sources to compile, relative to this folder and sorted."""
    return sorted(path.with_suffix(".py").relative_to(HERE) for path in (HERE / PACKAGE).rglob("*.pxd"))


def extensions() -> list[Extension]:
    """Return an extension for each hot file, and the one that holds what they share."""
    named = {".".join(path.with_suffix("").parts): path.as_posix() for path in hot_files()}
    named[SHARED] = SHARED.replace(".", "/") + ".c"
    return [Extension(name, [source], extra_compile_args=FLAGS) for name, source in named.items()]


def leftovers(folder: Path, built: set[Path]) -> list[Path]:
    """Return the compiled files of this Python in a folder that no source makes any more: they could be imported."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    return sorted({path.resolve() for path in folder.rglob(f"*{suffix}")} - {path.resolve() for path in built})


class Progress:
    """Says how far a build is, every few seconds while it lasts and once at the end."""

    def __init__(self, total: int) -> None:
        self.total, self.done = total, 0
        self._began = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._tell, daemon=True)

    def __enter__(self) -> Progress:
        print(f"compiling the {self.total} hot files of {PACKAGE}", flush=True)
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._over.set()
        self._thread.join()
        print(self, flush=True)

    def _tell(self) -> None:
        while not self._over.wait(4):
            print(self, flush=True)

    def __str__(self) -> str:
        how_far = f"compiled {self.done} of {self.total}" if self.done else "translating to C"
        return f"  {how_far}, {time.monotonic() - self._began:.0f} s"


class BuildAll(build_ext):
    """Translates all hot files at once, and compiles them on all cores."""

    def run(self) -> None:
        """Build what is out of date."""
        if not self.extensions:
            return
        if self.inplace:
            for path in leftovers(HERE / PACKAGE, {Path(self.get_ext_fullpath(each.name)) for each in self.extensions}):
                path.unlink()
        from Cython.Build import cythonize

        with Progress(len(self.extensions)) as self._progress:
            translated = cythonize(
                self.extensions,
                build_dir=str(HERE / "build" / "c"),
                compiler_directives={"show_performance_hints": False},
                nthreads=os.cpu_count() or 0,
                quiet=True,
                shared_utility_qualified_name=SHARED,
            )
            sources = {extension.name: extension.sources for extension in translated}
            for extension in self.extensions:
                extension.sources = sources[extension.name]
            self.parallel = self.parallel or os.cpu_count()
            super().run()
        if self.inplace:
            self._stamp()

    def build_extension(self, ext: Any) -> None:
        """Compile one file."""
        super().build_extension(ext)
        self._progress.done += 1

    def _stamp(self) -> None:
        """Give every compiled file the time of this build: those not compiled again were found up to date."""
        for extension in self.extensions:
            os.utime(self.get_ext_fullpath(extension.name))


def has_compiler() -> bool:
    """Return whether a C file that includes Python.h compiles here."""
    from distutils.ccompiler import new_compiler
    from distutils.errors import CCompilerError, DistutilsError
    from distutils.sysconfig import customize_compiler, get_python_inc

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "trial.c")
        source.write_text("#include <Python.h>\nint main(void) { return 0; }\n", encoding="utf-8")
        try:
            compiler = new_compiler()
            customize_compiler(compiler)
            compiler.compile([str(source)], output_dir=folder, include_dirs=[get_python_inc()])
        except (CCompilerError, DistutilsError, OSError):
            return False
    return True


def is_plain() -> bool:
    """Return whether plain Python is to be built, and say why where nobody asked for it."""
    if os.environ.get(PURE, "0") not in ("", "0"):
        return True
    if has_compiler():
        return False
    print("no C compiler, or no Python headers: ecs-collision is installed as plain Python", flush=True)
    return True


if __name__ == "__main__":
    setup(ext_modules=[] if is_plain() else extensions(), cmdclass={"build_ext": BuildAll})
