"""Help for those who test a game, and the rules told a second time: nothing is imported until it is asked for."""
