"""Benchmarks, one module a room; `make bench` prints all their tables."""
