"""Malicious level files are errors at the position of their fault, or are read without harm.

They are loaded in another process, under a hook that detects every file access, program start and module import.
"""

from __future__ import annotations

import json
import os
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from boards import AS_SHIPPED, trials
from hostile import drill
from hostile.cases import FORMS as FORM_OF
from hostile.cases import Case
from hostile.judge import load
from material import HOUSE

from ecs_collision import BoxCollider, CollisionWorld, Transform
from ecs_collision.errors import LevelError
from ecs_collision.levels import FrozenMap, Level, Thing, spawn

FORMS = [*dict.fromkeys(FORM_OF.values())]
CASES = [*drill.good_cases(), *drill.corpus(FORMS)]
AGAIN = "; correct the file, or save it again with "
REMEDIES = dict.fromkeys(FORMS, "; ...") | {"tmx": f"{AGAIN}Tiled", "tmj": f"{AGAIN}Tiled", "ldtk": f"{AGAIN}LDtk"}
"""The remedies that "; ..." stands for in a case."""

SEED = int(os.environ.get("MUTANTS", "0"))
"""The number of the first mutant; `MUTANTS=123 pytest ...` repeats what a run printed."""


def drilled(*arguments: str, seconds: float) -> list[dict[str, Any]]:
    """Return the verdicts of a drill in a separate process."""
    paths = os.pathsep.join((str(HOUSE), str(HOUSE / "tests" / "support")))
    done = subprocess.run(
        [sys.executable, "-m", "hostile.drill", *arguments], env={**os.environ, "PYTHONPATH": paths}, cwd=HOUSE,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"the drill died of {done.stderr[-2000:]}"
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_names_in_the_corpus_are_unique():
    assert len(CASES) == len({(case.form, case.name) for case in CASES})


def test_a_hostile_file_is_an_error_at_the_position_of_its_fault():
    """All cases if the kernels are compiled; every twentieth if they are plain, because readers use no kernels."""
    verdicts = drilled("corpus", "1" if AS_SHIPPED else "20", *FORMS, seconds=600)
    cases = {(case.form, case.name): case for case in CASES}
    wrong = {verdict["name"]: against(cases[verdict["form"], verdict["name"]], verdict) for verdict in verdicts}
    assert {} == {name: faults for name, faults in wrong.items() if faults}
    assert len(verdicts) >= len(cases) // 20


def against(case: Case, verdict: dict[str, Any]) -> list[str]:
    """Return the differences between the verdict and the expectations of a case."""
    message = verdict["message"]
    faults = list(verdict["complaints"])
    if case.accepted == "either":
        return faults
    if (case.accepted == "yes") != verdict["read"]:
        return [*faults, f"it should be {'read' if case.accepted == 'yes' else 'refused'}: {message}"]
    if case.accepted == "no":
        words = [said.replace("; ...", REMEDIES[case.form]) for said in case.says]
        faults += [f"{said!r} is not in {message}" for said in words if said.lower() not in message.lower()]
        for place in ("file", "line", "column", "pointer"):
            wanted = (case.file or case.main) if place == "file" else getattr(case, place)
            found = verdict[place]
            if wanted is not None and wanted != found and not (place == "pointer" and is_near(wanted, found)):
                faults.append(f"the {place} should be {wanted!r}: {message}")
    return faults


def is_near(wanted: str, found: str | None) -> bool:
    """Return whether a pointer leads into the expected value, or at most two steps above it."""
    if found is None:
        return False
    if found.startswith(f"{wanted}/"):
        return True
    return f"{wanted}/".startswith(f"{found}/") and wanted.count("/") <= found.count("/") + 2


def refusals_of_mutants(forms: list[str], first: int, count: int) -> None:
    """Drill mutants; failed ones are stored in build/mutants."""
    kept = HOUSE / "build" / "mutants"
    *wrong, summary = drilled("fuzz", str(first), str(count), str(kept), *forms, seconds=120 + count)
    wrong += [summary] if "name" in summary else []
    report = "\n".join(f"{verdict['name']}: {'; '.join(verdict['complaints'])}" for verdict in wrong)
    assert not report, f"of mutants {first} to {first + count - 1}:\n{report}"
    assert 0 < summary["read"] < count, "mutants should be good and bad"


def test_a_mutant_is_read_or_is_an_error_at_its_fault():
    refusals_of_mutants(FORMS, SEED, trials(300))


@pytest.mark.soak
@pytest.mark.parametrize("form", FORMS)
def test_twenty_thousand_mutants_are_read_or_are_errors_at_their_faults(form):
    first = SEED or random.SystemRandom().randrange(10**9)
    refusals_of_mutants([form], first, 20_000 // len(FORMS))


def test_an_error_is_equal_after_pickling(tmp_path):
    path = tmp_path / "level.sok"
    path.write_text("####\n#@a#\n####\n", encoding="utf-8")
    problem = load(path, "xsb")
    again = pickle.loads(pickle.dumps(problem))
    assert isinstance(problem, LevelError)
    assert (str(problem), problem.line, problem.column) == (str(again), again.line, again.column)


def test_a_failed_spawn_leaves_the_world_unchanged():
    fields = FrozenMap({"Static": {}, "Motion": {"force": 1.0}})
    level = Level("one", (1, 1), (Thing("door", "door", (0.5, 0.5, 0.0), (), fields),))
    world = CollisionWorld()
    with pytest.raises(LevelError, match="Static with Motion"):
        spawn(level, world)
    assert 1 == world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5))


def test_the_watch_detects_what_a_load_may_not_do(tmp_path):
    """In another process: a file outside, a write inside, a program, an import and code execution are detected."""
    program = (
        "import pathlib, sys\n"
        "from hostile.watch import Watch\n"
        "inside = pathlib.Path(sys.argv[1])\n"
        "watch = Watch()\n"
        "with watch.over(inside) as seen:\n"
        "    (inside / 'good').read_bytes()\n"
        "    assert not seen, seen\n"
        "    (inside / 'new').write_bytes(b'')\n"
        "    open(inside / '..' / 'outside').close()\n"
        "    open(inside / 'link').close()\n"
        "    eval('1')\n"
        "    import this\n"
        "print(' '.join(each.partition('(')[0] for each in seen))\n"
    )
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "outside").touch()
    (inside / "good").touch()
    (inside / "link").symlink_to(Path("..") / "outside")
    paths = os.pathsep.join((str(HOUSE), str(HOUSE / "tests" / "support")))
    command = [sys.executable, "-c", program, str(inside)]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, check=True, capture_output=True, text=True)
    said = done.stdout.splitlines()[-1].split()
    assert ["open", "open", "open", "compile", "exec", "import"] == said[:6]
