"""Benchmarks: the tutor's speed and memory as ratios against a peer in the same run. `make bench` prints them."""
