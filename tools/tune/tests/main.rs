//! The real binary: searches of schedules, arrays and strategies, and their logs

mod arrays;
#[cfg(target_os = "linux")]
mod clusters;
mod course;
#[cfg(target_os = "linux")]
mod farm;
mod nests;
mod paper;
mod records;
mod resume;
mod search;
mod strategies;
mod trials;
#[cfg(target_os = "linux")]
mod workers;
