//! Numbers in place of sizes that types leave open (`tensor<?x?xf32>`, `memref<?x?xf32>`).
//!
//! Who calls the function promises the sizes of arguments. From these follow others: structured ops have one number of turns per
//! iterator, `tensor.dim` and arithmetic on it give sizes to `tensor.empty` and `memref.alloc`, results are as large as
//! outputs. What an op here does not know keeps its type, by a cast in front of it.
//!
//! **Invariant.** Types only get more exact; two ops that need different sizes are an error at the second one, and nothing has
//! changed then.

use crate::codes;
use terrace_diag::Reported;
use terrace_dialect_arith as arith;
use terrace_dialect_func::Func;
use terrace_dialect_linalg::{Form, form::is_structured};
use terrace_dialect_memref as memref;
use terrace_dialect_tensor as tensor;
use terrace_ir::{AttrKind, Builder, DYNAMIC, Ir, OpId, Type, TypeKind, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::HashMap;
use terrace_support::affine::AffineExpr;

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

/// Ops that are computations only with numbers for sizes
pub fn needs_sizes(name: &str) -> bool {
    is_structured(name) || SLICES.iter().any(|(other, ..)| *other == name)
}

/// Ops with lists of numbers some of which are operands: the lists, and the field of operands of the first one
const SLICES: [(&str, &[&str], usize); 3] = [
    ("tensor.extract_slice", &["static_offsets", "static_sizes", "static_strides"], 1),
    ("tensor.insert_slice", &["static_offsets", "static_sizes", "static_strides"], 2),
    ("tensor.pad", &["static_low", "static_high"], 1),
];

impl Pass for BindSizes {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let root = unit.root();
        let mut all = Vec::new();
        // Sizes that casts and constants say are wanted where sizes must be numbers.
        if self.sizes.is_empty() && !unit.walk().any(|op| needs_sizes(unit.op_name(op))) {
            return Ok(());
        }
        for item in &self.sizes {
            match given(unit, item) {
                Ok(Some(one)) => all.push(one),
                // Another function's.
                Ok(None) => {}
                Err(why) => return cx.fail(unit, root, &codes::SIZES, why),
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

/// `A=4x?`: which argument, which sizes; nothing if the function has no such argument
fn given(ir: &Ir, item: &str) -> Result<Option<(Value, Vec<i64>)>, String> {
    let wrong =
        || format!("SIZE: option `sizes` takes arguments and sizes, as in A=1024x512,n=16, not `{item}`");
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
    let mut facts = Facts { ir, shapes: HashMap::default(), numbers: HashMap::default(), news: false };
    for (arg, sizes) in given {
        if ir.ty(*arg).shape(ir.cx()).is_some() {
            facts.learn(root, *arg, sizes)?;
        } else if let [number] = sizes.as_slice() {
            facts.number(*arg, *number);
        }
    }
    let ops: Vec<OpId> = ir.walk_below(root).collect();
    facts.news = true;
    while facts.news {
        facts.news = false;
        for op in &ops {
            facts.op(*op)?;
        }
    }
    let Facts { shapes, numbers, .. } = facts;
    let mut count = 0;
    for op in &ops {
        let open = |value: Value| {
            let known = shapes.get(&value).map(Vec::as_slice);
            known.or(ir.ty(value).shape(ir.cx())).is_some_and(|shape| shape.contains(&DYNAMIC))
        };
        // A type that stays open says less than numbers would.
        if !ir.results(*op).any(open) {
            fix(ir, *op, &numbers);
        }
    }
    let mut retype = |ir: &mut Ir, value: Value| {
        let Some(shape) = shapes.get(&value) else { return };
        let (old, new) = (ir.ty(value), exact(ir, ir.ty(value), shape));
        if old == new {
            return;
        }
        for usage in ir.uses(value).collect::<Vec<_>>() {
            if !takes(ir, usage.0) {
                soften(ir, usage.0, value, old);
            }
        }
        ir.set_type(value, new);
        count += 1;
    };
    for arg in ir.block_args(entry).to_vec() {
        retype(ir, arg);
    }
    for op in ops {
        if !gives(ir, op) {
            continue;
        }
        for value in ir.results(op).collect::<Vec<Value>>() {
            let before = ir.ty(value);
            retype(ir, value);
            drop_operands(ir, op, before, value);
        }
        if let Some(number) = ir.results(op).next().and_then(|value| numbers.get(&value))
            && matches!(ir.op_name(op), "tensor.dim" | "memref.dim")
        {
            let attr = ir.cx().index_attr(*number);
            let mut b = Builder::before(ir, op);
            let made = arith::Constant::build(&mut b, attr).result(b.read());
            let old = ir.result(op, 0);
            if let Some(name) = ir.value_name(old) {
                let name = terrace_ir::Name::Str(ir.cx().intern(name));
                ir.set_value_name(made, name);
            }
            ir.replace_all_uses(old, made);
            ir.erase(op);
        }
    }
    for (arg, sizes) in given {
        if let ([number], None) = (sizes.as_slice(), ir.ty(*arg).shape(ir.cx()))
            && ir.ty(*arg).is_index(ir.cx())
            && *number != DYNAMIC
            && ir.is_used(*arg)
        {
            let attr = ir.cx().index_attr(*number);
            let made = match ir.first_op(entry) {
                Some(first) => {
                    let mut b = Builder::before(ir, first);
                    arith::Constant::build(&mut b, attr).result(b.read())
                }
                None => continue,
            };
            ir.replace_all_uses(*arg, made);
        }
    }
    let inputs: Vec<Type> = ir.block_args(entry).iter().map(|arg| ir.ty(*arg)).collect();
    let end = ir.last_op(entry).filter(|op| ir.op_name(*op) == "func.return");
    let results: Vec<Type> = match end {
        Some(end) => ir.operands(end).map(|value| ir.ty(value)).collect(),
        None => func.types(ir).1.to_vec(),
    };
    let ty = ir.cx().type_attr(ir.cx().function(&inputs, &results));
    func.set_function_type(ir, ty);
    Ok(count)
}

/// The type with these sizes
fn exact(ir: &Ir, ty: Type, shape: &[i64]) -> Type {
    let cx = ir.cx();
    match ty.kind(cx) {
        TypeKind::Tensor { elem, encoding, .. } => {
            cx.ty(TypeKind::Tensor { shape: shape.into(), elem: *elem, encoding: *encoding })
        }
        TypeKind::MemRef { elem, layout, space, .. } => {
            cx.ty(TypeKind::MemRef { shape: shape.into(), elem: *elem, layout: *layout, space: *space })
        }
        _ => ty,
    }
}

/// Numbers that are known are operands no more
fn fix(ir: &mut Ir, op: OpId, numbers: &HashMap<Value, i64>) {
    let Some((_, lists, first)) = SLICES.iter().find(|(name, ..)| *name == ir.op_name(op)) else { return };
    let mut operands: Vec<Value> = (0..*first).flat_map(|n| ir.operand_field(op, n)).collect();
    let mut segments = vec![1; *first];
    for (n, name) in lists.iter().enumerate() {
        let mut given = ir.operand_field(op, first + n).into_iter();
        let mut list = list_of(ir, op, name);
        let mut left = 0;
        for number in list.iter_mut().filter(|number| **number == DYNAMIC) {
            let Some(value) = given.next() else { return };
            match numbers.get(&value) {
                Some(known) => *number = *known,
                None => {
                    operands.push(value);
                    left += 1;
                }
            }
        }
        segments.push(left);
        let elem = ir.cx().common().i64;
        let attr = ir.cx().attr(AttrKind::DenseArray { elem, values: list.into() });
        ir.set_attr(op, name, Some(attr));
    }
    ir.set_operands(op, &operands, &segments);
}

fn list_of(ir: &Ir, op: OpId, name: &str) -> Vec<i64> {
    match ir.attr(op, name).map(|attr| attr.kind(ir.cx())) {
        Some(AttrKind::DenseArray { values, .. }) => values.to_vec(),
        _ => Vec::new(),
    }
}

/// Ops whose operands may have more exact types than before
fn takes(ir: &Ir, op: OpId) -> bool {
    let name = ir.op_name(op);
    let structured = is_structured(name) || name == "func.return" && ir.parent(op) == Some(ir.root());
    let known = [
        "bufferization.materialize_in_destination",
        "bufferization.to_tensor",
        "memref.cast",
        "memref.copy",
        "memref.dealloc",
        "memref.dim",
        "memref.load",
        "memref.store",
        "tensor.cast",
        "tensor.dim",
        "tensor.extract",
        "tensor.extract_slice",
        "tensor.insert_slice",
        "tensor.pad",
    ];
    structured || known.contains(&name)
}

/// Ops whose results may have more exact types than before
fn gives(ir: &Ir, op: OpId) -> bool {
    let name = ir.op_name(op);
    let known = [
        "bufferization.to_tensor",
        "memref.alloc",
        "memref.alloca",
        "memref.cast",
        "memref.dim",
        "tensor.cast",
        "tensor.dim",
        "tensor.empty",
        "tensor.extract_slice",
        "tensor.insert_slice",
        "tensor.pad",
    ];
    is_structured(name) || known.contains(&name)
}

/// A user sees the value with its old type
fn soften(ir: &mut Ir, user: OpId, value: Value, old: Type) {
    let mut b = Builder::before(ir, user);
    let cast = match matches!(old.kind(b.cx()), TypeKind::MemRef { .. }) {
        true => memref::Cast::build(&mut b, value, old).id(),
        false => tensor::Cast::build(&mut b, value, old).id(),
    };
    let cast = ir.result(cast, 0);
    for n in 0..ir.operands(user).count() {
        if ir.operand(user, n) == value {
            ir.set_operand(user, n, cast);
        }
    }
}

/// Sizes that the type says now are no operands any more
fn drop_operands(ir: &mut Ir, op: OpId, before: Type, value: Value) {
    if !matches!(ir.op_name(op), "tensor.empty" | "memref.alloc" | "memref.alloca") || before == ir.ty(value)
    {
        return;
    }
    let (sizes, rest) = match ir.op_name(op) {
        "tensor.empty" => (ir.operands(op).collect::<Vec<Value>>(), Vec::new()),
        _ => (ir.operand_field(op, 0), ir.operand_field(op, 1)),
    };
    let mut sizes = sizes.into_iter();
    let (old, new) = (before.shape(ir.cx()).unwrap_or(&[]), ir.ty(value).shape(ir.cx()).unwrap_or(&[]));
    let mut left = Vec::new();
    for (_, new) in old.iter().zip(new).filter(|(old, _)| **old == DYNAMIC) {
        let size = sizes.next();
        left.extend(size.filter(|_| *new == DYNAMIC));
    }
    let segments: Vec<u32> = match ir.def(op).operand_segments() {
        true => vec![left.len() as u32, rest.len() as u32],
        false => Vec::new(),
    };
    left.extend(rest);
    ir.set_operands(op, &left, &segments);
}

/// What is known of values
struct Facts<'a> {
    ir: &'a Ir,
    shapes: HashMap<Value, Vec<i64>>,
    numbers: HashMap<Value, i64>,
    news: bool,
}

impl Facts<'_> {
    fn shape(&self, value: Value) -> Option<Vec<i64>> {
        let own = || self.ir.ty(value).shape(self.ir.cx()).map(<[i64]>::to_vec);
        self.shapes.get(&value).cloned().or_else(own)
    }

    fn number(&mut self, value: Value, number: i64) {
        if number != DYNAMIC && self.numbers.insert(value, number).is_none() {
            self.news = true;
        }
    }

    /// A value has these sizes, as far as they are known
    fn learn(&mut self, op: OpId, value: Value, sizes: &[i64]) -> Done<()> {
        let Some(mut known) = self.shape(value) else { return Ok(()) };
        let name = self.ir.value_name(value).map_or("a value".into(), |name| format!("%{name}"));
        if known.len() != sizes.len() {
            return Err((op, format!("SIZE: {name} has {} dimensions, not {}", known.len(), sizes.len())));
        }
        let mut new = false;
        for (n, (known, size)) in known.iter_mut().zip(sizes).enumerate() {
            match (*known, *size) {
                (_, DYNAMIC) => {}
                (DYNAMIC, size) => {
                    *known = size;
                    new = true;
                }
                (a, b) if a == b => {}
                (a, b) => return Err((op, format!("SIZE: dimension {n} of {name} is {a}, and here {b}"))),
            }
        }
        if new {
            self.shapes.insert(value, known);
            self.news = true;
        }
        Ok(())
    }

    fn same(&mut self, op: OpId, a: Value, b: Value) -> Done<()> {
        if let (Some(from), Some(to)) = (self.shape(a), self.shape(b)) {
            self.learn(op, b, &from)?;
            self.learn(op, a, &to)?;
        }
        Ok(())
    }

    fn op(&mut self, op: OpId) -> Done<()> {
        let ir = self.ir;
        match ir.op_name(op) {
            "arith.constant" => {
                if let Some(number) = ir.attr(op, "value").and_then(|attr| attr.as_i64(ir.cx())) {
                    self.number(ir.result(op, 0), number);
                }
            }
            "tensor.dim" | "memref.dim" => {
                let n = self.numbers.get(&ir.operand(op, 1)).and_then(|n| usize::try_from(*n).ok());
                let shape = self.shape(ir.operand(op, 0));
                if let Some(size) = n.and_then(|n| shape?.get(n).copied()) {
                    self.number(ir.result(op, 0), size);
                }
            }
            "tensor.empty" | "memref.alloc" | "memref.alloca" => {
                let result = ir.result(op, 0);
                let sizes = match ir.op_name(op) {
                    "tensor.empty" => ir.operands(op).collect::<Vec<Value>>(),
                    _ => ir.operand_field(op, 0),
                };
                let mut sizes = sizes.into_iter();
                let shape: Vec<i64> = ir
                    .ty(result)
                    .shape(ir.cx())
                    .unwrap_or(&[])
                    .iter()
                    .map(|size| match *size {
                        DYNAMIC => sizes
                            .next()
                            .and_then(|value| self.numbers.get(&value).copied())
                            .unwrap_or(DYNAMIC),
                        size => size,
                    })
                    .collect();
                self.learn(op, result, &shape)?;
            }
            "tensor.cast" | "memref.cast" | "bufferization.to_tensor" => {
                self.same(op, ir.operand(op, 0), ir.result(op, 0))?;
            }
            "tensor.insert_slice" => self.same(op, ir.operand(op, 1), ir.result(op, 0))?,
            "tensor.extract_slice" => {
                let mut sizes = self.mixed(op, "static_sizes", 2);
                let result = ir.result(op, 0);
                let rank = ir.ty(result).shape(ir.cx()).map_or(0, <[i64]>::len);
                if rank != sizes.len() {
                    // A part may have fewer dimensions: not those of one place.
                    let literal = list_of(ir, op, "static_sizes");
                    sizes =
                        sizes.iter().zip(literal).filter(|(_, size)| *size != 1).map(|(n, _)| *n).collect();
                }
                if rank == sizes.len() {
                    self.learn(op, result, &sizes)?;
                }
            }
            "tensor.pad" => {
                let (low, high) = (self.mixed(op, "static_low", 1), self.mixed(op, "static_high", 2));
                let inner = self.shape(ir.operand(op, 0)).unwrap_or_default();
                let sizes = inner.iter().zip(low).zip(high).map(|((size, low), high)| {
                    match [*size, low, high].contains(&DYNAMIC) {
                        true => DYNAMIC,
                        false => size.saturating_add(low).saturating_add(high),
                    }
                });
                self.learn(op, ir.result(op, 0), &sizes.collect::<Vec<i64>>())?;
            }
            "bufferization.materialize_in_destination" | "memref.copy" => {
                self.same(op, ir.operand(op, 0), ir.operand(op, 1))?;
            }
            name if is_structured(name) => self.structured(op)?,
            name => {
                if let Some(number) = self.arithmetic(op, name) {
                    self.number(ir.result(op, 0), number);
                }
            }
        }
        Ok(())
    }

    /// A list of numbers some of which are operands
    fn mixed(&self, op: OpId, name: &str, field: usize) -> Vec<i64> {
        let mut given = self.ir.operand_field(op, field).into_iter();
        let number = |n: i64| match n {
            DYNAMIC => given.next().and_then(|value| self.numbers.get(&value).copied()).unwrap_or(DYNAMIC),
            n => n,
        };
        list_of(self.ir, op, name).into_iter().map(number).collect()
    }

    fn arithmetic(&self, op: OpId, name: &str) -> Option<i64> {
        let number = |n: usize| self.numbers.get(&self.ir.operand(op, n)).copied();
        if !name.starts_with("arith.") || self.ir.operands(op).count() != 2 {
            return if name == "arith.index_cast" { number(0) } else { None };
        }
        let (a, b) = (number(0)?, number(1)?);
        match name {
            "arith.addi" => a.checked_add(b),
            "arith.subi" => a.checked_sub(b),
            "arith.muli" => a.checked_mul(b),
            "arith.divui" | "arith.divsi" | "arith.floordivsi" if a >= 0 && b > 0 => Some(a / b),
            "arith.ceildivui" | "arith.ceildivsi" if a >= 0 && b > 0 => Some((a / b) + i64::from(a % b != 0)),
            "arith.remui" | "arith.remsi" if a >= 0 && b > 0 => Some(a % b),
            "arith.minsi" => Some(a.min(b)),
            "arith.maxsi" => Some(a.max(b)),
            _ => None,
        }
    }

    /// One number of turns per iterator; results are as large as outputs
    fn structured(&mut self, op: OpId) -> Done<()> {
        let ir = self.ir;
        let Ok(form) = Form::of(ir, op) else { return Ok(()) };
        let mut turns = vec![DYNAMIC; form.reduces.len()];
        for (value, map) in &form.operands {
            let Some(shape) = self.shape(*value) else { continue };
            for (e, size) in map.results.iter().zip(shape) {
                if let AffineExpr::Dim(n) = e
                    && let Some(slot) = turns.get_mut(*n as usize).filter(|slot| **slot == DYNAMIC)
                {
                    *slot = size;
                }
            }
        }
        for (value, map) in &form.operands {
            if self.shape(*value).is_none() {
                continue;
            }
            let sizes: Vec<i64> = map
                .results
                .iter()
                .map(|e| match e {
                    AffineExpr::Dim(n) => turns.get(*n as usize).copied().unwrap_or(DYNAMIC),
                    _ => DYNAMIC,
                })
                .collect();
            self.learn(op, *value, &sizes)?;
        }
        for (result, (out, _)) in ir.results(op).zip(form.outs()) {
            self.same(op, *out, result)?;
        }
        Ok(())
    }
}
