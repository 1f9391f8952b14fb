"""The demo: a small puzzle solved in the terminal.

It may import any other package folder, and none imports it. `puzzle` and `story` use esper and `CollisionSystem` as a
game would.
"""
