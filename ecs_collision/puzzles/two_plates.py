"""A door that is open while crates press all of its plates."""


def script(puzzle):
    puzzle.door("door", opens="plate", by="crate", needs="all")
