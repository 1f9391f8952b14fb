"""culverin (Jolt) in its own process, because it requires Python 3.12; needs only numpy and culverin.

Reads pickled requests from standard input and writes pickled responses to standard output: the seconds of the work in
this process, and its result. Communication between the processes is not included.
"""

import gc
import itertools
import pickle
import struct
import sys
import time

import culverin
import numpy

WORLD = {"world": None, "handles": []}
FRAME = 1 / 60
MOMENT = 1e-6
OTHER_MEMORY = numpy.zeros(64 << 20, numpy.uint8)
RECORD = numpy.dtype(
    {"names": ["one", "other", "phase"], "formats": ["<u8", "<u8", "<u4"], "offsets": [0, 8, 60], "itemsize": 128}
)


def make(centres, halves, motion, sensor):
    """Create a world of boxes; the last one is kept."""
    count = len(centres)
    settings = {
        "gravity": (0.0, 0.0, 0.0),
        "max_bodies": count + 64,
        "max_pairs": max(65536, 8 * count),
        "max_contact_constraints": max(65536, 8 * count),
        "num_threads": 2,
        "temp_allocator_size": 256 << 20,
    }
    world = culverin.PhysicsWorld(settings=settings)
    kind = {"shape": culverin.SHAPE_BOX, "motion": getattr(culverin, f"MOTION_{motion}"), "is_sensor": sensor}
    handles = [
        world.create_body(pos=tuple(at), size=tuple(half), **kind) for at, half in zip(centres, halves, strict=True)
    ]
    WORLD["world"], WORLD["handles"] = world, handles


def made(centres, halves, motion, sensor):
    """Create a world and let it come to rest; not timed."""
    make(centres, halves, motion, sensor)
    for _ in range(200):
        WORLD["world"].step(FRAME)
    return 0.0, len(WORLD["world"].get_active_indices()) // 4


def pairs(centres, halves):
    """Create a world of sensors, step once, read the contacts that began."""
    WORLD["world"] = None
    gc.collect()
    start = time.perf_counter()
    make(centres, halves, "DYNAMIC", True)
    WORLD["world"].step(MOMENT)
    events = numpy.frombuffer(WORLD["world"].get_contact_events_raw(), RECORD)
    set_up_first = events[events["phase"] == culverin.EVENT_ADDED]
    met = numpy.stack([set_up_first["one"], set_up_first["other"]], axis=1)
    seconds = time.perf_counter() - start
    return seconds, _numbers(met)


def query(regions):
    """Run one query after another."""
    search = WORLD["world"].overlap_aabb
    start = time.perf_counter()
    found = [search(lo, hi) for lo, hi in regions]
    seconds = time.perf_counter() - start
    number = {handle: row for row, handle in enumerate(WORLD["handles"])}
    return seconds, [[number[handle] for handle in each] for each in found]


def sensors(centres, halves):
    """Create a world of sensors and step once; not timed."""
    make(centres, halves, "DYNAMIC", True)
    WORLD["world"].step(MOMENT)
    return 0.0, None


def frame(rows, places):
    """Write positions one by one, step, read what began and ended, and make tuples of it, in both directions."""
    handles, write = WORLD["handles"], WORLD["world"].set_position
    start = time.perf_counter()
    for row, place in zip(rows, places if isinstance(places, list) else places.tolist(), strict=True):
        write(handles[row], *place)
    WORLD["world"].step(MOMENT)
    events = numpy.frombuffer(WORLD["world"].get_contact_events_raw(), RECORD)
    output = []
    for kind, phase in ((0, culverin.EVENT_REMOVED), (1, culverin.EVENT_ADDED)):
        met = events[events["phase"] == phase]
        one, other = (_numbers(met[side]).tolist() for side in ("one", "other"))
        output += zip(itertools.repeat(kind), one, other)
        output += zip(itertools.repeat(kind), other, one)
    return time.perf_counter() - start, output


def walk():
    """Walk other memory, as benchmarks/other_memory.py does; not timed."""
    OTHER_MEMORY[::64] += 1
    return 0.0, None


def frames(count):
    """Step often; nothing moves."""
    step = WORLD["world"].step
    start = time.perf_counter()
    for _ in range(count):
        step(FRAME)
    return time.perf_counter() - start, None


def _numbers(handles):
    """Return the rows of bodies for their handles."""
    order = numpy.argsort(numpy.array(WORLD["handles"], dtype=numpy.uint64))
    ordered = numpy.array(WORLD["handles"], dtype=numpy.uint64)[order]
    return order[numpy.searchsorted(ordered, handles)]


def serve():
    """Process requests until the input ends; an exception is a response too."""
    work = {action.__name__: action for action in (made, pairs, query, sensors, frame, walk, frames)}
    gc.disable()
    while head := sys.stdin.buffer.read(8):
        name, *arguments = pickle.loads(sys.stdin.buffer.read(struct.unpack("<q", head)[0]))
        try:
            output = work[name](*arguments)
        except Exception as failure:
            output = failure.__class__.__name__, str(failure)
        content = pickle.dumps(output)
        sys.stdout.buffer.write(struct.pack("<q", len(content)) + content)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    serve()
