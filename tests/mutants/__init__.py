"""One-line faults, each of which a named test must detect: `python -m tests.mutants` applies them one at a time.

This tests the tests: a fault that no test detects shows a rule without a test. The faults are listed in text files in
this folder, by area; table.py describes their format.
"""
