"""The replay page as a document: the film in it, escaped names, and whether the bundle is made from its source."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re

import pytest
from material import HOUSE

from ecs_collision.debug.page import page_of, write_page
from ecs_collision.debug.play_film import film_of_play
from ecs_collision.plays.files import read_play

SOURCE = HOUSE / "page"
MADE = HOUSE / "ecs_collision" / "debug" / "page"
FILM = {"version": 1, "title": "two <crates> & a wall", "bodies": [], "steps": [], "remarks": ["</script>"]}


def hash_of_sources() -> str:
    """Return the hash that page/build.mjs writes into the first line of the bundle."""
    names = ["build.mjs", "package-lock.json", "package.json", "tsconfig.json"]
    names += [f"src/{path.name}" for path in sorted((SOURCE / "src").iterdir(), key=lambda path: path.name)]
    digest = hashlib.sha256()
    for name in names:
        digest.update(f"{name}\0".encode())
        digest.update((SOURCE / name).read_bytes())
    return digest.hexdigest()


@pytest.mark.skipif(not SOURCE.is_dir(), reason="the source of the page is not part of this copy")
def test_the_bundle_is_made_from_its_source():
    first_line = (MADE / "replay.js").read_text(encoding="utf-8").partition("\n")[0]
    assert f"sources {hash_of_sources()}." in first_line, "the bundle is older than its source; run make page"


def test_the_licence_of_three_is_beside_the_bundle():
    assert "three.js authors" in (MADE / "LICENSE.three.txt").read_text(encoding="utf-8")


def test_the_document_holds_the_film_and_loads_nothing():
    page = page_of(FILM)
    (data,) = re.findall(r'<script type="application/octet-stream;base64" id="film">([A-Za-z0-9+/=]*)</script>', page)
    assert json.loads(gzip.decompress(base64.b64decode(data))) == FILM
    template = (MADE / "template.html").read_text(encoding="utf-8")
    assert re.findall(r'(?:src|href)="([^"]*)"', template) == ["data:,"]
    assert re.findall(r"url\(|@import|@font-face", template) == []


def test_the_title_is_escaped_and_the_bundle_cannot_end_its_element():
    page = page_of(FILM | {"title": "</title><script>alert(1)</script> \udc80 @@FILM@@"})
    assert page.count("&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; ? @@FILM@@") == 2
    assert page.count("<script") == page.count("</script") == 2
    assert "<!--" not in page


def test_the_same_film_gives_the_same_file(tmp_path):
    path = write_page(FILM, tmp_path / "replay.html")
    assert path.read_text(encoding="utf-8") == page_of(FILM)
    assert [path] == list(tmp_path.iterdir())


def test_a_film_with_a_value_that_json_lacks_is_refused():
    with pytest.raises(ValueError, match="JSON"):
        page_of(FILM | {"bin": float("nan")})


def test_a_force_without_limit_is_null_which_json_has():
    film, problem = film_of_play(read_play(HOUSE / "ecs_collision" / "puzzles" / "the_bridge.play"))
    forces = {result["force"] for step in film["steps"] for result in step.get("results", ())}
    assert problem is None
    assert {None, 1.5} == forces
    assert "The bridge" in page_of(film)
