//! Loops from a bound to another become loops with a condition.

use terrace_diag::Reported;
use terrace_dialect_arith::{AddI, CmpI, CmpIPredicate};
use terrace_dialect_scf::{Condition, For, While, Yield};
use terrace_ir::{Builder, Ir, Type, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_rewrite::Greedy;

/// `scf.for` becomes `scf.while`
///
/// The variable is the first value that the new loop carries. Then ops fold.
///
/// ```mlir
/// scf.for %i = %a to %b step %s { … }
/// // becomes
/// scf.while (%i = %a) : (index) -> index {
///   %c = arith.cmpi slt, %i, %b : index
///   scf.condition(%c) %i : index
/// } do {
/// ^bb0(%j: index):
///   %n = arith.addi %j, %s : index
///   …
///   scf.yield %n : index
/// }
/// ```
#[pass("scf-for-to-while", stats("loops converted"))]
pub struct ScfForToWhile;

impl Pass for ScfForToWhile {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let loops: Vec<For> = unit.walk().filter_map(|op| For::cast(unit, op)).collect();
        let count = loops.len() as u64;
        for each in loops {
            convert(unit, each);
        }
        let folded = Greedy::new(unit.cx(), []).run(unit);
        cx.count("loops converted", count);
        cx.set_changed(count > 0 || folded.changed);
        Ok(())
    }
}

fn convert(ir: &mut Ir, each: For) -> Option<()> {
    let (lower, upper, step) = (each.lower_bound(ir), each.upper_bound(ir), each.step(ir));
    let (inits, unsigned) = (each.inits(ir), each.unsigned(ir));
    let inits: Vec<Value> = [lower].into_iter().chain(inits).collect();
    let types: Vec<Type> = inits.iter().map(|value| ir.ty(*value)).collect();
    let body = ir.entry(each.region(ir))?;
    let end = ir.last_op(body)?;
    let made = While::build(&mut Builder::before(ir, each.0), &inits, &types);
    // Attributes stay, and the way in which the loop compared.
    ir.set_dict(made.0, ir.dict(each.0));
    if unsigned.is_some() {
        ir.set_discardable(made.0, "unsignedCmp", unsigned);
    }
    let before = ir.append_block(made.before(ir));
    let passed: Vec<Value> = types.iter().map(|ty| ir.add_block_arg(before, *ty)).collect();
    let loc = ir.loc(each.0);
    let mut b = Builder::at_end(ir, before);
    b.set_loc(loc);
    let predicate = if unsigned.is_some() { CmpIPredicate::Ult } else { CmpIPredicate::Slt };
    let goes_on = CmpI::build(&mut b, passed[0], upper, predicate).result(b.read());
    Condition::build(&mut b, goes_on, &passed);
    // The body keeps its block.
    ir.move_blocks(each.region(ir), made.after(ir));
    let variable = ir.block_args(body)[0];
    let mut b = Builder::at_start(ir, body);
    b.set_loc(loc);
    let next = AddI::build(&mut b, variable, step).result(b.read());
    let given: Vec<Value> = [next].into_iter().chain(ir.operands(end)).collect();
    Yield::build(&mut Builder::before(ir, end), &given);
    ir.erase(end);
    for (old, new) in ir.results(each.0).zip(ir.results(made.0).skip(1)).collect::<Vec<_>>() {
        ir.copy_value_name(old, new);
        ir.replace_all_uses(old, new);
    }
    ir.erase(each.0);
    Some(())
}
