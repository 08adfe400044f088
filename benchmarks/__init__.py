"""Measurements with figures that the documentation quotes: ``make bench``."""
