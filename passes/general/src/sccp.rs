//! Sparse conditional constant propagation: constants through block arguments, regions and calls of private functions.
//!
//! An op folds with what its operands are known to be; a branch on a constant leads one way. Blocks that cannot be
//! reached count for nothing and stay as they are. Source: Wegman and Zadeck, "Constant Propagation with Conditional
//! Branches".

use terrace_dataflow::{Domain, Forward, Tree};
use terrace_diag::Reported;
use terrace_ir::fold::constant_of;
use terrace_ir::{
    Attr, BlockId, Builder, Context, FoldCx, FoldResult, Folded, Ir, OpId, OpKind, Traits, Type, Value,
};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_rewrite::Rewriter;
use terrace_rewrite::dead::is_removable;
use terrace_support::HashMap;

/// Replace values that are the same constant on every way there by that constant
///
/// Follows block arguments, regions of ops that say how control goes through them, and calls of private functions whose
/// callers are all known; what a function gives back follows from its body. Blocks and arguments stay: `canonicalize`
/// removes what is not reached.
#[pass("sccp", scope = tree, stats("values replaced"))]
pub struct Sccp;

impl Pass for Sccp {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let replaced = run(unit, cx.outermost);
        cx.count("values replaced", replaced);
        cx.set_changed(replaced > 0);
        Ok(())
    }
}

/// Propagate in a tree of units, which may be the whole; gives the number of values replaced
pub fn run(root: &mut Ir, outermost: bool) -> u64 {
    let mut tree = Tree::new(root, outermost);
    let mut facts = Forward::run(&mut tree, Constants::default());
    facts.domain.clear(&mut tree);
    (0..tree.len()).map(|n| replace(tree.get_mut(n), n, &facts)).sum()
}

/// What a value is: a constant, made by the dialect of a kind of op, or not one constant
#[derive(Clone, Copy)]
enum Fact {
    Constant(Attr, OpKind),
    Any,
}

impl PartialEq for Fact {
    fn eq(&self, other: &Fact) -> bool {
        match (self, other) {
            (Fact::Constant(a, _), Fact::Constant(b, _)) => a == b,
            (Fact::Any, Fact::Any) => true,
            _ => false,
        }
    }
}

/// Folds ops whose operands are known, with constants in a block of no region in the place of these
#[derive(Default)]
struct Constants {
    made: HashMap<(usize, Attr, Type), Option<Value>>,
    blocks: HashMap<usize, BlockId>,
}

impl Constants {
    fn make(&mut self, n: usize, ir: &mut Ir, attr: Attr, ty: Type, like: OpKind) -> Option<Value> {
        if let Some(known) = self.made.get(&(n, attr, ty)) {
            return *known;
        }
        let block = *self.blocks.entry(n).or_insert_with(|| ir.create_block());
        let made = Builder::at_end(ir, block).constant(attr, ty, like);
        let value = made.map(|op| ir.result(op, 0)).filter(|value| ir.ty(*value) == ty);
        self.made.insert((n, attr, ty), value);
        value
    }

    /// Erase the blocks with the constants in them: no op uses these any more
    fn clear(&mut self, tree: &mut Tree<'_>) {
        for n in 0..tree.len() {
            if let Some(block) = self.blocks.remove(&n) {
                tree.get_mut(n).erase_block(block);
            }
        }
        self.made.clear();
    }

    fn fold(&mut self, n: usize, ir: &mut Ir, op: OpId, operands: &[Fact]) -> Folded {
        let Some(fold) = ir.def(op).fold else { return Folded::No };
        let mut put: Vec<(usize, Value)> = Vec::new();
        for (k, fact) in operands.iter().enumerate() {
            let old = ir.operand(op, k);
            if let Fact::Constant(attr, like) = *fact
                && constant_of(ir, old) != Some(attr)
                && let Some(value) = self.make(n, ir, attr, ir.ty(old), like)
            {
                put.push((k, old));
                ir.set_operand(op, k, value);
            }
        }
        let folded = fold(&FoldCx { ir, op });
        // A list of uses has its newest use first: undone in reverse, it is in the order of before.
        for (k, old) in put.into_iter().rev() {
            ir.set_operand(op, k, old);
        }
        folded
    }
}

