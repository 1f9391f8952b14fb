"""Random plays: scenes of boxes and compounds in an esper world, and everything that can change in them.

A play is plain data (drawn by Hypothesis, so that it shrinks): bodies to begin with, and for each frame a list of
changes `(name, body number, value, ...)`. A change that makes no sense for its body is passed over.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any, NamedTuple

import esper
from hypothesis import strategies as st
from ledger import Ledger
from worlds import a_system, said

from ecs_collision import (
    Box,
    BoxCollider,
    CompoundCollider,
    FellAsleep,
    Inertia,
    Motion,
    Sleeping,
    Static,
    Transform,
    Trigger,
    Woke,
)

COLLIDERS = (BoxCollider, CompoundCollider)
SHAPES: tuple[Any, ...] = (
    (0.5, 0.5),
    (0.25, 1.0),
    (1.5, 0.5),
    (2.5, 2.0),
    (0.0, 0.5),
    (0.0, 0.0),
    (Box(0.5, 0.5), Box(0.5, 0.5, offset=(1.0, 0.5, 0.0))),
    (Box(1.5, 0.25, offset=(0.0, -1.0, 0.0)), Box(0.25, 1.0), Box(0.25, 0.25, 0.5, (2.5, 2.5, 0.0))),
)
"""Half extents of boxes (plates and points among them), and parts of compounds."""

SPOTS = st.tuples(st.integers(-12, 12), st.integers(-12, 12)).map(lambda at: (at[0] / 4, at[1] / 4))
STEPS = st.tuples(st.integers(-8, 8), st.integers(-8, 8)).map(lambda by: (by[0] / 4, by[1] / 4))
LAYERS = st.sampled_from(["a", "b"])
MASKS = st.sampled_from([None, "a", ("b",), ("a", "b"), ()])
SHAPE_NUMBERS = st.integers(0, len(SHAPES) - 1)
ROLES = st.sampled_from(["player", "player", "crate", "rock", "wall", "zone", "zone", "roving zone", "static zone"])


class Options(NamedTuple):
    """What a Trigger is made with."""

    mask: Any
    touching: bool
    swept: bool
    stay: bool
    linger: int

    def trigger(self) -> Trigger:
        """Return a new component."""
        return Trigger(**self._asdict())


def options(swept: bool) -> st.SearchStrategy[Options]:
    """Return triggers of every kind, but a lingering one is not swept: the ledger sees nobody on the way (T5)."""
    stays = st.sampled_from([(False, 0), (False, 0), (True, 0), (False, 1), (False, 3), (True, 2)])
    return st.builds(
        lambda mask, touching, crosses, stay: Options(mask, touching, crosses and swept and not stay[1], *stay),
        MASKS, st.booleans(), st.booleans(), stays,
    )  # fmt: skip


class Spec(NamedTuple):
    """A body to begin with."""

    spot: tuple[float, float]
    storey: int
    shape: int
    role: str
    layer: str
    mask: Any
    options: Options
    sleep: tuple[bool, int]

    def parts(self, sleeps: bool) -> dict[type[Any], Any]:
        """Return its components, by class."""
        parts = [Transform(*self.spot, float(self.storey)), a_shape(self.shape, self.layer, self.mask)]
        if "player" in self.role or "roving" in self.role:
            parts.append(Motion(force=3.0))
        if self.role in ("player", "crate"):
            parts.append(Inertia(1.0))
        if self.role in ("wall", "static zone"):
            parts.append(Static())
        elif sleeps:
            parts.append(Sleeping(asleep=self.sleep[0], after=self.sleep[1]))
        if "zone" in self.role:
            parts.append(self.options.trigger())
        return {type(part): part for part in parts}


def a_shape(number: int, layer: str = "a", mask: Any = None) -> Any:
    """Return a new collider of that shape."""
    shape = SHAPES[number]
    if isinstance(shape[0], Box):
        return CompoundCollider(shape, layer=layer, mask=mask)
    return BoxCollider(*shape, layer=layer, mask=mask)


def specs(swept: bool = False) -> st.SearchStrategy[Spec]:
    """Return bodies of every kind, mostly on the ground floor."""
    storeys = st.sampled_from([0, 0, 0, 0, 0, 0, 1])
    return st.builds(
        Spec, SPOTS, storeys, SHAPE_NUMBERS, ROLES, LAYERS, MASKS, options(swept),
        st.tuples(st.booleans(), st.integers(1, 3)),
    )  # fmt: skip


def changes(swept: bool = False) -> st.SearchStrategy[tuple[Any, ...]]:
    """Return one change to one body."""
    who, opts = st.integers(0, 9), options(swept)
    one = [
        *[st.tuples(st.just("push"), who, STEPS)] * 3,
        *[st.tuples(st.just("write"), who, SPOTS)] * 2,
        st.tuples(st.just("push_now"), who, STEPS),
        st.tuples(st.sampled_from(["resize", "new_collider", "new_body"]), who, SHAPE_NUMBERS),
        st.tuples(st.just("new_transform"), who, SPOTS),
        st.tuples(st.just("layer"), who, LAYERS),
        st.tuples(st.sampled_from(["mask", "trigger_mask"]), who, MASKS),
        st.tuples(st.sampled_from(["enable", "enable_trigger", "delete", "touching", "clear"]), who, st.booleans()),
        st.tuples(st.sampled_from(["gain_trigger", "new_trigger"]), who, opts),
        st.tuples(st.sampled_from(["lose_trigger", "lose_collider", "regain_collider", "revive", "ask"]), who),
        st.tuples(st.just("swap_colliders"), who, who),
        st.tuples(st.just("create"), st.just(0), specs(swept)),
    ]
    return st.one_of(one)


class Play(NamedTuple):
    """Bodies to begin with, and what is done before each frame."""

    begin: list[Spec]
    frames: list[list[tuple[Any, ...]]]


def plays(swept: bool = False, bodies: int = 9, frames: int = 6, changing: int = 4) -> st.SearchStrategy[Play]:
    """Return plays of up to so many bodies, frames, and changes a frame."""
    return st.builds(
        Play,
        st.lists(specs(swept), min_size=2, max_size=bodies),
        st.lists(st.lists(changes(swept), max_size=changing), min_size=1, max_size=frames),
    )


@dataclass
class Member:
    """A body of the play; `entity` is 0 while it is in no world."""

    parts: dict[type[Any], Any]
    entity: int = 0
    collider: Any = None
    quiet_until_next_frame: bool = False


class Stage:
    """Puts a play on in the current world, a ledger looking on."""

    def __init__(self, begin: list[Spec], sleepers: frozenset[int] = frozenset(), **settings: Any) -> None:
        self.system = a_system(**settings)
        self.ledger = Ledger()
        self.members: list[Member] = []
        self.sleepers = sleepers
        for spec in begin:
            self.create(0, spec)

    def frame(self, todo: list[tuple[Any, ...]]) -> tuple[list[Any], list[Any]]:
        """Do the changes, process a frame; return what the triggers said, and what they had to say."""
        for name, number, *values in todo:
            if self.members:
                getattr(self, name)(number % len(self.members), *values)
        self.ledger.look()
        esper.process()
        for member in self.members:
            member.quiet_until_next_frame = False
        return said(self.system), self.ledger.frame()

    def transcript(self) -> tuple[Any, ...]:
        """Return all of the frame that sleeping may not change (S1)."""
        events = [event for event in self.system.events if not isinstance(event, FellAsleep | Woke)]
        spots = {m.entity: m.parts[Transform].position for m in self.members if m.entity}
        return events, spots, dict(self.system.results), self.system.space.pairs(triggers=True)

    def create(self, number: int, spec: Spec) -> None:
        member = Member(spec.parts(sleeps=len(self.members) in self.sleepers))
        self.members.append(member)
        self._enter(member)

    def ask(self, number: int) -> None:
        self.ledger.look()
        self.system.space.pairs()

    def push(self, number: int, by: tuple[float, float]) -> None:
        motion = self._part(number, Motion)
        if motion:
            motion.move(*by)

    def push_now(self, number: int, by: tuple[float, float]) -> None:
        parts = self.members[number].parts
        collider = self._collider(number)
        if collider and collider.enabled and Static not in parts and self._taking_part(parts):
            self.ledger.look()
            self.system.move(self.members[number].entity, *by, force=3.0)

    def write(self, number: int, spot: tuple[float, float]) -> None:
        if self.members[number].entity:
            self.members[number].parts[Transform].position = spot

    def resize(self, number: int, shape: int) -> None:
        collider, sizes = self._collider(number), SHAPES[shape]
        if isinstance(collider, CompoundCollider) and isinstance(sizes[0], Box):
            collider.parts = sizes
        elif isinstance(collider, BoxCollider) and not isinstance(sizes[0], Box):
            collider.hx, collider.hy = sizes

    def layer(self, number: int, layer: str) -> None:
        if collider := self._collider(number):
            collider.layer = layer

    def mask(self, number: int, mask: Any) -> None:
        if collider := self._collider(number):
            collider.mask = mask

    def trigger_mask(self, number: int, mask: Any) -> None:
        if trigger := self._part(number, Trigger):
            trigger.mask = mask

    def touching(self, number: int, touching: bool) -> None:
        if trigger := self._part(number, Trigger):
            trigger.touching = touching

    def enable(self, number: int, enabled: bool) -> None:
        if collider := self._collider(number):
            collider.enabled = enabled

    def enable_trigger(self, number: int, enabled: bool) -> None:
        if trigger := self._part(number, Trigger):
            trigger.enabled = enabled

    def new_transform(self, number: int, spot: tuple[float, float]) -> None:
        self._replace(number, Transform(*spot))

    def new_collider(self, number: int, shape: int) -> None:
        if old := self._collider(number):
            self._take(number, type(old))
            self._replace(number, a_shape(shape, old.layer, old.mask))

    def new_body(self, number: int, shape: int) -> None:
        self.new_collider(number, shape)
        self._replace(number, copy.copy(self.members[number].parts[Transform]))

    def new_trigger(self, number: int, trigger: Options) -> None:
        """Replace the Trigger."""
        if self._part(number, Trigger):
            self._replace(number, trigger.trigger())

    def gain_trigger(self, number: int, trigger: Options) -> None:
        member = self.members[number]
        if self._collider(number) and Trigger not in member.parts and not member.quiet_until_next_frame:
            self._replace(number, trigger.trigger())

    def lose_trigger(self, number: int) -> None:
        if self._part(number, Trigger):
            self._take(number, Trigger)
            self.members[number].quiet_until_next_frame = True

    def lose_collider(self, number: int) -> None:
        member, collider = self.members[number], self._collider(number)
        if collider and not {Motion, Trigger, Static} & set(member.parts):
            member.collider = self._take(number, type(collider))
            member.quiet_until_next_frame = True

    def regain_collider(self, number: int) -> None:
        member = self.members[number]
        if member.entity and not self._collider(number) and not member.quiet_until_next_frame:
            self._replace(number, member.collider)

    def swap_colliders(self, number: int, other: int) -> None:
        other %= len(self.members)
        if number == other or not (self._collider(number) and self._collider(other)):
            return
        mine = self._take(number, type(self._collider(number)))
        yours = self._take(other, type(self._collider(other)))
        self._replace(number, yours)
        self._replace(other, mine)

    def delete(self, number: int, immediate: bool) -> None:
        member = self.members[number]
        if member.entity:
            esper.delete_entity(member.entity, immediate=immediate)
            member.entity = 0

    def revive(self, number: int) -> None:
        if not self.members[number].entity:
            self._enter(self.members[number])

    def clear(self, number: int, same: bool) -> None:
        """Clear the database and make everybody again: of the same instances, or of copies."""
        living = sorted((member for member in self.members if member.entity), key=lambda member: member.entity)
        esper.clear_database()
        for member in living:
            if not same:
                member.parts = {kind: copy.copy(part) for kind, part in member.parts.items()}
            self._enter(member)

    def _enter(self, member: Member) -> None:
        member.entity = esper.create_entity(*member.parts.values())

    def _part(self, number: int, kind: type[Any]) -> Any:
        return self.members[number].parts.get(kind) if self.members[number].entity else None

    def _collider(self, number: int) -> Any:
        return self._part(number, BoxCollider) or self._part(number, CompoundCollider)

    def _taking_part(self, parts: dict[type[Any], Any]) -> bool:
        return Trigger not in parts or parts[Trigger].enabled

    def _take(self, number: int, kind: type[Any]) -> Any:
        esper.remove_component(self.members[number].entity, kind)
        return self.members[number].parts.pop(kind)

    def _replace(self, number: int, part: Any) -> None:
        if self.members[number].entity:
            esper.add_component(self.members[number].entity, part)
            self.members[number].parts[type(part)] = part
