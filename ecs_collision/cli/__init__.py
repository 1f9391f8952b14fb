"""The command line of levels and plays: pictures, keys, and what the commands do."""
