"""The index: boxes in cells by size level. Cells are found by hash and ordered by their Morton codes."""
