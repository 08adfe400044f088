"""Helpers for benchmarks of the real bot: its metered process, its database, late games, and simulated members."""
