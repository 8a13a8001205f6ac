"""Tables and figures, made from files of scores and measurements."""
