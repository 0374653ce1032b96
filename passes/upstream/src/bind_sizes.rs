//! Numbers in place of sizes that types leave open (`tensor<?x?xf32>`, `memref<?x?xf32>`).
//!
//! Who calls the function promises the sizes of arguments. From these follow others: structured ops have one trip count per
//! iterator, `tensor.dim` and arithmetic on it give sizes to `tensor.empty` and `memref.alloc`, results have the sizes of
//! outputs. What an op here does not know keeps its type, by a cast in front of it.
//!
//! **Invariant.** Types only get more exact; two ops that need different sizes are an error at the second one, and nothing has
//! changed then.

mod facts;
mod retype;

use crate::codes;
use facts::Facts;
use retype::Retype;
use std::fmt;
use terrace_diag::Reported;
use terrace_dialect_arith as arith;
use terrace_dialect_func::{Func, Return};
use terrace_dialect_linalg::form::is_structured;
use terrace_dialect_memref as memref;
use terrace_dialect_tensor as tensor;
use terrace_ir::{AttrKind, BlockId, Builder, DYNAMIC, Ir, OpDef, OpId, Type, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Numbers in place of sizes that types leave open
///
/// `sizes=A=4x6,n=16` says that the argument `A` has 4 × 6 elements (`?` leaves a size open), and that the number `n` is 16;
/// arguments without a name are `0`, `1`, …. Sizes of other values follow from these where structured ops, dimensions and
/// allocations say them.
///
/// ```mlir
/// func.func @f(%A: tensor<?x?xf32>, %b: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32>
/// // becomes, with sizes=A=4x6 and a linalg.matvec of these
/// func.func @f(%A: tensor<4x6xf32>, %b: tensor<6xf32>, %o: tensor<4xf32>) -> tensor<4xf32>
/// ```
#[pass("bind-sizes", anchor = "func.func", stats("types made exact"))]
pub struct BindSizes {
    /// arguments and sizes: A=1024x512,n=16
    #[option]
    sizes: Vec<String>,
}

type Done<T> = Result<T, (OpId, String)>;

/// Is it a computation only with numbers for sizes?
pub fn needs_sizes(ir: &Ir, op: OpId) -> bool {
    is_structured(ir.def(op)) || SLICES.iter().any(|(def, ..)| ir.is(op, def))
}

/// Ops with lists of numbers some of which are operands: the lists, and the field of operands of the first one
const SLICES: [(&OpDef, &[&str], usize); 3] = [
    (tensor::ExtractSlice::DEF, &["static_offsets", "static_sizes", "static_strides"], 1),
    (tensor::InsertSlice::DEF, &["static_offsets", "static_sizes", "static_strides"], 2),
    (tensor::Pad::DEF, &["static_low", "static_high"], 1),
];

/// Ops that give one size of an operand
const DIMS: [&OpDef; 2] = [tensor::Dim::DEF, memref::Dim::DEF];

/// Ops whose operands are the sizes that their result's type leaves open
const MAKERS: [&OpDef; 3] = [tensor::Empty::DEF, memref::Alloc::DEF, memref::Alloca::DEF];

impl Pass for BindSizes {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let root = unit.root();
        let mut all = Vec::new();
        // Sizes that casts and constants say are wanted where sizes must be numbers.
        if self.sizes.is_empty() && !unit.walk().any(|op| needs_sizes(unit, op)) {
            return Ok(());
        }
        for item in &self.sizes {
            match given(unit, item) {
                Ok(Some(one)) => all.push(one),
                // Another function's.
                Ok(None) => {}
                Err(bad) => return cx.fail(unit, root, &codes::SIZES, bad.to_string()),
            }
        }
        match bind(unit, &all) {
            Ok(count) => {
                cx.count("types made exact", count as u64);
                cx.set_changed(count > 0);
                Ok(())
            }
            Err((op, why)) => cx.fail(unit, op, &codes::SIZES, why),
        }
    }
}

/// An item of the option `sizes` that is no argument with sizes
#[derive(Debug)]
struct BadSize(String);

impl fmt::Display for BadSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let item = &self.0;
        write!(f, "SIZE: option `sizes` takes arguments and sizes, as in A=1024x512,n=16, not `{item}`")
    }
}

