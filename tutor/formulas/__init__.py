"""Closed forms of ML systems, each with its units and source. Pure arithmetic."""
