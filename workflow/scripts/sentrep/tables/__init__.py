"""Build the tables and figures of a run from its files of scores and measurements."""
