"""The pytest plugin; opt in with `pytest_plugins = ["ecs_collision.testing.plugin"]` in the conftest, or with `-p`.

It imports neither NumPy nor the engine: those come with the first test that asks for a fixture. There is no entry point
on purpose: that would cost every run of a test suite, also those that have nothing to do with games.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ecs_collision import CollisionSystem

pytest_plugins = ["ecs_collision.testing.failing"]

MARKER = 'collision(rule="sum", ...): settings of the CollisionSystem that `collision_world` and `board` make'


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line("markers", MARKER)


@pytest.fixture
def collision_settings() -> dict[str, Any]:
    """Settings of the CollisionSystems of all tests: override this in a conftest."""
    return {}


@pytest.fixture
def collision_world(request: pytest.FixtureRequest, collision_settings: dict[str, Any]) -> Iterator[CollisionSystem]:
    """The CollisionSystem of a fresh esper world, which is current during the test and deleted afterwards."""
    from ecs_collision.testing.failing import keep_scene
    from ecs_collision.testing.worlds import fresh_world

    with fresh_world(request.node.name, **_settings(request, collision_settings)) as system:
        keep_scene(system)
        yield system


def _settings(request: pytest.FixtureRequest, given: dict[str, Any]) -> dict[str, Any]:
    """Return the settings a test wants: those of the project, of its markers from far to near, of its parameter."""
    from ecs_collision import CollisionSystem

    known = CollisionSystem.__init__.__kwdefaults__ or {}
    settings = dict(given)
    for marker in reversed(list(request.node.iter_markers("collision"))):
        wrong = [repr(value) for value in marker.args] or [name for name in marker.kwargs if name not in known]
        if wrong:
            pytest.fail(
                f"@pytest.mark.collision got {wrong[0]}; give settings by name, such as rule=\"sum\": there are "
                f"{', '.join(known)}", pytrace=False,
            )  # fmt: skip
        settings |= marker.kwargs
    return settings | getattr(request, "param", {})
