//! `sched-legalize`: everything that a schedule leaves to its reader is made explicit, inside of `sched`.
//!
//! Tasks that merge into memory get partial buffers (`partials`). Copies become loops over their domain. A variable `by vector n` becomes a loop of vectors and one of lanes; where
//! nothing is stated, the last variable that is contiguous on both sides is vectorised, if its size is a multiple of a width. Panels with groups of a few
//! elements innermost are vectorised along what is contiguous in the source, a group's elements side by side.
//! Short loops over elements of registers are unrolled. Collective copies (`per block`) stay: `sched-to-scf` spreads them over threads.

mod exchange;
mod inside;
mod merged;

use terrace_diag::Reported;
use terrace_dialect_sched::access::{Access, Dims};
use terrace_dialect_sched::{
    Bound, By, Copy, CopySpec, For, Kernel, Level, LoopSpec, NONTEMPORAL, Operator, Read, Write, check,
    codes, open, operator,
};
use terrace_dialect_sched::{Space, space};
use terrace_ir::{Builder, Ir, Name, Value, ValueDef};
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
    let whole = vec![[None, None]; sizes.len()];
    if copy.by_levels(ir).len() == sizes.len() {
        return loops(ir, copy, whole);
    }
    let apart = !in_kernel(ir, copy) && !in_registers(ir, copy) && Group::of(ir, copy, &sizes).is_none();
    if apart && let Some(merged) = merged::of(ir, copy, &sizes) {
        return expand(ir, merged);
    }
    if let Some(parts) = split(ir, copy, &sizes) {
        return parts.into_iter().for_each(|part| expand(ir, part));
    }
    let plain = Group::of(ir, copy, &sizes).is_none() && lanes(ir, copy, &sizes).is_none();
    let inside =
        inside::of(ir, copy, &sizes).filter(|_| plain && !in_kernel(ir, copy) && !in_registers(ir, copy));
    let (Some(inside), Some(padding)) = (inside, copy.padding(ir)) else { return loops(ir, copy, whole) };
    let loc = ir.loc(copy.0);
    let read = CopySpec { padding: None, ..CopySpec::of(ir, copy) };
    let by = vec![By::Level(Level::Seq); sizes.len()];
    let filled = CopySpec { src: padding, from: None, by, ..read.clone() };
    for part in inside::outside(&inside) {
        let outside = filled.build(&mut builder(ir, terrace_ir::InsertPoint::Before(copy.0), loc));
        loops(ir, outside, part);
    }
    let read = read.build(&mut builder(ir, terrace_ir::InsertPoint::Before(copy.0), loc));
    loops(ir, read, inside);
    ir.erase(copy.0);
}

/// Make a copy loops, which begin and end there
fn loops(ir: &mut Ir, copy: Copy, mut within: Vec<inside::Ends>) {
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
    if group.is_none()
        && let Some(innermost) = exchanged(ir, copy, &by, &within)
    {
        loops.sort_by_key(|(n, _)| innermost.iter().position(|inner| inner == n).map_or(0, |at| at + 1));
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
        let around = Domain { sums: &sums, fixed: None };
        let [from, limit] = std::mem::take(&mut within[n]).map(|end| {
            let at = around.access(&end?)?;
            Some(Bound { map: at.map, values: at.values })
        });
        (spec.from, spec.limit) = (from.or(spec.from), limit.or(spec.limit));
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
    pass_on(ir, copy, &elements, at, loc);
    ir.erase(copy.0);
}

/// Copy elements: all of a group are read before the first is written
fn pass_on(
    ir: &mut Ir,
    copy: Copy,
    elements: &[Domain<'_>],
    at: terrace_ir::InsertPoint,
    loc: terrace_ir::Loc,
) {
    let values: Vec<Option<Value>> =
        elements.iter().map(|element| read(ir, copy, element, at, loc)).collect();
    for (element, value) in elements.iter().zip(values) {
        if let Some(value) = value {
            write(ir, copy, element, value, at, loc);
        }
    }
}

/// The two variables whose loops stand innermost where a copy in memory exchanges rows and columns, outer one first
fn exchanged(ir: &Ir, copy: Copy, by: &[By], within: &[inside::Ends]) -> Option<[usize; 2]> {
    let in_sequence = by.iter().all(|by| matches!(by, By::Level(Level::Seq)));
    let plain = in_sequence && !in_kernel(ir, copy) && !in_registers(ir, copy);
    plain.then(|| exchange::of(ir, copy, &copy.sizes(ir), within)).flatten()
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

/// The variable along which a copy has lanes where it does not say so, and how many fill a vector
fn lanes(ir: &Ir, copy: Copy, sizes: &[i64]) -> Option<(usize, i64)> {
    let bytes = i64::from(ir.ty(copy.dst(ir)).scalar(ir.cx()).bit_width(ir.cx()).unwrap_or(64).div_ceil(8));
    let (to, from) = (copy.to(ir), copy.from(ir));
    let both =
        |n: &usize| contiguous(&to.map, *n) && from.as_ref().is_none_or(|from| contiguous(&from.map, *n));
    let width = if in_kernel(ir, copy) { 1 } else { VECTOR_BYTES / bytes.max(1) };
    (0..sizes.len()).rev().find(both).map(|n| (n, width.max(1)))
}

/// Most lanes that divide a size
fn dividing(width: i64, size: i64) -> i64 {
    let mut lanes = width;
    while lanes > 1 && size % lanes != 0 {
        lanes /= 2;
    }
    lanes
}

/// How the loops of a copy run where it does not say so
fn choose(ir: &Ir, copy: Copy, sizes: &[i64]) -> Vec<By> {
    let level = if fits_registers(ir, copy, sizes) { Level::Unroll } else { Level::Seq };
    let mut by = vec![By::Level(level); sizes.len()];
    if let Some((n, width)) = lanes(ir, copy, sizes) {
        let width = dividing(width, sizes[n]);
        if width > 1 {
            by[n] = By::Vector(width);
        }
    }
    by
}

/// A copy in two, where only a few lanes divide its size: whole vectors, then what these leave
fn split(ir: &mut Ir, copy: Copy, sizes: &[i64]) -> Option<[Copy; 2]> {
    let (n, width) = lanes(ir, copy, sizes).filter(|_| !in_registers(ir, copy))?;
    let size = sizes[n].max(1);
    let most = width.min(1 << size.ilog2());
    let past = ir.discardable(copy.0, NONTEMPORAL).is_some();
    if past || dividing(width, size) * 2 >= most {
        return None;
    }
    let whole = size / most * most;
    let loc = ir.loc(copy.0);
    let part = |ir: &Ir, (start, size): (i64, i64)| {
        let mut part = CopySpec::of(ir, copy);
        part.domain[n] = size;
        for access in part.from.iter_mut().chain([&mut part.to]) {
            let place = |d: u32| match d as usize == n {
                true => AffineExpr::add(AffineExpr::Dim(d), start.into()),
                false => AffineExpr::Dim(d),
            };
            let places: Vec<AffineExpr> = (0..access.map.dims).map(place).collect();
            let results: Option<Vec<AffineExpr>> =
                access.map.results.iter().map(|expr| expr.replace(&places, &[])).collect();
            access.map = AffineMap::new(access.map.dims, 0, results?)?;
        }
        Some(part)
    };
    let parts = [part(ir, (0, whole))?, part(ir, (whole, size - whole))?];
    let parts = parts.map(|part| part.build(&mut builder(ir, terrace_ir::InsertPoint::Before(copy.0), loc)));
    ir.erase(copy.0);
    Some(parts)
}
