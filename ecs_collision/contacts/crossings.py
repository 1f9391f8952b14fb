"""Crossings within one frame: what entered and left a swept trigger between two frames (rule T4).

A straight motion moves one group along a segment (M10), on which its parts are inside during open intervals of time.
During a motion along one axis only the mover and the pushed bodies move, all in one direction. So the part of the path
on which a body is inside a trigger is a union of intervals, also if the trigger is fused to something that moves. For
a group it is the union of its members' intervals. The changes of a pair over the frame are joined from its paths. If
the frame's own Entered or Left already reports the first of them, the rest are the crossings.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Protocol

from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import SHAPED, SWEPT, TOUCHING, TRIGGER
from ecs_collision.broadphase.protocol import Index
from ecs_collision.components import Faces
from ecs_collision.contacts.overlaps import Overlaps
from ecs_collision.contacts.pair_log import PairLog
from ecs_collision.contacts.report_log import Pair, ReportLog
from ecs_collision.contacts.store import CODES
from ecs_collision.events import LeftReason
from ecs_collision.shapes.meeting import meeting
from ecs_collision.shapes.overlap import placed, separation
from ecs_collision.shapes.part import Part
from ecs_collision.shapes.ray_entry import INSIDE

Way = tuple[int, int, int]
"""The displacement of a straight segment, in units."""

Leg = tuple[int | Way, dict[int, int]]
"""One axis of a motion: the axis and the displacement of each row in units, signed. Or a straight segment, and
its rows."""

Time = int | Fraction
"""A place on the path: half units along an axis, or the part of a straight segment that is behind."""

Paths = tuple[dict[Pair, list[bool]], dict[int, set[Pair]]]
"""The states of pairs along their paths, and the pairs of each row."""

Span = tuple[Time, Time]
"""An open interval of the path."""

Spans = dict[Pair, tuple[Time, list[Span]]]
"""For one leg, by pair: the length of its path and the open intervals of overlap on it."""

_MOMENT = Fraction(1, 1 << 100)
"""Less than any two different times of a straight segment are apart."""


class Reports(Protocol):
    """The contacts that triggers report, by the rows that they report."""

    def name(self, trigger: int, other: int) -> int:
        """Return the row that a trigger reports for another row, -1 if it reports none."""

    def is_inside(self, pair: Pair) -> bool:
        """Return whether a body is reported inside a trigger and does not only linger."""

    def is_reported(self, pair: Pair) -> bool:
        """Return whether a body was reported to enter and not yet to leave."""

    def add_lingering(self, pair: Pair, frame: int) -> None:
        """Let a contact linger for the frames of its trigger after `frame` - 1."""

    def reason(self, pair: Pair) -> LeftReason:
        """Return why a contact ended in this frame, or would have."""


class Sweeps:
    """The paths of a frame past swept triggers; empty if there are none."""

    def __init__(self, bodies: Bodies, overlaps: Overlaps, reports: Reports) -> None:
        self._bodies = bodies
        self._overlaps = overlaps
        self._reports = reports
        self.changes: dict[Pair, list[bool]] = {}
        """Per (trigger row, row it is reported under): the state before the frame, then after every change."""
        self._of_row: dict[int, set[Pair]] = {}
        self._lengths: list[tuple[Pair, int]] = []
        """How many states pairs had before the last motion changed them."""

    def release(self, row: int) -> None:
        """Forget a body that is being removed."""
        for pair in self._of_row.pop(row, ()):
            self.changes.pop(pair, None)
            for other in pair:
                self._of_row.get(other, set()).discard(pair)

    def mark(self) -> Paths:
        """Return the paths so far, for `rollback`."""
        changes = {pair: list(states) for pair, states in self.changes.items()}
        return changes, {row: set(pairs) for row, pairs in self._of_row.items()}

    def rollback(self, paths: Paths) -> None:
        """Restore the paths of `mark`."""
        self.changes, self._of_row = paths

    def rollback_motion(self) -> None:
        """Remove the last motion."""
        for pair, count in reversed(self._lengths):
            if count:
                del self.changes[pair][count:]
                continue
            self.changes.pop(pair, None)
            for row in pair:
                self._of_row.get(row, set()).discard(pair)
        self._lengths.clear()

    def add_motion(self, legs: Iterable[Leg]) -> int:
        """Add a motion, leg by leg, before it is committed. If this raises, nothing is added.

        Returns the number of pairs of boxes that were tested.
        """
        self._lengths.clear()
        try:
            return self._add_legs(list(legs))
        except BaseException:
            self.rollback_motion()
            raise

    def _add_legs(self, legs: list[Leg]) -> int:
        path = _Path(self._bodies, legs)
        for axis, moves in legs:
            spans: Spans = {}
            touching: set[Pair] = set()
            for row in sorted(moves, key=self._bodies.entity):
                self._add_body(row, axis, moves, path, spans, touching)
            for pair, (length, found) in spans.items():
                merged = _merged(found)
                # A path that only begins or ends at touching changes nothing.
                if pair in touching or any(start < length and 0 < end for start, end in merged):
                    self._add_changes(pair, merged, length)
            path.advance(axis, moves)
        return path.pairs_tested

    def _add_body(
        self, row: int, axis: int | Way, moves: dict[int, int], path: _Path, spans: Spans, touching: set[Pair]
    ) -> None:
        """Add the intervals on which a row and the rows on its path overlap, each two rows once.

        `touching` are pairs that were between two adjacent boxes, where the path in counted as inside, and only touch
        as they move on another axis. If they meet nothing on that axis, they have left.
        """
        boxes = path.boxes(row)
        flags = self._bodies.columns.flags
        for other in self._rows_on_path(row, boxes, axis, moves, path):
            by = moves[row] - moves.get(other, 0)
            if by == 0:
                continue
            for trigger, body in ((other, row), (row, other)):
                if not (flags[trigger] & SWEPT and self._overlaps.reports(trigger, body)):
                    continue
                name = self._reports.name(trigger, body)
                if name >= 0:
                    pair, others = (trigger, name), path.boxes(other)
                    length = 2 * abs(by) if isinstance(axis, int) else 1
                    _, found = spans.setdefault(pair, (length, []))
                    path.pairs_tested += len(boxes) * len(others)
                    reports_touch = bool(flags[trigger] & TOUCHING)
                    is_inside = self.changes.get(pair, [False])[-1]
                    if (flags[row] | flags[other]) & SHAPED:
                        parts, other_parts = path.parts(row), path.parts(other)
                        if isinstance(axis, int):
                            found += _part_spans(parts, other_parts, axis, by, reports_touch)
                        else:
                            found += _straight_spans(parts, other_parts, axis, reports_touch)
                        touches = is_inside and _parts_touch(parts, other_parts)
                    else:
                        if isinstance(axis, int):
                            found += _spans(boxes, others, axis, by, reports_touch)
                        else:
                            found += _box_spans(boxes, others, axis, reports_touch)
                        touches = is_inside and _touch(boxes, others)
                    if touches:
                        touching.add(pair)

    def _rows_on_path(
        self, row: int, boxes: list[Faces], axis: int | Way, moves: dict[int, int], path: _Path
    ) -> list[int]:
        """Return the rows that the path of `boxes` may meet if either side is a swept trigger.

        Rows that move too are at their place on the path, not where the index has them. Of two such rows, the one with
        the lower entity id finds the pair.
        """
        found: set[int] = set()
        flags = self._bodies.columns.flags
        way = [moves[row] if each == axis else 0 for each in range(3)] if isinstance(axis, int) else axis
        indexes = (self._bodies.dynamic, *([self._bodies.static] if self._overlaps.may_meet_static(row) else []))
        for box in boxes:
            low = [face + min(by, 0) for face, by in zip(box[:3], way, strict=True)]
            high = [face + max(by, 0) for face, by in zip(box[3:], way, strict=True)]
            for index in indexes:
                found.update(_owners(index, low, high))
        mine = flags[row] & SWEPT
        found_rows = [other for other in found if other not in path.moved and (mine or flags[other] & SWEPT)]
        for other in path.moved if mine else path.swept:
            if other != row and (other not in moves or path.entities[row] < path.entities[other]):
                found_rows.append(other)
        return sorted(found_rows)

    def _add_changes(self, pair: Pair, spans: list[Span], length: Time) -> None:
        """Add the changes of one leg: `spans` are the merged open intervals of overlap."""
        inside = any(start < 0 < end for start, end in spans)
        changes = [inside]
        for start, end in spans:
            if 0 <= start < length:
                changes.append(True)
            if 0 < end <= length and (start >= 0 or inside):
                changes.append(False)
        if pair not in self.changes:
            before = self._reports.is_inside(pair)
            if changes == [False] and not before:
                return
            self._lengths.append((pair, 0))
            self.changes[pair] = [before]
            for row in pair:
                self._of_row.setdefault(row, set()).add(pair)
        else:
            self._lengths.append((pair, len(self.changes[pair])))
        states = self.changes[pair]
        for state in changes:
            if state != states[-1]:
                states.append(state)

    def finish(self, frame: int, record: ReportLog) -> None:
        """Log the crossings of the frame, after its contacts have been updated."""
        reports, entity = self._reports, self._bodies.entity
        for pair, states in self.changes.items():
            trigger, other = pair
            is_inside, reason = reports.is_inside(pair), reports.reason(pair)
            if is_inside != states[-1]:
                states.append(is_inside)
            component = self._bodies.of(trigger).trigger
            if not self._bodies.has(trigger, TRIGGER) or component is None:
                continue
            has_left = reason is not LeftReason.MOVED and _has_entry(
                record.left, entity(trigger), entity(other), reason
            )
            if component.linger and reason is not LeftReason.MOVED:  # a body that came back lingered meanwhile
                if True in states[1:] and not has_left:
                    record.crossings.append(((entity(trigger), entity(other)), (None, reason)))
                continue
            continues = is_inside and not _has_entry(record.entered, entity(trigger), entity(other))
            if (continues or has_left) and not states[0]:
                continue  # the contact still lingered, so nothing began on the path (T5)
            is_lingering = not is_inside and reports.is_reported(pair)  # no event reported that it left
            if is_lingering or (component.linger and reason is LeftReason.MOVED):
                if component.linger and not is_inside and True in states[1:]:
                    if not is_lingering:
                        record.entered.add(entity(trigger), entity(other), 0)
                    reports.add_lingering(pair, frame + 1)
                continue
            remaining = states[1:] if states[0] == is_inside else states[2:]
            if remaining:
                reasons = [None if state else LeftReason.MOVED for state in remaining]
                reasons[-1] = None if is_inside else reason
                record.crossings.append(((entity(trigger), entity(other)), tuple(reasons)))
        self.changes.clear()
        self._of_row.clear()

    def faults(self) -> Iterator[str]:
        """Yield the faults of the paths of the frame so far."""
        for pair, states in self.changes.items():
            if any(pair not in self._of_row.get(row, ()) for row in pair):
                yield "a path through a swept trigger is not listed for both of its rows"
            if any(state == before for before, state in pairwise(states)):
                yield f"the path of row {pair[1]} through the trigger in row {pair[0]} enters or leaves twice in a row"

    def records(self) -> list[tuple[int, int, bool]]:
        """Return (trigger row, other row, whether it is inside then) for each change on the paths, pair by pair.

        The state before the first change is that of the contact.
        """
        return [(*pair, state) for pair, states in self.changes.items() for state in states[1:]]

    def restore(self, changes: Iterable[tuple[int, int, bool]]) -> None:
        """Restore the paths from the changes that `records` returned. Contacts have been restored before."""
        self.changes.clear()
        self._of_row.clear()
        for trigger, other, state in changes:
            pair = (trigger, other)
            self.changes.setdefault(pair, [not state]).append(state)
            for row in pair:
                self._of_row.setdefault(row, set()).add(pair)


class _Path:
    """The displacement of the rows of one motion by its legs so far. `moved` are all rows that are displaced.

    `swept` are the swept triggers among them, which move because they are fused or are moved alone.
    """

    def __init__(self, bodies: Bodies, legs: Iterable[Leg]) -> None:
        self._bodies = bodies
        self._offsets: dict[int, list[int]] = {}
        self.moved = {row for _, moves in legs for row in moves}
        self.swept = [row for row in self.moved if bodies.columns.flags[row] & SWEPT]
        self.entities = {row: bodies.entity(row) for row in self.moved}
        self.pairs_tested = 0

    def boxes(self, row: int) -> list[Faces]:
        """Return the outer boxes of a row at its place on the path."""
        boxes, offset = self._bodies.outer_boxes(row), self._offsets.get(row)
        return boxes if offset is None else [_shifted(box, offset) for box in boxes]

    def parts(self, row: int) -> list[Part]:
        """Return the parts of a row at its place on the path."""
        parts, offset = self._bodies.parts_if_enabled(row), self._offsets.get(row)
        return parts if offset is None else [part.shifted(*offset) for part in parts]

    def advance(self, axis: int | Way, moves: dict[int, int]) -> None:
        """Add one leg."""
        for row, by in moves.items():
            offset = self._offsets.setdefault(row, [0, 0, 0])
            if isinstance(axis, int):
                offset[axis] += by
            else:
                offset[:] = [a + b for a, b in zip(offset, axis, strict=True)]


def _shifted(box: Faces, by: list[int]) -> Faces:
    x, y, z = by
    return (box[0] + x, box[1] + y, box[2] + z, box[3] + x, box[4] + y, box[5] + z)


def _owners(index: Index, low: list[int], high: list[int]) -> set[int]:
    count = index.collect(low[0], low[1], low[2], high[0], high[1], high[2])
    owner, hits = index.boxes.owner, index.hits
    return {owner[hits[at]] for at in range(count)}


def _spans(moving: list[Faces], still: list[Faces], axis: int, by: int, touching: bool) -> list[Span]:
    """Return the intervals of the path, in half units, on which any two boxes meet.

    Intervals are open; if touching counts, the closed interval is widened by half a unit at either side.
    """
    spans: list[Span] = []
    for a in moving:
        for b in still:
            touch_count = 0
            for across in range(3):
                if across != axis and not (a[across] < b[across + 3] and b[across] < a[across + 3]):
                    apart = a[across] > b[across + 3] or b[across] > a[across + 3]
                    touch_count += 2 if apart else 1
            if touch_count > (1 if touching else 0):
                continue
            if by > 0:
                start, end = 2 * (b[axis] - a[axis + 3]), 2 * (b[axis + 3] - a[axis])
            else:
                start, end = 2 * (a[axis] - b[axis + 3]), 2 * (a[axis + 3] - b[axis])
            if touching and touch_count == 0:
                start, end = start - 1, end + 1
            if start < end:  # two plates without thickness never overlap (L4)
                spans.append((start, end))
    return spans


def _touch(some: list[Faces], others: list[Faces]) -> bool:
    """Return whether any two boxes share a face (L4)."""
    for a in some:
        for b in others:
            gaps = [max(b[axis] - a[axis + 3], a[axis] - b[axis + 3]) for axis in range(3)]
            if max(gaps) == 0 and gaps.count(0) == 1:
                return True
    return False


def _has_entry(log: PairLog, first: int, second: int, reason: LeftReason = LeftReason.MOVED) -> bool:
    """Return whether a log has an entry of a pair; a body that had the same id may have left as DELETED."""
    return log.count > 0 and (first, second, CODES[reason]) in log.rows()


def _merged(spans: list[Span]) -> list[Span]:
    """Return the intervals with adjacent ones merged: moving between adjacent boxes of a body is not leaving."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


