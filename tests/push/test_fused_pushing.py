"""Pushing fused bodies: a group moves like one body with all boxes of its members (rules P)."""

from __future__ import annotations

import random

import pytest
from boards import Board, event_tuples, stop_of
from drawing import PLANS, Plan, drawn

from ecs_collision import Blocked, Fused, Inertia, Motion, Moved, Pushed, StopReason, Trigger
from ecs_collision.testing import Scene
from tests.model.oracle import checked

# -- Drawings: every compound is replaced by its tiles, fused together. -----------------------------------------------

COMPOUNDS = [plan for plan in PLANS if any(len(tiles) > 1 for tiles in drawn(plan.before).tiles.values())]


@pytest.mark.parametrize("plan", COMPOUNDS, ids=lambda plan: plan.name)
def test_a_compound_and_the_same_tiles_fused_move_alike(plan: Plan):
    plot = drawn(plan.before, plan.inertias)
    for seed in range(3):
        links = [random.Random(seed).randrange(9) for _ in range(99)]
        world = plot.split_into_tiles(links, axis_order=plan.axis_order).world()
        with checked(world):
            result = world.move(plot["A"], *plan.way, **plan.how)
        assert plot.after({**result.pushed, plot["A"]: result.moved}) == plan.after
        stops = [({*map(plot.signs.get, stop.blockers)}, stop.reason.name) for stop in result.stops]
        assert stops == ([({*plan.stop[0]}, plan.stop[1])] if plan.stop else [])
        world.check()


SCENES = {
    # links by sign, the displacement of A, the scene before and after, what ends the motion
    "touching one pushes all": ({"b": "c"}, 2, "A.b..   ..Ab.", "...c.   ....c", None),
    "one against a wall stops all": ({"b": "c"}, 3, ".Ab..   .Ab..", "..c#.   ..c#.", ("#", "IMMOVABLE")),
    "over a gap": ({"c": "b"}, 4, "A.b.c.#   ..Ab.c#", ".......   .......", ("#", "IMMOVABLE")),
    "a third between two members": ({"b": "c"}, 3, "Ab1c...   ...Ab1c", ".......   .......", None),
    "a third is reached": ({"b": "c"}, 4, "Abc.1..   ...Abc1", ".......   .......", ("-", "BOUNDS")),
    "a chain": ({"b": "c", "c": "d"}, 1, "Ab...   .Ab..", ".cd..   ..cd.", None),
    "a star": ({"b": "c", "d": "c"}, 1, "Ab...   .Ab..", ".cd..   ..cd.", None),
    "the mover is fused": ({"A": "b"}, 2, "A1...   ..A1.", "b....   ..b..", None),
    "the mover's group ahead": ({"A": "b"}, 2, "Ab...   ..Ab.", ".....   .....", None),
    "the mover's partner against a wall": ({"b": "A"}, 2, ".A....   ..A...", ".b.#..   ..b#..", ("#", "IMMOVABLE")),
}


@pytest.mark.parametrize(("links", "dx", "above", "below", "stop"), SCENES.values(), ids=SCENES)
@pytest.mark.parametrize("turned", [False, True], ids=["", "turned round"])
def test_a_group_is_one_body(links, dx, above, below, stop, turned):
    before, after = ("\n".join(row.split()[at] for row in (above, below)) for at in (0, 1))
    bounds = ((-99, -99), (99, 99))
    if turned:
        before, after = ("\n".join(line[::-1] for line in plot.split("\n")) for plot in (before, after))
    plot = drawn(before)
    if stop and stop[0] == "-":
        bounds = ((0, -9), (len(before.split("\n")[0]), 9))
    bodies = plot.bodies | {
        plot[one]: plot.bodies[plot[one]]._replace(fused=Fused(plot[other])) for one, other in links.items()
    }
    world = Scene(bodies, {"bounds": bounds}).world()
    with checked(world) as oracle:
        result = world.move(plot["A"], -dx if turned else dx, force=5.0)
        shifts = {**result.pushed, oracle.model.roots[plot["A"]]: result.moved}
        roots = oracle.model.roots
    assert plot.after({entity: shifts.get(roots[entity], (0, 0, 0)) for entity in bodies}) == after
    stops = [(plot.signs.get(stop.blocker, "-"), stop.reason.name) for stop in result.stops]
    assert stops == ([stop] if stop else [])
    world.check()


def crates(board: Board, *inertias: float | None, **more: object) -> list[int]:
    """Add crates one above the other, all fused to the first; None is a body without Inertia."""
    found: list[int] = []
    for number, inertia in enumerate(inertias):
        parts = {"inertia": None if inertia is None else Inertia(inertia)}
        parts |= {"fused": Fused(found[0])} if found else {}
        found.append(board.body(2, number, **parts, **more))
    return found


