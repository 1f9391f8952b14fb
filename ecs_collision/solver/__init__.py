"""Solving levels: the fewest pushes and, of those, the fewest steps."""
