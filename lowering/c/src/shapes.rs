//! `memref`: other shapes of the same memory, its numbers, and hints.

use crate::buffer::{Dim, Shape, View};
use crate::emit::{Check, Emit, Lowering, any};
use crate::expr::{Expr, prec};
use crate::literals::integers;
use crate::refusal::Done;
use crate::types::Scalar;
use crate::values::Val;
use terrace_dialect_memref as memref;
use terrace_ir::{Attr, AttrKind, DYNAMIC, OpId};
use terrace_lowering_table::{Checked, Refusal, rows};
use terrace_support::affine::AffineExpr;

pub(crate) static OPS: &[Lowering] = rows! { memref:
    AssumeAlignment any, |e, op| e.same_buffers(op);
    CollapseShape any, |e, op| e.collapse(memref::CollapseShape(op));
    DistinctObjects any, |e, op| e.same_buffers(op);
    ExpandShape any, |e, op| e.expand(memref::ExpandShape(op));
    ExtractStridedMetadata starts_at_zero, |e, op| e.metadata(memref::ExtractStridedMetadata(op));
    Prefetch any, |e, op| e.prefetch(memref::Prefetch(op));
    Transpose any, |e, op| e.transposed(memref::Transpose(op));
    View any, |e, op| e.bytes_view(memref::View(op));
};

pub(crate) static HOST: &[Lowering] = rows! { memref:
    MemorySpaceCast any, |e, op| e.same_buffers(op);
};

/// On the host a buffer is a pointer to its first element
fn starts_at_zero(c: &Check<'_>, op: OpId) -> Checked {
    let source = memref::ExtractStridedMetadata(op).source(c.ir);
    let offset = Shape::of(c.cx(), c.ir.ty(source)).map_or(Some(0), |shape| shape.offset);
    if offset == Some(0) || !c.lang.is_host() {
        return Ok(());
    }
    let help = "a source whose type has offset 0";
    Err(Refusal::new("its source may start behind the beginning of its memory", help))
}

