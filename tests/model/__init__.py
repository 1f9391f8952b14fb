"""A second implementation of the rules, and the oracle that compares a world with it."""
