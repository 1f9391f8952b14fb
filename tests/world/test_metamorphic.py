"""Metamorphic tests with ten thousand bodies: a changed scene must have the correspondingly changed results.

There is no oracle: a scene is changed in a way whose effect follows from the rules, and all positions, results and
events of some frames with hundreds of motions must change accordingly. Building ten thousand bodies takes longer than
playing them, so `make test` tries each change with one thousand bodies and all changes together with ten thousand;
`make soak` tries each with ten thousand in many scenes. Plain Python kernels use fewer bodies.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import pytest
from boards import trials
from large_scenes import Action, Play, Scene, SceneMaker, Seen, View

from ecs_collision import (
    LATTICE,
    Box,
    BoxCollider,
    CompoundCollider,
    Inertia,
    Motion,
    Sleeping,
    Static,
    Transform,
    Trigger,
)
from ecs_collision.components import Parts
from ecs_collision.testing.scenes import copy_parts

MANY = max(trials(10_000), 1000)
FEW = max(trials(1_000), 500)
SEED = 1
"""A seed whose scenes of 500 operations have all that is compared; a test below counts it."""

ODD = (77 + 12345 * LATTICE, -999 - LATTICE, 7 + 3 * LATTICE)
"""A displacement without special properties."""

KINDS: dict[str, dict[str, Any]] = {
    "flat": {},
    "3D": {"in_3d": True, "axis_order": "yzx"},
    "neat": {"neat": True},
    "neat in 3D": {"neat": True, "in_3d": True, "rule": "sum", "max_chain": 4},
    "front first": {"order": "front_first"},
    "passing": {"overlap_policy": "leave", "max_chain": 3, "axis_order": "yxz"},
}


class Plot(NamedTuple):
    """A scene by its kind, its seed and the number of bodies."""

    kind: str
    seed: int
    count: int


def on(*kinds: str, seeds: int = 36, count: int = FEW) -> Any:
    """Run a test on one scene of the first kind; in a soak on many large scenes of all kinds in turn."""
    soaked = [Plot(kinds[seed % len(kinds)], seed, MANY) for seed in range(1, seeds + 1)]
    cases = [pytest.param(plot, id=f"{plot.kind} {plot.seed}", marks=pytest.mark.soak) for plot in soaked]
    return pytest.mark.parametrize("plot", [pytest.param(Plot(kinds[0], SEED, count), id=kinds[0]), *cases])


@lru_cache(maxsize=2 * len(KINDS))
def scene_of(plot: Plot) -> Scene:
    """Return the scene of a plot."""
    return SceneMaker(plot.seed, plot.count, **KINDS[plot.kind]).made(requests=plot.count // 15)


@lru_cache(maxsize=2 * len(KINDS))
def played(plot: Plot) -> tuple[list[Seen], str]:
    """Return what is seen of the unchanged scene, frame by frame, and the hash of its end."""
    play = Play(scene_of(plot))
    return play.frames(), play.world.state_hash()


def assert_same(expected: Iterable[Seen], actual: Iterable[Seen]) -> None:
    """Fail with the first few differences of the first frame that differs."""
    for number, (first, second) in enumerate(zip(expected, actual, strict=True), 1):
        for name, one, other in zip(Seen._fields, first, second, strict=True):
            if one != other:
                pytest.fail(f"frame {number}, {name}: {differences(one, other)}", pytrace=False)


def differences(one: Any, other: Any) -> str:
    """Return the differences of two collections in at most six lines."""
    pairs = (one.items(), other.items()) if isinstance(one, dict) else (one, other)
    first, second = (list(map(repr, each)) for each in pairs)
    lost = [f"missing {line}" for line in first if line not in set(second)]
    more = [f"unexpected {line}" for line in second if line not in set(first)]
    return "\n  ".join([f"{len(lost)} missing, {len(more)} unexpected", *lost[:3], *more[:3]])


def compare_views(view: View, plot: Plot, look: Callable[[Seen], Seen] = lambda seen: seen) -> None:
    """Compare the frames of a viewed scene with the viewed frames of the scene."""
    play = Play(view.scene(scene_of(plot)))
    assert_same([look(seen.seen(view)) for seen in played(plot)[0]], map(look, play.frames()))


def test_the_scenes_have_enough_events_to_compare():
    """Every kind of event and stop, chains of several bodies and motions along three axes occur."""
    events, reasons, chains = set(), set(), []
    for kind in KINDS:
        for seen in played(Plot(kind, SEED, FEW))[0]:
            events |= {event[0] for event in seen.events}
            reasons |= {why for result in seen.results.values() for _, _, why, *_ in result.stops}
            chains += [len(result.pushed) for result in seen.results.values()]
    wanted = "Woke Moved Pushed Blocked TriggerLeft TriggerEntered TriggerStayed FellAsleep"
    assert set(wanted.split()) == events
    assert {"FORCE", "IMMOVABLE", "CHAIN_LIMIT", "ALL_OR_NOTHING"} <= reasons
    assert max(chains) > 3
    assert sum(map(bool, chains)) > FEW // 50


# --- position, direction and names ------------------------------------------------------------------------------------


VIEWS = {
    "shifted by whole bins": View(by=(-64.0, 128.0, 0.0)),
    "shifted by an odd way": View(by=ODD),
    "other ids in the same order": View(name=lambda entity: 7 * entity + 1000),
}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
@on("flat", *KINDS)
def test_a_shifted_or_renamed_scene_has_shifted_or_renamed_results(plot, view):
    """Results do not depend on the origin and the cells (B2), except that 2D is at z = 0 (L5)."""
    compare_views(view, plot)


@pytest.mark.parametrize("flip", [(-1, 1, 1), (-1, -1, -1)], ids=["on x", "on all axes"])
@on("passing", "flat", "3D", "neat", "neat in 3D")
def test_a_mirrored_scene_has_mirrored_results(plot, flip):
    """Without `front_first`, which moves positive directions before negative ones (P10)."""
    compare_views(View(flip=flip), plot)


TURNS = [(1, 2, 0), (2, 0, 1), (1, 0, 2), (0, 2, 1), (2, 1, 0)]


@pytest.mark.parametrize("turn", [TURNS[0], *(pytest.param(turn, marks=pytest.mark.soak) for turn in TURNS[1:])])
@on("3D", *KINDS, seeds=18)
def test_axes_may_be_renamed_with_their_order(plot, turn):
    """P1 and L5: a flat scene may also stand upright; only results ordered by axis change their order."""
    compare_views(View(turn), plot, Seen.sorted)


@on("flat", *KINDS)
def test_other_ids_change_nothing_if_priorities_define_the_order(plot):
    """P10; ties between blockers are broken by id (P2), so blockers are not compared."""
    scene = scene_of(plot)
    scene = changed(scene, lambda id, parts: parts.motion and setattr(parts.motion, "priority", id * 7919 % 30011))
    names = random.Random(plot.seed).sample(range(10 * plot.count), plot.count + 1)
    view = View(name=names.__getitem__)
    seen = [nameless(seen.seen(view)).sorted() for seen in Play(scene).frames()]
    assert_same(seen, [nameless(seen).sorted() for seen in Play(view.scene(scene)).frames()])


def nameless(seen: Seen) -> Seen:
    """Return what was seen without blockers and reasons, which depend on ids in ties."""
    results = {
        entity: result._replace(
            stops=[(axis, None, "", allowed, way, ()) for axis, _, _, allowed, way, _ in result.stops]
        )
        for entity, result in seen.results.items()
    }
    events = [(*event[:2], event[3], event[5]) if event[0] == "Blocked" else event for event in seen.events]
    return seen._replace(results=results, events=events)


# --- equivalent scenes ------------------------------------------------------------------------------------------------


@on("neat", "neat in 3D")
def test_a_box_cut_in_two_is_the_same_body(plot):
    """P8: if nothing overlaps, only the union of a body's boxes matters."""
    assert_same(played(plot)[0], Play(cut(scene_of(plot), plot.seed)).frames())


