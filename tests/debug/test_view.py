"""The draw model of debug views: layers, picking, describing, attaching and detaching."""

from __future__ import annotations

import esper
import pytest
from debug_scenes import (
    AREA,
    BALL,
    CRATE,
    HEAVY,
    HIDDEN,
    LEFT,
    NAMES,
    PLATE,
    PLAYER,
    RIGHT,
    SLEEPER,
    STAIRS,
    WALL,
    push,
    room,
)
from material import HOUSE
from worlds import fresh_world

from ecs_collision import (
    BoxCollider,
    CollisionError,
    CollisionSystem,
    CollisionTypeError,
    CollisionValueError,
    CollisionWorld,
    CompoundCollider,
    Fused,
    Inertia,
    Mass,
    Motion,
    Sphere,
    SphereCollider,
    Static,
    Transform,
    UnknownEntity,
    Velocity,
)
from ecs_collision.broadphase import Octree
from ecs_collision.debug import DEFAULT_LAYERS, LOOKS, DebugView, Label, Layer, Line, Polygon, svg_of
from ecs_collision.debug.body_shapes import joined_edges
from ecs_collision.debug.controls import press_key
from ecs_collision.debug.instrument import listeners_of
from ecs_collision.debug.questions import WatchedSpace
from ecs_collision.game import Game
from ecs_collision.query import Space

SHOWN = {
    Layer.BODIES: {"static", "solid", "pushable", "mover", "trigger", "dynamic", "asleep"},
    Layer.GROUPS: {"compound", "fused"},
    Layer.CELLS: {"cell 0", "cell 1", "cell 2"},
    Layer.REGIONS: {"region asleep", "region awake"},
    Layer.PUSHES: {"requested", "push", "link"},
    Layer.BLOCKERS: {"blocker"},
    Layer.CONTACTS: {"contact"},
    Layer.VELOCITIES: {"velocity"},
    Layer.RAYS: {"ray stopped", "contact"},
    Layer.EVENTS: {"event"},
    Layer.NAMES: {"text"},
    Layer.COUNTERS: {"panel"},
    Layer.DISABLED: {"disabled"},
}


def texts(shapes) -> list[str]:
    return [shape.text for shape in shapes if isinstance(shape, Label)]


def of_kind(shapes, kind: str) -> list:
    return [shape for shape in shapes if shape.kind == kind]


@pytest.mark.parametrize("layer", Layer)
def test_a_layer_draws_its_kinds_and_nothing_else(layer):
    world = room()
    with DebugView(world, layers=Layer, names=NAMES) as view:
        push(world)
        view.layers = {layer}
        assert SHOWN[layer] == {shape.kind for shape in view.shapes(*AREA)}
        assert SHOWN[layer] <= LOOKS.keys()
        assert not view.toggle(layer)
        assert [] == view.shapes(*AREA)
        assert view.toggle(layer.value)


def test_every_layer_is_tried():
    assert set(Layer) == SHOWN.keys()
    assert set(Layer) > DEFAULT_LAYERS


def test_bodies_are_drawn_in_their_true_shapes():
    with DebugView(room(), layers={Layer.BODIES}) as view:
        shapes = view.shapes(*AREA)
    (wall,) = of_kind(shapes, "static")
    assert {(8.0, 0.0), (9.0, 0.0), (9.0, 3.0), (8.0, 3.0)} == set(wall.corners)
    assert Polygon("dynamic", ((12.5, 7.0),), 0.5, f"entity {BALL}") in shapes
    assert len(of_kind(shapes, "solid")) == 3
    assert shapes[0].kind == "trigger"
    assert shapes[-1].kind == "mover"


def test_a_body_that_moves_or_falls_asleep_is_drawn_anew():
    world = room()
    with DebugView(world, layers={Layer.BODIES}) as view:
        view.shapes(*AREA)
        world.teleport(SLEEPER, 6.5, 5.5)
        world.teleport(CRATE, 3.0, 2.5)
        shapes = view.shapes(*AREA)
        assert [] == of_kind(shapes, "asleep")
        assert [(2.5, 2.0)] == [shape.corners[0] for shape in shapes if shape.note == f"entity {CRATE}"]
        assert [(6.0, 5.0)] == [shape.corners[0] for shape in shapes if shape.note == f"entity {SLEEPER}"]