impl std::error::Error for BadSize {}

/// `A=4x?`: which argument, which sizes; nothing if the function has no such argument
fn given(ir: &Ir, item: &str) -> Result<Option<(Value, Vec<i64>)>, BadSize> {
    let wrong = || BadSize(item.to_string());
    let (name, sizes) = item.split_once('=').ok_or_else(wrong)?;
    let size = |text: &str| match text.trim() {
        "?" => Some(DYNAMIC),
        text => text.parse::<i64>().ok().filter(|size| *size >= 0),
    };
    let sizes: Option<Vec<i64>> = sizes.split('x').map(size).collect();
    let (name, sizes) = (name.trim().trim_start_matches('%'), sizes.ok_or_else(wrong)?);
    let Some(entry) = Func::cast(ir, ir.root()).and_then(|func| ir.entry(func.body(ir))) else {
        return Ok(None);
    };
    let args = ir.block_args(entry);
    let found = args.iter().copied().find(|arg| ir.value_name(*arg) == Some(name));
    let found = found.or_else(|| args.get(name.parse::<usize>().ok()?).copied());
    Ok(found.map(|arg| (arg, sizes)))
}

/// Put sizes of arguments in, with what follows from them; how many types changed. Nothing has changed on an error
pub fn bind(ir: &mut Ir, given: &[(Value, Vec<i64>)]) -> Done<usize> {
    let root = ir.root();
    let Some(func) = Func::cast(ir, root) else { return Ok(0) };
    let Some(entry) = ir.entry(func.body(ir)) else { return Ok(0) };
    let ops: Vec<OpId> = ir.walk_below(root).collect();
    let (shapes, numbers) = Facts::of(ir, given, &ops)?;
    let mut retype = Retype { shapes: &shapes, numbers: &numbers, count: 0 };
    for op in &ops {
        retype.fix(ir, *op);
    }
    for arg in ir.block_args(entry).to_vec() {
        retype.value(ir, arg);
    }
    for op in ops {
        retype.op(ir, op);
    }
    let count = retype.count;
    put_numbers(ir, entry, given);
    set_signature(ir, func, entry);
    Ok(count)
}

/// Arguments that are numbers become constants
fn put_numbers(ir: &mut Ir, entry: BlockId, given: &[(Value, Vec<i64>)]) {
    for (arg, sizes) in given {
        if let ([number], None) = (sizes.as_slice(), ir.ty(*arg).shape(ir.cx()))
            && ir.ty(*arg).is_index(ir.cx())
            && *number != DYNAMIC
            && ir.is_used(*arg)
            && let Some(first) = ir.first_op(entry)
        {
            let attr = ir.cx().index_attr(*number);
            let mut b = Builder::before(ir, first);
            let made = arith::Constant::build(&mut b, attr).result(b.read());
            ir.replace_all_uses(*arg, made);
        }
    }
}

/// The function has the types of its arguments and of what it returns
fn set_signature(ir: &mut Ir, func: Func, entry: BlockId) {
    let inputs: Vec<Type> = ir.block_args(entry).iter().map(|arg| ir.ty(*arg)).collect();
    let end = ir.last_op(entry).filter(|op| ir.is(*op, Return::DEF));
    let results: Vec<Type> = match end {
        Some(end) => ir.operands(end).map(|value| ir.ty(value)).collect(),
        None => func.types(ir).1.to_vec(),
    };
    let ty = ir.cx().type_attr(ir.cx().function(&inputs, &results));
    func.set_function_type(ir, ty);
}

fn list_of(ir: &Ir, op: OpId, name: &str) -> Vec<i64> {
    match ir.attr(op, name).map(|attr| attr.kind(ir.cx())) {
        Some(AttrKind::DenseArray { values, .. }) => values.to_vec(),
        _ => Vec::new(),
    }
}

/// The operands of an op of `MAKERS` that are sizes
fn sizes_of(ir: &Ir, op: OpId) -> Vec<Value> {
    match ir.is(op, tensor::Empty::DEF) {
        true => ir.operands(op).collect(),
        false => ir.operand_field(op, 0),
    }
}
