"""Ice that breaks behind the player, and gems to collect."""


def script(puzzle):
    hole_at = {puzzle.cell(hole): hole for hole in puzzle.select("hole")}
    for hole in hole_at.values():
        puzzle.disable(hole)

    @puzzle.on_leave("ice", by="player")
    def breaks(event):
        puzzle.enable(hole_at[puzzle.cell(event.trigger)])

    @puzzle.on_enter("gem", by="player")
    def gathered(event):
        puzzle.disable(event.trigger)
