"""A gate that opens when two crates have crossed a beam of light, even within one turn."""


def script(puzzle):
    puzzle.state["seen"] = 0

    @puzzle.on_enter("beam", by="crate")
    def seen(event):
        puzzle.state["seen"] += 1
        if puzzle.state["seen"] == 2:
            puzzle.disable("gate")
