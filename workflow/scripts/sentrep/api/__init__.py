"""The public Python interface for training, loading and evaluating models.

The commands and the workflow also use modules of this package.
"""
