"""How it is learnt: grading, evidence, FSRS memory, study day, queue, session and diagnosis.

Everything here is pure: clock readings and seeds are arguments; no files, no SQLite, no terminal, no torch.
"""
