"""Workloads that measure the engine, and the small harness they share: `python -m benchmarks [NAME ...]`."""
