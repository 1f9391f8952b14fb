"""The oracle compares a live world with the model of the rules (model.py), act by act.

It decides whether a fault is in the game or in the engine. It listens below the system, so it sees the calls of
handlers, processors and scripts. Before an act it reads the components; after it, the model predicts the outcome and
both are compared. The first difference raises Divergence. can_push is called only once per question; the model gets the
same answers.

With each snapshot the oracle stores a copy of the model, and compares a restore of those bytes with it, so it notices
what a restore loses. After a restore of other bytes it builds a new model from the world.

The model tests every box against every box: a hundred bodies take a tenth of a second per frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from itertools import zip_longest
from typing import Any, NamedTuple

from ecs_collision.bodies.columns import TRIGGER
from ecs_collision.components import (
    RULES,
    Box,
    BoxCollider,
    Capsule,
    CapsuleCollider,
    Collider,
    Component,
    CompoundCollider,
    Motion,
    OrientedBox,
    OrientedBoxCollider,
    Parts,
    Sphere,
    SphereCollider,
)
from ecs_collision.debug.instrument import Act, Listener, Watched, listen, world_context, world_of
from ecs_collision.errors import CollisionTypeError, CollisionValueError, InvalidChanges, UnknownEntity
from ecs_collision.events import Event, FellAsleep, Impact, Woke
from ecs_collision.results import MoveResult
from ecs_collision.testing.messages import truncate
from ecs_collision.testing.scene_recording import Recording
from ecs_collision.testing.scene_replay import Player
from ecs_collision.testing.scenes import Push, Scene
from ecs_collision.world import CollisionWorld
from tests.model.close_calls import CloseCalls
from tests.model.model import Body, Contact, Model, Refused, Request, Result, Trigger
from tests.model.shapes import Given

Vector = tuple[float, float, float]

RULES_OF = {
    "requested": "L1, L2", "moved": "P1, P2, P5", "pushed": "P2 to P8", "stops": "P2 to P5, P15, P18", "links": "P16",
    "shares": "M11", "hits": "M9",
    "Moved": "T10", "Pushed": "T10", "Blocked": "P16, T10", "Crushed": "M8", "Crossed": "M9, T10", "Overlapped": "T11",
    "TriggerLeft": "T3 to T5", "TriggerEntered": "T1 to T4, T6", "TriggerStayed": "T1, T5",
    "ContactBegan": "C1 to C4", "ContactEnded": "C1 to C3", "position": "P1, P2, P12",
}  # fmt: skip
"""The rules for each field of a result and each kind of event."""


class Difference(NamedTuple):
    """A difference: the subject, the expected and found values, and the rules to look up."""

    what: str
    expected: str
    found: str
    rules: str

    def __str__(self) -> str:
        return f"{self.what}: expected {self.expected}, found {self.found} (rules {self.rules})"


def compare_positions(expected: Mapping[int, Vector], found: Mapping[int, Vector]) -> Iterator[Difference]:
    """Yield the bodies whose positions differ."""
    for entity in sorted({*expected, *found}):
        want, have = expected.get(entity), found.get(entity)
        if want != have:
            yield Difference(f"body {entity}", f"at {want}", f"at {have}", RULES_OF["position"])


WRITTEN = ("position", "boxes", "layer", "mask", "enabled", "static", "inertia", "motion", "trigger", "fused", "others",
           "rotation", "contact", "carries", "grips", "response", "responses")  # fmt: skip
"""Body fields of the model that come from components, without those that identify instances."""


def compare_bodies(expected: Mapping[int, Body], found: Mapping[int, Body]) -> Iterator[Difference]:
    """Yield the bodies and fields that a restore did not restore (N1)."""
    for entity in sorted({*expected, *found}):
        want, have = expected.get(entity), found.get(entity)
        if want is None or have is None:
            yield Difference(f"body {entity}", "there" if want else "not there", "there" if have else "not there", "N1")
            continue
        for name in WRITTEN:
            old, new = (_without_token(getattr(body, name)) for body in (want, have))
            if old != new:
                yield Difference(f"{name} of body {entity}", repr(old), repr(new), "N1")


def _without_token(value: Any) -> Any:
    """Return a field without the token that identifies an instance of Motion."""
    return replace(value, token=None) if isinstance(value, Request) else value


def compare_results(entity: int, expected: Result | None, found: MoveResult | None) -> Iterator[Difference]:
    """Yield the fields in which the result of a motion differs."""
    wanted, have = _values(expected), _values(found)
    for name in wanted or have:
        if wanted.get(name) != have.get(name):
            what = f"{name} of the motion of body {entity}"
            yield Difference(what, repr(wanted.get(name)), repr(have.get(name)), RULES_OF[name])


def _values(result: Result | MoveResult | None) -> dict[str, Any]:
    if result is None:
        return {}
    stops: list[Any] = list(result.stops)
    links: list[Any] = list(result.links)
    if isinstance(result, MoveResult):
        stops = [
            (stop.axis, stop.blocker, stop.reason.name, stop.allowed, stop.direction, stop.blockers)
            for stop in result.stops
        ]
        links = [(link.pusher, link.pushed, link.axis, link.gap) for link in result.links]
    return {
        "requested": result.requested, "moved": result.moved, "pushed": list(result.pushed.items()),
        "stops": stops, "links": links, "shares": dict(result.shares),
    }  # fmt: skip


def compare_events(expected: list[tuple[Any, ...]], found: list[tuple[Any, ...]]) -> Iterator[Difference]:
    """Yield events that are missing or unexpected; if only the order differs, the first one out of order."""
    missing, surplus = list(expected), []
    for event in found:
        if event in missing:
            missing.remove(event)
        else:
            surplus.append(event)
    for event in missing:
        yield Difference(f"the event {event[0]}", repr(event[1:]), "none", RULES_OF[event[0]])
    for event in surplus:
        yield Difference(f"the event {event[0]}", "none", repr(event[1:]), RULES_OF[event[0]])
    if not missing and not surplus and expected != found:
        want, have = next(pair for pair in zip_longest(expected, found) if pair[0] != pair[1])
        yield Difference("the order of events", repr(want), repr(have), "T7")


BoxNumbers = tuple[float, float, float, float, float, float]

MAX_SNAPSHOTS = 1000
"""Maximum number of stored models, the newest. After a restore of older bytes the model is rebuilt from the world."""

MAX_ARGUMENT = 2**40
"""A motion further than this may be refused by the engine."""

_VALID_OPTIONS: dict[str, Callable[[Any], bool]] = {
    "force": lambda value: type(value) in (int, float) and 0 <= value < MAX_ARGUMENT,
    "rule": lambda value: value in RULES,
    "max_chain": lambda value: type(value) is int and 0 <= value < MAX_ARGUMENT,
    "all_or_nothing": lambda value: type(value) is bool,
    "through": lambda value: type(value) is bool,
}
"""Tests for options of a motion that are certainly valid."""


class Divergence(AssertionError):
    """The engine did something different from what the model of the rules predicts.

    `scene`, the note of the error, is the text of a scene file with everything that led to it.
    """

    def __init__(self, where: str, differences: tuple[Difference, ...], scene: str) -> None:
        lines = "\n".join(truncate([f"  {difference}" for difference in differences], 8))
        super().__init__(f"{where}: the rules predict something else\n{lines}")
        self.scene = scene
        self.add_note(scene)


@contextmanager
def checked(target: Watched) -> Iterator[Oracle]:
    """Compare a system, world, game or puzzle with the rules inside a `with` block; raises Divergence at once."""
    oracle = Oracle(target)
    try:
        yield oracle
    finally:
        oracle.close()


def check_scene(scene: Scene, pushes: Iterable[Push] = ()) -> Oracle:
    """Play a scene and compare all of it with the rules; raises Divergence, returns the oracle.

    pushes: further motions, with a frame after each.
    """
    player = Player(scene)
    with checked(player.world) as oracle:
        for _ in player.play():
            pass
        for push in pushes:
            push.make(player.world)
            player.world.step()
    return oracle


class _SavedModel(NamedTuple):
    """The model stored with a snapshot, the state hash, and what is excluded from comparison."""

    model: Model
    state_hash: str
    has_partial_events: bool
    deferred_results: set[int]


class Oracle(Listener):
    """Predicts each act of a world and compares; `checks` counts the acts that matched."""

    def __init__(self, target: Watched) -> None:
        self.world = world_of(target)
        self.checks = 0
        self._has_partial_events = False
        self._deferred_results: set[int] = set()
        self._answers: dict[tuple[int, int, str, float], list[bool | None]] = {}
        self._touched, self._held = set[tuple[int, int]](), set[tuple[int, int]]()  # by steps of dynamics, by entity
        self._tokens: dict[int, tuple[Component, int]] = {}
        self._saved_models: dict[bytes, _SavedModel] = {}
        self._overlap_starts = 0
        with world_context(target):
            self._recording = Recording(target)
            try:
                self.model = self._build_model()
            except BaseException:
                self._recording.detach()
                raise
        self._unsubscribe = listen(self.world, self)

    def close(self) -> None:
        """Stop checking."""
        self._unsubscribe()
        self._recording.detach()

    # Listening.

    def _after_changes(self) -> None:
        """Update the model to the current components."""
        self._update_model()

    def _before(self, act: Act) -> None:
        """Update the model with new requests. If written changes were refused, the act will not happen."""
        self._follow_overlaps()
        if act.kind == "frame":
            touches = [touch[:2] for touch in self.world._step.log.touches]
            self._touched = {(a, self.model.roots.get(b, b)) for pair in touches for a, b in (pair, pair[::-1])}
            self._held = set()
        if act.kind in ("frame", "keep") and not self.world.pending:
            self._update_model()

    def _after(self, act: Act) -> None:
        """Let the model do the same, and compare."""
        if act.error is not None and act.kind != "frame":
            if act.failed_question is None and self._is_wrongly_refused(act):
                found = f"refused: {act.error}"
                self._fail(act, (Difference(f"the motion of body {act.entity}", "allowed", found, "P1, L3, E8"),))
            return
        if act.failed_question is not None or (act.kind == "back" and act.data not in self._saved_models):
            self.model = self._build_model()
            return
        if act.error is not None or act.kind in ("dynamics", "impulse"):  # what they write is written (P12)
            return
        if act.kind == "keep":
            self._save_model(act.data)
            return
        self._answers = {}
        for pusher, pushed, axis, force, answer in act.answers:
            self._answers.setdefault((pusher, pushed, axis, force), []).append(answer)
        differences = tuple(self._restore_model(act.data) if act.kind == "back" else self._predict(act))
        if differences:
            self._fail(act, differences)
        self.checks += 1

    def _follow_overlaps(self) -> None:
        """Let the model report overlaps if the world does; what overlapped when that began is known (T11)."""
        overlaps = self.world._step.solid_overlaps
        starts = overlaps.start_count if overlaps.is_tracking else 0
        if starts != self._overlap_starts:
            self._overlap_starts = starts
            self.model.report_overlaps(starts > 0)

    def _is_wrongly_refused(self, act: Act) -> bool:
        """Return whether the engine refused a motion that the model allows.

        Only clear cases count: other arguments, and written changes, are for the engine to judge.
        """
        refusals = (CollisionTypeError, CollisionValueError, UnknownEntity)
        if not isinstance(act.error, refusals) or isinstance(act.error, InvalidChanges):  # of earlier changes
            return False
        if act.kind not in ("move", "plan") or self.world.pending:
            return False
        body = self.model.bodies.get(act.entity) if type(act.entity) is int else None
        numbers = all(type(value) in (int, float) and abs(value) < MAX_ARGUMENT for value in act.by)
        plain = all(name in _VALID_OPTIONS and _VALID_OPTIONS[name](value) for name, value in act.options.items())
        return body is not None and not body.static and numbers and plain

    def _predict(self, act: Act) -> Iterator[Difference]:
        if act.frame is not None:
            expected = self.model.step()
            found = act.frame.results
            for entity in sorted({*self.model.results, *found} - self._deferred_results):
                yield from compare_results(entity, self.model.results.get(entity), found.get(entity))
            if not self._has_partial_events:
                events = [
                    _event_values(event)
                    for event in act.frame.events
                    if not isinstance(event, Woke | FellAsleep | Impact)
                ]
                yield from compare_events(self._decided(expected), self._decided(events))
            self._follow_undecided()
            self._has_partial_events, self._deferred_results = False, set()
            yield from self._compare_inside()
        else:
            call: Callable[..., Result] = self.model.move if act.kind == "move" else self.model.plan
            displacement = map(float, act.by)
            assert isinstance(act.result, MoveResult)
            yield from compare_results(act.entity, call(int(act.entity), *displacement, **act.options), act.result)
        yield from compare_positions({id: body.position for id, body in self.model.bodies.items()}, self._positions())

    def _save_model(self, data: bytes) -> None:
        """Store the model with the bytes of a snapshot; above MAX_SNAPSHOTS the oldest is dropped."""
        self._saved_models.pop(data, None)
        self._saved_models[data] = _SavedModel(
            self.model.snapshot(), self.world.state_hash(), self._has_partial_events, set(self._deferred_results)
        )
        if len(self._saved_models) > MAX_SNAPSHOTS:
            del self._saved_models[next(iter(self._saved_models))]

    def _restore_model(self, data: bytes) -> Iterator[Difference]:
        """Restore the model of this snapshot, and yield how the world differs from it."""
        saved = self._saved_models[data]
        bodies = {body.id: body for body in self._read()}
        yield from compare_bodies(saved.model.bodies, bodies)
        if saved.model.bodies.keys() != bodies.keys():
            return
        self.model.restore(saved.model, bodies.values())
        self._has_partial_events, self._deferred_results = saved.has_partial_events, set(saved.deferred_results)
        if saved.state_hash != self.world.state_hash():
            yield Difference("the hash of the state", saved.state_hash, self.world.state_hash(), "N1, N2")
        is_same_kind = (saved.model.overlaps is None) == (self.model.overlaps is None)
        if is_same_kind and data != CollisionWorld.snapshot(self.world):
            yield Difference("a snapshot right after the restore", "the restored bytes", "other bytes", "N1")
        yield from self._compare_inside()

    def _fail(self, act: Act, differences: tuple[Difference, ...]) -> None:
        displacement = f" {act.entity} by {act.by}" if act.kind in ("move", "plan") else ""
        what = f"frame {self.world.frame_number}" if act.kind == "frame" else f"{act.kind}{displacement}"
        scene = self._recording.text(f"the rules predict something else: {what}\n{differences[0]}")
        raise Divergence(what, differences, scene)

    # The current state.

    def _positions(self) -> dict[int, tuple[float, float, float]]:
        bodies = self.world._bodies
        return {entity: bodies.transform(row).position for entity, row in bodies.row_of.items()}

    def _compare_inside(self) -> Iterator[Difference]:
        bodies, triggers = self.world._bodies, self.world._step.triggers
        for row in bodies.rows():
            if bodies.has(row, TRIGGER):
                trigger = bodies.entity(row)
                expected, found = self.model.inside(trigger), triggers.inside(row)
                if expected != found:
                    yield Difference(f"trigger {trigger}", f"inside: {expected}", f"inside: {found}", "T1 to T6")
            if bodies.of(row).contact is not None:
                entity = bodies.entity(row)
                expected, found = self.model.contacts_of(entity), triggers.in_contact(row)
                if expected != found:
                    yield Difference(f"body {entity}", f"contacts: {expected}", f"contacts: {found}", "C1 to C5")

    def _build_model(self) -> Model:
        """Return a model of the current world, with its contacts and remainders.

        Events already collected for the coming frame are unknown, and so are results deferred by an interrupted frame:
        those are not compared.
        """
        world, step = self.world, self.world._step
        world.apply_changes()
        close_calls = CloseCalls(lambda: self.world)
        self.model = model = Model(
            **world._settings.plain(),
            can_push=self._can_push if world._settings.can_push else None,
            close_call=self._close_call,
            close_way=close_calls.way,
            close_normal=close_calls.normal,
            is_held=self._is_held,
        )
        self._overlap_starts = step.solid_overlaps.start_count if step.solid_overlaps.is_tracking else 0
        self._update_model()
        model.frame = world.frame_number
        entity = world._bodies.entity
        for a, b in world._bodies.passing.records():
            births = (model.bodies[entity(a)].birth, model.bodies[entity(b)].birth)
            model.passing[frozenset((entity(a), entity(b)))] = births
        if step.solid_overlaps.is_tracking:
            pairs = [(entity(a), entity(b)) for a, b in step.solid_overlaps.records()]
            model.overlaps = {(a, b): (model.bodies[a].birth, model.bodies[b].birth) for a, b in pairs}
        model.contacts, model.solid_contacts = self._contacts(asks=False), self._contacts(asks=True)
        for parts in self._bodies().values():
            if parts.motion is not None:
                left_over, signs = parts.motion._request_state()[3:6], parts.motion._request_state()[6:]
                remainders = [(Fraction(by), sign) for by, sign in zip(left_over, signs, strict=True)]
                model.remainders[self._token(parts.motion)] = remainders
        self._deferred_results = set(step.deferred_results)
        self._has_partial_events = bool(step.log) or bool(step.triggers.sweeps.records())
        return model

    def _contacts(self, asks: bool) -> dict[tuple[int, int], tuple[tuple[int, int], int | None]]:
        """Return the contacts of triggers in the world, or of bodies that ask for theirs, as the model has them."""
        frame, bodies, entity, found = self.world.frame_number, self.model.bodies, self.world._bodies.entity, {}
        for row, other, left, is_asked in self.world._step.triggers.records(frame):
            if bool(is_asked) == asks:
                pair = (entity(row), entity(other))
                births = (bodies[pair[0]].birth, bodies[pair[1]].birth)
                found[pair] = (births, frame + left - 1 if left else None)
        return found

    def _decided(self, events: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """Return events without those of triggers that turned bodies passed too close to call (H5, T4).

        Those of contacts that steps of dynamics began, held or ended are no matter of the model either (C1).
        """
        left_out = {"Trigger": self.model.undecided, "Contact": self._touched | self._held}
        return [event for event in events if event[1:3] not in left_out.get(event[0][:7], ())]

    def _follow_undecided(self) -> None:
        """Let the model have the contacts of the engine where they were too close to call, or a step made them."""
        for contacts, pairs, asks in (
            (self.model.contacts, self.model.undecided, False),
            (self.model.solid_contacts, self._touched, True),
        ):
            found = self._contacts(asks) if pairs else {}
            for pair in pairs:
                contacts.pop(pair, None)
                if pair in found:
                    contacts[pair] = found[pair]

    def _update_model(self) -> None:
        self._follow_overlaps()
        try:
            self.model.apply_changes(self._read())
        except Refused as problem:
            self._fail(Act("take in"), (Difference("the changes", f"refused: {problem}", "applied", "L3, E8"),))

    def _read(self) -> list[Body]:
        """Return all bodies as described by their components."""
        return [self._body(entity, parts) for entity, parts in self._bodies().items()]

    def _bodies(self) -> dict[int, Parts]:
        bodies = self.world._bodies
        return {bodies.entity(row): bodies.of(row) for row in bodies.rows()}

    def _token(self, component: Component | None) -> int:
        """Return a unique number for an instance, reused for no other instance while this one is stored."""
        if component is None:
            return 0
        if id(component) not in self._tokens:
            self._tokens[id(component)] = (component, len(self._tokens) + 1)
        return self._tokens[id(component)][1]

    def _body(self, entity: int, parts: Parts) -> Body:
        """Return a body as described by its components."""
        transform, collider, trigger = parts.transform, parts.collider, parts.trigger
        assert transform is not None and collider is not None
        trigger_settings = None
        if trigger is not None:
            names = ("statics", "touching", "swept", "stay", "linger", "enabled")
            trigger_settings = Trigger(trigger.mask, **{name: getattr(trigger, name) for name in names})
        inertia = parts.inertia
        boxes, others = _parts_of(collider)
        bounds = [tuple((low, high) for low, high in zip(box[:3], box[3:], strict=True))
                  for box in (collider._form(transform.rotation).boxes if others else ())]  # fmt: skip
        return Body(
            entity, transform.position, boxes, collider.layer, collider.mask, collider.enabled,
            parts.static is not None, None if inertia is None else (inertia.x, inertia.y, inertia.z),
            None if parts.motion is None else self._motion(parts.motion), trigger_settings,
            None if parts.fused is None else parts.fused.to, self._token(transform), self._token(collider),
            others, transform.rotation, frozenset(bounds),
            None if parts.contact is None else Contact(parts.contact.linger, parts.contact.mask),
            None if parts.one_way is None else _axis_and_sign(parts.one_way.direction),
            None if parts.carries is None else parts.carries.up, None if parts.grips is None else parts.grips.to,
            *((parts.mover.response, parts.mover.responses) if parts.mover is not None else ()),
        )  # fmt: skip

    def _motion(self, motion: Motion) -> Request:
        own = (motion.force, motion.priority, motion.rule, motion.max_chain, motion.all_or_nothing)
        return Request(*own, motion.dx, motion.dy, motion.dz, self._token(motion))

    def _close_call(self, trigger: int, other: int) -> bool:
        """Return whether the engine finds that two bodies overlap which are turned and too close to call (H5)."""
        return other in self.world.space.overlapping(trigger, triggers=True)

    def _is_held(self, one: int, other: int) -> bool:
        """Return whether steps of dynamics hold two bodies in contact; their end is not predicted (C1, I6)."""
        row_of, dynamics = self.world._bodies.row_of, self.world._step.dynamics
        is_held = dynamics.holds(row_of[one], row_of[other])
        if is_held:
            self._held.add((one, self.model.roots[other]))
        return is_held

    def _can_push(self, pusher: int, pushed: int, axis: str, force: float) -> bool | None:
        """Return the answer that can_push gave in this act; if it was not called, call it now."""
        answers = self._answers.get((pusher, pushed, axis, force))
        if answers:
            return answers.pop(0) if len(answers) > 1 else answers[0]
        hook = self.world._settings.can_push
        return None if hook is None else hook(pusher, pushed, axis, force)


def _axis_and_sign(direction: tuple[float, float, float]) -> tuple[int, int]:
    """Return the axis of a direction, and 1 or -1."""
    axis = next(axis for axis in range(3) if direction[axis])
    return axis, 1 if direction[axis] > 0 else -1


def _parts_of(collider: Collider) -> tuple[tuple[BoxNumbers, ...], tuple[Given, ...]]:
    """Return the boxes of a collider and its other parts, in the form of the model."""
    parts = collider.parts if isinstance(collider, CompoundCollider) else (collider,)
    boxes, others = list[BoxNumbers](), list[Given]()
    for part in parts:
        rotation = part.rotation if isinstance(part, Capsule | OrientedBox) else None
        if isinstance(part, Box | BoxCollider):
            boxes.append((part.hx, part.hy, part.hz, *part.offset))
        elif isinstance(part, OrientedBox | OrientedBoxCollider):
            others.append(Given("oriented", (part.hx, part.hy, part.hz), 0.0, part.offset, rotation))
        elif isinstance(part, Capsule | CapsuleCollider):
            x, y, z = (part.half_length if part.axis == axis else 0.0 for axis in "xyz")
            others.append(Given("capsule", (x, y, z), part.radius, part.offset, rotation))
        else:
            assert isinstance(part, Sphere | SphereCollider)
            others.append(Given("sphere", (0.0, 0.0, 0.0), part.radius, part.offset))
    return tuple(boxes), tuple(others)


def _event_values(event: Event) -> tuple[Any, ...]:
    """Return an event in the form of the model."""
    values = [getattr(event, name) for name in type(event).__dataclass_fields__ if name != "frame"]
    return (type(event).__name__, *[getattr(value, "name", value) for value in values])
