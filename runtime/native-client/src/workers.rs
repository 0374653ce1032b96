//! Workers that stay for the next request: starting one takes longer than compiling a small program.

use crate::client::{Limits, Worker};
use crate::turn::Turn;
use std::cell::RefCell;
use terrace_diag::Diagnostic;

/// What a worker holds
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// LLVM
    Llvm,
    /// Upstream MLIR
    Upstream,
}

/// The workers of a process, started when they are first asked
///
/// One that died or took too long is not kept. They end with this.
#[derive(Default)]
pub struct Workers {
    llvm: RefCell<Option<Worker>>,
    upstream: RefCell<Option<Worker>>,
    turn: Option<Turn>,
}

impl Workers {
    /// Whose programs take turns with those of other processes
    pub fn in_turn(turn: Option<Turn>) -> Workers {
        Workers { turn, ..Workers::default() }
    }

    /// The turn that a program waits for before it runs, where there is one
    pub fn turn(&self) -> Option<&Turn> {
        self.turn.as_ref()
    }

    /// Ask a worker that is there, or a new one
    pub fn ask<R>(
        &self,
        holds: Holds,
        limits: Limits,
        ask: impl FnOnce(&mut Worker) -> R,
    ) -> Result<R, Diagnostic> {
        let place = self.place(holds);
        let kept = place.borrow_mut().take();
        let mut worker = match (kept, holds) {
            (Some(worker), _) => worker,
            (None, Holds::Llvm) => Worker::start()?,
            (None, Holds::Upstream) => Worker::start_upstream()?,
        };
        worker.set_limits(limits);
        let answer = ask(&mut worker);
        if worker.lives() {
            *place.borrow_mut() = Some(worker);
        }
        Ok(answer)
    }

    fn place(&self, holds: Holds) -> &RefCell<Option<Worker>> {
        match holds {
            Holds::Llvm => &self.llvm,
            Holds::Upstream => &self.upstream,
        }
    }
}
