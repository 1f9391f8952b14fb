"""The pytest plugin: its fixtures, and that nothing of them outlasts the test."""

from __future__ import annotations

import subprocess
import sys

import esper
import pytest
from inner_runs import PLUGIN, run_inside
from material import HOUSE

from ecs_collision import BoxCollider, CollisionSystem, Transform, TriggerEntered, WorldError
from ecs_collision.testing import fresh_world
from ecs_collision.testing.worlds import isolated

pytest_plugins = ["pytester"]

PARTS = """
import esper
import pytest
from ecs_collision import BoxCollider, CollisionSystem, Inertia, Motion, Static, Transform, Trigger, TriggerEntered
"""


def run_tests(pytester: pytest.Pytester, tests: str, *options: str, conftest: str = PLUGIN) -> pytest.RunResult:
    """Run tests in their own folder, with the plugin."""
    pytester.makeconftest(conftest)
    pytester.makepyfile(PARTS + tests)
    return run_inside(pytester, *options)


class Idle(esper.Processor):
    """Does nothing."""

    def process(self):
        pass


def visible_state() -> dict[str, object]:
    """Return everything that can be observed of all esper worlds."""
    current, states = esper.current_world, {}
    for name in esper.list_worlds():
        esper.switch_world(name)
        handlers = {event: set(those) for event, those in esper.event_registry.items()}
        processors = esper.get_processor(CollisionSystem), esper.get_processor(Idle)
        states[name] = (id(esper.process_times), handlers, processors)
    esper.switch_world(current)
    return {"current": current, "worlds": states}


# Imports.


def test_loading_the_plugin_imports_neither_numpy_nor_the_engine_nor_hypothesis():
    program = (
        "import sys, pytest; before = set(sys.modules)\n"
        "import ecs_collision.testing.plugin\n"
        "new = set(sys.modules) - before\n"
        "print(sorted(name for name in new if name.split('.')[0] in ('ecs_collision', 'esper', 'numpy', 'hypothesis')))"
    )
    output = subprocess.run(
        [sys.executable, "-c", program], cwd=HOUSE, check=True, capture_output=True, text=True
    ).stdout
    own_modules = ["", "._build", "._lazy", ".testing", ".testing.plugin"]
    assert output.strip() == str([f"ecs_collision{name}" for name in own_modules])


# A fresh world.


def test_collision_world_is_the_system_of_a_fresh_current_world(pytester):
    result = run_tests(pytester, """
def test_world(collision_world):
    assert isinstance(collision_world, CollisionSystem)
    assert esper.current_world == "test_world"
    assert esper.get_processor(CollisionSystem) is collision_world
    player = esper.create_entity(Transform(0, 0), BoxCollider(0.5, 0.5), Motion(2.0))
    assert player == 1
    assert collision_world.move(player, dx=3).moved == (3.0, 0.0, 0.0)

def test_the_next_world_is_empty(collision_world):
    assert list(esper.get_entities()) == []
    assert esper.list_worlds().count("test_world") == 0
""")  # fmt: skip
    result.assert_outcomes(passed=2)


def test_settings_come_from_the_fixture_then_markers_then_the_parameter(pytester):
    conftest = PLUGIN + (
        "import pytest\n"
        "@pytest.fixture\n"
        "def collision_settings():\n"
        "    return {'rule': 'sum', 'max_chain': 9, 'bin_size': 2.0, 'all_or_nothing': True}\n"
    )
    result = run_tests(pytester, """
pytestmark = pytest.mark.collision(max_chain=5, bin_size=4.0, all_or_nothing=False)

@pytest.mark.collision(bin_size=8.0, all_or_nothing=True)
@pytest.mark.parametrize("collision_world", [{"all_or_nothing": False}], indirect=True)
def test_settings(collision_world):
    settings = collision_world._settings.plain()
    assert [settings[name] for name in ("rule", "max_chain", "bin_size", "all_or_nothing")] == ["sum", 5, 8.0, False]
""", conftest=conftest)  # fmt: skip
    result.assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("marker", "message"),
    [
        ('collision("sum")', "@pytest.mark.collision got 'sum'; give settings by name, such as"),
        ("collision(ruel='sum')", "@pytest.mark.collision got ruel; give settings by name, such as"),
        ("collision(rule='some')", "rule is 'some'"),
    ],
    ids=["without a name", "misspelt", "no such rule"],
)
def test_an_invalid_marker_is_refused_with_a_remedy(pytester, marker, message):
    result = run_tests(pytester, f"""
@pytest.mark.{marker}
def test_settings(collision_world):
    pass
""", "--strict-markers")  # fmt: skip
    result.assert_outcomes(errors=1)
    assert message in result.stdout.str()


# Isolation.

