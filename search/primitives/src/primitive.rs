//! The primitives of Table 2 of the paper, and which of them a point applies.
//!
//! | primitive | in a vector | in a schedule |
//! |---|---|---|
//! | split | factors of a loop | a step for each part, with the size of its tile |
//! | reorder | the order of the parts | labels of the steps |
//! | fuse | loops that stay | neighbouring steps on one layer, whose loops become one |
//! | unroll | a flag of the loop | `UNR` |
//! | vectorize | fixed: the innermost loop that repeats | `VEC` |
//! | parallel | fixed: the outermost loops, once they are fused | `THR` on a processor |
//! | bind | fixed by the part of a loop | `BLK`, `THR` on a grid |
//! | cache | how deep an input is loaded; whether results are in registers | the region of a buffer at a step |
//! | inline | a flag of the edge ([`crate::graph`]) | the computation is read where its elements were |
//! | compute at | the step of a reader whose tile holds the elements | the region of the inlined operand at that step |
//! | buffer, pipeline, partition | numbers of a design | none: [`crate::design`] is judged by a model |

use crate::decode::Parsed;
use crate::layout::{Fixed, Layout, Misfit, Role};
use crate::vector::{Value, Vector};
use std::fmt;

terrace_support::words! {
    /// A primitive
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Primitive {
        /// Divide a loop into several sub-loops
        Split = "split",
        /// Change the order of loops
        Reorder = "reorder",
        /// Merge loops into one
        Fuse = "fuse",
        /// Copy the body of a loop
        Unroll = "unroll",
        /// Run a loop along lanes
        Vectorize = "vectorize",
        /// Compute a node where it is read
        Inline = "inline",
        /// Compute a node in the body of its reader
        ComputeAt = "compute at",
        /// Share a loop among threads
        Parallel = "parallel",
        /// Hold a tensor's tile in fast memory
        Cache = "cache",
        /// Share a loop among blocks or threads of a grid
        Bind = "bind",
        /// Rows and columns of an input that are held at a time
        Buffer = "buffer",
        /// Overlap reading, computing and writing
        Pipeline = "pipeline",
        /// Divide memory into banks
        Partition = "partition",
    }
}

/// A primitive and its parameters
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Applied {
    /// Which
    pub primitive: Primitive,
    /// To what, with which parameters
    pub to: String,
}

impl fmt::Display for Applied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.primitive, self.to)
    }
}

/// What a point applies, in the order of enumeration: split, reorder and fuse first (paper, §4.2)
pub fn applied(layout: &Layout, vector: &Vector) -> Result<Vec<Applied>, Misfit> {
    let parsed = Parsed::of(layout, vector)?;
    let mut all = Vec::new();
    let mut add = |primitive, to: String| all.push(Applied { primitive, to });
    for ((own, parts), value) in layout.loops.iter().zip(&layout.parts).zip(&vector.0) {
        if *parts > 1 {
            add(Primitive::Split, format!("{} into {value}", own.name));
        }
    }
    let name = |depth: usize| {
        let sub = layout.subs[parsed.order[depth]];
        format!("{}{}", layout.loops[sub.dim].name, sub.part)
    };
    let names = |depths: &mut dyn Iterator<Item = usize>| depths.map(name).collect::<Vec<_>>().join(" ");
    add(Primitive::Reorder, names(&mut (0..parsed.order.len())));
    if parsed.fused > 1 {
        add(Primitive::Fuse, names(&mut (0..parsed.fused)));
    }
    for depth in (0..parsed.order.len()).filter(|depth| parsed.unrolled[*depth]) {
        add(Primitive::Unroll, name(depth));
    }
    match layout.fixed {
        Fixed::Host { .. } => {
            if parsed.fused > 0 {
                add(Primitive::Parallel, names(&mut (0..parsed.fused)));
            }
            if let Some(depth) = parsed.lanes(layout) {
                add(Primitive::Vectorize, name(depth));
            }
        }
        Fixed::Grid { .. } => {
            let bound = |depth: &usize| layout.subs[parsed.order[*depth]].role != Role::Serial;
            for depth in (0..parsed.order.len()).filter(bound) {
                let to = match layout.subs[parsed.order[depth]].role {
                    Role::Block(_) => "blocks",
                    _ => "threads",
                };
                add(Primitive::Bind, format!("{} to {to}", name(depth)));
            }
        }
    }
    for (n, value) in parsed.moved.iter().enumerate() {
        match (layout.fixed, value) {
            (Fixed::Host { .. }, Value::Flag(true)) => add(Primitive::Cache, "results in registers".into()),
            (Fixed::Grid { .. }, Value::Flag(deep)) if layout.shared[n] => {
                let which = if *deep { "second" } else { "first" };
                add(Primitive::Cache, format!("input {} inside of the {which} loop that folds", n + 1));
            }
            _ => {}
        }
    }
    Ok(all)
}
