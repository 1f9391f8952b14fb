"""Level files that mean harm, readings of good ones to compare with, and a fuzzer that makes more of both."""
