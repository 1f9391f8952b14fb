"""Random plays from a seed: small dense worlds, and valid and invalid operations drawn without knowing the world."""

from __future__ import annotations

from typing import Any

from .game import Operation, Play
from .scene_generator import SceneGenerator

KINDS_OR_COLLIDER = ("Transform", "collider", "collider", "Inertia", "Motion", "Sleeping", "Static", "Trigger",
                     "Trigger", "Fused", "Fused", "Contact")  # fmt: skip
HANDLED = ("create", "delete", "write", "teleport", "move", "request", "motion_request", "set_positions", "raise",
           "raise", "break", "reenter", "switch", "add", "remove", "swap", "plan", "clear", "fuse",
           "toggle")  # fmt: skip
LASTING = ("write", "write", "write", "move", "move", "motion_request", "motion_request", "teleport", "process",
           "process", "process", "set_positions", "plan", "query", "swap", "dash", "fuse_again", "toggle")  # fmt: skip
QUIET = ("process", "process", "process", "query", "plan", "check")
BETWEEN = ("query", "query", "plan", "move", "dash", "check", "compare_all", "create", "fuse")

WEIGHTS = {
    "create": 8, "delete": 2, "clear": 0.4, "add": 5, "remove": 1.5, "copy": 2, "swap": 2, "share": 0.5, "keep": 1.5,
    "give": 1.5, "write": 14, "leave_range": 0.7, "repair": 2, "fuse": 5, "fuse_again": 1, "toggle": 3, "move": 20,
    "dash": 4, "cross": 4, "plan": 6, "hooked": 2, "request": 6, "motion_request": 20, "teleport": 5,
    "set_positions": 3, "process": 30, "query": 8, "compare_all": 5, "check": 4, "switch": 0.5, "close": 0.3,
    "snapshot": 3, "restore": 2, "push_back": 1.5,
}  # fmt: skip
"""How often each operation is drawn, relative to the others."""

MIXED = {"delete": 3, "fuse": 8, "toggle": 5, "dash": 8, "cross": 14, "query": 14, "switch": 0, "snapshot": 6,
         "restore": 4}  # fmt: skip
"""Weights of plays that combine groups, swept triggers, handlers, deletions, restores and queries."""


def a_play(seed: int, operations: int) -> Play:
    """Return the play of a seed."""
    return PlayGenerator(seed).play(operations)