def changed(scene: Scene, change: Callable[[int, Parts], object]) -> Scene:
    """Return the scene with components changed."""
    bodies = {id: copy_parts(parts) for id, parts in scene.bodies.items()}
    for id, parts in bodies.items():
        change(id, parts)
    return replace(scene, bodies=bodies)


def cut(scene: Scene, seed: int) -> Scene:
    """Return the scene with half of its boxes cut in two."""
    rng, bodies, count = random.Random(seed), {}, 0
    for id, parts in scene.bodies.items():
        collider = parts.collider
        boxes = [collider] if isinstance(collider, BoxCollider) else collider.parts
        found = [piece for box in boxes for piece in (pieces(rng, box) if rng.random() < 0.5 else [box])]
        options = {name: getattr(collider, name) for name in ("layer", "mask", "enabled")}
        made = CompoundCollider([Box(box.hx, box.hy, box.hz, offset=box.offset) for box in found], **options)
        bodies[id], count = copy_parts(parts)._replace(collider=made), count + len(found) - len(boxes)
    assert count > len(bodies) / 4
    return replace(scene, bodies=bodies)


def pieces(rng: random.Random, box: Any) -> list[Box]:
    """Return a box cut at a plane through its inside; a box without volume stays as it is."""
    axis, halves, offset = rng.randrange(3), [box.hx, box.hy, box.hz], list(box.offset)
    steps = round(halves[axis] / LATTICE)
    if steps < 2:
        return [Box(*halves, offset=tuple(offset))]
    first = rng.randrange(1, steps) * LATTICE  # half the length of the first piece
    found = []
    for half, by in ((first, first - halves[axis]), (halves[axis] - first, first)):
        spot = [at + by * (index == axis) for index, at in enumerate(offset)]
        found.append(Box(*(half if index == axis else side for index, side in enumerate(halves)), offset=tuple(spot)))
    return found


