"""Advice on a world: each finding in a world that shows it, and in a similar one that must not."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from boards import Board

from ecs_collision import (
    Advice,
    Box,
    BoxCollider,
    Capsule,
    CapsuleCollider,
    CollisionError,
    CollisionWorld,
    CompoundCollider,
    Contact,
    Fused,
    Inertia,
    Mass,
    Motion,
    OrientedBox,
    OrientedBoxCollider,
    Sleeping,
    Sphere,
    SphereCollider,
    Static,
    Transform,
    Trigger,
    Velocity,
    ramp,
)
from ecs_collision.bodies.static_moves import FRAMES
from ecs_collision.components import Collider
from ecs_collision.doctor import KINDS
from ecs_collision.doctor.advice import MAX_LINES


def lines(board: Board, kind: str) -> list[str]:
    """Return the lines of one kind."""
    assert kind in KINDS
    return [str(advice) for advice in board.world.doctor() if advice.kind == kind]


def clean() -> Board:
    """Return a board on which everything meets: a player, a crate, a wall and a plate."""
    board = Board()
    board.player(0, id=1)
    board.crate(2, id=2)
    board.wall(4, id=3)
    board.body(6, id=4, trigger=Trigger())
    return board


def test_a_clean_world_gives_no_advice():
    assert clean().world.doctor() == []


def test_a_world_without_bodies_is_named():
    assert CollisionWorld().doctor() == ["there are no bodies; give an entity a Transform and a collider"]


def test_advice_has_a_kind_and_its_entities_and_is_immutable():
    board = clean()
    board.wall(2.75, id=5)
    (advice,) = board.world.doctor()
    assert ("overlap", (2, 5)) == (advice.kind, advice.entities)
    copy = pickle.loads(pickle.dumps(advice))
    assert (advice, "overlap", (2, 5)) == (copy, copy.kind, copy.entities)
    with pytest.raises(CollisionError, match="immutable"):
        advice.kind = "mask"  # type: ignore[misc]
    assert ("overlap", (2, 5), "x") == (
        (other := advice._with_text("x")).kind,
        other.entities,
        other,
    )
    assert isinstance(advice, Advice)


# -- overlaps


@pytest.mark.parametrize(
    ("policy", "effect"),
    [
        ("leave", "they pass through each other until they are apart"),
        ("block_deeper", "they can only be moved apart"),
    ],
)
def test_overlapping_solid_bodies_are_named_with_their_depth_and_axis(policy: str, effect: str):
    board = Board(overlap_policy=policy)
    board.crate(0, id=1)
    board.crate(0.75, 0.5, id=2)
    assert [
        f"entity 1 and entity 2: solid bodies overlap by 0.25 on x: {effect} (P9); move one of them, or take its layer "
        "out of the other's mask"
    ] == lines(board, "overlap")


def test_the_depth_is_that_of_the_deepest_boxes_along_the_shortest_way_out():
    board = Board()
    board.compound((0, 0, 1, 1), (5, 0, 9, 4), id=1, inertia=Inertia(1))
    board.crate(0.875, id=2, h=2.0)
    board.crate(6, 3.5, id=3)
    board.body(20, id=4, w=8, h=8, inertia=Inertia(1))
    board.crate(22, 1, id=5)
    found = [line.split(":")[:2] for line in lines(board, "overlap")]
    assert [
        ["entity 1 and entity 2", " solid bodies overlap by 0.125 on x"],
        ["entity 1 and entity 3", " solid bodies overlap by 0.5 on y"],
        ["entity 4 and entity 5", " solid bodies overlap by 2 on y"],
    ] == found


def test_two_static_bodies_inside_each_other_are_named_as_such():
    board = Board()
    board.wall(0, id=1)
    board.wall(0.25, id=2)
    assert [
        "entity 1 and entity 2: solid bodies overlap by 0.75 on x: both are Static, so it matters only if one is there "
        "twice; remove one, or move it"
    ] == lines(board, "overlap")


def test_ramps_sunk_into_static_bodies_are_no_finding_unless_they_are_there_twice():
    board = Board()
    board.wall(0, id=1, w=8)
    board.world.add(2, **ramp_parts((1, 0.5), (3, -1)))
    assert [] == lines(board, "overlap")
    board.world.add(3, **ramp_parts((3, -1), (6, -1.5)))
    board.world.add(4, **ramp_parts((1, 0.5), (3, -1)))
    (line,) = lines(board, "overlap")
    assert line.startswith("entity 2 and entity 4: ")
    board.crate(2, -0.5, id=5)
    assert "entity 5" in " ".join(lines(board, "overlap")), "of what moves, overlaps are named"


def ramp_parts(start: tuple[float, float], end: tuple[float, float]) -> dict[str, Any]:
    transform, collider = ramp(start, end)
    return {"transform": transform, "collider": collider, "static": Static()}


@pytest.mark.parametrize(
    ("y", "expected"),
    [
        (1.0, []),  # only the boxes around the balls overlap
        (
            0.5,
            [
                "entity 1 and entity 2: solid bodies overlap by 0.0986122: a step of dynamics moves them apart (I6); "
                "move one of them, or take its layer out of the other's mask"
            ],
        ),
    ],
    ids=["beside", "inside"],
)
def test_bodies_that_move_by_themselves_overlap_only_if_their_true_shapes_do_I6(y: float, expected: list[str]):
    board = Board()
    for id, place in ((1, (0, 0)), (2, (0.75, y))):
        transform, collider = Transform(*place), SphereCollider(0.5)
        board.world.add(id, transform=transform, collider=collider, velocity=Velocity(), mass=Mass(1))
    assert expected == lines(board, "overlap")


def test_bodies_out_of_the_plane_may_overlap_along_z():
    board = Board()
    board.crate(0, id=1)
    board.crate(0, id=2, z=0.875)
    (line,) = lines(board, "overlap")
    assert "overlap by 0.125 on z" in line


def test_bodies_that_touch_or_do_not_meet_do_not_overlap():
    board = Board()
    board.crate(0, id=1)
    board.crate(1, id=2)  # touches
    board.body(0, id=3, trigger=Trigger())  # a trigger
    board.crate(0.5, id=4, layer="ghost", mask="wall")  # no body of its mask
    board.crate(1.5, 1, id=6)
    board.crate(1, 1, id=5, fused=Fused(6))  # the same group
    disabled = board.crate(0, id=7)
    board.colliders[disabled].enabled = False
    assert [] == lines(board, "overlap")


def test_equal_overlaps_share_a_line_that_counts_them_and_others_are_summed_up():
    board = Board()
    for number in range(7):
        board.crate(0, 3 * number, id=2 * number + 1)
        board.crate(0.75, 3 * number, id=2 * number + 2)
    (line,) = lines(board, "overlap")
    named = "entity 1 and entity 2, entity 3 and entity 4, entity 5 and entity 6 and 4 more pairs: solid bodies overlap"
    assert line.startswith(named)
    for number in range(MAX_LINES + 1):  # each of them deeper
        board.crate(10, 3 * number, id=100 + 2 * number)
        board.crate(10.5 - number / 16, 3 * number, id=101 + 2 * number)
    found = lines(board, "overlap")
    assert MAX_LINES + 1 == len(found)
    assert (
        "entity 108 and entity 109, entity 110 and entity 111: as in the lines above, with other names or numbers"
        == found[-1]
    )


def test_a_crowd_in_one_place_is_examined_up_to_a_limit():
    board = Board()
    for _ in range(60):
        board.crate(0)
    (line,) = lines(board, "overlap")
    assert "and 997 more pairs" in line


# -- layers and masks


def test_a_mask_of_a_layer_of_no_body_is_named_with_the_layer_probably_meant():
    board = clean()
    board.player(8, id=5, layer="player", mask=("default", "enemies"))
    board.crate(10, id=6, layer="enemy")
    board.body(12, id=7, trigger=Trigger(mask=("palyer", "enemy")))
    board.wall(14, id=8, mask=("default", "player", "zzz"))
    assert [
        "entity 5: its mask names the layer 'enemies', which no body has; did you mean 'enemy'?",
        "entity 7: its Trigger.mask names the layer 'palyer', which no body has; did you mean 'player'?",
        "entity 8: its mask names the layer 'zzz', which no body has; correct it, unless such bodies come later",
    ] == [*board.world.doctor()]


def test_masks_of_existing_layers_and_of_the_colliders_of_triggers_are_no_finding():
    board = clean()
    board.player(8, id=5, layer="player", mask=("default", "player"))
    board.body(12, id=6, mask="nothing", trigger=Trigger(mask="player"))
    assert [] == board.world.doctor()


def test_a_layer_that_only_queries_name_is_named_until_other_filters_come():
    board = clean()
    board.player(8, id=5, layer="player")
    board.world.space.overlapping(((0, 0), (9, 9)), layers=("default", "players"))
    board.world.space.ray((0, 5), (1, 0), 9, layers="coin")
    board.world.space.at(0, 0, layers="player")
    assert [
        "a query names the layer 'coin', which no body has; correct it, unless such bodies come later",
        "a query names the layer 'players', which no body has; did you mean 'player'?",
    ] == board.world.doctor()
    board.body(12, id=6, layer="coin")
    assert [] == board.world.doctor()


def test_a_layer_that_had_a_body_once_is_no_mistake_of_a_query():
    board = clean()
    board.body(12, id=6, layer="guard")
    board.world.apply_changes()
    board.world.remove(6)
    board.world.space.overlapping(((0, 0), (9, 9)), layers="guard")
    assert [] == board.world.doctor()


@pytest.mark.parametrize("ends", ["asked with triggers", "a solid body", "a new filter"])
def test_a_query_of_a_layer_of_triggers_alone_without_triggers_is_named(ends: str):
    board = clean()
    board.body(12, id=6, layer="ladder", trigger=Trigger())
    board.body(14, id=7, layer="vine", trigger=Trigger())
    board.player(16, id=8, layer="hero", mask=("ladder", "default"))
    for layers in ("ladder", ["ladder", "vine"], ["ladder", "default"]):
        board.world.space.overlapping(8, layers=layers)
    named = [
        "a query names the layer 'ladder', on which there are only triggers, which queries leave out (Q6); write "
        "triggers=True",
        "a query names the layer 'ladder' and the layer 'vine', on which there are only triggers, which queries leave "
        "out (Q6); write triggers=True",
    ]
    assert named == lines(board, "mask")
    if ends == "asked with triggers":
        board.world.space.overlapping(8, layers="ladder", triggers=True)
        assert named[1:] == lines(board, "mask")
    else:
        board.body(18, id=9, layer="ladder" if ends == "a solid body" else "other")
        assert [] == lines(board, "mask")


def test_bodies_with_the_same_wrong_mask_share_a_line():
    board = clean()
    for number in range(17):
        board.crate(10 + 2 * number, id=10 + number, mask=("default", "players"))
    board.player(8, id=5, layer="player")
    (advice,) = board.world.doctor()
    assert advice.startswith("entity 10, entity 11, entity 12 and 14 more: its mask names the layer 'players'")
    assert tuple(range(10, 27)) == advice.entities


def test_masks_that_agree_in_one_direction_only_are_named():
    board = Board()
    board.player(0, id=1, layer="player", mask=("enemy", "wall"))
    board.crate(2, id=2, layer="enemy", mask="wall")
    board.crate(4, id=3, layer="enemy", mask="wall")
    board.wall(6, id=4, layer="wall")
    assert [
        "entity 1 and entity 2: the mask of the first names 'enemy', the layer of the second, whose mask does not name "
        "'player', so they do not meet (P14); add 'player' to that mask, or remove 'enemy' from the first"
    ] == [*board.world.doctor()]


@pytest.mark.parametrize(
    ("first", "second"), [(None, "wall"), ("enemy", None), ("wall", "wall"), (("enemy", "wall"), ("player", "wall"))]
)
def test_masks_that_agree_or_do_not_name_each_other_are_no_finding(first: object, second: object):
    board = Board()
    board.player(0, id=1, layer="player", mask=first)
    board.crate(2, id=2, layer="enemy", mask=second)
    board.wall(6, id=4, layer="wall")
    assert [] == board.world.doctor()


def test_triggers_that_can_report_no_body_are_named():
    board = Board()
    board.body(0, id=1, trigger=Trigger())
    board.body(2, id=2, trigger=Trigger(), layer="lamp")
    remedy = "add a body that it reports, or name its layer in Trigger.mask"
    assert [f"entity 1, entity 2: this trigger can report no body: there are only triggers (T6); {remedy}"] == lines(
        board, "trigger"
    )
    board.crate(4, id=3)
    assert [] == lines(board, "trigger")
    board.transforms.clear()
    board.body(6, id=4, trigger=Trigger(mask="lamp"), layer="eye")
    board.body(8, id=5, trigger=Trigger(mask="eye"), layer="other")
    assert [] == lines(board, "trigger")


def test_a_trigger_that_could_report_static_bodies_alone_is_named():
    board = Board()
    board.wall(0, id=1)
    board.body(2, id=2, trigger=Trigger())
    board.body(4, id=3, trigger=Trigger(mask="default"))
    assert [
        "entity 2: this trigger can report no body: all bodies on its layers are Static (T6); add a body that is not, "
        "or write Trigger(statics=True)"
    ] == lines(board, "trigger")
    board = Board()
    board.wall(0, id=1)
    board.body(2, id=2, trigger=Trigger(statics=True))
    assert [] == lines(board, "trigger")


def test_a_trigger_does_not_report_itself_or_its_group():
    board = Board()
    board.crate(4, id=3)
    board.body(0, id=1, layer="eye", trigger=Trigger(mask="eye"))
    board.body(4, id=4, trigger=Trigger(), fused=Fused(3))
    what = "this trigger can report no body:"
    remedy = "add a body that it reports, or name its layer in Trigger.mask"
    assert [
        f"entity 1: {what} no other body is on a layer of its mask (T6); {remedy}",
        f"entity 4: {what} there are only triggers (T6); {remedy}",
    ] == lines(board, "trigger")
    board.body(8, id=9, layer="eye", trigger=Trigger(mask="eye"))
    board.crate(10, id=10)
    assert [] == lines(board, "trigger")


def test_a_trigger_whose_whole_mask_is_unknown_has_one_line():
    board = clean()
    board.body(8, id=5, trigger=Trigger(mask="coin"))
    assert ["mask"] == [advice.kind for advice in board.world.doctor()]


MEETS = {
    "a body that it meets": lambda board: board.crate(4, layer="player"),
    "a trigger that reports it": lambda board: board.body(4, trigger=Trigger(mask="player")),
    "nothing": None,
}


@pytest.mark.parametrize("more", MEETS)
def test_movers_that_can_meet_no_body_are_named(more: str):
    add: Callable[[Board], object] | None = MEETS[more]
    board = Board()
    board.player(0, id=1, layer="player", mask="player")
    board.crate(2, id=2, layer="box", mask="box")
    if add is not None:
        add(board)
        assert [] == board.world.doctor()
        return
    (line,) = board.world.doctor()
    assert line.startswith("entity 1: it has a Motion but can meet no body: no other body has a layer in its mask")


def test_a_lonely_mover_and_one_within_bounds_are_no_finding():
    board = Board()
    board.player(0, id=1)
    assert [] == board.world.doctor()
    board = Board(bounds=((-5, -5), (5, 5)))
    board.player(0, id=1, layer="player", mask="player")
    board.crate(2, id=2, layer="box", mask="box")
    assert [] == board.world.doctor()


# -- static bodies


def test_a_static_body_moved_in_every_frame_is_named_and_one_moved_at_times_is_not():
    board = clean()
    lift, door = board.wall(20, id=5), board.wall(30, id=6)
    for frame in range(FRAMES):
        assert [] == board.world.doctor()
        board.transforms[lift].y += 0.125
        board.transforms[lift].x += 0.125
        if frame % 2:
            board.transforms[door].y += 0.125
        board.transforms[1].y += 0.125
        board.world.step()
    assert [
        f"entity 5: it is Static but was moved in each of the last {FRAMES} frames, through what is in its way "
        "(P12); each time the index of static bodies changes (B6); remove Static, and move it with a Motion"
    ] == [*board.world.doctor()]
    board.world.step()
    assert [] == board.world.doctor()


def test_a_static_body_whose_size_is_written_as_well_counts_as_moved():
    board = clean()
    lift = board.wall(20, id=5)
    for frame in range(FRAMES):
        board.transforms[lift].y += 0.125
        board.colliders[lift].hy = 0.5 + frame / 16
        board.world.step()
    assert ["static"] == [advice.kind for advice in board.world.doctor()]


def test_moves_of_a_static_body_are_forgotten_when_it_goes_and_at_a_restore():
    board = clean()
    start = board.world.snapshot()
    for goes in (True, False):
        lift = board.wall(20, id=5)
        for _ in range(FRAMES):
            board.transforms[lift].y += 0.125
            board.world.step()
        assert ["static"] == [advice.kind for advice in board.world.doctor()]
        if goes:
            board.world.remove(lift)
            board.wall(20, id=5)
        else:
            board.world.restore(board.world.snapshot())
        assert [] == board.world.doctor()
        board.world.remove(lift)
    board.world.restore(start)


# -- sizes, groups


def test_bins_much_larger_than_the_boxes_are_named_and_small_ones_are_not():
    board = Board(bin_size=8.0)
    for number in range(3):
        board.crate(2 * number)
    assert [
        "bin_size is 8, but half of the boxes have sides up to 1, so many share a cell and are compared; bin_size=1 "
        "would suit them (B1)"
    ] == [*board.world.doctor()]
    for size in (4.0, 1.0, 1 / 64):
        board = Board(bin_size=size)
        board.crate(0)
        assert [] == board.world.doctor()


def test_sizes_off_the_lattice_are_named_with_what_they_became():
    board = Board()
    board.crate(0, w=0.2, id=1)
    board.crate(2, w=0.2, id=2)
    board.compound((0, -0.35, 1, 0.35), x=4, id=3, inertia=Inertia(1))
    board.crate(6, w=0.25, h=3 / 1024, id=4)
    off = "which is off the lattice, and was rounded to"
    effect = "so such boxes leave gaps (L1); work in units in which it is a multiple of 1/65536, such as tiles of 1"
    assert [
        f"entity 1, entity 2: its side along x is 0.2, {off} 0.1999816895, {effect}",
        f"entity 3: its side along y is 0.7, {off} 0.6999816895, {effect}",
    ] == [*board.world.doctor()]


def test_the_member_that_keeps_a_group_from_being_pushed_or_from_resting_is_named():
    board = Board()
    board.body(0, id=1, sleeping=Sleeping())
    board.crate(1, id=2, fused=Fused(1))
    board.crate(2, id=3, fused=Fused(1), sleeping=Sleeping())
    board.body(3, id=4, trigger=Trigger(), fused=Fused(1))
    board.crate(9, id=5)
    assert [
        "entity 1: it has no Inertia, so the whole group of entity 1 cannot be pushed, although other members have "
        "one; give it one, or remove Fused",
        "entity 2: it has no Sleeping, so the whole group of entity 1 never rests, although other members have one; "
        "give it one, or remove Fused",
    ] == board.world.doctor()
    for entity in (1, 2):
        parts = board.world._bodies.of(board.world._bodies.row(entity))
        board.world._stage(entity, parts._replace(inertia=Inertia(1), sleeping=Sleeping()))
    assert board.world.doctor() == []


# -- shapes

NOT_TURNED, NO_RADIUS, DEGREES = (
    ["its Transform.rotation turns nothing, because boxes never turn"],
    ["a radius of it is 0, so it is a point or a segment"],
    ["its Transform.rotation is 90, more than a full turn, because angles are in radians; if degrees are meant, write"],
)
SHAPES: dict[str, tuple[Collider, float | None, dict[str, Any], list[str]]] = {
    "a sphere that is pushed": (SphereCollider(0.5), None, {"inertia": Inertia(1)}, []),
    "a capsule that moves": (CapsuleCollider(0.5, 1), None, {"motion": Motion(1)}, []),
    "a turned box that is pushed": (OrientedBoxCollider(0.5, 1), 0.5, {"inertia": Inertia(1)}, []),
    "a box that is turned by a quarter": (OrientedBoxCollider(1, 1), math.pi / 2, {"inertia": Inertia(1)}, []),
    "a sphere that is a trigger": (SphereCollider(0.5), 0.5, {"trigger": Trigger()}, []),
    "a sphere that stays": (SphereCollider(0.5), None, {}, []),
    "a rotation beside a box": (BoxCollider(0.5, 0.5), 0.5, {}, NOT_TURNED),
    "a rotation beside boxes": (CompoundCollider([Box(0.5, 0.5), Box(1, 1)]), 0.5, {}, NOT_TURNED),
    "a rotation beside a box and a sphere": (CompoundCollider([Box(0.5, 0.5), Sphere(1)]), 0.5, {}, []),
    "a turn by degrees": (OrientedBoxCollider(1, 1), 90, {}, DEGREES),
    "a turn back by half degrees": (
        OrientedBoxCollider(1, 1), -22.5, {}, ["its Transform.rotation is -22.5, more than a full turn"],
    ),
    "a part turned by degrees": (
        CompoundCollider([OrientedBox(1, 1, rotation=45)]), 0.5, {}, ["its OrientedBox.rotation is 45, more than a"],
    ),
    "several turns": (OrientedBoxCollider(1, 1), 5 * math.pi, {}, []),
    "most of a turn": (OrientedBoxCollider(1, 1), 6.0, {}, []),
    "turns that a step may have made": (
        OrientedBoxCollider(1, 1), 7.0, {"velocity": Velocity(angular=1), "mass": Mass(1, moment=1)}, [],
    ),
    "a sphere without a radius": (SphereCollider(0), None, {}, NO_RADIUS),
    "a capsule without a radius": (CompoundCollider([Box(1, 1), Capsule(0, 1)]), None, {}, NO_RADIUS),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::ecs_collision.SetupWarning")
@pytest.mark.parametrize(("collider", "rotation", "more", "expected"), SHAPES.values(), ids=SHAPES)
def test_a_shape_that_does_not_act_as_it_looks_is_named(collider, rotation, more, expected):
    board = clean()
    board.world.add(9, transform=Transform(30, 30, rotation=rotation), collider=collider.copy(), **more)
    found = lines(board, "shape")
    assert len(expected) == len(found)
    assert all(line.startswith(f"entity 9: {words}") for line, words in zip(found, expected, strict=True)), found


# -- asking


def test_asking_changes_nothing_and_equal_states_give_equal_answers():
    first, second = clean(), clean()
    for board, order in ((first, (7, 5, 6)), (second, (5, 6, 7))):
        for entity in order:
            board.crate(20 + 0.25 * entity, id=entity, mask=("default", "missing"))
        board.world.step()
    snapshot, version = first.world.snapshot(), first.world.version
    assert first.world.doctor() == second.world.doctor() == first.world.doctor()
    assert [advice.entities for advice in first.world.doctor()] == [advice.entities for advice in second.world.doctor()]
    assert (snapshot, version) == (first.world.snapshot(), first.world.version)
    first.world.check()


def test_a_hook_may_ask():
    found = []
    board = Board(can_push=lambda *_: found.append(board.world.doctor()))
    board.player(0, id=1)
    board.crate(1, id=2)
    board.push(1, 2)
    assert [[]] == found
    assert not any(isinstance(part, Static) for part in board.world._bodies.of(board.world._bodies.row(2)))


def test_a_contact_mask_of_no_layer_and_a_contact_without_bodies_are_named_C2():
    board = Board()
    board.body(0, id=1, contact=Contact(mask="flor"), layer="feet")
    board.wall(4, id=2, layer="floor")
    (line,) = lines(board, "mask")
    assert line.startswith("entity 1: its Contact.mask names the layer 'flor', which no body has")
    assert "'floor'" in line
    assert [] == lines(board, "contact")
    board.transforms.clear()
    board.world._bodies.of(board.world._bodies.row(1)).contact.mask = "feet"
    assert [
        "entity 1: this Contact can report no body: no other solid body may meet it (P14) and is on a layer of "
        "Contact.mask (C2); correct the layers or the masks, or add such a body"
    ] == lines(board, "contact")
    board.body(8, id=3, layer="feet")
    assert [] == lines(board, "contact")


def test_a_static_body_that_asks_among_static_bodies_is_named_C2():
    board = Board()
    board.body(0, id=1, contact=Contact(), static=Static())
    board.wall(4, id=2)
    board.body(6, id=3, trigger=Trigger())
    assert 1 == len(lines(board, "contact"))
    board.crate(8, id=4)
    assert [] == lines(board, "contact")