# Parts other than boxes.


def _part_spans(moving: Iterable[Part], still: Iterable[Part], axis: int, by: int, touching: bool) -> list[Span]:
    """Return the intervals of the path, in half units, on which any two parts meet, as `_spans` for boxes.

    Positions on the path are whole numbers, so it is enough to know between which of them an overlap begins or ends:
    exactly there if it begins at a whole number, else half a unit beside it (H5).
    """
    spans = [_span(a, b, axis, by, touching) for a in moving for b in still]
    return [span for span in spans if span is not None]


def _parts_touch(some: Iterable[Part], others: Iterable[Part]) -> bool:
    """Return whether any two parts touch."""
    return any(_separation(a, b) == 1 for a in some for b in others)


def _separation(a: Part, b: Part) -> int:
    return int(separation(placed(a), placed(b)))


def _span(a: Part, b: Part, axis: int, by: int, touching: bool) -> Span | None:
    if a.matrix is not None or b.matrix is not None:
        return _turned_span(a, b, axis, by)
    radius = a.radius + b.radius
    square = radius * radius  # of how far the surfaces reach beyond the cores along the axis
    touch_count = 0
    for across in range(3):
        if across == axis:
            continue
        gap = max(b.core[across] - a.core[across + 3], a.core[across] - b.core[across + 3])
        square -= max(gap, 0) ** 2
        touch_count += gap == 0 and radius == 0
    if square < 0 or touch_count > touching:
        return None
    if by > 0:
        start, end = b.core[axis] - a.core[axis + 3], b.core[axis + 3] - a.core[axis]
    else:
        start, end = a.core[axis] - b.core[axis + 3], a.core[axis + 3] - b.core[axis]
    reach = math.isqrt(square)
    if reach * reach != square:  # the overlap begins between two positions
        return 2 * (start - reach) - 1, 2 * (end + reach) + 1
    start, end = 2 * (start - reach), 2 * (end + reach)
    if touching and touch_count == 0:
        start, end = start - 1, end + 1
    elif radius and not square:
        return None  # it only touches
    return (start, end) if start < end else None


