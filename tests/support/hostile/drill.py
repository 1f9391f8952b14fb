"""The drill: `python -m hostile.drill corpus EVERY FORM...`, `python -m hostile.drill fuzz SEED COUNT FOLDER FORM...`.

Loads malicious files, or mutants of valid ones, under watch. Prints a line of JSON for each file of the corpus, or for
each failed mutant. Time and memory are limited per load.
"""

from __future__ import annotations

import importlib
import json
import resource
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from ecs_collision import LatticeWarning
from ecs_collision.errors import LevelError
from hostile import kinds_cases, ldtk_cases, reference_cases, slow_cases, text_cases, tmj_cases, tmx_cases, xsb_cases
from hostile.cases import FORMS, Case, Folder, Link, Many, Pipe, lay
from hostile.judge import complaints_about, load
from hostile.mutants import Files, mutant
from hostile.watch import TooLong, Watch, limited, timed

MAX_SECONDS = 10.0
MAX_MEMORY = 150.0
"""MiB above what the process had before, for files of up to 16 MiB."""

MUTANT_SECONDS = 4.0
MUTANT_MEMORY = 100.0
"""The same for mutants of small levels."""


@dataclass
class Verdict:
    """The result for one file."""

    name: str
    form: str
    read: bool
    complaints: list[str]
    message: str = ""
    file: str = ""
    line: int | None = None
    column: int | None = None
    pointer: str | None = None
    seconds: float = 0.0
    memory: float = 0.0


def corpus(forms: list[str]) -> Iterator[Case]:
    """Yield every malicious file of some formats."""
    for module in (text_cases, xsb_cases, tmx_cases, tmj_cases, ldtk_cases, kinds_cases, reference_cases, slow_cases):
        yield from (case for case in module.cases() if case.form in forms)


def good_cases() -> list[Case]:
    """Return a valid level of each kind of file."""
    return [
        Case("a good text level", "level.txt", {"level.txt": text_cases.GOOD.encode()}, accepted="yes"),
        Case("another good text level", "level.txt", {"level.txt": text_cases.MORE.encode()}, accepted="yes"),
        Case("a good collection", "level.sok", {"level.sok": xsb_cases.GOOD.encode()}, accepted="yes"),
        tmx_cases.good_case(), tmx_cases.more_case(), tmj_cases.good_case(),
        ldtk_cases.good_case(), ldtk_cases.good_external(), kinds_cases.good_case(),
    ]  # fmt: skip


def try_out(watch: Watch, name: str, path: Path, form: str, whole: bool, seconds: float, memory: float) -> Verdict:
    """Load a file under watch and judge the result. Exceptions are caught and reported."""
    with watch.over(path.parent, path) as breaches:
        try:
            with limited(2 * seconds):
                outcome, took, used = timed_load(watch, path, form)
        except (Exception, TooLong) as problem:
            return Verdict(name, form, False, [f"{type(problem).__name__} escaped: {problem!s:.300}", *breaches])
    complaints = complaints_about(outcome, path, whole)
    complaints += [f"a load may not cause {breach}" for breach in breaches]
    if took > seconds:
        complaints.append(f"it took {took:.1f} s, more than {seconds}")
    if used > memory:
        complaints.append(f"it took {used:.0f} MiB, more than {memory}")
    if isinstance(outcome, LevelError):
        place = (outcome.file, outcome.line, outcome.column, outcome.pointer)
        return Verdict(name, form, False, complaints, str(outcome)[:3000], *place, took, used)
    return Verdict(name, form, True, complaints, seconds=took, memory=used)


def timed_load(watch: Watch, path: Path, form: str):
    """Load a file; the files with the memory statistics are opened without the watch."""
    inside = watch.inside

    def watched():
        watch.inside = inside
        try:
            return load(path, form)
        finally:
            watch.inside = None

    watch.inside = None
    return timed(watched)


