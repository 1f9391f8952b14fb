"""The script of the built-in demo: moves in scenes, printed with pictures, results and events."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, TextIO

import esper

from ecs_collision.demo.puzzle import QUIET_FRAMES, Puzzle
from ecs_collision.events import Blocked, FellAsleep, TriggerEntered, TriggerLeft, Woke
from ecs_collision.levels.spawning import with_names

WORLD = "ecs_collision demo"
WIDTH = 78
LABEL_WIDTH = 12
NO_BREAK = "\N{NO-BREAK SPACE}"
COUNTERS = ("moved", "bin_changes", "pairs_tested", "cells_visited", "cells_skipped")
STEPS = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1), "wait": (0, 0)}


class Scene(NamedTuple):
    """A heading, what to look at, and the moves: "right 4" requests 4 cells in one frame, "wait" none."""

    heading: str
    text: str
    moves: str


SCENES = (
    Scene(
        "Nothing moves, and that costs nothing",
        f"The crates S, T, U and the rock R may fall asleep after {QUIET_FRAMES} quiet frames. "
        "A small z marks a sleeping body. A frame without changes costs almost nothing.",
        "wait, wait, wait, wait",
    ),
    Scene(
        "A train",
        "The player moves 4. Each wagon moves once the gap behind it is closed: A moves 3, B and C move 2.",
        "right 4",
    ),
    Scene(
        "The train wakes sleeping crates",
        "One push moves the wagons and then S and T. They wake in the same frame. U touches S but is "
        "not moved, so it stays asleep.",
        "right 4",
    ),
    Scene(
        "Too heavy",
        "A force of 2 cannot push the rock's inertia of 5. The whole train stops at it, and the rock stays asleep.",
        "right 3",
    ),
    Scene(
        "A closed door",
        "The player walks around and tries the door. Meanwhile the crates fall asleep again.",
        "up 1, left 8, down 4, right 12, down 1, right 1",
    ),
    Scene(
        "A compound meets a corner piece",
        "J is one body of three cells. Two of them reach the corner piece K, so all of J stops.",
        "up 1, left 10, down 2, right 4",
    ),
    Scene(
        "Around the corner: up",
        "Now the player pushes J up from below. It requests 3 cells; the ceiling stops it after 2.",
        "down 1, right 1, up 3",
    ),
    Scene(
        "Around the corner: across",
        "Pushed from the left, J passes over the top of K.",
        "left 1, up 1, right 4",
    ),
    Scene(
        "Around the corner: down, onto the plate",
        "The player stands in J's notch and pushes down. The plate is a trigger: it reports J, and the game "
        "disables the door's collider.",
        "up 1, right 1, down 3",
    ),
    Scene(
        "Out",
        "The door is open. The exit is a trigger too.",
        "up 1, right 8",
    ),
)


def run_demo(stream: TextIO) -> bool:
    """Play the puzzle in an esper world of its own and print it to `stream`; return whether it was solved."""
    before = esper.current_world
    esper.switch_world(WORLD)
    try:
        puzzle = Puzzle()
        Story(puzzle, stream).run()
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
        self._plain_moves: list[str] = []

    def run(self) -> None:
        """Write the level, every scene and the counters."""
        self._write("A small puzzle that the engine plays: the player must reach the exit.", "")
        self._write("  @@ player (force 2)      AA BB CC wagons, SS TT UU crates (inertia 1)")
        self._write("  JJ compound (1.5)        RR rock (5)      %% corner piece      ## wall")
        self._write("  __ plate                 || door          <> exit")
        self._draw()
        for number, scene in enumerate(SCENES, start=1):
            self._write(f"--- {number}. {scene.heading} ".ljust(WIDTH, "-"))
            self._write(*textwrap.wrap(scene.text, WIDTH), "")
            for move in scene.moves.split(", "):
                self._play(move)
            self._flush_moves()
            self._note_counters()
            self._draw()
        self._summarize()

    def _play(self, move: str) -> None:
        """Play one frame and report its result and events; moves without a push are collected in one line."""
        word, _, length = move.partition(" ")
        dx, dy = (step * int(length or 1) for step in STEPS[word])
        self._system.request(self._puzzle.player, dx=dx, dy=dy)
        esper.process()
        self._count()
        result = self._system.results.get(self._puzzle.player)
        if result is None or (result.complete and not result.pushed):
            self._plain_moves.append(move)
        else:
            self._flush_moves()
            self._note(move, self._named(result.explain()))
        sentences = list(self._sentences())
        if sentences:
            self._flush_moves()
            self._note(f"frame {self._frames}", "; ".join(sentences))

    def _count(self) -> None:
        self._frames += 1
        self._totals.update({name: getattr(self._system.stats, name) for name in COUNTERS})
        self._totals.update(type(event).__name__ for event in self._system.events)

    def _sentences(self) -> Iterator[str]:
        """Yield a sentence for each event that the result of the motion does not include."""
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
        """Replace the ids in an explanation by names."""
        return with_names(text, self._puzzle.name)

    def _flush_moves(self) -> None:
        if self._plain_moves:
            self._note("moves", ", ".join(self._plain_moves))
            self._plain_moves.clear()

    def _note(self, label: str, text: str) -> None:
        """Write a label with a text beside it, without a line break between an axis and its number."""
        head, margin = f"  {label}".ljust(LABEL_WIDTH), " " * LABEL_WIDTH
        whole = re.sub(r"\b([xyz]) (?=[-+0-9])", r"\1" + NO_BREAK, text)
        lines = textwrap.wrap(whole, WIDTH, initial_indent=head, subsequent_indent=margin, break_on_hyphens=False)
        self._write(*(line.replace(NO_BREAK, " ") for line in lines))

    def _draw(self) -> None:
        self._write("", textwrap.indent(self._puzzle.picture(), " " * LABEL_WIDTH), "")

    def _note_counters(self) -> None:
        """Write the cost of the last frame, and how much of the level is asleep."""
        stats = self._system.stats
        regions = [region.asleep for region in self._system.space.regions()]
        self._note("cost", f"{stats.moved} moved, {stats.bin_changes} cells changed, {stats.pairs_tested} pairs tested")
        self._note(
            "sleep", f"{stats.awake} of {stats.bodies} bodies awake, {sum(regions)} of {len(regions)} regions asleep"
        )

    def _summarize(self) -> None:
        """Write the totals of all frames, and let the system check itself."""
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
