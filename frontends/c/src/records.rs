//! Arrays of structures as arguments: they lie in memory as compilers of C lay them, and each field is a part of them.
//!
//! **Invariant.** The caller passes the array that it has: nothing is copied. Numbers are aligned to their widths, so that a
//! field's place is a whole number of its widths, and so is the size of the structure.

use crate::ast::{Elem, Object, Struct};
use crate::bindings::FAR;
use crate::codes;
use crate::emitter::Emitter;
use crate::lowering::Lowering;
use crate::refusal::{Done, refuse};
use crate::subviews::Along;
use terrace_dialect_arith as arith;
use terrace_dialect_builtin::marks;
use terrace_dialect_memref as memref;
use terrace_ir::{Attr, AttrKind, DYNAMIC, Ir, Type, Value};

impl Emitter<'_> {
    /// Bytes as elements of a type
    fn columns(&mut self, bytes: Value, shape: &[i64], elem: Type, size: i64) -> Value {
        let cx = self.ir.cx_arc().clone();
        let (index, zero) = (cx.common().index, self.index(0));
        let mut operands = vec![bytes, zero];
        if shape[0] == DYNAMIC {
            let count = self.op(memref::Dim::DEF, &[bytes, zero], index);
            let rest: i64 = shape[1..shape.len() - 1].iter().product::<i64>().saturating_mul(size);
            let rest = self.index(rest.max(1));
            operands.push(self.op(arith::DivUI::DEF, &[count, rest], index));
        }
        let mut b = self.b();
        let ty = cx.memref(shape, elem);
        memref::View::build(&mut b, operands[0], operands[1], &operands[2..], ty).result(b.read())
    }

    /// What an argument of bytes holds, for who calls the function: the attribute `terrace.record`
    fn described(&self, all: &[(String, Elem)], places: &[i64], size: i64, dims: &[i64]) -> Attr {
        let cx = self.ir.cx();
        let list =
            |values: &[i64]| cx.attr(AttrKind::DenseArray { elem: cx.common().i64, values: values.into() });
        let names: Vec<Attr> = all.iter().map(|(name, _)| cx.str_attr(name)).collect();
        let types: Vec<Attr> = all.iter().map(|(_, elem)| cx.type_attr(self.stored(*elem))).collect();
        let entries = vec![
            (cx.intern("bytes"), cx.int_attr(size.into(), cx.common().i64)),
            (cx.intern("fields"), cx.array_attr(&names)),
            (cx.intern("places"), list(places)),
            (cx.intern("shape"), list(dims)),
            (cx.intern("types"), cx.array_attr(&types)),
        ];
        cx.dict_attr(entries)
    }

    /// Bytes of a number in memory
    fn width(&self, elem: Elem) -> i64 {
        let bits = self.stored(elem).bit_width(self.ir.cx()).unwrap_or(64);
        i64::from(bits.max(8)) / 8
    }
}

