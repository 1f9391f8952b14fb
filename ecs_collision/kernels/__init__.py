"""The hot loops, over arrays only: compiled where a C compiler was there, plain Python elsewhere."""

from ecs_collision._build import choose_kernels

choose_kernels()
