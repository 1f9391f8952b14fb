"""The film of a recorded play."""

from __future__ import annotations

from ecs_collision.debug.film import Film, Json
from ecs_collision.plays.files import Play
from ecs_collision.plays.replaying import replay, verify


def film_of_play(play: Play, *, scripts: bool = False) -> tuple[Json, str | None]:
    """Return the film of a play, turn by turn, and the first difference from its recording, or None.

    scripts: whether the script of the level runs. A turn that raises ends the film, as it ends the play. Raises
    LevelError for a level that cannot be read.
    """
    verdict = verify(play, scripts=scripts)
    turns = replay(play, scripts=scripts)
    _, game = next(turns)
    film = Film(game.world, game.level.title, [play.level], game.things.names.display_name)
    for number, letter in enumerate(play.moves, 1):
        film.chapter = f"turn {number} ({letter})"
        try:
            next(turns)
        except Exception as problem:  # scripts may raise anything
            film.note(f"{type(problem).__name__}: {problem}")
            break
        if verdict.problem is not None and number == verdict.turns:
            film.note(f"differs from the recording: {verdict.problem}")
    return film.data(), verdict.problem
