"""Level files that mean harm, and a fuzzer that makes more of them."""
