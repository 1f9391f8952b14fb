"""Scenes of games: our own puzzles, played by their recorded moves and by chance, with the way back."""

from __future__ import annotations

from hashlib import blake2b

from ecs_collision import puzzles
from ecs_collision.game import Game
from ecs_collision.levels import load_level
from ecs_collision.plays.files import read_play
from golden import Scene


class Puzzles(Scene):
    """Every puzzle of ours, its recorded moves again and again, a turn a frame; the next one when it is solved."""

    def make(self) -> None:
        self.games: list[Game] = []
        self.moves: list[str] = []
        for name in puzzles.names():
            level = puzzles.path(name)
            script = level.with_suffix(".py")
            self.games.append(Game(load_level(level), script=script if script.exists() else None))
            self.moves.append(read_play(level.with_suffix(".play")).moves)
        self.at, self.played = 0, 0

    def frame(self, number: int) -> None:
        game, moves = self.games[self.at], self.moves[self.at]
        if self.played == len(moves):
            game.restart()
            self.at, self.played = (self.at + 1) % len(self.games), 0
            game, moves = self.games[self.at], self.moves[self.at]
        turn = game.turn(self.letter(game, moves[self.played]))
        self.played += 1
        self.tell(turn.explain(), game.solved, turn.moved)

    def letter(self, game: Game, recorded: str) -> str:
        """Return what is played."""
        return recorded

    def hashes(self) -> tuple[str, bytes]:
        states = [game.state_hash() for game in self.games]
        snapshot = b"".join([game.snapshot() for game in self.games])
        return blake2b("".join(states).encode()).hexdigest(), snapshot


class Wandering(Puzzles):
    """The same puzzles, played by chance, with turns taken back and done again."""

    def letter(self, game: Game, recorded: str) -> str:
        if self.chance(0.1):
            self.tell(game.undo(self.whole(1, 5)), game.redo(self.whole(0, 3)))
        if self.chance(0.005):
            game.restore(game.snapshot())
        return recorded if self.chance(0.5) else self.one_of(game.letters)


SCENES = [Puzzles, Wandering]