def test_with_alpha_bodies_are_drawn_where_the_game_draws_them_M2():
    world = room()
    with DebugView(world, layers={Layer.BODIES, Layer.NAMES, Layer.VELOCITIES}) as view:
        view.shapes(*AREA)
        world.request(PLAYER, 0.25, 0.5)
        world.step()
        here, between, start = (view.shapes(*AREA, alpha) for alpha in (1.0, 0.75, 0.0))
        assert here == view.shapes(*AREA) != between
        for shapes, alpha in ((here, 1.0), (between, 0.75), (start, 0.0)):
            x, y, _ = world.interpolated(PLAYER, alpha)
            (body,) = [shape for shape in shapes if isinstance(shape, Polygon) and shape.note == f"entity {PLAYER}"]
            (low_x, low_y), (high_x, high_y) = body.corners[0], body.corners[2]
            assert ((low_x + high_x) / 2, (low_y + high_y) / 2) == (x, y)
            assert (x, y) in [shape.at for shape in shapes if isinstance(shape, Label)]
        still = [shape for shape in here if getattr(shape, "note", "") == f"entity {WALL}"]
        assert still == [shape for shape in start if getattr(shape, "note", "") == f"entity {WALL}"]
        with pytest.raises(CollisionValueError, match="alpha"):
            view.shapes(*AREA, 1.5)


def test_velocities_and_pushes_begin_where_bodies_are_drawn_with_alpha_M2():
    world = CollisionWorld()
    mover = world.add(
        transform=Transform(2, 2), collider=BoxCollider(0.5, 0.5), velocity=Velocity(8, 0), motion=Motion(force=2)
    )
    world.add(transform=Transform(3, 2), collider=BoxCollider(0.5, 0.5), inertia=Inertia(1))
    box = BoxCollider(0.5, 0.5)
    ball = world.add(transform=Transform(2, 6), collider=box, velocity=Velocity(4, 0), mass=Mass(1))
    with DebugView(world, layers={Layer.VELOCITIES, Layer.PUSHES}) as view:
        world.step_movement(1 / 16)
        world.step_dynamics(1 / 16)
        world.step()
        lines = [shape for shape in view.shapes(0, 0, 9, 9, 0.5) if isinstance(shape, Line)]
    assert (2.25, 2.0, 0.0) == world.interpolated(mover, 0.5)
    assert [(world.interpolated(ball, 0.5)[:2], (3.125, 6.0))] == [
        (line.start, line.end) for line in lines if line.kind == "velocity"
    ]
    assert {(2.25, 2.0), (3.25, 2.0)} <= {end for line in lines for end in (line.start, line.end)}


def test_only_bodies_in_the_rectangle_are_drawn():
    with DebugView(room(), layers={Layer.BODIES, Layer.NAMES, Layer.CELLS}) as view:
        shapes = view.shapes(7.5, 0.0, 9.5, 2.0)
    assert [f"entity {WALL}"] == texts(shapes)
    assert {"static"} == {shape.kind for shape in shapes if not shape.kind.startswith(("cell", "text"))}


def test_a_push_shows_forces_inertias_gaps_and_why_it_stopped():
    world = room()
    with DebugView(world, layers={Layer.PUSHES, Layer.BLOCKERS}) as view:
        push(world)
        shapes = view.shapes(*AREA)
    assert ["x: the force is too small, inertia 7", "gap 0.5", "force 2", "inertia 1"] == texts(shapes)
    ways = [shape for shape in of_kind(shapes, "push") if isinstance(shape, Line)]
    assert [((1.5, 1.5), (3.0, 1.5)), ((3.0, 1.5), (4.0, 1.5))] == [(way.start, way.end) for way in ways]
    assert all(way.arrow for way in ways)
    (outline,) = [shape for shape in of_kind(shapes, "blocker") if isinstance(shape, Polygon)]
    assert (4.5, 1.0) in outline.corners


