"""A game of a user, as both type checkers must accept it and as it must run: no line may be without a type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import esper
import numpy

from ecs_collision import (
    Advice,
    AxisStop,
    Blocked,
    Box,
    BoxCollider,
    Capsule,
    CapsuleCollider,
    CastHit,
    CollisionSystem,
    CollisionWorld,
    CompoundCollider,
    Contact,
    ContactBegan,
    ContactEnded,
    ContactManifold,
    Event,
    FellAsleep,
    Frame,
    Fused,
    ImpulseSystem,
    Inertia,
    LeftReason,
    Mass,
    Material,
    Motion,
    Moved,
    Mover,
    MoveResult,
    OrientedBox,
    OrientedBoxCollider,
    Plan,
    Pushed,
    PushLink,
    Sleeping,
    Space,
    Sphere,
    SphereCollider,
    Static,
    Stats,
    StopReason,
    Subscription,
    Transform,
    Trigger,
    TriggerEntered,
    TriggerLeft,
    TriggerStayed,
    Velocity,
    Woke,
    overlapping_pairs,
)

Vector = tuple[float, float, float]


@dataclass
class Player:
    """A component of the game's own."""

    keys: int = 0


class Walk(esper.Processor):
    """Asks for a step to the right in every frame."""

    def process(self) -> None:
        for _, (_, motion) in esper.get_components(Player, Motion):
            motion.move(0.5, 0)


def can_push(pusher: int, pushed: int, axis: str, force: float) -> bool | None:
    return None if pusher < pushed and axis in ("x", "y") else force > 1


system = CollisionSystem(
    advise=True,
    bin_size=1,
    rule="sum",
    max_chain=3,
    all_or_nothing=False,
    axis_order="yxz",
    order="front_first",
    overlap_policy="block_deeper",
    bounds=((-10, -10), (100, 100)),
    can_push=can_push,
    broad_phase="octree",
)
esper.add_processor(Walk(), priority=1)
esper.add_processor(system)

player = esper.create_entity(
    Transform(0.5, 0.5), BoxCollider(0.5, 0.5), Motion(force=2, rule="each"), Sleeping(after=60), Player()
)
crate = esper.create_entity(Transform(2, 0.5), BoxCollider(0.5, 0.5, layer="crates", mask={"default"}), Inertia(1))
lid = esper.create_entity(Transform(2, 1.5), CompoundCollider([Box(0.5, 0.25, offset=(0, 0.125))]), Fused(crate))
wall = esper.create_entity(Transform(9, 0.5, 0), BoxCollider(0.5, 5, offset=(0, 0)), Static())
door = esper.create_entity(Transform(4, 0.5), BoxCollider(0.5, 0.5), Trigger(mask="default", stay=True, linger=2))

rock = esper.create_entity(
    Transform(20, 0), SphereCollider(0.5), Velocity(1, angular=2), Mass(2, moment=0.5), Material(0.5, friction=1)
)
impulses = ImpulseSystem(system, gravity=(0, 10), dt=1 / 60, substeps=4)
esper.add_processor(impulses, priority=2)
impulses.gravity, impulses.dt, impulses.substeps = (0, 9.81), 0.01, 2
pull: tuple[float, float, float] = impulses.gravity
speed = esper.component_for_entity(rock, Velocity)
speed.x, speed.angular = speed.y + 1, (0, 0, 1)
spin: float | tuple[float, float, float] = speed.angular
lightness: float = esper.component_for_entity(rock, Mass).inverse + (
    esper.component_for_entity(rock, Mass).inverse_moment or 0.0
)
esper.component_for_entity(rock, Material).restitution = 1
system.apply_impulse(rock, (0, -5))
system.apply_impulse(rock, [0, -5, 0], point=(20, 0.5))
system.step_dynamics(1 / 60, gravity=(0, 10), substeps=2)
busy: int = system.stats.simulated + system.stats.resting + system.stats.impulses

