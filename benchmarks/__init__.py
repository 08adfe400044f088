"""Benchmarks of the bot, its rules and its pictures; ``make bench`` prints the figures that the documentation quotes.

Every module that ``python -m benchmarks`` runs has a function ``figures``, which returns its measurements; some also
are commands of their own, such as ``python -m benchmarks.load``.
"""
