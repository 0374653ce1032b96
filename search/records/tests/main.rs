//! Tests of stores of records: one program.

mod common;
mod damage;
mod indexes;
mod look_ups;
mod merges;
mod writers;
