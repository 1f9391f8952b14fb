"""Sokoban levels: XSB and SOK files, read and written."""
