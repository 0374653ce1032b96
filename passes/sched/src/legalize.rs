//! `sched-legalize`: everything that a schedule leaves to its reader is made explicit, inside of `sched`.
//!
//! Tasks that merge into memory get partial buffers (`partials`). Copies become loops over their domain. A variable `by vector n` becomes a loop of vectors and one of lanes; where
//! nothing is stated, the last variable that is contiguous on both sides is vectorised, if its size is a multiple of a width. Panels with groups of a few
//! elements innermost are vectorised along what is contiguous in the source, a group's elements side by side.
//! Short loops over elements of registers are unrolled. Collective copies (`per block`) stay: `sched-to-scf` spreads them over threads.

use terrace_diag::Reported;
use terrace_dialect_sched::access::{Access, Dims};
use terrace_dialect_sched::{
    Bound, By, Copy, For, Kernel, Level, LoopSpec, NONTEMPORAL, Operator, Read, Write, check, codes, open,
    operator,
};
use terrace_dialect_sched::{Space, space};
use terrace_ir::{Builder, Ir, Name, Type, Value, ValueDef};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_schedule_model::nest::MOST_COPIES;
use terrace_support::affine::{AffineExpr, AffineMap};

/// Make explicit what a schedule leaves open: partial buffers of tasks, loops of copies
///
/// Stays inside of the dialect. A nest that breaks a rule of the dialect is refused. Tasks that merge into one buffer (`pw`, `via partials` or nothing said) get a part of a new
/// buffer for each iteration; the parts are merged in the order of iterations after the join. A copy becomes loops over its domain that read and write one element each; `vector n`
/// makes a loop of vectors and one of lanes, with a limit where n does not divide. Short loops over registers become copies
/// of their bodies. Copies that threads of a block run together stay.
#[pass("sched-legalize", stats("buffers split", "copies expanded", "loops unrolled"))]
pub struct SchedLegalize;

/// Most numbers of a copy that are written out one by one; those of a thread of a kernel, and of a processor's vectors
const MOST_REGISTERS: [i64; 2] = [256, 4096];

/// Vector length in bytes where a copy leaves it open
const VECTOR_BYTES: i64 = 64;

impl Pass for SchedLegalize {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        if let Some(field) = open::undecided(unit, false) {
            return cx.fail(unit, field.op, &codes::DECISION, field.message);
        }
        // What follows relies on the rules, and schedules of users come here without a verifier's run between the passes.
        if let Some(error) = check::first_wrong(unit, cx.symbols, cx.scope) {
            return Err(cx.emit(error));
        }
        let declared = operator::all_declared(unit, cx.symbols, cx.scope);
        let split = crate::partials::split(unit, &|ir, f, ty| match f {
            Operator::Builtin(builtin) => builtin.identity(ir.cx(), ty),
            Operator::Function(name) => declared.get(name).and_then(|algebra| algebra.neutral(ir.cx(), 0)),
        });
        let copies: Vec<Copy> = unit.walk().filter_map(|op| Copy::cast(unit, op)).collect();
        let mut expanded = 0;
        for copy in copies {
            if copy.owner(unit).is_none() && !copy.is_linear(unit) {
                expand(unit, copy);
                expanded += 1;
            }
        }
        let unrolled = unroll_registers(unit);
        cx.count("copies expanded", expanded);
        cx.count("loops unrolled", unrolled);
        cx.count("buffers split", split);
        cx.set_changed(expanded + unrolled + split > 0);
        Ok(())
    }
}

