"""Saved tensors: what autograd keeps between forward and backward."""
