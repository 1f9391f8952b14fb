"""If a call fails anywhere, the state is the one before or the one after the call, and no event is lost.

Failures occur at the entry of functions of the package (as an interrupt, a time-out or a full stack would) and at the
growth of arrays: `make soak` tries every call, other runs the first call from each line. A frame is a sequence of
steps, each done or not: applying changes, every motion, the end. The finished steps of a failed frame stand; the next
frame does the rest and reports all of it.
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
from faulty import (
    EXIT,
    Beyond,
    Caught,
    Failing,
    Fault,
    Halt,
    Interrupted,
    Raising,
    Site,
    Starred,
    Starving,
    every,
    failed,
)
from puzzles import MACHINE, SHAFT, YARD, yard
from worlds import fresh_world

from ecs_collision import CollisionSystem, Puzzle
from ecs_collision.events import DELIVERY_ORDER
from ecs_collision.game import Game
from ecs_collision.systems.delivery import ESPER_NAMES


class Reference:
    """A play without failure: the states before and after the action, and at the end."""

    def __init__(self, play: Play, failing: Failing) -> None:
        self.play = play
        with fresh_world():
            scene = prepared(play)
            self.shown = [scene.bodies()]
            self.before = scene.state()
        with fresh_world():
            scene = prepared(play)
            with failing.on():
                play.act(scene)
            self.total = failing.calls
            self.after, self.number = scene.state(), scene.system._world.frame_number
            self.hash = scene.system.state_hash()
            self.shown += [self.before[0], self.after[0]]
            scene.go_on()
            self.end, self.event_texts = scene.state(), scene.event_texts()


def prepared(play: Play) -> Scene:
    """Return a scene after its preparation."""
    scene = play.scene(**play.settings)
    play.prepare(scene)
    return scene


def verify(reference: Reference, failing: Failing) -> None:
    """Run a play with a failure, repeat what failed, and compare with the play without failure."""
    with failure_named(failing), fresh_world():
        scene = prepared(reference.play)
        has_failed = failed(lambda: reference.play.act(scene), failing)
        assert scene.system._access.depth == 0
        if reference.play.is_frame:
            verify_frame(reference, scene)
        else:
            verify_call(reference, scene, has_failed)
        scene.go_on()
        assert reference.end == scene.state()
        assert reference.event_texts == scene.event_texts()
        scene.system.check()


@contextmanager
def failure_named(failing: Failing) -> Iterator[None]:
    """Add the place of the failure to exceptions."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"failed on purpose in {failing.place or 'no place'}")
        raise


def verify_call(reference: Reference, scene: Scene, has_failed: bool) -> None:
    """Verify that a call other than a frame is done or not."""
    assert scene.bodies() in reference.shown
    assert scene.state() in (reference.before, reference.after)
    scene.system.check()
    if has_failed and scene.state() != reference.after:
        reference.play.act(scene)
    assert reference.after == scene.state()


def verify_frame(reference: Reference, scene: Scene) -> None:
    """Verify that a failed frame continues where it was, and that a finished one is reported first by the next."""
    scene.system.check()
    if scene.system._world.frame_number < reference.number:
        reference.play.act(scene)
    assert reference.after[0] == scene.bodies()
    assert reference.hash == scene.system.state_hash()


HUNGRY = [name for name, play in PLAYS.items() if not name.endswith("restore")]
"""The plays in which arrays grow."""


EVERYWHERE = [(Failing, Halt), (Caught, Fault)]
"""An interrupt at every call, and an error other than an interrupt wherever one is caught."""

