//! A layout op on arrays: interpreted and lowered to loops like those of the dialect `array`.

use terrace_diag::Reported;
use terrace_dialect_array::layout::{
    Evaluation, Guard, Indexing, Layout, LayoutText, Next, Parsed, Path, Source, Stop, Typing, Written,
    print_nat, print_operands, set_nat, value,
};
use terrace_dialect_array::nat_text::NatAttr;
use terrace_dialect_array::size::Relation;
use terrace_dialect_array::types::AnyArray;
use terrace_dialect_array::{Misfit, layout_ops, layout_texts};
use terrace_interp::{Interpret, RtValue, Trap};
use terrace_ir::Type;
use terrace_ir::rules::AnyType;
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// The elements from a number on, then those before: `shop.rotate @k %x`
#[op("shop.rotate", traits(Pure), interfaces(CustomAsm, Interpret, Layout), hooks(verify))]
pub struct Rotate {
    x: AnyArray,
    #[attr]
    by: NatAttr,
    #[result]
    result: AnyType,
}

layout_ops!(Rotate);
layout_texts!(Rotate);

impl Layout for Rotate {
    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit> {
        let ((n, _), by) = (t.array(0)?, t.nat("by")?);
        t.must(Relation::AtMost, &by, &n, "rotation");
        Ok(vec![t.types[0]])
    }

    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap> {
        let (mut all, by) = (e.list(0)?.to_vec(), e.size("by")?);
        all.rotate_left(by);
        Ok(vec![RtValue::Vector(all.into())])
    }

    fn read(self, cx: &mut dyn Indexing, _: usize, path: &mut Path) -> Result<Next, Stop> {
        let (n, _) = cx.array(cx.ir().ty(self.x(cx.ir())))?;
        let (i, by) = (cx.index(path)?, cx.property(self.0, "by")?);
        let at = cx.rem(i + by.into(), n.max(1));
        path.push_index(at);
        Ok(Next::At(self.x(cx.ir())))
    }

    fn written(self, _: &mut dyn Indexing, _: usize) -> Written {
        Ok(Ok(Source::through(self.0)))
    }

    fn write(self, cx: &mut dyn Indexing, path: &mut Path, _: &mut Vec<Guard>) -> Result<(), Stop> {
        let (n, _) = cx.array(cx.ir().ty(self.x(cx.ir())))?;
        let (i, by) = (cx.index(path)?, cx.property(self.0, "by")?);
        let at = cx.rem(i + (n - by).into(), n.max(1));
        path.push_index(at);
        Ok(())
    }
}

impl LayoutText for Rotate {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<Parsed, Reported> {
        set_nat(p, "by")?;
        Ok(vec![value(p)?].into())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print_nat(p, "by");
        print_operands(p);
    }
}
