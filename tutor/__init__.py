"""A terminal tutor for people preparing for ML-systems interviews."""

__version__ = "0.1.0"
