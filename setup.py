"""Builds ecs-collision: compiled if there is a C compiler, otherwise or on request as plain Python.

Every `.py` of the package with a `.pxd` beside it is compiled. With `ECS_COLLISION_PURE=1`, or if a small C file does
not compile on this machine, nothing is compiled and the wheel is `py3-none-any`. A plain wheel has no platform tag,
because pip would cache it and reuse it after a compiler has been installed.

Cython translates all files in one run, and they share one module with the memoryview code. With one run per file and
that code in each, translation took ten times as long and compilation three times.
"""

from __future__ import annotations

import os
import re
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
FLAGS = {"msvc": ["/fp:precise", "/w"], "unix": [*OPTIMISED, "-g0", "-ffp-contract=off", "-w"]}
"""By the type of the compiler. No fused multiply-add: results would differ between machines; MSVC has none with
/fp:precise from Visual Studio 2022 on. No warnings: the C code is generated. An -O in CFLAGS replaces the -O2."""
LINK_FLAGS = ["-s"] if sys.platform == "linux" else []
"""No symbol tables, a twelfth of the size."""


def hot_files() -> list[Path]:
    """Return the sources to compile, sorted, relative to this folder."""
    return sorted(path.with_suffix(".py").relative_to(HERE) for path in (HERE / PACKAGE).rglob("*.pxd"))


def extensions() -> list[Extension]:
    """Return an extension for each hot file, and the module that they share."""
    named = {".".join(path.with_suffix("").parts): path.as_posix() for path in hot_files()}
    named[SHARED] = SHARED.replace(".", "/") + ".c"
    return [Extension(name, [source], extra_link_args=LINK_FLAGS) for name, source in named.items()]


def leftovers(folder: Path, built: set[Path]) -> list[Path]:
    """Return compiled files of this Python that have no source any more; they could still be imported."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    return sorted({path.resolve() for path in folder.rglob(f"*{suffix}")} - {path.resolve() for path in built})


class Progress:
    """Prints the progress of a build every few seconds and at the end."""

    def __init__(self, total: int) -> None:
        self.total, self.done = total, 0
        self._began = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._report, daemon=True)

    def __enter__(self) -> Progress:
        print(f"compiling the {self.total} hot files of {PACKAGE}", flush=True)
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._over.set()
        self._thread.join()
        print(self, flush=True)

    def _report(self) -> None:
        while not self._over.wait(4):
            print(self, flush=True)

    def __str__(self) -> str:
        how_far = f"compiled {self.done} of {self.total}" if self.done else "translating to C"
        return f"  {how_far}, {time.monotonic() - self._began:.0f} s"


class BuildAll(build_ext):
    """Translates all hot files in one run and compiles them on all cores."""

    def run(self) -> None:
        """Build the files that are out of date."""
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
        ext.extra_compile_args = FLAGS.get(self.compiler.compiler_type, FLAGS["unix"])
        super().build_extension(ext)
        self._progress.done += 1

    def _stamp(self) -> None:
        """Set the time of every compiled file to now, also of those that were up to date."""
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
    """Return whether to build plain Python; print the reason unless it was requested."""
    if os.environ.get(PURE, "0") not in ("", "0"):
        return True
    if has_compiler():
        return False
    print("no C compiler, or no Python headers: ecs-collision is installed as plain Python", flush=True)
    return True


def described() -> dict[str, Any]:
    """Return the text and the links of the package page.

    ECS_COLLISION_URL is the address of the repository, which the workflow of a release knows. The links of the README
    lead there; without an address they stay links between files.
    """
    base, text = os.environ.get("ECS_COLLISION_URL", "").rstrip("/"), (HERE / "README.md").read_text(encoding="utf-8")
    pages = {
        "Documentation": "/tree/main/docs",
        "Changelog": "/blob/main/CHANGELOG.md",
        "Issues": "/issues",
        "Source": "",
    }
    if base:
        text = re.sub(r"(!\[[^]]*\]\()(?!https?:|#)", rf"\1{base}/raw/main/", text)
        text = re.sub(r"(?<!!)(\[[^]]*\]\()(?!https?:|#)", rf"\1{base}/blob/main/", text)
    urls = {"Source": base} | {name: base + path for name, path in pages.items()} if base else {}
    return {"long_description": text, "long_description_content_type": "text/markdown", "project_urls": urls}


if __name__ == "__main__":
    setup(ext_modules=[] if is_plain() else extensions(), cmdclass={"build_ext": BuildAll}, **described())