ACTIONS = {
    "nothing": "",
    "raises": "raise ValueError('oh')",
    "exits": "raise KeyboardInterrupt",
    "switches": "esper.switch_world('elsewhere'); esper.create_entity(Transform(0, 0), BoxCollider(1, 1))",
    "deletes its own world": "esper.switch_world('elsewhere'); esper.delete_world(own)",
    "deletes the world before": "esper.delete_world(before)",
    "replaces the world before": "esper.delete_world(before); esper.switch_world(before); esper.create_entity()",
    "clears": "esper.clear_database()",
    "closes the system": "system.close()",
    "adds another system": "system.close(); esper.add_processor(CollisionSystem())",
    "adds a system to the world before": "esper.switch_world(before); esper.add_processor(CollisionSystem())",
    "adds a processor to the world before": "esper.switch_world(before); esper.add_processor(Idle())",
    "adds handlers": "esper.set_handler('collision_moved', print); esper.set_handler('own event', print)",
    "adds a handler in the world before": "esper.switch_world(before); esper.set_handler('collision_moved', print)",
    "removes a handler in the world before": "esper.switch_world(before); esper.remove_handler('score', kept)",
    "a puzzle left open": "from ecs_collision import Puzzle; Puzzle(CORRIDOR)",
    "interrupts a delivery": (
        "esper.create_entity(Transform(0, 0), BoxCollider(1, 1), Motion(1.0)); system.request(1, dx=1)\n"
        "system.on(Moved, lambda event: esper.switch_world('elsewhere'))\nesper.process()"
    ),
}


def kept(*_: object) -> None:
    """A handler of the world that existed before."""


@pytest.mark.parametrize("action", ACTIONS.values(), ids=list(ACTIONS))
def test_the_worlds_are_restored_after_any_use_of_a_fresh_world(action):
    from ecs_collision import Motion, Moved
    from ecs_collision.levels import parse_level

    corridor = parse_level("legend\n@ player: Motion(1)\nmap\n@\n")
    with isolated():
        before = "before it"
        esper.switch_world(before)
        own_system = CollisionSystem()
        if "CollisionSystem()" not in action:
            esper.add_processor(own_system)
        esper.set_handler("score", kept)
        before_state = visible_state()
        names = {
            "before": before, "esper": esper, "CollisionSystem": CollisionSystem, "CORRIDOR": corridor, "kept": kept,
            "Idle": Idle, "Transform": Transform, "BoxCollider": BoxCollider, "Motion": Motion, "Moved": Moved,
        }  # fmt: skip
        try:
            with fresh_world() as system:
                exec(action, names | {"system": system, "own": esper.current_world})
        except (ValueError, KeyboardInterrupt):
            assert "raise" in action
        after_state = visible_state()
        if "delete_world(before)" in action:
            assert set(before_state["worlds"]) == set(after_state["worlds"])
            assert after_state["current"] == before
            assert list(esper.get_entities()) == []
        else:
            assert before_state == after_state


def test_components_of_a_deleted_world_can_be_reused():
    transform = Transform(0, 0)
    for _ in range(2):
        with fresh_world() as system:
            entity = esper.create_entity(transform, BoxCollider(0.5, 0.5))
            system.move(entity, dx=1)
    assert transform.x == 2.0


def test_a_system_whose_world_is_deleted_raises():
    with fresh_world() as system:
        pass
    with pytest.raises(WorldError, match="this CollisionSystem is closed"):
        system.process()


def test_fresh_worlds_can_be_nested_and_have_distinct_names():
    with fresh_world("level") as outer:
        outer.on(TriggerEntered, print)
        with fresh_world("level") as inner:
            assert esper.current_world == "level 2"
            inner.process()
        assert esper.current_world == "level"
        outer.process()
    assert not [name for name in esper.list_worlds() if name.startswith("level")]


UNORDERED = """
BEFORE = esper.current_world  # as the module is collected

@pytest.mark.parametrize("number", range(12))
def test_one_of_many(collision_world, number):
    assert [esper.create_entity(Transform(2 * x, 0), BoxCollider(0.5, 0.5)) for x in range(3)] == [1, 2, 3]
    if number % 3 == 0:
        esper.switch_world("default")
        esper.create_entity()
    elif number % 4 == 1:
        esper.delete_world("default")
    if number % 5 == 2:
        raise ValueError("on purpose")
    esper.set_handler("collision_moved", print)

@pytest.fixture
def own(collision_world):
    yield collision_world
    assert esper.get_processor(CollisionSystem) is collision_world
    collision_world.check()

def test_fixtures_that_use_the_world_end_before_it(own):
    own.process()

def test_no_world_remains():
    assert [name for name in esper.list_worlds() if name.startswith("test_")] == []
    assert esper.current_world == BEFORE and esper.event_registry == {}
"""


SHUFFLED = (
    PLUGIN
    + """
import random

def pytest_collection_modifyitems(items):
    random.Random(5).shuffle(items)
"""
)


@pytest.mark.parametrize("conftest", [PLUGIN, SHUFFLED], ids=["in order", "shuffled"])
def test_tests_in_any_order_do_not_affect_each_other(pytester, conftest):
    with isolated():
        run_tests(pytester, UNORDERED, conftest=conftest).assert_outcomes(passed=12, failed=2)


# The board.


