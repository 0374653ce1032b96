//! The real binary: searches of schedules, arrays and strategies, and their logs

mod arrays;
#[path = "../../view/tests/browser.rs"]
mod browser;
#[cfg(target_os = "linux")]
mod clusters;
mod course;
#[cfg(target_os = "linux")]
mod farm;
mod forms;
mod html;
mod nests;
mod page;
mod paper;
mod records;
mod resume;
mod search;
mod strategies;
mod together;
mod trials;
#[cfg(target_os = "linux")]
mod workers;
