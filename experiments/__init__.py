"""Real torch experiments, each a lesson to read and a program to run. They import torch and `tutor.formulas` alone."""
