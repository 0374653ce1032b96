//! A tree of units as a list: children are taken out of their slots for a while.

use terrace_ir::{Ir, OpId};

struct Member {
    unit: Option<Box<Ir>>,
    parent: usize,
    slot: OpId,
}

/// The units of a tree in order of the text, each after the one around it; they go back when this is dropped
pub struct Tree<'a> {
    /// The root is in no other unit: its nested symbols are referred to from inside of it only
    pub outermost: bool,
    root: &'a mut Ir,
    rest: Vec<Member>,
}

impl<'a> Tree<'a> {
    /// Take the units out
    pub fn new(root: &'a mut Ir, outermost: bool) -> Self {
        let mut tree = Tree { outermost, root, rest: Vec::new() };
        let mut at = 0;
        while at < tree.len() {
            let ir = tree.get_mut(at);
            let slots: Vec<OpId> = if ir.has_children() {
                ir.walk().filter(|op| ir.child(*op).is_some()).collect()
            } else {
                Vec::new()
            };
            for slot in slots {
                let unit = tree.get_mut(at).take_child(slot);
                tree.rest.push(Member { unit, parent: at, slot });
            }
            at += 1;
        }
        tree
    }

    /// Number of units
    pub fn len(&self) -> usize {
        self.rest.len() + 1
    }

    /// Never: the root is one
    pub fn is_empty(&self) -> bool {
        false
    }

    /// A unit by its number
    pub fn get(&self, n: usize) -> &Ir {
        match n.checked_sub(1).and_then(|n| self.rest[n].unit.as_deref()) {
            Some(unit) => unit,
            None => self.root,
        }
    }

    /// A unit by its number, to change
    pub fn get_mut(&mut self, n: usize) -> &mut Ir {
        match n.checked_sub(1).and_then(|n| self.rest[n].unit.as_deref_mut()) {
            Some(unit) => unit,
            None => self.root,
        }
    }

    /// The unit around one, and the slot that stands for it there
    pub fn slot(&self, n: usize) -> Option<(usize, OpId)> {
        let member = &self.rest[n.checked_sub(1)?];
        Some((member.parent, member.slot))
    }
}

impl Drop for Tree<'_> {
    fn drop(&mut self) {
        for n in (0..self.rest.len()).rev() {
            let (parent, slot) = (self.rest[n].parent, self.rest[n].slot);
            if let Some(unit) = self.rest[n].unit.take() {
                self.get_mut(parent).put_child(slot, unit);
            }
        }
    }
}
