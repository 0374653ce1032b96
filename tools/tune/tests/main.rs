//! The real binary: searches of schedules, arrays and strategies

mod arrays;
mod search;
mod strategies;