@pytest.mark.parametrize(
    ("settings", "options", "text"),
    [
        ({"bounds": ((0, 0), (20, 9))}, {"dx": -3}, "x: the bounds"),
        ({}, {"dx": 3, "max_chain": 0}, "x: the chain is too long"),
        ({"can_push": lambda *_: False}, {"dx": 3}, "x: can_push refused"),
        ({}, {"dx": 9, "force": 99}, "x: it cannot be pushed"),
    ],
)
def test_a_blocker_is_drawn_with_its_reason(settings, options, text):
    world = CollisionWorld(**settings)
    world.add(1, transform=Transform(1.5, 1.5), collider=BoxCollider(0.5, 0.5), motion=Motion(force=2))
    world.add(2, transform=Transform(3.0, 1.5), collider=BoxCollider(0.5, 0.5), inertia=Inertia(1))
    world.add(3, transform=Transform(6.0, 1.5), collider=BoxCollider(0.5, 0.5), static=Static())
    with DebugView(world, layers={Layer.BLOCKERS}) as view:
        world.move(1, **options)
        assert [text] == texts(view.shapes(*AREA))


def test_moves_of_one_frame_are_shown_together_and_a_new_frame_replaces_them():
    world = room()
    with DebugView(world, layers={Layer.PUSHES}) as view:
        world.move(PLAYER, 2.0, force=9)
        world.move(PLAYER, 0.0, -9.0)
        world.move(CRATE, 9.0, 0.0, force=1)
        assert {"force 1"} <= set(texts(view.shapes(*AREA)))
        world.step()
        world.move(PLAYER, 3.0, force=9)
        assert "force 1" not in texts(view.shapes(*AREA))
        world.remove(CRATE)
        assert [] == view.shapes(*AREA)


def test_the_chain_of_a_member_of_a_group_begins_where_its_root_was():
    world = CollisionWorld()
    half = (0.5, 0.5)
    root = world.add(transform=Transform(0, 0), collider=BoxCollider(*half), inertia=Inertia(1))
    member = world.add(transform=Transform(0, 1), collider=BoxCollider(*half), inertia=Inertia(1), fused=Fused(root))
    world.add(transform=Transform(2, 0), collider=BoxCollider(*half), inertia=Inertia(1))
    with DebugView(world) as view:
        world.move(member, 3, force=5)
        (link,) = [each for each in of_kind(view.shapes(-9, -9, 9, 9), "link") if isinstance(each, Line)]
    assert ((0.0, 0.0), (2.0, 0.0)) == (link.start, link.end)


def test_a_closed_view_takes_no_keys_and_cannot_be_entered():
    view = DebugView(CollisionWorld())
    assert press_key("3", view) and not view.is_closed
    view.close()
    assert view.is_closed and not press_key("3", view)
    with pytest.raises(CollisionValueError, match="the view is closed"), view:
        pass


@pytest.mark.parametrize(
    "options, words",
    [
        ({"layers": Layer.CELLS}, "give a set, such as {Layer.BODIES, Layer.PUSHES}"),
        ({"layers": None}, "layers is None; give a set"),
        ({"fade_frames": "x"}, "fade_frames must be a whole number, not 'x'"),
        ({"names": {"player": 1}}, "names has the key 'player'; give names by id, as {1: 'player'}"),
    ],
)
def test_options_of_a_view_are_checked_at_once(options, words):
    with pytest.raises(CollisionTypeError) as refusal:
        DebugView(CollisionWorld(), **options)
    assert words in str(refusal.value)


def test_layers_can_be_assigned():
    with DebugView(CollisionWorld()) as view:
        view.layers = ["cells", Layer.NAMES]
        assert {Layer.CELLS, Layer.NAMES} == view.layers
        with pytest.raises(CollisionTypeError, match="layers is None"):
            view.layers = None