impl Emit<'_> {
    /// Ops whose result is their operand
    fn same_buffers(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        for (operand, result) in ir.operands(op).zip(ir.results(op)) {
            let view = self.values.view(operand)?;
            self.values.set(result, Val::View(view));
        }
        Ok(())
    }

    /// Groups of dimensions
    fn groups(&self, reassociation: Attr) -> Vec<Vec<usize>> {
        let groups = reassociation.as_array(self.ir.cx()).unwrap_or(&[]);
        let numbers = |attr: &Attr| {
            let all = integers(self.ir.cx(), *attr).unwrap_or_default();
            all.into_iter().filter_map(|n| usize::try_from(n).ok()).collect()
        };
        groups.iter().map(numbers).collect()
    }

    /// A product of sizes or strides as a number or a variable
    pub(crate) fn multiplied(&mut self, name: &str, a: &Dim, b: &Dim) -> Dim {
        match (a, b) {
            (Dim::Const(a), Dim::Const(b)) => Dim::Const(a.wrapping_mul(*b)),
            (Dim::Const(1), other) | (other, Dim::Const(1)) => other.clone(),
            _ => {
                let product = Expr::binary("*", prec::PRODUCT, &a.expr(), &b.expr());
                Dim::Var(self.text.variable(self.lang.scalar(Scalar::Int(64)), name, &product).text)
            }
        }
    }

    /// What the result's type knows, elsewhere what was computed
    fn known(&mut self, op: OpId, view: View) -> Done {
        let result = self.ir.result(op, 0);
        let shape = self.shape(op, self.ir.ty(result))?;
        let merge = |dims: Vec<Dim>, known: &[Option<i64>]| {
            let both = dims.into_iter().zip(known);
            both.map(|(dim, known)| known.map_or(dim, Dim::Const)).collect::<Vec<_>>()
        };
        let view = View {
            sizes: merge(view.sizes.clone(), &shape.sizes),
            strides: merge(view.strides.clone(), &shape.strides),
            ..view
        };
        self.values.set(result, Val::View(view));
        Ok(())
    }

    fn collapse(&mut self, collapse: memref::CollapseShape) -> Done {
        let op = collapse.id();
        let view = self.values.view(collapse.src(self.ir))?;
        let view = self.flat(view);
        let result = self.shape(op, self.ir.ty(collapse.result(self.ir)))?;
        let (mut sizes, mut strides) = (Vec::new(), Vec::new());
        for (n, group) in self.groups(collapse.reassociation(self.ir)).into_iter().enumerate() {
            let mut size = Dim::Const(1);
            let unknown = result.sizes.get(n).is_none_or(Option::is_none);
            for dim in group.iter().filter(|_| unknown) {
                size = self.multiplied(&format!("{}_size{n}", view.pointer), &size, &view.sizes[*dim]);
            }
            sizes.push(size);
            // Steps of the innermost dimension that has more than one.
            let last = group.iter().rev().find(|dim| view.sizes[**dim] != Dim::Const(1)).or(group.last());
            strides.push(last.map_or(Dim::Const(1), |dim| view.strides[*dim].clone()));
        }
        self.known(op, View { sizes, strides, ..view })
    }

    fn expand(&mut self, expand: memref::ExpandShape) -> Done {
        let (ir, op) = (self.ir, expand.id());
        let view = self.values.view(expand.src(ir))?;
        let view = self.flat(view);
        let fixed = expand.static_output_shape(ir).as_dense_array(self.ir.cx()).unwrap_or(&[]).to_vec();
        let mut dynamic = expand.output_shape(ir).into_iter();
        let mut sizes = Vec::new();
        for size in fixed {
            let value = if size == DYNAMIC { dynamic.next() } else { None };
            sizes.push(match value {
                Some(value) => self.dim(value),
                None => Dim::Const(size),
            });
        }
        let mut strides = vec![Dim::Const(1); sizes.len()];
        for (source, group) in self.groups(expand.reassociation(ir)).into_iter().enumerate() {
            let mut stride = view.strides.get(source).cloned().unwrap_or(Dim::Const(1));
            for (n, dim) in group.iter().enumerate().rev() {
                let Some(size) = sizes.get(*dim).cloned() else { return self.unknown(op) };
                strides[*dim] = stride.clone();
                if n > 0 {
                    stride = self.multiplied(&format!("{}_stride{dim}", view.pointer), &stride, &size);
                }
            }
        }
        self.known(op, View { sizes, strides, ..view })
    }

    fn transposed(&mut self, transpose: memref::Transpose) -> Done {
        let op = transpose.id();
        let view = self.values.view(transpose.source(self.ir))?;
        let view = self.flat(view);
        let map = transpose.permutation(self.ir).as_affine_map(self.ir.cx()).cloned();
        let (mut sizes, mut strides) = (Vec::new(), Vec::new());
        for result in map.map_or(Vec::new(), |map| map.results) {
            let dim = match result {
                AffineExpr::Dim(dim) => dim as usize,
                _ => return self.unknown(op),
            };
            let (Some(size), Some(stride)) = (view.sizes.get(dim), view.strides.get(dim)) else {
                return self.unknown(op);
            };
            sizes.push(size.clone());
            strides.push(stride.clone());
        }
        self.known(op, View { sizes, strides, ..view })
    }

    /// `memref.view`: bytes as elements of another type
    fn bytes_view(&mut self, bytes: memref::View) -> Done {
        let (ir, op, result) = (self.ir, bytes.id(), bytes.result(self.ir));
        let view = self.values.view(bytes.source(ir))?;
        let view = self.flat(view);
        let shape: Shape = self.shape(op, ir.ty(result))?;
        if !shape.identity {
            return self.no_op(op, "its result has a layout of its own", "");
        }
        let shift = self.values.expr(bytes.byte_shift(ir));
        let mut dynamic = bytes.sizes(ir).into_iter();
        let mut sizes = Vec::new();
        for size in &shape.sizes {
            let value = if size.is_none() { dynamic.next() } else { None };
            sizes.push(match (size, value) {
                (Some(size), _) => Dim::Const(*size),
                (None, Some(value)) => self.dim(value),
                (None, None) => return self.unknown(op),
            });
        }
        let name = self.name(result);
        let start = match &view.offset {
            Dim::Const(0) => shift,
            offset => Expr::binary("+", prec::SUM, &offset.expr(), &shift),
        };
        let start = match start.text.as_str() {
            "0" => view.pointer.clone(),
            _ => format!("({} + {})", view.pointer, start.text),
        };
        let target = View { elem: shape.elem, pointer: name.clone(), offset: Dim::Const(0), ..view };
        let words = self.pointer_words(&target);
        self.text.line(&format!("{words} *{name} = ({words} *){start};"));
        let strides = self.row_strides(&name, &sizes);
        self.values.set(result, Val::View(View { sizes, strides, ..target }));
        Ok(())
    }

    fn metadata(&mut self, metadata: memref::ExtractStridedMetadata) -> Done {
        let (ir, op) = (self.ir, metadata.id());
        let view = self.values.view(metadata.source(ir))?;
        let view = self.flat(view);
        self.shape(op, ir.ty(metadata.source(ir)))?;
        let mut results = ir.results(op);
        let numbers = [&view.offset].into_iter().chain(&view.sizes).chain(&view.strides).cloned();
        if let Some(base) = results.next() {
            let base_view =
                View { offset: Dim::Const(0), sizes: Vec::new(), strides: Vec::new(), ..view.clone() };
            self.values.set(base, Val::View(base_view));
        }
        for (result, number) in results.zip(numbers.collect::<Vec<_>>()) {
            let range = match number {
                Dim::Const(n) => (i128::from(n), i128::from(n)),
                Dim::Var(_) => (i128::from(i64::MIN), i128::from(i64::MAX)),
            };
            self.values.set_range(result, range);
            self.values.set(result, Val::Expr(number.expr()));
        }
        Ok(())
    }

    fn prefetch(&mut self, prefetch: memref::Prefetch) -> Done {
        let ir = self.ir;
        if !self.lang.is_host() {
            return Ok(());
        }
        let view = self.values.view(prefetch.memref(ir))?;
        let indices: Vec<Expr> =
            prefetch.indices(ir).into_iter().map(|index| self.values.expr(index)).collect();
        let place = self.element(&view, &indices);
        let write =
            matches!(prefetch.is_write(ir).kind(self.ir.cx()), AttrKind::Int { value, .. } if *value != 0);
        let write = u8::from(write);
        let locality = prefetch.locality(ir).as_i64(self.ir.cx()).unwrap_or(3).clamp(0, 3);
        self.text.line(&format!("__builtin_prefetch(&{}, {write}, {locality});", place.text));
        Ok(())
    }
}
