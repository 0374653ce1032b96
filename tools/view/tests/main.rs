//! The real binary: forms, page, scripts

mod forms;
mod page;
mod scripts;
