"""Finding boxes near each other: an index that is kept, and pairs of boxes found from nothing."""
