//! Parameters of a function as arguments of its entry block.

use crate::ast::{Elem, Function, Object, assigned};
use crate::bindings::{Array, Cell, FAR, Slot};
use crate::codes;
use crate::lowering::Lowering;
use crate::reach::Hull;
use crate::refusal::Done;
use crate::value::Val;
use terrace_dialect_arith as arith;
use terrace_dialect_memref as memref;
use terrace_dialect_memref::ReinterpretCast;
use terrace_ir::{AttrKind, DYNAMIC, Type, TypeKind, Value};

impl Lowering<'_> {
    /// Parameters as arguments of the entry block
    pub fn parameters(&mut self, function: &Function) -> Done<Vec<Type>> {
        let mut inputs = Vec::new();
        let changed = assigned(&function.body);
        // Sizes may be parameters that come later.
        for param in function.params.iter().filter(|param| param.dims.is_empty()) {
            if let (Some(value), Elem::Int { .. }) = (self.names.sets.get(&param.name), param.elem) {
                self.names.declare(&param.name, Slot::Number(*value, param.elem));
            }
        }
        for param in &function.params {
            self.emit.set_loc(param.span);
            if param.dims.is_empty() {
                let mut values = Vec::new();
                for (field, elem) in self.names.field_elems(param.elem) {
                    let ty = self.emit.ty(elem);
                    let value = self.emit.ir.add_block_arg(self.emit.block, ty);
                    let name =
                        if field.is_empty() { param.name.clone() } else { format!("{}.{field}", param.name) };
                    self.emit.name(value, &name);
                    inputs.push(ty);
                    values.push(value);
                }
                if let Some(Slot::Number(..)) = self.names.lookup(&param.name) {
                    continue;
                }
                let value = match param.elem {
                    Elem::Struct(n) => Val::Record(n, values),
                    elem => Val::One(values[0], elem),
                };
                if changed.contains(&param.name) && !matches!(value, Val::Record(..)) {
                    let stored = self.emit.stored(param.elem);
                    let ty = self.emit.ir.cx().memref(&[], stored);
                    let memref = self.emit.op(memref::Alloca::DEF, &[], ty);
                    let value = self.emit.store_form(&value, param.elem);
                    self.emit.op_id(memref::Store::DEF, &[value, memref], &[]);
                    self.names
                        .declare(&param.name, Slot::Cell(Cell { memref, elem: param.elem, known: None }));
                    continue;
                }
                self.names
                    .declare(&param.name, Slot::Temp { value: Some(value), affine: None, elem: param.elem });
                continue;
            }
            let sizes = self.names.sizes(param)?;
            let open = sizes[0].is_none();
            let first = match (sizes[0], self.reach.known.get(&param.name)) {
                (Some(size), _) => size,
                (None, Some(Hull::Least(size))) => *size,
                (None, Some(Hull::Open)) => DYNAMIC,
                (None, None) => FAR,
            };
            let dims: Vec<i64> =
                std::iter::once(first).chain(sizes.iter().skip(1).flatten().copied()).collect();
            let (mut fields, ty) = self.buffer(param, &dims)?;
            self.function.alone.extend(param.restrict.then_some(inputs.len()));
            inputs.push(ty);
            if !open && dims.contains(&DYNAMIC) || dims[1..].contains(&DYNAMIC) {
                fields = vec![self.as_declared(param, fields[0], &dims)?];
            }
            self.names.arrays.push(Array {
                name: param.name.clone(),
                elem: param.elem,
                dims,
                fields,
                param: true,
                global: false,
                restrict: param.restrict,
                open,
                root: self.names.arrays.len(),
            });
            let n = self.names.arrays.len() - 1;
            self.names.declare(&param.name, Slot::Array(n));
        }
        Ok(inputs)
    }

    /// A buffer with the sizes that its declaration computes: its rows lie behind each other
    pub fn as_declared(&mut self, param: &Object, memref: Value, dims: &[i64]) -> Done<Value> {
        if let Elem::Struct(_) = param.elem {
            let message =
                format!("C-BOUND: sizes of {}, an array of structures, must be numbers", param.name);
            return crate::refusal::refuse(&codes::BOUND, param.span, message);
        }
        let index = self.emit.ir.cx().common().index;
        let mut sizes = Vec::new();
        for (n, (dim, size)) in param.dims.iter().zip(dims).enumerate() {
            sizes.push(match (dim, *size) {
                (Some(e), DYNAMIC) => {
                    let value = self.expr(e)?;
                    self.number_only(&value, e.span)?;
                    let value = self.emit.to(&value, Elem::Int { bits: 64, signed: true });
                    self.emit.op(arith::IndexCast::DEF, &[value], index)
                }
                (_, DYNAMIC) => {
                    let n = self.emit.index(n as i64);
                    self.emit.op(memref::Dim::DEF, &[memref, n], index)
                }
                (_, size) => self.emit.index(size),
            });
        }
        // Rows of known sizes have strides that are known.
        let (mut strides, mut known) = (Vec::new(), Vec::new());
        let (mut row, mut count) = (self.emit.index(1), Some(1i64));
        for (value, size) in sizes.iter().zip(dims).rev() {
            strides.insert(0, row);
            known.insert(0, count.unwrap_or(DYNAMIC));
            row = self.emit.op(arith::MulI::DEF, &[row, *value], index);
            count = count.filter(|_| *size != DYNAMIC).and_then(|count| count.checked_mul(*size));
        }
        let cx = self.emit.ir.cx_arc().clone();
        let elem = self.emit.stored(param.elem);
        let layout = cx.attr(AttrKind::Strided { strides: known.clone().into(), offset: 0 });
        let ty = cx.ty(TypeKind::MemRef { shape: dims.into(), elem, layout: Some(layout), space: None });
        let open = |values: &[Value], known: &[i64]| -> Vec<Value> {
            values
                .iter()
                .zip(known)
                .filter(|(_, known)| **known == DYNAMIC)
                .map(|(value, _)| *value)
                .collect()
        };
        let (sizes, strides) = (open(&sizes, dims), open(&strides, &known));
        let [at, all, steps] = [&[0][..], dims, &known]
            .map(|list| cx.attr(AttrKind::DenseArray { elem: cx.common().i64, values: list.into() }));
        let mut b = self.emit.b();
        let made = ReinterpretCast::build(&mut b, memref, &[], &sizes, &strides, at, all, steps, ty)
            .result(b.read());
        self.emit.name(made, &format!("{}.rows", param.name));
        Ok(made)
    }
}
