//! Estimates of nests, in the order of their times and term by term

mod compilers;
mod grid;
mod order;
