//! Ways of control between an op and its regions, and between blocks, as interfaces.

use crate::ints::Ints;
use std::ops::Range;
use terrace_ir::interface::Interface;
use terrace_ir::{Attr, BlockId, Ir, OpId, OpTrait, Traits, Value};

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

    /// The operand that the n-th argument or result gets; none if that gets something unknown
    pub fn operand_for(&self, n: usize) -> Option<usize> {
        let n = n.checked_sub(self.first)?;
        (n < self.given.len()).then(|| self.given.start + n)
    }

    /// The argument or result that an operand goes to; none if it is not handed over
    pub fn receiver_of(&self, operand: usize) -> Option<usize> {
        self.given.contains(&operand).then(|| self.first + operand - self.given.start)
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

/// The arguments or results that a way from an op leads to; none if the region has no block
pub fn receivers(ir: &Ir, op: OpId, to: To) -> Option<Vec<Value>> {
    match to {
        To::After => Some(ir.results(op).collect()),
        To::Region(number) => {
            let entry = ir.regions(op).nth(number).and_then(|region| ir.entry(region))?;
            Some(ir.block_args(entry).to_vec())
        }
    }
}

/// The n-th of them
pub fn receiver(ir: &Ir, op: OpId, to: To, n: usize) -> Option<Value> {
    match to {
        To::After => (n < ir.num_results(op)).then(|| ir.result(op, n)),
        To::Region(number) => {
            let entry = ir.regions(op).nth(number).and_then(|region| ir.entry(region))?;
            ir.block_args(entry).get(n).copied()
        }
    }
}

/// Where control leaves at the last op of a block that has no successors: the op around, and the place in it
pub fn end_of(ir: &Ir, last: OpId) -> Option<(OpId, From)> {
    let region = ir.block_region(ir.block(last)?)?;
    let around = ir.region_parent(region);
    let number = ir.regions(around).position(|other| other == region)?;
    Some((around, From::End(number, last)))
}

/// May a region run several times each time that its op runs? It may if the op does not say how control goes
pub fn repeats(ir: &Ir, op: OpId, region: usize) -> bool {
    let Some(table) = regions(ir, op) else { return true };
    if (table.once)(ir, op, region) {
        return false;
    }
    // The ways of loops over points lead to each point alone.
    if ir.has(op, Traits::LoopLike) {
        return true;
    }
    let mut seen = vec![false; ir.num_regions(op)];
    let mut pending = vec![region];
    while let Some(number) = pending.pop() {
        let Some(inside) = ir.regions(op).nth(number) else { return true };
        for last in ir.blocks(inside).map(|block| ir.last_op(block)) {
            let Some(last) = last.filter(|last| ir.has(*last, Traits::Terminator)) else { return true };
            if ir.num_successors(last) > 0 {
                continue;
            }
            for way in (table.ways)(ir, op, From::End(number, last), &|_| None) {
                match way.to {
                    To::Region(next) if next == region => return true,
                    To::Region(next) if seen.get(next) == Some(&false) => {
                        seen[next] = true;
                        pending.push(next);
                    }
                    _ => {}
                }
            }
        }
    }
    false
}

/// `traits(terrace_dataflow::PlacedIndices)`: an operand of type `index` is valid or not by where it is computed
///
/// Operands of affine maps are of this kind. What computes one without being `Pure` must stay where it is.
pub struct PlacedIndices;

impl OpTrait for PlacedIndices {}

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

/// The arguments of a block, each with the operand that it gets from these; none where it gets something unknown
pub fn handed_over(
    ir: &Ir,
    block: BlockId,
    given: Option<Range<usize>>,
) -> impl Iterator<Item = (Value, Option<usize>)> {
    let given = given.unwrap_or(0..0);
    ir.block_args(block).iter().enumerate().map(move |(n, arg)| (*arg, given.clone().nth(n)))
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
