//! Mappings: counted, explained, run, next to the papers' figures

#[path = "../../../lowering/array/tests/common/mod.rs"]
mod by_value;

mod common;

mod applied;
mod brute;
mod convolution;
mod deep;
mod inferred;
mod limits;
mod listings;
mod rounds;
mod rules;
mod statistics;
mod strangers;
mod table1;
mod valid;
mod whole;
mod without_loops;
