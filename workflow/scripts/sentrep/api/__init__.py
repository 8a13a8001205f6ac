"""The public interface: train, load and evaluate models from Python, the command line and the workflow."""
