"""Write the report, a self-contained HTML page that presents a run or a published folder of results."""
