//! The real binary: searches of schedules, arrays and strategies

mod arrays;
mod nests;
mod paper;
mod search;
mod strategies;
