"""Real torch experiments, each readable as a lesson and runnable alone. They import torch and `tutor.formulas`, nothing else."""
