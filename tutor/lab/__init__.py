"""Runs experiments: catalogue, protocol, supervisor. Never imports torch."""
