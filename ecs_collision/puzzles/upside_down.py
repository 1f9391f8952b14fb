"""A lever that reverses gravity."""


def script(puzzle):
    @puzzle.on_enter("lever", by="player")
    def over(event):
        puzzle.gravity = "U" if puzzle.gravity == "D" else "D"
