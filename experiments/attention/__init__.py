"""Attention: what its scores cost in memory, and how not to keep them."""
