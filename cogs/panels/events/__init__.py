"""Displays of events: pictures, public cards and private panels."""