impl Lowering<'_> {
    /// The argument for an array, and its parts: one for each field
    ///
    /// Structures lie as they do in C. Where all fields have one type, a last dimension counts them; else the argument is
    /// bytes, and a field is a column of what these are as elements of its type.
    pub fn buffer(&mut self, param: &Object, dims: &[i64]) -> Done<(Vec<Value>, Type)> {
        let all = self.names.field_elems(param.elem);
        let Elem::Struct(n) = param.elem else {
            let stored = self.emit.stored(param.elem);
            let ty = self.emit.ir.cx().memref(dims, stored);
            let value = self.emit.ir.add_block_arg(self.emit.block, ty);
            self.emit.name(value, &param.name);
            return Ok((vec![value], ty));
        };
        let whole = |last: i64| -> Vec<i64> { dims.iter().copied().chain([last]).collect() };
        let (ty, rows) = match self.row(param.elem) {
            Some(count) => (self.emit.ir.cx().memref(&whole(count), self.emit.stored(all[0].1)), true),
            None => {
                let size = self.layout(n).1;
                let bytes = dims.iter().try_fold(size, |all, dim| match (all, *dim) {
                    (DYNAMIC, _) | (_, DYNAMIC) => Some(DYNAMIC),
                    // A size that is not known yet.
                    (_, FAR) => Some(FAR),
                    (all, dim) => all.checked_mul(dim),
                });
                let Some(bytes) = bytes else {
                    let message = format!("C-BOUND: {} has too many bytes", param.name);
                    return refuse(&codes::BOUND, param.span, message);
                };
                (self.emit.ir.cx().memref(&[bytes], self.emit.ir.cx().int(8)), false)
            }
        };
        let value = self.emit.ir.add_block_arg(self.emit.block, ty);
        self.emit.name(value, &param.name);
        let (places, size) = self.layout(n);
        let mut seen: Vec<(Type, Value)> = Vec::new();
        let mut parts = Vec::new();
        for (at, (field, elem)) in all.iter().enumerate() {
            let stored = self.emit.stored(*elem);
            let (columns, column) = match rows {
                true => (value, at as i64),
                false => {
                    let width = self.emit.width(*elem);
                    let found = seen.iter().find(|(ty, _)| *ty == stored).map(|(_, view)| *view);
                    let view = match found {
                        Some(view) => view,
                        None => self.emit.columns(value, &whole(size / width), stored, size),
                    };
                    seen.push((stored, view));
                    (view, places[at] / width)
                }
            };
            let along: Vec<Along> = dims.iter().map(|_| Along::All).chain([Along::At(column)]).collect();
            let part = self.emit.part(columns, &along);
            self.emit.name(part, &format!("{}.{field}", param.name));
            parts.push(part);
        }
        if !rows {
            let n = self.emit.ir.block_args(self.emit.block).len() - 1;
            let record = self.emit.described(&all, &places, size, dims);
            self.function.records.push((n, record));
        }
        Ok((parts, ty))
    }

    /// The number of fields of structures that lie in memory as rows of one type; nothing if their fields have several types
    fn row(&self, elem: Elem) -> Option<i64> {
        let Elem::Struct(n) = elem else { return None };
        let Struct { fields, .. } = &self.names.file.structs[n];
        let first = fields.first()?.1.stored();
        let same = |elem: Elem| self.emit.ty(elem.stored()) == self.emit.ty(first);
        fields.iter().all(|(_, elem)| same(*elem)).then_some(fields.len() as i64)
    }

    /// Where the fields of a structure begin, and its size, in bytes: every number is aligned to its width, as compilers of C
    /// do it on the machines that we know
    fn layout(&self, n: usize) -> (Vec<i64>, i64) {
        let fields = &self.names.file.structs[n].fields;
        let mut at = 0i64;
        let mut places = Vec::with_capacity(fields.len());
        let mut most = 1;
        for (_, elem) in fields {
            let width = self.emit.width(*elem);
            at = up(at, width);
            places.push(at);
            (at, most) = (at + width, most.max(width));
        }
        (places, up(at, most))
    }
}

/// What arguments of bytes hold, and which memory is reached through one argument alone
pub fn describe(unit: &mut Ir, count: usize, records: Vec<(usize, Attr)>, alone: &[usize]) {
    if records.is_empty() && alone.is_empty() {
        return;
    }
    let cx = unit.cx_arc().clone();
    let mut all = vec![cx.common().empty_dict; count];
    for (n, record) in records {
        all[n] = cx.dict_attr(vec![(cx.intern("terrace.record"), record)]);
    }
    for n in alone {
        all[*n] = marks::alone(&cx, all[*n]);
    }
    let root = unit.root();
    unit.set_attr(root, "arg_attrs", Some(cx.array_attr(&all)));
}

/// The next multiple
fn up(at: i64, width: i64) -> i64 {
    (at + width - 1) / width * width
}
