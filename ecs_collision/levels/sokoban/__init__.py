"""Reads and writes Sokoban levels (XSB and SOK files)."""
