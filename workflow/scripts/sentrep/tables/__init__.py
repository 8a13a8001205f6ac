"""Results: tables, figures and lists, made from score files only."""
