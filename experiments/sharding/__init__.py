"""Sharding: what each of several ranks holds, on real processes."""
