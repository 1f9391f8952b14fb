"""Random scenes of boxes, compounds and groups: the engine against the model of the rules (rules P).

Scenes have random settings, bin sizes, creation orders and sleepers. None of these may matter, because the model does
not have them.
"""

from __future__ import annotations

from typing import Any

import pytest
from boards import AS_SHIPPED, many, trials
from soak.scene_generator import SceneGenerator

from ecs_collision import CollisionWorld
from ecs_collision.components import Parts
from ecs_collision.testing.scenes import copy_parts
from tests.model.oracle import checked

EDGE = 2.0**20 - 50

PLACES: dict[str, dict[str, Any]] = {
    "a heap": {"reach": 1.5, "grain": 2},
    "a room": {"reach": 2.5, "grain": 1},
    "a room in 3D": {"reach": 2.0, "grain": 2, "in_3d": True},
    "a crowd": {"reach": 4.0, "grain": 2},
    "the lowest corner": {"reach": 2.0, "middle": (-EDGE,) * 3, "in_3d": True},
    "the highest corner": {"reach": 2.0, "middle": (EDGE,) * 3, "in_3d": True},
    "with one-way bodies": {"reach": 2.5, "grain": 2, "one_way": True},
    "off the lattice": {"reach": 2.0, "crooked": True},
}


class Pushes(SceneGenerator):
    """Generates a scene, and pushes in it."""

    def __init__(self, seed: int, *, one_way: bool = False, **place: Any) -> None:
        super().__init__(seed, **place)
        self.is_one_way = one_way
        self.masks = (None,) * 20 + (("a",), ("a", "b"))
        self.roles = ("crate", "crate", "crate", "player", "player", "rail", "rock", "wall", "zone")

    def half(self) -> float:
        return super().half() if self.chance(0.3) else 0.5

    def settings(self) -> dict[str, Any]:
        settings = {**super().settings(), "order": "sequential"}
        if max(map(abs, self.middle)):
            settings["bin_size"] = 1.0  # the range of the index ends there
        if "bounds" in settings:
            by = self.reach + self.choice((0.0, 0.5, 1.0))
            settings["bounds"] = tuple(tuple(at + sign * by for at in self.middle[:2]) for sign in (-1, 1))
        if settings.pop("can_push", False):
            verdicts = {id: self.choice((True, False, None, None)) for id in range(1, 31)}
            settings["can_push"] = lambda pusher, pushed, axis, force: verdicts[pushed]
        return settings

    def bodies(self) -> dict[int, Parts]:
        """Return bodies in the order of creation."""
        most = 30 if self.reach > 3 else 12
        drawn = self.scene(self.random.randint(most // 2, most), fusing=self.chance(0.4)).bodies
        return {id: drawn[id] for id in self.random.sample(sorted(drawn), len(drawn))}

    def displacement(self) -> Any:
        """Return a displacement, sometimes one to the end of the world range."""
        way = tuple(self.choice(often) * self.coordinate() for often in ((1, 2, 3), (0, 1, 2), (0, 0, 1)))
        return way if self.chance(0.95) else (self.choice((-1e6, 1e6)), 0.0, 0.0)


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("batch", many(2))
def test_a_push_ends_as_in_the_model(place, batch):
    """A plan has the same result, and the index then equals that of a new world."""
    pushed = 0
    for seed in range(100 * batch, 100 * batch + max(trials(20), 8)):
        dice = Pushes(seed, **place)
        settings, bodies = dice.settings(), dice.bodies()
        world = CollisionWorld(**settings)
        world._add_all([*bodies.values()], [*bodies])
        movers = [id for id, parts in bodies.items() if parts.static is None]
        with checked(world):
            for _ in range(3 if movers else 0):
                mover, way, how = dice.choice(movers), dice.displacement(), {"force": 3.0} | dice.move_options()
                expected = world.plan(mover, *way, **how).result
                result = world.move(mover, *way, **how)
                assert expected == result, seed
                pushed += bool(result.pushed)
        world.check()
        rebuilt = CollisionWorld(**settings)
        rebuilt._add_all([*map(copy_parts, bodies.values())], [*bodies])
        assert list(rebuilt.space.cells) == list(world.space.cells), seed
    assert pushed or not AS_SHIPPED
