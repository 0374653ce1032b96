//! Passes on upstream's dialects, by value

mod values;
