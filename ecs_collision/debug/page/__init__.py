"""The page that plays a film in a browser: one HTML file that needs no network.

`template.html` is its text; `make page` makes `replay.js` from `page/` at the root of the repository.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import os
import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from ecs_collision.errors import LevelError
from ecs_collision.levels.files import write_atomically
from ecs_collision.levels.source import path_text


def page_of(film: Mapping[str, Any]) -> str:
    """Return the HTML document that plays a film. The same film gives the same document."""
    folder = files(__name__)
    texts = {
        "TITLE": html.escape(str(film["title"]).encode("utf-8", "replace").decode("utf-8")),
        "FILM": packed(film),
        "REPLAY": folder.joinpath("replay.js").read_text(encoding="utf-8"),
    }
    template = folder.joinpath("template.html").read_text(encoding="utf-8")
    return re.sub(r"@@(\w+)@@", lambda found: texts[found[1]], template)


def page_path(given: str | os.PathLike[str]) -> Path:
    """Return the path of a page to write; raises LevelError if it does not end in .html: no other file is replaced."""
    path = Path(path_text(given))
    if path.suffix.lower() not in (".html", ".htm"):
        raise LevelError(
            str(path), found=f"a file ending in {path.suffix!r} to write a page to", expected="one ending in .html",
            remedy=f"write {path.with_suffix('.html') if path.name else 'OUT.html'}",
        )  # fmt: skip
    return path


def write_page(film: Mapping[str, Any], path: str | os.PathLike[str]) -> Path:
    """Write the HTML document that plays a film to a file and return its path. The file is replaced in one step."""
    return write_atomically(page_path(path), page_of(film))


def packed(film: Mapping[str, Any]) -> str:
    """Return a film as base64 of gzip of JSON, which cannot end the element it stands in."""
    data = json.dumps(film, separators=(",", ":"), allow_nan=False).encode("ascii")
    return base64.b64encode(gzip.compress(data, mtime=0)).decode("ascii")


def framed(page: str) -> str:
    """Return a page as an element of another one, for notebooks."""
    return f'<iframe srcdoc="{html.escape(page)}" style="width: 100%; height: 640px; border: 0"></iframe>'
