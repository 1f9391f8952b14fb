"""The debug view in pygame, with SDL's dummy driver: pixels that matter, keys, the wheel and the pointer."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest
from debug_scenes import AREA, CRATE, HEAVY, NAMES, PLAYER, push, room

from benchmarks import debug_view
from ecs_collision import (
    BoxCollider,
    CapsuleCollider,
    CollisionTypeError,
    CollisionWorld,
    Inertia,
    Motion,
    OrientedBoxCollider,
    Static,
    Transform,
)  # fmt: skip
from ecs_collision.debug import KEYS, LOOKS, Camera, DebugView, Layer
from ecs_collision.debug.controls import label_places
from ecs_collision.errors import MissingExtra
from tools import debug_picture

SIZE = (1280, 720)
BACKGROUND = "#eef2f7"


@pytest.fixture
def pygame(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    pygame = pytest.importorskip("pygame")
    pygame.display.init()
    pygame.display.set_mode(SIZE)
    yield pygame
    pygame.quit()


@pytest.fixture
def adapter(pygame) -> ModuleType:
    return importlib.import_module("ecs_collision.debug.with_pygame")


def picture(pygame, adapter, view, camera):
    surface = pygame.display.get_surface()
    surface.fill(BACKGROUND)
    adapter.debug_draw(surface, view, camera)
    return surface


def test_the_picture_of_alpha_is_that_of_the_place_between_two_frames_M2(pygame, adapter):
    world = CollisionWorld()
    box = world.add(transform=Transform(2, 2), collider=BoxCollider(0.5, 0.5), motion=Motion())
    surface = pygame.display.get_surface()
    with DebugView(world, layers={Layer.BODIES}) as view:
        world.request(box, 2.0)
        world.step()
        colours = []
        for alpha in (1.0, 0.0):
            surface.fill(BACKGROUND)
            adapter.debug_draw(surface, view, Camera(3, 2, zoom=100), alpha)
            colours.append([surface.get_at((640 + 100 * x, 360))[:3] == pygame.Color(BACKGROUND)[:3] for x in (-1, 1)])
    assert [[True, False], [False, True]] == colours


def camera() -> Camera:
    camera = Camera(size=SIZE)
    camera.fit(*AREA)
    return camera


def colour_at(surface, x: float, y: float) -> str:
    """Return the colour at a place of the world; 80 pixels are a unit."""
    red, green, blue, _ = surface.get_at((round(80 * x), round(80 * y)))
    return f"#{red:02x}{green:02x}{blue:02x}"


def is_near(first: str, second: str) -> bool:
    return all(abs(int(first[at : at + 2], 16) - int(second[at : at + 2], 16)) < 24 for at in (1, 3, 5))


def test_arguments_in_another_order_are_refused_by_name(pygame, adapter):
    surface, camera = pygame.Surface((10, 10)), Camera()
    with DebugView(CollisionWorld()) as view:
        for wrong in ((view, surface, camera), (surface, CollisionWorld(), camera), (surface, view, (0, 0))):
            with pytest.raises(CollisionTypeError, match="give a surface or a window, a DebugView and a Camera"):
                adapter.debug_draw(*wrong)
        assert not adapter.handle_event(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_3), view, camera)


def test_bodies_have_the_colours_of_their_kinds(pygame, adapter):
    with DebugView(room(), layers={Layer.BODIES}) as view:
        surface = picture(pygame, adapter, view, camera())
        for kind, x, y in (
            ("static", 8.5, 1.5), ("mover", 1.5, 1.5), ("pushable", 3.0, 1.5), ("dynamic", 12.5, 7.0),
            ("solid", 14.5, 1.5),
        ):  # fmt: skip
            assert LOOKS[kind].fill == colour_at(surface, x, y)
        assert colour_at(surface, 12.05, 6.55) == BACKGROUND
        assert LOOKS["static"].line == colour_at(surface, 8.0, 1.5)
        asleep, trigger = colour_at(surface, 6.5, 4.5), colour_at(surface, 3.0, 4.5)
        assert asleep not in (BACKGROUND, LOOKS["pushable"].fill)
        assert trigger not in (BACKGROUND, LOOKS["trigger"].fill)
        view.toggle(Layer.BODIES)
        surface = picture(pygame, adapter, view, camera())
        assert {BACKGROUND} == {colour_at(surface, x, 1.5) for x in (1.5, 3.0, 8.5, 14.5)}


def test_the_chain_of_a_push_is_drawn_and_can_be_switched_off(pygame, adapter):
    world = room()
    with DebugView(world, layers={Layer.PUSHES, Layer.BLOCKERS}) as view:
        push(world)
        surface = picture(pygame, adapter, view, camera())
        assert LOOKS["push"].line == colour_at(surface, 1.75, 1.5)
        assert LOOKS["push"].line == colour_at(surface, 3.9, 1.5)
        assert is_near(LOOKS["blocker"].line, colour_at(surface, 5.0, 1.0))
        view.toggle(Layer.PUSHES)
        surface = picture(pygame, adapter, view, camera())
        assert colour_at(surface, 1.75, 1.5) == BACKGROUND
        assert is_near(LOOKS["blocker"].line, colour_at(surface, 5.0, 1.0))


def test_turned_and_round_parts_are_drawn_in_their_shapes(pygame, adapter):
    world = CollisionWorld()
    turned = Transform(4, 4, rotation=0.7853981633974483)
    world.add(1, transform=turned, collider=OrientedBoxCollider(1, 1), static=Static())
    world.add(2, transform=Transform(8, 4), collider=CapsuleCollider(0.5, 1.0, axis="x"), inertia=Inertia(1))
    world.add(3, transform=Transform(12, 4), collider=BoxCollider(4, 4), static=Static())
    with DebugView(world, layers={Layer.BODIES}) as view:
        surface = picture(pygame, adapter, view, camera())
    assert LOOKS["static"].fill == colour_at(surface, 4.0, 2.75)
    assert colour_at(surface, 3.1, 3.1) == BACKGROUND
    assert LOOKS["pushable"].fill == colour_at(surface, 6.65, 4.0)
    assert colour_at(surface, 6.52, 3.55) == BACKGROUND
    assert LOOKS["static"].fill == colour_at(surface, 13.0, 5.0)


@pytest.mark.parametrize("layer", Layer)
def test_every_layer_changes_the_picture(pygame, adapter, layer):
    world = room()
    with DebugView(world, layers=(), names=NAMES) as view:
        view.layers = set(Layer)
        push(world)
        picture(pygame, adapter, view, camera())
        view.layers = set()
        empty = pygame.image.tobytes(picture(pygame, adapter, view, camera()), "RGB")
        view.layers = {layer}
        assert empty != pygame.image.tobytes(picture(pygame, adapter, view, camera()), "RGB")


def test_labels_do_not_cover_each_other(pygame, adapter):
    world = room()
    with DebugView(world, layers={Layer.PUSHES, Layer.BLOCKERS, Layer.EVENTS, Layer.NAMES}, names=NAMES) as view:
        push(world)
        labels = [shape for shape in view.shapes(*AREA) if hasattr(shape, "text")]
        font = pygame.font
        font.init()
        sizes = {label.text: font.Font(None, 18).size(label.text) for label in labels}
        placed = [
            pygame.Rect((left, top), sizes[label.text]).inflate(-2, -2)
            for label, left, top in label_places(labels, camera(), sizes.__getitem__)
        ]
    assert len(placed) > 12
    assert [] == [one for one in placed for two in placed if one is not two and one.colliderect(two)]


def test_keys_switch_layers_and_other_keys_are_left_to_the_game(pygame, adapter):
    with DebugView(room()) as view:
        for key, layer in KEYS.items():
            before = layer in view.layers
            event = pygame.event.Event(pygame.KEYDOWN, key=0, unicode=key)
            assert adapter.handle_event(event, view, camera())
            assert before is not (layer in view.layers)
        assert not adapter.handle_event(pygame.event.Event(pygame.KEYDOWN, key=0, unicode="w"), view, camera())
        assert not adapter.handle_event(pygame.event.Event(pygame.QUIT), view, camera())


def press(pygame, kind, at, **more):
    return pygame.event.Event(kind, pos=at, button=1, **more)


def test_a_click_names_the_body_and_a_drag_moves_the_picture(pygame, adapter):
    world = room()
    with DebugView(world, names=NAMES) as view:
        push(world)
        seen = camera()
        assert adapter.handle_event(press(pygame, pygame.MOUSEBUTTONDOWN, (400, 120)), view, seen)
        assert adapter.handle_event(press(pygame, pygame.MOUSEBUTTONUP, (401, 120)), view, seen)
        assert view.selected == HEAVY
        surface = picture(pygame, adapter, view, seen)
        assert surface.get_at((2, 2))[:3] != pygame.Color(BACKGROUND)[:3]
        motion = pygame.event.Event(pygame.MOUSEMOTION, pos=(480, 120), rel=(80, 0), buttons=(1, 0, 0))
        assert not adapter.handle_event(motion, view, seen)
        adapter.handle_event(press(pygame, pygame.MOUSEBUTTONDOWN, (400, 120)), view, seen)
        assert adapter.handle_event(motion, view, seen)
        assert not adapter.handle_event(press(pygame, pygame.MOUSEBUTTONUP, (480, 120)), view, seen)
        assert view.selected == HEAVY
        assert seen.rectangle == (-1.0, 0.0, 15.0, 9.0)
        adapter.handle_event(press(pygame, pygame.MOUSEBUTTONDOWN, (240 + 80, 120)), view, seen)
        adapter.handle_event(press(pygame, pygame.MOUSEBUTTONUP, (240 + 80, 120)), view, seen)
        assert view.selected == PLAYER
        assert CRATE != view.selected


def test_the_wheel_zooms_at_the_pointer(pygame, adapter, monkeypatch):
    monkeypatch.setattr(pygame.mouse, "get_pos", lambda: (400, 120))
    with DebugView(room()) as view:
        seen = camera()
        before = seen.to_world(400, 120)
        assert adapter.handle_event(pygame.event.Event(pygame.MOUSEWHEEL, y=2, x=0), view, seen)
        assert seen.zoom == pytest.approx(80 * 1.44)
        assert seen.to_world(400, 120) == pytest.approx(before)
        for _ in range(12):
            adapter.handle_event(pygame.event.Event(pygame.MOUSEWHEEL, y=2, x=0), view, seen)
        view.layers = set(Layer)
        picture(pygame, adapter, view, seen)


def test_without_pygame_an_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame", None)
    monkeypatch.delitem(sys.modules, "ecs_collision.debug.with_pygame", raising=False)
    with pytest.raises(MissingExtra, match=r"pip install 'ecs-collision\[pygame\]'"):
        importlib.import_module("ecs_collision.debug.with_pygame")


def test_the_benchmark_measures_every_set_of_layers(pygame, capsys):
    debug_view.main(["--bodies", "60", "--frames", "3"])
    output = capsys.readouterr().out
    assert list(debug_view.LAYER_SETS) == [name for name in debug_view.LAYER_SETS if f"\n{name} " in output]
    assert "difference" in output


def test_the_picture_of_the_page_is_the_one_that_the_tool_draws(pygame, tmp_path):
    debug_picture.draw(tmp_path / "new.png")
    new, old = (pygame.image.load(file) for file in (tmp_path / "new.png", debug_picture.FILE))
    assert new.get_size() == old.get_size()
    pixels = [pygame.image.tobytes(image, "RGB") for image in (new, old)]
    changed = sum(a != b for a, b in zip(*pixels, strict=True))
    assert changed < 0.02 * len(pixels[0])  # fonts differ a little from one version of SDL to the next
