"""The operation that does a frame, and what handlers of events and other processors do in the middle of it."""

from __future__ import annotations

from typing import Any

from .game import Divergence, Game, Operation, deed, told
from .real import indented


@deed
def process(g: Game, inner: tuple[tuple[Any, Operation], ...], given: str = "") -> None:
    """Do a frame. `inner` are operations done meanwhile: "before" or "after" it, or when the n-th event is heard.

    given: what all processors are given, and this one ignores (E5).
    """
    Frame(g, dict(inner) if g.play.hearing else {}, given).play()


class Frame:
    """One `esper.process`, and what handlers and other processors do in it."""

    def __init__(self, g: Game, acts: dict[Any, Operation], given: str = "") -> None:
        self.g, self.home, self.acts, self.call = g, g.home, acts, f"esper.process({given})"
        self.is_given = bool(given)
        self.newborn: set[int] = set()
        self.events: list[Any] | None = None
        self.lines: list[str] = []
        self.raised = 0
        self.crossed = False
        self.fault: Exception | None = None
        """What the driver itself raised in the middle of the frame: by that nothing is judged."""

    def play(self) -> None:
        """Do the frame on both sides, and compare what it tells."""
        g, names = self.g, self.g.real.names
        g.shadow.bury()
        if g.play.hearing:
            self.lines.append("heard.clear(), todo.clear()")
            names["heard"].clear()
            names["todo"].clear()
            names["todo"].update({when: self._act(when) for when in self.acts if when != "before"})
            names["todo"]["before"] = self._before
        else:
            self._step()
        error: BaseException | None = None
        try:
            g.real.ask(self.call)
        except Divergence:
            g.real.lines += [*self.lines, self.call]
            raise
        except (Exception, names["Broken"]) as caught:
            error = caught
        if self.fault is not None:
            raise self.fault
        g.real.lines += self.lines
        self._judge(error)

    def _before(self) -> None:
        if "before" in self.acts:
            self._act("before")()
        self._step()

    def _step(self) -> None:
        if self.g.taken_in():
            home = self.home
            self.newborn = {id for id, body in home.model.bodies.items() if body.birth > home.births}
            self.events = [tuple(event) for event in home.model.step()]
            into, out = (
                {event[1:3] for event in self.events if event[0] == f"Trigger{how}"} for how in ("Entered", "Left")
            )
            self.crossed = any(self.g.is_grouped(name) for _, name in into & out)
            home.births = home.model.births
            self.g.read_back()

    def _act(self, when: Any) -> Any:
        """Return what is called in the middle of the frame."""

        def act() -> None:
            g, lines = self.g, list[str]()
            g.delivering = isinstance(when, int)
            g.hit("T8", "acts in a handler", when=g.delivering)
            g.hit("mixed", "a handler acts as a group has crossed", when=g.delivering and self.crossed)
            try:
                with g.apart(lines):
                    self._do(self.acts[when])
            finally:
                g.delivering = False
                self.lines.append(f"def act():\n{indented(lines)}\n\n\ntodo[{when!r}] = act")

        return act

    def _do(self, operation: Operation) -> None:
        g = self.g
        if operation[0] not in ("raise", "break"):
            try:
                g.perform(operation)
            except Exception as fault:
                self.fault = fault
                raise
            return
        g.hit("T7", "an Exception in a handler" if operation[0] == "raise" else "a BaseException in a handler")
        self.raised += operation[0] == "raise"
        g.real.do("raise Oops" if operation[0] == "raise" else "raise Broken")

    def _judge(self, error: BaseException | None) -> None:
        """Compare what was raised, heard and told."""
        g, home, name = self.g, self.home, self.home.name
        due = self._due()
        expected = "InvalidChanges" if self.events is None else self._raised(len(due))
        found = None if error is None else type(error).__name__
        if found != expected:
            g.real.lines.append(self.call)
            message = f"process should raise {expected}, not {error!r}"
            raise Divergence("raised", message, f"raise AssertionError({message!r})")
        if error is None:
            g.real.lines.append(self.call)
        else:
            g.real.lines.append(f"try:\n    {self.call}\nexcept {found}:\n    pass")
            g.hit("T7" if self.events is not None else "L3", f"process raised {found}")
        if self.events is None:
            return
        if g.play.hearing:
            g.expect("heard", "heard", due)
        g.expect("events", f"said({name})", self.events)
        g.expect("frame", f"{{event.frame for event in {name}.events}} | {{{home.model.frame}}}", {home.model.frame})
        results = {entity: told(entity, result) for entity, result in home.model.results.items()}
        g.expect("results", f"{{entity: told({name}.results[entity]) for entity in {name}.results}}", results)
        self._count()
        if g.home is not home:
            g.hit("T8", "the world a handler chose")

    def _due(self) -> list[Any]:
        """Return what is to be heard, and let wait what a handler that breaks off the delivery keeps from it (T7)."""
        home = self.home
        if self.events is None:
            return []
        due, home.waiting = home.waiting + self.events, []
        if self._breaks(len(due)):
            due, home.waiting = due[: self.broken], due[self.broken :]
            self.g.hit("T7", "something is delivered later", when=bool(home.waiting))
        return due

    @property
    def broken(self) -> int:
        """At which event the delivery is broken off, 0 for none."""
        return min([when for when, act in self.acts.items() if act[0] == "break"], default=0)

    def _breaks(self, heard: int) -> bool:
        return 0 < self.broken <= heard

    def _raised(self, heard: int) -> str | None:
        """Return what the frame raises after so many events."""
        if self._breaks(heard):
            return "Broken"
        return (None, "Oops")[self.raised] if self.raised < 2 else "ExceptionGroup"

    def _count(self) -> None:
        """Count what only the engine knows: sleep, and where far out bodies are."""
        g, bodies = self.g, self.home.model.bodies.values()
        kinds = g.real.ask(f"{{type(event).__name__ for event in {self.home.name}.events}}")
        g.hit("S1", "a frame with sleepers", when=bool(self.home.shadow.living("Sleeping")))
        g.hit("S2", "fell asleep", when="FellAsleep" in kinds)
        g.hit("S4", "woke", when="Woke" in kinds)
        g.hit("E5", "given arguments", when=self.is_given)
        g.hit("S5", "born asleep in a trigger", when=self._sleeps_on())
        far = 2.0**19 * self.home.settings.get("bin_size", 1.0)
        g.hit("B2", "far out", when=any(max(map(abs, body.position)) > far for body in bodies))
        by = "esper" if g.play.hearing == "esper" else "system.on"
        g.hit("T9", f"heard by {by}", when=bool(g.real.names["heard"]))

    def _sleeps_on(self) -> bool:
        """Return whether somebody born asleep was told to be in a trigger, and sleeps on."""
        entered = {event[2] for event in self.events or [] if event[0] == "TriggerEntered"} & self.newborn
        asleep = [
            entity
            for entity in sorted(entered & set(self.home.shadow.living("Sleeping")))
            if self.home.shadow.entities[entity]["Sleeping"].values["asleep"]
        ]
        fell = f"{{event.entity for event in {self.home.name}.events if type(event) is FellAsleep}}"
        here = f"esper.current_world == {self.home.name!r}"  # a handler may have gone elsewhere, or deleted it
        there = "esper.entity_exists(e) and esper.has_component(e, Sleeping) and part(e, Sleeping).asleep"
        asked = f"{here} and [e for e in {asleep} if {there} and e not in {fell}]"
        return bool(asleep) and bool(self.g.real.ask(asked))


@deed
def reenter(g: Game, call: int) -> None:
    """Call from a handler what no handler may call."""
    if g.delivering:
        name = g.home.name
        calls = (f"{name}.process()", f"{name}.snapshot()", f"{name}.restore(b'')", f"{name}.state_hash()")
        g.refuse(calls[call % len(calls)], "ReentryError", "T8")
