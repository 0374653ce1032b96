//! Conversions between dialects, one file per edge
