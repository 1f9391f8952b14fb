"""Pushes as drawings: before, what `A` wants, after. The legend is that of oracles/drawing.py."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from oracles.scenes import Rules


@dataclass(frozen=True)
class Plan:
    """One push, in tiles; `stop` is what ends it: the sign of the blocker (None: nobody) and the reason."""

    name: str
    before: str
    way: tuple[int, int]
    after: str
    stop: tuple[str | None, str] | None = None
    rules: Rules = field(default_factory=lambda: Rules(force=5.0))
    inertias: dict[str, float] = field(default_factory=dict)


def forced(force: float, **more: object) -> Rules:
    """Return rules with that force."""
    return Rules(force=force, **more)  # type: ignore[arg-type]


WALL, WEAK = ("#", "IMMOVABLE"), "FORCE"

PLANS = [
    # --- single pushes ---
    Plan("P01-free", "A....", (3, 0), "...A."),
    Plan("P02-worked-example", "A.1.1.#", (4, 0), "...A11#", WALL),
    Plan("P03-force-equals-inertia", "A.1..", (3, 0), ".A1..", ("1", WEAK), forced(1.0)),
    Plan("P03-force-just-above", "A.1..", (3, 0), "...A1", None, forced(1.0 + 2.0**-16)),
    Plan("P03-nothing-against-nothing", "A.0..", (3, 0), ".A0..", ("0", WEAK), forced(0.0)),
    Plan("P03-infinite-force-pushes", "A.9..", (3, 0), "...A9", None, forced(math.inf)),
    Plan("P03-infinite-both", "A.b..", (3, 0), ".Ab..", ("b", "IMMOVABLE"), forced(math.inf), {"b": math.inf}),
    Plan("P04-no-inertia-is-a-wall", "A.%..", (3, 0), ".A%..", ("%", "IMMOVABLE"), forced(math.inf)),
    Plan("P05-two-away", "A..1....", (5, 0), ".....A1."),
    Plan("P06-into-a-touching-wall", "A#", (1, 0), "A#", WALL),
    Plan("P06-along-a-touching-wall", ".#\n.#\nA#", (0, 2), "A#\n.#\n.#"),
    Plan("P09-past-a-corner", ".#.\nA..", (2, 0), ".#.\n..A"),
    Plan("P09-past-two-corners", ".#.\nA..\n.#.", (2, 0), ".#.\n..A\n.#."),
    Plan("P10-along-fifty-tiles", "A" + "." * 49 + "\n" + "#" * 50, (49, 0), "." * 49 + "A\n" + "#" * 50),
    Plan("P13-zero-motion", "A1", (0, 0), "A1"),
    Plan("P15-away-from-what-touches", ".1A..", (2, 0), ".1..A"),
    Plan("P15-away-from-a-train", "111A.", (1, 0), "111.A"),
    Plan("P17-heavier-than-its-force", "A.4...", (3, 0), "...A4.", None, forced(5.0), {"A": 100.0}),
    Plan("P17-still-stopped-by-5", "A.5...", (3, 0), ".A5...", ("5", WEAK), forced(5.0), {"A": 100.0}),
    Plan("P19-whole-request-too-long", "A.1.#", (3, 0), "A.1.#", WALL, forced(5.0, all_or_nothing=True)),
    Plan("P19-whole-request-fits", "A.1.#", (2, 0), "..A1#", None, forced(5.0, all_or_nothing=True)),
    Plan("P20-sum-of-three", "A.2.2.2..", (5, 0), "...A222..", ("2", WEAK), forced(5.0, rule="sum")),
    Plan("P20-each-of-three", "A.2.2.2..", (5, 0), ".....A222", None, forced(5.0)),
    Plan("P20-sokoban-one", "A1.1.", (1, 0), ".A11.", None, forced(1.5, rule="sum")),
    Plan("P20-sokoban-two", "A11..", (1, 0), "A11..", ("1", WEAK), forced(1.5, rule="sum")),
    Plan("P20-sum-counts-only-who-moves", "A.3...3", (4, 0), "....A33", None, forced(5.0, rule="sum")),
    Plan("P21-twelve", "A" + "1" * 12 + "..", (2, 0), "..A" + "1" * 12, None, forced(5.0, max_chain=12)),
    Plan(
        "P21-thirteen", "A" + "1" * 13 + ".", (1, 0), "A" + "1" * 13 + ".", ("1", "CHAIN_LIMIT"),
        forced(5.0, max_chain=12),
    ),
    Plan("P21-none", "A.1..", (2, 0), ".A1..", ("1", "CHAIN_LIMIT"), forced(5.0, max_chain=0)),
    # --- chains ---
    Plan("C01-train", "A11111..", (2, 0), "..A11111"),
    Plan("C02-train-with-gaps", "A.1..1...1", (4, 0), "....A11..1"),
    Plan("C03-heavy-in-the-middle", "A.1.9.1", (5, 0), "..A19.1", ("9", WEAK)),
    Plan("C04-side-by-side", "A.1..\nA.1.#", (4, 0), "..A1.\n..A1#", WALL),
    Plan("C04-side-by-side-touching", "A1..\nA1#.", (2, 0), "A1..\nA1#.", WALL),
    Plan("C05-t-shape", "..b1.#..\nA.b.....\n..b1....", (6, 0), "...b1#..\n..Ab....\n...b1...", WALL),
    Plan("C05-t-shape-free-one-far", "..b1.#..\nA.b.....\n..b..1..", (6, 0), "...b1#..\n..Ab....\n...b.1..", WALL),
    Plan("C06-diamond", "Abb.d...\nA..cd...", (3, 0), "...Abbd.\n...Ac.d."),
    Plan("C09-tie-of-crate-and-wall", "A.1..\nA.#..", (3, 0), ".A1..\n.A#..", WALL),
    Plan("C09-tie-other-way-up", "A.#..\nA.1..", (3, 0), ".A#..\n.A1..", WALL),
    Plan("C11-nothing-goes-sideways", ".1.1.\nA1b..\n..b1.", (1, 0), ".1.1.\n.A1b.\n...b1"),
    Plan("C14-between-heavy-and-wall", "A1#", (1, 0), "A1#", WALL, forced(100.0), {"A": 100.0}),
    Plan("C15-nearer-by-gaps", "A...V.\nA.1.W.", (5, 0), "..A.V.\n..A1W.", ("W", "IMMOVABLE")),
    Plan("C15-nearer-in-the-open", "A.V...\nA..1.W", (5, 0), ".AV...\n.A.1.W", ("V", "IMMOVABLE")),
    # --- diagonals ---
    Plan("D01-x-first", "..\nA#", (1, 1), "A.\n.#", WALL),
    Plan("D01-y-first", "..\nA#", (1, 1), ".A\n.#", None, forced(5.0, axis_order="yxz")),
    Plan("D03-slide", "..#\nA.#\n..#", (2, 1), ".A#\n..#\n..#", WALL),
    Plan("D04-out-of-its-own-way", ".b..\nAb..", (1, 1), ".Ab.\n..b."),
    # --- compounds ---
    Plan("K01-only-the-foot-hits", "A.....\nAA..#.", (4, 0), "..A...\n..AA#.", WALL),
    Plan("K02-c-around-a-pillar", "AAAA.\nA.#A.\nAAAA.", (4, 0), ".AAAA\n.A#.A\n.AAAA", WALL),
    Plan("K03-touching-one-part", "....b1.#\n....b...\nA.bbb...", (4, 0), ".....b1#\n.....b..\n..Abbb..", WALL),
    Plan("K03-the-far-part-pushes", "b.1...\n......\nA.b...", (3, 0), "..b1..\n......\n...Ab."),
    Plan("K08-both-far-parts-block", "B....\n.....\nA..B.", (4, 0), "B....\n.....\n..AB.", ("B", "IMMOVABLE")),
    Plan("K08-a-far-part-is-stopped", "A..#.\n.....\nA....", (4, 0), "..A#.\n.....\n..A..", WALL),
    Plan("K04-interlocked", "AAAA..\nAbbA..\n.bb...", (2, 0), "..AAAA\n..AbbA\n...bb."),
    Plan("K04-interlocked-pushed", ".aaaa..\nAabba..\n..bb...", (2, 0), "...aaaa\n..Aabba\n....bb."),
    Plan("K04-interlocked-stuck", ".aaaa.\nAabba.\n..bb#.", (2, 0), ".aaaa.\nAabba.\n..bb#.", WALL),
    Plan("K07-mover-met-again", "AAAA..\nAbbA..\n.bb...", (2, 0), "..AAAA\n..AbbA\n...bb.", None, forced(5.0), {"A": 9.0}),
    Plan("K10-box-pushed-by-the-inner-wall", "AAAA....\nA.1A....\nAAAA....", (3, 0), "...AAAA.\n...A1.A.\n...AAAA."),
    Plan("K10-compound-pushed-from-inside", "bbbb..\nbA.b..\nbbbb..", (2, 0), ".bbbb.\n.b.Ab.\n.bbbb."),
    Plan("K11-wedged", "AAA...\nA1A...", (3, 0), "...AAA\n...A1A"),
    Plan("K12-one-inertia", "A.b...\n..bb..", (3, 0), "...Ab.\n....bb"),
    Plan("K12-without-it-a-wall", "A.B..\n..BB.", (3, 0), ".AB..\n..BB.", ("B", "IMMOVABLE")),
    Plan("K18-third-keeps-its-gap", ".....\n...1.\n.....\n.bbbb\n.bAAb\n..AA.", (0, 2), "...1.\n.bbbb\n.bAAb\n..AA.\n.....\n....."),
]
