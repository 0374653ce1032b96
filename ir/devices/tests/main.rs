//! Device files as users write them

mod absurd;
mod atomics;
mod costs;
mod keys;
mod shown;
