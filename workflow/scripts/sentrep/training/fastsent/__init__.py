"""Train FastSent."""
