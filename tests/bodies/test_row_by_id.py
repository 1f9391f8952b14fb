"""Rows by entity id."""

from __future__ import annotations

import random
from array import array

import pytest

from ecs_collision.bodies.columns import RowById


def test_rows_by_id_are_those_of_a_dict():
    chosen, table, expected = random.Random(1), RowById(), dict[int, int]()
    for row in range(3000):
        id = chosen.choice((chosen.randrange(400), chosen.randrange(30_000), 2**40 + chosen.randrange(50)))
        if id in expected:
            assert table.pop(id) == expected.pop(id)
        else:
            table[id] = expected[id] = row
        assert (table.get(id), id in table, len(table)) == (expected.get(id), id in expected, len(expected))
    assert [*table.items()] == sorted(expected.items())
    assert [*table] == [*table.keys()] == sorted(expected)
    assert table.values() == [row for _, row in sorted(expected.items())]
    del table[min(expected)]
    assert min(expected) not in table


def test_an_unknown_id_has_no_row():
    table = RowById()
    table[5] = 7
    assert table[5] == 7
    assert (table.get(4), table.get(4, -1), table.pop(4, -1), table.get("5"), True in table) == (
        None, -1, -1, None, False,
    )  # fmt: skip
    with pytest.raises(KeyError, match="4"):
        table[4]


def test_the_rows_of_many_ids_are_found_at_once():
    table = RowById()
    table[5], table[3] = 7, 8
    rows = array("i", [0, 0])
    assert table.find_all(memoryview(array("q", [3, 5])), rows)  # type: ignore[arg-type]
    assert rows.tolist() == [8, 7]
    for unknown in (4, -1, 2**40):
        assert not table.find_all(memoryview(array("q", [3, unknown])), rows)  # type: ignore[arg-type]
