"""The demonstration: a small puzzle told in the terminal, and what `doctor` reports.

The top floor of the house: it may import any room, and no room imports it. `puzzle` and `story` use esper and
`CollisionSystem` as a game would.
"""
