"""Precision: which bytes fewer bits save."""
