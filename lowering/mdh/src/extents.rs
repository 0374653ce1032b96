//! An extent that is known at run time is checked against its bound, once, where it is made.

use terrace_dialect_arith as arith;
use terrace_dialect_cf as cf;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::{Extent, View};
use terrace_ir::{Attr, Builder, Ir, Value};

/// Stop the program where an extent of a computation is beyond its bound
pub(crate) fn checked(ir: &mut Ir, op: Compute, view: &View) {
    for extent in &view.extents {
        let name = ir.value_name(extent.value).unwrap_or("an extent").to_owned();
        let text = format!("M-EXTENT: {name} is from 0 to {}", extent.most);
        let message = ir.cx().str_attr(&text);
        if !is_checked(ir, extent.value, message) {
            check(ir, op, extent, message);
        }
    }
}

/// Does the program stop there already?
fn is_checked(ir: &Ir, value: Value, message: Attr) -> bool {
    let compared = ir.uses(value).map(|(user, _)| user).filter(|user| ir.is(*user, arith::CmpI::DEF));
    let mut stops = compared.flat_map(|user| ir.uses(ir.result(user, 0))).map(|(user, _)| user);
    stops.any(|user| cf::Assert::cast(ir, user).is_some_and(|stop| stop.msg(ir) == message))
}

fn check(ir: &mut Ir, op: Compute, extent: &Extent, message: Attr) {
    let loc = ir.loc(op.id());
    let first = ir.value_block(extent.value).and_then(|block| ir.first_op(block));
    let at = match ir.defining_op(extent.value) {
        Some(maker) => ir.next(maker),
        None => first,
    };
    let mut b = Builder::before(ir, at.unwrap_or(op.id()));
    b.set_loc(loc);
    let most = b.cx().index_attr(extent.most);
    let most = arith::Constant::build(&mut b, most).result(b.read());
    // Numbers below 0 are great ones without a sign.
    let within = arith::CmpI::build(&mut b, extent.value, most, arith::CmpIPredicate::Ule).result(b.read());
    cf::Assert::build(&mut b, within, message);
}
