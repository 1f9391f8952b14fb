"""Lay out the pages of the site: `python -m tools.site` writes them to build/site/pages, and `make docs` renders them.

The documents are plain Markdown that reads well in the repository. Here each gets its place in the site, and its links
lead to pages of the site. Programs that are linked become pages. The reference has the names that games import.
"""

from __future__ import annotations

import enum
import importlib
import posixpath
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

HOUSE = Path(__file__).parents[1]
PAGES = HOUSE / "build" / "site" / "pages"

SECTIONS: dict[str, tuple[str, ...]] = {
    "Begin": (
        "docs/your_game.md",
        "docs/guide.md",
        "docs/playground.md",
        "docs/examples.md",
        "docs/troubleshooting.md",
        "docs/README.md",
    ),
    "By topic": (
        "docs/moving.md",
        "docs/movement.md",
        "docs/events.md",
        "docs/queries.md",
        "docs/shapes.md",
        "docs/impulses.md",
        "docs/snapshots.md",
        "docs/settings.md",
    ),
    "Puzzles and levels": ("docs/puzzles.md", "docs/levels.md", "docs/plays.md"),
    "Tests and pictures": ("docs/testing.md", "docs/debug.md"),
    "Other engines": (
        "docs/from_pymunk.md",
        "docs/from_box2d.md",
        "docs/from_bump.md",
        "docs/from_arcade.md",
        "docs/from_godot.md",
        "docs/from_puzzlescript.md",
    ),
    "Reference": ("docs/rules.md", "docs/names.md", "docs/broad_phases.md", "docs/benchmarks.md"),
    "The project": ("ARCHITECTURE.md", "docs/design.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"),
}
"""The documents of the site after README.md, which is the first page: by section, in the order of the sidebar."""

REFERENCE = {
    "systems": "Systems",
    "world": "Worlds",
    "components": "Components",
    "events": "Events",
    "results": "Results of motions",
    "query": "Queries",
    "movement": "Fixed steps",
    "errors": "Errors and warnings",
    "broadphase": "Broad phases",
    "game": "Games",
    "levels": "Levels",
    "plays": "Plays",
    "solver": "Solver",
    "testing": "Testing",
    "debug": "Debug views",
    "other": "Other names",
}
"""The pages of the reference, with their titles; most are rooms of the package."""

NOT_FOUND = """---
orphan: true
---
# There is no such page

It may have got another name: see [all pages](all_pages.md), or search.
"""
"""The page that web servers show for an address without one, if it is called 404.html."""

PLAYGROUND = "<!-- the site opens the playground here -->"
LINK = re.compile(r"(\]\()(?!https?:|#)([^)#\s]*)(#[^)]*)?(\))")
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)


def place_of(path: str) -> str:
    """Return the place of a file of the repository in the site."""
    if path == "README.md":
        return "index.md"
    if path.rstrip("/") in ("examples", "examples/arena"):
        return "examples.md"
    if path.endswith(".py"):
        return path.removesuffix(".py") + "_program.md"
    if path == "docs/README.md":
        return "all_pages.md"
    place = path.removeprefix("docs/")
    return place.lower() if place in ("ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md") else place


def linked(path: str, text: str) -> set[str]:
    """Return the files of the repository to which the links of a document lead."""
    targets = (match[2] for match in LINK.finditer(CODE.sub("", text)) if match[2])
    return {posixpath.normpath(posixpath.join(posixpath.dirname(path), each)) for each in targets}


def moved_links(path: str, text: str) -> str:
    """Return a document with links that fit its place in the site."""

    def moved(match: re.Match[str]) -> str:
        if not match[2]:
            return match[0]
        target = place_of(posixpath.normpath(posixpath.join(posixpath.dirname(path), match[2])))
        place = posixpath.relpath(target, posixpath.dirname(place_of(path)) or ".")
        return f"{match[1]}{place}{match[3] or ''}{match[4]}"

    parts, at = [], 0
    for code in CODE.finditer(text):
        parts += [LINK.sub(moved, text[at : code.start()]), code[0]]
        at = code.end()
    return "".join([*parts, LINK.sub(moved, text[at:])])


def open_playground(text: str) -> str:
    """Return a document with a link to the playground in the place of its comment: only the site has that page."""
    return text.replace(PLAYGROUND, '<p><a href="playground/index.html"><b>Open the playground</b></a></p>')


