"""Claims: statements of the papers, each with a test on the table of values and a verdict.

``workflow/reported/claims.yaml`` lists the statements (:mod:`sentrep.claims.reading`). Each names a view of the table
of values (:mod:`sentrep.claims.data`) and a test that reads it: a function of :mod:`~sentrep.claims.comparisons`,
:mod:`~sentrep.claims.curves`, :mod:`~sentrep.claims.tasks`, :mod:`~sentrep.claims.words`,
:mod:`~sentrep.claims.significance` or :mod:`~sentrep.claims.published`. A test computes a margin from the values, and
the same margin in each draw of the bootstrap (:mod:`sentrep.claims.samples`). :mod:`sentrep.claims.decision` decides by
the interval of the margin, and :mod:`sentrep.claims.verdicts` judges all claims.
"""
