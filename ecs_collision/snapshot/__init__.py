"""A state as bytes and back: codecs of values, components and pending events, and a cache of settings and fields.

`world/snapshots.py` has the layout of a whole snapshot and restores it. `cache.py` has the block of data that rarely
changes, `reader.py` the blocks of data that change every turn.
"""
