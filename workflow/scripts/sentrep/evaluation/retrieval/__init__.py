"""Evaluate models on image-caption retrieval without fine-tuning (Logeswaran and Lee, 2018, section 4.4.3)."""
