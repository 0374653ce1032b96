//! The real binary: searches of schedules, arrays and strategies, and their logs

mod arrays;
mod course;
mod nests;
mod paper;
mod resume;
mod search;
mod strategies;
mod trials;
