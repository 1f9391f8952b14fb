"""A burr that sticks to the bar once they touch."""


def script(puzzle):
    puzzle.sticky("burr", "bar")
