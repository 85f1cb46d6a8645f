"""Randomness: what replay must draw again."""
