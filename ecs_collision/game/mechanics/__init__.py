"""The mechanics of puzzles, a file each: doors, teleporters, platforms, gravity, fusing."""
