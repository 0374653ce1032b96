//! Two versions of a function, and the choice between them where pointers may overlap.

use crate::ast::{Elem, Function};
use crate::bindings::Slot;
use crate::emitter::Emitter;
use crate::globals::used;
use crate::lowering::Lowering;
use crate::value::Val;
use terrace_dialect_arith as arith;
use terrace_dialect_arith::CmpIPredicate;
use terrace_dialect_func as func;
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_ir::{DYNAMIC, Type, Value};

/// Where an array lies
pub struct Memory {
    /// One buffer per field that is an argument of its own
    buffers: Vec<Value>,
    /// Its end is unknown: the number of its rows is not declared
    unbounded: bool,
}

impl Lowering<'_> {
    /// Arrays of the function and of the file that it uses, in their order; integers are declared, since sizes use them
    pub fn memory(&mut self, function: &Function, args: &[Value]) -> Vec<Memory> {
        let mut at = 0;
        let mut all = Vec::new();
        for param in &function.params {
            let apart = param.dims.is_empty();
            let count = if apart { self.names.field_elems(param.elem).len() } else { 1 };
            match (apart, self.names.sets.get(&param.name), param.elem) {
                (true, Some(value), Elem::Int { .. }) => {
                    self.names.declare(&param.name, Slot::Number(*value, param.elem));
                }
                (true, None, Elem::Int { .. }) => {
                    let value = Some(Val::One(args[at], param.elem));
                    self.names.declare(&param.name, Slot::Temp { value, affine: None, elem: param.elem });
                }
                (true, ..) => {}
                (false, ..) => {
                    // Declared sizes hold, whatever the caller's descriptor says.
                    let sizes = self.names.sizes(param).unwrap_or_default();
                    let dims: Vec<i64> = sizes.iter().map(|size| size.unwrap_or(DYNAMIC)).collect();
                    let later = sizes.contains(&Some(DYNAMIC));
                    let mut buffers = args[at..at + count].to_vec();
                    if later && let Ok(cast) = self.as_declared(param, args[at], &dims) {
                        buffers[0] = cast;
                    }
                    all.push(Memory { buffers, unbounded: later && param.dims[0].is_none() });
                }
            }
            at += count;
        }
        for object in used(self.names.file, function).into_iter().filter(|object| !object.dims.is_empty()) {
            let buffers = self.global(object).map_or(Vec::new(), |(memref, _)| vec![memref]);
            all.push(Memory { buffers, unbounded: false });
        }
        all
    }
}

impl Emitter<'_> {
    /// Do arrays of one of the pairs overlap? Nothing without pairs
    pub fn any_overlap(&mut self, pairs: &[(usize, usize)], memory: &[Memory]) -> Option<Value> {
        let bit = self.ir.cx().int(1);
        let mut any: Option<Value> = None;
        for (a, b) in pairs.iter().map(|(a, b)| (&memory[*a], &memory[*b])) {
            for x in &a.buffers {
                for y in &b.buffers {
                    let found = match a.unbounded || b.unbounded {
                        true => self.to(&Val::Int(1, Elem::INT), Elem::Bool),
                        false => self.overlap(*x, *y),
                    };
                    any = Some(match any {
                        Some(before) => self.op(arith::OrI::DEF, &[before, found], bit),
                        None => found,
                    });
                }
            }
        }
        any
    }

    /// Results of one of two functions with the same arguments
    pub fn call_either(
        &mut self,
        test: Value,
        callees: [&str; 2],
        args: &[Value],
        results: &[Type],
    ) -> Vec<Value> {
        let block = self.block;
        let op = self.op_id(scf::If::DEF, &[test], results);
        for (n, callee) in callees.into_iter().enumerate() {
            let region = self.ir.region(op, n);
            self.block = self.ir.append_block(region);
            let callee = self.ir.cx().symbol_attr(callee);
            let call = func::Call::build(&mut self.b(), args, callee, results);
            let values = call.results(self.ir);
            self.op_id(scf::Yield::DEF, &values, &[]);
        }
        self.block = block;
        self.ir.results(op).collect()
    }

    /// Do two buffers share bytes?
    fn overlap(&mut self, a: Value, b: Value) -> Value {
        let index = self.ir.cx().common().index;
        let mut ends = Vec::new();
        for memref in [a, b] {
            let start = self.op(memref::ExtractAlignedPointerAsIndex::DEF, &[memref], index);
            let ty = self.ir.ty(memref);
            let (shape, elem) = (ty.shape(self.ir.cx()).unwrap_or(&[]).to_vec(), ty.element(self.ir.cx()));
            let bytes = elem.and_then(|elem| elem.bit_width(self.ir.cx())).unwrap_or(8).div_ceil(8);
            let mut size = self.index(i64::from(bytes));
            for (n, extent) in shape.iter().enumerate() {
                let extent = match *extent {
                    DYNAMIC => {
                        let n = self.index(n as i64);
                        self.op(memref::Dim::DEF, &[memref, n], index)
                    }
                    extent => self.index(extent),
                };
                size = self.op(arith::MulI::DEF, &[size, extent], index);
            }
            let end = self.op(arith::AddI::DEF, &[start, size], index);
            ends.push((start, end));
        }
        let bit = self.ir.cx().int(1);
        let first = self.compare_ints(CmpIPredicate::Ult, ends[0].0, ends[1].1);
        let second = self.compare_ints(CmpIPredicate::Ult, ends[1].0, ends[0].1);
        self.op(arith::AndI::DEF, &[first, second], bit)
    }
}
