//! Functions parsed on threads.
//!
//! The text is cut at lines that begin with `func.func`, indented as the first one, near evenly spaced places. That is a
//! guess: each part is parsed as a sequence of functions, and if any part has a mistake, does not end where the next one
//! begins, or is anything but functions, all of it is thrown away and the text parsed in order. So the outcome, down to
//! the last diagnostic, is that of one thread.

use super::state::Parser;
use super::workers::Taken;
use std::sync::Arc;
use terrace_ir::{BlockId, Ir, Loc, OpId};
use terrace_support::HashMap;

/// Parts per thread, so that a long function does not leave the other threads idle
const PARTS: usize = 4;
const WORD: &str = "func.func";

impl<'a> Parser<'a> {
    /// At a function: parse it and those that follow on threads into this block; false if that can't be done
    pub fn functions_in_parallel(&mut self, block: BlockId) -> bool {
        let cuts = self.cuts();
        if cuts.len() < 2 {
            self.parallel = false;
            return false;
        }
        let lines = self.share_aliases();
        let (cx, source, options) = (self.cx, self.source, self.options);
        let default = self.default_dialects.clone();
        let workers = self.taken.as_ref().map(|taken| taken.workers);
        let next = std::sync::atomic::AtomicUsize::new(0);
        let failed = std::sync::atomic::AtomicBool::new(false);
        let results: Vec<std::sync::Mutex<Option<Part>>> = cuts.iter().map(|_| Default::default()).collect();
        std::thread::scope(|scope| {
            for _ in 0..options.threads.min(cuts.len()) {
                scope.spawn(|| {
                    use std::sync::atomic::Ordering::Relaxed;
                    loop {
                        let n = next.fetch_add(1, Relaxed);
                        if n >= cuts.len() || failed.load(Relaxed) {
                            return;
                        }
                        let kind = self_kind(cx);
                        let mut unit = Ir::new_unit(cx, kind, 1, Loc::UNKNOWN);
                        unit.set_source(Some(source));
                        let mut parser = Parser::new(cx, source, options, unit);
                        parser.parallel = false;
                        parser.default_dialects = default.clone();
                        parser.taken = workers.map(|workers| Taken::new(workers, Some(0)));
                        let part = parser.part(cuts[n], cuts.get(n + 1).copied(), lines.clone());
                        if part.is_none() {
                            failed.store(true, Relaxed);
                        }
                        if let Ok(mut slot) = results[n].lock() {
                            *slot = part;
                        }
                    }
                });
            }
        });
        let parts: Option<Vec<Part>> =
            results.into_iter().map(|part| part.into_inner().ok().flatten()).collect();
        let Some(parts) = parts else {
            self.parallel = false;
            if self.taken.is_some() {
                let _ = self.give_up::<()>();
            }
            return false;
        };
        for part in parts {
            for unit in part.units {
                let slot = self.ir.adopt(unit);
                self.ir.append(block, slot);
            }
            self.lx.seek(part.end);
            self.lx.last = part.last;
            if let Some(taken) = &mut self.taken {
                taken.append(self.outer.len(), &part.text);
            }
        }
        true
    }

    /// Where parts begin
    fn cuts(&self) -> Vec<usize> {
        let (start, src) = (self.lx.pos, self.lx.src);
        let line = src[..start].iter().rposition(|&byte| byte == b'\n').map_or(0, |n| n + 1);
        let indent = &self.lx.text[line..start];
        let mut cuts = vec![start];
        if !indent.bytes().all(|byte| matches!(byte, b' ' | b'\t')) {
            return cuts;
        }
        let pattern = format!("\n{indent}{WORD} ");
        let wanted = self.options.threads * PARTS;
        let step = (self.lx.end - start) / wanted;
        if step == 0 || self.lx.end - start < self.options.parallel_from {
            return cuts;
        }
        for n in 1..wanted {
            let mut from = (start + n * step).max(cuts[cuts.len() - 1]);
            while !self.lx.text.is_char_boundary(from) {
                from += 1;
            }
            let Some(found) = self.lx.slice(from, self.lx.end).find(&pattern) else { break };
            cuts.push(from + found + 1 + indent.len());
        }
        cuts.dedup();
        cuts
    }

    /// Parse functions from `start`, up to `end` exactly, or as far as there are any
    fn part(mut self, start: usize, end: Option<usize>, lines: Arc<HashMap<&'a str, u32>>) -> Option<Part> {
        self.take_aliases(lines);
        self.lx.seek(start);
        let region = self.ir.region(self.ir.root(), 0);
        let block = self.ir.append_block(region);
        self.labels.push(Default::default());
        while self.lx.looking_at(WORD) && end.is_none_or(|end| self.lx.pos < end) {
            self.op_or_skip(block);
            if self.diags.has_errors() || self.diags.count(terrace_diag::Severity::Warning) > 0 {
                return None;
            }
        }
        if end.is_some_and(|end| self.lx.pos != end) {
            return None;
        }
        let slots: Vec<OpId> = self.ir.block_ops(block).collect();
        let units: Option<Vec<Box<Ir>>> = slots.into_iter().map(|slot| self.ir.disown(slot)).collect();
        let text = self.taken.map_or(String::new(), |taken| taken.text);
        Some(Part { units: units?, end: self.lx.pos, last: self.lx.last, text })
    }
}

struct Part {
    #[allow(clippy::vec_box)] // they are boxed where they come from and go to
    units: Vec<Box<Ir>>,
    end: usize,
    last: usize,
    /// What was written where units were taken
    text: String,
}

/// Kind of the unit that a part's functions lie in until they are handed over
fn self_kind(cx: &Arc<terrace_ir::Context>) -> terrace_ir::OpKind {
    cx.kind_by_name("builtin.module").unwrap_or(terrace_ir::OpKind::UNREGISTERED)
}
