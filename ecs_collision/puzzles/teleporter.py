"""A teleporter: a crate that enters one end leaves from the other."""


def script(puzzle):
    puzzle.teleporter("near ring", "far ring", both_ways=True, by="crate")