/// Registers have no addresses: short sequential loops whose variables say which one become copies of their bodies
fn unroll_registers(ir: &mut Ir) -> u64 {
    let mut found: Vec<For> = Vec::new();
    for op in ir.walk() {
        let (memory, at) = match (Read::cast(ir, op), Write::cast(ir, op)) {
            (Some(read), _) => (read.memref(ir), read.access(ir)),
            (_, Some(write)) => (write.memref(ir), write.access(ir)),
            _ => continue,
        };
        if space::of(ir.cx(), ir.ty(memory)) != Space::Private {
            continue;
        }
        for (n, value) in at.values.iter().enumerate() {
            let used = at.map.results.iter().any(|expr| expr.uses_dim(n as u32));
            let owner = match ir.value_def(*value) {
                Some(ValueDef::Arg(block, 0)) if used => ir.block_parent(block),
                _ => None,
            };
            let Some(info) = owner.and_then(|owner| For::cast(ir, owner)?.info(ir)) else { continue };
            if info.level == Level::Seq
                && (2..=MOST_COPIES).contains(&info.trip())
                && !found.contains(&info.op)
            {
                found.push(info.op);
            }
        }
    }
    let unroll = ir.cx().str_attr(&Level::Unroll.to_string());
    for each in &found {
        each.set_level(ir, Some(unroll));
    }
    found.len() as u64
}

/// Make a copy loops
pub fn expand(ir: &mut Ir, copy: Copy) {
    let sizes = copy.sizes(ir);
    let mut by = copy.by_levels(ir);
    let mut group = None;
    if by.len() != sizes.len() {
        by = choose(ir, copy, &sizes);
        if let Some(found) = Group::of(ir, copy, &sizes) {
            by[found.columns] = By::Vector(found.width);
            group = Some(found.dim);
        }
    }
    let loc = ir.loc(copy.0);
    let mut sums: Vec<Vec<Value>> = vec![Vec::new(); sizes.len()];
    let mut at = terrace_ir::InsertPoint::Before(copy.0);
    // Lanes go innermost, in whichever variable they are.
    let mut loops: Vec<(usize, LoopSpec)> = Vec::new();
    let mut lanes = None;
    let registers = fits_registers(ir, copy, &sizes);
    for (n, (size, by)) in sizes.iter().zip(&by).enumerate().filter(|(n, _)| group != Some(*n)) {
        let spec =
            |extent: i64, tile: i64, level: Level| LoopSpec { extent, tile, level, ..LoopSpec::default() };
        match by {
            By::Level(level) => loops.push((n, spec(*size, 1, *level))),
            By::Vector(width) => {
                let width = (*width).min((*size).max(1));
                let level = if registers { Level::Unroll } else { Level::Seq };
                loops.push((n, spec(*size, width, level)));
                lanes = Some((n, spec(width, 1, Level::Vector), *size % width != 0));
            }
        }
    }
    let tail = lanes.as_ref().is_some_and(|(_, _, tail)| *tail);
    if group.is_some() {
        // Vectors of a row follow each other.
        loops.sort_by_key(|(n, _)| matches!(by[*n], By::Vector(_)));
    }
    loops.extend(lanes.map(|(n, spec, _)| (n, spec)));
    let names = names(ir, copy);
    let last = loops.len();
    for (position, (n, mut spec)) in loops.into_iter().enumerate() {
        if tail && position + 1 == last {
            // The last vector is cut off where the variable ends.
            let mut dims = Dims::default();
            let outer = dims.sum(&sums[n]);
            let left = AffineExpr::sub(AffineExpr::Constant(sizes[n]), outer);
            spec.limit = dims.access(vec![left]).map(|at| Bound { map: at.map, values: at.values });
        }
        let mut b = builder(ir, at, loc);
        let made = spec.build(&mut b);
        let Some(entry) = ir.entry(made.body(ir)) else { return };
        let iv = ir.block_args(entry)[0];
        if let Some(name) = names.get(n) {
            let name = Name::Str(ir.cx().intern(name));
            ir.set_value_name(iv, name);
        }
        sums[n].push(iv);
        let end = ir.last_op(entry).expect("a body without results has its yield");
        at = terrace_ir::InsertPoint::Before(end);
    }
    let elements: Vec<Domain<'_>> = match group {
        Some(dim) => (0..sizes[dim]).map(|n| Domain { sums: &sums, fixed: Some((dim, n)) }).collect(),
        None => vec![Domain { sums: &sums, fixed: None }],
    };
    // All of a group are read before the first is written.
    let values: Vec<Option<Value>> =
        elements.iter().map(|element| read(ir, copy, element, at, loc)).collect();
    for (element, value) in elements.iter().zip(values) {
        if let Some(value) = value {
            write(ir, copy, element, value, at, loc);
        }
    }
    ir.erase(copy.0);
}

