"""Recorded plays: their files, recording one from a game, and verifying that it still comes to the same."""
