//! `cf`: branches between blocks.
//!
//! Passing through empty blocks cannot diverge: who leads into a ring of them is left alone.

mod interp;
mod switch;

pub use switch::*;

use terrace_dialect_arith::Select;
use terrace_dialect_ub::Unreachable;
use terrace_ir::fold::constant_of;
use terrace_ir::rules::{AnyType, I1, StrAttr};
use terrace_ir::{BlockId, Builder, Ir, NewOp, OpDef, OpId, Value};
use terrace_macros::{dialect, op};
use terrace_rewrite::{Canonicalize, FnRule, Miss, OrMiss, Pattern, Rewriter, Rule};

/// Go to a block
///
/// ```mlir
/// func.func @f(%x: i32) -> i32 {
///   cf.br ^next(%x : i32)
/// ^next(%y: i32):
///   return %y : i32
/// }
/// ```
#[op("cf.br", traits(Pure, Terminator), interfaces(Canonicalize, terrace_interp::Interpret))]
#[asm("$dest (`(` $dest_operands^ `:` type($dest_operands) `)`)? attr-dict")]
pub struct Br {
    dest_operands: Variadic<AnyType>,
    #[successor(operands = dest_operands)]
    dest: Successor,
}

/// Go to one of two blocks
///
/// ```mlir
/// func.func @f(%c: i1) {
///   cf.cond_br %c, ^a, ^b
/// ^a:
///   return
/// ^b:
///   return
/// }
/// ```
#[op(
    "cf.cond_br",
    traits(Pure, Terminator),
    interfaces(Canonicalize, terrace_interp::Interpret, terrace_dataflow::Branch)
)]
#[asm(
    "$condition (`weights` `(` $branch_weights^ `)`)? `,` $true_dest (`(` $true_operands^ `:` type($true_operands) `)`)? `,` $false_dest (`(` $false_operands^ `:` type($false_operands) `)`)? attr-dict"
)]
pub struct CondBr {
    condition: I1,
    true_operands: Variadic<AnyType>,
    false_operands: Variadic<AnyType>,
    #[attr(optional)]
    branch_weights: terrace_ir::rules::DenseI32Array,
    #[successor(operands = true_operands)]
    true_dest: Successor,
    #[successor(operands = false_operands)]
    false_dest: Successor,
}

impl terrace_dataflow::Branch for CondBr {
    fn taken(ir: &Ir, _: OpId, known: terrace_dataflow::flow::Known<'_>) -> Option<usize> {
        let (value, _) = known(0)?.as_int(ir.cx())?;
        Some(usize::from(value == 0))
    }
}

/// Stop with a message if the condition does not hold
///
/// ```mlir
/// func.func @f(%c: i1) {
///   cf.assert %c, "must hold"
///   return
/// }
/// ```
#[op("cf.assert", effects(unknown), interfaces(Canonicalize, terrace_interp::Interpret))]
#[asm("$arg `,` $msg attr-dict")]
pub struct Assert {
    arg: I1,
    #[attr]
    msg: StrAttr,
}

dialect! {
    /// Branches between blocks
    pub CF = "cf" { ops: [Assert, Br, CondBr, Switch] }
}

fn jump(rw: &mut Rewriter<'_>, op: OpId, to: BlockId, values: &[Value]) {
    let kind = rw.ir().cx().kind_of(Br::DEF).expect("the rule is this dialect's");
    let new = NewOp { operands: values, successors: &[to], ..NewOp::new(kind) };
    rw.insert_before(op, &new);
    rw.erase(op);
}

/// `cond_br` on a constant is a `br`
struct CondBrConst;

impl Pattern for CondBrConst {
    const NAME: &'static str = "cond_br_const";
    const ROOT: Option<&'static OpDef> = Some(CondBr::DEF);
    type Found = (BlockId, Vec<Value>);

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let branch = CondBr(op);
        let constant = constant_of(ir, branch.condition(ir)).or_miss("condition is not a constant")?;
        let (value, _) = constant.as_int(ir.cx()).or_miss("condition is not an integer constant")?;
        Ok(if value != 0 {
            (branch.true_dest(ir), branch.true_operands(ir))
        } else {
            (branch.false_dest(ir), branch.false_operands(ir))
        })
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (to, values): Self::Found) {
        jump(rw, op, to, &values);
    }
}

