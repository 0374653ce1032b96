//! What is counted in the source, for the tidy checks and for the figures of `score`

pub mod circles;
pub mod functions;
