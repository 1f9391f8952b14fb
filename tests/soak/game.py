"""One game: every operation is done in an esper world and in the model, and the results are compared."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import esper

from tests.model.close_calls import CloseCalls
from tests.model.model import Model, Refused, Result

from .entity_model import EntityModel, Part, on_lattice
from .runner import Runner, refused

Operation = tuple[Any, ...]
Settings = dict[str, Any]

ADMITTED = ""
"""The error of a call that is valid."""

JUDGED_BY_MODEL = {
    "static_moves",
    "all_or_nothing",
    "static_fused",
    "fused_to_itself",
    "fused_to_none",
    "fused_to_static",
    "fused_in_cycle",
    "contact_beside_trigger",
}
"""Faults that the model detects itself."""

MAX_ALIVE = 14
MAX_FAULTY_OPERATIONS = 2
"""Maximum number of operations for which a world stays invalid before it is repaired."""

OPERATIONS: dict[str, Callable[..., None]] = {}
"""The operations by name: functions of the game and of plain values."""


def operation(function: Callable[..., None]) -> Callable[..., None]:
    """Register a function as an operation."""
    OPERATIONS[function.__name__] = function
    return function


class Play(NamedTuple):
    """The content of a game: settings of its two worlds, how events are heard ("" if not at all), operations."""

    settings: tuple[Settings, Settings]
    hearing: str
    operations: tuple[Operation, ...]


class Divergence(BaseException):
    """The engine differs from the model; `kind` is the subject, `claim` a line that fails after the other lines.

    It is not an Exception, so a handler that raises it stops the delivery and no code catches it.
    """

    def __init__(self, kind: str, message: str, claim: str = "") -> None:
        super().__init__(f"{kind}: {message}")
        self.kind, self.claim = kind, claim


@dataclass
class TestedWorld:
    """One esper world and its model; `undelivered` are events left by an interrupted delivery."""

    name: str
    settings: Settings
    model: Model
    entity_model: EntityModel = field(default_factory=EntityModel)
    undelivered: list[tuple[Any, ...]] = field(default_factory=list)
    kept: dict[int, Part] = field(default_factory=dict)
    saved: dict[int, Any] = field(default_factory=dict)
    stray: bool = False
    faulty_for: int = 0

    @property
    def front_first(self) -> bool:
        return self.settings.get("order") == "front_first"


class Game:
    """Runs operations; raises Divergence at the first difference."""

    def __init__(self, play: Play, make_model: Callable[..., Model] = Model) -> None:
        self.play = play
        self.make_model = make_model
        self.runner = Runner()
        self.worlds: dict[str, TestedWorld] = {}
        self.delivering = False
        self.nesting = 0
        self.asked: list[tuple[int, int]] = []
        self.done = self.idle = 0

    def play_all(self) -> None:
        """Run all operations."""
        self.go("left")
        for operation in self.play.operations:
            self.done += 1
            self.idle += not self.perform(operation)
            world = self.world
            faulty = world.stray or any(True for _ in world.entity_model.faults(world.front_first))
            world.faulty_for = world.faulty_for + 1 if faulty else 0
            if world.faulty_for > MAX_FAULTY_OPERATIONS:
                self.perform(("repair",))

    def perform(self, operation: Operation) -> bool:
        """Run one operation and compare component fields; returns whether it ran any code."""
        name, *values = operation
        before = self.runner.calls
        OPERATIONS[name](self, *values)
        did = self.runner.calls > before
        self.compare()
        return did

    # Worlds.

    @property
    def world(self) -> TestedWorld:
        return self.worlds[esper.current_world]

    @property
    def entity_model(self) -> EntityModel:
        return self.world.entity_model

    @property
    def model(self) -> Model:
        return self.world.model

    def go(self, name: str) -> None:
        """Switch to a world; the first switch adds its system."""
        self.run(f"esper.switch_world({name!r})")
        if name not in self.worlds:
            settings = self.play.settings[len(self.worlds)]
            self.worlds[name] = TestedWorld(name, settings, self.a_model(settings))
            if self.play.hearing:
                self.run("esper.add_processor(Before(), priority=1)\nesper.add_processor(After(), priority=-1)")
            if self.play.hearing == "esper":
                self.run("listen_to_esper()")
            self.a_system(name)

    def a_system(self, name: str) -> None:
        """Add a new system to the current world."""
        self.run(f"{name} = {system_source(self.worlds[name].settings)}\nesper.add_processor({name})")
        if self.play.hearing == "on":
            self.run(f"listen({name})")

    def a_model(self, settings: Settings) -> Model:
        """Return a model with the settings of a system."""
        asked = self.asked

        def can_push(pusher: int, pushed: int, axis: str, force: float) -> bool | None:
            asked.append((pusher, pushed))
            return verdict(pusher, pushed, axis)

        name = esper.current_world
        close_calls = CloseCalls(lambda: self.runner.evaluate(name)._world)
        asked_of_engine = {"close_way": close_calls.way, "close_normal": close_calls.normal}
        hook = {"can_push": can_push} if "can_push" in settings else {}
        model = self.make_model(**settings | asked_of_engine | hook)
        model.report_overlaps(self.play.hearing == "on")
        return model

    def reset_model(self) -> None:
        """Give the current world a new model, which takes over only remainders of rounding."""
        old, self.world.model = self.model, self.a_model(self.world.settings)
        self.model.remainders = old.remainders

    def end(self) -> None:
        """Delete the worlds."""
        esper.switch_world("between games")
        for name in self.worlds:
            esper.delete_world(name)
        esper.switch_world("default")
        esper.delete_world("between games")

    # Code that runs, and comparison.

    def run(self, text: str) -> None:
        """Run lines that must not raise."""
        try:
            self.runner.do(text)
        except Exception as error:
            raise Divergence(f"raised {type(error).__name__}", f"{text!r} should not raise {error!r}") from error

    def refuse(self, text: str, error: str) -> None:
        """Run lines that must raise `error`."""
        try:
            self.runner.do(refused(text, error))
        except Exception as wrong:
            raise Divergence("refusal", f"{text!r} should raise {error}, not {wrong!r}") from wrong

    def expect(self, kind: str, expression: str, expected: Any) -> None:
        """Compare the value of an expression with an expected value."""
        try:
            found = self.runner.evaluate(expression)
        except Exception as error:
            found = error
        if found != expected:
            raise Divergence(
                kind,
                f"{expression} should be\n    {expected!r}, not\n    {found!r}",
                f"assert {expression} == {expected!r}",
            )

    def apply_changes(self) -> bool:
        """Apply changes to the model; returns False if they are invalid."""
        world = self.world
        faults = [fault for _, fault in world.entity_model.faults(world.front_first)]
        if not JUDGED_BY_MODEL.issuperset(faults):
            return False
        try:
            world.model.apply_changes(world.entity_model.bodies())
        except Refused:
            world.stray = not faults
            return False
        assert not faults, f"the model accepts {faults}"
        self.read_back()
        return True

    def read_back(self) -> None:
        """Copy positions and requests from the model to the components."""
        for entity, body in self.model.bodies.items():
            parts = self.entity_model.entities[entity]
            parts["Transform"].values["position"] = body.position
            if body.motion is not None:
                parts["Motion"].values |= {"dx": body.motion.dx, "dy": body.motion.dy, "dz": body.motion.dz}

    def admits(self, text: str, refusal: Callable[[], str] = lambda: ADMITTED) -> bool:
        """Apply changes, and return whether a call is valid; if not, verify that it is refused.

        `refusal` returns the error once changes are applied, ADMITTED for none.
        """
        error = refusal() if self.apply_changes() else "InvalidChanges"
        if error:
            self.refuse(text, error)
        return not error

    def copied(self, part: Part) -> Part:
        """Return a copy of a component with its remainders of rounding (L2)."""
        copied, left = part.copy(), self.model.remainders
        if part.token in left:
            left[copied.token] = list(left[part.token])
        return copied

    def one(self, number: int, *kinds: str) -> int | None:
        """Return a live entity with components of these kinds, chosen by `number`, or None."""
        living = self.entity_model.living(*kinds)
        return living[number % len(living)] if living else None

    # Comparison.

    def compare(self) -> None:
        """Compare component fields, without a call of the system."""
        entities = self.entity_model.living("Transform")
        places = {entity: self.entity_model.entities[entity]["Transform"].values["position"] for entity in entities}
        self.expect(
            "positions",
            f"{{entity: part(entity, Transform).position for entity in {entities}}}",
            {entity: tuple(map(on_lattice, place)) for entity, place in places.items()},
        )
        movers = self.entity_model.living("Motion")
        if movers:
            asked = {entity: self.entity_model.entities[entity]["Motion"].values for entity in movers}
            self.expect(
                "requests",
                f"{{entity: part(entity, Motion)._request_state()[:3] for entity in {movers}}}",
                {entity: (values["dx"], values["dy"], values["dz"]) for entity, values in asked.items()},
            )

    def compare_all(self) -> None:
        """Compare pairs and the content of triggers; changes must have been applied."""
        name, model = self.world.name, self.model
        self.expect("pairs", f"{name}.space.pairs()", model.pairs())
        zones = self.entity_model.living("Trigger")
        inside = {zone: model.inside(zone) for zone in zones}
        self.expect("inside", f"{{zone: {name}.inside(zone) for zone in {zones}}}", inside)
        asking = self.entity_model.living("Contact")
        contacts = {entity: model.contacts_of(entity) for entity in asking}
        self.expect("contacts", f"{{entity: {name}.contacts(entity) for entity in {asking}}}", contacts)

    # Nested lines: what handlers and processors do.

    @contextlib.contextmanager
    def separate_lines(self, lines: list[str]) -> Iterator[None]:
        """Record lines in another list during the block."""
        before, self.runner.lines = self.runner.lines, lines
        self.nesting += 1
        try:
            yield
        except Divergence as divergence:
            lines.append(divergence.claim)
            divergence.claim = ""
            raise
        finally:
            self.runner.lines = before
            self.nesting -= 1


def verdict(pusher: int, pushed: int, axis: str) -> bool | None:
    """Return the answer of the can_push hook of all games, which depends on the ids only.

    Permission does not depend on the pusher, and only the lower of two ids vetoes: if several bodies at the same
    distance could veto or permit, the rules do not define which of them is the blocker.
    """
    if pusher < pushed and (3 * pusher + pushed + "xyz".index(axis)) % 4 == 0:
        return False
    return True if (pushed + "xyz".index(axis)) % 3 == 0 else None


def system_source(settings: Settings) -> str:
    """Return the Python code that makes a system."""
    arguments = [f"{name}={'can_push' if name == 'can_push' else repr(value)}" for name, value in settings.items()]
    return f"CollisionSystem({', '.join(arguments)})"


def result_values(entity: int, result: Result) -> tuple[Any, ...]:
    """Return a result of the model in the form of `result_values` in scripts."""
    return (
        entity,
        tuple(result.requested),
        tuple(result.moved),
        dict(result.pushed),
        [tuple(stop) for stop in result.stops],
        [tuple(link) for link in result.links],
        not result.stops,
    )
