//! Printing the root's child units on several threads: pieces of text in order, a bounded number of them at a time.
//!
//! The printing thread walks the root as ever and takes a finished piece where it meets a child. A worker that runs
//! ahead of it by more than the window waits, so memory is bounded; the bytes are those of one thread.

use super::names::{Names, Start};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use terrace_ir::{Ir, OpId, OpKind};

/// Ops that make a chunk worth handing to a worker
const CHUNK_OPS: usize = 4096;
/// Chunks per worker that may be finished and not yet taken
const WINDOW: usize = 4;

/// Texts of consecutive children, with the end of each
pub(super) type Chunk = (String, Vec<usize>);

struct State {
    /// Finished chunks from `taken` on
    finished: VecDeque<Option<Chunk>>,
    taken: usize,
    over: bool,
}

/// Children of the root as work, and their texts as they get ready
pub(super) struct Work<'a> {
    pub(super) root: &'a Ir,
    slots: Vec<OpId>,
    starts: Vec<Start>,
    chunks: Vec<Range<usize>>,
    next: AtomicUsize,
    state: Mutex<State>,
    ready: Condvar,
    window: usize,
}

/// What the printing thread holds: the next child and the chunk it is in
pub(super) struct Pieces<'a> {
    work: &'a Work<'a>,
    next: usize,
    chunk: usize,
    text: Chunk,
}

impl<'a> Work<'a> {
    /// Split the children of a root; `None` if there is nothing to gain
    pub(super) fn new(root: &'a Ir, names: &Names, threads: usize) -> Option<Work<'a>> {
        let mut work = Work {
            root,
            slots: Vec::new(),
            starts: Vec::new(),
            chunks: Vec::new(),
            next: AtomicUsize::new(0),
            state: Mutex::new(State { finished: VecDeque::new(), taken: 0, over: false }),
            ready: Condvar::new(),
            window: WINDOW * threads,
        };
        let (mut first, mut weight) = (0, 0);
        for region in root.regions(root.root()) {
            for op in root.blocks(region).flat_map(|block| root.block_ops(block)) {
                let Some(child) = root.child(op).filter(|_| root.kind(op) == OpKind::SLOT) else { continue };
                work.slots.push(op);
                work.starts.push(names.start_of(op, Some(region)));
                weight += child.op_capacity();
                if weight >= CHUNK_OPS {
                    work.chunks.push(first..work.slots.len());
                    (first, weight) = (work.slots.len(), 0);
                }
            }
        }
        if first < work.slots.len() {
            work.chunks.push(first..work.slots.len());
        }
        (work.chunks.len() > 1).then_some(work)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, guard: MutexGuard<'g, State>) -> MutexGuard<'g, State> {
        self.ready.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }

    /// The next chunk for a worker, by its number; `None` if nothing is left to print
    ///
    /// A worker that is ahead by more than the window waits here.
    pub(super) fn next(&self) -> Option<(usize, Range<usize>)> {
        let chunk = self.next.fetch_add(1, Ordering::Relaxed);
        let range = self.chunks.get(chunk)?;
        let mut state = self.lock();
        while chunk >= state.taken + self.window && !state.over {
            state = self.wait(state);
        }
        (!state.over).then(|| (chunk, range.clone()))
    }

    /// The n-th child, with the start of its numbering
    pub(super) fn child(&self, n: usize) -> (Option<&'a Ir>, Start) {
        (self.root.child(self.slots[n]), self.starts[n].clone())
    }

    /// Hand in a chunk
    pub(super) fn put(&self, number: usize, chunk: Chunk) {
        let mut state = self.lock();
        let at = number - state.taken;
        if state.finished.len() <= at {
            state.finished.resize_with(at + 1, || None);
        }
        state.finished[at] = Some(chunk);
        self.ready.notify_all();
    }

    /// Let workers go that still wait
    pub(super) fn stop(&self) {
        self.lock().over = true;
        self.ready.notify_all();
    }

    /// Stops the workers when the printing thread leaves, also by a panic
    pub(super) fn stop_at_end(&self) -> impl Drop + '_ {
        struct Stop<'s, 'a>(&'s Work<'a>);
        impl Drop for Stop<'_, '_> {
            fn drop(&mut self) {
                self.0.stop();
            }
        }
        Stop(self)
    }

    fn take(&self) -> Chunk {
        let mut state = self.lock();
        loop {
            if matches!(state.finished.front(), Some(Some(_))) {
                let chunk = state.finished.pop_front().flatten().unwrap_or_default();
                state.taken += 1;
                self.ready.notify_all();
                return chunk;
            }
            state = self.wait(state);
        }
    }
}

impl<'a> Pieces<'a> {
    pub(super) fn new(work: &'a Work<'a>) -> Self {
        Pieces { work, next: 0, chunk: 0, text: Chunk::default() }
    }

    /// The text of a child of the root, if it is the next one that workers print
    pub(super) fn take(&mut self, ir: &Ir, slot: OpId) -> Option<&str> {
        let work = self.work;
        if !std::ptr::eq(work.root, ir) || work.slots.get(self.next) != Some(&slot) {
            return None;
        }
        let chunk = &work.chunks[self.chunk];
        if self.next == chunk.start {
            self.text = work.take();
        }
        let local = self.next - chunk.start;
        let (text, ends) = &self.text;
        let start = if local == 0 { 0 } else { ends[local - 1] };
        self.next += 1;
        if self.next == chunk.end {
            self.chunk += 1;
        }
        Some(&text[start..ends[local]])
    }
}
