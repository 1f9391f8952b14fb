"""`DebugView`: what there is to see of a live world, as plain shapes for any library that can draw.

While a view is attached, it receives the calls to the world (`instrument.py`) and the questions to its space
(`questions.py`). Without one nothing is recorded. A view changes no result: it reads the state as it was when changes
were applied last, and applies and wakes nothing.
"""

from __future__ import annotations

import textwrap
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

from ecs_collision.access import asking
from ecs_collision.bodies.drawn import kind_of
from ecs_collision.debug.body_shapes import BodyShapes, Rectangle
from ecs_collision.debug.chain_shapes import blockers_of, bodies_of, chain_shapes, stop_shapes
from ecs_collision.debug.contact_shapes import contact_shapes
from ecs_collision.debug.event_labels import KINDS, EventLabels
from ecs_collision.debug.index_shapes import IndexShapes
from ecs_collision.debug.instrument import Act, Listener, Watched, listen, world_of
from ecs_collision.debug.layers import DEFAULT_LAYERS, Layer
from ecs_collision.debug.questions import Asked, watch_questions
from ecs_collision.drawing import Drawn, Label, Line, contains
from ecs_collision.errors import CollisionTypeError, CollisionValueError
from ecs_collision.fixed_point import LATTICE, finite, is_whole, number, shown, whole
from ecs_collision.game.game import Game
from ecs_collision.results import MoveResult

MAX_ASKED = 1000
"""Maximum number of questions kept between two pictures."""

VELOCITY_SECONDS = 0.25
"""An arrow shows the way of this many seconds."""

PANEL_WIDTH = 64
"""Maximum number of characters in a line of the panel."""

_NOTHING: Mapping[int, MoveResult] = MappingProxyType({})


