"""Tiled maps: what XML and JSON have in common, from the elements of a file to a `Level`."""
