//! The reference interpreter
