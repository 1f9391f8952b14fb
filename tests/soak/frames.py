"""The operation that runs a frame, and the operations of handlers and other processors during it."""

from __future__ import annotations

from typing import Any

from .game import Divergence, Game, Operation, operation, result_values
from .runner import indented


@operation
def process(g: Game, inner: tuple[tuple[Any, Operation], ...], given: str = "") -> None:
    """Run a frame. `inner` are operations "before" or "after" it, or in the handler of the n-th event.

    given: arguments of `esper.process`, which the collision system ignores (E5).
    """
    Frame(g, dict(inner) if g.play.hearing else {}, given).play()


class Frame:
    """One call of `esper.process`, and what handlers and other processors do in it."""

    def __init__(self, g: Game, acts: dict[Any, Operation], given: str = "") -> None:
        self.g, self.world, self.acts, self.call = g, g.world, acts, f"esper.process({given})"
        self.events: list[Any] | None = None
        self.lines: list[str] = []
        self.raised = 0
        self.fault: Exception | None = None
        """An error of the driver itself during the frame, which is raised instead of a comparison."""

    def play(self) -> None:
        """Run the frame in esper and in the model, and compare results and events."""
        g, names = self.g, self.g.runner.names
        g.entity_model.remove_marked()
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
            g.runner.evaluate(self.call)
        except Divergence:
            g.runner.lines += [*self.lines, self.call]
            raise
        except (Exception, names["Broken"]) as caught:
            error = caught
        if self.fault is not None:
            raise self.fault
        g.runner.lines += self.lines
        self._judge(error)

    def _before(self) -> None:
        if "before" in self.acts:
            self._act("before")()
        self._step()

    def _step(self) -> None:
        if self.g.apply_changes():
            world = self.world
            if self.g.play.hearing == "esper" and world.model.overlaps is None:
                world.model.report_overlaps(True)  # the first frame after `listen_to_esper`
            self.events = [tuple(event) for event in world.model.step()]
            self.g.read_back()

    def _act(self, when: Any) -> Any:
        """Return a function that does an operation during the frame."""

        def act() -> None:
            g, lines = self.g, list[str]()
            g.delivering = isinstance(when, int)
            try:
                with g.separate_lines(lines):
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
        self.raised += operation[0] == "raise"
        g.runner.do("raise Oops" if operation[0] == "raise" else "raise Broken")

    def _judge(self, error: BaseException | None) -> None:
        """Compare exceptions, delivered events, and the events and results of the frame."""
        g, world, name = self.g, self.world, self.world.name
        due = self._due()
        expected = "InvalidChanges" if self.events is None else self._raised(len(due))
        found = None if error is None else type(error).__name__
        if found != expected:
            g.runner.lines.append(self.call)
            message = f"process should raise {expected}, not {error!r}"
            raise Divergence("raised", message, f"raise AssertionError({message!r})")
        if error is None:
            g.runner.lines.append(self.call)
        else:
            g.runner.lines.append(f"try:\n    {self.call}\nexcept {found}:\n    pass")
        if self.events is None:
            return
        if g.play.hearing:
            g.expect("heard", "heard", due)
        g.expect("events", f"events_of({name})", self.events)
        g.expect("frame", f"{{event.frame for event in {name}.events}} | {{{world.model.frame}}}", {world.model.frame})
        results = {entity: result_values(entity, result) for entity, result in world.model.results.items()}
        g.expect("results", f"{{entity: result_values({name}.results[entity]) for entity in {name}.results}}", results)

    def _due(self) -> list[Any]:
        """Return the events to be delivered now; those after a handler that stops delivery stay undelivered (T7)."""
        world = self.world
        if self.events is None:
            return []
        due, world.undelivered = world.undelivered + self.events, []
        if self._breaks(len(due)):
            due, world.undelivered = due[: self.broken], due[self.broken :]
        return due

    @property
    def broken(self) -> int:
        """The number of the event whose handler stops the delivery, 0 for none."""
        return min([when for when, act in self.acts.items() if act[0] == "break"], default=0)

    def _breaks(self, heard: int) -> bool:
        return 0 < self.broken <= heard

    def _raised(self, heard: int) -> str | None:
        """Return the name of the exception that the frame raises after `heard` events."""
        if self._breaks(heard):
            return "Broken"
        return (None, "Oops")[self.raised] if self.raised < 2 else "ExceptionGroup"


@operation
def reenter(g: Game, call: int) -> None:
    """Make a call from a handler that no handler may make."""
    if g.delivering:
        name = g.world.name
        calls = (f"{name}.process()", f"{name}.snapshot()", f"{name}.restore(b'')", f"{name}.state_hash()")
        g.refuse(calls[call % len(calls)], "ReentryError")
