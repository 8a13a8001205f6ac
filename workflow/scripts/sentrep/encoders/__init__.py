"""Define encoders, which are trained models that turn sentences into vectors, and save, load and export them."""
