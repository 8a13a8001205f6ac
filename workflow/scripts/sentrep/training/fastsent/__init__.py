"""Training of FastSent."""