ball = esper.create_entity(Transform(30, 0.5, rotation=0.5), SphereCollider(0.5, offset=(1, 0)), Trigger())
pill = esper.create_entity(Transform(40, 0.5, 0, (0, 0, 1, 1)), CapsuleCollider(0.5, 1, "x"), Trigger())
plank = esper.create_entity(Transform(50, 0.5, rotation=None), OrientedBoxCollider(2, 0.25), Trigger())
flail = CompoundCollider([Sphere(1), Capsule(0.25, 2, offset=(0, 2)), OrientedBox(1, 1, offset=(0, 4), rotation=0.25)])
esper.component_for_entity(pill, CapsuleCollider).axis = "z"
angle: float = esper.component_for_entity(ball, Transform).angle
esper.component_for_entity(ball, Transform).angle += 0.25
rotation: float | tuple[float, float, float, float] | None = esper.component_for_entity(ball, Transform).rotation

log: list[str] = []


# Handlers, by the class of the event.


@system.on(TriggerEntered, trigger=door)
def enter(event: TriggerEntered) -> None:
    log.append(f"{event.other} entered {event.trigger}")


@system.on(Blocked, entity=player, axis="x", reason=StopReason.FORCE)
def stop(event: Blocked) -> str:
    axis: str = event.axis
    blocker: int | None = event.blocker
    reason: StopReason = event.reason
    return f"{axis} {blocker} {reason}"


def leave(event: TriggerLeft) -> None:
    reason: LeftReason = event.reason
    log.append(reason.value)


def anything(event: Event) -> None:
    log.append(f"{event.frame + 0}")


bullet = Mover("stop", responses={"wall": "bounce", "ghost": "cross"}, straight=True)
bullet.responses = {"wall": "slide", "ghost": "cross"}
feet = esper.create_entity(Transform(60, 0.5), BoxCollider(0.5, 0.5), Contact(mask={"walls"}, linger=3), Motion())
asking = esper.component_for_entity(feet, Contact)
asking.mask, asking.linger = None, 0
contact_mask: frozenset[str] | None = asking.mask


@system.on(ContactBegan, a=feet, normal=(0.0, 1.0, 0.0))
def land(event: ContactBegan) -> None:
    log.append(f"{event.a} on {event.b}: {event.normal[1]:+g}")


@system.on(ContactEnded, reason=LeftReason.MOVED)
def part_from(event: ContactEnded) -> None:
    log.append(f"{event.a} left {event.b}: {event.reason.value}")


stands_on: list[int] = system.contacts(feet)
subscription: Subscription = system.on(TriggerLeft, leave, reason=LeftReason.MOVED)
for kind in (Woke, FellAsleep):
    system.on(kind, anything)
system.on(Pushed, anything, by=player)
system.on(TriggerStayed, lambda event: log.append(f"{event.other}"))
system.on(Moved, lambda event: log.append(f"{event.displacement[0]:g}"))
subscription.cancel()
active: bool = subscription.active
said: str = stop(Blocked(1, player, None, "x", StopReason.BOUNDS, (1.0, 0.0, 0.0), ()))

# Components: every field has the type that is read, and takes the types that may be written.

transform = esper.component_for_entity(player, Transform)
x: float = transform.x
position: Vector = transform.position
transform.position = (1, 2)
transform.x += 1
transform.z = 0
collider = esper.component_for_entity(crate, BoxCollider)
half: float = collider.hx
collider.hx, collider.enabled = 0.375, True
collider.mask = ["default", "crates"]
mask: frozenset[str] | None = collider.mask
offset: Vector = collider.offset
layer: str = collider.layer
inertia = esper.component_for_entity(crate, Inertia)
inertia.value = 2
inertia.x = 1.5
weight: float | None = inertia.value
motion = esper.component_for_entity(player, Motion)
motion.force, motion.priority, motion.rule, motion.max_chain, motion.all_or_nothing = 2, 1, "sum", None, None
request: Vector = (motion.dx, motion.dy, motion.dz)
trigger = esper.component_for_entity(door, Trigger)
trigger.touching = trigger.swept = trigger.statics = False
linger: int = trigger.linger
sleeping = esper.component_for_entity(player, Sleeping)
asleep: bool = sleeping.asleep
fused: int = esper.component_for_entity(lid, Fused).to
parts: tuple[Box | Sphere | Capsule | OrientedBox, ...] = esper.component_for_entity(lid, CompoundCollider).parts
ell: CompoundCollider = CompoundCollider.from_cells([(0, 0), (1, 0), (1, 1)], size=0.5, layer="crates")
twin: Motion = motion.copy()

