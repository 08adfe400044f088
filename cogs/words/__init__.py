"""Sentences about games, events, tables and rules, composed from the texts of the current language.

These modules return texts; messages with buttons and pictures are built in other packages.
"""
