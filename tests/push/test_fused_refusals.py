"""Invalid Fused components: errors name entity, field, value and remedy, and nothing is applied (rule L3)."""

from __future__ import annotations

import esper
import pytest
from boards import Board
from worlds import a_crate, a_wall

from ecs_collision import (
    BoxCollider,
    CollisionError,
    Fused,
    InvalidChanges,
    Static,
    Transform,
)
from ecs_collision.components import Parts


def refusal(call) -> tuple[str, ...]:
    """Return the problems that an InvalidChanges error names."""
    with pytest.raises(InvalidChanges) as caught:
        call()
    return caught.value.problems


@pytest.mark.parametrize(
    ("to", "kind", "text"),
    [
        (-1, ValueError, "Fused.to is -1, but it must be at least 0"),
        (True, TypeError, "Fused.to must be a whole number, not True; give an int"),
        (1.0, TypeError, "Fused.to must be a whole number, not 1.0; give an int"),
        ("crate", TypeError, "Fused.to must be a whole number, not 'crate'; give an int"),
        (None, TypeError, "Fused.to must be a whole number, not None; give an int"),
    ],
)
def test_only_an_entity_id_may_be_named(to, kind, text):
    with pytest.raises(CollisionError) as caught:
        Fused(to)
    assert isinstance(caught.value, kind)
    assert text == str(caught.value)
    fused = Fused(3)
    with pytest.raises(kind):
        fused.to = to
    assert fused.to == 3


PARTNERS = {
    "unknown": (77, "which is not a body of this world; name a body, give entity 77 a Transform and a collider, or"),
    "itself": (4, "the entity itself; name another one, or remove Fused"),
    "a static": (1, "which is Static and never moves; fuse it to another body, or remove Static from 1"),
}


@pytest.mark.parametrize(("to", "text"), PARTNERS.values(), ids=PARTNERS)
@pytest.mark.parametrize("late", [False, True], ids=["as it is added", "as it is written"])
def test_a_body_is_fused_only_to_another_body_that_can_move(to, text, late):
    board = Board()
    board.wall(0, id=1)
    board.crate(2, id=2)
    fused = Fused(2 if late else to)
    if late:
        board.crate(4, id=4, fused=fused)
        fused.to = to
        (problem,) = refusal(board.world.step)
        fused.to = 2
    else:
        (problem,) = refusal(lambda: board.crate(4, id=4, fused=fused))
        assert fused._entity is None
    assert problem.startswith(f"entity 4: Fused.to is {to}, {text}")
    assert len(board.world) == (3 if late else 2)
    board.world.check()


def test_a_static_body_cannot_be_fused():
    board = Board()
    board.crate(0, id=1)
    assert refusal(lambda: board.wall(2, id=2, fused=Fused(1))) == (
        "entity 2: Static with Fused; a static body does not move, remove one",
    )


def test_a_body_to_which_another_is_fused_cannot_become_static():
    board = Board()
    board.crate(0, id=1)
    board.crate(2, id=2, fused=Fused(1))
    old = board.world._bodies.of(board.world._bodies.row(1))
    board.world._stage(1, old._replace(inertia=None, static=Static()))
    (problem,) = refusal(board.world.step)
    assert problem.startswith("entity 2: Fused.to is 1, which is Static and never moves")


CYCLES = {
    "of two": ({1: 2, 2: 1}, "entity 1: Fused.to is 2, which closes the cycle 1 to 2 to 1; remove Fused from one"),
    "of three": ({2: 3, 3: 1, 1: 2}, "entity 1: Fused.to is 2, which closes the cycle 1 to 2 to 3 to 1; remove"),
    "with a tail": ({1: 4, 4: 6, 6: 5, 5: 4, 3: 1}, "entity 4: Fused.to is 6, which closes the cycle 4 to 6 to 5 to 4"),
}


@pytest.mark.parametrize(("links", "text"), CYCLES.values(), ids=CYCLES)
def test_a_cycle_of_fused_bodies_is_named_once_and_in_order(links, text):
    board = Board()
    for entity in {*links, *links.values()}:
        fused = Fused(links[entity]) if entity in links else None
        parts = Parts(Transform(entity, 0), BoxCollider(0.5, 0.5), fused=fused)
        board.world._stage(entity, parts)
    (problem,) = refusal(board.world.step)
    assert problem.startswith(text)
    with pytest.raises(InvalidChanges):
        board.world.step()


def test_all_invalid_fused_components_are_named_with_all_other_problems():
    board = Board()
    stage = board.world._stage
    stage(1, Parts(Transform(0, 0), BoxCollider(1, 1), fused=Fused(9)))
    stage(2, Parts(Transform(0, 0), BoxCollider(1, 1), fused=Fused(3)))
    stage(3, Parts(Transform(0, 0), BoxCollider(1, 1), fused=Fused(2)))
    stage(4, Parts(None, BoxCollider(1, 1), fused=Fused(4)))
    stage(5, Parts(Transform(2.0**21, 0), BoxCollider(1, 1), fused=Fused(4)))
    problems = refusal(board.world.step)
    assert [problem.split(":")[0] for problem in problems] == [f"entity {entity}" for entity in (4, 5, 1, 2, 4)]
    assert len(board.world._bodies) == 0


# -- Deletion.-------------------------------------------------------------------------------------------------------


def test_a_body_stays_while_another_is_fused_to_it():
    board = Board()
    one = board.crate(0)
    two = board.crate(1, fused=Fused(one))
    three = board.crate(2, fused=Fused(two))
    assert refusal(lambda: board.world.remove(two)) == (
        f"entity {three}: Fused.to is {two}, which is deleted or loses its body; "
        f"remove Fused from entity {three}, or delete entity {three} too",
    )
    assert len(board.world) == 3
    board.world.check()
    for entity in (three, two, one):
        board.world.remove(entity)
    assert len(board.world) == 0


def test_in_esper_the_error_stays_until_either_entity_is_corrected(system):
    one, two = a_crate(0), a_crate(1)
    esper.process()
    esper.add_component(two, Fused(one))
    esper.process()
    esper.delete_entity(one)
    for _ in range(2):
        with pytest.raises(InvalidChanges, match=rf"^entity {two}: Fused.to is {one}, which is deleted"):
            esper.process()
    esper.remove_component(two, Fused)
    esper.process()
    system.check()
    assert system.space.at(1, 0) == [two]
    assert system.space.at(0, 0) == []


@pytest.mark.parametrize("parts", [(), (Transform(0, 0),)], ids=["alone", "with a Transform"])
def test_in_esper_fused_without_a_body_is_an_error(system, parts):
    one = a_wall(0)
    lone = esper.create_entity(*(each.copy() for each in parts), Fused(one))
    with pytest.raises(InvalidChanges, match=f"entity {lone}: Fused without a collider; add a BoxCollider or Compound"):
        esper.process()
    esper.remove_component(lone, Fused)
    esper.process()
