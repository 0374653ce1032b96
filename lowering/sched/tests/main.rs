//! Schedules become loops: joins, tails, peels, warps, by value and at random

mod common;

mod copies;
mod joins;
mod peel;
mod random;
mod tail;
mod unrolled;
mod warps;
