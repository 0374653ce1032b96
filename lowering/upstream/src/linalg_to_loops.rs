//! Structured ops on memory as loops over their points: loads, the body, stores.
//!
//! ```mlir
//! linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x5xf32>) outs(%c : memref<4x5xf32>)
//! // becomes
//! scf.for %i … { scf.for %j … { scf.for %k … {
//!   %x = memref.load %a[%i, %k]   %y = memref.load %b[%k, %j]   %z = memref.load %c[%i, %j]
//!   %p = arith.mulf %x, %y        %s = arith.addf %z, %p        memref.store %s, %c[%i, %j]
//! } } }
//! ```
//!
//! Extents come from the first dimension of an operand that a loop alone indexes. An op on tensors stays, as does one of
//! whose loops one has no such dimension.

mod nest;

use nest::{Kind, Nest};
use terrace_diag::Reported;
use terrace_dialect_affine as affine;
use terrace_dialect_linalg::form::is_structured;
use terrace_dialect_linalg::{Form, Index, Yield};
use terrace_dialect_memref as memref;
use terrace_ir::{BlockId, Builder, Ir, OpId, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_rewrite::Greedy;
use terrace_rewrite::canonicalize::CanonicalRules;
use terrace_support::affine::{AffineExpr, AffineMap};

/// Structured ops on memory become `scf.for`
///
/// Named ops and `linalg.generic` alike. What is still on tensors stays.
#[pass("convert-linalg-to-loops", stats("ops converted"))]
pub struct ConvertLinalgToLoops;

/// Structured ops on memory become `affine.for`
///
/// As `convert-linalg-to-loops`, with affine loads and stores. An op whose sizes are no symbols stays.
#[pass("convert-linalg-to-affine-loops", stats("ops converted"))]
pub struct ConvertLinalgToAffineLoops;

/// Structured ops on memory become `scf.parallel`, and `scf.for` where they reduce
///
/// As `convert-linalg-to-loops`. Loops next to each other that reduce nothing are one parallel loop.
#[pass("convert-linalg-to-parallel-loops", stats("ops converted"))]
pub struct ConvertLinalgToParallelLoops;

impl Pass for ConvertLinalgToLoops {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        run(cx, unit, Kind::For)
    }
}

impl Pass for ConvertLinalgToAffineLoops {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        run(cx, unit, Kind::Affine)
    }
}

impl Pass for ConvertLinalgToParallelLoops {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        run(cx, unit, Kind::Parallel)
    }
}

fn run(cx: &mut PassCx<'_>, unit: &mut Ir, kind: Kind) -> Result<(), Reported> {
    let found: Vec<OpId> = unit.walk().filter(|op| is_structured(unit.def(*op))).collect();
    let converted = found.into_iter().filter_map(|op| convert(unit, op, kind)).count() as u64;
    // Sizes that are known, maps of what is constant, constants that are there already.
    let rules = [affine::Apply::DEF, memref::Dim::DEF].map(|def| def.interface::<CanonicalRules>());
    let rules = rules.into_iter().flatten().flat_map(|rules| (rules.0)()).copied();
    let folded = Greedy::new(unit.cx(), rules).run(unit);
    cx.count("ops converted", converted);
    cx.set_changed(converted > 0 || folded.changed);
    Ok(())
}

fn is_memory(ir: &Ir, value: Value) -> bool {
    matches!(ir.ty(value).kind(ir.cx()), terrace_ir::TypeKind::MemRef { .. })
}

/// Where the extent of each loop is found: an operand and its dimension
fn extents(ir: &Ir, form: &Form) -> Option<Vec<(Value, usize)>> {
    let mut found = vec![None; form.reduces.len()];
    for (value, map) in &form.operands {
        for (at, e) in map.results.iter().enumerate() {
            if let AffineExpr::Dim(n) = e
                && is_memory(ir, *value)
            {
                found.get_mut(*n as usize)?.get_or_insert((*value, at));
            }
        }
    }
    found.into_iter().collect()
}

/// All that a conversion needs to know, found before anything is changed
struct Plan {
    form: Form,
    extents: Vec<(Value, usize)>,
    body: BlockId,
    /// The last op of the body
    end: OpId,
    /// Ops of the body that ask for a loop's variable, and which
    indices: Vec<(Index, usize)>,
}

