"""Crates that can be pushed in one direction only."""


def script(puzzle):
    puzzle.one_way("left valve", "L")
    puzzle.one_way("right valve", "R")
