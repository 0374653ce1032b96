//! What the macros make, and what they refuse

mod op;
mod pass;
mod run;
mod ui;
