"""The public Python interface to train, load and evaluate models; the command line and the workflow use it as well."""