def _turned_span(a: Part, b: Part, axis: int, by: int) -> Span | None:
    """Return the interval of two parts of which one is turned. They overlap on one stretch, since both are convex."""
    length, sign = abs(by), 1 if by > 0 else -1
    step = [0, 0, 0]
    step[axis] = sign

    def overlap(at: int) -> bool:
        return _separation(a.shifted(step[0] * at, step[1] * at, step[2] * at), b) == 0

    inside = 0 if overlap(0) else length if overlap(length) else _first_inside(a, b, axis, by, overlap)
    if inside is None:
        return None
    first = _last_true(overlap, inside, 0)
    last = _last_true(overlap, inside, length)
    return 2 * first - 1, 2 * last + 1


def _first_inside(a: Part, b: Part, axis: int, by: int, overlap: Callable[[int], bool]) -> int | None:
    """Return a position at which the parts overlap, None if there is none, or none of whole units."""
    displacement = [0, 0, 0]
    displacement[axis] = by
    met = meeting(placed(a), (displacement[0], displacement[1], displacement[2]), placed(b))
    if met is None:
        return None
    (when, parts), _ = met
    near = when * abs(by) // parts
    return next((at for at in range(near, near + 3) if 0 <= at <= abs(by) and overlap(at)), None)


def _last_true(overlap: Callable[[int], bool], inside: int, towards: int) -> int:
    """Return the last position from one inside towards another at which the parts overlap."""
    if overlap(towards):
        return towards
    outside = towards
    while abs(outside - inside) > 1:
        middle = (outside + inside) // 2
        if overlap(middle):
            inside = middle
        else:
            outside = middle
    return inside


