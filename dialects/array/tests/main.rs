//! Listings and macros of the papers

mod common;

mod compositions;
mod listings;
mod macros;
