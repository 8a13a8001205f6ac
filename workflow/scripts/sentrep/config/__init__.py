"""Configuration of a run, and the plan derived from it."""