KINDS = [Failing, Starred, pytest.param(Interrupted, marks=pytest.mark.soak)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_failure_at_the_first_call_from_any_line_leaves_the_state_before_or_after(kind: type[Failing]) -> None:
    """Each line that calls a function of the package fails once, in the first play that reaches it."""
    known: set[Site] = set()
    for play in PLAYS.values():
        counting = kind()
        reference = Reference(play, counting)
        for site in [site for site in counting.sites if site not in known]:
            verify(reference, kind(0, Halt, site))
        known |= counting.sites.keys()


@pytest.mark.soak
@pytest.mark.parametrize("name", PLAYS)
@pytest.mark.parametrize(("kind", "error"), EVERYWHERE, ids=["Halt", "Fault"])
def test_a_failure_at_any_call_leaves_the_state_before_or_after(
    name: str, kind: Callable[..., Failing], error: type[BaseException]
) -> None:
    """Plays of many bodies are tested with few, and with many only at sites that the few do not reach."""
    reference = Reference(PLAYS[name], Failing())
    if name in SMALLER and kind is Failing:
        few = Failing()
        Reference(PLAYS[SMALLER[name]], few)
        kind = partial(Beyond, few.sites)
    for failing in every(kind, error):
        verify(reference, failing)


@pytest.mark.parametrize("name", HUNGRY)
def test_a_lack_of_memory_at_any_growth_leaves_the_state_before_or_after(name: str) -> None:
    reference = Reference(PLAYS[name], Starving())
    assert reference.total > 0
    for starving in every(Starving):
        verify(reference, starving)


# -- handlers and hooks ---------------------------------------------------------------------------------------------


class Audience:
    """Handlers of the system and of esper that may fail; `served` lists which handler got which event, in order."""

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
        """Return a handler that records an event and then may fail."""

        def hear(event: Any) -> None:
            self.served.append((name, event))
            Raising.tick()

        return hear

    def process(self) -> None:
        """Run a frame and record its exception."""
        try:
            esper.process()
        except (Exception, KeyboardInterrupt, SystemExit) as error:
            self.raised.append(error)


def heard(failing: Raising, frames: int = 3) -> Audience:
    """Run frames with handlers of which some fail."""
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
    """Return the number of handler calls without failures."""
    counting = Raising()
    assert {"first", "second", "esper's"} == {name for name, _ in heard(counting).served}
    return counting.calls


@pytest.mark.parametrize("error", [Fault, KeyboardInterrupt, SystemExit])
def test_if_a_handler_fails_all_handlers_get_all_events_once_T7(error: type[BaseException]) -> None:
    """After an error that is not an Exception the next frame delivers the rest, so there is one frame more."""
    expected = heard(Raising()).served
    for number in range(1, calls_of_handlers() + 1):
        audience = heard(Raising(number, error), 3 if error is Fault else 4)
        assert [error] == [type(problem) for problem in audience.raised]
        assert expected == audience.served[: len(expected)]


def test_errors_of_handlers_are_raised_singly_or_in_groups_and_none_is_lost_T7() -> None:
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
def test_if_the_hook_fails_its_motion_has_not_happened_P15(name: str, error: type[BaseException]) -> None:
    reference = Reference(PLAYS[name], Raising())
    assert reference.total > 0
    for failing in every(Raising, error):
        verify(reference, failing)


# -- games ------------------------------------------------------------------------------------------------------------


def machine(game: Game) -> None:
    """Add handlers that count, and that fail if requested."""
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
ACTIONS: dict[str, Callable[[Game], object]] = {
    "turn": lambda game: game.turn("R"),
    "undo": lambda game: game.undo(2),
    "redo": lambda game: game.redo(),
    "restart": lambda game: game.restart(),
    "restore": lambda game: game.restore(game.data),
    "go_to": lambda game: game.go_to(game.there),
}


def played(kind: type[Game], name: str) -> Any:
    """Return a game in which turns were played and undone and a snapshot was taken."""
    level, script, letters = GAMES[name]
    game: Any = kind(level, script=script)
    game.play(letters[:-1])
    game.data, game.there = game.snapshot(), game.moment()
    game.play(letters[-1] + "L")
    game.undo()
    return game


def all_of(game: Any) -> tuple[Any, ...]:
    """Return the whole state of a game: its snapshot, and the size and ends of its history."""
    with game._exclusive("looking"):
        pass
    history = game._history
    counts = (len(history.past), len(history.future), history.byte_count)
    return (game.snapshot(), game.moves, counts, history.past.top, history.future.top, esper.current_world)


def close(game: Any) -> None:
    """Delete the world of a puzzle."""
    if isinstance(game, Puzzle):
        game.close()


def verify_game(kind: type[Game], name: str, action: str, failings: Iterable[Failing]) -> None:
    """Fail an action of a game at some points: it is done or not, and can be repeated."""
    game = played(kind, name)
    before = all_of(game)
    ACTIONS[action](game)
    after = all_of(game)
    game.play("LRU")
    end = all_of(game)
    close(game)
    for failing in failings:
        with failure_named(failing):
            game = played(kind, name)
            failed(lambda: ACTIONS[action](game), failing)  # noqa: B023 - called at once
            assert all_of(game) in (before, after)
            if all_of(game) != after:
                ACTIONS[action](game)
            assert after == all_of(game)
            game.play("LRU")
            assert end == all_of(game)
            close(game)


def sites_of(kind: type[Game], name: str, action: str, counting: Failing) -> list[Site]:
    """Return the sites that an action of a game reaches."""
    game = played(kind, name)
    with counting.on():
        ACTIONS[action](game)
    close(game)
    return [*counting.sites]


@pytest.mark.parametrize("kind", KINDS)
def test_a_turn_that_fails_at_the_first_call_from_any_line_is_done_or_not(kind: type[Failing]) -> None:
    known: set[Site] = set()
    for game, name, action in itertools.product([Game, Puzzle], GAMES, ACTIONS):
        sites = sites_of(game, name, action, kind())
        verify_game(game, name, action, [kind(0, Halt, site) for site in sites if site not in known])
        known.update(sites)


def test_a_failed_go_to_leaves_the_game_at_either_moment() -> None:
    """Other actions reach the same lines and roll back; this one has lines of its own for it."""
    sites = sites_of(Game, "machine", "go_to", Failing())
    verify_game(Game, "machine", "go_to", [Failing(0, Halt, site) for site in sites])


@pytest.mark.parametrize("action", ACTIONS)
def test_a_turn_interrupted_at_the_end_of_a_with_statement_is_done_or_not(action: str) -> None:
    """State restored at two places is restored at one of them if the interrupt comes between."""
    sites = [site for site in sites_of(Game, "yard", action, Interrupted()) if site[1] is EXIT]
    assert sites
    verify_game(Game, "yard", action, [Interrupted(0, Halt, site) for site in sites])


@pytest.mark.soak
@pytest.mark.parametrize("how", EVERYWHERE, ids=["Halt", "Fault"])
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("kind", [Game, Puzzle])
def test_a_turn_that_fails_at_any_call_is_done_or_not(kind: Any, name: str, action: str, how: Any) -> None:
    verify_game(kind, name, action, every(*how))


@pytest.mark.parametrize("error", [Fault, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("kind", [Game, Puzzle])
def test_a_turn_in_which_a_handler_fails_has_not_happened(kind: type[Game], error: type[BaseException]) -> None:
    verify_game(kind, "machine", "turn", every(Raising, error))
