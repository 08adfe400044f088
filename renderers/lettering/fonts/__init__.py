"""The fonts of the pictures; see LICENSE.txt."""
