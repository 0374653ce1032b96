//! Constant tensors of different elements as buffers of the module.
//!
//! ```mlir
//! %c = arith.constant dense<[1, 2]> : tensor<2xi32>
//! // becomes
//! memref.global "private" constant @f_constant : memref<2xi32> = dense<[1, 2]>
//! %m = memref.get_global @f_constant : memref<2xi32>
//! %c = bufferization.to_tensor %m restrict : memref<2xi32> to tensor<2xi32>
//! ```
//!
//! Equal constants share one buffer. What is one value throughout is left: it need not be in memory.

use terrace_diag::Reported;
use terrace_dialect_arith as arith;
use terrace_dialect_bufferization::ToTensor;
use terrace_dialect_func as func;
use terrace_dialect_memref::{GetGlobal, Global};
use terrace_ir::attrs::DenseData;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Attr, AttrKind, Builder, Ir, OpId, Str, Traits, Type, TypeKind};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::{HashMap, HashSet};

/// Constant tensors of different elements become buffers of the module
///
/// Of functions directly in a module or the like. Equal constants share a buffer; constants of one value throughout stay.
#[pass("tensor-constants-to-globals", scope = tree, stats("buffers made"))]
pub struct TensorConstantsToGlobals;

impl Pass for TensorConstantsToGlobals {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let (mut count, mut changed) = (0, false);
        // Units with functions in them, with a list: they nest.
        let mut pending: Vec<&mut Ir> = vec![unit];
        while let Some(table) = pending.pop() {
            if table.has(table.root(), Traits::SymbolTable) {
                count += outline_all(table, &mut changed);
            }
            pending.extend(table.children_mut());
        }
        cx.count("buffers made", count);
        cx.set_changed(changed);
        Ok(())
    }
}

fn outline_all(table: &mut Ir, changed: &mut bool) -> u64 {
    let is_func = |child: &Ir| func::Func::cast(child, child.root()).is_some();
    let slots: Vec<OpId> = table.walk().filter(|op| table.child(*op).is_some_and(is_func)).collect();
    let mut known: HashMap<Attr, Str> = HashMap::default();
    let mut taken: HashSet<Str> = table.walk().filter_map(|op| symbol_name(table, op)).collect();
    let mut count = 0;
    for slot in slots {
        let Some(mut function) = table.take_child(slot) else { continue };
        let cx = function.cx_arc().clone();
        let owner = symbol_name(&function, function.root()).map_or("", |name| cx.str(name)).to_string();
        for (op, value, ty) in constants(&function) {
            let name = match known.get(&value) {
                Some(name) => *name,
                None => {
                    let wanted = format!("{owner}_constant");
                    let mut names =
                        std::iter::once(wanted.clone()).chain((0..).map(|n| format!("{wanted}_{n}")));
                    let Some(name) = names.find(|name| taken.insert(cx.intern(name))) else { continue };
                    let loc = function.loc(op);
                    let mut b = Builder::before(table, slot);
                    b.set_loc(loc);
                    let made = Global::build(&mut b, cx.str_attr(&name), cx.type_attr(ty));
                    made.set_sym_visibility(table, Some(cx.str_attr("private")));
                    made.set_initial_value(table, Some(value));
                    made.set_constant(table, Some(cx.common().unit));
                    count += 1;
                    let name = cx.intern(&name);
                    known.insert(value, name);
                    name
                }
            };
            let (old, loc) = (function.result(op, 0), function.loc(op));
            let result = function.ty(old);
            let mut b = Builder::before(&mut function, op);
            b.set_loc(loc);
            let memory = GetGlobal::build(&mut b, cx.symbol_attr(cx.str(name)), ty).result(b.read());
            let read = ToTensor::build(&mut b, memory, result);
            read.set_restrict(&mut function, Some(cx.common().unit));
            let new = read.result(&function);
            function.replace_all_uses(old, new);
            function.erase(op);
            *changed = true;
        }
        table.put_child(slot, function);
    }
    count
}

/// Constants of different elements: op, elements, and type of their buffer
fn constants(ir: &Ir) -> Vec<(OpId, Attr, Type)> {
    let cx = ir.cx();
    let constant = |op: OpId| {
        let value = arith::Constant::cast(ir, op)?.value(ir);
        let AttrKind::Dense { ty, data } = value.kind(cx) else { return None };
        let TypeKind::Tensor { shape, elem, .. } = ty.kind(cx) else { return None };
        let several = matches!(data, DenseData::Raw(_));
        several.then(|| (op, value, cx.memref(shape, *elem)))
    };
    ir.walk().filter_map(constant).collect()
}
