//! Device files as users write them

mod absurd;
mod keys;
mod shown;
