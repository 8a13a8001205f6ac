"""Write the report, a self-contained HTML page that presents the results of a run."""
