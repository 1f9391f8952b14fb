"""The index: boxes in cells by size level, cells found by hash and ordered by their Morton codes."""
