"""The hot loops, over arrays only: compiled where a C compiler was there, plain Python elsewhere."""
