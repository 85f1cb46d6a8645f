"""Widgets that more than one screen uses, each testable without an app."""
