//! What comes of a run.

/// What a run leaves behind
#[derive(Default)]
pub struct Outcome {
    /// For standard output, or for the file
    pub out: Vec<u8>,
    /// For standard error
    pub messages: String,
    /// Something failed
    pub failed: bool,
}
