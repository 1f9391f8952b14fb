"""LDtk projects: each level of a project becomes a `Level`. Redundant data is compared; contradictions are errors."""
