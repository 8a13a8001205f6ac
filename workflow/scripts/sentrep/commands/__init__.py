"""Commands of the command line with many options."""
