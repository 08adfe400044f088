"""Imported by each Python process of ``benchmarks.quick reach`` when it starts."""

from benchmarks.quick import blocks

blocks.install()
