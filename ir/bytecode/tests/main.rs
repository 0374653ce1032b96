//! Bytecode: what is written is read again, and what is damaged is refused.

mod common;
mod hostile;
mod round_trip;
mod upstream;
