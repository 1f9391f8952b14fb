"""The play of the built-in demo: scenes of moves, told with pictures, results and events."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, TextIO

import esper

from ecs_collision.demo.puzzle import QUIET_FRAMES, Puzzle
from ecs_collision.events import Blocked, FellAsleep, TriggerEntered, TriggerLeft, Woke

WORLD = "ecs_collision demo"
WIDTH = 78
LABEL_WIDTH = 12
NO_BREAK = "\N{NO-BREAK SPACE}"
COUNTERS = ("moved", "bin_changes", "pairs_tested", "cells_visited", "cells_skipped")
STEPS = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1), "wait": (0, 0)}


class Scene(NamedTuple):
    """A heading, what to look at, and the moves: "right 4" asks for 4 cells in one frame, "wait" for none."""

    heading: str
    remark: str
    moves: str


SCENES = (
    Scene(
        "Nothing happens, and that is quick",
        f"Four bodies may rest after {QUIET_FRAMES} quiet frames: the crates S, T, U and the rock R. "
        "A small z marks who sleeps.",
        "wait, wait, wait, wait",
    ),
    Scene(
        "A train",
        "The player asks for 4. Each wagon starts when the gap before it is closed, so A goes 3, B and C go 2.",
        "right 4",
    ),
    Scene(
        "The train runs into sleepers",
        "One push moves the wagons and, over the last gap, S and T. They wake in the same frame. U touches S but is "
        "not displaced: it sleeps on.",
        "right 4",
    ),
    Scene(
        "Too heavy",
        "Force 2 does not move the rock's inertia 5. The whole train stops against it, and the rock is not even woken.",
        "right 3",
    ),
    Scene(
        "A closed door",
        "The player walks round into the hall and tries the door. Behind its back the crates rest again.",
        "up 1, left 8, down 4, right 12, down 1, right 1",
    ),
    Scene(
        "A compound meets a corner piece",
        "J is one body of three cells. Two of them reach the corner piece K at once, and so all of J stops.",
        "up 1, left 10, down 2, right 4",
    ),
    Scene(
        "Round the corner: up",
        "From below, J goes up. The player asks for 3 and gets what the ceiling leaves.",
        "down 1, right 1, up 3",
    ),
    Scene(
        "Round the corner: across",
        "From the left, J goes across the top of K.",
        "left 1, up 1, right 4",
    ),
    Scene(
        "Round the corner: down, onto the plate",
        "The player stands in J's notch and pushes down. The plate is a trigger: it sees J arrive, and the game "
        "disables the door's collider.",
        "up 1, right 1, down 3",
    ),
    Scene(
        "Out",
        "The way is free. The exit is a trigger too.",
        "up 1, right 8",
    ),
)


def tell_story(stream: TextIO) -> bool:
    """Play the puzzle in an esper world of its own, telling it on `stream`; return whether it was solved."""
    before = esper.current_world
    esper.switch_world(WORLD)
    try:
        puzzle = Puzzle()
        Story(puzzle, stream).tell()
        return puzzle.is_solved
    finally:
        esper.switch_world(before)
        esper.delete_world(WORLD)


class Story:
    """Plays the scenes of a puzzle and writes them to a stream."""

    def __init__(self, puzzle: Puzzle, stream: TextIO) -> None:
        self._puzzle = puzzle
        self._system = puzzle.system
        self._stream = stream
        self._frames = 0
        self._totals: Counter[str] = Counter()
        self._walked: list[str] = []

    def tell(self) -> None:
        """Tell it all: the room, every scene, the counters."""
        self._write("A small puzzle, played by the engine: the player must reach the exit.", "")
        self._write("  @@ player (force 2)      AA BB CC wagons, SS TT UU crates (inertia 1)")
        self._write("  JJ compound (1.5)        RR rock (5)      %% corner piece      ## wall")
        self._write("  __ plate                 || door          <> exit")
        self._draw()
        for number, scene in enumerate(SCENES, start=1):
            self._write(f"--- {number}. {scene.heading} ".ljust(WIDTH, "-"))
            self._write(*textwrap.wrap(scene.remark, WIDTH), "")
            for move in scene.moves.split(", "):
                self._play(move)
            self._end_walk()
            self._note_counters()
            self._draw()
        self._summarize()

    def _play(self, move: str) -> None:
        """Play one frame, and tell its result and its events; plain steps are gathered into one line."""
        word, _, length = move.partition(" ")
        dx, dy = (step * int(length or 1) for step in STEPS[word])
        self._system.request(self._puzzle.player, dx=dx, dy=dy)
        esper.process()
        self._count()
        result = self._system.results.get(self._puzzle.player)
        if result is None or (result and not result.pushed):
            self._walked.append(move)
        else:
            self._end_walk()
            self._note(move, self._named(result.explain()))
        sentences = list(self._sentences())
        if sentences:
            self._end_walk()
            self._note(f"frame {self._frames}", "; ".join(sentences))

    def _count(self) -> None:
        self._frames += 1
        self._totals.update({name: getattr(self._system.stats, name) for name in COUNTERS})
        self._totals.update(type(event).__name__ for event in self._system.events)

    def _sentences(self) -> Iterator[str]:
        """Yield what the events of this frame say beyond the result of the motion."""
        name = self._puzzle.name
        for kind, word in ((Woke, "woke"), (FellAsleep, "fell asleep")):
            names = [name(event.entity) for event in self._system.events if isinstance(event, kind)]
            if names:
                yield f"{', '.join(names)} {word}"
        for event in self._system.events:
            if isinstance(event, Blocked):
                by = "the bounds" if event.blocker is None else name(event.blocker)
                yield f"{name(event.entity)} was blocked on {event.axis} by {by}: {event.reason.name}"
            elif isinstance(event, TriggerEntered):
                yield f"{name(event.other)} entered {name(event.trigger)}{self._consequence()}"
            elif isinstance(event, TriggerLeft):
                yield f"{name(event.other)} left {name(event.trigger)}{self._consequence()}"

    def _consequence(self) -> str:
        if self._puzzle.is_solved:
            return ": solved"
        return ": the door is open" if self._puzzle.door_is_open() else ": the door is shut"

    def _named(self, text: str) -> str:
        """Return an explanation with the names of the story for the numbers of the entities."""
        return re.sub(r"entity (\d+)", lambda match: self._puzzle.name(int(match[1])), text)

    def _end_walk(self) -> None:
        if self._walked:
            self._note("moves", ", ".join(self._walked))
            self._walked.clear()

    def _note(self, label: str, text: str) -> None:
        """Write a label and a text beside it, never breaking a line between an axis and its number."""
        head, margin = f"  {label}".ljust(LABEL_WIDTH), " " * LABEL_WIDTH
        whole = re.sub(r"\b([xyz]) (?=[-+0-9])", r"\1" + NO_BREAK, text)
        lines = textwrap.wrap(whole, WIDTH, initial_indent=head, subsequent_indent=margin, break_on_hyphens=False)
        self._write(*(line.replace(NO_BREAK, " ") for line in lines))

    def _draw(self) -> None:
        self._write("", textwrap.indent(self._puzzle.picture(), " " * LABEL_WIDTH), "")

    def _note_counters(self) -> None:
        """Tell what the last frame cost, and how much of the room is at rest."""
        stats = self._system.stats
        regions = [region.asleep for region in self._system.space.regions()]
        self._note("cost", f"{stats.moved} moved, {stats.bin_changes} cells changed, {stats.pairs_tested} pairs tested")
        self._note(
            "rest", f"{stats.awake} of {stats.bodies} bodies awake, {sum(regions)} of {len(regions)} regions asleep"
        )

    def _summarize(self) -> None:
        """Tell what all frames add up to, and let the system verify itself."""
        self._system.check()
        totals = self._totals
        self._write("--- Summary ".ljust(WIDTH, "-"))
        for name, value in (
            ("solved", "yes" if self._puzzle.is_solved else "no"),
            ("frames", self._frames),
            ("bodies", self._system.stats.bodies),
            ("pushes", totals["Pushed"]),
            ("motions blocked", totals["Blocked"]),
            ("fell asleep", totals["FellAsleep"]),
            ("woke", totals["Woke"]),
            ("triggers entered", totals["TriggerEntered"]),
            ("bodies moved", totals["moved"]),
            ("cells changed", totals["bin_changes"]),
            ("pairs tested", totals["pairs_tested"]),
            ("cells visited", totals["cells_visited"]),
            ("cells skipped", totals["cells_skipped"]),
            ("invariants", "all hold"),
        ):
            self._write(f"  {name:<18}{value:>9}")

    def _write(self, *lines: str) -> None:
        self._stream.writelines(f"{line}\n" for line in lines)
