//! The tool itself: flags, help, codes, reference pages, hostile input, threads

mod codes;
mod dependent;
mod flags;
mod help;
mod hostile;
mod reference;
mod targets;
mod threads;
mod unlowered;
