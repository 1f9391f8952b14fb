"""Whatever fails, wherever: there is the state before or the state after, never one between; and no event is lost.

Failures come at the entry of functions of the package (where an interrupt, a time-out or a full stack would come) and
at the growth of arrays: `make soak` tries every call, other runs the first from every line that calls a function. A
frame is a row of steps, each of which is done or not: the take-in, every motion, the end. What was done of a broken
frame stands, and the next frame does the rest and tells all of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import esper
import pytest
from fault_plays import PLAYS, SMALLER, Play, Scene, requests
from faulty import EXIT, Beyond, Caught, Failing, Fault, Halt, Interrupted, Raising, Site, Starving, every, failed
from puzzles import MACHINE, SHAFT, YARD, yard
from worlds import fresh_world

from ecs_collision import CollisionSystem, Puzzle
from ecs_collision.events import DELIVERY_ORDER
from ecs_collision.game import Game
from ecs_collision.systems.delivery import ESPER_NAMES


class Course:
    """A play without a failure: what is before and after the deed, and in the end."""

    def __init__(self, play: Play, failing: Failing) -> None:
        self.play = play
        with fresh_world():
            scene = started(play)
            self.shown = [scene.bodies()]
            self.before = scene.state()
        with fresh_world():
            scene = started(play)
            with failing.on():
                play.act(scene)
            self.total = failing.calls
            self.after, self.number = scene.state(), scene.system._world.frame_number
            self.hash = scene.system.state_hash()
            self.shown += [self.before[0], self.after[0]]
            scene.go_on()
            self.end, self.words = scene.state(), scene.words()


def started(play: Play) -> Scene:
    """Return a scene in which all is prepared."""
    scene = play.scene(**play.settings)
    play.prepare(scene)
    return scene


def verify(course: Course, failing: Failing) -> None:
    """Do a play in which something fails, and again what was broken off; compare it with that in which nothing did."""
    with named(failing), fresh_world():
        scene = started(course.play)
        broken = failed(lambda: course.play.act(scene), failing)
        if course.play.is_frame:
            verify_frame(course, scene)
        else:
            verify_whole(course, scene, broken)
        scene.go_on()
        assert course.end == scene.state()
        assert course.words == scene.words()
        scene.system.check()


@contextmanager
def named(failing: Failing) -> Iterator[None]:
    """Add to whatever is raised where the failure came."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"failed on purpose in {failing.place or 'no place'}")
        raise


def verify_whole(course: Course, scene: Scene, broken: bool) -> None:
    """Whatever is no frame is done or not."""
    assert scene.bodies() in course.shown
    assert scene.state() in (course.before, course.after)
    scene.system.check()
    if broken and scene.state() != course.after:
        course.play.act(scene)
    assert course.after == scene.state()


def verify_frame(course: Course, scene: Scene) -> None:
    """A frame that was broken off goes on where it was; one that ended is told of first in the next."""
    scene.system.check()
    if scene.system._world.frame_number < course.number:
        course.play.act(scene)
    assert course.after[0] == scene.bodies()
    assert course.hash == scene.system.state_hash()


HUNGRY = [name for name, play in PLAYS.items() if not name.endswith("restore")]
"""The plays in which arrays grow."""


EVERYWHERE = [(Failing, Halt), (Caught, Fault)]
"""An interrupt at every call, and an error wherever one is caught that is no interrupt."""

KINDS = [Failing, pytest.param(Interrupted, marks=pytest.mark.soak)]


@pytest.mark.parametrize("kind", KINDS)
def test_what_fails_at_the_first_call_from_any_line_has_happened_or_has_not(kind: type[Failing]) -> None:
    """Each line that calls a function of the package fails once, in the first play that comes there."""
    known: set[Site] = set()
    for play in PLAYS.values():
        counting = kind()
        course = Course(play, counting)
        for site in [site for site in counting.sites if site not in known]:
            verify(course, kind(0, Halt, site))
        known |= counting.sites.keys()


@pytest.mark.soak
@pytest.mark.parametrize("name", PLAYS)
@pytest.mark.parametrize(("kind", "error"), EVERYWHERE, ids=["Halt", "Fault"])
def test_what_fails_at_every_call_has_happened_or_has_not(
    name: str, kind: Callable[..., Failing], error: type[BaseException]
) -> None:
    """What many do in a play is tested with a few, and with many only what these do not come to."""
    course = Course(PLAYS[name], Failing())
    if name in SMALLER and kind is Failing:
        few = Failing()
        Course(PLAYS[SMALLER[name]], few)
        kind = partial(Beyond, few.sites)
    for failing in every(kind, error):
        verify(course, failing)


