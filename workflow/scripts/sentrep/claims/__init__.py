"""Claims: statements of the papers, each with a test on the table of values and a verdict.

``workflow/reported/claims.yaml`` lists the statements (:mod:`sentrep.claims.reading`). Each names a test, a function of
:mod:`~sentrep.claims.comparisons`, :mod:`~sentrep.claims.curves`, :mod:`~sentrep.claims.words`,
:mod:`~sentrep.claims.significance` or :mod:`~sentrep.claims.published`, and a view of the table of values that the test
reads (:mod:`sentrep.claims.data`). :mod:`sentrep.claims.verdicts` runs the tests and judges the claims.
"""
