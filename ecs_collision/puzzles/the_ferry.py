"""A platform that goes to and fro."""


def script(puzzle):
    puzzle.platform("ferry", "LLLLL.RRRRR.")
