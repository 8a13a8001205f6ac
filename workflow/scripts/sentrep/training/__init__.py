"""Train models: draw batches, compute losses, run the training loop, and save checkpoints."""
