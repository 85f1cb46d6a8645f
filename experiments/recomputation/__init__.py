"""Recomputation: what checkpointing saves and what it costs."""
