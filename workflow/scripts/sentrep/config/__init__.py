"""Define the configuration of runs, and plan each run from its configuration."""
