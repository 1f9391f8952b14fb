"""Ten thousand bodies looked at in two ways: what must not matter does not, and what must be mirrored is.

No oracle is asked: a scene is changed in a way of which the rules foretell the effect, and every place, result and
event of some frames with hundreds of motions must be the changed one. To build ten thousand bodies takes longer than to
play them: so `make test` shows each change of two thousand, and all changes together of ten thousand; `make soak` each
of ten thousand, in scene after scene. Fewer where the kernels are plain Python.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import pytest
from boards import trials
from thousands import UNIT, Box, Deed, Figure, Maker, Play, Scene, Seen, View

MANY = max(trials(10_000), 1000)
FEW = max(trials(2_000), 500)

KINDS: dict[str, dict[str, Any]] = {
    "flat": {},
    "tall": {"tall": True, "axis_order": "yzx"},
    "neat": {"neat": True},
    "neat and tall": {"neat": True, "tall": True, "rule": "sum", "max_chain": 4},
    "front first": {"order": "front_first", "overlap_policy": "block_deeper"},
    "deeper": {"overlap_policy": "block_deeper", "max_chain": 3, "axis_order": "yxz"},
}


class Plot(NamedTuple):
    """Which scene: its kind, its seed and the number of its bodies."""

    kind: str
    seed: int
    count: int


def on(*kinds: str, seeds: int = 36, count: int = FEW) -> Any:
    """Run a test on one scene of the first kind; in a soak on many large ones of all kinds by turns."""
    soaked = [Plot(kinds[seed % len(kinds)], seed, MANY) for seed in range(1, seeds + 1)]
    cases = [pytest.param(plot, id=f"{plot.kind} {plot.seed}", marks=pytest.mark.soak) for plot in soaked]
    return pytest.mark.parametrize("plot", [pytest.param(Plot(kinds[0], 0, count), id=kinds[0]), *cases])


@lru_cache(maxsize=2 * len(KINDS))
def scene_of(plot: Plot) -> Scene:
    """Return a scene."""
    return Maker(plot.seed, plot.count, **KINDS[plot.kind]).scene(asks=plot.count // 25)


@lru_cache(maxsize=2 * len(KINDS))
def played(plot: Plot) -> tuple[list[Seen], str]:
    """Return what is seen of a scene as it is, frame by frame, and the hash of its end."""
    play = Play(scene_of(plot))
    return play.frames(), play.world.state_hash()


def assert_same(expected: Iterable[Seen], actual: Iterable[Seen]) -> None:
    """Fail with the first few differences of the first frame that differs."""
    for number, (mine, yours) in enumerate(zip(expected, actual, strict=True), 1):
        for name, one, other in zip(Seen._fields, mine, yours, strict=True):
            if one != other:
                pytest.fail(f"frame {number}, {name}: {differences(one, other)}", pytrace=False)


def differences(one: Any, other: Any) -> str:
    """Return where two collections differ, three lines of it."""
    pairs = (one.items(), other.items()) if isinstance(one, dict) else (one, other)
    mine, yours = (list(map(repr, each)) for each in pairs)
    lost = [f"missing {line}" for line in mine if line not in set(yours)]
    more = [f"unexpected {line}" for line in yours if line not in set(mine)]
    return "\n  ".join([f"{len(lost)} missing, {len(more)} unexpected", *lost[:3], *more[:3]])


def as_seen(view: View, plot: Plot, look: Callable[[Seen], Seen] = lambda seen: seen) -> None:
    """Play a scene as a view shows it; what is seen must be what is seen of the scene itself, as the view shows it."""
    play = Play(view.scene(scene_of(plot)))
    assert_same([look(seen.seen(view)) for seen in played(plot)[0]], map(look, play.frames()))


def test_the_scenes_are_lively_enough_to_compare_anything():
    """Every kind of event and stop, chains of several bodies and motions along three axes occur in them."""
    events, reasons, chain = set(), set(), 0
    for kind in ("flat", "tall", "deeper"):
        for seen in played(Plot(kind, 0, FEW))[0]:
            events |= {event[0] for event in seen.events}
            reasons |= {why for result in seen.results.values() for _, _, why, _ in result.stops}
            chain = max([chain, *(len(result.pushed) for result in seen.results.values())])
            assert len(seen.results) > FEW // 50
            assert sum(bool(result.pushed) for result in seen.results.values()) > FEW // 1000
    wanted = "Woke Moved Pushed Blocked TriggerLeft TriggerEntered TriggerStayed FellAsleep"
    assert set(wanted.split()) == events
    assert {"FORCE", "IMMOVABLE", "CHAIN_LIMIT", "ALL_OR_NOTHING"} <= reasons
    assert chain > 3


# --- where, which way round, and under which names --------------------------------------------------------------------


@pytest.mark.parametrize(
    "by",
    [(-64 * UNIT, 128 * UNIT, 0), (77 * UNIT + 12345, -999 * UNIT - 1, 7 * UNIT + 3)],
    ids=["by whole bins", "by an odd way"],
)
@on("flat", *KINDS)
def test_a_scene_plays_alike_elsewhere(plot, by):
    """Nothing depends on where the origin and the cells lie (B2), except that z = 0 is where 2D plays (L5)."""
    as_seen(View(by=by), plot)


@pytest.mark.parametrize("flip", [(-1, 1, 1), (-1, -1, -1)], ids=["on x", "on all axes"])
@on("deeper", "flat", "tall", "neat", "neat and tall")
def test_a_mirrored_scene_plays_as_in_a_mirror(plot, flip):
    """Not `front_first`: there positive ways go before negative ones (P10)."""
    as_seen(View(flip=flip), plot)


TURNS = [(1, 2, 0), (2, 0, 1), (1, 0, 2), (0, 2, 1), (2, 1, 0)]


@pytest.mark.parametrize("turn", [TURNS[0], *(pytest.param(turn, marks=pytest.mark.soak) for turn in TURNS[1:])])
@on("tall", *KINDS, seeds=18)
def test_axes_may_be_renamed_with_their_order(plot, turn):
    """P1 and L5: a flat scene stands upright as well; only what is ordered by axis comes in another order."""
    as_seen(View(turn), plot, Seen.sorted)


@on("front first", *KINDS)
def test_other_ids_in_the_same_order_change_nothing_but_the_names(plot):
    as_seen(View(name=lambda entity: 7 * entity + 1000), plot)


@on("flat", *KINDS)
def test_any_other_ids_change_nothing_where_priorities_say_who_is_first(plot):
    """P10; but ties between blockers are broken by id (P2), so who is named is not compared."""
    scene = scene_of(plot)
    scene = replace(scene, figures=tuple(replace(each, priority=each.entity * 7919 % 30011) for each in scene.figures))
    names = random.Random(plot.seed).sample(range(10 * plot.count), plot.count + 1)
    view = View(name=names.__getitem__)
    seen = [nameless(seen.seen(view)).sorted() for seen in Play(scene).frames()]
    assert_same(seen, [nameless(seen).sorted() for seen in Play(view.scene(scene)).frames()])


def nameless(seen: Seen) -> Seen:
    """Return what was seen without who blocked, and why: of several it may be another."""
    results = {
        entity: result._replace(stops=[(axis, None, "", allowed) for axis, _, _, allowed in result.stops])
        for entity, result in seen.results.items()
    }
    events = [(*event[:2], event[3]) if event[0] == "Blocked" else event for event in seen.events]
    return seen._replace(results=results, events=events)


# --- what stands for the same thing -----------------------------------------------------------------------------------


@on("neat", "neat and tall")
def test_a_box_cut_in_two_is_the_same_body(plot):
    """P8: where nothing overlaps, only the union of a body's boxes matters."""
    assert_same(played(plot)[0], Play(cut(scene_of(plot), plot.seed)).frames())


