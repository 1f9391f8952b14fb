"""Growing the arrays of kernels."""

from __future__ import annotations

from array import array
from ctypes import addressof, c_longlong

import pytest

from ecs_collision._arrays import aligned, bytes_of, grown, longer_aligned


def test_arrays_and_arrays_behind_views_grow_with_zeros() -> None:
    first, second = array("i", [1, 2]), array("d", [0.5])
    longer, also = grown(3, first, memoryview_like(second))
    assert (array("i", [1, 2, 0]), array("d", [0.5, 0.0, 0.0])) == (longer, also)
    assert (2, 1) == (len(first), len(second))


def memoryview_like(items: array[float]) -> object:
    """Return an object like a view of a compiled kernel, which has its array in `base`."""
    return type("View", (), {"base": items})()


def test_the_bytes_of_arrays_and_views_are_counted() -> None:
    assert 2 * 4 + 3 * 8 == bytes_of(array("i", [1, 2]), memoryview(array("q", [1, 2, 3])))


def test_records_begin_at_cache_lines_and_keep_their_contents_when_they_grow() -> None:
    records = aligned(0)
    for length in range(8, 80, 8):
        records = longer_aligned(records, length)
        assert 0 == addressof(c_longlong.from_buffer(records)) % 64
        assert [*range(0, length - 8, 8), 0] == records[::8].tolist()
        records[length - 8] = length - 8


def test_a_lack_of_memory_changes_nothing() -> None:
    first, second = array("b", [1]), array("q", [2])
    with pytest.raises((MemoryError, OverflowError)):
        first, second = grown(1 << 61, first, second)
    assert (array("b", [1]), array("q", [2])) == (first, second)