/// `cond_br` to one block with the same values both ways
struct CondBrSame;

impl Pattern for CondBrSame {
    const NAME: &'static str = "cond_br_same";
    const ROOT: Option<&'static OpDef> = Some(CondBr::DEF);
    type Found = (BlockId, Vec<Value>);

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let branch = CondBr(op);
        (branch.true_dest(ir) == branch.false_dest(ir)).or_miss("the ways lead to different blocks")?;
        let values = branch.true_operands(ir);
        (values == branch.false_operands(ir)).or_miss("the ways pass different values")?;
        Ok((branch.true_dest(ir), values))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (to, values): Self::Found) {
        jump(rw, op, to, &values);
    }
}

/// Blocks to pass through at once: longer chains take another round
const HOPS: usize = 32;

/// Where a way leads after blocks that hold nothing but a `br`; `None` if there is none, or if they form a ring
fn through(ir: &Ir, block: BlockId, values: &[Value]) -> Option<(BlockId, Vec<Value>)> {
    let (mut at, mut values) = (block, values.to_vec());
    let mut passed = vec![block];
    while let Some((to, given)) = step(ir, at, &values) {
        // A ring of such blocks never ends: whoever enters it stays where he enters.
        if passed.contains(&to) {
            return None;
        }
        passed.push(to);
        (at, values) = (to, given);
        if passed.len() > HOPS {
            break;
        }
    }
    (at != block).then_some((at, values))
}

fn step(ir: &Ir, block: BlockId, values: &[Value]) -> Option<(BlockId, Vec<Value>)> {
    let only = ir.first_op(block).filter(|op| Some(*op) == ir.last_op(block))?;
    let next = Br::cast(ir, only)?;
    // Arguments used elsewhere need the block.
    let args = ir.block_args(block);
    if args.iter().any(|arg| ir.uses(*arg).any(|(user, _)| user != only)) {
        return None;
    }
    let passed = next.dest_operands(ir);
    let map = |value: Value| args.iter().position(|arg| *arg == value).map_or(value, |n| values[n]);
    Some((next.dest(ir), passed.into_iter().map(map).collect()))
}

/// A branch to a block that only branches on skips that block
struct CondBrPassThrough;

impl Pattern for CondBrPassThrough {
    const NAME: &'static str = "cond_br_pass_through";
    const ROOT: Option<&'static OpDef> = Some(CondBr::DEF);
    type Found = [(BlockId, Vec<Value>); 2];

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let branch = CondBr(op);
        let yes = through(ir, branch.true_dest(ir), &branch.true_operands(ir));
        let no = through(ir, branch.false_dest(ir), &branch.false_operands(ir));
        (yes.is_some() || no.is_some()).or_miss("neither block only branches on")?;
        Ok([
            yes.unwrap_or_else(|| (branch.true_dest(ir), branch.true_operands(ir))),
            no.unwrap_or_else(|| (branch.false_dest(ir), branch.false_operands(ir))),
        ])
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, [yes, no]: Self::Found) {
        let condition = CondBr(op).condition(rw.ir());
        let operands: Vec<Value> =
            [condition].into_iter().chain(yes.1.iter().copied()).chain(no.1.iter().copied()).collect();
        let segments = [1, yes.1.len() as u32, no.1.len() as u32];
        rw.set_successor(op, 0, yes.0);
        rw.set_successor(op, 1, no.0);
        rw.set_operands(op, &operands, &segments);
    }
}

struct BrPassThrough;

impl Pattern for BrPassThrough {
    const NAME: &'static str = "br_pass_through";
    const ROOT: Option<&'static OpDef> = Some(Br::DEF);
    type Found = (BlockId, Vec<Value>);

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let branch = Br(op);
        through(ir, branch.dest(ir), &branch.dest_operands(ir)).or_miss("the block does more than branch on")
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (to, values): Self::Found) {
        rw.set_successor(op, 0, to);
        rw.set_operands(op, &values, &[]);
    }
}

/// `cond_br` to one block without other predecessors becomes `select`s of the block's arguments
struct CondBrChoose;

