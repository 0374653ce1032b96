//! What a nest leaves out and its time depends on: instructions on values, and lanes that copies state.

use std::collections::BTreeMap;
use terrace_devices::Products;
use terrace_schedule_model::nest::LoopId;

/// Instructions on values, by what they cost
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Operations {
    /// Sums, products, comparisons and others that begin in every cycle; a product that is only merged is a part of the merge
    pub simple: u32,
    /// Divisions and roots
    pub divisions: u32,
    /// Calls of functions of a library
    pub calls: u32,
    /// Values that are merged into memory
    pub merges: u32,
    /// Values that a loop merges
    pub yields: u32,
    /// Of both, floats merged into the largest or smallest: a processor keeps NaN and orders zeros by several instructions
    pub ordered: u32,
    /// Of both, values merged by a function: compilers make no lanes of the iterations of a loop that merges them
    pub functions: u32,
}

impl Operations {
    /// With more
    pub fn add(&mut self, other: &Operations) {
        self.simple += other.simple;
        self.divisions += other.divisions;
        self.calls += other.calls;
        self.merges += other.merges;
        self.ordered += other.ordered;
        self.functions += other.functions;
        self.yields += other.yields;
    }

    /// Nothing at all
    pub fn is_empty(&self) -> bool {
        *self == Operations::default()
    }
}

/// Instructions on values at one place
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Body {
    /// The innermost loop around
    pub inside: Option<LoopId>,
    /// Of one iteration of all loops around
    pub operations: Operations,
}

/// What the bodies of a nest compute
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Bodies {
    /// By place
    pub bodies: Vec<Body>,
    /// Lanes that copies state, by position in the text
    pub lanes: BTreeMap<u32, i64>,
    /// Products that units for them add, where panels are laid out for it
    pub matrix: Option<Products>,
}

impl Bodies {
    /// The instructions at a place, to be counted
    pub fn at(&mut self, inside: Option<LoopId>) -> &mut Operations {
        let known = self.bodies.iter().position(|body| body.inside == inside);
        let place = known.unwrap_or_else(|| {
            self.bodies.push(Body { inside, operations: Operations::default() });
            self.bodies.len() - 1
        });
        &mut self.bodies[place].operations
    }
}