class DebugView(Listener):
    """Shapes of a live world, from above, in world units; y grows downwards.

    target: a CollisionSystem, CollisionWorld, Game, Puzzle or Board. layers: what is drawn; change the set at any time.
    names: names of entities for labels, by id; a game knows its own. fade_frames: how long an event is shown.
    `selected` is the entity that is described in the panel, or None. Attached until `close()`; also a context manager.
    """

    def __init__(
        self,
        target: Watched,
        *,
        layers: Iterable[Layer | str] = DEFAULT_LAYERS,
        names: Mapping[int, str] | None = None,
        fade_frames: int = 45,
    ) -> None:
        self._world = world = world_of(target)
        self._access = world._access
        self.layers = layers
        self.fade_frames = whole(fade_frames, "fade_frames", minimum=0)
        self.selected: int | None = None
        self._name_of = _names_of(target, names)
        self._bodies, self._index = BodyShapes(world._bodies), IndexShapes(world._bodies, world.space)
        self._events = EventLabels(self._bodies, self._name_of)
        self._results: dict[int, MoveResult] = {}
        self._last: Mapping[int, MoveResult] = _NOTHING
        self._asked: deque[Asked] = deque(maxlen=MAX_ASKED)
        self._shown_asked: list[Asked] = []
        self._drawn_frame = self._frame_of_last = -1
        self._timed_before = world.stats.timing
        self._ends: list[Callable[[], None]] = [listen(world, self), watch_questions(world, self._asked.append)]

    @property
    def layers(self) -> set[Layer]:
        """The layers that are drawn: a set that may be changed, or assigned from any layers or their names."""
        return self._layers

    @layers.setter
    def layers(self, layers: Iterable[Layer | str]) -> None:
        if isinstance(layers, str) or not isinstance(layers, Iterable):
            raise CollisionTypeError(f"layers is {shown(layers)}; give a set, such as {{Layer.BODIES, Layer.PUSHES}}")
        self._layers = set(map(_layer, layers))

    @property
    def is_closed(self) -> bool:
        """Whether `close` was called."""
        return not self._ends

    def close(self) -> None:
        """Detach from the world, which is then as if it never had a view. Closing twice does nothing."""
        if self._ends:
            self._world.stats.timing = self._timed_before
        while self._ends:
            self._ends.pop()()

    def __enter__(self) -> DebugView:
        self._check_open()
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def __repr__(self) -> str:
        state = ", ".join(layer for layer in Layer if layer in self.layers) if self._ends else "closed"
        return f"DebugView({len(self._world._bodies)} bodies; {state})"

    # What is drawn.

    def toggle(self, layer: Layer | str) -> bool:
        """Switch a layer, and return whether it is on now."""
        self.layers ^= {_layer(layer)}
        return layer in self.layers

    @asking
    def shapes(self, x0: float, y0: float, x1: float, y1: float, alpha: float = 1.0) -> list[Drawn]:
        """Return what is in a rectangle of the world, in the order of drawing.

        alpha: the part of a step that is left over, for a game that draws with `interpolated`: bodies, their names,
        pushes and velocities are then where it draws them. 1.0 is where they are.

        Bodies are found by the index: the cost depends on what is in the rectangle, except for the layer DISABLED,
        which takes O(bodies). Raises CollisionValueError for an empty rectangle, and after `close()`.
        """
        area = _area(x0, y0, x1, y1)
        part = finite(alpha, "alpha", minimum=0.0, maximum=1.0)
        self._check_open()
        self._bodies.interpolate(part, self._world.frame._displacement_of)
        self._next_picture()
        world, mark = self._world, 0.025 * (area[2] - area[0])
        entities, centre = self._bodies.entities_in(area), self._bodies.centre
        makers: dict[Layer, Callable[[], Iterable[Drawn]]] = {
            Layer.REGIONS: lambda: self._index.regions(area),
            Layer.CELLS: lambda: self._index.cells(area),
            Layer.BODIES: lambda: self._bodies.draw(entities),
            Layer.DISABLED: lambda: self._bodies.draw(self._bodies.disabled_in(area)),
            Layer.GROUPS: lambda: self._bodies.joined(entities),
            Layer.VELOCITIES: lambda: self._velocities(entities),
            Layer.CONTACTS: lambda: contact_shapes(world, entities, mark),
            Layer.RAYS: lambda: (shape for asked in self._shown_asked for shape in asked.shapes(mark)),
            Layer.BLOCKERS: lambda: self._blockers(entities),
            Layer.PUSHES: lambda: self._pushes(entities),
            Layer.NAMES: lambda: [Label("text", centre(id), self._name_of(id)) for id in entities],
            Layer.EVENTS: lambda: self._events.labels(area, world.frame_number, self.fade_frames),
        }
        found = [shape for layer, make in makers.items() if layer in self.layers for shape in make()]
        if self.selected in world._bodies.row_of:
            assert self.selected is not None
            found += self._bodies.outline(self.selected, "selected")
        lines = [part for line in self._panel() for part in textwrap.wrap(line, PANEL_WIDTH, subsequent_indent="  ")]
        return [*found, Label("panel", area[:2], "\n".join(lines), corner=True)] if lines else found

    def counters(self) -> list[str]:
        """Return the counters of the last frame and the milliseconds of its phases, as lines."""
        stats = self._world.stats
        counts = {name: getattr(stats, name) for name in ("bodies", "awake", "cells")}
        names = ("moved", "expansions", "pairs_tested", "cells_visited", "bin_changes", "static_changes", "simulated")
        counts |= {name: value for name in (*names, "impulses", "resting") if (value := getattr(stats, name))}
        texts = [f"{name.replace('_', ' ')} {value:,}" for name, value in counts.items()]
        rows = ["   ".join(texts[at : at + 3]) for at in range(0, len(texts), 3)]
        return [f"frame {stats.frame:,}", *rows, *(f"{name} {ms:.2f} ms" for name, ms in stats.phases.items())]

    # What a body is.

    @asking
    def pick(self, x: float, y: float) -> int | None:
        """Return the body at a point that is drawn last, at any height, or None."""
        x, y = number(x, "x"), number(y, "y")
        around = (x - LATTICE, y - LATTICE, x + LATTICE, y + LATTICE)
        found = [
            entity
            for entity in self._bodies.entities_in(around)
            if any(contains(part, (x, y)) for part in self._bodies.outline(entity, ""))
        ]
        return max(found, key=lambda entity: (self._bodies.height(entity), entity), default=None)

    @asking
    def describe(self, entity: int) -> list[str]:
        """Return lines about a body: name, id and kind, its components, and what its last motion did and why."""
        bodies = self._world._bodies
        row = bodies.row(entity)
        parts, name = bodies.of(row), self._name_of(entity)
        title = name if name == f"entity {entity}" else f"{name}, entity {entity}"
        lines = [f"{title}: {kind_of(parts)}", *(repr(part) for part in parts if part is not None)]
        if bodies.group_links.is_fused(row):
            others = [self._name_of(bodies.entity(each)) for each in bodies.group_links.rows_of(row) if each != row]
            lines.append("fused to " + ", ".join(sorted(others)))
        if entity in self._results:
            lines.append(self._results[entity].explain())
        lines += [
            f"pushed by {self._name_of(pusher)}: {result.explain()}"
            for pusher, result in self._last.items()
            if entity in result.pushed
        ]
        return lines

    # Details.

    def _check_open(self) -> None:
        if self.is_closed:
            raise CollisionValueError("the view is closed; make a new DebugView(target)")

    def _next_picture(self) -> None:
        """Choose the questions to show: those since the last picture, or more of them if no frame has run since."""
        frame = self._world.frame_number
        if frame != self._drawn_frame:
            self._shown_asked, self._drawn_frame = [], frame
        self._shown_asked = [*self._shown_asked, *self._asked][-MAX_ASKED:]
        self._asked.clear()
        self._world.stats.timing = self._timed_before or Layer.COUNTERS in self.layers

    def _panel(self) -> list[str]:
        lines = self.counters() if Layer.COUNTERS in self.layers else []
        if self.selected in self._world._bodies.row_of:
            assert self.selected is not None
            lines += ([""] if lines else []) + self.describe(self.selected)
        return lines

    def _velocities(self, entities: list[int]) -> Iterator[Drawn]:
        bodies = self._world._bodies
        for row in [bodies.row_of[entity] for entity in entities]:
            velocity = bodies.of(row).velocity if row in bodies.moving_rows else None
            if velocity is not None and (velocity.x or velocity.y):
                x, y = [at * LATTICE for at in self._bodies.position(row)]
                end = x + VELOCITY_SECONDS * velocity.x, y + VELOCITY_SECONDS * velocity.y
                yield Line("velocity", (x, y), end, True)

    def _seen(self, entities: list[int]) -> list[MoveResult]:
        """Return the last results that pushed or stopped at something and are about a body in sight.

        Those about bodies that are gone are left out.
        """
        row_of, seen = self._world._bodies.row_of, set(entities)
        found = [(each, bodies_of(each)) for each in self._last.values() if each.blocked or each.pushed]
        return [result for result, all in found if not seen.isdisjoint(all) and all <= row_of.keys()]

    def _pushes(self, entities: list[int]) -> Iterator[Drawn]:
        for result in self._seen(entities):
            yield from chain_shapes(result, self._bodies.centre, self._bodies.above)

    def _blockers(self, entities: list[int]) -> Iterator[Drawn]:
        results = self._seen(entities)
        for blocker in blockers_of(results):
            yield from self._bodies.outline(blocker, "blocker")
        for result in results:
            yield from stop_shapes(result, self._bodies.centre, self._bodies.below)

    def _after(self, act: Act) -> None:
        if act.error is not None:
            return
        if act.kind == "back":
            self._results, self._last, self._shown_asked = {}, _NOTHING, []
            self._events.clear()
        elif act.kind == "move" and act.result is not None:
            self._note({act.entity: act.result})
        elif act.frame is not None:
            if act.frame.results:
                self._note(act.frame.results)
            if Layer.EVENTS in self.layers and not act.frame.quiet:
                self._events.add(act.frame._events_of(KINDS))

    def _note(self, results: Mapping[int, MoveResult]) -> None:
        """Keep results of motions, and forget those of bodies that are gone. All since a frame are the last ones."""
        frame = self._world.frame_number
        self._last = {**self._last, **results} if frame == self._frame_of_last else results
        self._frame_of_last = frame
        self._results.update(results)
        row_of = self._world._bodies.row_of
        if len(self._results) > 2 * len(row_of) + 100:
            self._results = {entity: result for entity, result in self._results.items() if entity in row_of}


