"""Test the statements made in the papers (claims) on the table of values, and give a verdict on each of them.

``workflow/reported/claims.yaml`` lists the statements (:mod:`sentrep.claims.reading`). Each statement names a test and
the part of the table of values that the test reads, which is called a view (:mod:`sentrep.claims.data`). A test is a
function in :mod:`~sentrep.claims.comparisons`, :mod:`~sentrep.claims.curves`, :mod:`~sentrep.claims.tasks`,
:mod:`~sentrep.claims.words`, :mod:`~sentrep.claims.significance` or :mod:`~sentrep.claims.published`. It computes a
margin from the measured values and from each bootstrap draw (:mod:`sentrep.claims.samples`).
:mod:`sentrep.claims.decision` derives a verdict from the interval of the margin, and :mod:`sentrep.claims.verdicts`
judges all claims.
"""