def unbounded(scene: Scene) -> Scene:
    """Return the scene without bounds."""
    return replace(scene, settings={name: value for name, value in scene.settings.items() if name != "bounds"})


def with_far_ones(scene: Scene) -> tuple[Scene, set[int]]:
    """Return the scene with a wall, a crate pushed there, a huge trigger and a sleeper far away, and their ids."""
    first, x = max(scene.bodies) + 1, 30_000.0
    far = {
        first: Parts(Transform(-x, x), BoxCollider(3000, 3000, 3000), motion=Motion(1.0), trigger=Trigger()),
        first + 1: Parts(Transform(x + 4, 5), BoxCollider(1, 1, 1), static=Static()),
        first + 2: Parts(Transform(x, 0), BoxCollider(1, 1, 1), inertia=Inertia(1.0), sleeping=Sleeping(after=2)),
        first + 3: Parts(Transform(x - 4, 0), BoxCollider(1, 1, 1), motion=Motion(5.0, priority=-1)),
    }
    actions = (Action("request", first, (1.0, 0.0, 0.0)), Action("request", first + 3, (3.0, 0.0, 0.0)))
    frames = tuple((*actions, *before) for before in scene.frames)
    return replace(scene, bodies={**far, **scene.bodies}, frames=frames), set(far)


def without(seen: Seen, ids: set[int]) -> Seen:
    """Return what was seen without these entities."""
    return Seen(
        {entity: place for entity, place in seen.places.items() if entity not in ids},
        {entity: result for entity, result in seen.results.items() if entity not in ids},
        [event for event in seen.events if event[1] not in ids],
        [pair for pair in seen.pairs if not ids.intersection(pair)],
    )


def turn_over(id: int, parts: Parts) -> None:
    """Exchange asleep and awake."""
    if parts.sleeping is not None:
        parts.sleeping.asleep = not parts.sleeping.asleep


@on("flat", *KINDS)
def test_sleeping_is_unobservable(plot):
    """S1: the same without `Sleeping`, and with other sleepers; sleep is not part of the state hash (N2)."""
    scene, (seen, state) = scene_of(plot), played(plot)
    awake = [each.awake() for each in seen]
    none = Play(replace(scene, bodies={id: parts._replace(sleeping=None) for id, parts in scene.bodies.items()}))
    assert_same(awake, [each.awake() for each in none.frames()])
    others = Play(changed(scene, turn_over))
    assert_same(awake, [each.awake() for each in others.frames()])
    assert state == others.world.state_hash()


@pytest.mark.parametrize("bin_size", [0.25, 4.0, 16.0, 64.0])
@on("3D", *KINDS, seeds=18)
def test_the_bin_size_and_the_order_of_creation_do_not_matter(plot, bin_size):
    scene = scene_of(plot)
    created = [*scene.bodies]
    random.Random(plot.seed).shuffle(created)
    assert_same(played(plot)[0], Play(scene, created=created, bin_size=bin_size).frames())


@on("neat in 3D", "neat", count=MANY)
def test_all_changes_together_change_nothing(plot):
    """Shifted, mirrored, with other axes, names, cells, sleepers and order of creation, cut boxes, distant bodies."""
    scene = unbounded(scene_of(plot))
    seen = Play(scene).frames()
    view = View((2, 0, 1), (-1, 1, -1), (*ODD[:2], 64.0), lambda entity: 3 * entity + 11)
    more, far = with_far_ones(cut(scene, plot.seed))
    more = changed(more, turn_over)
    created = [*map(view.name, more.bodies)]
    random.Random(plot.seed).shuffle(created)
    there = Play(view.scene(more), created=created, bin_size=4.0).frames()
    ids = set(map(view.name, far))
    assert 3 == sum(event[0] == "Moved" and event[1] in ids for event in there[0].events), "the distant ones are alive"
    assert_same(
        [each.seen(view).awake().sorted() for each in seen], [without(each, ids).awake().sorted() for each in there]
    )
