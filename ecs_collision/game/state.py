"""What lasts of a game from turn to turn: its variables, its moves, and how it is set back to a moment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ecs_collision.errors import CollisionError, CollisionTypeError, SnapshotError
from ecs_collision.fixed_point import LATTICE, finite
from ecs_collision.game.game_world import Engine
from ecs_collision.game.history import Moment
from ecs_collision.game.mechanics.gravity import step_of
from ecs_collision.game.mechanics.mechanics import Mechanics
from ecs_collision.game.push_filter import Pushing
from ecs_collision.game.saving import Rest, RestPacker, fingerprint, read_rest
from ecs_collision.game.script_interface import Control
from ecs_collision.game.variables import canonical
from ecs_collision.levels.level import Level
from ecs_collision.levels.spawning import with_names

_CAME_OR_WENT = re.compile(r"\bentity \d+ is a body (here|in the snapshot) and none\b")
"""What a world says of a body that is not in both: see `world.census`."""


class Lasting(Mechanics):
    """A game that knows what it is made of at every moment."""

    def __init__(self, level: Level, engine: Engine, hook: Pushing, is_whole: bool) -> None:
        super().__init__(level, engine, hook, is_whole)
        self._level_mark = fingerprint(level)
        self._packer = RestPacker(self._level_mark)
        self._declared = self._controls
        self._state: dict[str, Any] = {}
        self._moves = ""
        self._seldom: tuple[Any, Any, str] = (None, None, "")

    @property
    def moves(self) -> str:
        """The letters of all turns so far."""
        return self._moves

    @property
    def state(self) -> dict[str, Any]:
        """The script's own variables: whatever JSON can hold, saved and undone with the world."""
        return self._state

    @state.setter
    def state(self, state: Mapping[str, Any]) -> None:
        if not isinstance(state, Mapping):
            raise CollisionTypeError(f'state is {state!r}; give a dict, such as {{"score": 0}}')
        kept = dict(state)
        self._state.clear()
        self._state.update(kept)

    def _may_fail(self) -> bool:
        """Return whether a turn may raise; a state may be one that cannot be saved."""
        return bool(self._state) or super()._may_fail()

    def _moment(self) -> Moment:
        return Moment(self._engine.snapshot(), self._rest(), self._moves)

    def _rest(self) -> bytes:
        welds, rules = self._welds(), self._saved_rules()
        controls = None if self._controls is self._declared else dict(self._controls)
        falling = (self._gravity, self._falls, self._fall_speed)
        return self._packer.pack(Rest(*falling, controls, rules, welds, self._state))

    def _deciding(self) -> tuple[str, str]:
        """Return what decides how the game goes on, besides its world: what seldom changes, and what a turn changes."""
        seldom = (self._gravity, self._falls, self._fall_speed)
        if self._seldom[0] != seldom or self._seldom[1] is not self._controls:
            controls = {letter: list(control) for letter, control in self._controls.items()}
            words: dict[str, Any] = {"gravity": seldom[0], "falls": seldom[1], "controls": controls}
            if seldom[2] != 1.0:  # left out as it usually is, so that hashes in plays stay what they are
                words["fall_speed"] = seldom[2]
            self._seldom = (seldom, self._controls, canonical(words))
        often = canonical({"rules": self._saved_rules(), "state": self._state}) if self._rules or self._state else ""
        return self._seldom[2], often

    def _saved_rules(self) -> list[Any]:
        return [rule.save() for rule in self._rules]

    def _put_back(self, moment: Moment) -> None:
        """Set everything to a moment, or raise and leave everything."""
        self._engine.stay()  # whoever made a turn fail may have left for another world
        if self._has_rest(moment.rest):
            self._restore_world(moment.world)
            self._moves = moment.moves
            return
        rest = read_rest(moment.rest, self._level_mark)
        try:
            controls = self._judged_controls(rest)
            self._restore_bodies(moment.world, self._wanted_welds(rest.welds or {}))
        except SnapshotError:
            raise
        except (CollisionError, TypeError, ValueError) as problem:
            raise SnapshotError(f"the saved game cannot be restored: {problem}") from problem
        self._gravity, self._falls, self._controls = rest.gravity, rest.falls, controls
        self._fall_speed = rest.fall_speed
        self.state, self._moves = rest.state, moment.moves
        for rule, value in zip(self._rules, rest.rules, strict=True):
            rule.load(value)

    def _restore_world(self, data: bytes) -> None:
        """Restore the world; a refusal names the things, and says what to do about bodies that came or went."""
        try:
            self._engine.restore(data)
        except SnapshotError as problem:
            text = str(problem)
            words = with_names(text, self._names.described)
            if _CAME_OR_WENT.search(text):
                words += (
                    "; disable things instead of deleting them, as in game.disable(name), and have those that are to "
                    "come in the level, disabled: nothing goes back to before an entity was deleted or added"
                )
            raise SnapshotError(words) from problem

    def _judged_controls(self, rest: Rest) -> dict[str, Control]:
        """Return the controls of a saved game; raises where anything of it but the world cannot be of this one."""
        if len(rest.rules) != len(self._rules):
            raise SnapshotError(
                f"the saved game has {len(rest.rules)} rules, this one {len(self._rules)}; give it the script it had"
            )
        for rule, value in zip(self._rules, rest.rules, strict=True):
            rule.judge(value)
        if rest.gravity is not None:
            step_of(rest.gravity, "gravity")
        if rest.falls is not None:
            self._names.members(rest.falls)
        finite(rest.fall_speed, "fall_speed", least=LATTICE)
        return self._declared if rest.controls is None else self._checked_controls(rest.controls)

    def _has_rest(self, rest: bytes) -> bool:
        """Return whether nothing but the world has to be set back."""
        try:
            return rest == self._rest()
        except (CollisionError, TypeError, ValueError):  # a turn that failed has left what cannot be saved
            return False

    def _welds(self) -> dict[str, str] | None:
        self.world.take_in()
        partner = self.world.bodies.groups.partner
        return {self.name(id): self.name(to) for id, to in sorted(partner.items())} if partner else None

    def _wanted_welds(self, welds: Mapping[str, Any]) -> dict[int, int | None]:
        """Return whom each body is to be fused to that is now fused otherwise."""
        if not all(isinstance(to, str) and {name, to} <= self.ids.keys() for name, to in welds.items()):
            raise SnapshotError(f"the saved game has the welds {welds!r}; it is of another level")
        wanted = {self.id(name): self.id(to) for name, to in welds.items()}
        partner = self.world.bodies.groups.partner
        every = sorted({*wanted, *partner})
        return {id: wanted.get(id) for id in every if wanted.get(id) != partner.get(id)}

    def _restore_bodies(self, data: bytes, welds: Mapping[int, int | None]) -> None:
        """Restore the world, which must have the same welds before."""
        partner = dict(self.world.bodies.groups.partner)
        if welds:
            self._engine.drop_teleports()
            self._engine.weld(welds)
        try:
            self._restore_world(data)
        except BaseException:
            if welds:
                self._engine.weld({id: partner.get(id) for id in welds})
            raise
