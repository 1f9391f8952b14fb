"""Contacts over random operations: each begins and ends exactly once, with every reason (C1 to C3)."""

from __future__ import annotations

import esper
import pytest
from boards import many, trials
from random_games import RandomGame
from worlds import fresh_world

from ecs_collision import BoxCollider, Contact, ContactBegan, ContactEnded, LeftReason, Transform, Trigger

pytestmark = pytest.mark.filterwarnings("ignore:.*rotation:ecs_collision.SetupWarning")  # beside boxes

WAYS = {
    "as usual": {},
    "groups": {"fusing": True},
    "groups and restores": {"fusing": True, "restoring": True},
    "front first": {"order": "front_first"},
}


class Watch:
    """The pairs in contact; checks that each begins and ends once."""

    def __init__(self) -> None:
        self.open: set[tuple[int, int]] = set()

    def frame(self, events: list[object]) -> None:
        """Take the events of a frame: of one pair, an end comes before the next begin."""
        kinds = [type(event) for event in events if isinstance(event, ContactBegan | ContactEnded)]
        assert kinds == sorted(kinds, key=lambda kind: kind is ContactBegan), "ends come first (T7)"
        for event in events:
            if isinstance(event, ContactEnded):
                self.open.remove((event.a, event.b))
            elif isinstance(event, ContactBegan):
                assert (event.a, event.b) not in self.open
                self.open.add((event.a, event.b))


@pytest.mark.parametrize("seed", many(4))
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_every_contact_that_began_ends_exactly_once_for_some_reason_C3(way, seed):
    restoring = "restoring" in way
    with fresh_world():
        game = RandomGame(seed, bodies=14, asking=True, **way)
        watch = Watch()
        restores: list[set[tuple[int, int]]] = []
        if restoring:
            keep, back = game.do_snapshot, game.do_restore

            def do_snapshot() -> None:
                keep()
                restores[:] = [set(watch.open)]

            def do_restore() -> None:
                before = len(game.log)
                back()
                if game.snapshot is not None and len(game.log) == before:
                    watch.open = set(restores[0])

            game.do_snapshot, game.do_restore = do_snapshot, do_restore  # type: ignore[method-assign]
        for _ in range(trials(200) + 5):
            game.frame()
            watch.frame(game.system.events)
            asking = [entity for entity in game.alive if esper.entity_exists(entity)]
            asking = [entity for entity in asking if esper.has_component(entity, Contact)]
            assert {(a, b) for a in asking for b in game.system.contacts(a)} == watch.open
        esper.clear_database()
        esper.process()
        watch.frame(game.system.events)
        assert watch.open == set()


def test_a_contact_ends_and_begins_again_when_the_body_is_replaced_C3(world):
    from worlds import a_box, a_system

    system = a_system()
    one, two = a_box(0, 0, Contact()), a_box(1)
    esper.process()
    assert [(ContactBegan, one, two)] == [(type(event), event.a, event.b) for event in system.events]
    for part in (Transform, BoxCollider):
        esper.add_component(two, esper.component_for_entity(two, part).copy())
    esper.process()
    ended, began = system.events
    assert (ContactEnded, LeftReason.DELETED) == (type(ended), ended.reason)
    assert (ContactBegan, (1.0, 0.0, 0.0)) == (type(began), began.normal)
    esper.add_component(two, Trigger())
    esper.process()
    assert [LeftReason.FILTERED] == [event.reason for event in system.events]