impl Plan {
    /// None if the op stays
    fn of(ir: &Ir, op: OpId, kind: Kind) -> Option<Plan> {
        let form = Form::of(ir, op).ok()?;
        let shaped =
            |value: Value| ir.ty(value).element(ir.cx()).is_some() && !ir.ty(value).is_vector_like(ir.cx());
        let on_memory = form.operands.iter().all(|(value, _)| is_memory(ir, *value) || !shaped(*value));
        let outputs = form.outs().iter().all(|(value, _)| is_memory(ir, *value));
        if ir.num_results(op) > 0 || !on_memory || !outputs {
            return None;
        }
        let extents = extents(ir, &form).filter(|extents| Nest::fits(ir, op, kind, extents))?;
        let body = ir.entry(ir.regions(op).next()?)?;
        let end = ir.last_op(body).filter(|end| Yield::cast(ir, *end).is_some())?;
        let own = ir.walk_below(op).filter_map(|inner| Index::cast(ir, inner));
        let indices = own.filter(|index| asks(ir, index.0) == Some(op)).map(|index| {
            let n = usize::try_from(index.dim(ir).as_i64(ir.cx())?).ok()?;
            (n < form.reduces.len()).then_some((index, n))
        });
        let indices = indices.collect::<Option<_>>()?;
        Some(Plan { form, extents, body, end, indices })
    }
}

/// The structured op whose variable an op inside of it asks for
fn asks(ir: &Ir, op: OpId) -> Option<OpId> {
    std::iter::successors(ir.parent(op), |around| ir.parent(*around)).find(|op| is_structured(ir.def(*op)))
}

fn convert(ir: &mut Ir, op: OpId, kind: Kind) -> Option<()> {
    let Plan { form, extents, body, end, indices } = Plan::of(ir, op, kind)?;
    let nest = Nest::before(ir, op, kind, &extents, &form.reduces);
    let args = ir.block_args(body).to_vec();
    for (arg, (value, map)) in args.iter().zip(&form.operands) {
        if !ir.is_used(*arg) {
            continue;
        }
        let new = if is_memory(ir, *value) { load(ir, &nest, kind, *value, map) } else { *value };
        ir.copy_value_name(*arg, new);
        ir.replace_all_uses(*arg, new);
    }
    for (index, n) in indices {
        ir.replace_all_uses(index.result(ir), nest.variables[n]);
        ir.erase(index.0);
    }
    let values: Vec<Value> = ir.operands(end).collect();
    ir.erase(end);
    for inner in ir.block_ops(body).collect::<Vec<_>>() {
        ir.detach(inner);
        nest.inside(ir).place(inner);
    }
    for (value, (to, map)) in values.into_iter().zip(form.outs()) {
        store(ir, &nest, kind, value, *to, map);
    }
    ir.erase(op);
    Some(())
}

fn load(ir: &mut Ir, nest: &Nest, kind: Kind, from: Value, map: &AffineMap) -> Value {
    let at = subscripts(&mut nest.inside(ir), &nest.variables, map);
    let mut b = nest.inside(ir);
    match kind {
        Kind::Affine => {
            let map = b.cx().map_attr(AffineMap::identity(at.len() as u32));
            affine::Load::build(&mut b, from, &at, map).result(b.read())
        }
        _ => memref::Load::build(&mut b, from, &at).result(b.read()),
    }
}

fn store(ir: &mut Ir, nest: &Nest, kind: Kind, value: Value, to: Value, map: &AffineMap) {
    let at = subscripts(&mut nest.inside(ir), &nest.variables, map);
    let mut b = nest.inside(ir);
    match kind {
        Kind::Affine => {
            let map = b.cx().map_attr(AffineMap::identity(at.len() as u32));
            affine::Store::build(&mut b, value, to, &at, map);
        }
        _ => {
            memref::Store::build(&mut b, value, to, &at);
        }
    }
}

/// What a map makes of the loops' variables
fn subscripts(b: &mut Builder<'_>, variables: &[Value], map: &AffineMap) -> Vec<Value> {
    let one = |e: &AffineExpr, b: &mut Builder<'_>| match e {
        AffineExpr::Dim(n) => variables[*n as usize],
        other => {
            let map = AffineMap { dims: map.dims, symbols: 0, results: vec![other.clone()] };
            let map = b.cx().map_attr(map);
            affine::Apply::build(b, variables, map).result(b.read())
        }
    };
    map.results.iter().map(|e| one(e, b)).collect()
}
