"""A dog that must not wake up; it wakes up when it is moved."""


def script(puzzle):
    @puzzle.on_move("dog")
    def woken(event):
        puzzle.state["woken"] = True

    @puzzle.win_when
    def quiet():
        return puzzle.get("dog", "Sleeping").asleep and set(puzzle.inside("goal")) == set(puzzle.select("crate"))
