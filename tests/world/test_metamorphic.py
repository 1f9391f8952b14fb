"""Metamorphic tests with a thousand bodies: a changed scene must have the correspondingly changed results.

There is no oracle: a scene is changed in ways whose effect follows from the rules, and all positions, results and
events of some frames with hundreds of motions must change accordingly. All changes are made together, since each is
found that way too. `make soak` tries many scenes of ten thousand bodies. Plain Python kernels use fewer bodies.
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


def on(*kinds: str) -> Any:
    """Run a test on one scene of each kind; in a soak on many large scenes of all kinds in turn."""
    soaked = [Plot(kinds[seed % len(kinds)], seed, MANY) for seed in range(1, 37)]
    cases = [pytest.param(plot, id=f"{plot.kind} {plot.seed}", marks=pytest.mark.soak) for plot in soaked]
    return pytest.mark.parametrize("plot", [*(pytest.param(Plot(kind, SEED, FEW), id=kind) for kind in kinds), *cases])


@lru_cache(maxsize=2 * len(KINDS))
def scene_of(plot: Plot) -> Scene:
    """Return the scene of a plot; neat ones have no bounds, which hold the part of a cut box that is inside."""
    scene = SceneMaker(plot.seed, plot.count, **KINDS[plot.kind]).made(requests=plot.count // 15)
    if "neat" in plot.kind:
        scene = replace(scene, settings={**scene.settings, "bounds": None})
    return scene


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


@on("flat")
def test_sleeping_is_unobservable(plot):
    """S1: the same without `Sleeping`, and with other sleepers; sleep is not part of the state hash (N2)."""
    scene, (seen, state) = scene_of(plot), played(plot)
    awake = [each.awake() for each in seen]
    none = Play(replace(scene, bodies={id: parts._replace(sleeping=None) for id, parts in scene.bodies.items()}))
    assert_same(awake, [each.awake() for each in none.frames()])
    others = Play(changed(scene, turn_over))
    assert_same(awake, [each.awake() for each in others.frames()])
    assert state == others.world.state_hash()


def compare(plot: Plot, view: View, bin_size: float, look: Callable[[Seen], Seen] = Seen.awake) -> None:
    """Compare the viewed frames of a scene with those of the viewed scene, in which all is changed that has no effect.

    Sleepers (S1), cells (B2), the order of creation, distant bodies; if nothing overlaps, boxes are cut in two (P8).
    """
    scene, far = scene_of(plot), set[int]()
    more = changed(cut(scene, plot.seed) if "neat" in plot.kind else scene, turn_over)
    if not scene.settings.get("bounds"):
        more, far = with_far_ones(more)
    created, ids = [*map(view.name, more.bodies)], set(map(view.name, far))
    random.Random(plot.seed).shuffle(created)
    there = Play(view.scene(more), created=created, bin_size=bin_size).frames()
    moved = sum(event[0] == "Moved" and event[1] in ids for event in there[0].events)
    assert moved == (3 if ids else 0), "the distant ones are alive"
    assert_same([look(each.seen(view)) for each in played(plot)[0]], [look(without(each, ids)) for each in there])


@on(*KINDS)
def test_a_shifted_mirrored_and_renamed_scene_has_such_results_in_the_same_order(plot):
    """Results do not depend on the origin (B2) nor on ids in the same order; `front_first` is not mirrored (P10)."""
    flip = (1, 1, 1) if plot.kind == "front first" else (-1, -1, -1)
    compare(plot, View(flip=flip, by=ODD, name=lambda entity: 7 * entity + 1000), bin_size=0.25)


@on(*KINDS)
def test_a_scene_with_other_axes_has_such_results(plot):
    """P1 and L5: a flat scene may also stand upright; only results ordered by axis change their order."""
    turn = random.Random(plot.seed).choice([(1, 2, 0), (2, 0, 1), (1, 0, 2), (0, 2, 1), (2, 1, 0)])
    view = View(turn, by=(-64.0, 128.0, 64.0), name=lambda entity: 3 * entity + 11)
    compare(plot, view, bin_size=4.0, look=lambda seen: seen.awake().sorted())
