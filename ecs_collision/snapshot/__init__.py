"""A state as bytes and back: codecs of values, components and pending events, and the cache of what seldom changes."""
