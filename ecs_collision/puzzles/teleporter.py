"""Two rings: a crate that comes onto one leaves from the other."""


def script(puzzle):
    puzzle.teleporter("near ring", "far ring", both_ways=True, by="crate")
