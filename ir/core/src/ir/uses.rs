//! Use lists: doubly linked through the operand pool, so that replacing all uses is linear in the uses.

use super::{Ir, OpId, OperandData, Span32, Value};

/// Iterator over the uses of a value: user and operand number; most recently linked first
pub struct UseIter<'a> {
    ir: &'a Ir,
    next: u32,
}

impl Iterator for UseIter<'_> {
    type Item = (OpId, usize);

    fn next(&mut self) -> Option<(OpId, usize)> {
        let at = self.next.checked_sub(1)?;
        let operand = &self.ir.operands[at as usize];
        self.next = operand.next;
        let start = self.ir.ops[operand.owner.index()].operands.start;
        Some((operand.owner, (at - start) as usize))
    }
}

/// Room for more without doubling: a unit that grows a little during passes should not take twice its memory
#[inline]
pub(super) fn grow<T>(pool: &mut Vec<T>, more: usize) {
    if pool.capacity() - pool.len() < more {
        let len = pool.len();
        if len < 256 {
            pool.reserve(more);
        } else {
            pool.reserve_exact(more.max(len / 8));
        }
    }
}

impl Ir {
    #[inline]
    pub(super) fn link_use(&mut self, at: u32) {
        let value = self.operands[at as usize].value;
        let head = std::mem::replace(&mut self.values[value.index()].first_use, at + 1);
        self.operands[at as usize].next = head;
        self.operands[at as usize].prev = 0;
        if head != 0 {
            self.operands[head as usize - 1].prev = at + 1;
        }
    }

    #[inline]
    fn unlink_use(&mut self, at: u32) {
        let OperandData { value, next, prev, .. } = self.operands[at as usize];
        match prev {
            0 => self.values[value.index()].first_use = next,
            prev => self.operands[prev as usize - 1].next = next,
        }
        if next != 0 {
            self.operands[next as usize - 1].prev = prev;
        }
    }

    pub(super) fn drop_operands(&mut self, op: OpId) {
        let span = std::mem::take(&mut self.ops[op.index()].operands);
        for at in span.range() {
            self.unlink_use(at as u32);
        }
        if let Some(head) = (span.len as usize).checked_sub(1).and_then(|n| self.free_spans.get_mut(n)) {
            self.operands[span.start as usize].next = std::mem::replace(head, span.start + 1);
        }
    }

    /// Store and link a list of operands, where one of its length was before if there is such a place
    pub(super) fn put_operands(&mut self, op: OpId, values: &[Value]) -> Span32 {
        let len = values.len() as u32;
        let head = values.len().checked_sub(1).and_then(|n| self.free_spans.get_mut(n));
        let data = |value: Value| OperandData { value, owner: op, next: 0, prev: 0 };
        if let Some(head) = head.filter(|head| **head != 0) {
            let start = *head - 1;
            *head = self.operands[start as usize].next;
            for (at, &value) in (start..).zip(values) {
                self.operands[at as usize] = data(value);
                self.link_use(at);
            }
            return Span32 { start, len };
        }
        let start = self.operands.len() as u32;
        grow(&mut self.operands, values.len());
        for (at, &value) in (start..).zip(values) {
            self.operands.push(data(value));
            self.link_use(at);
        }
        Span32 { start, len }
    }

    /// Uses of a value
    pub fn uses(&self, value: Value) -> UseIter<'_> {
        UseIter { ir: self, next: self.values[value.index()].first_use }
    }

    /// Is the value used at all?
    #[inline]
    pub fn is_used(&self, value: Value) -> bool {
        self.values[value.index()].first_use != 0
    }

    /// Is the value used exactly once?
    #[inline]
    pub fn has_one_use(&self, value: Value) -> bool {
        let first = self.values[value.index()].first_use;
        first != 0 && self.operands[first as usize - 1].next == 0
    }

    /// Are all results unused?
    #[inline]
    pub fn is_unused(&self, op: OpId) -> bool {
        self.results(op).all(|result| !self.is_used(result))
    }

    /// Change one operand
    pub fn set_operand(&mut self, op: OpId, n: usize, value: Value) {
        let span = self.ops[op.index()].operands;
        debug_assert!(n < span.len as usize);
        let at = span.start + n as u32;
        self.unlink_use(at);
        self.operands[at as usize].value = value;
        self.link_use(at);
    }

    /// Change all operands; the definition's segment sizes, if it has any, must fit and are set too
    pub fn set_operands(&mut self, op: OpId, values: &[Value], segments: &[u32]) {
        self.drop_operands(op);
        self.ops[op.index()].operands = self.put_operands(op, values);
        if self.def(op).operand_segments() {
            debug_assert_eq!(segments.len(), self.def(op).operands.len());
            let at = self.ops[op.index()].extra as usize + self.fixed_slots(self.kind(op));
            self.words[at..at + segments.len()].copy_from_slice(segments);
        }
    }

    /// Let every user of `old` use `new`; the types must be equal
    pub fn replace_all_uses(&mut self, old: Value, new: Value) {
        if old == new {
            return;
        }
        let first = std::mem::take(&mut self.values[old.index()].first_use);
        if first == 0 {
            return;
        }
        let mut at = first;
        let last = loop {
            let operand = &mut self.operands[at as usize - 1];
            operand.value = new;
            if operand.next == 0 {
                break at;
            }
            at = operand.next;
        };
        let head = std::mem::replace(&mut self.values[new.index()].first_use, first);
        self.operands[last as usize - 1].next = head;
        if head != 0 {
            self.operands[head as usize - 1].prev = last;
        }
    }
}
