//! Passes on upstream's dialects, by value

mod order_floats;
mod places;
mod values;
