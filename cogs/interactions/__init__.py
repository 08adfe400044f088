"""Interactions, from a press or command of a user to its answer.

They are acknowledged, checked for access, dispatched and answered here, and all errors are reported in one place.
"""
