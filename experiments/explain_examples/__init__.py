"""Files to copy for `tutor explain FILE.py`: five small architectures, each with what the command needs and no more."""
