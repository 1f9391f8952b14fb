"""The documents: every snippet and example runs and prints the shown output, and every named command exists."""

from __future__ import annotations

import contextlib
import functools
import importlib
import io
import itertools
import os
import re
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest
from inner_runs import run_inside
from material import HOUSE
from worlds import fresh_world

from ecs_collision import CollisionWorld
from ecs_collision.doctor import KINDS
from ecs_collision.testing.worlds import isolated

DOCUMENTS = sorted([*HOUSE.glob("*.md"), *HOUSE.glob("docs/*.md")])
PROGRAMS = sorted(HOUSE.glob("examples/*.py"))
EXAMPLES = [path for path in PROGRAMS if "It prints:" in path.read_text(encoding="utf-8")]
"""The programs that print something; the others are games, and tests/project/test_example_platforms.py plays them."""
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# (\w+\.py)\n")
"""First line of a block that is a test file; other blocks are run directly."""

pytest_plugins = ["pytester"]


def snippets(document: Path) -> Iterator[tuple[str, str | None]]:
    """Yield (program, expected output or None) for each python block; a text block directly after it is its output."""
    text = document.read_text(encoding="utf-8")
    blocks = list(BLOCK.finditer(text))
    for block, following in itertools.zip_longest(blocks, blocks[1:]):
        if block[1] == "python" and not FILE.match(block[2]):
            is_output = (
                following is not None and following[1] == "text" and not text[block.end() : following.start()].strip()
            )
            yield block[2], following[2] if is_output and following is not None else None


def shown_files(document: Path) -> dict[str, str]:
    """Return the test files that a document shows, by name."""
    blocks = BLOCK.findall(document.read_text(encoding="utf-8"))
    return {match[1]: text for kind, text in blocks if kind == "python" and (match := FILE.match(text))}


def shown_runs(document: Path) -> list[tuple[list[str], str]]:
    """Return the options of each pytest run in a document, and its shown output."""
    blocks = BLOCK.findall(document.read_text(encoding="utf-8"))
    shown = [text.partition("\n") for kind, text in blocks if kind == "text" and text.startswith("$ pytest ")]
    return [(command.split()[2:], output) for command, _, output in shown]


def missing_lines(shown: str, output: str) -> list[str]:
    """Return the first part of a shown output that is missing in the real one; "..." stands for omitted lines."""
    lines, at = without_times(output), 0
    for part in re.split(r"^\.\.\.$", shown, flags=re.MULTILINE):
        expected = without_times(part.strip("\n"))
        places = range(at, len(lines) - len(expected) + 1)
        found = next((place for place in places if lines[place : place + len(expected)] == expected), None)
        if found is None:
            return expected
        at = found + len(expected)
    return []


def without_times(text: str) -> list[str]:
    """Return lines without durations."""
    return [re.sub(r"in \d+\.\d+s", "in 0.01s", line.rstrip()) for line in text.split("\n")] if text else []


def example_output(path: Path) -> str:
    """Return the output of an example that runs as a program in a fresh world; skips if it needs what is missing."""
    if "import pymunk" in path.read_text(encoding="utf-8"):
        pytest.importorskip("pymunk", reason="pymunk is not installed; run: pip install -e '.[examples]'")
    output = io.StringIO()
    with fresh_world(), contextlib.redirect_stdout(output):
        runpy.run_path(str(path), run_name="__main__")
    return output.getvalue()


def documented_output(path: Path) -> str:
    """Return the output in the docstring of an example: the indented lines after 'It prints:'."""
    docstring = path.read_text(encoding="utf-8").split('"""')[1]
    lines = docstring.partition("It prints:\n\n")[2].splitlines()
    return "".join(f"{line.removeprefix('    ')}\n" for line in lines)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_snippets_of_a_document_print_the_shown_output(document, monkeypatch):
    monkeypatch.setenv("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    names: dict[str, object] = {"__name__": "snippet"}
    with isolated(), fresh_world():
        for program, expected in snippets(document):
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(compile(program, document.name, "exec", dont_inherit=True), names)
            if expected is not None:
                assert expected == output.getvalue()


@pytest.mark.parametrize(
    "document", [path for path in DOCUMENTS if shown_runs(path)], ids=lambda path: path.name
)  # fmt: skip
def test_the_test_files_of_a_document_print_the_shown_output(document, pytester):
    files, runs = shown_files(document), shown_runs(document)
    assert sorted(files) == sorted({"conftest.py", *(name for options, _ in runs for name in options if ".py" in name)})
    for name, text in files.items():
        (pytester.path / name).write_text(text, encoding="utf-8")
    for options, shown in runs:
        with fresh_world():
            run = run_inside(pytester, *options)
        assert missing_lines(shown, run.stdout.str()) == [], run.stdout.str()


def test_the_readme_shows_a_program_and_its_output():
    assert next(expected for _, expected in snippets(HOUSE / "README.md"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_prints_the_output_in_its_docstring_and_needs_no_advice(example, monkeypatch):
    found: list[str] = []

    def examined(call):
        @functools.wraps(call)
        def run(world, *args, **options):
            result = call(world, *args, **options)
            found.extend(world.doctor())
            return result

        return run

    for name in ("step", "move"):
        monkeypatch.setattr(CollisionWorld, name, examined(getattr(CollisionWorld, name)))
    assert documented_output(example) == example_output(example)
    assert [] == found


def test_a_page_lists_every_kind_of_advice():
    page = (HOUSE / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    section = page.split("\n## Advice\n")[1].split("\n## ")[0]
    assert list(KINDS) == re.findall(r"^\| `([a-z ]+)` \|", section, re.MULTILINE)


def test_a_page_lists_every_example():
    page = (HOUSE / "docs" / "examples.md").read_text(encoding="utf-8")
    programs = [path.relative_to(HOUSE).as_posix() for path in HOUSE.glob("examples/**/*.py")]
    assert sorted(programs) == sorted(re.findall(r"\(\.\./(examples/[/\w]+\.py)\)", page))


def test_every_make_target_in_a_document_exists():
    makefile = (HOUSE / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    for document in DOCUMENTS:
        named = set(re.findall(r"(?:`|^)make ([a-z]+)", document.read_text(encoding="utf-8"), re.MULTILINE))
        assert named <= targets, document
    assert {"demo", "test", "bench", "soak"} <= targets


def test_every_command_in_a_document_exists(monkeypatch):
    text = "".join(document.read_text(encoding="utf-8") for document in DOCUMENTS)
    for module, name in sorted(set(re.findall(r"python -m (ecs_collision|benchmarks) ([a-z]+)", text))):
        monkeypatch.setattr("sys.argv", [module, name, "--help"])
        with pytest.raises(SystemExit) as ended:
            importlib.import_module(f"{module}.__main__").main()
        assert not ended.value.code, (module, name)


@functools.cache
def anchors(document: Path) -> set[str]:
    """Return the anchors of the headings of a document: lower case, hyphens for spaces, no other punctuation."""
    prose = BLOCK.sub("", document.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_every_link_target_in_a_document_exists():
    for document in DOCUMENTS:
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", document.read_text(encoding="utf-8")):
            there = document.parent / target if target else document
            assert there.exists(), (document, target)
            assert not anchor or anchor in anchors(there), (document, target, anchor)


def test_the_documents_contain_no_machine_paths():
    for path in [*DOCUMENTS, *PROGRAMS, HOUSE / "Makefile", HOUSE / "pyproject.toml"]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"(?<![\w.])/(work|tmp|root|home|opt)/", text), path


def test_the_ci_script_runs_the_tests():
    script = HOUSE / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert "make test" in script.read_text(encoding="utf-8")
