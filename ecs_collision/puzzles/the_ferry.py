"""A platform that moves back and forth."""


def script(puzzle):
    puzzle.platform("ferry", "LLLLL.RRRRR.")
