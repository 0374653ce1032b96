//! The real binary: forms, figure, page, scripts

mod browser;
mod figure;
mod forms;
mod page;
mod scripts;
mod tool;
