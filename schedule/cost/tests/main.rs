//! Estimates of nests, in the order of their times and term by term

mod grid;
mod order;