def cut(scene: Scene, seed: int) -> Scene:
    """Return the scene with half of its boxes cut in two."""
    dice = random.Random(seed)
    figures = tuple(replace(each, boxes=pieces(dice, each.boxes)) for each in scene.figures)
    assert sum(len(each.boxes) for each in figures) > 4 / 3 * sum(len(each.boxes) for each in scene.figures)
    return replace(scene, figures=figures)


def pieces(dice: random.Random, boxes: tuple[Box, ...]) -> tuple[Box, ...]:
    """Return the boxes with some of them cut at a plane through their inside."""
    found: list[Box] = []
    for box in boxes:
        axis = dice.randrange(3)
        at = dice.randrange(box.lo[axis] + 1, box.hi[axis])
        put = lambda end, axis=axis, at=at: tuple(at if index == axis else v for index, v in enumerate(end))  # noqa: E731
        found += [Box(box.lo, put(box.hi)), Box(put(box.lo), box.hi)] if dice.random() < 0.5 else [box]
    return tuple(found)


@on("tall", *KINDS)
def test_what_is_far_away_changes_nothing(plot):
    """A wall, a crate pushed there, a huge trigger and a sleeper, far off; and what they do is their own affair."""
    scene = replace(scene_of(plot), bounds=None)
    more, ids = with_far_ones(scene)
    there = Play(more).frames()
    assert 3 == sum(event[0] == "Moved" and event[1] in ids for event in there[0].events), "they are alive"
    assert_same(Play(scene).frames(), [without(seen, ids) for seen in there])


