"""Train, load and evaluate models: the public Python interface, which the commands and the workflow also use."""
