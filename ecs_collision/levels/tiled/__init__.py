"""Tiled maps: the code shared by XML and JSON, from the elements of a file to a `Level`."""
