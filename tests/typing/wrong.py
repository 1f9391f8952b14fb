"""Faults of a user that both type checkers must report, one a line; the comment is a word of both complaints.

Lines without a comment must not be reported. The program is never run.
"""

from __future__ import annotations

from ecs_collision import (
    Blocked,
    Box,
    BoxCollider,
    CollisionSystem,
    CollisionWorld,
    CompoundCollider,
    Contact,
    ContactBegan,
    Fused,
    ImpulseSystem,
    Inertia,
    LeftReason,
    Mass,
    Material,
    Motion,
    MoveResult,
    Pushed,
    Puzzle,
    Sleeping,
    StopReason,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
    Velocity,
)
from ecs_collision.game import Game, NamedEvent, Turn
from ecs_collision.levels import load_level, parse_level, spawn, write_text
from ecs_collision.plays import record, verify
from ecs_collision.solver import solve
from ecs_collision.testing import (
    MakeBoard,
    MakeRecorder,
    assert_blocked,
    assert_events,
    assert_moved,
    assert_no_overlap,
    fresh_world,
    push,
    scene,
)

system = CollisionSystem()
world = CollisionWorld()
transform, motion, collider, inertia = Transform(0, 0), Motion(1), BoxCollider(1, 1), Inertia(1)

# Components.
transform.X = 3  # "X"
print(transform.nonsense)  # "nonsense"
transform.x = "3"  # "float"
transform.position = 3  # "Iterable"
transform.units = 3  # "assign"
motion.forse = 2  # "forse"
motion.rule = "ruel"  # "ruel"
motion.dx = None  # "Never"
motion.max_chain = 1.5  # "int"
motion.move("left")  # "float"
collider.enable = False  # "enable"
collider.mask = 3  # "Iterable"
collider.layer = None  # "None"
inertia.value = "2"  # "float"
Trigger().stays = True  # "stays"
Trigger(statics=[1])  # "bool"
Contact().enabled = True  # "enabled"
Contact(linger="long")  # "int"
Contact({"walls"})  # "argument"
Sleeping().asleep = 2.5  # "float"
Velocity("1")  # "float"
Velocity(1, 2, 3, 4)  # "argument"
Velocity(angular="fast")  # "str"
Velocity().x = None  # "None"
Mass()  # "value"
Mass(1, moment="big")  # "float"
Mass(1).inverse = 2  # "inverse"
Material(friction=None)  # "None"
Material(bounce=1)  # "bounce"
ImpulseSystem(world)  # "CollisionSystem"
ImpulseSystem(system, (0, 10))  # "argument"
ImpulseSystem(system, gravity=10)  # "Iterable"
system.step_dynamics()  # "dt"
system.step_dynamics(0.1, substeps=1.5)  # "int"
system.apply_impulse(1, 5)  # "Iterable"
world.apply_impulse("crate", (1, 0))  # "int"
Fused(1).to = "crate"  # "int"
Box(1, 1).hx = 1.0  # "read-only"
Transform()  # "x"
Transform(1)  # "y"
Transform(1, 2, 3, 4, 5)  # "argument"
Transform(1, 2, rotation="left")  # "rotation"
transform.rotation = (0, 1)  # "tuple"
transform.angle = None  # "None"
BoxCollider(1)  # "hy"
BoxCollider(1, 1, layer=3)  # "str"
BoxCollider(1, 1, maks={"walls"})  # "maks"
CompoundCollider([1])  # "Box"
Motion(forse=1)  # "forse"
Motion(1, rule="any")  # "rule"
Trigger(mask=1)  # "mask"
Inertia("1")  # "float"
CompoundCollider.from_cells([(0, 0)], 1, enable=True)  # "enable"

# Settings.
CollisionSystem(rule="ruel")  # "ruel"
CollisionSystem(ruel="sum")  # "ruel"
CollisionSystem(advise="yes")  # "advise"
CollisionSystem(axis_order="xy")  # "xy"
CollisionSystem(overlap_policy="block")  # "block"
CollisionSystem(broad_phase="octtree")  # "octtree"
CollisionWorld(order="front")  # "front"
CollisionWorld(bounds=(0, 1))  # "bounds"
CollisionWorld(can_push=lambda pusher: True)  # "can_push"
CollisionSystem("sum")  # "argument"

# Calls, results, events.
world.add(transform=transform)  # "collider"
world.add(transform=transform, collider=inertia)  # "Collider"
system.move("player", 1)  # "int"
system.move(1, 1, rule="ruel")  # "ruel"
system.move(1, 1, forse=2)  # "forse"
result: MoveResult = system.plan(1, 1)  # "Plan"
print(system.move(1).distance)  # "distance"
print(system.plan(1).moved)  # "moved"
system.move(1).complete = True  # "complete"
system.stats.bodeis = 3  # "bodeis"
print(system.step())  # "step"
print(world.step().event)  # "event"
for event in system.events:
    print(event.trigger)  # "trigger"
