"""Benchmarks: the tutor's speed and memory as ratios against a peer in the same run. `make bench` prints them."""

from tutor.__main__ import collect_seldom

collect_seldom()  # as the program does
