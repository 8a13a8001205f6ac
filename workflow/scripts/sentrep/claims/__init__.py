"""Test the claims of the papers against the values that a run measured, and give a verdict on each claim.

:mod:`sentrep.claims.reading` reads the claims from ``workflow/reported/claims.yaml``. A claim that can be tested names
a test and a view, which defines the part of the table of values that the test reads (:mod:`sentrep.claims.data`). A
test is a function in :mod:`~sentrep.claims.comparisons`, :mod:`~sentrep.claims.curves`, :mod:`~sentrep.claims.tasks`,
:mod:`~sentrep.claims.words`, :mod:`~sentrep.claims.significance` or :mod:`~sentrep.claims.paper_errors`. Each test
computes a margin, which is positive if the claim holds. The margin is computed from the measured values and again from
the values in each bootstrap draw (:mod:`sentrep.claims.samples`). :mod:`sentrep.claims.decision` derives a verdict from
the 95% interval of the margin, and :mod:`sentrep.claims.verdicts` judges all claims.
"""