# Straight segments: places on the path are parts of the segment, from 0 to 1.


def _box_spans(moving: Iterable[Faces], still: Iterable[Faces], way: Way, touching: bool) -> list[Span]:
    """Return the intervals of a straight segment on which any two boxes meet, as `_spans`."""
    spans = [_box_span(a, b, way, touching) for a in moving for b in still]
    return [span for span in spans if span is not None]


def _box_span(a: Faces, b: Faces, way: Way, touching: bool) -> Span | None:
    starts, ends, touch_count = [], [], 0
    for axis, by in enumerate(way):
        before, behind = b[axis] - a[axis + 3], b[axis + 3] - a[axis]
        if by == 0:
            if before > 0 or behind < 0:
                return None
            touch_count += before == 0 or behind == 0
            continue
        times = (Fraction(before, by), Fraction(behind, by))
        starts.append(min(times))
        ends.append(max(times))
    start, end = max(starts), min(ends)
    if touch_count > touching:
        return None
    if touching and touch_count == 0:  # at an edge they do not touch (L4)
        start -= _MOMENT if starts.count(start) == 1 else 0
        end += _MOMENT if ends.count(end) == 1 else 0
    return (start, end) if start < end else None


def _straight_spans(moving: Iterable[Part], still: Iterable[Part], way: Way, touching: bool) -> list[Span]:
    """Return the intervals of a straight segment on which any two parts meet."""
    spans = [_straight_span(a, b, way, touching) for a in moving for b in still]
    return [span for span in spans if span is not None]


def _straight_span(a: Part, b: Part, way: Way, touching: bool) -> Span | None:
    """Return the interval of two convex parts: from where they meet to where they meet on the way back."""
    is_turned = a.matrix is not None or b.matrix is not None
    if not is_turned and a.radius + b.radius == 0:
        return _box_span(a.core, b.core, way, touching)
    x, y, z = way
    begins = meeting(placed(a), way, placed(b))
    ends = meeting(placed(a.shifted(x, y, z)), (-x, -y, -z), placed(b))
    if begins is None or ends is None:
        return None
    start = Fraction(-1) if begins[0] == INSIDE else Fraction(*begins[0])
    end = Fraction(2) if ends[0] == INSIDE else 1 - Fraction(*ends[0])
    if touching and not is_turned:
        start, end = start - _MOMENT, end + _MOMENT
    return (start, end) if start < end else None