def test_joined_outlines_follow_the_area_of_all_boxes():
    steps = [(0, 0, 1, 1), (1, 0, 2, 1), (0, 1, 1, 2)]
    assert {
        ((0, 0), (0, 2)), ((1, 1), (1, 2)), ((2, 0), (2, 1)), ((0, 0), (2, 0)), ((1, 1), (2, 1)), ((0, 2), (1, 2)),
    } == set(joined_edges(steps))  # fmt: skip
    apart = set(joined_edges([(0, 0, 1, 1), (2, 0, 3, 1)]))
    assert len(apart) == 8
    with DebugView(room(), layers={Layer.GROUPS}) as view:
        fused = [(each.start, each.end) for each in of_kind(view.shapes(*AREA), "fused")]
    assert ((10.0, 4.0), (12.0, 4.0)) in fused
    assert ((10.5, 4.5), (11.5, 4.5)) in fused


def test_groups_of_round_parts_are_linked_by_lines():
    world = CollisionWorld()
    world.add(1, transform=Transform(2, 2), collider=CompoundCollider([Sphere(0.5), Sphere(0.5, offset=(1, 0))]))
    with DebugView(world, layers={Layer.GROUPS}) as view:
        assert [Line("compound", (2.0, 2.0), (3.0, 2.0))] == view.shapes(*AREA)


def test_cells_are_those_of_the_index_in_2d_in_3d_and_of_other_structures():
    for z, structure in ((0.0, None), (3.0, None), (0.0, Octree())):
        world = CollisionWorld(**({} if structure is None else {"broad_phase": structure}))
        for x in range(40):
            world.add(transform=Transform(2.0 * x, 1.5, z), collider=BoxCollider(0.5, 0.5))
        world.step()
        with DebugView(world, layers={Layer.CELLS}) as view:
            near, all_cells = view.shapes(*AREA), view.shapes(-99.0, -99.0, 99.0, 99.0)
        assert 0 < len(near) < len(all_cells)
        inside = [s for s in all_cells if s.corners[0][0] < 16 and s.corners[2][0] > 0 and s.corners[0][1] < 9]
        assert sorted(inside) == sorted(near)


def test_contacts_have_points_and_normals():
    world = room()
    world.teleport(PLAYER, 3.0, 2.5)
    world.step()
    with DebugView(world, layers={Layer.CONTACTS}) as view:
        shapes = view.shapes(*AREA)
    arrows = [shape for shape in shapes if isinstance(shape, Line)]
    assert arrows
    assert all(abs(line.start[1] - 2.0) < 0.05 and line.end[1] < line.start[1] for line in arrows)


def test_contacts_of_dynamics_are_drawn():
    world = room()
    world.teleport(BALL, 12.5, 8.0)
    world.add(99, transform=Transform(12.5, 9.0), collider=BoxCollider(4.0, 0.5), static=Static())
    with DebugView(world, layers={Layer.CONTACTS}) as view:
        for _ in range(3):
            world.step_dynamics(1 / 60, gravity=(0, 10))
            world.step()
        assert of_kind(view.shapes(*AREA), "contact")


def test_questions_are_shown_until_a_picture_after_the_next_frame():
    world = room()
    with DebugView(world, layers={Layer.RAYS}) as view:
        space = world.space
        assert isinstance(space, Space)
        assert space.ray((20, 20), (0, 1), 3.0) is None
        assert [Line("ray", (20.0, 20.0), (20.0, 23.0))] == view.shapes(*AREA)
        assert len(view.shapes(*AREA)) == 1
        assert space.line_of_sight(PLAYER, HEAVY) is False
        assert space.line_of_sight(PLAYER, (1.5, 5.0)) is True
        hit = space.cast(((0.0, 4.0), (1.0, 5.0)), (9, 0), ignore=[PLATE])
        assert hit is not None
        assert space.cast(PLAYER, (0, 1)) is None
        assert len(space.ray_all((0, 1.5), (1, 0))) == 5
        entities, _ = space.ray_many([(0, 1.5), (0, 8.5)], [(1, 0), (1, 0)], 5.0)
        assert [PLAYER, -1] == entities.tolist()
        shapes = view.shapes(*AREA)
        assert Line("ray stopped", (1.5, 1.5), (5.0, 1.5)) in shapes
        assert Line("ray", (1.5, 1.5), (1.5, 5.0)) in shapes
        assert Line("ray stopped", (0.5, 4.5), (0.5 + hit.distance, 4.5)) in shapes
        assert Line("ray", (0.0, 1.5), (1.0, 1.5)) in shapes
        world.step()
        assert [] == view.shapes(*AREA)
        assert space.overlapping(PLAYER) == []
        assert repr(space) == repr(space._space)
        assert "nearest" in dir(space)
        with pytest.raises(CollisionError):
            space.ray("here", (1, 0))
        assert [] == view.shapes(*AREA)


