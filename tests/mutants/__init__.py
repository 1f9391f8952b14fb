"""Faults of one line, each of which a named test must notice: `python -m tests.mutants` puts them in one at a time.

The tests are tested so: a fault that no test notices stands for a rule that nothing holds. The faults are listed in
text files beside this one, by the room they are in; the form of the lists is told in table.py.
"""
