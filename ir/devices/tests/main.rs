//! Device files as users write them

mod absurd;
mod costs;
mod keys;
mod shown;