@pytest.mark.parametrize("name", HUNGRY)
def test_what_finds_no_memory_at_any_growth_has_happened_or_has_not(name: str) -> None:
    course = Course(PLAYS[name], Starving())
    assert course.total > 0
    for starving in every(Starving):
        verify(course, starving)


# -- handlers and hooks ---------------------------------------------------------------------------------------------


class Audience:
    """Handlers of the system and of esper that may fail; `served` is who heard which event, in order."""

    def __init__(self, system: CollisionSystem) -> None:
        self.served: list[tuple[str, Any]] = []
        self.raised: list[BaseException] = []
        self.kept = {name: self.handler("esper's") for name in ESPER_NAMES.values()}  # esper holds them weakly
        for name, handler in self.kept.items():
            esper.set_handler(name, handler)
        for name in ("first", "second"):
            for kind in DELIVERY_ORDER:
                system.on(kind, self.handler(name))

    def handler(self, name: str) -> Callable[[Any], None]:
        """Return a handler that notes what it hears and then may fail."""

        def hear(event: Any) -> None:
            self.served.append((name, event))
            Raising.tick()

        return hear

    def process(self) -> None:
        """Do a frame and keep what it raises."""
        try:
            esper.process()
        except (Exception, KeyboardInterrupt, SystemExit) as error:
            self.raised.append(error)


def heard(failing: Raising, frames: int = 3) -> Audience:
    """Play frames before handlers of which some fail."""
    with fresh_world():
        scene = Scene()
        audience = Audience(scene.system)
        requests(scene)
        with failing.on():
            for _ in range(frames):
                audience.process()
        scene.system.check()
    return audience


def calls_of_handlers() -> int:
    """Return how many calls of handlers there are when none fails."""
    counting = Raising()
    assert {"first", "second", "esper's"} == {name for name, _ in heard(counting).served}
    return counting.calls


@pytest.mark.parametrize("error", [Fault, KeyboardInterrupt, SystemExit])
def test_whichever_handler_fails_everybody_hears_everything_once_T7(error: type[BaseException]) -> None:
    """After what is no Exception the next frame delivers the rest, so there is one frame more."""
    expected = heard(Raising()).served
    for number in range(1, calls_of_handlers() + 1):
        audience = heard(Raising(number, error), 3 if error is Fault else 4)
        assert [error] == [type(problem) for problem in audience.raised]
        assert expected == audience.served[: len(expected)]


def test_errors_of_handlers_are_raised_one_by_one_or_in_groups_and_none_is_lost_T7() -> None:
    expected, groups = heard(Raising()).served, 0
    for number in range(1, calls_of_handlers()):
        audience = heard(Raising(number, Fault, number + 1))
        alone = [error for error in audience.raised if isinstance(error, Fault)]
        together = [each for error in audience.raised if isinstance(error, ExceptionGroup) for each in error.exceptions]
        assert 2 == len(alone) + len(together)
        assert expected == audience.served
        groups += bool(together)
    assert groups > 0


@pytest.mark.parametrize("name", ["hooked", "hooked frame"])
@pytest.mark.parametrize("error", [Fault, KeyboardInterrupt, SystemExit])
def test_whenever_the_hook_fails_its_motion_has_not_happened_P15(name: str, error: type[BaseException]) -> None:
    course = Course(PLAYS[name], Raising())
    assert course.total > 0
    for failing in every(Raising, error):
        verify(course, failing)


# -- games ------------------------------------------------------------------------------------------------------------


def machine(game: Game) -> None:
    """Let handlers count, and fail when it is time."""
    game.state.update({"turns": 0, "presses": 0})

    @game.on_turn
    def turned(turn: Any) -> None:
        game.state["turns"] += 1
        Raising.tick()

    @game.on_enter("plate 1")
    @game.on_enter("a")
    def pressed(event: Any) -> None:
        game.state["presses"] += 1
        Raising.tick()

    game.win_when(lambda: Raising.tick())


