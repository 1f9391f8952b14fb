"""Oracles: small, slow, exact models of the rules, written from the rules alone and never from the solver.

`scenes` is what they look at. `pushing` answers a motion twice, by unit steps and by shortest gaps; `recursion` a third
time where nothing runs in a circle; `overlaps` answers the questions of space by trying every box. `drawing` reads
scenes from text, `chances` makes them at random, `staging` puts them into a CollisionWorld. What a whole frame does is
told by the model of the rules, `ecs_collision.testing.model`.
"""
