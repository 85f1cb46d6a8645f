"""Byte units. GB is 10^9 bytes and GiB is 2^30: whoever states a number names which."""

KIB, MIB, GIB = 2**10, 2**20, 2**30
KB, MB, GB = 1e3, 1e6, 1e9
