//! Proc-macros for ops, types, attributes, dialects and passes
