//! Index arithmetic and conflicts against brute force

mod common;

mod conflict;
mod nat;
mod nat_simplify;
mod simplify;
