"""Looking at a world: what it draws, what it did and why, in a window or as a page for a browser."""
