//! Sizes of bare pointers: as many elements as the code uses.

use crate::bindings::{Bindings, FAR};
use crate::places::Lvalue;
use std::collections::BTreeMap;
use terrace_support::affine::AffineExpr;

/// What the size of a bare pointer has to be
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hull {
    /// At least so many elements
    Least(i64),
    /// Not known
    Open,
}

/// Sizes of bare pointers
#[derive(Default)]
pub struct Reach {
    /// From an earlier round over the function
    pub known: BTreeMap<String, Hull>,
    /// What this round finds
    pub found: BTreeMap<String, Hull>,
}

impl Reach {
    /// Note how far a bare pointer is used
    pub fn note(&mut self, names: &Bindings<'_>, place: &Lvalue, subs: &[AffineExpr]) {
        let Some(array) = place.array.map(|n| &names.arrays[n]).filter(|array| array.open) else { return };
        let name = array.name.clone();
        let reach = match subs.first().and_then(|e| names.range(e)) {
            Some((_, high)) if high < FAR => Hull::Least(high.max(0) + 1),
            _ => Hull::Open,
        };
        let found = self.found.entry(name).or_insert(Hull::Least(1));
        *found = match (*found, reach) {
            (Hull::Least(a), Hull::Least(b)) => Hull::Least(a.max(b)),
            _ => Hull::Open,
        };
    }
}
