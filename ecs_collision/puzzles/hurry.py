"""A door whose plate stays pressed for some turns."""


def script(puzzle):
    puzzle.door("door", opens="plate", by="player")
