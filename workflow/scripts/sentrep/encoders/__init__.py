"""Define, save, load and export encoders, which are models that turn sentences into vectors."""