@pytest.mark.parametrize(
    ("inertias", "force", "moved", "reason"),
    [
        ((1, 3, 2), 3.5, 2.0, None),
        ((1, 3, 2), 3.0, 1.0, "FORCE"),
        ((3, 1, 1), 3.0, 1.0, "FORCE"),
        ((1, None, 1), 99.0, 1.0, "IMMOVABLE"),
        ((None, 1, 1), 99.0, 1.0, "IMMOVABLE"),
        ((1, float("inf"), 1), 99.0, 1.0, "IMMOVABLE"),
        ((0, 0, 0), 0.5, 2.0, None),
    ],
)
@pytest.mark.parametrize("touched", [0, 1, 2])
def test_the_inertia_of_a_group_is_the_largest_of_its_members(inertias, force, moved, reason, touched):
    board = Board()
    group = crates(board, *inertias)
    player = board.player(0, touched, force=force)
    result = board.push(player, 2)
    assert result.moved[0] == moved
    assert [stop.reason.name for stop in result.stops] == ([reason] if reason else [])
    assert [stop.blocker for stop in result.stops] == ([group[0]] if reason else [])
    assert result.pushed == ({} if reason else {group[0]: (1.0, 0.0, 0.0)})
    assert board.xs(*group) == ([2.0] * 3 if reason else [3.0] * 3)
    board.world.check()


def test_the_explanation_of_a_result_names_the_root_and_its_inertia():
    board = Board()
    one, two = crates(board, 1, 3)
    board.wall(6, 1)
    player = board.player(0, 1)
    result = board.push(player, 9)
    assert result.explain() == (
        f"entity {player} (force 5) moved x +4 of +9: entity {one} (inertia 3) pushed x +3; "
        f"x stopped after 4 by entity 3 (immovable): it cannot be pushed"
    )
    assert [(link.pusher, link.pushed, link.gap) for link in result.links] == [(player, one, 1.0)]
    back = board.push(two, -9, force=1.0)
    assert (back.entity, back.moved, back.pushed) == (two, (0.0, 0.0, 0.0), {})
    assert back.explain() == (
        f"entity {two} (force 1) moved x 0 of -9; x stopped after 0 by entity {player} (immovable): it cannot be pushed"
    )


def test_events_name_members_that_moved_and_roots_that_were_pushed_or_stopped():
    board = Board()
    one, two = crates(board, 1, 1)
    wall = board.wall(5, 1)
    player = board.player(0)
    board.world.request(player, 9)
    events = event_tuples(board.world.step().events, Moved, Pushed, Blocked)
    assert events == [
        ("Moved", one, (2.0, 0.0, 0.0)),
        ("Moved", two, (2.0, 0.0, 0.0)),
        ("Moved", player, (3.0, 0.0, 0.0)),
        ("Pushed", one, player, (2.0, 0.0, 0.0)),
        ("Blocked", player, wall, "x", StopReason.IMMOVABLE, (1.0, 0.0, 0.0), (wall,)),
    ]
    board.world.move(two, -9, -1)
    assert event_tuples(board.world.step().events, Moved, Pushed, Blocked) == [
        ("Moved", one, (0.0, -1.0, 0.0)),
        ("Moved", two, (0.0, -1.0, 0.0)),
        ("Blocked", one, player, "x", StopReason.IMMOVABLE, (-1.0, 0.0, 0.0), (player,)),
    ]


def test_blockers_name_a_group_by_its_root_once_however_many_members_are_met_P16():
    #   A.1    the ones are fused; both stop A, as one body
    #   A.2
    #   A.1
    board = Board()
    player = board.player(0, h=3, force=1.0)
    one, two = crates(board, 2, 2)
    board.transforms[two].y += 1
    other = board.crate(2, 1, inertia=2)
    stop = board.push(player, 4).stops[0]
    assert (one, (one, other), StopReason.FORCE) == (stop.blocker, stop.blockers, stop.reason)


def test_any_member_moves_the_group_with_its_own_force():
    board = Board()
    weak = board.player(0, force=1)
    strong = board.player(0, 1, force=9, fused=Fused(weak))
    crate = board.crate(2, inertia=5)
    assert stop_of(board.push(weak, 3)) == ("x", crate, "FORCE", 1.0)
    assert board.push(strong, 2).complete
    assert board.xs(weak, strong, crate) == [3.0, 3.0, 4.0]
    board.world.request(weak, -1)
    board.world.request(strong, -1)
    frame = board.world.step()
    assert sorted(frame.results) == [weak, strong]
    assert board.xs(weak, strong) == [1.0, 1.0]


def test_a_chain_counts_a_group_once():
    board = Board()
    player = board.player(0)
    group = crates(board, 1, 1, 1)
    last = board.crate(4)
    assert board.push(player, 2, max_chain=1).moved[0] == 2.0
    assert stop_of(board.push(player, 2, max_chain=1)) == ("x", last, "CHAIN_LIMIT", 0.0)
    assert board.push(player, 1, max_chain=2).complete
    board.push(player, -1)
    assert board.push(player, 2, rule="sum", force=2.5).complete
    assert stop_of(board.push(player, 1, rule="sum", force=2.0)) == ("x", last, "FORCE", 0.0)
    assert len(set(board.xs(*group))) == 1


