//! Printing the root's child units on several threads: pieces of text in order, a bounded number of them at a time.
//!
//! The printing thread walks the root as ever and takes a finished piece where it meets a child. A worker that runs
//! ahead of it by more than the window waits, so memory is bounded; the bytes are those of one thread.

use super::PrintOptions;
use super::aliases::AliasTable;
use super::kinds::Kinds;
use super::names::{Names, Start};
use super::op::OpPrinter;
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
type Chunk = (String, Vec<usize>);

struct State {
    /// Finished chunks from `taken` on
    finished: VecDeque<Option<Chunk>>,
    taken: usize,
    over: bool,
}

/// Children of the root as work, and their texts as they get ready
pub(super) struct Work<'a> {
    root: &'a Ir,
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
                work.starts.push(names.start_of(Some(region)));
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

    /// What a worker does
    pub(super) fn run(&self, kinds: &Kinds, options: &PrintOptions, aliases: Option<&AliasTable>) {
        let mut printer = OpPrinter::new(self.root, kinds, options);
        printer.w.aliases = aliases.map(|table| table as _);
        printer.depth = 1;
        let root = self.root.root();
        printer.dialect = printer.info(root).default_dialect;
        loop {
            let chunk = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(range) = self.chunks.get(chunk) else { return };
            let mut state = self.lock();
            while chunk >= state.taken + self.window && !state.over {
                state = self.wait(state);
            }
            if state.over {
                return;
            }
            drop(state);
            let mut ends = Vec::with_capacity(range.len());
            for n in range.clone() {
                if let Some(child) = self.root.child(self.slots[n]) {
                    printer.unit(child, self.starts[n].clone());
                }
                ends.push(printer.w.out.len());
            }
            let text = std::mem::take(&mut printer.w.out);
            printer.w.out.reserve(text.len());
            let mut state = self.lock();
            let at = chunk - state.taken;
            if state.finished.len() <= at {
                state.finished.resize_with(at + 1, || None);
            }
            state.finished[at] = Some((text, ends));
            self.ready.notify_all();
        }
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
}

impl OpPrinter<'_> {
    /// Append the text of a child that workers print; false if they do not
    pub(super) fn take_piece(&mut self, slot: OpId) -> bool {
        let Some(pieces) = &mut self.pieces else { return false };
        let work = pieces.work;
        if !std::ptr::eq(work.root, self.ir) || self.depth != 1 || work.slots.get(pieces.next) != Some(&slot)
        {
            return false;
        }
        if pieces.next == work.chunks[pieces.chunk].start {
            pieces.text = work.take();
        }
        let first = work.chunks[pieces.chunk].start;
        let local = pieces.next - first;
        let (text, ends) = &pieces.text;
        let start = if local == 0 { 0 } else { ends[local - 1] };
        self.w.out.push_str(&text[start..ends[local]]);
        pieces.next += 1;
        if pieces.next == work.chunks[pieces.chunk].end {
            pieces.chunk += 1;
        }
        true
    }
}
