//! Ways of control between an op and its regions, and between blocks, as interfaces.

use crate::ints::Ints;
use std::ops::Range;
use terrace_ir::interface::Interface;
use terrace_ir::{Attr, Ir, OpId};

/// Where control leaves for another region
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum From {
    /// The op with the regions, which starts
    Op,
    /// The last op of a block of the region of this number
    End(usize, OpId),
}

/// Where control arrives
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum To {
    /// The first block of a region
    Region(usize),
    /// What follows the op: its results are known
    After,
}

/// A way that control may take, and the values that go along
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// Where it leads
    pub to: To,
    /// The operands that are handed over: of the op, or of the last op of the block that control leaves
    pub given: Range<usize>,
    /// The argument or result that gets the first of them; those before it and after the last get something unknown
    pub first: usize,
}

impl Way {
    /// A way that hands over nothing
    pub fn bare(to: To) -> Way {
        Way { to, given: 0..0, first: 0 }
    }

    /// Do all arguments or results from the first on get a value?
    pub fn target(&self, n: usize) -> Option<usize> {
        let n = n.checked_sub(self.first)?;
        (n < self.given.len()).then(|| self.given.start + n)
    }
}

/// What an operand is, if that is known: the n-th of the op that control leaves
pub type Known<'a> = &'a dyn Fn(usize) -> Option<Attr>;

/// Table behind [`RegionFlow`]
pub struct Regions {
    /// Ways from a place
    pub ways: fn(&Ir, OpId, From, Known<'_>) -> Vec<Way>,
    /// Does a region run once at most each time that the op runs?
    pub once: fn(&Ir, OpId, usize) -> bool,
}

/// `interfaces(terrace_dataflow::RegionFlow)`: how control enters the op's regions and leaves them
pub trait RegionFlow: Sized {
    /// The ways that control may take from a place; what is known of operands may rule some out
    fn ways(ir: &Ir, op: OpId, from: From, known: Known<'_>) -> Vec<Way>;

    /// Does a region run once at most each time that the op runs?
    fn once(ir: &Ir, op: OpId, region: usize) -> bool {
        let _ = (ir, op, region);
        false
    }

    /// Entry for the op's definition
    const ENTRY: Interface = Interface::new(
        const { &Regions { ways: |ir, op, from, known| Self::ways(ir, op, from, known), once: Self::once } },
    );
}

/// How control goes through an op's regions, if the op says so
pub fn regions(ir: &Ir, op: OpId) -> Option<&'static Regions> {
    ir.def(op).interface::<Regions>()
}

/// Table behind [`Branch`]
pub struct Successors {
    /// The number of the successor that is taken
    pub taken: fn(&Ir, OpId, Known<'_>) -> Option<usize>,
    /// The operands that a successor's arguments get
    pub given: fn(&Ir, OpId, usize) -> Option<Range<usize>>,
}

/// `interfaces(terrace_dataflow::Branch)`: which successor a terminator takes
pub trait Branch: Sized {
    /// The number of the one successor that is taken, if what is known of operands decides
    fn taken(ir: &Ir, op: OpId, known: Known<'_>) -> Option<usize>;

    /// The operands that a successor's arguments get; as the op's table says, unless it cannot
    fn given(ir: &Ir, op: OpId, successor: usize) -> Option<Range<usize>> {
        given_by_table(ir, op, successor)
    }

    /// Entry for the op's definition
    const ENTRY: Interface = Interface::new(
        const { &Successors { taken: |ir, op, known| Self::taken(ir, op, known), given: Self::given } },
    );
}

/// The operands that a successor's arguments get, where the op's table says which
pub fn given_by_table(ir: &Ir, op: OpId, successor: usize) -> Option<Range<usize>> {
    let spec = ir.def(op).successors.get(successor).filter(|spec| !spec.variadic)?;
    Some(ir.operand_range(op, usize::from(spec.operands?)))
}

/// The operands that a successor's arguments get; none if the op does not say
pub fn given(ir: &Ir, op: OpId, successor: usize) -> Option<Range<usize>> {
    match ir.def(op).interface::<Successors>() {
        Some(table) => (table.given)(ir, op, successor),
        None => given_by_table(ir, op, successor),
    }
}

/// The successor that a terminator takes, if that is known
pub fn taken(ir: &Ir, op: OpId, known: Known<'_>) -> Option<usize> {
    (ir.def(op).interface::<Successors>()?.taken)(ir, op, known)
}

/// Table behind [`Counted`]
pub struct Counters(pub fn(&Ir, OpId, &[Option<Ints>]) -> Vec<Option<Ints>>);

/// `interfaces(terrace_dataflow::Counted)`: which values a loop's variables take
pub trait Counted: Sized {
    /// Ranges of the first arguments of the first region, from those of the op's operands
    fn counters(ir: &Ir, op: OpId, operands: &[Option<Ints>]) -> Vec<Option<Ints>>;

    /// Entry for the op's definition
    const ENTRY: Interface =
        Interface::new(const { &Counters(|ir, op, operands| Self::counters(ir, op, operands)) });
}
