"""`verify DIR`: replay every play in a folder, on all cores or on a cluster, and print a table of the results."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TextIO

from ecs_collision.cli.failures import OUTSIDE, error_text
from ecs_collision.cli.files import SUFFIX, resolved
from ecs_collision.errors import CollisionError, LevelError, extra
from ecs_collision.plays.files import read_play
from ecs_collision.plays.replaying import verify
from ecs_collision.terminal_text import Writer, visible

BACKENDS = ("loky", "threading", "dask")
"""Where plays are replayed: local processes, threads (for debugging), or the workers of a Dask cluster."""


class Checked(NamedTuple):
    """The result for a play, as a row of the table; `problem` is None if it matches the recording.

    skipped: it was not replayed, because its level has a script that may not run.
    """

    play: str
    level: str
    moves: int
    milliseconds: float
    problem: str | None
    skipped: bool = False


def verify_folder(
    folder: Path, stream: TextIO, *, jobs: int = -1, backend: str = "loky", address: str | None = None,
    scripts: bool = False,
) -> bool:  # fmt: skip
    """Verify every play in a folder and its subfolders; return whether all match their recordings.

    jobs: the number of plays at once, -1 for one per core. address: that of a Dask scheduler; its workers must see the
    folder under the same path.
    """
    folder = resolved(folder) if backend == "dask" else folder
    paths = plays_in(folder)
    root = folder if os.path.isdir(folder) else folder.parent
    table = Table(stream, len(paths))
    with contextlib.ExitStack() as stack:
        stack.enter_context(table)
        rows: Iterable[Checked]
        if backend != "dask" and jobs == 1:
            rows = (check(path, root, scripts) for path in paths)
        else:
            joblib = extra("joblib", "verifying on several cores")
            if backend == "dask":
                stack.enter_context(connect(address))
            stack.enter_context(joblib.parallel_config(backend=backend, n_jobs=jobs))
            rows = joblib.Parallel(return_as="generator")(joblib.delayed(check)(path, root, scripts) for path in paths)
        for row in rows:
            table.add(row)
    return all(row.problem is None for row in table.rows)


def plays_in(folder: Path) -> list[Path]:
    """Return the plays in a folder and its subfolders, sorted; raises LevelError if there are none.

    Raises OSError for an unreadable folder, since its plays could not be verified. Links to folders are not followed.
    """
    found = [folder] if os.path.isfile(folder) else sorted(_files(folder)) if os.path.isdir(folder) else []
    if not found:
        raise LevelError(
            str(folder), found="no plays", expected=f"a folder with files that end in {SUFFIX}",
            remedy="record one: the key s in `play LEVEL` saves a play",
        )  # fmt: skip
    return found


def _files(folder: Path) -> Iterator[Path]:
    def refuse(problem: OSError) -> NoReturn:
        raise problem

    for inside, _, names in os.walk(folder, onerror=refuse):
        yield from (Path(inside, name) for name in names if name.endswith(SUFFIX))


def check(path: Path, root: Path, scripts: bool) -> Checked:
    """Replay one play; any problem with it or its level becomes the result."""
    name = path.relative_to(root).as_posix()
    try:
        play = read_play(path, root)
    except (CollisionError, *OUTSIDE) as problem:
        return Checked(name, "?", 0, 0.0, error_text(problem))
    level = play.level if play.which is None else f"{play.level} {play.which}"
    if play.script and not scripts:
        return Checked(name, level, 0, 0.0, "its script was not run", skipped=True)
    verdict = verify(play, scripts=scripts)
    return Checked(name, level, verdict.turns, verdict.seconds * 1000, verdict.problem)


def connect(address: str | None) -> Any:
    """Return the client of a Dask cluster; without an address, of a local cluster."""
    distributed = extra("distributed", "--backend dask", "pip install distributed")
    try:
        return distributed.Client(address) if address else distributed.Client()
    except (OSError, ValueError) as problem:
        raise CollisionError(
            f"no Dask scheduler answers at {address!r}: {problem}; start it with `dask scheduler` and workers with "
            "`dask worker HOST:PORT`, and check the address"
        ) from problem


class Table:
    """Shows rows as they arrive: in a terminal a progress bar and a final table, otherwise one line each."""

    def __init__(self, stream: TextIO, total: int) -> None:
        self._stream, self._total = stream, total
        self.rows: list[Checked] = []
        self._progress: Any = None

    def __enter__(self) -> Table:
        if self._stream.isatty() and os.environ.get("TERM") != "dumb":
            progress = extra("rich.progress", "a bar in a terminal")
            self._progress = progress.Progress(console=self._console(), transient=True)
            self._progress.start()
            self._progress.add_task("playing", total=self._total)
        return self

    def add(self, row: Checked) -> None:
        """Add a row, and show or count it."""
        self.rows.append(row)
        if self._progress is not None:
            self._progress.advance(self._progress.task_ids[0])
        else:
            Writer(self._stream).write(_line(row))

    def __exit__(self, *problem: object) -> None:
        if self._progress is not None:
            self._progress.stop()
            self._console().print(self._table())
        if problem[0] is None:
            Writer(self._stream).write(_summary(self.rows))

    def _console(self) -> Any:
        return extra("rich.console", "a table in a terminal").Console(file=self._stream)

    def _table(self) -> Any:
        text = extra("rich.text", "a table in a terminal").Text
        table = extra("rich.table", "a table in a terminal").Table("play", "level", "moves", "result", "ms")
        for column in (2, 4):
            table.columns[column].justify = "right"
        for row in self.rows:
            colour = "green" if row.problem is None else "yellow" if row.skipped else "red"
            result = text(visible(row.problem or "as recorded"), colour)
            names = (text(visible(row.play)), text(visible(row.level)))
            table.add_row(*names, f"{row.moves:,}", result, f"{row.milliseconds:,.0f}")
        return table


def _line(row: Checked) -> str:
    if row.problem is None:
        return f"ok    {row.play}: {row.level}, {row.moves} moves, {row.milliseconds:.0f} ms"
    return f"{'SKIPPED' if row.skipped else 'WRONG'} {row.play}: {row.level}: {row.problem}"


def _summary(rows: list[Checked]) -> str:
    plays = "1 play" if len(rows) == 1 else f"{len(rows)} plays"
    skipped = sum(row.skipped for row in rows)
    wrong = sum(row.problem is not None for row in rows) - skipped
    parts = [f"{wrong} of them WRONG"] if wrong else []
    parts += [f"{skipped} of them SKIPPED: add --script if you trust their scripts"] if skipped else []
    return f"{plays}, {', '.join(parts) or 'all as recorded'}"
