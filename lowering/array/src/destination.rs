//! Where values go: memory, and what layout ops do on the way.

use crate::layout::{Memory, Path, Step};
use crate::views::Frame;
use std::sync::Arc;
use terrace_dialect_sched::{By, Operator};
use terrace_support::affine::AffineExpr;

/// Where a value goes
#[derive(Clone)]
pub(crate) struct Dst {
    pub memory: Arc<Memory>,
    /// From the buffer to the value
    pub frames: Vec<Frame>,
    /// Merged into what is there
    pub combine: Option<Operator>,
    /// How copies run
    pub by: Vec<By>,
}

impl Dst {
    pub fn new(memory: Arc<Memory>) -> Dst {
        Dst { memory, frames: Vec::new(), combine: None, by: Vec::new() }
    }

    pub fn then(&self, frame: Frame) -> Dst {
        let mut dst = self.clone();
        dst.frames.push(frame);
        dst
    }

    /// A part of it
    pub fn part(&self, path: Path) -> Dst {
        self.then(Frame::Inside(path))
    }

    pub fn element(&self, index: AffineExpr, part: Option<usize>) -> Dst {
        let mut path = Path::default();
        if let Some(part) = part {
            path.push(Step::Part(part));
        }
        path.push_index(index);
        self.part(path)
    }
}
