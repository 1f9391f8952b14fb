"""Two animals with letters of their own."""


def script(puzzle):
    puzzle.control("bear", "LRUD")
    puzzle.control("ant", "lrud")
