//! Tests of the legality rules

mod blocks;
mod hardware;
mod lanes;
mod meetings;
mod memory;
mod merging;
mod nesting;
mod orders;
mod races;
mod random;
mod small;
mod tiles;
mod walks;
