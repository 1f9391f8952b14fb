"""If a call fails anywhere, the state is the one before or the one after the call, and no event is lost.

Failures occur at the entry of functions of the package, as an interrupt, a time-out or a full stack would: small plays
fail at every call, the others in `make soak`. A frame is a sequence of steps, each done or not: applying changes, every
motion, the end. The finished steps of a failed frame stand; the next frame does the rest and reports all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import esper
import pytest
from boards import event_tuples, small
from faulty import Failing, Fault, Halt, Raising, every, failed
from puzzles import MACHINE
from worlds import a_box, a_crate, a_player, a_sleeper, a_system, a_wall, a_zone, fresh_world, part

from ecs_collision import BoxCollider, CollisionSystem, Fused, Inertia, Motion, Puzzle, Sleeping, Transform, Trigger
from ecs_collision.events import DELIVERY_ORDER
from ecs_collision.game import Game
from ecs_collision.systems.delivery import ESPER_NAMES


class Scene:
    """An esper world with chains, sleepers, a group and all kinds of triggers; `heard` are the delivered events."""

    def __init__(self, **settings: Any) -> None:
        self.system: CollisionSystem = a_system(**settings)
        self.heard: list[Any] = []
        for kind in DELIVERY_ORDER:
            self.system.on(kind, self.heard.append)
        self.data = b""
        self.plate, self.haven, self.gate = a_zone(3, stay=True), a_zone(6, 1, linger=2), a_zone(0, 3, swept=True)
        self.player, self.crate = a_player(0), a_crate(1)
        self.dozer, self.last = a_crate(2.25, 0, Sleeping(asleep=True, after=2)), a_crate(3.5)
        self.wall, self.rival, self.parcel = a_wall(9), a_player(-3, 3, force=3), a_crate(-1.75, 3)
        self.sleeper, self.drowsy = a_sleeper(5, 5, after=2), a_box(7, 7, Sleeping(after=1))
        self.root = a_crate(4.5, 0, Sleeping(after=2))
        self.member = a_crate(4.5, 1, Fused(self.root), Sleeping(after=2))
        self.feeler = a_box(4.5, 2, Trigger(swept=True), Fused(self.member))
        esper.process()

    def bodies(self) -> list[Any]:
        """Return the values of components, without a call of the system."""
        shown = []
        for entity, transform in esper.get_component(Transform):
            sleeping, motion = esper.try_component(entity, Sleeping), esper.try_component(entity, Motion)
            asleep = None if sleeping is None else sleeping.asleep
            request = None if motion is None else (motion.dx, motion.dy, motion.dz)
            shown.append((entity, transform.position, asleep, request))
        return sorted(shown)

    def state(self) -> tuple[Any, ...]:
        """Return the visible state of the world."""
        system, zones = self.system, [self.plate, self.haven, self.gate]
        snapshot = system.snapshot()
        inside = [system.inside(zone) for zone in zones if esper.entity_exists(zone)]
        return (self.bodies(), snapshot, system.space.pairs(), inside)

    def go_on(self) -> None:
        """Play three more frames, with a push between."""
        esper.process()
        self.system.move(self.player, 1)
        esper.process()
        esper.process()

    def event_texts(self) -> list[Any]:
        """Return the delivered events as text."""
        return event_tuples(self.heard, object)


def nothing(scene: Scene) -> None:
    """Prepare nothing."""


def requests(scene: Scene) -> None:
    """Request two motions, one of them blocked."""
    scene.system.request(scene.player, 2.25, 1)
    scene.system.request(scene.rival, 6)


def changes(scene: Scene) -> None:
    """Create, delete at once and deferred, resize, and write fields."""
    a_crate(3, 0.5, Sleeping(asleep=True))
    esper.delete_entity(scene.last)
    esper.delete_entity(scene.haven, immediate=True)
    part(scene.crate, BoxCollider).hx = 0.25
    part(scene.dozer, Inertia).x = 3
    part(scene.sleeper, Transform).x = 6


def regroup(scene: Scene) -> None:
    """Split a group, fuse others to the rest, and move it."""
    esper.delete_entity(scene.member)
    part(scene.feeler, Fused).to = scene.root
    a_crate(5.5, 0, Fused(scene.root))
    part(scene.root, Transform).x = 4.25


def change_after_snapshot(scene: Scene) -> None:
    """Take a snapshot, then change fields and positions."""
    scene.data = scene.system.snapshot()
    scene.system.move(scene.player, 2)
    esper.process()
    part(scene.crate, BoxCollider).enabled = False
    esper.process()
    part(scene.drowsy, Transform).x = 3


def spread(scene: Scene) -> None:
    """Teleport many at once, over many cells."""
    ids = [entity for entity, (_, crate) in esper.get_components(Transform, Inertia)]
    scene.system.set_positions(ids, [[3.5 * number, 30 - number] for number in range(len(ids))])


class Play(NamedTuple):
    """A preparation of the scene, and an action; is_frame: whether the action is a frame."""

    prepare: Callable[[Scene], None]
    act: Callable[[Scene], object]
    is_frame: bool = False
    settings: dict[str, Any] = {}


def process(scene: Scene) -> None:
    """Run a frame."""
    scene.system.process()


HOOK = {"can_push": Raising.tick}
FRONT = {"order": "front_first"}
SUMS = {"rule": "sum", "bounds": ((-9, -9), (9, 9)), "overlap_policy": "leave"}

PLAYS: dict[str, Play] = {
    "move": Play(nothing, lambda scene: scene.system.move(scene.player, 2, 1)),
    "commit": Play(nothing, lambda scene: scene.system.plan(scene.player, 2).commit()),
    "set_positions": Play(nothing, spread),
    "changes": Play(changes, lambda scene: scene.system.space.at(3, 0)),
    "frame": Play(requests, process, True),
    "frame of changes": Play(changes, process, True),
    "frame of groups": Play(regroup, process, True),
    "frame in front": Play(requests, process, True, FRONT),
    "frame within bounds": Play(requests, process, True, SUMS),
    "restore": Play(change_after_snapshot, lambda scene: scene.system.restore(scene.data)),
    "hooked move": Play(nothing, lambda scene: scene.system.move(scene.player, 2), settings=HOOK),
    "hooked frame": Play(requests, process, True, HOOK),
}
SMALL = ("commit",)
"""The plays that fail at every call in `make test` too."""


class Reference:
    """A play without failure: the states before and after the action, and at the end."""

    def __init__(self, play: Play) -> None:
        self.play = play
        with fresh_world():
            scene = prepared(play)
            self.shown = [scene.bodies()]
            self.before = scene.state()
        with fresh_world():
            scene = prepared(play)
            play.act(scene)
            self.after, self.number = scene.state(), scene.system._world.frame_number
            self.hash = scene.system.state_hash()
            self.shown += [self.before[0], self.after[0]]
            scene.go_on()
            self.end, self.event_texts = scene.state(), scene.event_texts()


def prepared(play: Play) -> Scene:
    """Return a scene after its preparation."""
    scene = Scene(**play.settings)
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


@pytest.mark.parametrize("name", small(PLAYS, SMALL))
def test_a_failure_at_any_call_leaves_the_state_before_or_after(name: str) -> None:
    reference = Reference(PLAYS[name])
    for failing in every(Failing, Halt):
        verify(reference, failing)


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


@pytest.mark.parametrize("error", [Fault, pytest.param(KeyboardInterrupt, marks=pytest.mark.once)])
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


@pytest.mark.parametrize("name", ["hooked move", "hooked frame"])
@pytest.mark.parametrize("error", [Fault, KeyboardInterrupt, SystemExit])
def test_if_the_hook_fails_its_motion_has_not_happened_P15(name: str, error: type[BaseException]) -> None:
    reference, failures = Reference(PLAYS[name]), 0
    for failing in every(Raising, error):
        verify(reference, failing)
        failures += failing.came
    assert failures > 0


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


ACTIONS: dict[str, Callable[[Game], object]] = {
    "turn": lambda game: game.turn("R"),
    "undo": lambda game: game.undo(2),
    "redo": lambda game: game.redo(),
    "restart": lambda game: game.restart(),
    "restore": lambda game: game.restore(game.data),
    "go_to": lambda game: game.go_to(game.there),
}


def played(kind: type[Game]) -> Any:
    """Return a game in which turns were played and undone and a snapshot was taken."""
    game: Any = kind(MACHINE, script=machine)
    game.play("RR")
    game.data, game.there = game.snapshot(), game.moment()
    game.play("DL")
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


def verify_game(kind: type[Game], action: str, failings: Iterable[Failing]) -> None:
    """Fail an action of a game at some points: it is done or not, and can be repeated."""
    game = played(kind)
    before = all_of(game)
    ACTIONS[action](game)
    after = all_of(game)
    game.play("LRU")
    end = all_of(game)
    close(game)
    for failing in failings:
        with failure_named(failing):
            game = played(kind)
            failed(lambda: ACTIONS[action](game), failing)  # noqa: B023 - called at once
            assert all_of(game) in (before, after)
            if all_of(game) != after:
                ACTIONS[action](game)
            assert after == all_of(game)
            game.play("LRU")
            assert end == all_of(game)
            close(game)


@pytest.mark.parametrize("action", small(ACTIONS, ("turn",)))
@pytest.mark.parametrize("kind", [Game, pytest.param(Puzzle, marks=pytest.mark.soak)])
def test_a_turn_that_fails_at_any_call_is_done_or_not(kind: type[Game], action: str) -> None:
    verify_game(kind, action, every(Failing, Halt))


@pytest.mark.parametrize("error", [Fault, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("kind", [Game, Puzzle])
def test_a_turn_in_which_a_handler_fails_has_not_happened(kind: type[Game], error: type[BaseException]) -> None:
    verify_game(kind, "turn", every(Raising, error))
