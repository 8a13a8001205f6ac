"""Transfer tasks: sentence vectors as features of a classifier (Logeswaran and Lee 2018, section 4.4)."""
