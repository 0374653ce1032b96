//! Byte ranges in sources.
//!
//! A span is plain data: whether it lies inside its source is checked where it is read ([`Sources`]
//! clamps), so that a wrong span costs a caret and never a panic.
//!
//! [`Sources`]: crate::Sources

/// Handle of one source in a [`Sources`](crate::Sources)
///
/// Handles are given out in the order of adding, so they may be ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u32);

/// The bytes `start..end` of one source
///
/// Ordered by source, then start, then end: the order in which a reader meets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The source the offsets count in
    pub source: SourceId,
    /// First byte
    pub start: u32,
    /// One past the last byte
    pub end: u32,
}

impl Span {
    /// The bytes `start..end`; an `end` before `start` gives an empty span at `start`
    pub const fn new(source: SourceId, start: u32, end: u32) -> Self {
        Self { source, start, end: if end < start { start } else { end } }
    }

    /// The empty span before byte `at`
    pub const fn point(source: SourceId, at: u32) -> Self {
        Self { source, start: at, end: at }
    }

    /// Number of bytes
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether it holds no byte
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The smallest span over both; `self` when they lie in different sources
    #[must_use]
    pub fn to(self, other: Span) -> Self {
        if self.source != other.source {
            return self;
        }
        Self::new(self.source, self.start.min(other.start), self.end.max(other.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_within_a_source_only() {
        let (a, b) = (Span::new(SourceId(0), 5, 7), Span::new(SourceId(0), 1, 2));
        assert_eq!(a.to(b), Span::new(SourceId(0), 1, 7));
        assert_eq!(a.to(Span::point(SourceId(1), 0)), a);
    }

    #[test]
    fn backwards_span_is_empty() {
        assert!(Span::new(SourceId(0), 5, 3).is_empty());
    }
}
