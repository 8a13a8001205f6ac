"""The configuration of a run, and the plan that is derived from it."""
