//! Stack for regions in regions: more is added before it runs out.

/// Stack that must be left before a custom syntax recurses
const RED_ZONE: usize = 96 * 1024;
/// How much is added when less is left
const PIECE: usize = 2 * 1024 * 1024;

/// What `print` gives, with enough stack for one more level
pub(super) fn deeper<R>(print: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(RED_ZONE, PIECE, print)
}
