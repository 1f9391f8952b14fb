"""One game: every operation is done to an esper world and to the model, and what either says is compared."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import esper

from ecs_collision.testing.model import Model, Refused, Result

from .real import Real, refused
from .shadow import Part, Shadow, on_lattice

Operation = tuple[Any, ...]
Settings = dict[str, Any]

Refusal = tuple[str, str]
ADMITTED: Refusal = ("", "")

JUDGED_BY_MODEL = {"restless", "whole", "fixed", "itself", "nobody", "rigid", "ring"}
"""Faults of which the model knows too."""

MAX_ALIVE = 14
PATIENCE = 2
"""So many operations a world stays as it cannot be; then it is mended."""


INGREDIENTS: dict[str, Callable[[str, str], bool]] = {
    "swept": lambda rule, outcome: (rule, outcome) == ("T4", "crossed"),
    "fused": lambda rule, outcome: rule == "P8" and outcome in ("a group moves", "a group is pushed"),
    "restored": lambda rule, outcome: (rule, outcome) == ("N1", "restored"),
    "handled": lambda rule, outcome: (rule, outcome) == ("T8", "acts in a handler"),
    "deleted": lambda rule, outcome: rule == "E3" and outcome.startswith("deleted"),
    "asked": lambda rule, outcome: rule == "B7",
}
"""What is hard together, by the outcomes that prove it: plays of one world in which all were met are counted."""

MEANWHILE = ("ask", "delete", "restore", "fuse", "blink")
"""Operations that are counted where a group has gone through a swept trigger and its frame has not ended."""

DEEDS: dict[str, Callable[..., None]] = {}
"""What an operation may be, by name: functions of the game and of plain values."""


def deed(function: Callable[..., None]) -> Callable[..., None]:
    """Make a function an operation."""
    DEEDS[function.__name__] = function
    return function


class Play(NamedTuple):
    """All that a game is made of: how its two worlds are set up, by what events are heard if at all, what is done."""

    settings: tuple[Settings, Settings]
    hearing: str
    operations: tuple[Operation, ...]


class Divergence(BaseException):
    """The engine is not what the model says; `kind` is what it is about, `claim` a line that fails behind the others.

    No Exception: a handler that raises it stops the delivery at once, and nothing catches it on the way.
    """

    def __init__(self, kind: str, message: str, claim: str = "") -> None:
        super().__init__(f"{kind}: {message}")
        self.kind, self.claim = kind, claim


@dataclass
class Home:
    """One esper world on both sides; `waiting` are events that a broken delivery left over.

    births: how many there had been in the model at the end of its last frame.
    """

    name: str
    settings: Settings
    model: Model
    shadow: Shadow = field(default_factory=Shadow)
    waiting: list[tuple[Any, ...]] = field(default_factory=list)
    kept: dict[int, Part] = field(default_factory=dict)
    saved: dict[int, Any] = field(default_factory=dict)
    stray: bool = False
    births: int = 0
    faulty_for: int = 0

    @property
    def front_first(self) -> bool:
        return self.settings.get("order") == "front_first"


class Game:
    """Plays operations; raises Divergence at the first difference."""

    def __init__(self, play: Play, make_model: Callable[..., Model] = Model) -> None:
        self.play = play
        self.make_model = make_model
        self.real = Real()
        self.hits: Counter[tuple[str, str]] = Counter()
        self.homes: dict[str, Home] = {}
        self.delivering = False
        self.apart_by = 0
        self.asked: list[tuple[int, int]] = []
        self.done = self.idle = 0

    def play_on(self) -> None:
        """Do all operations."""
        self.go("left")
        for operation in self.play.operations:
            self.done += 1
            self.idle += not self.perform(operation)
            home = self.home
            faulty = home.stray or any(True for _ in home.shadow.faults(home.front_first))
            home.faulty_for = home.faulty_for + 1 if faulty else 0
            if home.faulty_for > PATIENCE:
                self.perform(("mend",))

    def perform(self, operation: Operation) -> bool:
        """Do one operation, and compare what components show; returns whether it ran or asked anything."""
        name, *values = operation
        before, crossing = self.real.calls, self.crosses()
        DEEDS[name](self, *values)
        did = self.real.calls > before
        if did and crossing and name in MEANWHILE:
            self.hit("mixed", f"{name} while a group crosses")
        self.look()
        return did

    def crosses(self) -> bool:
        """Return whether a group has gone in or out of a swept trigger on its way since the last frame."""
        paths = self.model.paths.items()
        return any({*path} == {False, True} and self.is_grouped(name) for ((_, name), _), path in paths)

    def is_grouped(self, entity: int) -> bool:
        """Return whether a body is fused to any other."""
        roots = self.model.roots
        return [*roots.values()].count(roots.get(entity, entity)) > 1

    # Worlds.

    @property
    def home(self) -> Home:
        return self.homes[esper.current_world]

    @property
    def shadow(self) -> Shadow:
        return self.home.shadow

    @property
    def model(self) -> Model:
        return self.home.model

    def go(self, name: str) -> None:
        """Switch to a world; the first time it gets its system."""
        self.run(f"esper.switch_world({name!r})")
        if name not in self.homes:
            settings = self.play.settings[len(self.homes)]
            self.homes[name] = Home(name, settings, self.a_model(settings))
            if self.play.hearing:
                self.run("esper.add_processor(Before(), priority=1)\nesper.add_processor(After(), priority=-1)")
            if self.play.hearing == "esper":
                self.run("listen_to_esper()")
            self.a_system(name)

    def a_system(self, name: str) -> None:
        """Give the current world a new system."""
        self.run(f"{name} = {system_source(self.homes[name].settings)}\nesper.add_processor({name})")
        if self.play.hearing == "on":
            self.run(f"listen({name})")

    def a_model(self, settings: Settings) -> Model:
        """Return a model set up like a system."""
        asked = self.asked

        def can_push(pusher: int, pushed: int, axis: str, force: float) -> bool | None:
            asked.append((pusher, pushed))
            return verdict(pusher, pushed, axis)

        return self.make_model(**settings | ({"can_push": can_push} if "can_push" in settings else {}))

    def renewed(self) -> None:
        """Let a world have a model that knows nothing yet, but for what rounding left over in its components."""
        old, self.home.model = self.model, self.a_model(self.home.settings)
        self.model.hits, self.model.remainders = old.hits, old.remainders

    def end(self) -> None:
        """Count what the models saw, and delete the worlds."""
        for home in self.homes.values():
            self.hits.update(home.model.hits)
        if len(self.homes) == 1:
            met = {name for name, tells in INGREDIENTS.items() if any(tells(*hit) for hit in +self.hits)}
            self.hit("mixed", "all in one scene", when=met == INGREDIENTS.keys())
        esper.switch_world("between games")
        for name in self.homes:
            esper.delete_world(name)

    # Both sides.

    def run(self, text: str) -> None:
        """Run lines that must not raise."""
        try:
            self.real.do(text)
        except Exception as error:
            raise Divergence(f"raised {type(error).__name__}", f"{text!r} should not raise {error!r}") from error

    def refuse(self, text: str, error: str, rule: str) -> None:
        """Run lines that must raise."""
        self.hit(rule, f"esper raises {error}" if rule == "E3" else error)
        try:
            self.real.do(refused(text, error))
        except Exception as wrong:
            raise Divergence("refusal", f"{text!r} should raise {error}, not {wrong!r}") from wrong

    def expect(self, kind: str, expression: str, expected: Any) -> None:
        """Compare the value of an expression."""
        try:
            found = self.real.ask(expression)
        except Exception as error:
            found = error
        if found != expected:
            raise Divergence(
                kind,
                f"{expression} should be\n    {expected!r}, not\n    {found!r}",
                f"assert {expression} == {expected!r}",
            )

    def hit(self, rule: str, outcome: str, when: bool = True) -> None:
        """Count that a rule has been tried, and how it came out."""
        self.hits[rule, outcome] += when

    def taken_in(self) -> bool:
        """Tell the model what there is; returns False where that cannot be taken in."""
        home = self.home
        faults = [fault for _, fault in home.shadow.faults(home.front_first)]
        for fault in faults:
            self.hit("E6" if fault.startswith("shared") else "E8", f"refused: {fault.split()[0]}")
        if not JUDGED_BY_MODEL.issuperset(faults):
            return False
        try:
            home.model.apply_changes(home.shadow.bodies())
        except Refused:
            home.stray = not faults
            return False
        assert not faults, f"the model takes in {faults}"
        self.read_back()
        return True

    def read_back(self) -> None:
        """Write what the model made of positions and requests into the components."""
        for entity, body in self.model.bodies.items():
            parts = self.shadow.entities[entity]
            parts["Transform"].values["position"] = body.position
            if body.motion is not None:
                parts["Motion"].values |= {"dx": body.motion.dx, "dy": body.motion.dy, "dz": body.motion.dz}

    def admits(self, text: str, refusal: Callable[[], Refusal] = lambda: ADMITTED) -> bool:
        """Take in, and return whether a call is to be made; otherwise make sure that it is refused.

        `refusal` says with which error and by which rule, once all is taken in; "" for none.
        """
        error, rule = refusal() if self.taken_in() else ("InvalidChanges", "L3")
        if error:
            self.refuse(text, error, rule)
        return not error

    def copied(self, part: Part) -> Part:
        """Return a copy of a component; what rounding left over is copied too (L2)."""
        copied, left = part.copy(), self.model.remainders
        if part.token in left:
            left[copied.token] = list(left[part.token])
        return copied

    def one(self, number: int, *kinds: str) -> int | None:
        """Return somebody alive who has components of these kinds, chosen by any number."""
        living = self.shadow.living(*kinds)
        return living[number % len(living)] if living else None

    # Comparing.

    def look(self) -> None:
        """Compare what components show, without asking the system anything."""
        entities = self.shadow.living("Transform")
        places = {entity: self.shadow.entities[entity]["Transform"].values["position"] for entity in entities}
        self.expect(
            "positions",
            f"{{entity: part(entity, Transform).position for entity in {entities}}}",
            {entity: tuple(map(on_lattice, place)) for entity, place in places.items()},
        )
        movers = self.shadow.living("Motion")
        if movers:
            asked = {entity: self.shadow.entities[entity]["Motion"].values for entity in movers}
            self.expect(
                "requests",
                f"{{entity: part(entity, Motion).request_state()[:3] for entity in {movers}}}",
                {entity: (values["dx"], values["dy"], values["dz"]) for entity, values in asked.items()},
            )

    def look_closely(self) -> None:
        """Compare all that can be asked, after a frame or whenever everything is taken in."""
        name, model = self.home.name, self.model
        self.expect("pairs", f"{name}.space.pairs()", model.pairs())
        zones = self.shadow.living("Trigger")
        inside = {zone: model.inside(zone) for zone in zones}
        self.expect("inside", f"{{zone: {name}.inside(zone) for zone in {zones}}}", inside)

    # Lines within lines: what handlers and processors do.

    @contextlib.contextmanager
    def apart(self, lines: list[str]) -> Iterator[None]:
        """Keep the lines that are run elsewhere for a while."""
        before, self.real.lines = self.real.lines, lines
        self.apart_by += 1
        try:
            yield
        except Divergence as divergence:
            lines.append(divergence.claim)
            divergence.claim = ""
            raise
        finally:
            self.real.lines = before
            self.apart_by -= 1


def verdict(pusher: int, pushed: int, axis: str) -> bool | None:
    """Return what the hooks of all games say, by the ids alone.

    Who allows is the same for all pushers, and of two bodies the lower alone vetoes: where a body of the same distance
    that may not be pushed would veto or allow another, the rules leave open who is to blame.
    """
    if pusher < pushed and (3 * pusher + pushed + "xyz".index(axis)) % 4 == 0:
        return False
    return True if (pushed + "xyz".index(axis)) % 3 == 0 else None


def system_source(settings: Settings) -> str:
    """Return the Python that makes a system."""
    told = [f"{name}={'can_push' if name == 'can_push' else repr(value)}" for name, value in settings.items()]
    return f"CollisionSystem({', '.join(told)})"


def told(entity: int, result: Result) -> tuple[Any, ...]:
    """Return a result of the model as the scripts tell theirs."""
    return (
        entity,
        tuple(result.requested),
        tuple(result.moved),
        dict(result.pushed),
        [tuple(stop) for stop in result.stops],
        [tuple(link) for link in result.links],
        not result.stops,
    )
