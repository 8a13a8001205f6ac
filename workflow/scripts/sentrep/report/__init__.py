"""The report: one HTML file, which needs no other, made from the files of a run or of a published folder."""
