//! Schedules become loops: joins, tails, peels, warps, by value and at random

mod common;

mod decide;
mod joins;
mod peel;
mod random;
mod skip_zeros;
mod tail;
mod unrolled;
mod warps;
