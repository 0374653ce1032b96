//! Parts of buffers and other readings of them: pointers of their own, so that accesses stay short.

use crate::buffer::{Dim, Shape, View};
use crate::emit::{Check, Emit, Lowering, any};
use crate::expr::{Expr, prec};
use crate::refusal::Done;
use crate::values::Val;
use terrace_dialect_memref as memref;
use terrace_ir::{Attr, DYNAMIC, OpId, Value};
use terrace_lowering_table::{Checked, Refusal, rows};

pub(crate) static OPS: &[Lowering] = rows! { memref:
    ReinterpretCast starts_at_zero, |e, op| e.reinterpret_cast(memref::ReinterpretCast(op));
    SubView any, |e, op| e.subview(memref::SubView(op));
};

pub(crate) static HOST: &[Lowering] = rows! { memref:
    ExtractAlignedPointerAsIndex has_address, |e, op| e.address(memref::ExtractAlignedPointerAsIndex(op));
};

/// Does the type of a buffer say that it starts where its memory does? A type that cannot be said is reported as such
fn offset_is_zero(c: &Check<'_>, source: Value) -> bool {
    Shape::of(c.cx(), c.ir.ty(source)).is_none_or(|shape| shape.offset == Some(0))
}

fn starts_at_zero(c: &Check<'_>, op: OpId) -> Checked {
    if offset_is_zero(c, memref::ReinterpretCast(op).source(c.ir)) {
        return Ok(());
    }
    let help = "a source whose type has offset 0";
    Err(Refusal::new("its source may start behind the beginning of its memory", help))
}

fn has_address(c: &Check<'_>, op: OpId) -> Checked {
    if offset_is_zero(c, memref::ExtractAlignedPointerAsIndex(op).source(c.ir)) {
        return Ok(());
    }
    Err("addresses are of the host's buffers whose type has offset 0".into())
}

impl Emit<'_> {
    /// A list of numbers, each static or an operand
    fn mixed(&mut self, fixed: Attr, dynamic: Vec<Value>) -> Vec<Dim> {
        let fixed = fixed.as_dense_array(self.ir.cx()).unwrap_or(&[]).to_vec();
        let mut dynamic = dynamic.into_iter();
        let mut all = Vec::new();
        for number in fixed {
            all.push(match (number, dynamic.len()) {
                (DYNAMIC, 1..) => {
                    let value = dynamic.next();
                    value.map_or(Dim::Const(0), |value| self.dim(value))
                }
                (number, _) => Dim::Const(number),
            });
        }
        all
    }

    /// A pointer into a buffer, with a name like the result's
    fn moved(&mut self, result: Value, view: &View, by: &Expr) -> String {
        if by.text == "0" {
            return view.pointer.clone();
        }
        let name = self.name(result);
        let words = self.pointer_words(view);
        let start = Expr::binary("+", prec::SUM, &Expr::atom(&view.pointer), by);
        self.text.line(&format!("{words} *{name} = {};", start.text));
        name
    }

    /// What stands before the star of a pointer to a buffer
    pub fn pointer_words(&self, view: &View) -> String {
        let constant = if view.constant { "const " } else { "" };
        format!("{}{constant}{}", self.lang.space(view.space), self.lang.stored(view.elem))
    }

    fn subview(&mut self, part: memref::SubView) -> Done {
        let (ir, op, result) = (self.ir, part.id(), part.result(self.ir));
        let view = self.values.view(part.source(ir))?;
        let view = self.flat(view);
        let shape = self.shape(op, ir.ty(result))?;
        let offsets = self.mixed(part.static_offsets(ir), part.offsets(ir));
        let sizes = self.mixed(part.static_sizes(ir), part.sizes(ir));
        let steps = self.mixed(part.static_strides(ir), part.strides(ir));
        if [offsets.len(), sizes.len(), steps.len()] != [view.strides.len(); 3] {
            return self.unknown(op);
        }
        let offsets: Vec<Expr> = offsets.iter().map(Dim::expr).collect();
        let by = self.place(&view, &offsets);
        let pointer = self.moved(result, &view, &by);
        // Dimensions of size 1 that the result does not have.
        let mut drop = sizes.len().saturating_sub(shape.sizes.len());
        let (mut kept_sizes, mut strides) = (Vec::new(), Vec::new());
        for (n, size) in sizes.into_iter().enumerate() {
            let at = kept_sizes.len();
            let wanted = shape.sizes.get(at).copied();
            if drop > 0 && size == Dim::Const(1) && (wanted != Some(Some(1)) || shape.sizes.len() == at) {
                drop -= 1;
                continue;
            }
            kept_sizes.push(size);
            let known = shape.strides.get(at).copied().flatten();
            strides.push(match known {
                Some(known) => Dim::Const(known),
                None => self.multiplied(&format!("{pointer}_stride{at}"), &view.strides[n], &steps[n]),
            });
        }
        // Where all sizes are 1, any of them may have gone.
        kept_sizes.truncate(shape.sizes.len());
        strides.truncate(shape.sizes.len());
        if kept_sizes.len() != shape.sizes.len() {
            return self.no_op(op, "which dimensions it drops is not known", "");
        }
        let view = View { pointer, offset: Dim::Const(0), sizes: kept_sizes, strides, ..view };
        self.values.set(result, Val::View(view));
        Ok(())
    }

    /// Where a buffer begins, as a number
    fn address(&mut self, extract: memref::ExtractAlignedPointerAsIndex) -> Done {
        let (ir, source) = (self.ir, extract.source(self.ir));
        let view = self.values.view(source)?;
        self.shape(extract.id(), ir.ty(source))?;
        self.values
            .set(extract.aligned_pointer(ir), Val::Expr(Expr::cast("int64_t", &Expr::atom(&view.pointer))));
        Ok(())
    }

    fn reinterpret_cast(&mut self, cast: memref::ReinterpretCast) -> Done {
        let (ir, source, result) = (self.ir, cast.source(self.ir), cast.result(self.ir));
        let view = self.values.view(source)?;
        let view = self.flat(view);
        self.shape(cast.id(), ir.ty(source))?;
        let offsets = self.mixed(cast.static_offsets(ir), cast.offsets(ir));
        let sizes = self.mixed(cast.static_sizes(ir), cast.sizes(ir));
        let strides = self.mixed(cast.static_strides(ir), cast.strides(ir));
        let by = offsets.first().map_or(Expr::atom("0"), Dim::expr);
        let pointer = self.moved(result, &view, &by);
        let view = View { pointer, offset: Dim::Const(0), sizes, strides, ..view };
        self.values.set(result, Val::View(view));
        Ok(())
    }
}