def test_events_fade_and_go():
    world = room()
    with DebugView(world, layers={Layer.EVENTS}, names=NAMES, fade_frames=4) as view:
        push(world)
        labels = view.shapes(*AREA)
        assert {"player pushed crate", "heavy blocked player"} <= set(texts(labels))
        assert {0.0} == {label.fade for label in labels}
        world.step()
        assert {0.25} == {label.fade for label in view.shapes(*AREA)}
        for _ in range(3):
            world.step()
        assert [] == view.shapes(*AREA)


def test_counters_have_the_milliseconds_of_phases_only_while_they_are_shown():
    world = room()
    with DebugView(world) as view:
        assert not world.stats.timing
        view.toggle(Layer.COUNTERS)
        view.shapes(*AREA)
        push(world)
        (panel,) = of_kind(view.shapes(*AREA), "panel")
        assert "bodies 11" in panel.text
        assert "move " in panel.text
        assert " ms" in panel.text
        assert panel.corner
        view.toggle(Layer.COUNTERS)
        view.shapes(*AREA)
        assert not world.stats.timing
        view.toggle(Layer.COUNTERS)
        view.shapes(*AREA)
    assert not world.stats.timing


def test_a_body_is_picked_and_described():
    world = room()
    with DebugView(world, names=NAMES) as view:
        push(world)
        assert view.pick(3.0, 1.5) == PLAYER
        assert view.pick(12.5, 6.9) == BALL
        assert view.pick(12.95, 6.55) is None
        assert view.pick(2.1, 4.5) == PLATE
        assert view.pick(2.5, 7.0) is None
        lines = view.describe(PLAYER)
        assert lines[0] == "player, entity 1: mover"
        assert any(line.startswith("Motion(force=2") for line in lines)
        assert lines[-1].endswith("the force is too small")
        assert view.describe(CRATE)[-1].startswith("pushed by player: entity 1")
        assert view.describe(LEFT)[-1] == f"fused to entity {RIGHT}"
        assert view.describe(STAIRS)[0] == f"entity {STAIRS}: solid"
        view.selected = PLAYER
        shapes = view.shapes(*AREA)
        assert of_kind(shapes, "selected")
        assert "player, entity 1: mover" in of_kind(shapes, "panel")[0].text
        world.remove(PLAYER)
        assert not of_kind(view.shapes(*AREA), "selected")
        with pytest.raises(UnknownEntity, match="999"):
            view.describe(999)


def test_disabled_bodies_are_left_out_or_dashed():
    with DebugView(room(), layers={Layer.BODIES, Layer.DISABLED}) as view:
        assert f"entity {HIDDEN}" in {shape.note for shape in view.shapes(*AREA) if shape.kind == "disabled"}
        assert LOOKS["disabled"].dashed
        view.toggle(Layer.DISABLED)
        assert f"entity {HIDDEN}" not in {shape.note for shape in view.shapes(*AREA)}


def test_a_world_in_3d_is_seen_from_above():
    world = CollisionWorld()
    world.add(1, transform=Transform(2, 2, 5), collider=BoxCollider(0.5, 0.5, 0.5), static=Static())
    world.add(2, transform=Transform(2, 2, -40), collider=SphereCollider(1), inertia=Inertia(1))
    with DebugView(world, layers={Layer.BODIES}) as view:
        assert ["entity 2", "entity 1"] == [shape.note for shape in view.shapes(*AREA)]
        assert view.pick(2.0, 2.0) == 1
        assert view.pick(2.75, 2.0) == 2


