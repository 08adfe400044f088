"""Benchmarks; ``make bench`` prints the figures that the documentation quotes."""
