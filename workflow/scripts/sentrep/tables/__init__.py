"""Build the tables and figures of a run from its scores and other measurements."""
