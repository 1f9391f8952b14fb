"""How fast the built playground is in a browser, and how large: `python -m tools.playground_times`."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from benchmarks.browser import chromium, served, what_is_missing

BUILT = Path(__file__).resolve().parents[1] / "build" / "site" / "playground"
TURNS = "RLRLRLRLRLRLRLRLRLRLR"


def main() -> None:
    """Print the size, the time to the first picture, and the times from a click to the picture of its turn."""
    files = [path for path in BUILT.rglob("*") if path.is_file()]
    pyodide = sum(path.stat().st_size for path in files if path.parent.name == "pyodide")
    total = sum(path.stat().st_size for path in files)
    print(f"{total / 1e6:.1f} MB in {len(files)} files, {pyodide / 1e6:.1f} MB of them Pyodide")
    if problem := what_is_missing():
        print(problem)
        return
    with served(BUILT) as address, chromium() as driver:

        def get(expression: str) -> float:
            return float(driver.execute_script(f"return {expression}"))

        driver.get(address)
        while not get("playground.pictures"):
            time.sleep(0.1)
        own = get("playground.python.times.pyodide")
        print(
            f"first picture after {get('playground.firstPicture') / 1e3:.1f} s, {own / 1e3:.1f} s of it Pyodide's start"
        )
        reactions = []
        for number, letter in enumerate(TURNS, 1):
            driver.execute_script(f"document.querySelector('[data-letter={letter}]').click()")
            while get("playground.shown.moves.length") < number:
                time.sleep(0.05)
            time.sleep(0.3)  # the later steps of the turn
            reactions.append(get("playground.reaction"))
        print(f"a turn is drawn {statistics.median(reactions):.0f} ms after its click, at most {max(reactions):.0f} ms")


if __name__ == "__main__":
    main()