# Motions and their results.

esper.process()
result: MoveResult = system.move(player, 3, force=5, rule="sum", max_chain=2, all_or_nothing=False, through=True)
complete: bool = result.complete
moved: Vector = result.moved
pushed: Mapping[int, Vector] = result.pushed
stops: tuple[AxisStop, ...] = result.stops
links: tuple[PushLink, ...] = result.links
text: str = result.explain()
blocked: tuple[bool, bool, bool, bool] = (result.blocked, result.blocked_x, result.blocked_y, result.blocked_z)
plan: Plan = system.plan(player, dx=-1)
if plan.complete:
    result = plan.commit()
system.request(player, dx=1)
system.teleport(player, 0.5, 0.5)
system.set_positions([player], [(0.5, 0.5)])
system.set_positions([player, crate], numpy.zeros((2, 2)) + numpy.array([[0.5], [3.5]]))
esper.process()
results: Mapping[int, MoveResult] = system.results
first: MoveResult | None = results.get(player)

# The space.

space: Space = system.space
ids: list[int] = space.overlapping(((0, 0), (1, 1)), layers={"default"}, ignore=[player], triggers=True)
ids += space.overlapping((Box(0.5, 0.5), (1, 1)))
ids += space.touching(player) + space.touching(player, "down") + space.touching((Box(1, 1), (0, 0)), side=(0, 0, -1))
ids += system.touching(player, "left") + system.touching(player, side=(1, 0))
ids += space.at(0.5, 0.5) + space.at(transform)
ids += space.frustum([(1, 0, 5), (-1, 0.5, 0, 5)], layers="crates") + space.frustum(numpy.ones((4, 4)))
pairs: list[tuple[int, int]] = space.pairs()
hit: CastHit | None = space.cast(player, (5, 0), layers="crates")
if hit is not None:
    log.append(f"{hit.entity} at {hit.fraction:g} on {hit.normal}")
hit = space.cast((Sphere(0.5), (1, 2)), (5, 0)) or space.cast((Box(1, 1), transform), (0, 1))
contact: ContactManifold | None = space.contact(player, crate)
if contact is not None:
    log.append(f"{contact.depth:g} along {contact.normal} at {contact.points[0]}")
depth: float = space.overlap_depth(player, crate)
offsets, found = space.overlapping_many([[0, 0]], [[1, 1]])
one: int = int(offsets[0]) + int(found.sum())
codes: list[int] = list(space.cells)
rows: int = len(overlapping_pairs(numpy.zeros((2, 2)), numpy.ones((2, 2))))

# Everything else of the system.

stats: Stats = system.stats
stats.timing = True
milliseconds: dict[str, float] = stats.phases
tested: int = stats.pairs_tested
events: list[Event] = system.events
for event in events:
    match event:
        case TriggerEntered(_, plate, other):
            ids += [plate, other]
        case ContactEnded(_, a, b, LeftReason.MOVED) | ContactBegan(_, a, b, (0.0, 1.0, _)):
            ids += [a, b]
        case Moved(entity=entity, displacement=(dx, _, _)):
            log.append(f"{entity} by {dx:g}")
        case _:
            pass
data: bytes = system.snapshot()
system.restore(data)
digest: str = system.state_hash()
advice: list[Advice] = system.doctor()
lines: list[str] = [line.removeprefix("entity ") for line in advice if line.kind == "overlap" and line.entities]
inside: list[int] = system.inside(door)
system.check()
system.close()

# The world without an ECS.

world = CollisionWorld(rule="each", bounds=None)
id: int = world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5), motion=Motion(1), trigger=None)
frame: Frame = world.step()
number: int = frame.number
known: bool = id in world
reported: list[Event] = frame.events + world.events
answer: MoveResult = world.move(id, 1)
