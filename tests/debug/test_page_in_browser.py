"""The replay page in a headless Chromium: plays, seeks, explains, finds, and is usable on a phone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import films
import pytest

from benchmarks.browser import chromium, set_window, what_is_missing
from ecs_collision.debug.page import page_of, write_page

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

MISSING = what_is_missing()
pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)

ENTERED = "TriggerEntered: heavy crate entered plate"
STOPPED = "hero moved by 1.5 of 3 and stopped at wall, which is static"
DESKTOP, PHONE = (1280, 800), (390, 844)


class Page:
    """An opened page."""

    def __init__(self, driver: Chrome, folder: Path) -> None:
        self.driver, self.folder = driver, folder

    def open(self, film: films.Film, size: tuple[int, int] = DESKTOP, is_dark: bool = False) -> None:
        """Write a film, open it and wait for its first picture."""
        path = write_page(film, self.folder / f"{abs(hash(film['title']))}.html")
        scheme = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        set_window(self.driver, *size, is_phone=size == PHONE)
        self.driver.get(path.as_uri())
        self.wait("window.replay && replay.pictures > 0")

    def run(self, script: str, *arguments: Any) -> Any:
        """Return the value of a script with a return statement."""
        return self.driver.execute_script(script, *arguments)

    def get(self, expression: str) -> Any:
        """Return the value of an expression."""
        return self.run(f"return {expression}")

    def wait(self, condition: str) -> None:
        """Wait until an expression is true; fails after ten seconds."""
        end = time.monotonic() + 10
        while not self.get(f"Boolean({condition})"):
            assert time.monotonic() < end, f"the page has not come to {condition}"
            time.sleep(0.02)

    def drawn(self) -> None:
        """Wait for a picture from now on."""
        self.wait(f"replay.pictures > {self.get('replay.pictures')} || !replay.isDue")

    def click(self, selector: str) -> None:
        """Click an element as a person does, where it is on the screen."""
        self.driver.find_element("css selector", selector).click()

    def click_at(self, place: list[float]) -> None:
        """Click a place of the window."""
        for kind in ("mousePressed", "mouseReleased"):
            event = {"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1}
            self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        from selenium.webdriver import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def text(self, selector: str) -> str:
        """Return the text of an element."""
        return str(self.run("return document.querySelector(arguments[0]).textContent", selector))

    def colours(self, x: float, y: float, width: int = 1, height: int = 1) -> set[tuple[int, int, int]]:
        """Return the colours of a part of the 2D canvas, in pixels of the window."""
        data = self.run(
            "const box = document.getElementById('flat').getBoundingClientRect();"
            "return [...document.getElementById('flat').getContext('2d')"
            ".getImageData(arguments[0] - box.left, arguments[1] - box.top, arguments[2], arguments[3]).data]",
            x, y, width, height,
        )  # fmt: skip
        return {(data[i], data[i + 1], data[i + 2]) for i in range(0, len(data), 4)}

    def colour_of(self, name: str) -> tuple[int, int, int]:
        """Return a colour of the style sheet."""
        text = self.get(f"getComputedStyle(document.documentElement).getPropertyValue('--{name}').trim()")
        return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)

    def complaints(self) -> list[str]:
        """Return the errors in the console since the last call, without warnings: reading pixels slows a page down."""
        log = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in log if entry["level"] == "SEVERE"]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """One browser for all tests of this file."""
    with chromium(*DESKTOP) as driver:
        yield Page(driver, tmp_path_factory.mktemp("pages"))


@pytest.fixture
def page(browser: Page) -> Iterator[Page]:
    """The browser; the test fails if the console has an error afterwards."""
    browser.complaints()
    yield browser
    assert [] == browser.complaints()


def test_a_film_opens_with_its_bodies_and_what_happened(page):
    page.open(films.push_film())
    assert "Two crates <and> a wall" == page.text("h1") == page.driver.title
    assert [0, 4, "2d"] == page.get("[replay.step, replay.lastStep, replay.viewName]")
    assert "7 in 4 steps" == page.text("#count")
    kinds = page.get("[...document.querySelectorAll('#legend li')].map(each => each.textContent)")
    assert ["static", "solid", "pushable", "mover", "dynamic", "trigger"] == kinds
    assert page.colour_of("mover") in page.colours(*page.get(f"replay.placeOf({films.HERO}).map(v => v - 12)"))


def test_a_film_opens_at_the_step_it_names(page):
    page.open(films.push_film() | {"open_at": 3})
    assert 3 == page.get("replay.step")
    assert "the outcome differs" in page.text("#now .note")


def test_playing_runs_to_the_end_and_stops(page):
    page.open(films.push_film())
    page.run("replay.setSpeed(8)")
    page.click("#play")
    page.wait("replay.step === 4 && !replay.playing")
    page.run("replay.setSpeed(0.25)")
    page.click("#play")  # from the start again
    page.wait("replay.playing && replay.step < 4")
    page.click("#play")
    assert page.get("!replay.playing")


def test_frames_are_played_in_real_time(page):
    page.open(films.long_film())
    page.click("#play")
    page.wait("replay.step > 5")
    start = page.get("[performance.now(), replay.step]")
    page.wait(f"performance.now() > {start[0] + 800}")
    end = page.get("[performance.now(), replay.step]")
    page.run("replay.pause()")
    assert 60 == pytest.approx(1000 * (end[1] - start[1]) / (end[0] - start[0]), rel=0.15)


def test_steps_by_buttons_keys_and_the_slider(page):
    page.open(films.push_film())
    page.click("#forward")
    page.click("#forward")
    page.click("#back")
    assert 1 == page.get("replay.step")
    page.press("\ue014")  # right
    assert 2 == page.get("replay.step")
    page.press("\ue010")  # end
    assert 4 == page.get("replay.step")
    page.press("\ue011")  # home
    assert 0 == page.get("replay.step")
    page.press("e", "e")
    assert 3 == page.get("replay.step")
    page.run("const s = document.getElementById('time'); s.value = 2; s.dispatchEvent(new Event('input'))")
    assert 2 == page.get("replay.step")
    page.wait("document.getElementById('live').textContent.startsWith('2: a change')")


def test_seeking_gives_the_same_state_as_playing(page):
    page.open(films.long_film())
    state = "[[...replay.scene.now.x], [...replay.scene.now.y]]"
    page.run("replay.goTo(200)")
    sought = page.get(state)
    page.run("replay.goTo(0); for (let i = 1; i <= 200; i++) replay.goTo(i)")
    assert page.get(state) == sought
    page.run("replay.goTo(299); replay.goTo(200)")
    assert page.get(state) == sought
    ways = sum(1 if frame // 50 % 2 == 0 else -1 for frame in range(1, 201))
    assert [x * 65536 * 2 + ways * 1024 for x in range(8)] == sought[0][:8]


def test_every_change_of_a_step_is_shown(page):
    page.open(films.push_film())
    page.run("replay.goTo(2)")
    now = page.get(
        "(({shown, asleep, kind, rotation, components}) => [shown[11], asleep[7], kind[7], rotation[6],"
        " components[2]])(replay.scene.now)"
    )
    assert [1, 0, "solid", 1.0, ["Transform(1.5, 0)", "Motion(3)"]] == now
    page.run("replay.goTo(4)")
    assert [0, 1] == page.get("[replay.scene.now.shown[6], replay.scene.now.asleep[7]]")
    page.run("replay.goTo(0)")
    assert [0, 1, "pushable"] == page.get(
        "[replay.scene.now.shown[11], replay.scene.now.asleep[7], replay.scene.now.kind[7]]"
    )


def test_a_click_selects_a_body_and_shows_what_is_known_of_it(page):
    page.open(films.push_film())
    page.run("replay.goTo(1)")
    page.click_at(page.get(f"replay.placeOf({films.HERO})"))
    page.wait(f"replay.selected === {films.HERO}")
    shown = page.text("#now")
    for expected in ("hero", "mover", "id 5", "(1.5, 0)", "it pushed crate and heavy crate", "BoxCollider(0.5, 0.5)"):
        assert expected in shown
    box = page.get("document.getElementById('flat').getBoundingClientRect().toJSON()")
    page.click_at([box["left"] + 20, box["top"] + 20])
    page.wait("replay.selected === -1")


def test_a_refused_push_is_explained_in_words_and_drawn(page):
    page.open(films.push_film())
    page.run("replay.goTo(3)")
    page.drawn()
    assert "stopped at wall, which is static" in page.text("#now .blocked")
    assert [films.WALL] == page.get("replay.marks.blockers")
    assert [0, 1] == page.get("replay.marks.pushed")
    assert {"requested", "made", "pushed", "link"} == set(page.get("replay.marks.arrows.map(each => each.style)"))
    assert ["force 4", "inertia 1", "inertia 2", "immovable"] == page.get("replay.marks.labels.map(each => each.text)")
    x, y = page.get(f"replay.flat.project(replay.scene.boundsOf({films.WALL}).x0, 0)")
    left, top = page.get("(b => [b.left, b.top])(document.getElementById('flat').getBoundingClientRect())")
    assert page.colour_of("danger") in page.colours(left + x - 4, top + y - 40, 8, 2)
    page.run("replay.goTo(1)")
    page.drawn()
    assert ["gap 0.5", "gap 0.25"] == page.get("replay.marks.arrows.filter(a => a.style === 'link').map(a => a.text)")


def test_a_body_that_was_only_pushed_shows_the_push(page):
    page.open(films.push_film())
    page.run("replay.goTo(1); replay.select(1)")
    page.drawn()
    assert "it pushed crate and heavy crate" in page.text("#now")
    assert "made" in page.get("replay.marks.arrows.map(each => each.style)")
    page.run("replay.select(5)")
    page.drawn()
    assert [] == page.get("replay.marks.arrows")
    assert "It did nothing." in page.text("#now")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("triggerentered", [ENTERED]),
        ("plate", ["plate (id 7, trigger)", ENTERED, "TriggerExited: heavy crate left plate"]),
        ("#6", ["wall (id 6, static)", STOPPED, "Blocked: hero was stopped by wall"]),
        ("hero immovable", [STOPPED]),
        ("note", ["the outcome differs from the recorded one: crate moved by 1"]),
        ("nothing like it", []),
    ],
    ids=["kind", "name", "id", "two words", "note", "nothing"],
)  # fmt: skip
def test_search_finds_events_by_id_name_and_kind(page, words, found):
    if page.get("window.replay?.film.title") != "Two crates <and> a wall":
        page.open(films.push_film())
    field = page.driver.find_element("id", "search")
    field.clear()
    field.send_keys(words)
    assert found == page.get("replay.found.map(each => each.text)")
    assert found == [row.text.split("\n")[-1] for row in page.driver.find_elements("css selector", "#events button")]


def test_a_click_on_an_event_goes_to_its_step(page):
    page.open(films.push_film())
    field = page.driver.find_element("id", "search")
    field.send_keys("TriggerExited")
    page.click("#events button")
    assert [3, 1] == page.get("[replay.step, replay.selected]")
    field.clear()
    field.send_keys("ball")
    page.click("#events button")  # the body itself
    assert [3, 6] == page.get("[replay.step, replay.selected]")


def test_cells_are_those_of_the_rule(page):
    """B1: side 1 is level 0, the plate of 1.5 is level 1, the wall of 5 is level 3; B2: both ends are included."""
    page.open(films.push_film())
    page.click("#cells")
    page.drawn()
    expected = set()
    for body in films.push_film()["bodies"]:
        if body["shown"] and body["id"] not in (9, 11):
            (_, _, _, hx, hy, *_), (x, y, _) = body["parts"][0], body["at"]
            level = next(level for level in range(9) if 65536 * 2**level >= 2 * max(hx, hy))
            edge = 65536 * 2**level
            columns, rows = (range((c - h) // edge, (c + h) // edge + 1) for c, h in ((x, hx), (y, hy)))
            expected |= {(level, column, row) for column in columns for row in rows}
    expected |= {(0, 1, 2), (0, 2, 2), (0, 1, 3), (0, 2, 3)}  # the ball of diameter 1 at (2, 2.5), also before
    capsule = {(1, x, y) for x in (-1, 0) for y in (-2, -1)}  # 1.33 by 1.06, centre (0.5, -2.5)
    assert len(expected | capsule) == page.get("replay.view.cellCount")


def test_the_view_in_space_draws_and_picks(page):
    page.open(films.space_film())
    assert "3d" == page.get("replay.viewName")
    assert 500 < page.get("replay.view.triangles")
    image = page.run(
        "replay.view.draw(replay.marks, replay.options, -1, replay.theme.palette);"
        "const c = document.createElement('canvas'); c.width = c.height = 64; const g = c.getContext('2d');"
        "g.drawImage(document.getElementById('deep'), 0, 0, 64, 64); return [...g.getImageData(0, 0, 64, 64).data]"
    )
    assert 50 < len({tuple(image[i : i + 3]) for i in range(0, len(image), 4)})
    page.click_at(page.get("replay.placeOf(5)"))
    page.wait("replay.selected === 5")
    assert "ball" in page.text("#now .big")
    page.click("#up")
    page.press("2")
    assert "2d" == page.get("replay.viewName")
    page.press("3", "c")
    page.wait("replay.view.cellCount > 10")


def test_a_flat_film_is_shown_in_space_too_with_its_marks(page):
    page.open(films.push_film())
    page.run("replay.goTo(3)")
    page.click("#deep-view")
    page.wait("replay.view.triangles > 50")
    assert page.run(
        "const o = document.getElementById('overlay');"
        "return o.getContext('2d').getImageData(0, 0, o.width, o.height).data.some(value => value)"
    )


def test_wheel_drag_fit_and_follow(page):
    page.open(films.push_film())
    x, y = page.get(f"replay.placeOf({films.HERO})")
    scale = page.get("replay.flat.scale")
    wheel = {"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": -300}
    page.driver.execute_cdp_cmd("Input.dispatchMouseEvent", wheel)
    page.wait(f"replay.flat.scale > {scale}")
    assert [x, y] == pytest.approx(page.get(f"replay.placeOf({films.HERO})"), abs=1)
    for kind, place in (("mousePressed", x), ("mouseMoved", x + 60), ("mouseReleased", x + 60)):
        event = {"type": kind, "x": place, "y": y, "button": "left", "buttons": 1, "clickCount": 1}
        page.driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)
    assert [x + 60, y] == pytest.approx(page.get(f"replay.placeOf({films.HERO})"), abs=1)
    assert -1 == page.get("replay.selected")
    page.press("f")
    assert scale == pytest.approx(page.get("replay.flat.scale"))
    page.run("replay.select(2); replay.toggleFollow(); replay.goTo(3)")
    page.drawn()
    middle = page.get(
        "(b => [b.left + b.width / 2, b.top + b.height / 2])(document.getElementById('stage').getBoundingClientRect())"
    )
    assert middle == pytest.approx(page.get(f"replay.placeOf({films.HERO})"), abs=1)


def test_names_from_files_are_harmless(page):
    page.open(films.push_film())
    page.run("replay.toggle('names'); replay.select(5)")
    assert "<script>alert(1)</script>" == page.text("#now .big")
    page.run("replay.select(7)")
    assert "</script>" == page.text("#now .big")
    assert 2 == page.get("document.scripts.length")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_is_wider_than_the_window(page, size):
    page.open(films.push_film(), size)
    for action in ("replay.goTo(3)", "replay.select(2)", "replay.panel.open(true)", "replay.show('3d')"):
        page.run(action)
        page.drawn()
        assert size[0] >= page.get("document.documentElement.scrollWidth")
        outside = page.get(
            "[...document.querySelectorAll('button, select, input, h1')].filter(e => {"
            " const b = e.getBoundingClientRect(); return b.width && (b.left < -1 || b.right > innerWidth + 1)"
            "}).map(e => e.id || e.textContent)"
        )
        assert [] == outside
    assert size[1] >= page.get("document.documentElement.scrollHeight")


def test_on_a_phone_the_panel_is_a_sheet(page):
    page.open(films.push_film(), PHONE)
    assert not page.get("document.getElementById('now').offsetHeight")
    assert "0: start" == page.text("#grip")
    page.run("replay.goTo(3)")
    page.click("#grip")
    assert 100 < page.get("document.getElementById('now').offsetHeight")
    assert 200 < page.get("document.getElementById('stage').offsetHeight")
    page.click("#grip")
    page.run("replay.panel.open(false)")
    page.drawn()
    page.click_at(page.get("replay.placeOf(5)"))
    page.wait("replay.selected === 5 && !document.getElementById('panel').classList.contains('closed')")


def test_two_fingers_zoom(page):
    page.open(films.push_film(), PHONE)
    scale = page.get("replay.flat.scale")
    x, y = page.get(f"replay.placeOf({films.HERO})")
    for kind, apart in (("touchStart", 20), ("touchMove", 30), ("touchMove", 60), ("touchEnd", 0)):
        fingers = [{"x": x - apart, "y": y}, {"x": x + apart, "y": y}] if apart else []
        page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
    page.wait(f"replay.flat.scale > {2 * scale}")
    assert [x, y] == pytest.approx(page.get(f"replay.placeOf({films.HERO})"), abs=3)
    assert -1 == page.get("replay.selected")


def test_dark_and_light(page):
    page.open(films.push_film(), is_dark=True)
    assert page.get("replay.isDark")
    stage = page.colour_of("stage")
    left, top = page.get("(b => [b.left, b.top])(document.getElementById('flat').getBoundingClientRect())")
    assert {stage} == page.colours(left + 10, top + 10)
    page.click("#theme")
    page.drawn()
    assert not page.get("replay.isDark")
    assert stage != page.colour_of("stage")
    assert {page.colour_of("stage")} == page.colours(left + 10, top + 10)


def test_help_lists_the_keys(page):
    page.open(films.long_film())
    page.press("?")
    page.wait("document.getElementById('help').open")
    assert "play or pause" in page.text("#keys")
    page.click("#close-help")
    assert not page.get("document.getElementById('help').open")
    page.run("replay.setSpeed(0.01)")  # a busy machine does not come to the end
    page.press(" ")
    page.wait("replay.playing")
    page.press(" ")
    page.wait("!replay.playing")


def test_the_page_works_inside_another_page(page):
    page.driver.get("about:blank")
    page.run(
        "const frame = document.createElement('iframe'); frame.id = 'inner'; frame.srcdoc = arguments[0];"
        "document.body.append(frame)",
        page_of(films.long_film()),
    )
    page.wait("document.getElementById('inner').contentWindow.replay?.pictures > 0")


def test_a_film_of_another_version_is_refused_in_words(browser):
    path = write_page(films.push_film() | {"version": 99}, browser.folder / "other.html")
    browser.driver.get(path.as_uri())
    browser.wait("document.getElementById('message').textContent.includes('version 99; this page plays version 1')")
    assert 1 == len(browser.complaints())


def test_a_film_without_bodies_says_so(page):
    page.open(films.film("empty", [], []))
    assert "There is no body in this recording." == page.text("#message")
    assert page.get("!document.getElementById('message').hidden")
