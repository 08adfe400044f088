"""Tests of the gallery."""
