"""The font of the pictures; see LICENSE.txt."""
