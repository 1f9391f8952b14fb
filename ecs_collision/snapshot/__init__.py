"""A state as bytes and back: codecs of values, components and pending events, and the cache of what seldom changes.

The layout of a snapshot, from its magic to its checksum, is in `world/snapshots.py`, which reads and restores it whole.
The blocks inside are those of `reader.py` (what changes every turn) and `cache.py` (what seldom does).
"""