def sidebar() -> str:
    """Return the sections for the sidebar, which the first page lists without showing them."""
    pages = {caption: [place_of(path).removesuffix(".md") for path in paths] for caption, paths in SECTIONS.items()}
    pages["Reference"] = ["api/index", *pages["Reference"]]
    return "".join(
        f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n" + "\n".join(names) + "\n```\n"
        for caption, names in pages.items()
    )


def documents() -> dict[str, str]:
    """Return the text of every document by its path in the repository."""
    paths = ["README.md", *(path for paths in SECTIONS.values() for path in paths)]
    return {path: (HOUSE / path).read_text(encoding="utf-8") for path in paths}


def program_page(path: str, text: str) -> str:
    """Return the page of a program."""
    return f"---\norphan: true\n---\n# `{path}`\n\n```python\n{text.rstrip()}\n```\n"


def pages() -> Iterator[tuple[str, str]]:
    """Yield the place and the text of every page but those of the reference."""
    texts = documents()
    for path, text in texts.items():
        yield place_of(path), open_playground(moved_links(path, text)) + (sidebar() if path == "README.md" else "")
    for path in sorted(set().union(*(linked(path, text) for path, text in texts.items()))):
        if path.endswith(".py"):
            yield place_of(path), program_page(path, (HOUSE / path).read_text(encoding="utf-8"))
    yield "404.md", NOT_FOUND


def room_of(package: str, value: object) -> str:
    """Return the page of the reference for a public name of a package."""
    if package != "ecs_collision":
        return package.split(".")[1]
    module = getattr(value, "__module__", "").split(".")
    room = {"shapes": "query", "broadphase": "query"}.get(module[1], module[1]) if len(module) > 1 else "other"
    return room if room in REFERENCE else "other"


def entry(package: str, name: str, value: object) -> str:
    """Return the lines of the reference for a name, with the attributes that belong to this package."""
    if not isinstance(value, type):
        return f".. auto{'function' if callable(value) else 'data'}:: {package}.{name}\n\n"
    if value.__name__ != name:
        other = f":py:class:`{value.__name__} <{package}.{value.__name__}>`"
        return f".. py:data:: {package}.{name}\n\n   Another name of {other}.\n\n"
    bases = [each for each in value.__mro__ if each.__module__.partition(".")[0] == "ecs_collision"]
    members = {each for base in bases for each in vars(base) if not each.startswith("_")}
    if issubclass(value, enum.Enum):
        members |= set(value.__members__)
    shown = f"   :members: {', '.join(sorted(members))}\n   :undoc-members:\n" if members else ""
    return f".. autoclass:: {package}.{name}\n{shown}\n"


def reference(packages: list[str]) -> dict[str, str]:
    """Return the pages of the reference, by place, in reStructuredText, which autodoc reads."""
    entries: dict[str, list[str]] = {room: [] for room in REFERENCE}
    for package in packages:
        module = importlib.import_module(package)
        for name in sorted(module.__all__):
            value = getattr(module, name)
            entries[room_of(package, value)].append(entry(package, name, value))
    found = {f"api/{room}.rst": heading(REFERENCE[room]) + "".join(texts) for room, texts in entries.items() if texts}
    listed = "".join(f"   {Path(place).stem}\n" for place in found)
    intro = "Every name that games import, from the docstrings. ``help(CollisionWorld)`` shows the same in Python.\n\n"
    return {"api/index.rst": heading("Names and signatures") + intro + f".. toctree::\n\n{listed}", **found}


def heading(title: str) -> str:
    """Return a heading in reStructuredText."""
    return f"{title}\n{'=' * len(title)}\n\n"


def public_packages() -> list[str]:
    """Return the packages that games import, which ARCHITECTURE.md lists."""
    text = (HOUSE / "ARCHITECTURE.md").read_text(encoding="utf-8")
    sentence = re.search(r"Games import from [^.]*(?:\.\w[^.]*)*\. ", text)
    assert sentence is not None
    return sorted(set(re.findall(r"`(ecs_collision[.\w]*)`", sentence[0])))


def main() -> None:
    """Write all pages and copy the pictures."""
    shutil.rmtree(PAGES, ignore_errors=True)
    for place, text in [*pages(), *reference(public_packages()).items()]:
        file = PAGES / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    for picture in [*HOUSE.glob("docs/*.png"), *HOUSE.glob("docs/*.svg"), *HOUSE.glob("docs/rules/*.svg")]:
        copy = PAGES / picture.relative_to(HOUSE / "docs")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(picture, copy)


if __name__ == "__main__":
    main()