fn builder(ir: &mut Ir, at: terrace_ir::InsertPoint, loc: terrace_ir::Loc) -> Builder<'_> {
    let mut b = match at {
        terrace_ir::InsertPoint::Before(op) => Builder::before(ir, op),
        terrace_ir::InsertPoint::End(block) => Builder::at_end(ir, block),
    };
    b.set_loc(loc);
    b
}

/// Names of the domain's variables
fn names(ir: &Ir, copy: Copy) -> Vec<String> {
    let all = copy.names(ir).and_then(|attr| attr.as_array(ir.cx())).unwrap_or(&[]);
    all.iter().filter_map(|name| name.as_str(ir.cx())).map(String::from).collect()
}

/// The variables of a copy's domain at an element
struct Domain<'a> {
    /// Each is the sum of its loops' variables
    sums: &'a [Vec<Value>],
    /// One that has no loop, and its value
    fixed: Option<(usize, i64)>,
}

impl Domain<'_> {
    /// A copy's map at the element
    fn access(&self, of: &Access) -> Option<Access> {
        let mut dims = Dims::default();
        let mut leaves: Vec<AffineExpr> = self.sums.iter().map(|sum| dims.sum(sum)).collect();
        if let Some((n, value)) = self.fixed {
            leaves[n] = AffineExpr::Constant(value);
        }
        leaves.extend(of.values.iter().map(|value| dims.value(*value)));
        let results =
            of.map.results.iter().map(|expr| expr.replace(&leaves, &[])).collect::<Option<Vec<_>>>()?;
        dims.access(results)
    }
}

/// The read of an element, if the copy is not of one value
fn read(
    ir: &mut Ir,
    copy: Copy,
    element: &Domain<'_>,
    at: terrace_ir::InsertPoint,
    loc: terrace_ir::Loc,
) -> Option<Value> {
    let (src, padding) = (copy.src(ir), copy.padding(ir));
    let Some(from) = copy.from(ir) else { return Some(src) };
    let from = element.access(&from)?;
    let mut b = builder(ir, at, loc);
    let read = Read::make(&mut b, src, &from, padding);
    Some(read.result(ir))
}

/// The write of an element
fn write(
    ir: &mut Ir,
    copy: Copy,
    element: &Domain<'_>,
    value: Value,
    at: terrace_ir::InsertPoint,
    loc: terrace_ir::Loc,
) {
    let (dst, clip, operator) = (copy.dst(ir), copy.clip(ir), copy.operator(ir));
    let Some(to) = element.access(&copy.to(ir)) else { return };
    let mut b = builder(ir, at, loc);
    let write = Write::make(&mut b, value, dst, &to, operator.as_ref());
    write.set_clip(ir, clip);
    let past = ir.discardable(copy.0, NONTEMPORAL);
    ir.set_discardable(write.0, NONTEMPORAL, past);
}

/// A copy into a panel `[…, column, n]` of groups of a few elements that come from rows of their own: lanes along columns, all of a
/// group at once
struct Group {
    /// The domain's variable of a group's elements
    dim: usize,
    /// The variable of columns
    columns: usize,
    width: i64,
}

