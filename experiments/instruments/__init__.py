"""Measuring instruments, each tested against another truth."""