class PlayGenerator(SceneGenerator):
    """Draws the content of a play."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.reach = self.choice((1.5, 2.0, 2.0, 3.0, 4.0))
        self.grain = self.choice((8, 8, 4, 2, 1))
        self.in_3d = self.chance(0.25)
        self.crooked = self.chance(0.15)
        self.is_shaped = seed % 3 == 1
        self.is_asking = seed % 2 == 0
        self.is_mixed = self.chance(0.4)
        self.fusing = self.is_mixed or self.chance(0.6)
        """Whether many bodies are fused from the start."""

    def play(self, operations: int) -> Play:
        settings = (self.settings(), self.settings())
        if self.chance(0.08):
            edge = 2.0**20 * settings[0].get("bin_size", 1.0) - 4.0
            self.middle = (self.choice((-1, 1)) * edge, self.choice((-1, 0, 1)) * edge, 0.0)
        todo: list[Operation] = [("create", self.body()) for _ in range(self.random.randint(5, 10))]
        todo += [self.operation("fuse") for _ in range(self.random.randint(2, 6) if self.fusing else 0)]
        weights = WEIGHTS | (MIXED if self.is_mixed else {})
        names = self.random.choices(list(weights), list(weights.values()), k=max(0, operations - len(todo)))
        for name in names:
            if name == "snapshot" and self.chance(0.6):  # between two frames, with something pending
                begun = ("cross", "cross", "cross", "dash", "move", "write", "delete", "toggle")
                todo += [self.operation("process"), self.operation(self.choice(begun))]
            todo.append(self.operation(name))
            if name == "snapshot" and self.chance(0.8):
                todo += self.detour(todo[-1][1])
        if self.chance(0.05):
            todo = [each for operation in todo for each in (operation, ("check", True))]
        hearing = self.choice(("on", "esper") if self.is_mixed else ("", "on", "esper"))
        return Play(settings, hearing, tuple(todo[:operations]))

    def detour(self, slot: int) -> list[Operation]:
        """Return operations without structural changes, then the restore of a snapshot; half of them write nothing."""
        names = self.random.choices(QUIET if self.chance(0.5) else LASTING, k=self.random.randint(1, 8))
        return [*map(self.operation, names), ("restore", slot, 0, self.chance(0.5)), self.operation("process")]

    def who(self) -> int:
        return self.random.randrange(24)

    # Operations.

    def operation(self, name: str) -> Operation:
        return (name, *getattr(self, "_" + name, tuple)())

    def _create(self) -> Operation:
        body = self.body()
        if self.chance(0.06):  # an invalid combination, or not a body
            body = tuple(part for part in body if self.chance(0.7))
        return (body,)

    def _delete(self) -> Operation:
        return (
            self.who(),
            self.choice(("now", "later", "twice", "gone")),
            self.choice(("freed", "freed", "freed", "deleted", "deleted", "left")),
        )

    def _fuse(self) -> Operation:
        return (self.who(), self.who(), self.chance(0.3), self.chance(0.05))

    def _fuse_again(self) -> Operation:
        return (self.who(), self.who(), True, self.chance(0.1))

    def _toggle(self) -> Operation:
        what = self.choice(("Fused", "Fused", "enabled", "Trigger", "Contact"))
        return (self.who(), what, self.operation(self.choice(BETWEEN)))

    def _cross(self) -> Operation:
        return (
            self.who(),
            self.who(),
            self.random.randrange(2),
            self.choice((-1, 1)) * self.choice((1.0, 1.5, 2.0)) * self.reach,
        )

    def _dash(self) -> Operation:
        return (self.who(), self.random.randrange(2), self.choice((-1, 1)) * self.choice((2.0, 3.0, 4.0)) * self.reach)

    def _clear(self) -> Operation:
        return (self.choice(("same", "copies", "some", "none")),)

    def _add(self) -> Operation:
        return (self.who(), self.component(), self.chance(0.05))

    def _remove(self) -> Operation:
        return (self.who(), self.choice(KINDS_OR_COLLIDER))

    _copy = _remove

    def _swap(self) -> Operation:
        return (self.who(), self.who(), self.choice(KINDS_OR_COLLIDER))

    _share = _swap

    def _keep(self) -> Operation:
        return (self.who(), self.choice(KINDS_OR_COLLIDER), self.random.randrange(3))

    def _give(self) -> Operation:
        return (self.who(), self.random.randrange(3))

    def _write(self) -> Operation:
        return (self.who(), *self.field())

    def _leave_range(self) -> Operation:
        return (self.who(), self.random.randrange(3), self.choice((1.0, -1.0)) * 2.0**36)

    def _move(self) -> Operation:
        return (self.who(), self.displacement(), self.move_options())

    def _push_back(self) -> Operation:
        return (self.who(), self.choice((-1.0, 1.0)) * self.choice((1.0, 2.0, 3.0)))

    def _plan(self) -> Operation:
        return (*self._move(), self.choice(("commit", "stale", "forget")))

    def _hooked(self) -> Operation:
        return (*self._move(), self.choice(("raise", "move", "process", "write")))

    def _request(self) -> Operation:
        return (self.who(), self.displacement())

    _motion_request = _request

    def _teleport(self) -> Operation:
        spot = self.spot()
        return (self.who(), spot if self.chance(0.5) else spot[:2])

    def _set_positions(self) -> Operation:
        spots = tuple((self.who(), self.spot()) for _ in range(self.random.randint(0, 4)))
        return (spots, self.choice((2, 3)))

    def _process(self) -> Operation:
        given = self.choice(("", "", "", "0.1, x=1"))
        if self.chance(0.6):
            return ((), given)
        breaks = self.chance(0.25)
        acts: dict[Any, Operation] = {}
        for _ in range(self.random.randint(1, 3)):
            name = self.choice(HANDLED)
            if name == ("raise" if breaks else "break"):
                name = "delete"
            when: int | str = self.choice((1, 1, 1, 2, 2, 3, 4, 5))
            if name not in ("raise", "break", "switch", "reenter") and self.chance(0.3):
                when = self.choice(("before", "after"))
            acts[when] = self.operation(name)
        return (tuple(acts.items()), given)

    def _reenter(self) -> Operation:
        return (self.random.randrange(4),)

    def _query(self) -> Operation:
        lo, size = self.spot(), (abs(self.coordinate()), abs(self.coordinate()), 0.5)
        hi = (lo[0] + size[0], lo[1] + size[1], lo[2] + size[2])
        box = (lo, hi) if self.chance(0.5) else (lo[:2], hi[:2])
        names = ("pairs", "inside", "inside", "touching", "touching", "touching below", "contacts", "at", "overlapping",
                 "overlapping a body", "casting a body")  # fmt: skip
        question = self.choice(names)
        how = {"layers": (0.3, self.choice(("a", ("a", "b")))), "triggers": (0.4, True), "ignore": (0.2, (self.who(),))}
        return (question, self.who(), box, {name: value for name, (share, value) in how.items() if self.chance(share)})

    def _check(self) -> Operation:
        return (self.chance(0.5),)

    def _close(self) -> Operation:
        return (self.choice(("closed", "removed", "again")),)

    def _snapshot(self) -> Operation:
        return (self.random.randrange(2),)

    def _restore(self) -> Operation:
        return (self.random.randrange(2), self.choice((0, 0, 0, self.random.randrange(1, 5000))), self.chance(0.5))
