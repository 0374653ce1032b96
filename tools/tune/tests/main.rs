//! The real binary: searches of schedules, arrays and strategies

mod arrays;
mod nests;
mod search;
mod strategies;
