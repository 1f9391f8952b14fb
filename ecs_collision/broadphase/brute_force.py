"""The broad phase that tests every box: short, and the reference for the faster ones."""

from __future__ import annotations

from ecs_collision.broadphase.box_pool import BoxPool


class BruteForce:
    """Boxes in slots, tested one by one: O(boxes) for each query (see `broadphase/protocol.py`)."""

    def __init__(self, bin_shift: int) -> None:
        self.boxes = BoxPool(bin_shift)
        self.hits: list[int] = []
        self.hit_count = self.cell_changes = self.cells_visited = self.cells_skipped = 0

    def clear(self) -> None:
        self.boxes.clear()

    def allocate(self, count: int) -> int:
        return int(self.boxes.allocate(count))

    def place(
        self, slot: int, owner: int, awake: bool, lox: int, loy: int, loz: int, hix: int, hiy: int, hiz: int
    ) -> None:
        self.boxes.validate(lox, loy, loz, hix, hiy, hiz)
        if self.boxes.owner[slot] >= 0:
            self.boxes.remove(slot)
        self.boxes.put(slot, owner, awake, lox, loy, loz, hix, hiy, hiz)

    def remove(self, first: int, count: int) -> None:
        for slot in range(first, first + count):
            if self.boxes.owner[slot] >= 0:
                self.boxes.remove(slot)
        self.boxes.release(first, count)

    def shift(self, first: int, count: int, dx: int, dy: int, dz: int) -> None:
        for slot in range(first, first + count):
            self.boxes.shift(slot, dx, dy, dz)

    def set_awake(self, first: int, count: int, awake: bool) -> None:
        for slot in range(first, first + count):
            if self.boxes.owner[slot] >= 0 and bool(self.boxes.awake[slot]) != awake:
                self.boxes.set_awake(slot, awake)

    def set_flat(self, flat: bool) -> None:
        if flat != self.boxes.flat:
            self.boxes.set_flat(flat)

    def collect(self, lox: int, loy: int, loz: int, hix: int, hiy: int, hiz: int) -> int:
        return self.collect_inset(-1, 0, lox, loy, loz, hix, hiy, hiz)

    def collect_levels(self, levels: int, lox: int, loy: int, loz: int, hix: int, hiy: int, hiz: int) -> int:
        return self.collect_inset(levels, 0, lox, loy, loz, hix, hiy, hiz)

    def collect_asleep(self, lox: int, loy: int, loz: int, hix: int, hiy: int, hiz: int) -> int:
        self.collect(lox, loy, loz, hix, hiy, hiz)
        self.hits = [slot for slot in self.hits if not self.boxes.awake[slot]]
        self.hit_count = len(self.hits)
        return self.hit_count

    def collect_inset(self, levels: int, inset: int, lox: int, loy: int, loz: int, hix: int, hiy: int, hiz: int) -> int:
        boxes, faces = self.boxes, self.boxes.faces
        lo, hi = (lox + inset, loy + inset, loz + inset), (hix - inset, hiy - inset, hiz - inset)
        self.hits = [
            slot
            for slot in range(boxes.slot_count)
            if boxes.owner[slot] >= 0
            and levels >> boxes.levels[slot] & 1
            and all(faces[6 * slot + axis] <= hi[axis] and lo[axis] <= faces[6 * slot + 3 + axis] for axis in range(3))
        ]
        self.hit_count = len(self.hits)
        return self.hit_count

    def begin_pass(self) -> None:
        """Do nothing: there are no cells to count."""

    def end_pass(self) -> None:
        """Do nothing: there are no cells to count."""

    def check(self) -> None:
        self.boxes.check()
