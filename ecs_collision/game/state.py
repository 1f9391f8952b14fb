"""The state of a game: its world, the script's variables, the moves so far, and the state of the mechanics."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from ecs_collision.errors import CollisionError, CollisionTypeError, SnapshotError
from ecs_collision.game.controls import Control, Controls
from ecs_collision.game.history import Moment
from ecs_collision.game.mechanics.gravity import Gravity
from ecs_collision.game.mechanics.mechanic import Mechanic
from ecs_collision.game.saving import ExtraState, ExtraStatePacker, fingerprint, read_extra_state
from ecs_collision.game.things import Partners, Things
from ecs_collision.game.variables import canonical
from ecs_collision.levels.level import Level
from ecs_collision.levels.spawning import with_names
from ecs_collision.snapshot.cache import BODIES_REMEDY


class GameState:
    """The complete state of a game. `mechanics` are the declared ones, in order."""

    def __init__(self, level: Level, things: Things, controls: Controls, gravity: Gravity) -> None:
        self._things, self._controls, self._gravity = things, controls, gravity
        self._fingerprint = fingerprint(level)
        self._packer = ExtraStatePacker(self._fingerprint)
        self._settings: tuple[Any, Any, str] = (None, None, "")
        self.mechanics: list[Mechanic] = []
        self.variables: dict[str, Any] = {}
        self.moves = ""

    def set_variables(self, variables: Mapping[str, Any]) -> None:
        """Replace the contents of the variables; the dict stays the same object."""
        if not isinstance(variables, Mapping):
            raise CollisionTypeError(f'state is {variables!r}; give a dict, such as {{"score": 0}}')
        kept = dict(variables)
        self.variables.clear()
        self.variables.update(kept)

    def moment(self) -> Moment:
        """Return the current state."""
        return Moment(self._things.game_world.restorable.snapshot(), self.extra_state(), self.moves)

    def moment_or_none(self) -> Moment | None:
        """Return the current state; None if the variables cannot be saved, which a restore repairs."""
        try:
            return self.moment()
        except (CollisionError, TypeError, ValueError):
            return None

    def extra_state(self) -> bytes:
        """Return the state besides the world and the moves, as bytes."""
        fused, saved, controls = self._fused_names(), self._saved(), self._controls
        changed = None if controls.by_letter is controls.declared else dict(controls.by_letter)
        return self._packer.pack(ExtraState(*self._gravity.settings, changed, saved, fused, self.variables))

    def hash(self) -> str:
        """Return 32 hexadecimal digits of the state, without the moves."""
        script_state = (
            canonical({"rules": self._saved(), "state": self.variables}) if self.mechanics or self.variables else ""
        )
        parts = [self._things.game_world.restorable.state_hash(), self._settings_text(), script_state]
        return blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()

    def _settings_text(self) -> str:
        """Return gravity and controls as text, cached because they rarely change."""
        gravity, by_letter = self._gravity.settings, self._controls.by_letter
        if self._settings[0] != gravity or self._settings[1] is not by_letter:
            controls = {letter: list(control) for letter, control in by_letter.items()}
            settings: dict[str, Any] = {"gravity": gravity[0], "falls": gravity[1], "controls": controls}
            if gravity[2] != 1.0:  # the default is left out: hashes in recorded plays depend on it
                settings["fall_speed"] = gravity[2]
            self._settings = (gravity, by_letter, canonical(settings))
        return self._settings[2]

    def _saved(self) -> list[Any]:
        return [mechanic.save() for mechanic in self.mechanics]

    def restore(self, moment: Moment) -> None:
        """Restore a moment, or raise and change nothing."""
        self._things.game_world.make_current()  # the code that raised may have switched to another world
        if self._has_extra_state(moment.extra):
            self._restore_world(moment.world)
            self.moves = moment.moves
            return
        extra = read_extra_state(moment.extra, self._fingerprint)
        try:
            controls = self._validated_controls(extra)
            self._restore_bodies(moment.world, self._wanted_partners(extra.fused or {}))
        except SnapshotError:
            raise
        except (CollisionError, TypeError, ValueError) as problem:
            raise SnapshotError(f"the saved game cannot be restored: {problem}") from problem
        self._gravity.restore((extra.gravity, extra.falls, extra.fall_speed))
        self._controls.by_letter = controls
        self.set_variables(extra.state)
        self.moves = moment.moves
        for mechanic, value in zip(self.mechanics, extra.mechanics, strict=True):
            mechanic.load(value)

    def _has_extra_state(self, extra: bytes) -> bool:
        """Return whether only the world differs."""
        try:
            return extra == self.extra_state()
        except (CollisionError, TypeError, ValueError):  # a failed turn left variables that cannot be saved
            return False

    def _validated_controls(self, extra: ExtraState) -> Mapping[str, Control]:
        """Return the controls of a saved game; raises if anything besides the world does not fit this game."""
        if len(extra.mechanics) != len(self.mechanics):
            raise SnapshotError(
                f"the saved game has {len(extra.mechanics)} mechanics, this game {len(self.mechanics)}; "
                "restore it with the script it had"
            )
        for mechanic, value in zip(self.mechanics, extra.mechanics, strict=True):
            mechanic.validate(value)
        self._gravity.validate((extra.gravity, extra.falls, extra.fall_speed))
        return self._controls.declared if extra.controls is None else self._controls.checked(extra.controls)

    # Fused bodies. A snapshot of the world can only be restored if the same bodies are fused.

    def _fused_names(self) -> dict[str, str] | None:
        self._things.world.apply_changes()
        partner, name = self._things.world._bodies.groups.partner, self._things.names.name
        return {name(id): name(to) for id, to in sorted(partner.items())} if partner else None

    def _wanted_partners(self, fused: Mapping[str, Any]) -> Partners:
        """Return the partner of each body that is now fused differently."""
        ids = self._things.names.ids
        if not all(isinstance(to, str) and {name, to} <= ids.keys() for name, to in fused.items()):
            raise SnapshotError(f"the saved game has the fused things {fused!r}; it is of another level")
        wanted = {ids[name]: ids[to] for name, to in fused.items()}
        partner = self._things.world._bodies.groups.partner
        every = sorted({*wanted, *partner})
        return {id: wanted.get(id) for id in every if wanted.get(id) != partner.get(id)}

    def _restore_bodies(self, data: bytes, partners: Partners) -> None:
        """Fuse the bodies as in the snapshot, then restore the world."""
        bodies = self._things.world._bodies
        before = {id: bodies.groups.partner.get(id) for id in partners}
        if partners:
            bodies.placement.revert(bodies.rows_of(list(bodies.row_of)))  # teleports that are not applied yet
            self._things.fuse(partners)
        try:
            self._restore_world(data)
        except BaseException:
            self._things.fuse(before)
            raise

    def _restore_world(self, data: bytes) -> None:
        """Restore the world; errors name the things, and advise on bodies that were added or removed."""
        try:
            self._things.game_world.restorable.restore(data)
        except SnapshotError as problem:
            text = str(problem)
            words = with_names(text.removesuffix(BODIES_REMEDY), self._things.names.display_name_with_id)
            if text.endswith(BODIES_REMEDY):
                words += (
                    "; disable things instead of deleting them, as in game.disable(name), and put those that appear "
                    "later into the level, disabled: undo cannot go back past an added or deleted entity"
                )
            raise SnapshotError(words) from problem
