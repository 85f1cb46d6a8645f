"""A sitting in motion: carries out the session's effects against store and lab, for both front ends."""
