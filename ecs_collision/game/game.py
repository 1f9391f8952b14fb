"""`Game`: a level being played, turn by turn or in real time.

A turn is (1) the motions of what its letter controls, each all or nothing unless its Motion or the level says
otherwise, then those of platforms; (2) everything unsupported falls, if there is gravity, but for what a teleporter has
just put somewhere: triggers see it there first; (3) a frame, after which
handlers hear what happened and rules act; as long as one of them changes the world, again from (2); (4) the win is
judged. A letter whose motions are all blocked takes no time: handlers of `on_block` hear of it, and unless they change
something nothing has happened, as is the custom in Sokoban. A turn that raises has not happened either.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Never

from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.game.game_world import Engine
from ecs_collision.game.history import History
from ecs_collision.game.push_filter import CanPush, Pushing
from ecs_collision.game.script_interface import WAIT, Control
from ecs_collision.game.scripts import Script, run_script
from ecs_collision.game.turn import Turn
from ecs_collision.game.undo import Kept
from ecs_collision.game.variables import check
from ecs_collision.levels.level import Level, listed
from ecs_collision.levels.load import load_level

UNDO_LIMIT = 10_000
"""How many turns can be taken back."""

UNDO_BYTES = 64 * 2**20
"""What all of them together may take."""

SETTINGS = (
    "bin_size", "rule", "max_chain", "all_or_nothing", "axis_order", "order", "overlap_policy", "bounds",
)  # fmt: skip
"""The settings of a world that a level or a game may give."""


class Game(Kept):
    """A level, the world its things stand in, and its rules.

    level: a Level, or the path of a file with one. script: a function that is given the game, or the path of a Python
    file with a function `script`. can_push: a hook as a world has it, in names. undo_limit, undo_bytes: how many turns
    can be taken back, and the memory for it. settings: those of the world, over those of the level.

    It starts with the first turn, question of a trigger or look at `solved`: then what is unsupported falls, and
    handlers hear what stands in triggers from the beginning.
    """

    def __init__(
        self,
        level: Level | str | os.PathLike[str],
        *,
        script: Script | str | os.PathLike[str] | None = None,
        can_push: CanPush | None = None,
        undo_limit: int = UNDO_LIMIT,
        undo_bytes: int = UNDO_BYTES,
        **settings: Any,
    ) -> None:
        loaded = self._load(level)
        unknown = [name for name in settings if name not in SETTINGS]
        if unknown:
            raise CollisionTypeError(f"{unknown[0]!r} is no setting of a game; there are {listed(SETTINGS, 20)}")
        given = {name: value for name, value in loaded.settings.items() if name in SETTINGS} | settings
        hook = Pushing(can_push)
        history = History(undo_limit, undo_bytes)
        engine = self._make_engine(loaded, given | {"can_push": hook})
        try:
            super().__init__(loaded, engine, hook, bool(given.get("all_or_nothing", True)), history)
            if script is not None:
                run_script(script, self)
        except BaseException:
            engine.close()
            raise

    def _load(self, level: Level | str | os.PathLike[str]) -> Level:
        return level if isinstance(level, Level) else load_level(level)

    def _make_engine(self, level: Level, settings: Mapping[str, Any]) -> Engine:
        return Engine(level, settings)

    # Turns.

    def play(self, letters: str) -> list[Turn]:
        """Play letters, one turn each; white space counts for nothing. Raises before the first for one unknown."""
        if not isinstance(letters, str):
            raise CollisionTypeError(f'play() got {letters!r}; give letters in a str, such as "RRUL"')
        wanted = [letter for letter in letters if not letter.isspace()]
        for letter in wanted:
            self._meaning(letter)
        return [self.turn(letter) for letter in wanted]

    def turn(self, letter: str) -> Turn:
        """Play one letter and return what came of it; "." waits. O(what moves), and a snapshot."""
        played, control = self._meaning(letter)
        with self._working("turn"):
            self._start()
            turn = Turn(played, self._names)
            may_fail = self._may_fail()
            before = self._moment() if may_fail or self._history.limit or self._state else None
            self._history.mark()
            try:
                if before is None or not may_fail:
                    happened = self._move_only(turn, control)
                else:
                    happened = self._take_turn(turn, control, before)
                if happened:
                    self._moves += turn.letter
                    check(self._state, "state")
                    if before is not None:
                        self._history.add(before)
            except BaseException:
                self._history.rewind()
                if before is not None:
                    self._put_back(before)
                raise
            return turn

    def wait(self) -> Turn:
        """Let a turn pass in which nothing is moved."""
        return self.turn(WAIT)

    def step(self) -> Turn:
        """Do one frame in real time: what was requested moves, things fall, handlers are called once.

        What they change is seen in the next frame. Errors are raised after the frame, which has happened; `mark` sets a
        point to go back to.
        """
        with self._working("step"):
            self._start()
            return self._frame(Turn("", self._names))

    def _meaning(self, letter: str) -> tuple[str, Control | None]:
        """Return the letter that is played, the capital one where only that is known, and what it controls."""
        if not isinstance(letter, str):
            raise CollisionTypeError(f'turn() got {letter!r}; give a letter in a str, such as "R"')
        if letter == WAIT:
            return letter, None
        for known in (letter, letter.upper()):
            if known in self._controls:
                return known, self._controls[known]
            if any(known in letters for letters, _ in self._before):
                return known, None
        raise CollisionValueError(
            f"the letter {letter!r} moves nothing; there are {listed([*self._controls, WAIT], 20)}; "
            "declare it with game.control(selector, letters)"
        )

    def __reduce__(self) -> Never:
        """Refuse to be copied or pickled: a copy would share the world, or lack the handlers."""
        raise CollisionTypeError(
            f"a {type(self).__name__} cannot be copied or pickled; keep what snapshot() returns, and restore() it in "
            "this game or in another one of the same level and script"
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.level.title!r}, {len(self.ids)} bodies, {len(self.moves)} moves)"
