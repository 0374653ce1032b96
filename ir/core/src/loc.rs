//! Locations of ops: four bytes each, no interning for parsed ops.

use crate::handles::Attr;

/// Where an op came from: unknown, a byte offset in its unit's source, or a location attribute
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Loc(u32);

const ATTR: u32 = 1 << 31;

/// A decoded location
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocView {
    /// Nothing known
    Unknown,
    /// Byte offset in the unit's source
    Offset(u32),
    /// `loc(…)` as written or made by a pass
    Attr(Attr),
}

impl Loc {
    /// Nothing known
    pub const UNKNOWN: Loc = Loc(0);
    /// Largest source a unit's offsets can reach, in bytes
    pub const MAX_OFFSET: usize = (ATTR - 2) as usize;

    /// Offset in the unit's source
    #[inline]
    pub fn offset(at: u32) -> Loc {
        if at as usize > Self::MAX_OFFSET { Loc::UNKNOWN } else { Loc(at + 1) }
    }

    /// A location attribute
    #[inline]
    pub fn attr(attr: Attr) -> Loc {
        if attr.raw() >= ATTR { Loc::UNKNOWN } else { Loc(attr.raw() | ATTR) }
    }

    /// Decode
    #[inline]
    pub fn view(self) -> LocView {
        if self.0 == 0 {
            LocView::Unknown
        } else if self.0 & ATTR == 0 {
            LocView::Offset(self.0 - 1)
        } else {
            Attr::from_raw(self.0 & !ATTR).map_or(LocView::Unknown, LocView::Attr)
        }
    }
}
