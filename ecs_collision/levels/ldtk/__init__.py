"""LDtk projects: each of its levels becomes a `Level`.

`definitions` reads what a project defines, `layers` what lies in a level, `fields` what a designer wrote into its
fields, and `project` puts them together. Everything the editor writes twice (the size of a layer and its cells, names
beside ids) is compared, so that a file that contradicts itself is refused rather than read in one of two ways.
"""

from ecs_collision.levels.ldtk.project import read_ldtk

__all__ = ["read_ldtk"]
