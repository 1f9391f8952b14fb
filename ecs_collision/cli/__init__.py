"""The command line: playing, replaying, verifying and solving levels, the demo, and `doctor`."""
