//! A rule that calculates: what terms cannot say.

use super::verifier::Discount;
use terrace_ir::{Attr, Ir, OpDef, OpId, Value};
use terrace_rewrite::{Miss, OrMiss, Pattern, Rewriter};

/// Two discounts of which one takes off all are one that does
pub struct DiscountOfDiscount;

/// The rule, as `rules` of the dialect and passes name it
pub static DISCOUNT_OF_DISCOUNT: DiscountOfDiscount = DiscountOfDiscount;

impl Pattern for DiscountOfDiscount {
    const NAME: &'static str = "discount_of_all";
    const ROOT: Option<&'static OpDef> = Some(Discount::DEF);
    type Found = (Value, Attr);

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let outer = Discount(op);
        let inner = ir.defining_op(outer.price(ir)).and_then(|op| Discount::cast(ir, op));
        let inner = inner.or_miss("the price is no discount's")?;
        let all = |discount: Discount| discount.percent(ir).as_i64(ir.cx()) == Some(100);
        (all(outer) || all(inner)).or_miss("neither takes off all, and roundings do not add up")?;
        let percent = if all(outer) { outer.percent(ir) } else { inner.percent(ir) };
        Ok((inner.price(ir), percent))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (price, percent): Self::Found) {
        let new = rw.build_before(op, |b| Discount::build(b, price, percent));
        let value = new.reduced(rw.ir());
        rw.replace(op, &[value]);
    }
}
