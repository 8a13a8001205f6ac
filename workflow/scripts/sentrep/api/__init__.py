"""The library as its users meet it: train, load and evaluate, for the command line, Python and the rules."""
