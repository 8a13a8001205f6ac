"""Define the configuration of a run, and derive the plan of the run from it."""