def warm_up(watch: Watch, forms: list[str]) -> None:
    """Load valid and invalid files once, so that lazy imports are done."""
    with suppress(ImportError):
        importlib.import_module("zstandard")
    for case in good_cases():
        if case.form in forms:
            with tempfile.TemporaryDirectory() as folder:
                inside = lay(case.files, Path(folder))
                load(inside / case.main, case.form)
                good = case.data
                for spoilt in (b"\xff", good[:-5], good.replace(b"1", b"x"), good.replace(b"rule", b"\0")):
                    (inside / case.main).write_bytes(spoilt)
                    load(inside / case.main, case.form)


def run_corpus(watch: Watch, forms: list[str], every: int) -> Iterator[Verdict]:
    """Yield the verdict on every n-th file of the corpus, n = `every`."""
    for case in [*(case for case in good_cases() if case.form in forms), *islice(corpus(forms), 0, None, every)]:
        with tempfile.TemporaryDirectory() as folder:
            inside = lay(case.files, Path(folder).resolve())
            print(case.name, file=sys.stderr, flush=True)
            verdict = try_out(watch, case.name, inside / case.main, case.form, case.whole, MAX_SECONDS, MAX_MEMORY)
            verdict.file = verdict.file.removeprefix(f"{inside}/")
            yield verdict


def seeds_of_mutants(forms: list[str]) -> list[tuple[str, Files]]:
    """Return the files to mutate: valid levels and small malicious ones, in equal shares."""
    good = [(case.main, {name: bytes(data) for name, data in case.files.items() if isinstance(data, bytes)})
            for case in good_cases() if case.form in forms]  # fmt: skip
    odd = [
        (case.main, {name: data for name, data in case.files.items() if isinstance(data, bytes)})
        for case in corpus(forms)
        if not any(isinstance(data, Many | Pipe | Link | Folder) or len(data) > 8000 for data in case.files.values())
    ]
    return [*odd, *(good * (1 + len(odd) // len(good)))]


def run_fuzz(watch: Watch, seed: int, count: int, forms: list[str], found: Path) -> Iterator[Verdict]:
    """Yield the verdict on each failed mutant; its files are stored in `found`."""
    seeds = seeds_of_mutants(forms)
    read = 0
    seconds = memory = 0.0
    with tempfile.TemporaryDirectory() as folder:
        outside = Path(folder).resolve()
        for number in range(seed, seed + count):
            main, good = seeds[number * 7919 % len(seeds)]
            files = mutant(number, good, main)
            print(number, main, file=sys.stderr, flush=True)
            verdict = of_mutant(watch, outside / str(number % 7), number, main, files)
            read += verdict.read
            seconds, memory = max(seconds, verdict.seconds), max(memory, verdict.memory)
            if verdict.complaints:
                yield keep(verdict, files, found)
    print(json.dumps({"mutants": count, "read": read, "seconds": seconds, "memory": memory}))


def of_mutant(watch: Watch, outside: Path, number: int, main: str, files: Files) -> Verdict:
    """Write a mutant and try it out."""
    outside.mkdir(exist_ok=True)
    inside = lay(files, outside)
    form = FORMS[Path(main).suffix]
    return try_out(
        watch, f"{form} mutant {number}", inside / main, form, not files[main].strip(), MUTANT_SECONDS, MUTANT_MEMORY
    )


def keep(verdict: Verdict, files: Files, found: Path) -> Verdict:
    """Store the files of a failed mutant."""
    folder = found / verdict.name.replace(" ", "_")
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    verdict.complaints.append(f"kept in {folder}")
    return verdict


def main(arguments: list[str]) -> None:
    """Run a drill and print its verdicts."""
    resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, 4 * 2**30))
    warnings.simplefilter("ignore", LatticeWarning)
    what, *rest = arguments
    watch = Watch()
    if what == "corpus":
        every, *forms = rest
        warm_up(watch, forms)
        verdicts = run_corpus(watch, forms, int(every))
    else:
        seed, count, found, *forms = rest
        warm_up(watch, forms)
        verdicts = islice(run_fuzz(watch, int(seed), int(count), forms, Path(found)), 25)
    for verdict in verdicts:
        print(json.dumps(asdict(verdict)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
