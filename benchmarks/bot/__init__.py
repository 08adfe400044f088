"""Helpers for benchmarks of the real bot, which runs in its own process on a loopback Discord.

``bench_bot`` prepares games that are nearly over and starts the bot; ``members`` simulates the players; ``gauges``
reads CPU, memory, statements and requests, some of which ``metered`` counts inside the bot's process.
"""