def test_the_world_of_a_board_is_current_and_deleted_after_the_test(pytester):
    result = run_tests(pytester, """
@pytest.mark.collision(rule="sum", bin_size=2.0)
def test_board(board):
    first = board("@$$", max_chain=7)
    assert [first.system._settings.plain()[name] for name in ("rule", "bin_size", "max_chain")] == ["sum", 2.0, 7]
    assert esper.get_processor(CollisionSystem) is first.system
    assert first.turn("R").moved is False
    second = board("@$$", "D door: Static", rule="each")
    assert second.turn("R").moved is True
    assert esper.get_processor(CollisionSystem) is second.system
    first.process()
    assert first == "@$$"

def test_gone(board, collision_world):
    assert esper.current_world == "test_gone"
    assert not [name for name in esper.list_worlds() if name.startswith("puzzle")]
    other = board("@")
    esper.switch_world("test_gone")
    collision_world.process()
""")  # fmt: skip
    result.assert_outcomes(passed=2)


SHOWN = '''
def test_picture(board):
    b = board("""
        #######
        #@.$._#
        #######
    """)
    b.play("R")
    {assertion}
'''

PICTURE = '''"""
        #######
        #@.$*.#
        #######
    """'''

EXPLANATION = [
    "E       assert board == drawing, but 4 cells differ",
    "E           found     expected",
    "E           #######   #######",
    "E           #.@$._#   #@.$*.#",
    "E            ^^ ^^     ^^ ^^",
    "E           #######   #######",
    "E           (1, 1): found nothing, expected @ player",
    "E           (2, 1): found @ player, expected nothing",
    "E           (4, 1): found nothing, expected $ crate with _ plate",
    "E           (5, 1): found _ plate, expected nothing",
]


@pytest.mark.parametrize(
    ("options", "environment", "assertion"),
    [
        ([], "", "b == {}"),
        (["-vv"], "", "{} == b"),
        (["-q", "--tb=short"], "", "{} == b, 'oh'"),
        ([], "true", "b == {}"),
    ],
    ids=["found", "expected, at length", "with a message, short", "in CI"],
)
def test_a_failing_comparison_shows_both_drawings_completely(pytester, monkeypatch, options, environment, assertion):
    monkeypatch.delenv("BUILD_NUMBER", raising=False)
    if environment:
        monkeypatch.setenv("CI", environment)
    else:
        monkeypatch.delenv("CI", raising=False)
    result = run_tests(pytester, SHOWN.format(assertion=f"assert {assertion.format(PICTURE)}"), *options)
    result.assert_outcomes(failed=1)
    lines = [line.removeprefix("E").strip() for line in result.outlines]
    expected = [line.removeprefix("E").strip() for line in EXPLANATION]
    first = lines.index(next(line for line in lines if line.endswith(expected[0])))
    assert expected[1:] == lines[first + 1 : first + len(expected)]
    assert "truncated" not in result.stdout.str()
    assert ("oh" in lines or "AssertionError: oh" in lines) == ("'oh'" in assertion)


def test_comparisons_of_two_boards_and_in_larger_expressions_are_shown(pytester):
    result = run_tests(pytester, """
def test_two(board):
    assert board("@$") == board("@.$")

def test_larger(board):
    b = board("@$")
    assert b.system and b == "$@" and b

def test_both(board):
    b = board("@$")
    assert b == "@$" and b == "$@"

def test_others(board):
    b = board("@$")
    assert b != 7
    assert b == 7
""")  # fmt: skip
    result.assert_outcomes(failed=4)
    assert "but  and" not in result.stdout.str()
    result.stdout.fnmatch_lines([
        "E       assert board == other board, but 2 cells differ", "E           found   the other",
        "E           @$      @.$", "*assert*board == drawing, but 2 cells differ*", "E*found   expected",
        "*assert Board('@[$]') == 7*",
    ])  # fmt: skip


def test_errors_and_failed_assertions_point_to_the_line_of_the_test(pytester):
    result = run_tests(pytester, """
from ecs_collision.testing import assert_events, assert_no_overlap, assert_pushed, assert_same_future

def test_drawing(board):
    board("@$D")

def test_comparison(board):
    assert board("@$") == "@x"

def test_name(board):
    board("@$").move("creat", "R")

def test_events(board):
    assert_events(board("@$"), [("creat",)])

def test_push(board):
    assert_pushed(board("@$#").move("@", "R"), "$")

def test_futures(board):
    assert_same_future(board("@$"), board("@.$"))
""")  # fmt: skip
    result.assert_outcomes(failed=6)
    result.stdout.fnmatch_lines(
        ["*Error: the drawing has the unknown letter 'D' at column 2, row 0*", "*kinds are 'player', 'crate'"]
    )
    assert "ecs_collision/testing/" not in result.stdout.str()


def test_a_failing_assertion_about_a_recorder_shows_its_events(pytester):
    result = run_tests(pytester, """
def test_record(board, record):
    b = board("@$_")
    seen = record(b)
    b.play("R")
    assert seen.left("plate", by="crate") == 1
""")  # fmt: skip
    result.stdout.fnmatch_lines(
        ["*where 0 = *left('plate', by='crate')*", "*<recorded in 2 frames: player moved x +1;*"]
    )
