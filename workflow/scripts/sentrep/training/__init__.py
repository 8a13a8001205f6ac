"""Draw training batches, compute losses, run the training loop, and save checkpoints."""
