"""Train, load and evaluate models: the public Python interface, which the command line and the workflow also use."""
