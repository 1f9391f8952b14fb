"""Reads LDtk projects: each level of a project becomes a `Level`.

`definitions` reads the definitions of a project, `layers` the contents of levels, `fields` the values of custom fields,
and `project` combines them. Redundant data (the size of a layer and its cells, names next to ids) is compared, so a
contradictory file is an error.
"""

from ecs_collision.levels.ldtk.project import read_ldtk

__all__ = ["read_ldtk"]
