"""Malicious level files, and a fuzzer that creates more of them."""
