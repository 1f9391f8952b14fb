"""Hypothesis strategies for scenes, pushes and boards.

    from ecs_collision.testing import strategies as cst

    @given(cst.pushed_scenes(max_bodies=4))
    def test_crates_keep_apart(drawn):
        scene, pushes = drawn
        ...

All values are valid, depend on Hypothesis only, and have a `repr` that recreates them. Numbers are multiples of `step`,
so nothing is rounded. Examples shrink to few bodies near the origin, of one box each.

This module needs Hypothesis; no other module imports it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ecs_collision.components import (
    RULES,
    AnyPart,
    Box,
    BoxCollider,
    Capsule,
    CapsuleCollider,
    Collider,
    Component,
    CompoundCollider,
    Contact,
    Fused,
    Inertia,
    Motion,
    OneWay,
    OrientedBox,
    OrientedBoxCollider,
    Parts,
    Rotation,
    Sleeping,
    Sphere,
    SphereCollider,
    Static,
    Transform,
    Trigger,
    fields_of,
)
from ecs_collision.errors import CollisionError, CollisionValueError, how_to_install
from ecs_collision.fixed_point import to_units
from ecs_collision.levels.level import listed
from ecs_collision.settings import FRONT_FIRST, OVERLAP_POLICIES
from ecs_collision.shapes.overlap import PlacedPart, placed, separation
from ecs_collision.testing.scenes import Push, Scene

try:
    from hypothesis import strategies as st
    from hypothesis.strategies import DrawFn, SearchStrategy
except ImportError as missing:

    class MissingHypothesis(CollisionError, ImportError):
        """Hypothesis is not installed; the message says how to get it."""

    raise MissingHypothesis(
        "ecs_collision.testing.strategies needs hypothesis, which is not installed; run: " + how_to_install("testing")
    ) from missing

Vector = tuple[float, float, float]
Components = tuple[Component, ...]

KINDS = ("crate", "wall", "player", "rock", "zone", "sleeper", "cart", "reporter")
"""Kinds of bodies: pushable; static; moving and pushable; immovable; a trigger; pushable and sleeping; on rails;
pushable and reporting its contacts."""

FORCES = (1.0, 2.0, 0.5, 3.0, 0.0, float("inf"))
"""Forces and inertias to choose from. Equal ones occur often, because an equal force does not push."""

_NO_BODY: SearchStrategy[Components] = st.just(())
_FORCES = st.sampled_from(FORCES)
_RULES, _CHAINS, _FLAGS = st.sampled_from(RULES), st.integers(0, 3), st.booleans()

_MAX_SHIFTS = 64
"""An overlapping body is moved right by up to this many steps, and then beyond all others along y."""


def coordinates(reach: float = 4.0, step: float = 0.5) -> SearchStrategy[float]:
    """Return multiples of `step` from -reach to reach."""
    count = int(reach / step)
    return st.integers(-count, count).map(lambda number: number * step)


def positions(reach: float = 4.0, step: float = 0.5, *, depth: bool = False) -> SearchStrategy[Vector]:
    """Return positions; depth: whether z may differ from 0."""
    flat = coordinates(reach, step)
    return st.tuples(flat, flat, st.just(0.0) | flat if depth else st.just(0.0))


def halves(max_half_extent: float = 1.5, step: float = 0.5) -> SearchStrategy[float]:
    """Return half extents: `step` and multiples of it, up to `max_half_extent`."""
    return st.integers(1, max(1, int(max_half_extent / step))).map(lambda number: number * step)


def colliders(
    max_half_extent: float = 1.5, step: float = 0.5, *, boxes: int = 3, depth: bool = False,
    layers: Sequence[str] = ("default",), masks: bool = False, shapes: bool = False,
) -> SearchStrategy[Collider]:  # fmt: skip
    """Return colliders: a box, or a compound of up to `boxes` boxes.

    max_half_extent: the largest half extent. layers: names to choose from; masks: whether colliders may have a mask.
    shapes: whether spheres, capsules and oriented boxes occur too.
    """
    side = halves(max_half_extent, step)
    sides = st.tuples(side, side, st.just(0.5) | side if depth else st.just(0.5))
    offsets = positions(2 * max_half_extent, step, depth=depth)
    axes = st.sampled_from("xyz" if depth else "xy")
    more = st.fixed_dictionaries({"layer": st.sampled_from(list(layers))} | ({"mask": _masks(layers)} if masks else {}))
    turns = rotations(depth=depth)
    placed: list[SearchStrategy[AnyPart]] = [
        st.builds(lambda half, at: Box(half[0], half[1], half[2], at), sides, offsets)
    ]
    single: list[SearchStrategy[Collider]] = [st.builds(lambda half, more: BoxCollider(*half, **more), sides, more)]
    if shapes:
        placed += [
            st.builds(Sphere, side, offsets),
            st.builds(Capsule, side, side, axes, offsets, turns),
            st.builds(lambda half, at, turn: OrientedBox(half[0], half[1], half[2], at, turn), sides, offsets, turns),
        ]
        single += [
            st.builds(lambda radius, more: SphereCollider(radius, **more), side, more),
            st.builds(lambda *sizes: CapsuleCollider(*sizes[:3], **sizes[3]), side, side, axes, more),
            st.builds(lambda half, more: OrientedBoxCollider(*half, **more), sides, more),
        ]
    if boxes > 1:
        parts = st.lists(st.one_of(placed), min_size=2, max_size=boxes)
        single.append(st.builds(lambda parts, more: CompoundCollider(parts, **more), parts, more))
    return st.one_of(single)


def rotations(*, depth: bool = False) -> SearchStrategy[Rotation]:
    """Return rotations: None, quarter turns, and others; depth: whether they may be about axes other than z."""
    angles: SearchStrategy[Rotation] = st.none() | st.sampled_from([math.pi / 2, math.pi / 4, -math.pi / 4, 0.3, 1.0])
    quaternions = [(1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0), (1.0, 1.0, 1.0, 1.0), (0.5, 0.25, 0.0, 1.0)]
    return angles | st.sampled_from(quaternions) if depth else angles


def _masks(layers: Sequence[str]) -> SearchStrategy[frozenset[str] | None]:
    return st.none() | st.frozensets(st.sampled_from(list(layers)))


def forces() -> SearchStrategy[float]:
    """Return forces or inertias from a short list, so that equal ones are common."""
    return _FORCES


def triggers(layers: Sequence[str] = ("default",)) -> SearchStrategy[Trigger]:
    """Return `Trigger` components with any options."""
    flags = {each.name: st.booleans() for each in fields_of(Trigger) if each.default is False}
    return st.builds(Trigger, mask=_masks(layers), linger=st.integers(0, 2), **flags)


def contacts(layers: Sequence[str] = ("default",)) -> SearchStrategy[Contact]:
    """Return `Contact` components with any options."""
    return st.builds(Contact, linger=st.integers(0, 2), mask=_masks(layers))


def bodies(
    kinds: Sequence[str] = KINDS, *, reach: float = 4.0, max_half_extent: float = 1.5, step: float = 0.5,
    boxes: int = 3, depth: bool = False, layers: Sequence[str] = ("default",), masks: bool = False,
    shapes: bool = False, one_way: bool = False,
) -> SearchStrategy[Components]:  # fmt: skip
    """Return bodies as tuples: a Transform, a collider, and the components of one of `kinds` (see KINDS).

    shapes: whether spheres, capsules and oriented boxes occur, which may be turned. one_way: whether bodies may have a
    `OneWay`.
    """
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown or not kinds:
        raise CollisionValueError(f"kinds is {list(kinds)!r}; choose from {listed(KINDS)}")
    places = positions(reach, step, depth=depth)
    drawn = colliders(max_half_extent, step, boxes=boxes, depth=depth, layers=layers, masks=masks, shapes=shapes)
    further = st.one_of([_further(kind, layers) for kind in kinds])
    if one_way:
        sides = st.sampled_from(["up", "down", "left", "right"])
        ways: SearchStrategy[Components] = st.just(()) | st.tuples(st.builds(OneWay, sides))
        further = st.builds(lambda more, way: (*more, *way), further, ways)
    turns = rotations(depth=depth) if shapes else st.none()
    return st.builds(_body, places, drawn, turns, further)


def _body(at: Vector, collider: Collider, rotation: Rotation, more: Components) -> Components:
    """Return a body; one with a box does not turn (E8)."""
    parts = collider.parts if isinstance(collider, CompoundCollider) else (collider,)
    turns = not any(isinstance(part, Box | BoxCollider) for part in parts)
    return (Transform(*at, rotation=rotation if turns else None), collider, *more)


def _further(kind: str, layers: Sequence[str]) -> SearchStrategy[Components]:
    """Return the further components of a kind of body."""
    inertias = st.builds(Inertia, _FORCES)
    further: dict[str, tuple[SearchStrategy[Component], ...]] = {
        "crate": (inertias,),
        "wall": (st.builds(Static),),
        "player": (st.builds(Motion, _FORCES, st.integers(0, 2)), inertias),
        "rock": (),
        "zone": (triggers(layers),),
        "sleeper": (inertias, st.builds(Sleeping, st.booleans(), st.integers(1, 3))),
        "reporter": (inertias, contacts(layers)),
        "cart": (st.builds(lambda axis, by: Inertia(**{axis: by}), st.sampled_from("xy"), _FORCES),),
    }
    return st.tuples(*further[kind])


def world_settings() -> SearchStrategy[dict[str, Any]]:
    """Return settings of a world: push rule, chain limit, axis order, overlap policy and bounds."""
    usual = {
        "rule": _RULES,
        "max_chain": st.none() | _CHAINS,
        "axis_order": st.sampled_from(["xyz", "yxz", "zyx"]),
        "overlap_policy": st.sampled_from(OVERLAP_POLICIES),
        "bounds": st.none() | st.integers(2, 10).map(lambda far: ((-far, -far), (far, far))),
    }
    whole = {"all_or_nothing": _FLAGS} | usual
    front = {"order": st.just(FRONT_FIRST)} | usual
    return st.fixed_dictionaries({}, optional=whole) | st.fixed_dictionaries({}, optional=front)


def scenes(
    max_bodies: int = 6, *, min_bodies: int = 1, overlapping: bool = False, kinds: Sequence[str] = KINDS,
    settings: SearchStrategy[dict[str, Any]] | Mapping[str, Any] | None = None, fused: bool = False, **more: Any,
) -> SearchStrategy[Scene]:  # fmt: skip
    """Return scenes; `scene.world()` and `scene.spawn()` create any number of worlds.

    overlapping: whether solid bodies may overlap at the start; otherwise overlapping ones are moved to the right.
    settings: those of the world, or a strategy such as `world_settings()`. fused: whether bodies may be fused. more: as
    for `bodies`.
    """
    step = None if overlapping else more.get("step", 0.5)
    chosen = settings if isinstance(settings, SearchStrategy) else st.builds(dict, st.just(settings or {}))
    body = bodies(kinds, **more)
    needed = st.lists(body, min_size=min_bodies, max_size=min_bodies)
    # Optional bodies can be shrunk away anywhere in the list; a plain list shrinks only at its end.
    perhaps = st.integers(0, 4).flatmap(lambda chance: body if chance else _NO_BODY)
    further = st.lists(perhaps, max_size=max_bodies - min_bodies)
    partner = st.integers(0, 2 * max_bodies) if fused else st.just(0)
    partners = st.lists(partner, min_size=max_bodies, max_size=max_bodies)
    return st.builds(_scene, chosen, needed, further, partners, st.just(step))


def _scene(
    settings: dict[str, Any], needed: list[Components], further: list[Components], partners: list[int],
    step: float | None,
) -> Scene:  # fmt: skip
    """Return a scene; step: distance by which overlapping bodies are moved right, None if they may overlap.

    partners: for each body the number of an earlier body to fuse it to, if neither is Static. So there are no cycles.
    """
    found: dict[int, Parts] = {}
    for id, components in enumerate([one for one in needed + further if one], 1):
        parts, to = Parts.of(components), partners[id - 1]
        if to in found and parts.static is None and found[to].static is None:
            parts = parts._replace(fused=Fused(to))
        if step is not None:
            _make_room(parts, list(found.values()), step)
        found[id] = parts
    return Scene(found, settings)


def _make_room(parts: Parts, others: Sequence[Parts], step: float) -> None:
    """Move a solid body to the right until it overlaps no other."""
    place = parts.transform
    assert place is not None
    solid = [other for other in others if other.trigger is None]
    for _ in range(_MAX_SHIFTS):
        if parts.trigger is not None or not any(_overlap(parts, other) for other in solid):
            return
        place.x += step
    tops = [box[4] for other in solid for box in _faces(other)]
    place.y += max(tops) - min(box[1] for box in _faces(parts))  # no room in this row


def _overlap(a: Parts, b: Parts) -> bool:
    return any(separation(one, other) == 0 for one, other in itertools.product(_placed_parts(a), _placed_parts(b)))


def _placed_parts(parts: Parts) -> list[PlacedPart]:
    """Return the parts of a body in the world."""
    assert parts.transform is not None and parts.collider is not None
    x, y, z = map(to_units, parts.transform.position)
    return [placed(part.shifted(x, y, z)) for part in parts.collider._form(parts.transform.rotation).all_parts]


def _faces(parts: Parts) -> list[tuple[float, ...]]:
    """Return the bounds of the parts of a body as low x, y, z, high x, y, z in world units."""
    assert parts.transform is not None and parts.collider is not None
    units, at = 2.0**16, parts.transform.position
    boxes = parts.collider._form(parts.transform.rotation).boxes
    return [tuple(face / units + at[axis % 3] for axis, face in enumerate(box)) for box in boxes]


def pushes(
    scene: Scene, *, reach: float = 4.0, step: float = 0.5, depth: bool = False, overriding: bool = False
) -> SearchStrategy[Push]:
    """Return pushes of the bodies of a scene that are not Static; raises CollisionValueError if there are none.

    overriding: whether a push may override rule, max_chain and all_or_nothing of the world, and pass through one-way
    bodies.
    """
    if all(parts.static is not None for parts in scene.bodies.values()):
        raise CollisionValueError("the scene has only Static bodies, so none can be pushed; draw it with other kinds")
    return _drawn_pushes(reach, step, depth, overriding).map(lambda drawn: drawn.in_scene(scene))


class _DrawnPush(NamedTuple):
    """A push of the body with this index among those that can be pushed."""

    number: int
    by: Vector
    force: float
    options: dict[str, Any]

    def in_scene(self, scene: Scene) -> Push:
        """Return the push of a body of the scene; a force is given only if the body has no Motion."""
        able = [id for id, parts in scene.bodies.items() if parts.static is None]
        entity = able[self.number % len(able)]
        force = {"force": self.force} if scene.bodies[entity].motion is None else {}
        return Push(entity, self.by, force | self.options)


def _drawn_pushes(reach: float, step: float, depth: bool, overriding: bool) -> SearchStrategy[_DrawnPush]:
    own = {"rule": _RULES, "max_chain": _CHAINS, "all_or_nothing": _FLAGS, "through": _FLAGS} if overriding else {}
    options = st.fixed_dictionaries({}, optional=own)
    return st.builds(_DrawnPush, st.integers(0, 7), positions(reach, step, depth=depth), forces(), options)


def pushed_scenes(
    max_bodies: int = 6, max_pushes: int = 4, *, kinds: Sequence[str] = KINDS, overriding: bool = False, **more: Any
) -> SearchStrategy[tuple[Scene, list[Push]]]:
    """Return scenes with pushes to make in them, one after another; more: as for `scenes`."""
    if not set(kinds) - {"wall"}:
        raise CollisionValueError(f"kinds is {list(kinds)!r}, so no body can be pushed; add one of {listed(KINDS)}")
    drawn = _drawn_pushes(4.0, more.get("step", 0.5), more.get("depth", False), overriding)
    return st.builds(_pushed, st.lists(drawn, max_size=max_pushes), scenes(max_bodies, kinds=kinds, **more))


def _pushed(drawn_pushes: Sequence[_DrawnPush], scene: Scene) -> tuple[Scene, list[Push]]:
    if not scene.bodies:
        return scene, []
    if all(parts.static is not None for parts in scene.bodies.values()):
        first = scene.bodies[1]._replace(static=None, inertia=Inertia(1.0))
        scene = Scene({**scene.bodies, 1: first}, scene.settings)
    return scene, [drawn.in_scene(scene) for drawn in drawn_pushes]


@st.composite
def boards(
    draw: DrawFn, /, width: int = 6, height: int = 4, letters: Sequence[str] = "...#$_", *, once: str = "@"
) -> str:
    """Draw a board of at most this many columns and rows, for `board(...)` or the map of a level.

    letters: contents of a cell; the first is the simplest, repeated ones occur more often. once: letters that occur
    exactly once.
    """
    if width < 1 or height < 1 or width * height < len(once):
        raise CollisionValueError(
            f"a board of {width} by {height} cells has no room for {once!r}; give more cells or fewer letters"
        )
    rows = draw(st.integers(1, height))
    columns = draw(st.integers(max(1, -(-len(once) // rows)) if rows * width >= len(once) else width, width))
    rows = max(rows, -(-len(once) // columns))
    cells = draw(st.lists(st.sampled_from(list(letters)), min_size=rows * columns, max_size=rows * columns))
    places = draw(st.lists(st.integers(0, rows * columns - 1), min_size=len(once), max_size=len(once), unique=True))
    for letter, place in zip(once, places, strict=True):
        cells[place] = letter
    return "\n".join("".join(cells[row * columns : (row + 1) * columns]) for row in range(rows))


def moves(letters: str = "RLDU", max_length: int = 12) -> SearchStrategy[str]:
    """Return letters of turns, for `board.play` or a puzzle."""
    return st.lists(st.sampled_from(letters), max_size=max_length).map("".join)