impl Group {
    fn of(ir: &Ir, copy: Copy, sizes: &[i64]) -> Option<Group> {
        let (to, from) = (copy.to(ir), copy.from(ir)?);
        let [.., outer, inner] = &to.map.results[..] else { return None };
        let variable = |expr: &AffineExpr| (0..sizes.len()).find(|n| *expr == AffineExpr::Dim(*n as u32));
        let (columns, dim) = (variable(outer)?, variable(inner)?);
        let uses = |expr: &AffineExpr, n: usize| expr.uses_dim(n as u32);
        let twice = to.map.results.iter().filter(|expr| uses(expr, columns) || uses(expr, dim)).count() > 2;
        let cx = ir.cx();
        let ty = ir.ty(copy.dst(ir));
        let whole = ty.shape(cx).is_some_and(|shape| shape.last() == Some(&sizes[dim]));
        let moves = |n: usize| from.map.results.last().is_some_and(|last| uses(last, n));
        let plain = copy.operator(ir).is_none() && copy.clip(ir).is_none();
        let fits = matches!(sizes[dim], 2 | 4) && whole && !twice && columns != dim;
        if !fits
            || !plain
            || moves(dim)
            || !contiguous(&from.map, columns)
            || in_kernel(ir, copy)
            || in_registers(ir, copy)
        {
            return None;
        }
        let bytes = i64::from(ty.scalar(cx).bit_width(cx)?.div_ceil(8)).max(1);
        let mut width = VECTOR_BYTES / bytes;
        while width > 1 && sizes[columns] % width != 0 {
            width /= 2;
        }
        (width >= sizes[dim]).then_some(Group { dim, columns, width })
    }
}

/// Is one side in registers? These have no addresses: places must be constants.
fn in_registers(ir: &Ir, copy: Copy) -> bool {
    [copy.src(ir), copy.dst(ir)].iter().any(|side| space::of(ir.cx(), ir.ty(*side)) == Space::Private)
}

/// Inside of a kernel, where vectors need more alignment than is known
fn in_kernel(ir: &Ir, copy: Copy) -> bool {
    let mut around = ir.parent(copy.0);
    while let Some(op) = around {
        if Kernel::cast(ir, op).is_some() {
            return true;
        }
        around = ir.parent(op);
    }
    false
}

/// To or from registers, and not more than there are
fn fits_registers(ir: &Ir, copy: Copy, sizes: &[i64]) -> bool {
    let count = sizes.iter().fold(1i64, |count, size| count.saturating_mul(*size));
    in_registers(ir, copy) && count <= MOST_REGISTERS[usize::from(!in_kernel(ir, copy))]
}

/// Are neighbors along a variable neighbors in memory?
fn contiguous(map: &AffineMap, n: usize) -> bool {
    let Some((last, others)) = map.results.split_last() else { return false };
    let dim = n as u32;
    terrace_analysis::coefficient_of(last, dim) == Some(1) && others.iter().all(|expr| !expr.uses_dim(dim))
}

/// How the loops of a copy run where it does not say so
fn choose(ir: &Ir, copy: Copy, sizes: &[i64]) -> Vec<By> {
    let level = if fits_registers(ir, copy, sizes) { Level::Unroll } else { Level::Seq };
    let mut by = vec![By::Level(level); sizes.len()];
    let cx = ir.cx();
    let ty: Type = ir.ty(copy.dst(ir));
    let bytes = i64::from(ty.scalar(cx).bit_width(cx).unwrap_or(64).div_ceil(8)).max(1);
    let to = copy.to(ir);
    let from = copy.from(ir);
    for n in (0..sizes.len()).rev() {
        let both = contiguous(&to.map, n) && from.as_ref().is_none_or(|from| contiguous(&from.map, n));
        if !both {
            continue;
        }
        let mut width = if in_kernel(ir, copy) { 1 } else { VECTOR_BYTES / bytes };
        while width > 1 && sizes[n] % width != 0 {
            width /= 2;
        }
        if width > 1 {
            by[n] = By::Vector(width);
        }
        break;
    }
    by
}
