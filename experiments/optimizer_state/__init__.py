"""Optimizer state: the memory that checkpointing does not touch."""
