"""Public Python interface for training, loading and evaluating models, also used by the command line and workflow."""