def test_a_view_changes_no_result():
    worlds = [room(), room()]
    with DebugView(worlds[0], layers=Layer) as view:
        for number in range(20):
            for world in worlds:
                world.request(PLAYER, 0.5 if number < 10 else -0.25, 0.125)
                world._bodies.transform(world._bodies.row(SLEEPER)).x += 0.5 if number == 7 else 0.0
                if world is worlds[0]:
                    view.shapes(*AREA)
                world.step()
                if world is worlds[0]:
                    view.shapes(*AREA)
            assert worlds[0].snapshot() == worlds[1].snapshot()


def test_a_closed_view_leaves_no_trace():
    world = room()
    before, space = dict(vars(world)), world.space
    first, second = DebugView(world, layers=Layer), DebugView(world)
    assert type(world.space) is WatchedSpace
    first.shapes(*AREA)
    first.close()
    first.close()
    assert listeners_of(world) == [second]
    second.close()
    assert before == vars(world)
    assert world._step.watcher is None
    assert world.space is space
    assert not world.stats.timing
    assert "closed" in repr(first)
    with pytest.raises(CollisionValueError, match="the view is closed"):
        first.shapes(*AREA)


def test_a_closed_view_records_nothing_more():
    world = room()
    with DebugView(world, layers=Layer) as view:
        kept = world.space
    push(world)
    kept.ray((0, 0), (1, 0))
    view._ends = [lambda: None]
    assert not {"push", "event", "ray"} & {shape.kind for shape in view.shapes(*AREA)}
    view.close()


def test_a_restored_world_forgets_what_was_shown():
    world = room()
    data = world.snapshot()
    with DebugView(world, layers={Layer.PUSHES, Layer.EVENTS, Layer.RAYS}) as view:
        push(world)
        view.shapes(*AREA)
        world.restore(data)
        assert [] == view.shapes(*AREA)


def test_a_system_and_a_game_can_be_looked_at():
    with fresh_world():
        system = CollisionSystem()
        esper.add_processor(system)
        entity = esper.create_entity(Transform(1, 1), BoxCollider(0.5, 0.5), Inertia(1))
        esper.process()
        with DebugView(system) as view:
            assert view.pick(1, 1) == entity
            assert system.space.ray((0, 1), (1, 0)).entity == entity
            assert "ray stopped" in {shape.kind for shape in view.shapes(*AREA)}
    game = Game(HOUSE / "ecs_collision" / "puzzles" / "first_push.txt")
    with DebugView(game, layers={Layer.NAMES, Layer.PUSHES}) as view:
        game.turn("R")
        names = texts(view.shapes(-9, -9, 99, 99))
        assert {game.name(id) for id in game.ids.values()} & set(names)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda view: view.shapes(1, 1, 1, 2), CollisionValueError, "is empty; give the upper left corner first"),
        (lambda view: view.shapes("a", 0, 1, 1), CollisionTypeError, "x0"),
        (lambda view: view.shapes(float("nan"), 0, 1, 1), CollisionValueError, "x0 is nan"),
        (lambda view: view.toggle("birds"), CollisionValueError, "'birds' is not a layer; the layers are bodies, "),
        (lambda view: view.pick(None, 1), CollisionTypeError, "x"),
        (lambda view: DebugView(view._world, layers=["cell"]), CollisionValueError, "'cell' is not a layer"),
        (lambda view: DebugView(view._world, names=["a"]), CollisionTypeError, "give a dictionary of names"),
        (lambda view: DebugView(7), CollisionTypeError, "7 has no bodies"),
    ],
)
def test_wrong_input_is_refused_with_a_remedy(call, error, text):
    with DebugView(room()) as view, pytest.raises(error) as caught:
        call(view)
    assert text in str(caught.value)


def test_all_shapes_can_be_written_as_svg():
    world = room()
    with DebugView(world, layers=Layer, names=NAMES) as view:
        push(world)
        view.selected = PLAYER
        picture = svg_of(view.shapes(*AREA), AREA)
    assert "player pushed crate" in picture
    assert picture.count("<tspan") > 5
