//! Listings and macros of the papers

mod common;

mod listings;
mod macros;
