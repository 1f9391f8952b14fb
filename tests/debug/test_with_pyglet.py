"""The debug view in pyglet: real frames in a window under Xvfb or another display, and its events."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from ecs_collision.errors import MissingExtra

HERE = Path(__file__).parent
HOUSE = HERE.parent.parent

PROGRAM = """
import sys
sys.path[:0] = {path!r}
import pyglet
from pyglet.window import mouse
try:
    window = pyglet.window.Window(1280, 720, visible=True)
except Exception as error:
    print("no window:", type(error).__name__, error)
    sys.exit(7)
from debug_scenes import AREA, NAMES, PLAYER, push, room
from ecs_collision.debug import LOOKS, Camera, DebugView, Layer, with_pyglet

def send(*event):
    pyglet.event.EventDispatcher.dispatch_event(window, *event)  # at once; a window would keep it in a queue

def picture():
    window.switch_to()
    pyglet.gl.glClearColor(1, 1, 1, 1)
    window.clear()
    with_pyglet.debug_draw(window, view, camera)
    image = pyglet.image.get_buffer_manager().get_color_buffer().get_image_data()
    data = image.get_data("RGB", 1280 * 3)
    return lambda x, y: "#" + data[3 * ((719 - y) * 1280 + x) :][:3].hex()

world, camera = room(), Camera(size=(1280, 720))
camera.fit(*AREA)
with DebugView(world, names=NAMES) as view:
    push(world)
    at = picture()
    assert LOOKS["static"].fill == at(680, 120), at(680, 120)
    assert LOOKS["dynamic"].fill == at(1000, 560), at(1000, 560)
    assert LOOKS["mover"].fill == at(245, 145), at(245, 145)
    assert LOOKS["push"].line == at(140, 120), at(140, 120)
    assert at(40, 680) == "#ffffff"
    view.layers = set(Layer)
    picture()
    handlers = with_pyglet.DebugHandlers(view, camera)
    window.push_handlers(handlers)
    send("on_text", "1")
    assert Layer.BODIES not in view.layers
    send("on_text", "w")
    view.layers = {{Layer.BODIES}}
    send("on_text", "1")
    assert picture()(680, 120) == "#ffffff"
    send("on_mouse_press", 240, 600, mouse.LEFT, 0)
    send("on_mouse_release", 240, 600, mouse.LEFT, 0)
    assert view.selected == PLAYER
    send("on_mouse_press", 240, 600, mouse.LEFT, 0)
    send("on_mouse_drag", 320, 600, 80, 0, mouse.LEFT, 0)
    send("on_mouse_release", 320, 600, mouse.LEFT, 0)
    assert camera.rectangle == (-1.0, 0.0, 15.0, 9.0)
    send("on_mouse_press", 240, 600, mouse.RIGHT, 0)
    send("on_mouse_drag", 320, 600, 80, 0, mouse.RIGHT, 0)
    assert camera.rectangle == (-1.0, 0.0, 15.0, 9.0)
    send("on_mouse_scroll", 640, 360, 0, 1)
    assert abs(camera.zoom - 96.0) < 1e-9
print("done")
"""


def test_a_window_shows_the_view_and_passes_its_events_on(tmp_path):
    pytest.importorskip("pyglet", reason="pyglet is not installed; run: pip install -e '.[pyglet]'")
    program = tmp_path / "window.py"
    path = [str(HOUSE), str(HERE), str(HERE.parent / "support")]
    program.write_text(textwrap.dedent(PROGRAM.format(path=path)), encoding="utf-8")
    command = [sys.executable, str(program)]
    if not os.environ.get("DISPLAY") and sys.platform == "linux":
        if shutil.which("xvfb-run") is None:
            pytest.skip("there is no display and no Xvfb; install the package xvfb")
        command = ["xvfb-run", "-a", "-s", "-screen 0 1280x800x24", *command]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=tmp_path)
    if run.returncode == 7:
        pytest.skip(f"pyglet can open no window here: {run.stdout.strip()}")
    assert run.stdout.strip().endswith("done"), run.stdout + run.stderr


def test_without_pyglet_an_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyglet", None)
    monkeypatch.delitem(sys.modules, "ecs_collision.debug.with_pyglet", raising=False)
    with pytest.raises(MissingExtra, match=r"pip install 'ecs-collision\[pyglet\]'"):
        importlib.import_module("ecs_collision.debug.with_pyglet")