def with_far_ones(scene: Scene) -> tuple[Scene, set[int]]:
    """Return the scene with a few bodies far off in it, and their ids."""
    first = max(figure.entity for figure in scene.figures) + 1
    x, box, small = 30_000 * UNIT, Box((-UNIT, -UNIT, -UNIT), (UNIT, UNIT, UNIT)), Box((-9,) * 3, (9,) * 3)
    far = (
        Figure(first, (-x, x, 0), (Box((-3000 * UNIT,) * 3, (3000 * UNIT,) * 3),), trigger={}, force=1.0),
        Figure(first + 1, (x + 4 * UNIT, 5, 0), (box,), static=True),
        Figure(first + 2, (x, 0, 0), (box,), inertia=(1.0, 1.0, 1.0), after=2),
        Figure(first + 3, (x - 4 * UNIT, 0, 0), (box, small), force=5.0, priority=-1),
    )
    deeds = (Deed("ask", first, (UNIT, 0, 0)), Deed("ask", first + 3, (3 * UNIT, 0, 0)))
    frames = tuple((*deeds, *before) for before in scene.frames)
    more = replace(scene, figures=(*far, *scene.figures), frames=frames)
    return more, {figure.entity for figure in far}


def without(seen: Seen, ids: set[int]) -> Seen:
    """Return what was seen of others."""
    return Seen(
        {entity: place for entity, place in seen.places.items() if entity not in ids},
        {entity: result for entity, result in seen.results.items() if entity not in ids},
        [event for event in seen.events if event[1] not in ids],
        [pair for pair in seen.pairs if not ids.intersection(pair)],
    )


@on("flat", *KINDS)
def test_sleeping_is_unobservable(plot):
    """S1: the same without `Sleeping`, and with other sleepers; those who sleep are no part of the state (N2)."""
    scene, (seen, state) = scene_of(plot), played(plot)
    awake = [each.awake() for each in seen]
    none = Play(replace(scene, figures=tuple(replace(each, after=None) for each in scene.figures)))
    assert_same(awake, [each.awake() for each in none.frames()])
    others = Play(replace(scene, figures=tuple(replace(each, asleep=not each.asleep) for each in scene.figures)))
    assert_same(awake, [each.awake() for each in others.frames()])
    assert state == others.world.state_hash()


@pytest.mark.parametrize("bin_size", [0.25, 4.0, 16.0, 64.0])
@on("tall", *KINDS, seeds=18)
def test_the_bin_size_does_not_matter(plot, bin_size):
    play = Play(scene_of(plot), bin_size=bin_size)
    assert_same(played(plot)[0], play.frames())


@on("tall", *KINDS)
def test_who_was_made_first_does_not_matter(plot):
    scene, (seen, state) = scene_of(plot), played(plot)
    made = [figure.entity for figure in scene.figures]
    random.Random(plot.seed).shuffle(made)
    play = Play(scene, made=made)
    assert_same(seen, play.frames())
    assert state == play.world.state_hash()


@on("neat and tall", "neat", count=MANY)
def test_all_of_this_together_changes_nothing(plot):
    """Elsewhere, mirrored, with other axes, names, cells, sleepers and order of birth, boxes cut, others far away."""
    scene = replace(scene_of(plot), bounds=None)
    seen = Play(scene).frames()
    view = View((2, 0, 1), (-1, 1, -1), (77 * UNIT + 12345, -999 * UNIT - 1, 64 * UNIT), lambda entity: 3 * entity + 11)
    more, far = with_far_ones(cut(scene, plot.seed))
    more = replace(more, figures=tuple(replace(each, asleep=not each.asleep) for each in more.figures))
    made = [view.name(figure.entity) for figure in more.figures]
    random.Random(plot.seed).shuffle(made)
    there = Play(view.scene(more), made=made, bin_size=4.0).frames()
    ids = set(map(view.name, far))
    assert_same(
        [each.seen(view).awake().sorted() for each in seen],
        [without(each, ids).awake().sorted() for each in there],
    )