impl Rule for CondBrChoose {
    fn name(&self) -> &'static str {
        "cond_br_to_select"
    }

    fn root(&self) -> Option<&'static OpDef> {
        Some(CondBr::DEF)
    }

    fn apply(&self, rw: &mut Rewriter<'_>, op: OpId) -> Result<(), Miss> {
        let (branch, ir) = (CondBr(op), rw.ir());
        let to = branch.true_dest(ir);
        (to == branch.false_dest(ir)).or_miss("the ways lead to different blocks")?;
        let sole = rw.sole_pred(to).or_miss("other blocks lead there, or it is not known yet")?;
        (sole.end == op).or_miss("other blocks lead there")?;
        let condition = branch.condition(ir);
        let pairs: Vec<(Value, Value)> =
            branch.true_operands(ir).into_iter().zip(branch.false_operands(ir)).collect();
        let choose = |(yes, no): (Value, Value)| {
            let make = |b: &mut Builder<'_>| Select::build(b, condition, yes, no).result(b.read());
            if yes == no { yes } else { rw.build_before(op, make) }
        };
        let values: Vec<Value> = pairs.into_iter().map(choose).collect();
        jump(rw, op, to, &values);
        Ok(())
    }
}

/// Uses of a condition to look at: finding them all may cost the square of the size
const USES: usize = 64;

/// Where only one way of `cond_br` leads, the condition is known
struct CondBrTruth;

impl Rule for CondBrTruth {
    fn name(&self) -> &'static str {
        "cond_br_truth"
    }

    fn root(&self) -> Option<&'static OpDef> {
        Some(CondBr::DEF)
    }

    fn apply(&self, rw: &mut Rewriter<'_>, op: OpId) -> Result<(), Miss> {
        let (branch, ir) = (CondBr(op), rw.ir());
        let condition = branch.condition(ir);
        (!ir.has_one_use(condition)).or_miss("the condition is used nowhere else")?;
        let mut known: Vec<(OpId, usize, bool)> = Vec::new();
        for (to, value) in [(branch.true_dest(ir), true), (branch.false_dest(ir), false)] {
            let only = rw.sole_pred(to).is_some_and(|sole| sole.end == op && sole.edges == 1);
            let inside =
                ir.uses(condition).take(USES).filter(|(user, _)| only && ir.block(*user) == Some(to));
            known.extend(inside.map(|(user, n)| (user, n, value)));
        }
        (!known.is_empty()).or_miss("where the condition is used, it is not known")?;
        for (user, n, value) in known {
            let (attr, ty) = (rw.ir().cx().bool_attr(value), rw.ir().cx().common().i1);
            let like = rw.ir().kind(op);
            if let Some(constant) = rw.constant(user, attr, ty, like) {
                rw.set_operand(user, n, constant);
            }
        }
        Ok(())
    }
}

/// A way that is never taken
static COND_BR_UNREACHABLE: FnRule<(BlockId, Vec<Value>)> = FnRule {
    name: "cond_br_unreachable",
    root: Some(CondBr::DEF),
    find: |ir, op| {
        let branch = CondBr(op);
        let never = |block: BlockId| ir.first_op(block).is_some_and(|first| ir.is(first, Unreachable::DEF));
        if never(branch.true_dest(ir)) {
            Ok((branch.false_dest(ir), branch.false_operands(ir)))
        } else if never(branch.false_dest(ir)) {
            Ok((branch.true_dest(ir), branch.true_operands(ir)))
        } else {
            Err(Miss("both ways may be taken"))
        }
    },
    put: |rw, op, (to, values)| jump(rw, op, to, &values),
};

/// What holds need not be asserted
static ASSERT_TRUE: FnRule<()> = FnRule {
    name: "assert_true",
    root: Some(Assert::DEF),
    find: |ir, op| {
        let constant = constant_of(ir, Assert(op).arg(ir)).or_miss("the condition is not a constant")?;
        constant.as_int(ir.cx()).is_some_and(|(value, _)| value != 0).or_miss("the condition does not hold")
    },
    put: |rw, op, ()| rw.erase(op),
};

impl Canonicalize for Assert {
    const RULES: &'static [&'static dyn Rule] = &[&ASSERT_TRUE];
}

impl Canonicalize for Br {
    const RULES: &'static [&'static dyn Rule] = &[&BrPassThrough];
}

impl Canonicalize for CondBr {
    const RULES: &'static [&'static dyn Rule] =
        &[&CondBrConst, &CondBrSame, &COND_BR_UNREACHABLE, &CondBrPassThrough, &CondBrChoose, &CondBrTruth];
}
