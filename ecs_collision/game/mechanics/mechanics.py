"""The usual mechanics of puzzles, each declared in one line before the first turn."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from ecs_collision.errors import CollisionError, CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import flag, shown, strength, whole
from ecs_collision.game.mechanics.doors import Door, Teleporter
from ecs_collision.game.mechanics.fusing import Sticky, refuse_static, star
from ecs_collision.game.mechanics.gravity import DIRECTIONS, step_of
from ecs_collision.game.mechanics.platforms import Platform
from ecs_collision.game.mechanics.rules import Rule
from ecs_collision.game.turn_loop import Playing
from ecs_collision.game.variables import check


class Mechanics(Playing):
    """A game that declares rules. Selectors are names or kinds; an unknown one is refused at once."""

    def door(self, name: str, opens: str | Sequence[str], by: str | None = None, needs: str = "all") -> None:
        """Let doors be open while the plates of `opens` are pressed: all of them, or any one with needs="any".

        An open door is disabled; it closes as soon as it would overlap nothing. by: who can press, anything if None.
        """
        if needs not in ("all", "any"):
            raise CollisionValueError(f'door({name!r}): needs is {needs!r}; it must be "all" or "any"')
        if not isinstance(opens, Collection) or isinstance(opens, Mapping):
            raise CollisionTypeError(
                f"door({name!r}): opens is {opens!r}; give the name or kind of the plates that open it, or a "
                "list of them"
            )
        selectors = [opens] if isinstance(opens, str) else list(opens)
        if not selectors:
            raise CollisionValueError(f"door({name!r}): opens is empty; name the plates that open it")
        plates = sorted({id for selector in selectors for id in self.members(selector, trigger=True)})
        who = None if by is None else self._names.members(by)
        self._declare(Door(self, self._names.members(name), plates, who, needs))

    def platform(
        self, name: str, path: str, every: int = 1, *, force: float | None = None, carries: bool = True
    ) -> None:
        """Let a thing move along a path of letters, L R U D and "." for a pause, again and again, one every n turns.

        It pushes with `force`, by default that of its Motion, without one any force; where it is blocked it waits.
        Where there is gravity it does not fall, and carries along what stands on it, if nothing is in its way.
        """
        id = self._names.one(name)
        if self._engine.parts(id).static is not None:
            raise CollisionValueError(f"platform({name!r}): a Static thing never moves; remove Static from it")
        steps = "".join(path.split()) if isinstance(path, str) else path
        if not isinstance(steps, str) or not steps or set(steps) - set(".LRUD"):
            raise CollisionValueError(f"platform({name!r}): path is {shown(path)}; give letters of L, R, U, D and '.'")
        turns = whole(every, "every", least=1)
        pushes = None if force is None else strength(force, "force")
        self._declare(Platform(self, id, steps, turns, pushes, flag(carries, "carries")))
        self._held.add(id)

    def teleporter(self, source: str, target: str, both_ways: bool = False, by: str | None = None) -> None:
        """Let what comes into one trigger appear in another, at the same place in it, as soon as it fits there.

        What never moves (Static) stays. by: who is sent, anything if None.
        """
        first, second = (self._names.one(selector) for selector in (source, target))
        for selector in (source, target):
            self.members(selector, trigger=True)
        if first == second:
            raise CollisionValueError(f"teleporter({source!r}, {target!r}): source and target are the same; name two")
        who = None if by is None else self._names.members(by)
        self._declare(Teleporter(self, first, second, flag(both_ways, "both_ways"), who))

    def rails(self, name: str, axis: str) -> None:
        """Let things be pushed along one axis only, "x" or "y": their inertia is infinite along the others."""
        if axis not in ("x", "y"):
            raise CollisionValueError(f'rails({name!r}, {axis!r}): the axis must be "x" or "y"')
        self._before_the_start("rails")
        across = {other: math.inf for other in "xyz" if other != axis}
        self.set(name, "Inertia", **across)

    def one_way(self, name: str, letter: str) -> None:
        """Let things be pushed in one direction only, L, R, U or D; what falls falls anyway."""
        step_of(letter, f"one_way({name!r})")
        self._before_the_start("one_way")
        self._hook.one_way |= dict.fromkeys(self._names.members(name), DIRECTIONS[letter])

    def sticky(self, name: str, to: str | None = None) -> None:
        """Let things be fused with each other, or with those of `to`, as soon as they touch at the end of a round."""
        things = self._names.members(name)
        others = things if to is None else self._names.members(to)
        label = f"sticky {name!r}" if to is None else f"sticky {name!r} to {to!r}"
        refuse_static(self, (*things, *others), label)
        self._declare(Sticky(self, things, others, label))

    def rule(self, rule: Rule) -> None:
        """Add a rule of the script's own: an object of a subclass of `Rule`."""
        if not isinstance(rule, Rule):
            raise CollisionTypeError(f"rule() got {rule!r}; give an object of a subclass of ecs_collision.levels.Rule")
        check(rule.save(), f"what {rule.label} saves")
        self._declare(rule)

    # What a script does at any time.

    def fuse(self, name: str, *others: str) -> None:
        """Make things one body, together with all that they are fused to already."""
        ids = [self._names.one(each) for each in (name, *others)]
        if len(set(ids)) < 2:
            given = ", ".join(map(repr, (name, *others)))
            raise CollisionValueError(
                f"fuse({given}) names {self.name(ids[0])!r} alone; name two things or more that shall be one"
            )
        refuse_static(self, ids, "fuse")
        with self._engine.at_home():
            self.world.take_in()
            self.weld(star({member for id in ids for member in self.fused_ids(id)}))

    def unfuse(self, name: str) -> None:
        """Free things from what they are fused to; the others stay together."""
        with self._engine.at_home():
            for id in self._names.members(name):
                self.world.take_in()
                rest = set(self.fused_ids(id)) - {id}
                self.weld({id: None, **(star(rest) if rest else {})})

    def _declare(self, rule: Rule) -> None:
        self._before_the_start(rule.label)
        self._rules.append(rule)

    def _before_the_start(self, what: str) -> None:
        if self.has_begun:
            raise CollisionError(
                f"{what} is declared after the game has started; declare rules first, before the first turn"
            )
