//! Tests of the dialect's text and rules

mod locations;
mod views;
mod wraps;
