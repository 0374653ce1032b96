//! What the macros make, and what they refuse

mod op;
mod pass;
mod registration;
mod run;
mod ui;
