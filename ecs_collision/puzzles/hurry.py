"""A door whose plate remembers for a while who stood on it."""


def script(puzzle):
    puzzle.door("door", opens="plate", by="player")