def test_the_bounds_stop_the_solid_member_that_reaches_furthest_and_no_sensor():
    board = Board(bounds=((0, 0), (10, 10)))
    crate = board.crate(2)
    far = board.crate(5, 1, fused=Fused(crate))
    sensor = board.body(7, 2, trigger=Trigger(), fused=Fused(far))
    player = board.player(0)
    assert stop_of(board.push(player, 9)) == ("x", None, "BOUNDS", 5.0)
    assert board.xs(crate, far, sensor) == [6.0, 9.0, 11.0]
    assert stop_of(board.push(sensor, 9)) == ("x", None, "BOUNDS", 0.0)


def test_each_member_meets_by_its_own_layer():
    board = Board()
    ghost = board.crate(0, layer="ghost", mask=("player",))
    crate = board.crate(0, 1, fused=Fused(ghost))
    board.wall(3)
    post = board.wall(5, 1)
    assert stop_of(board.push(ghost, 9)) == ("x", post, "IMMOVABLE", 4.0)
    player = board.player(0, layer="player")
    assert board.push(player, 5, force=2.0).moved[0] == 3.0 - 1.0
    assert board.xs(ghost, crate) == [4.0, 4.0]


def test_the_hook_is_called_with_roots():
    asked = []

    def hook(pusher, pushed, axis, force):
        asked.append((pusher, pushed, axis))
        return None if pushed != 4 else verdicts.pop()

    verdicts = [True, False]
    board = Board(can_push=hook)
    board.crate(2, id=5)
    board.body(2, 1, id=4)
    board.crate(2, 2, id=6, fused=Fused(4))
    board.player(0, 5, id=2)
    board.player(0, 2, id=3, fused=Fused(2))
    assert stop_of(board.push(3, 2)) == ("x", 4, "HOOK", 1.0)
    assert board.push(3, 2).complete
    assert asked == [(2, 4, "x"), (2, 4, "x")]
    assert board.xs(4, 6, 2, 3) == [4.0, 4.0, 3.0, 3.0]


@pytest.mark.parametrize(("order", "front"), [("sequential", [3.0, 4.0]), ("front_first", [2.0, 3.0])])
def test_a_convoy_goes_front_first_by_the_foremost_face_of_each_group(order, front):
    # The rear reaches as far as 2 on x through its group, the front as far as 3.
    board = Board(order=order)
    rear = board.player(0, id=1)
    tail = board.crate(1, 1, id=5, fused=Fused(rear))
    lead = board.crate(1, id=4)
    nose = board.body(2, 3, id=3, inertia=Inertia(1), motion=Motion(5.0), fused=Fused(lead))
    board.world.request(rear, 1)
    board.world.request(nose, 1)
    board.world.step()
    assert board.xs(rear, tail) == [1.0, 2.0]
    assert board.xs(lead, nose) == front


def test_a_plan_moves_nothing_and_fusing_makes_it_stale():
    board = Board()
    one, two = crates(board, 1, 1)
    plan = board.world.plan(two, 3)
    assert plan.result.moved == (3.0, 0.0, 0.0)
    assert board.xs(one, two) == [2.0, 2.0]
    assert plan.commit().complete
    assert board.xs(one, two) == [5.0, 5.0]
    plan = board.world.plan(two, 3)
    three = board.crate(9, 9)
    board.world._bodies.of(board.world._bodies.row(two)).fused.to = three
    with pytest.raises(RuntimeError, match="stale"):
        plan.commit()


# -- Fusing, splitting, disabling, teleporting. -----------------------------------------------------------------------


def fuse(board: Board, entity: int, to: int | None) -> None:
    """Give a body another Fused, or none."""
    parts = board.world._bodies.of(board.world._bodies.row(entity))
    board.world._stage(entity, parts._replace(fused=None if to is None else Fused(to)))


def test_a_disabled_member_leaves_the_group_until_it_is_enabled():
    board = Board()
    one, two, three = board.crate(0), board.crate(0, 1), board.crate(0, 2)
    fuse(board, two, one)
    fuse(board, three, two)
    board.world.apply_changes()
    board.colliders[two].enabled = False
    board.push(one, 1)
    board.push(two, 0, 9)
    assert [board.at(each) for each in (one, two, three)] == [(1.0, 0.0), (0.0, 10.0), (0.0, 2.0)]
    board.world.check()
    board.colliders[two].enabled = True
    board.push(three, 1)
    assert board.xs(one, two, three) == [2.0, 1.0, 1.0]
    board.colliders[one].enabled = False
    board.push(three, 1)
    assert board.xs(one, two, three) == [2.0, 2.0, 2.0]
    board.world.check()


def test_a_root_may_be_a_trigger():
    board = Board()
    sensor = board.body(9, 9, trigger=Trigger(), id=1)
    crate = board.crate(2, inertia=3, fused=Fused(sensor))
    player = board.player(0)
    result = board.push(player, 2)
    assert result.pushed == {sensor: (1.0, 0.0, 0.0)}
    assert "entity 1 (inertia 3) pushed x +1" in result.explain()
    assert board.xs(sensor, crate) == [10.0, 3.0]
    board.world.check()
