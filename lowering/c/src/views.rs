//! Parts of buffers and other readings of them: pointers of their own, so that accesses stay short.

use crate::Flavor;
use crate::emit::{Done, Emit, Val};
use crate::expr::{Expr, prec};
use crate::memref::{Dim, View};
use terrace_ir::{DYNAMIC, OpId, Value};

impl Emit<'_> {
    /// The numbers of one of the three lists of an op, each static or an operand
    fn mixed(&mut self, op: OpId, n: usize) -> Vec<Dim> {
        let name = ["static_offsets", "static_sizes", "static_strides"][n];
        let fixed =
            self.ir.attr(op, name).and_then(|attr| attr.as_dense_array(self.cx)).unwrap_or(&[]).to_vec();
        let mut dynamic = self.ir.operand_field(op, n + 1).into_iter();
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
        self.line(&format!("{words} *{name} = {};", start.text));
        name
    }

    /// What stands before the star of a pointer to a buffer
    pub fn pointer_words(&self, view: &View) -> String {
        let constant = if view.constant { "const " } else { "" };
        format!("{}{constant}{}", self.flavor.space(view.space), self.flavor.stored(view.elem))
    }

    pub(crate) fn subview(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let result = ir.result(op, 0);
        let view = self.view(ir.operand(op, 0))?;
        let shape = self.shape(op, ir.ty(result))?;
        let (offsets, sizes, steps) = (self.mixed(op, 0), self.mixed(op, 1), self.mixed(op, 2));
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
        self.set(result, Val::View(view));
        Ok(())
    }

    /// Where a buffer begins, as a number
    pub(crate) fn address(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let source = ir.operand(op, 0);
        let view = self.view(source)?;
        if self.flavor != Flavor::OpenMp || self.shape(op, ir.ty(source))?.offset != Some(0) {
            return self.no_op(op, "addresses are of the host's buffers whose type has offset 0", "");
        }
        self.set(ir.result(op, 0), Val::Expr(Expr::cast("int64_t", &Expr::atom(&view.pointer))));
        Ok(())
    }

    pub(crate) fn reinterpret_cast(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
        let view = self.view(source)?;
        let from = self.shape(op, ir.ty(source))?;
        if from.offset != Some(0) {
            let help = "a source whose type has offset 0";
            return self.no_op(op, "its source may start behind the beginning of its memory", help);
        }
        let (offsets, sizes, strides) = (self.mixed(op, 0), self.mixed(op, 1), self.mixed(op, 2));
        let by = offsets.first().map_or(Expr::atom("0"), Dim::expr);
        let pointer = self.moved(result, &view, &by);
        let view = View { pointer, offset: Dim::Const(0), sizes, strides, ..view };
        self.set(result, Val::View(view));
        Ok(())
    }
}