print(Pushed(1, 2, 3, (0.0, 0.0, 0.0)).pusher)  # "pusher"
system.space.overlapping("all")  # "Box"
system.space.overlapping(Box(1, 1))  # "Box"
system.space.at(1, 2, layer="walls")  # "layer"
system.space.pairs(layer="walls")  # "layer"
system.space.nearest(1, filter="walls")  # "filter"
system.space.touching(1, "below")  # "below"
system.touching(1, side=1)  # "side"
print(system.space.cast(1, (1, 0)).entity)  # "None"
system.space.overlap(1)  # "overlap"
system.restore("data")  # "bytes"


# Handlers.
def entered(event: TriggerEntered) -> None:
    print(event.reason)  # "reason"


def two(event: Blocked, frame: int) -> None: ...


system.on(TriggerEntered, entered)
system.on(Blocked, entered)  # "on"
system.on(Blocked, two)  # "on"
system.on(Blocked)(entered)  # "TriggerEntered"
system.on(Pushed, print, pusher=1)  # "on"
system.on(Blocked, print, reason="IMMOVABLE")  # "on"
system.on(Blocked, print, axis="w")  # "on"
system.on(TriggerEntered, print, trigger="door")  # "on"
system.on(ContactBegan, print, a="feet")  # "on"
system.on(ContactBegan, entered)  # "on"
system.contacts()  # "entity"
system.on(print)  # "on"
system.on(TriggerLeft, print, reason=LeftReason.MOVED).stop()  # "stop"


@system.on(Pushed)  # "Blocked"
def pushed(event: Blocked) -> None: ...


# Games.
def script(turn: Turn) -> None: ...


puzzle = Puzzle("level.txt", ruel="sum")  # "ruel"
puzzle = Puzzle("level.txt", rule="ruel")  # "ruel"
puzzle = Puzzle("level.txt", undo_limits=3)  # "undo_limits"
puzzle = Puzzle("level.txt", undo_limit="all")  # "int"
puzzle = Puzzle("level.txt", script=script)  # "script"
puzzle = Puzzle(3)  # "Level"
game = Game("level.txt", world_name="game")  # "world_name"
game = Game("level.txt", script=script)  # "script"
game.play(3)  # "str"
game.turn("R").push  # "push"
game.move("player", 1, forse=2)  # "forse"
game.get("crate", Inertia).value  # "None"
print(game.get(3, Inertia))  # "get"
weight: Motion | None = game.get("crate", Inertia)  # "Inertia"
game.door("door", "plate", needs="some")  # "some"
game.win = 3  # "Condition"


@game.on_enter("goal")  # "int"
def enter(event: int) -> None: ...


@game.on_push()
def on_push(event: NamedEvent) -> None:
    print(event.pusher)  # "pusher"
    print(event.by.entity)  # "entity"
    print(event.entity + 1)  # "+"


@game.on_turn  # "NamedEvent"
def on_turn(event: NamedEvent) -> None: ...


@game.on_solved  # "solved"
def on_solved(turn: Turn) -> None: ...


# Levels, plays, the solver.
level = load_level("level.txt", kind={})  # "kind"
level = parse_level(3)  # "bytes"
level.title = "new"  # "title"
print(level["crate"].weight)  # "weight"
spawn(level, system)  # "CollisionSystem"
write_text("level.txt")  # "str"
system.spawn("level.txt")  # "Level"
system.spawn(level, at=1)  # "Sequence"
system.spawn(level).delete()  # "delete"
print(solve(level, max_state=3))  # "max_state"
print(solve(level).solution)  # "solution"
print(verify(record(game, 3)))  # "str"


# The test kit.
def test_it(board: MakeBoard, record: MakeRecorder) -> None:
    made = board("@", ruel="sum")  # "ruel"
    made = board(3)  # "Level"
    made.turns("R")  # "turns"
    made.move("@", "R", forse=1)  # "forse"
    recorder = record("board")  # "Game"
    print(recorder.enter("plate"))  # "enter"
    assert_moved(made)  # "Board"
    assert_blocked(made.move("@", "R"), axis="w")  # "w"
    assert_blocked(made.move("@", "R"), reason=LeftReason.MOVED)  # "LeftReason"
    assert_events(3, [])  # "Game"
    assert_no_overlap("@")  # "Game"


with fresh_world(ruel="sum"):  # "ruel"
    scene({}, rule="ruel")  # "ruel"
    push(1, 2)  # "tuple"
print(StopReason.FORSE)  # "FORSE"
