//! What is wrong with a mapping.