GAMES: dict[str, tuple[Any, Any, str]] = {
    "yard": (YARD, yard, "RRDD"),
    "machine": (MACHINE, machine, "RRD"),
    "shaft": (SHAFT, None, "R"),
}
DEEDS: dict[str, Callable[[Game], object]] = {
    "turn": lambda game: game.turn("R"),
    "undo": lambda game: game.undo(2),
    "redo": lambda game: game.redo(),
    "restart": lambda game: game.restart(),
    "restore": lambda game: game.restore(game.data),
    "go_to": lambda game: game.go_to(game.there),
}


def played(kind: type[Game], name: str) -> Any:
    """Return a game in which something was played, taken back and saved."""
    level, script, letters = GAMES[name]
    game: Any = kind(level, script=script)
    game.play(letters[:-1])
    game.data, game.there = game.snapshot(), game.moment()
    game.play(letters[-1] + "L")
    game.undo()
    return game


def all_of(game: Any) -> tuple[Any, ...]:
    """Return all there is to a game: how it stands, and which ways lead back and forth from there."""
    with game._exclusive("looking"):
        pass
    history = game._history
    counts = (len(history.past), len(history.future), history.byte_count)
    return (game.snapshot(), game.moves, counts, history.past.top, history.future.top, esper.current_world)


def close(game: Any) -> None:
    """Delete the world of a puzzle."""
    if isinstance(game, Puzzle):
        game.close()


def verify_game(kind: type[Game], name: str, deed: str, failings: Iterable[Failing]) -> None:
    """Do something with a game that fails here and there: it has happened or has not, and can be done again."""
    game = played(kind, name)
    before = all_of(game)
    DEEDS[deed](game)
    after = all_of(game)
    game.play("LRU")
    end = all_of(game)
    close(game)
    for failing in failings:
        with named(failing):
            game = played(kind, name)
            failed(lambda: DEEDS[deed](game), failing)  # noqa: B023 - called at once
            assert all_of(game) in (before, after)
            if all_of(game) != after:
                DEEDS[deed](game)
            assert after == all_of(game)
            game.play("LRU")
            assert end == all_of(game)
            close(game)


def sites_of(kind: type[Game], name: str, deed: str, counting: Failing) -> list[Site]:
    """Return the sites that are met while something is done with a game."""
    game = played(kind, name)
    with counting.on():
        DEEDS[deed](game)
    close(game)
    return [*counting.sites]


@pytest.mark.parametrize("kind", KINDS)
def test_a_turn_that_fails_at_the_first_call_from_any_line_has_happened_or_has_not(kind: type[Failing]) -> None:
    known: set[Site] = set()
    for game, name, deed in itertools.product([Game, Puzzle], GAMES, DEEDS):
        sites = sites_of(game, name, deed, kind())
        verify_game(game, name, deed, [kind(0, Halt, site) for site in sites if site not in known])
        known.update(sites)


def test_whatever_fails_on_the_way_to_a_moment_leaves_the_game_here_or_there() -> None:
    """Other deeds come to the same lines and put back what they did; this one has lines of its own for it."""
    sites = sites_of(Game, "machine", "go_to", Failing())
    verify_game(Game, "machine", "go_to", [Failing(0, Halt, site) for site in sites])


@pytest.mark.parametrize("deed", DEEDS)
def test_a_turn_interrupted_as_a_with_statement_ends_has_happened_or_has_not(deed: str) -> None:
    """What is put back at two places is put back at one of them when the interrupt comes between."""
    sites = [site for site in sites_of(Game, "yard", deed, Interrupted()) if site[1] is EXIT]
    assert sites
    verify_game(Game, "yard", deed, [Interrupted(0, Halt, site) for site in sites])


@pytest.mark.soak
@pytest.mark.parametrize("how", EVERYWHERE, ids=["Halt", "Fault"])
@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("kind", [Game, Puzzle])
def test_a_turn_that_fails_at_every_call_has_happened_or_has_not(kind: Any, name: str, deed: str, how: Any) -> None:
    verify_game(kind, name, deed, every(*how))


@pytest.mark.parametrize("error", [Fault, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("kind", [Game, Puzzle])
def test_a_turn_in_which_any_handler_fails_has_not_happened(kind: type[Game], error: type[BaseException]) -> None:
    verify_game(kind, "machine", "turn", every(Raising, error))
