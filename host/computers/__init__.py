"""Computers at the table: when they think, the processes in which they do, and how their decisions are stored."""
