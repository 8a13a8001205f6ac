"""The public Python interface for training, loading and evaluating models. Commands and the workflow also use it."""
