"""Bodies that move by their velocities and answer contacts with impulses (rules I)."""
