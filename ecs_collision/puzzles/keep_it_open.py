"""A door that is open while its plate is pressed."""


def script(puzzle):
    puzzle.door("door", opens="plate")
