//! The error of an op that was reported.

/// The op was reported; nothing of it is printed
#[derive(Debug)]
pub(crate) struct Refused;

/// Result of what may report an op
pub(crate) type Done<T = ()> = Result<T, Refused>;
