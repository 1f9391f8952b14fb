"""`CollisionWorld`: the public calls of the engine without an ECS. `step()` runs a frame."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ecs_collision.access import asking, changing
from ecs_collision.bodies import Bodies
from ecs_collision.bodies.columns import ASKS, TRIGGER
from ecs_collision.broadphase.choices import broad_phase_of
from ecs_collision.components import (
    Carries,
    Character,
    Collider,
    Contact,
    Fused,
    Grips,
    Inertia,
    Lifetime,
    Mass,
    Material,
    Motion,
    Mover,
    OneWay,
    Parts,
    Path,
    Rule,
    Sleeping,
    Static,
    Transform,
    Trigger,
    Vector,
    Velocity,
    vector,
)
from ecs_collision.dynamics import StepArguments
from ecs_collision.dynamics.arguments import apply_impulse, step_arguments
from ecs_collision.errors import CollisionTypeError, CollisionValueError, InvariantError, ReentryError, explained
from ecs_collision.events import Event
from ecs_collision.fixed_point import finite, flag, items_of, shown, whole
from ecs_collision.movement import MovementArguments
from ecs_collision.movement.arguments import movement_arguments
from ecs_collision.push import MotionRequest
from ecs_collision.query import Space
from ecs_collision.query.arguments import PointLike, Side
from ecs_collision.results import MoveResult
from ecs_collision.settings import Settings, takes_settings
from ecs_collision.world.arguments import raise_position_fault, read_ids, read_positions
from ecs_collision.world.frame import NO_RESULTS, Frame, Plan
from ecs_collision.world.stats import Stats
from ecs_collision.world.step import Step

if TYPE_CHECKING:
    import numpy.typing

    from ecs_collision.doctor import Advice, Finding
    from ecs_collision.world.snapshots import Snapshots


class CollisionWorld:
    """Bodies that push each other and triggers that report, stepped frame by frame.

    The arguments are settings; see `__init__`. `space` answers queries.
    """

    @takes_settings
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._bodies = Bodies(self._settings.bin_shift, broad_phase_of(self._settings.broad_phase))
        self._before_changes: Callable[[], None] | None = None
        self._bodies.refresh = self._refresh
        self.space = Space(self._bodies)
        self._step = Step(self._bodies, self._settings)
        self._access = self._step.access
        self._motions, self._requests = self._step.motions, self._step.motions.requests
        self._snapshots: Snapshots | None = None
        self._undelivered: tuple[Event, ...] = ()  # of past frames; snapshots contain them
        self._next_id = 1

    # Bodies.

    @changing
    @explained("world.add(transform=Transform(0, 0), collider=BoxCollider(0.5, 0.5))")
    def add(
        self,
        id: int | None = None,
        *,
        transform: Transform,
        collider: Collider,
        inertia: Inertia | None = None,
        motion: Motion | None = None,
        sleeping: Sleeping | None = None,
        static: Static | None = None,
        trigger: Trigger | None = None,
        fused: Fused | None = None,
        velocity: Velocity | None = None,
        mass: Mass | None = None,
        material: Material | None = None,
        contact: Contact | None = None,
        mover: Mover | None = None,
        character: Character | None = None,
        one_way: OneWay | None = None,
        carries: Carries | None = None,
        grips: Grips | None = None,
        path: Path | None = None,
        lifetime: Lifetime | None = None,
    ) -> int:
        """Add a body and return its id, by default the next free one; raises naming every fault."""
        entity = -1 if id is None else whole(id, "id", minimum=0)
        self._apply_changes()
        if id is None:
            while self._next_id in self._bodies.row_of:
                self._next_id += 1
            entity = self._next_id
        elif entity in self._bodies.row_of:
            raise CollisionValueError(f"entity {entity} is already a body; remove it first or choose another id")
        try:
            first = (transform, collider, inertia, motion, sleeping, static, trigger, fused, velocity, mass, material)
            parts = Parts(*first, contact, mover, character, one_way, carries, grips, path, lifetime)
            self._stage(entity, parts)
            self._apply_changes()
        except BaseException:
            self._step.changes.unstage(entity)
            raise
        return entity

    @changing
    def _add_all(self, bodies: Sequence[Parts], ids: Sequence[int]) -> None:
        """Add many bodies at once: all of them, or none and an error naming every fault.

        ids: one free id per body, all different; `reserve` returns such ids.
        """
        entities, given = read_ids(ids, "ids of add_all"), items_of(bodies)
        self._apply_changes()
        if given is None or not all(isinstance(parts, Parts) for parts in given):
            raise CollisionTypeError(
                f"bodies of add_all must be a sequence of Parts, not {shown(bodies)}; give for example "
                "[Parts(Transform(0, 0), BoxCollider(0.5, 0.5))]"
            )
        if len(entities) != len(given):
            raise CollisionValueError(f"add_all got {len(given)} bodies and {len(entities)} ids; give one id per body")
        ordered = sorted(entities)
        for before, entity in zip([-1, *ordered], ordered, strict=False):
            if entity in self._bodies.row_of or entity == before:
                raise CollisionValueError(f"entity {entity} is already a body; remove it first or choose another id")
        try:
            for entity, parts in zip(entities, given, strict=True):
                self._stage(entity, parts)
            self._apply_changes()
        except BaseException:
            for entity in entities:
                self._step.changes.unstage(entity)
            raise

    def _reserve(self, count: int) -> list[int]:
        """Return the next free ids; `add` does not choose them for other bodies."""
        found: list[int] = []
        wanted = whole(count, "count", minimum=0)
        while len(found) < wanted:
            if self._next_id not in self._bodies.row_of:
                found.append(self._next_id)
            self._next_id += 1
        return found

    def _unreserve(self, ids: Sequence[int]) -> None:
        """Undo the last `reserve` if none of its ids is a body yet."""
        given = read_ids(ids, "ids of unreserve")
        if given and given[-1] == self._next_id - 1 and not any(id in self._bodies.row_of for id in given):
            self._next_id = given[0]

    @changing
    def remove(self, id: int) -> None:
        """Remove a body; triggers report that it left, and its contacts end. Raises if another body is fused to it."""
        self._apply_changes()
        entity = self._bodies.entity(self._bodies.row(id))
        try:
            self._stage(entity, None)
            self._apply_changes()
        except BaseException:
            self._step.changes.unstage(entity)
            raise

    def _stage(self, id: int, parts: Parts | None, faults: tuple[str, ...] = ()) -> None:
        """Stage the components of entity `id`, or its removal (None), for when changes are applied next.

        faults: reasons found so far why the components are invalid; they are reported with all others.
        """
        self._step.changes.stage(id, parts, faults)

    @property
    def pending(self) -> bool:
        """Whether there are staged or written changes that have not been applied."""
        return self._step.changes.pending

    def _set_before_changes(self, hook: Callable[[], None]) -> None:
        """Set a function that is called before changes are applied, to stage more of them."""
        self._before_changes = hook
        self._bodies.dirty_transforms.watched = True

    @property
    def reports_overlaps(self) -> bool:
        """Whether frames report solid bodies that begin to overlap, as `Overlapped` (T11); set it, default False.

        Bodies that overlap when it is set are not reported, except before the first frame. A `CollisionSystem` sets it
        for its subscribers. Costs a search for each body that was written, and nothing while it is False.
        """
        return self._step.solid_overlaps.is_tracking

    @reports_overlaps.setter
    @changing
    def reports_overlaps(self, reports: bool) -> None:
        if flag(reports, "reports_overlaps") == self.reports_overlaps:
            return
        if not reports:
            self._step.solid_overlaps.stop()
            return
        if self.frame_number:
            self._apply_changes()
        self._step.track_overlaps()

    @asking
    def apply_changes(self) -> None:
        """Apply staged and written changes: all of them, or none and an error that lists every fault (L3)."""
        self._apply_changes()

    def _apply_changes(self) -> None:
        """Apply changes inside a call, unless a frame or a hook runs."""
        if self._bodies.dirty_transforms.may_apply():
            self._refresh()

    def _refresh(self) -> None:
        if self._before_changes is not None:
            self._before_changes()
        if self._bodies.dirty_transforms.count or self._bodies.dirty_transforms.staged:
            self._step.apply_changes()

    def _release_all(self) -> None:
        """Unbind every component. Call it when the world will not be used again."""
        for row in list(self._bodies.rows()):
            self._bodies.unbind(row)
        self._step.changes.staged.clear()

    def _repr_html_(self) -> str:
        """Return a picture of all bodies from above, for notebooks."""
        from ecs_collision.bodies.drawn import picture_of

        self.apply_changes()
        return picture_of(self._bodies)

    # Motions.

    def move(
        self,
        id: int,
        dx: float = 0.0,
        dy: float = 0.0,
        dz: float = 0.0,
        *,
        force: float | None = None,
        rule: Rule | None = None,
        max_chain: int | None = None,
        all_or_nothing: bool | None = None,
        through: bool = False,
        straight: bool | None = None,
    ) -> MoveResult:
        """Move a body now, as far as its force and the bodies in its way allow, and return the result.

        force: by default that of the body's Motion, 0 without one. through: whether this motion passes through `OneWay`
        bodies, to drop from a platform (M5). straight: along the straight line, pushing nothing (M10); by default as
        its Mover says. Cost: O(bodies met and cells that they cross).
        """
        result: MoveResult = self._motions.move(
            id, dx, dy, dz, force, rule, max_chain, all_or_nothing, through, straight
        )
        return result

    @changing
    def plan(
        self,
        id: int,
        dx: float = 0.0,
        dy: float = 0.0,
        dz: float = 0.0,
        *,
        force: float | None = None,
        rule: Rule | None = None,
        max_chain: int | None = None,
        all_or_nothing: bool | None = None,
        through: bool = False,
        straight: bool | None = None,
    ) -> Plan:
        """Return what `move` would do, without moving anything (P17); `commit()` carries it out."""
        request = self._requests.from_arguments(
            id, dx, dy, dz, force, rule, max_chain, all_or_nothing, through, straight
        )
        self._step.end_quiet_frames()
        return Plan(self, self._motions.preview(request), lambda: self._perform(request))

    def _perform(self, request: MotionRequest) -> MoveResult:
        self._step.end_quiet_frames()
        result: MoveResult = self._motions.perform(request)
        return result

    @changing
    def request(self, id: int, dx: float = 0.0, dy: float = 0.0, dz: float = 0.0) -> None:
        """Add a displacement to the request of a body's Motion, for the next frame."""
        self._apply_changes()
        motion = self._bodies.of(self._bodies.row(id)).motion
        if motion is None:
            raise CollisionValueError(
                f"entity {id} has no Motion, so it cannot request one; add Motion(force=...), "
                "or move it at once with system.move(...)"
            )
        motion.move(dx, dy, dz)

    @changing
    def teleport(self, id: int, x: float, y: float, z: float | None = None) -> None:
        """Set the position of a body; nothing is pushed, and what is on the way is ignored (P12). None keeps z."""
        self._apply_changes()
        transform = self._bodies.transform(self._bodies.row(id))
        try:
            transform.position = (x, y) if z is None else (x, y, z)
            self._apply_changes()
        except BaseException:
            if transform._row >= 0:  # a number whose conversion failed may have removed the body
                self._bodies.placement.revert(array("i", [transform._row]))
            raise

    @changing
    def set_positions(self, ids: Iterable[int], positions: numpy.typing.ArrayLike) -> None:
        """Teleport many bodies at once, to the rows of an (m, 2) or (m, 3) array; all or nothing.

        With two columns z stays; if an id is given twice, its last row counts. Cost: O(m); a NumPy array of numbers
        needs no call per body, other sequences are checked number by number.
        """
        entities, table = read_positions(ids, positions)
        self._apply_changes()
        rows, placement = self._bodies.rows_of(entities), self._bodies.placement
        try:
            wrong = placement.write(rows, table.data)
            if wrong >= 0:
                raise_position_fault(entities[wrong], table[wrong])
            self._apply_changes()
        except BaseException:
            placement.revert(rows)
            raise

    # Dynamics.

    @changing
    def step_dynamics(self, dt: float, *, gravity: Iterable[float] = (0.0, 0.0), substeps: int = 4) -> None:
        """Move the bodies with Velocity and Mass by one step of `dt` seconds: all of them, or none if it raises (I).

        gravity: in units per second squared. The new positions count as written (P12): events follow in the next frame.
        More substeps cost more, and make high stacks stiffer. O(1) while all bodies sleep.
        """
        self._step_dynamics(step_arguments(dt, gravity, substeps))

    @changing
    def _step_dynamics(self, arguments: StepArguments) -> None:
        """Run a step with checked arguments."""
        if self._access.in_delivery:
            raise ReentryError(
                "a handler of collision events called step_dynamics(); call it after process() has returned"
            )
        self._apply_changes()
        self._step.step_dynamics(arguments)

    @changing
    def apply_impulse(self, id: int, impulse: Iterable[float], point: Iterable[float] | None = None) -> None:
        """Change the velocity of a body with Velocity and Mass by impulse / mass, at once.

        point: where the impulse acts, in the world, by default at the centre of mass; elsewhere it also turns a body
        that can turn. Raises CollisionValueError, naming the remedy, for a body that steps do not move (I1).
        """
        by, at = vector(impulse, "impulse"), None if point is None else vector(point, "point")
        self._apply_changes()
        apply_impulse(self._bodies, self._bodies.row(id), by, at)

    # Movement.

    @changing
    def step_movement(self, dt: float, *, gravity: Iterable[float] = (0.0, 0.0)) -> None:
        """Run one step of movement of `dt` seconds: bodies with Velocity and Motion, paths, lifetimes (rules M).

        gravity: in units per second squared. All of them move, or none if it raises. Bodies whose Lifetime ends are
        removed. The events are those of the coming frame. O(1) while nothing moves.
        """
        if self._step_movement(movement_arguments(dt, gravity), True):
            self._apply_changes()

    @changing
    def _step_movement(self, arguments: MovementArguments, removes: bool) -> list[int]:
        """Run a step with checked arguments; returns the entities whose Lifetime has ended.

        removes: stage their removal; otherwise it is for the caller.
        """
        if self._access.in_delivery:
            raise ReentryError(
                "a handler of collision events called step_movement(); call it after process() has returned"
            )
        self._apply_changes()
        return self._step.step_movement(arguments, removes)

    # The frame.

    def step(self) -> Frame:
        """Run one frame and return what happened since the last one.

        A frame in which nothing changed returns before any phase, in the same time at any number of bodies.
        """
        return self._step.run(self._before_changes)

    @property
    def frame(self) -> Frame:
        """The last finished frame."""
        return self._step.frame

    @property
    def frame_number(self) -> int:
        """The number of the last finished frame."""
        return self._step.number

    @property
    def version(self) -> int:
        """Number of changes of state: applied changes, and motions that displaced a body."""
        return self._step.version

    # Snapshots.

    def _get_snapshots(self) -> Snapshots:
        """Return the Snapshots of this world. Its module is imported on first use, because most games take none."""
        if self._snapshots is None:
            from ecs_collision.world.snapshots import Snapshots

            self._snapshots = Snapshots(self._step)
        return self._snapshots

    @changing
    def snapshot(self) -> bytes:
        """Return the whole state as bytes, for `restore`: equal states give equal bytes with any history (N1).

        Of the hook can_push it contains only whether there is one. O(bodies).
        """
        self._apply_changes()
        return self._get_snapshots().take(self._undelivered)

    @changing
    def restore(self, data: bytes) -> None:
        """Restore the state of a snapshot; the simulation then continues exactly as it did after the snapshot (N1).

        The world must have the same bodies with the same types of components, and the same settings. Field values may
        differ; they are restored in the existing component instances. Staged bodies are applied first, pending writes
        are discarded, plans become stale, and no events fire. If the snapshot does not fit, SnapshotError names the
        differences and nothing changes. O(bodies).
        """
        if self._before_changes is not None:
            self._before_changes()
        if self._step.changes.staged:
            self._step.apply_changes()
        frame = Frame(0, None, NO_RESULTS, self.stats)
        undelivered = self._get_snapshots().restore(data)
        frame.number = self._step.number
        self._undelivered, self._step.frame = undelivered, frame

    @changing
    def state_hash(self) -> str:
        """Return a hash of the state, equal for equal states on every platform; 32 hexadecimal digits (N2).

        It leaves out the frame number, the sleep state and the remainders of rounding.
        """
        self._apply_changes()
        return self._get_snapshots().digest()

    # Results and queries.

    @property
    def stats(self) -> Stats:
        """The counters of the last finished frame; set `stats.timing = True` for milliseconds per phase."""
        return self._step.stats

    @property
    @asking
    def events(self) -> list[Event]:
        """The events of the last finished frame, in the order of delivery."""
        return self.frame.events

    @asking
    def events_array(self, kind: type[Event]) -> numpy.typing.NDArray[numpy.int64]:
        """Return the two bodies of each event of a kind in the last finished frame: int64 ids of shape (events, 2).

        The rows are in the order of `events`. The columns are the first two fields of the kind behind `frame`: trigger
        and other of TriggerEntered, TriggerStayed and TriggerLeft; a and b of ContactBegan, ContactEnded, Impact and
        Overlapped; entity and other of Crossed; entity and by of Pushed and Crushed. Any other kind raises
        CollisionTypeError. O(events), and for triggers and contacts much faster than `events`, which makes an object
        for each.
        """
        return self.frame.events_array(kind)

    @property
    def results(self) -> Mapping[int, MoveResult]:
        """The result of each request of the last finished frame, by entity."""
        return self.frame.results

    @asking
    def interpolated(self, id: int, alpha: float) -> Vector:
        """Return where to draw a body when the part `alpha` of a step is left over, as `FixedStep.alpha` says (M2).

        It is on the way of the last finished frame: at its end for 1, and for 0 where motions, pushes and a step of
        dynamics displaced it from. Teleports have no way. O(1), after the first call since a frame.
        """
        part = finite(alpha, "alpha", minimum=0.0, maximum=1.0)
        self._apply_changes()
        row = self._bodies.row(id)
        left = 1.0 - part
        x, y, z = self._bodies.transform(row).position
        dx, dy, dz = self.frame._displacement_of(self._bodies.entity(row))
        return (x - left * dx, y - left * dy, z - left * dz)

    @asking
    def inside(self, id: int) -> list[int]:
        """Return the ids of the bodies inside a trigger at the end of the last frame, including lingering ones."""
        self._apply_changes()
        row = self._bodies.row(id)
        if not self._bodies.has(row, TRIGGER):
            raise CollisionValueError(
                f"entity {id} is not a trigger; add Trigger() to it, or call space.overlapping({id})"
            )
        return self._step.triggers.inside(row)

    @asking
    def contacts(self, id: int) -> list[int]:
        """Return the ids of the bodies in contact with one that has a Contact, at the end of the last frame (C5).

        Lingering contacts are included. Sorted.
        """
        self._apply_changes()
        row = self._bodies.row(id)
        if not self._bodies.has(row, ASKS):
            remedy = (
                f"call inside({id})" if self._bodies.has(row, TRIGGER) else f"add Contact(), or call touching({id})"
            )
            raise CollisionValueError(f"entity {id} does not ask for its contacts: it has no Contact; {remedy}")
        return self._step.triggers.in_contact(row)

    @asking
    def touching(self, id: int, side: Side | PointLike | None = None) -> list[int]:
        """Return the ids of the bodies that touch a body now, on any side of it or on one (C5).

        side: as in `space.touching`, which also takes filters: `touching(player, "down")` is what the player stands on.
        """
        return self.space.touching(self._bodies.id_of(id), side)

    @asking
    def __contains__(self, id: object) -> bool:
        """Return whether an entity is a body of this world."""
        self._apply_changes()
        return id in self._bodies.row_of

    @asking
    def __len__(self) -> int:
        """Return the number of bodies."""
        self._apply_changes()
        return len(self._bodies)

    @changing
    def check(self) -> None:
        """Verify the whole state against the components, slowly; raises InvariantError with the first fault."""
        self._apply_changes()
        if self._bodies.dirty_transforms.watched != (self._before_changes is not None):
            raise InvariantError("the flag `watched` of writes is wrong about the function before changes")
        from ecs_collision.world.validation import validate  # games do not check, tests do

        validate(self._step, self.space)
        if self._snapshots is not None:
            self._snapshots.check()

    @asking
    def doctor(self) -> list[Advice]:
        """Return advice, a line for each group of equal findings: what is allowed but probably not meant.

        It follows from the state and the last frames alone, and changes nothing. O(bodies); not for every frame.
        """
        from ecs_collision.doctor import advice_of

        return advice_of(self._findings())

    def _findings(self) -> list[Finding]:
        """Return what `doctor` groups into lines, one by one."""
        from ecs_collision.doctor import Observed, find_in_world  # few games ask

        self._apply_changes()
        moved_statics = self._step.changes.static_moves.in_every_frame(self._step.number)
        return find_in_world(Observed(self._bodies, self._settings, self.space, moved_statics, self.frame_number))

    def __repr__(self) -> str:
        return f"CollisionWorld({len(self._bodies)} bodies, frame {self.frame_number})"
