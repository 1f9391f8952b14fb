"""A level in an esper world: the same game, with entities that processors see."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import esper
import pytest
from material import HOUSE
from puzzles import YARD, shown, yard
from rooms import room

from ecs_collision import (
    BoxCollider,
    CollisionError,
    CollisionSystem,
    Inertia,
    LevelError,
    Moved,
    Puzzle,
    SnapshotError,
    ThingName,
    Transform,
    UnknownEntity,
    WorldError,
)
from ecs_collision.game import Game

CORRIDOR = room("########", "#@ $ .!#", "########", win="all crate on goal")


@dataclass
class Health:
    points: int
    armour: float = 0.0


@pytest.fixture(autouse=True)
def here() -> Iterator[str]:
    """Make a fresh esper world current, which each test leaves as it is, and no other behind."""
    before, name = esper.current_world, "a test of puzzles"
    esper.switch_world(name)
    worlds = set(esper.list_worlds())
    yield name
    assert (name, worlds) == (esper.current_world, set(esper.list_worlds()))
    esper.switch_world(before)
    esper.delete_world(name)


def test_things_are_fused_and_unfused_as_entities() -> None:
    with Puzzle(room("#######", "#@$   #", "# $   #", "#######")) as puzzle:
        puzzle.fuse("crate 1", "crate 2")
        puzzle.turn("R")
        assert [(3, 1), (3, 2)] == [puzzle.cell(name) for name in puzzle.select("crate")]
        puzzle.unfuse("crate 2")
        puzzle.turn("R")
        assert [(4, 1), (3, 2)] == [puzzle.cell(name) for name in puzzle.select("crate")]


def test_every_thing_is_an_entity_that_processors_can_find() -> None:
    found: list[tuple[str, str]] = []

    class NameCollector(esper.Processor):
        def process(self, *arguments: Any) -> None:
            found[:] = [(thing.name, thing.kind) for _, thing in esper.get_component(ThingName)]

    with Puzzle(CORRIDOR) as puzzle:
        with puzzle.in_world():
            esper.add_processor(NameCollector(), priority=-1)
            assert isinstance(esper.component_for_entity(puzzle.id("crate"), Inertia), Inertia)
        puzzle.turn("R")
        assert sorted(found) == sorted((thing.name, thing.kind) for thing in CORRIDOR.things)
        assert puzzle.entity("crate") == puzzle.id("crate")
        assert "torch" in puzzle.entities
        with pytest.raises(UnknownEntity, match="has no thing named 'stranger'"):
            puzzle.entity("stranger")


def test_processors_run_once_a_round_with_what_they_are_given() -> None:
    ticks: list[tuple[Any, ...]] = []

    class Clock(esper.Processor):
        def process(self, *arguments: Any) -> None:
            ticks.append(arguments)

    with Puzzle(CORRIDOR) as puzzle:
        puzzle.start()
        with puzzle.in_world():
            esper.add_processor(Clock())
        puzzle.process_arguments = (0.5,)
        assert (0.5,) == puzzle.process_arguments
        rounds = sum(turn.rounds for turn in puzzle.play("RRR"))
        assert [(0.5,)] * rounds == ticks


def test_a_puzzle_lives_in_a_world_of_its_own_and_leaves_the_current_one(here: str) -> None:
    with Puzzle(CORRIDOR) as first, Puzzle(CORRIDOR) as second:
        assert first.esper_world != second.esper_world
        assert here == esper.current_world
        first.play("RRR")
        assert (False, True) == (second.solved, first.solved)
        assert here == esper.current_world
        assert not first.fits("crate", 0.5, 0.5)
        assert ["wall"] == first.at(0, 0)
    assert not {first.esper_world, second.esper_world} & set(esper.list_worlds())


def test_components_of_the_game_come_from_the_level() -> None:
    level = room("####", "#@h#", "####", more={"h": ("hero", {"Inertia": {"value": 1}, "Health": {"points": 3}})})
    with Puzzle(level, components={"Health": Health}) as puzzle:
        assert Health(3) == puzzle.get("hero", Health) == puzzle.get("hero", "Health")
        puzzle.set("hero", "Health", points=2)
        assert 2 == puzzle.get("hero", "Health").points
        assert puzzle.get("player", "Health") is None
        with pytest.raises(CollisionError, match="Health has no field 'point'; its fields are 'armour', 'points'"):
            puzzle.set("hero", Health, point=2)
    Game(level)


def broken(**fields: Any) -> Any:
    return room("####", "#@h#", "####", more={"h": ("hero", {"Inertia": {"value": 1}, "Health": fields})})


REFUSED = [
    (broken(), {}, r"found 'hero' with the component 'Health'; expected one that is registered: 'Transform'"),
    (broken(), {"Health": Health}, r"found Health of 'hero', which cannot be made: .* missing 1 required"),
    (broken(mana=1), {"Health": Health}, r"which cannot be made: .*unexpected keyword argument 'mana'"),
    (broken(), {"Health": lambda: Inertia(1)}, r"which made Inertia\(1.0\); expected a component of the game's own"),
    (room("#@#", more={"@": ("player", {"Static": {}, "Motion": {}})}), {}, "'player': Static with Motion"),
    (room("#f#", more={"f": ("f", {"Inertia": {"value": 1}, "Fused": {"to": "g"}})}), {}, "'f' fused to 'g'"),
]


@pytest.mark.parametrize(("level", "components", "message"), REFUSED)
def test_a_level_that_cannot_be_spawned_leaves_nothing(here: str, level: Any, components: Any, message: str) -> None:
    with pytest.raises(LevelError, match=message):
        Puzzle(level, components=components)
    esper.switch_world("shared")
    before = esper.create_entity(Transform(0, 0))
    with pytest.raises(LevelError, match=message):
        Puzzle(level, components=components, world_name="shared")
    assert [before] == [entity for entity, _ in esper.get_component(Transform)]
    assert [] == esper.get_component(ThingName)
    assert esper.get_processor(CollisionSystem) is None
    esper.switch_world(here)
    esper.delete_world("shared")


def test_a_puzzle_in_an_existing_world_leaves_it_unchanged(here: str) -> None:
    esper.switch_world("shared")
    mine = esper.create_entity(Transform(100, 100), BoxCollider(0.5, 0.5))
    puzzle = Puzzle(CORRIDOR, world_name="shared")
    assert ("shared", True) == (puzzle.esper_world, puzzle.turn("R").moved)
    with pytest.raises(WorldError, match="already has a CollisionSystem"):
        Puzzle(CORRIDOR, world_name="shared")
    puzzle.close()
    assert esper.entity_exists(mine)
    assert [] == esper.get_component(ThingName)
    assert esper.get_processor(CollisionSystem) is None
    puzzle.close()
    esper.switch_world(here)
    esper.delete_world("shared")


@pytest.mark.parametrize("name", [7, ""])
def test_a_world_has_a_name(name: Any) -> None:
    with pytest.raises(CollisionError, match="give the name of an esper world, or None"):
        Puzzle(CORRIDOR, world_name=name)


def test_a_closed_puzzle_raises() -> None:
    puzzle = Puzzle(CORRIDOR)
    puzzle.close()
    with pytest.raises(WorldError, match="of this puzzle was deleted or closed; create another puzzle"):
        puzzle.turn("R")
    puzzle.close()


def test_a_puzzle_closed_while_its_world_is_current_goes_elsewhere(here: str) -> None:
    puzzle = Puzzle(CORRIDOR)
    esper.switch_world(puzzle.esper_world)
    puzzle.close()
    esper.switch_world(here)


@pytest.mark.parametrize("priority", [1, -1])
def test_a_turn_in_which_a_processor_raises_is_rolled_back(priority: int) -> None:
    class Failing(esper.Processor):
        fails = False

        def process(self, *arguments: Any) -> None:
            if self.fails:
                raise ValueError("on purpose")

    with Puzzle(YARD, script=yard) as puzzle:
        puzzle.start()
        failing = Failing()
        with puzzle.in_world():
            esper.add_processor(failing, priority=priority)
        before = shown(puzzle)
        failing.fails = True
        with pytest.raises(ValueError, match="on purpose"):
            puzzle.turn("R")
        failing.fails = False
        assert before == shown(puzzle)


def test_handlers_of_the_system_and_of_the_puzzle_are_all_called() -> None:
    with Puzzle(CORRIDOR) as puzzle:
        puzzle.start()
        calls: list[str] = []

        def hear(event: Moved) -> None:
            calls.append(f"system {puzzle.name(event.entity)}")
            raise ValueError("system")

        with puzzle.in_world():
            puzzle.system.on(Moved, hear)

        @puzzle.on_move("player")
        def hear_too(event: Any) -> None:
            calls.append(f"puzzle {event.entity}")
            raise ValueError("puzzle")

        puzzle.request("player", 1)
        with pytest.raises(ExceptionGroup) as caught:
            puzzle.step()
        assert ["system player", "puzzle player"] == calls
        assert ["system", "puzzle"] == [str(error) for error in caught.value.exceptions]
        assert (2, 1) == puzzle.cell("player"), "a frame of real time has happened"


def test_a_level_is_loaded_from_its_path(tmp_path: Path) -> None:
    path = tmp_path / "one.xsb"
    path.write_text("#####\n#@$.#\n#####\n")
    with Puzzle(path) as puzzle:
        assert puzzle.turn("R").moved
        assert puzzle.solved


@pytest.mark.once
def test_importing_the_engine_imports_neither_what_plays_levels_nor_numpy():
    program = (
        "import sys; from ecs_collision import CollisionSystem, Box, Moved, Plan, Space, LATTICE; CollisionSystem(); "
        "print([name for name in sys.modules if name.startswith(('ecs_collision.levels', 'numpy'))]); "
        "from ecs_collision import Puzzle, ThingName; print(Puzzle.__name__, ThingName.__name__)"
    )
    said = subprocess.run([sys.executable, "-c", program], cwd=HOUSE, check=True, capture_output=True, text=True).stdout
    assert said == "[]\nPuzzle ThingName\n"


def test_a_puzzle_whose_settings_are_refused_leaves_no_world(here: str) -> None:
    before = esper.list_worlds()
    with pytest.raises(CollisionError, match="rule is 'nonsense'"):
        Puzzle(CORRIDOR, rule="nonsense")
    assert (before, here) == (esper.list_worlds(), esper.current_world)


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("where", ["before", "on_turn"])
def test_a_turn_that_fails_in_another_world_is_rolled_back(here: str, where: str, error: type[BaseException]) -> None:
    esper.switch_world("elsewhere")
    esper.switch_world(here)
    try:
        with Puzzle(CORRIDOR) as puzzle:

            def leave(given: Any) -> None:
                puzzle.state["left"] = True
                esper.switch_world("elsewhere")
                raise error("gone")

            puzzle.start()
            before = shown(puzzle)
            puzzle.before("R")(leave) if where == "before" else puzzle.on_turn(leave)
            with pytest.raises(error, match="gone"):
                puzzle.turn("R")
            assert before == shown(puzzle)
            assert here == esper.current_world
    finally:
        esper.delete_world("elsewhere")


def test_handlers_and_conditions_run_in_the_puzzles_world_wherever_others_went(here: str) -> None:
    esper.switch_world("elsewhere")
    esper.switch_world(here)
    seen: list[str] = []
    try:
        with Puzzle(CORRIDOR) as puzzle:
            puzzle.platform("crate", "R.")

            @puzzle.before("x")
            def leave(letter: str) -> None:
                esper.switch_world("elsewhere")

            @puzzle.before("x")
            def stay(letter: str) -> bool:
                seen.append(esper.current_world)
                esper.switch_world("elsewhere")
                return True

            @puzzle.win_when
            def look() -> bool:
                seen.append(esper.current_world)
                return True

            assert puzzle.turn("x")
            assert puzzle.solved
            assert [puzzle.esper_world] * 2 == seen
            assert (4, 1) == puzzle.cell("crate")
    finally:
        esper.delete_world("elsewhere")


def test_a_thing_that_lost_its_support_to_a_processor_falls_in_the_next_turn() -> None:
    level = room("#   $ #", "#@  D #", "#   # #", "#######", more={"D": ("door", {"Collider": {}})}, gravity="D")
    with Puzzle(level) as puzzle:

        class Opener(esper.Processor):
            def process(self, *args: Any) -> None:
                if puzzle.moves == "R" and puzzle.is_enabled("door"):
                    puzzle.disable("door")

        with puzzle.in_world():
            esper.add_processor(Opener(), priority=-1)
        puzzle.play("RL")
        assert (4, 0) == puzzle.cell("crate")
        puzzle.turn("R")
        assert (4, 1) == puzzle.cell("crate")


# Entities that are deleted or added behind the puzzle's back.

REMEDY = (
    "; disable things instead of deleting them, as in game.disable(name), and put those that appear later into the "
    "level, disabled: undo cannot go back past an added or deleted entity"
)


def lose(puzzle: Puzzle) -> str:
    esper.delete_entity(puzzle.entity("crate"), immediate=True)
    return f"'crate' (entity {puzzle.entity('crate')}) is a body in the snapshot, but not here{REMEDY}"


def gain(puzzle: Puzzle) -> str:
    added = esper.create_entity(Transform(20, 20), BoxCollider(0.5, 0.5))
    return f"entity {added} is a body here, but not in the snapshot{REMEDY}"


def strip(puzzle: Puzzle) -> str:
    esper.remove_component(puzzle.entity("crate"), Inertia)
    return f"'crate' (entity {puzzle.entity('crate')}) has a Inertia in the snapshot, but not here"


BACK: dict[str, Any] = {
    "undo": lambda puzzle, saved: puzzle.undo(2),
    "restart": lambda puzzle, saved: puzzle.restart(),
    "restore": lambda puzzle, saved: puzzle.restore(saved),
}


@pytest.mark.parametrize("change", [lose, gain, strip], ids=lambda change: change.__name__)
@pytest.mark.parametrize("back", BACK.values(), ids=BACK)
@pytest.mark.parametrize("scores", [False, True], ids=["world alone", "with state"])
def test_a_change_that_cannot_be_undone_names_the_thing_and_the_remedy(change: Any, back: Any, scores: bool) -> None:
    with Puzzle(CORRIDOR) as puzzle:
        saved = puzzle.snapshot()
        puzzle.turn("R")
        if scores:
            puzzle.state["score"] = 1
        with puzzle.in_world():
            words = change(puzzle)
        puzzle.turn("L")
        before = puzzle.snapshot()
        for _ in range(2):
            with pytest.raises(SnapshotError) as caught:
                back(puzzle, saved)
            assert f"the snapshot is of another world: {words}" == str(caught.value)
            assert (before, "RL", True, False) == (
                puzzle.snapshot(), puzzle.moves, puzzle.can_undo, puzzle.can_redo
            )  # fmt: skip
        assert 1 == puzzle.undo(), "as far as the change there is a way back, and the refusal lost no step"
        assert "R" == puzzle.moves
        assert 1 == puzzle.redo()
        assert before == puzzle.snapshot()