def _layer(given: Layer | str) -> Layer:
    try:
        return Layer(given)
    except ValueError:
        raise CollisionValueError(f"{shown(given)} is not a layer; the layers are {', '.join(Layer)}") from None


def _area(x0: float, y0: float, x1: float, y1: float) -> Rectangle:
    """Return a checked rectangle."""
    area = number(x0, "x0"), number(y0, "y0"), number(x1, "x1"), number(y1, "y1")
    if not (area[0] < area[2] and area[1] < area[3]):
        raise CollisionValueError(
            f"the rectangle from ({shown(x0)}, {shown(y0)}) to ({shown(x1)}, {shown(y1)}) is empty; give the upper "
            "left corner first: x0 < x1 and y0 < y1"
        )
    return area


def _names_of(target: object, names: Mapping[int, str] | None) -> Callable[[int], str]:
    """Return what names entities."""
    if names is not None:
        if not isinstance(names, Mapping):
            raise CollisionTypeError(f"names is {shown(names)}; give a dictionary of names by entity id")
        wrong = [key for key in names if not is_whole(key)]
        if wrong:
            raise CollisionTypeError(f"names has the key {shown(wrong[0])}; give names by id, as {{1: 'player'}}")
        return lambda entity: names.get(entity, f"entity {entity}")
    game = getattr(target, "game", target)
    return game._names.display_name if isinstance(game, Game) else "entity {}".format
