"""The report: a self-contained HTML file made from the files of a run or of a published folder."""
