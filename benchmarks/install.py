"""Installs the other libraries of the extra `bench` one by one; those that are not available here are left out.

`python -m benchmarks.install` installs into the interpreter that runs it. culverin requires Python 3.12. If this is
another version and a `python3.12` is found, culverin gets its own environment beside this one, and the benchmarks call
it there (`CULVERIN_PYTHON` names another interpreter).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

HOUSE = Path(__file__).resolve().parents[1]
WITH_CULVERIN = (3, 12)


def wanted(extra: str = "bench") -> list[str]:
    """Return the requirements of an extra that apply to every version of Python."""
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))
    requirements: list[str] = project["project"]["optional-dependencies"][extra]
    return [requirement for requirement in requirements if ";" not in requirement]


def installed(requirement: str, python: str) -> bool:
    """Install one requirement from a wheel; return whether that worked. Nothing is compiled."""
    command = [python, "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--only-binary", ":all:"]
    return not subprocess.run([*command, requirement], capture_output=True, check=False).returncode


def culverin_home() -> Path:
    """Return the folder of the environment that has culverin."""
    return Path(sys.prefix) / "python3.12"


def install_culverin() -> bool:
    """Install culverin here if this is Python 3.12, otherwise into its own environment; return whether it worked."""
    if sys.version_info[:2] == WITH_CULVERIN:
        return installed("culverin", sys.executable)
    python = next(filter(_is_python_3_12, _candidates()), None)
    if python is None or subprocess.run([python, "-m", "venv", str(culverin_home())], check=False).returncode:
        return False
    inside = str(culverin_home() / "bin" / "python")
    return installed("numpy", inside) and installed("culverin", inside)


def _candidates() -> list[str]:
    """Return where Python 3.12 may be: on the path, and among the versions of pyenv."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    return [*filter(None, [shutil.which("python3.12")]), *map(str, sorted(versions.glob("3.12.*/bin/python3.12")))]


def _is_python_3_12(python: str) -> bool:
    program = f"import sys; sys.exit(sys.version_info[:2] != {WITH_CULVERIN})"
    return not subprocess.run([python, "-c", program], capture_output=True, check=False).returncode


def main(requirements: Sequence[str]) -> None:
    """Install the libraries and print which are missing."""
    missing = [name_of(requirement) for requirement in requirements if not installed(requirement, sys.executable)]
    if not install_culverin():
        missing.append("culverin (needs Python 3.12)")
    if missing:
        print(f"not available on this machine: {', '.join(missing)}")


def name_of(requirement: str) -> str:
    """Return the name in a requirement."""
    return re.split(r"[<>=!~;\[ ]", requirement, maxsplit=1)[0]


if __name__ == "__main__":
    main(wanted())
