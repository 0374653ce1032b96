//! Ops that are known on the way to a place, found by a hash, forgotten in the order opposite to that of their entering.
//!
//! A list of entries, and a table of places in it with open addressing. Entries leave last in, first out, so a place
//! that is given free ends no chain that another entry needs. An op that takes the place of an equal one, which read memory
//! as it was before, gives it back when it leaves.

use terrace_ir::OpId;

struct Entry {
    hash: u32,
    op: OpId,
    /// When it read memory; 0 if it does not
    epoch: u32,
    /// 1 + number of the equal entry whose place it took, or 0
    hidden: u32,
}

/// The table
#[derive(Default)]
pub(super) struct Known {
    /// By hash: 1 + number of an entry, or 0; none or a power of two of them, at most half in use
    slots: Vec<u32>,
    entries: Vec<Entry>,
}

/// Slots at first
const FIRST: usize = 64;

impl Known {
    /// Entries, to forget later ones
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// A known op with this hash for which `same` holds, of the same epoch; where there is none, `op` is known from now on
    pub(super) fn find_or_add(
        &mut self,
        hash: u32,
        op: OpId,
        epoch: u32,
        same: impl Fn(OpId) -> bool,
    ) -> Option<OpId> {
        if 2 * self.entries.len() >= self.slots.len() {
            self.grow();
        }
        let known = |entry: &Entry| entry.hash == hash && same(entry.op);
        let at = self.probe(hash, |entry| known(entry));
        let hidden = self.slots[at];
        if let Some(entry) = (hidden as usize).checked_sub(1).map(|n| &self.entries[n])
            && entry.epoch == epoch
        {
            return Some(entry.op);
        }
        self.entries.push(Entry { hash, op, epoch, hidden });
        self.slots[at] = self.entries.len() as u32;
        None
    }

    /// Forget all but the first entries
    pub(super) fn forget(&mut self, len: usize) {
        while self.entries.len() > len {
            let number = self.entries.len() as u32;
            let Some(last) = self.entries.last() else { return };
            let (hash, hidden) = (last.hash, last.hidden);
            let mut at = self.home(hash);
            while self.slots[at] != number {
                at = self.after(at);
            }
            self.slots[at] = hidden;
            self.entries.pop();
        }
    }

    fn home(&self, hash: u32) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    fn after(&self, at: usize) -> usize {
        (at + 1) & (self.slots.len() - 1)
    }

    /// The slot of the entry for which `wanted` holds, or the free one where it would be
    fn probe(&self, hash: u32, wanted: impl Fn(&Entry) -> bool) -> usize {
        let mut at = self.home(hash);
        while let Some(number) = (self.slots[at] as usize).checked_sub(1)
            && !wanted(&self.entries[number])
        {
            at = self.after(at);
        }
        at
    }

    /// Twice as many slots, filled in the order of entering
    fn grow(&mut self) {
        let len = (2 * self.slots.len()).max(FIRST);
        self.slots.clear();
        self.slots.resize(len, 0);
        for n in 0..self.entries.len() {
            let Entry { hash, hidden, .. } = self.entries[n];
            let mut at = self.home(hash);
            while self.slots[at] != 0 && self.slots[at] != hidden {
                at = self.after(at);
            }
            self.slots[at] = n as u32 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(n: usize) -> OpId {
        OpId::new(n)
    }

    /// Values of `n % 1000` are equal, hashes of few values collide
    fn add(known: &mut Known, n: usize, epoch: u32) -> Option<OpId> {
        known.find_or_add((n % 1000 % 37) as u32, op(n), epoch, |other| other.index() % 1000 == n % 1000)
    }

    #[test]
    fn what_came_first_is_found() {
        let mut known = Known::default();
        assert!((0..500).all(|n| add(&mut known, n, 0).is_none()));
        assert!((0..500).all(|n| add(&mut known, n + 1000, 0) == Some(op(n))));
        known.forget(200);
        assert!((0..200).all(|n| add(&mut known, n + 2000, 0) == Some(op(n))));
        assert!((200..500).all(|n| add(&mut known, n + 3000, 0).is_none()));
        assert!((200..500).all(|n| add(&mut known, n + 4000, 0) == Some(op(n + 3000))));
    }

    #[test]
    fn an_old_reading_comes_back() {
        let mut known = Known::default();
        assert_eq!(add(&mut known, 1, 7), None);
        let outer = known.len();
        assert_eq!(add(&mut known, 1001, 8), None);
        assert_eq!(add(&mut known, 2001, 8), Some(op(1001)));
        // The table grows meanwhile.
        assert!((100..400).all(|n| add(&mut known, n, 0).is_none()));
        assert_eq!(add(&mut known, 2001, 8), Some(op(1001)));
        known.forget(outer);
        assert_eq!(add(&mut known, 3001, 7), Some(op(1)));
    }
}
