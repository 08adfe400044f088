"""The choice of tests for ``make test-quick``, and what it is judged by: ``python -m benchmarks.quick``."""