impl Domain for Constants {
    type Fact = Fact;

    fn top(&self, _: &Context, _: Type) -> Fact {
        Fact::Any
    }

    fn join(&self, a: &Fact, b: &Fact) -> Fact {
        if a == b { *a } else { Fact::Any }
    }

    fn constant(&self, _: &Context, fact: &Fact, _: Type) -> Option<Attr> {
        match fact {
            Fact::Constant(attr, _) => Some(*attr),
            Fact::Any => None,
        }
    }

    fn results(&mut self, n: usize, ir: &mut Ir, op: OpId, operands: &[Fact]) -> Vec<Fact> {
        let kind = ir.kind(op);
        if ir.has(op, Traits::ConstantLike) {
            // `ub.poison` has a default for its attribute, and text may leave it out.
            return vec![ir.slot_or_default(op, 0).map_or(Fact::Any, |attr| Fact::Constant(attr, kind))];
        }
        let folded = self.fold(n, ir, op, operands);
        let count = ir.num_results(op);
        let of = |result| {
            let ir = &*ir;
            match result {
                FoldResult::Attr(attr) => Fact::Constant(attr, kind),
                FoldResult::Value(value) => match ir.operands(op).position(|operand| operand == value) {
                    Some(k) => operands[k],
                    None => match (constant_of(ir, value), ir.defining_op(value)) {
                        (Some(attr), Some(def)) => Fact::Constant(attr, ir.kind(def)),
                        _ => Fact::Any,
                    },
                },
            }
        };
        match folded {
            Folded::One(result) if count == 1 => vec![of(result)],
            Folded::Many(results) if results.len() == count => results.into_iter().map(of).collect(),
            _ => vec![Fact::Any; count],
        }
    }
}

/// Put constants in the place of the values that are ones
fn replace(ir: &mut Ir, n: usize, facts: &Forward<Constants>) -> u64 {
    let mut blocks: Vec<BlockId> = Vec::new();
    let push = |ir: &Ir, op: OpId, blocks: &mut Vec<BlockId>| {
        let regions: Vec<_> = ir.regions(op).collect();
        for region in regions {
            let start = blocks.len();
            blocks.extend(ir.blocks(region));
            blocks[start..].reverse();
        }
    };
    push(ir, ir.root(), &mut blocks);
    let mut rw = Rewriter::new(ir);
    let mut replaced = 0;
    while let Some(block) = blocks.pop() {
        for op in rw.ir().block_ops(block).collect::<Vec<_>>() {
            let results: Vec<Value> = rw.ir().results(op).collect();
            let mut all = !results.is_empty();
            for value in results {
                let known = put(&mut rw, n, facts, value, op);
                replaced += u64::from(known == Some(true));
                all &= known.is_some();
            }
            if all && is_removable(rw.ir(), op) {
                rw.erase(op);
            } else {
                push(rw.ir(), op, &mut blocks);
            }
        }
        let Some(first) = rw.ir().first_op(block) else { continue };
        for arg in rw.ir().block_args(block).to_vec() {
            replaced += u64::from(put(&mut rw, n, facts, arg, first) == Some(true));
        }
    }
    replaced
}

/// Use a constant for a value if it is one; true if that is not what it was before
fn put(rw: &mut Rewriter<'_>, n: usize, facts: &Forward<Constants>, value: Value, at: OpId) -> Option<bool> {
    let Some(&Fact::Constant(attr, like)) = facts.fact(n, value) else { return None };
    let ty = rw.ir().ty(value);
    let constant = rw.constant(at, attr, ty, like)?;
    if constant == value {
        return None;
    }
    let new = constant_of(rw.ir(), value) != Some(attr);
    rw.replace_all_uses(value, constant);
    Some(new)
}
