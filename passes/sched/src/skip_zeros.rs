//! Iterations that add products with zeros that a copy put around its source, or that a read finds outside of its buffer, are left out.
//!
//! ```mlir
//! copy (%d) in (66) %A[%d - 1] else %zero to %b[%d]
//! for (%i in 64 by 1, %k in 3 by 1 pw add) { write %b[%i + %k] * %w[%k], %out[%i] combine add }
//! // becomes
//! for (%i in 64 by 1, %k in 3 by 1 from -(%i - 1) limit -(%i - 1) + 64 pw add) { … }
//! ```
//!
//! Zero times a number is zero, and zero added changes nothing: of integers always, of floats where the product's flags say that
//! it is no NaN (`nnan`: the other factor is neither infinite nor NaN then) and that the sign of a zero does not matter (`nsz`).
//!
//! A read that finds a zero outside of its buffer (`else %zero`) needs no test once no iteration is left in which it is outside.
//!
//! A buffer is known where one copy fills it, or one that goes through a buffer of its own on the way, element by element in
//! loops. A loop of a sum can be cut for a read if its variable moves the index while all else of the index is fixed outside of it.
//! Where sums are kept in registers, a short loop over these can be cut too: it is written out, and so are the loops that the
//! index also depends on, if they are short; then each copy has the registers that it needs and no others. Zeros that other
//! loops meet stay.

use terrace_diag::Reported;
use terrace_dialect_arith::{self as arith, FastMathFlags};
use terrace_dialect_sched::access::{Access, Dims};
use terrace_dialect_sched::{
    Alloc, Bound, Builtin, Combination, Copy, For, Level, LoopInfo, Operator, Read, Write, Yield,
};
use terrace_dialect_sched::{Space, space};
use terrace_ir::fold::constant_of;
use terrace_ir::{BlockId, Ir, OpId, TypeKind, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Products with the zeros of a border are left out of sums
///
/// Loops of sums get bounds; where sums are in registers, short loops over taps and registers are written out instead, so that
/// each tap has its registers. Reads that are never outside of their buffer then lose their `else`. For integers, and for floats whose products carry `fastmath<nnan,nsz>`. Run it between `array-to-sched` and `sched-legalize`.
#[pass("sched-skip-zeros", stats("loops cut"))]
pub struct SchedSkipZeros {}

impl Pass for SchedSkipZeros {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let (mut cuts, mut unguarded) = (0, false);
        let writes: Vec<Write> = unit.walk().filter_map(|op| Write::cast(unit, op)).collect();
        for write in writes {
            for read in zero_factors(unit, write) {
                let mut inside = Vec::new();
                while let Some(cut) = find(unit, write, read) {
                    apply(unit, &cut);
                    inside.push(cut.index);
                    cuts += 1;
                }
                if read.padding(unit).is_some() && is_inside(unit, read, &inside) {
                    let kept = [&[read.memref(unit)], &read.indices(unit)[..]].concat();
                    unit.set_operands(read.id(), &kept, &[1, kept.len() as u32 - 1, 0]);
                    unguarded = true;
                }
            }
        }
        cx.count("loops cut", cuts);
        cx.set_changed(cuts > 0 || unguarded);
        Ok(())
    }
}

/// Reads that make what a write adds zero if they are
fn zero_factors(ir: &Ir, write: Write) -> Vec<Read> {
    if write.operator(ir) != Some(Operator::Builtin(Builtin::Add)) || write.clip(ir).is_some() {
        return Vec::new();
    }
    let Some(product) = ir.defining_op(write.value(ir)) else { return Vec::new() };
    let vanishes = match arith::MulF::cast(ir, product) {
        Some(product) => product.fastmath(ir).has(FastMathFlags::NNAN.and(FastMathFlags::NSZ)),
        None => arith::MulI::cast(ir, product).is_some(),
    };
    if !vanishes || ir.block(product) != ir.block(write.id()) {
        return Vec::new();
    }
    let reads = ir.operands(product).filter_map(|value| Read::cast(ir, ir.defining_op(value)?));
    reads.filter(|read| read.padding(ir).is_none_or(|padding| is_zero(ir, padding))).collect()
}

/// Is every index within the buffer, those that loops were cut for among them?
fn is_inside(ir: &Ir, read: Read, cut: &[usize]) -> bool {
    let (at, sizes) = (read.access(ir), shape(ir, read.memref(ir)));
    let within = |(index, size): (usize, &i64)| {
        let range = || Sum::of(&at, index)?.range(ir);
        cut.contains(&index) || range().is_some_and(|(least, most)| least >= 0 && most < *size)
    };
    sizes.is_some_and(|sizes| sizes.iter().enumerate().all(within))
}

/// `terms + constant`
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Sum {
    pub(crate) terms: Vec<(Var, i64)>,
    pub(crate) constant: i64,
}

/// A variable of a copy's box, or a value
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Var {
    Own(u32),
    Value(Value),
}

impl Sum {
    /// One index of an access, if it is a sum
    pub(crate) fn of(at: &Access, n: usize) -> Option<Sum> {
        let own = at.map.dims.checked_sub(at.values.len() as u32)?;
        let form = at.map.results.get(n)?.as_linear()?;
        let mut sum = Sum { terms: Vec::new(), constant: form.constant };
        for (dim, factor) in form.dims.iter().enumerate() {
            let var = match (dim as u32).checked_sub(own) {
                None => Var::Own(dim as u32),
                Some(n) => Var::Value(*at.values.get(n as usize)?),
            };
            sum = sum.plus(&Sum { terms: vec![(var, *factor)], constant: 0 }, 1)?;
        }
        Some(sum)
    }

    pub(crate) fn plus(&self, other: &Sum, times: i64) -> Option<Sum> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(times)?)?;
        for (var, factor) in &other.terms {
            let more = factor.checked_mul(times)?;
            match sum.terms.iter_mut().find(|(known, _)| known == var) {
                Some((_, factor)) => *factor = factor.checked_add(more)?,
                None => sum.terms.push((*var, more)),
            }
        }
        sum.terms.retain(|(_, factor)| *factor != 0);
        Some(sum)
    }

    /// The one variable that it is
    pub(crate) fn single(&self) -> Option<Var> {
        match self.terms.as_slice() {
            [(var, 1)] if self.constant == 0 => Some(*var),
            _ => None,
        }
    }

    /// What is left without a variable that it has once
    pub(crate) fn without(&self, var: Var) -> Option<Sum> {
        let has = self.terms.contains(&(var, 1));
        let terms = self.terms.iter().copied().filter(|(other, _)| *other != var).collect();
        has.then_some(Sum { terms, constant: self.constant })
    }

    pub(crate) fn values(&self) -> Option<Vec<Value>> {
        let value = |(var, _): &(Var, i64)| match var {
            Var::Value(value) => Some(*value),
            Var::Own(_) => None,
        };
        self.terms.iter().map(value).collect()
    }

    /// Its least and its largest value, where all variables are of loops
    pub(crate) fn range(&self, ir: &Ir) -> Option<(i64, i64)> {
        let (mut least, mut most) = (self.constant, self.constant);
        for (var, factor) in &self.terms {
            let Var::Value(value) = var else { return None };
            let info = loop_of(ir, *value)?;
            let last = info.trip().checked_sub(1)?.max(0).checked_mul(info.tile)?.checked_mul(*factor)?;
            least = least.checked_add(last.min(0))?;
            most = most.checked_add(last.max(0))?;
        }
        Some((least, most))
    }

    /// As a bound: `offset - self`
    fn below(&self, offset: i64) -> Option<Bound> {
        let mut dims = Dims::default();
        let mut expr = AffineExpr::Constant(offset.checked_sub(self.constant)?);
        for (var, factor) in &self.terms {
            let Var::Value(value) = var else { return None };
            let term = AffineExpr::mul(dims.value(*value), AffineExpr::Constant(factor.checked_neg()?));
            expr = AffineExpr::add(term, expr);
        }
        let map = AffineMap::new(dims.values.len() as u32, 0, vec![expr])?;
        Some(Bound { map, values: dims.values })
    }
}

fn loop_of(ir: &Ir, iv: Value) -> Option<LoopInfo> {
    let op = For::cast(ir, ir.block_parent(ir.value_block(iv)?)?)?;
    op.info(ir).filter(|info| info.iv == iv)
}

/// Where an index of a buffer must lie for its element not to be zero: `0 <= index + offset < size`
struct Inside {
    index: usize,
    offset: Sum,
    size: i64,
}

pub(crate) fn shape(ir: &Ir, memory: Value) -> Option<Vec<i64>> {
    match ir.ty(memory).kind(ir.cx()) {
        TypeKind::MemRef { shape, .. } if shape.iter().all(|size| *size >= 0) => Some(shape.to_vec()),
        _ => None,
    }
}

pub(crate) fn is_zero(ir: &Ir, value: Value) -> bool {
    let Some(attr) = constant_of(ir, value) else { return false };
    // Of a float +0 and -0: what its bits are, and what adding starts with.
    let float = |bits: u64| bits == 0 || Builtin::Add.identity(ir.cx(), ir.ty(value)) == Some(attr);
    attr.as_int(ir.cx()).is_some_and(|(n, _)| n == 0)
        || attr.as_float(ir.cx()).is_some_and(|(bits, _)| float(bits))
}

/// The only copy into a buffer that nothing else writes
pub(crate) fn filled(ir: &Ir, memory: Value) -> Option<(Alloc, Copy)> {
    let alloc = Alloc::cast(ir, ir.defining_op(memory)?)?;
    let mut copies = Vec::new();
    for (op, _) in ir.uses(memory) {
        if let Some(copy) = Copy::cast(ir, op) {
            if copy.dst(ir) == memory {
                copies.push(copy);
            }
        } else {
            Read::cast(ir, op)?;
        }
    }
    let [copy] = copies.as_slice() else { return None };
    let plain = copy.operator(ir).is_none() && copy.when(ir).is_none() && copy.clip(ir).is_none();
    (plain && alloc.when(ir).is_none() && copy.src(ir) != memory).then_some((alloc, *copy))
}

/// Where a copy's source is read for these indices of its destination
fn through(ir: &Ir, first: Copy, indices: &[Sum]) -> Option<Vec<Sum>> {
    let (into, from) = (first.to(ir), first.from(ir)?);
    let mut sources = Vec::new();
    for n in 0..from.map.results.len() {
        let mut sum = Sum::of(&from, n)?;
        let mut own = Sum::default();
        for (index, of) in indices.iter().enumerate() {
            let var = Sum::of(&into, index)?.single().filter(|var| matches!(var, Var::Own(_)))?;
            let factor = sum.terms.iter().find(|(other, _)| *other == var).map_or(0, |(_, factor)| *factor);
            sum.terms.retain(|(other, _)| *other != var);
            own = own.plus(of, factor)?;
        }
        sum.values()?;
        sources.push(sum.plus(&own, 1)?);
    }
    Some(sources)
}

/// Which elements of a buffer are zeros around what it was copied from
fn around(ir: &Ir, memory: Value) -> Option<Vec<Inside>> {
    let (alloc, copy) = filled(ir, memory)?;
    let (sizes, into) = (shape(ir, memory)?, copy.to(ir));
    let targets: Vec<Sum> = (0..sizes.len()).map(|n| Sum::of(&into, n)).collect::<Option<_>>()?;
    let from = copy.from(ir)?;
    let mut sources: Vec<Sum> =
        (0..from.map.results.len()).map(|n| Sum::of(&from, n)).collect::<Option<_>>()?;
    let mut source = copy.src(ir);
    let padding = match copy.padding(ir) {
        Some(padding) => padding,
        // On the way through a buffer that is filled right before.
        None => {
            let (between, first) = filled(ir, source)?;
            let here = ir.block(copy.id());
            if ir.block(between.id()) != here || ir.block(first.id()) != here {
                return None;
            }
            sources = through(ir, first, &sources)?;
            source = first.src(ir);
            first.padding(ir)?
        }
    };
    if !is_zero(ir, padding) {
        return None;
    }
    let limits = shape(ir, source)?;
    let domain = copy.sizes(ir);
    let home = ir.block(alloc.id())?;
    let whole = |var: Var, size: i64| match var {
        Var::Own(n) => domain.get(n as usize) == Some(&size),
        Var::Value(iv) => loop_of(ir, iv).is_some_and(|info| {
            let all = info.tile == 1 && info.extent == size && info.from.is_none() && info.limit.is_none();
            all && ir.is_inside(info.op.id(), ir.block_parent(home).unwrap_or(ir.root()))
                && !stands_in(ir, home, iv)
        }),
    };
    let mut found = Vec::new();
    for (index, target) in targets.iter().enumerate() {
        let Some(var) = target.single().filter(|var| whole(*var, sizes[index])) else { continue };
        for (source, size) in sources.iter().zip(&limits) {
            let Some(offset) = source.without(var) else { continue };
            // All else is fixed while the buffer lives.
            let fixed =
                offset.values().is_some_and(|all| all.iter().all(|value| stands_in(ir, home, *value)));
            if fixed {
                found.push(Inside { index, offset, size: *size });
            }
        }
    }
    Some(found)
}

/// Is the value there wherever the block's ops are?
fn stands_in(ir: &Ir, block: BlockId, value: Value) -> bool {
    let Some(own) = ir.value_block(value) else { return false };
    let mut at = Some(block);
    while let Some(block) = at {
        if block == own {
            return true;
        }
        at = ir.block_parent(block).and_then(|op| ir.block(op));
    }
    false
}

/// A loop with its new bounds
struct Cut {
    op: For,
    /// The index that stays within its border then
    index: usize,
    from: Option<Bound>,
    limit: Option<Bound>,
    /// Loops that are written out
    unrolled: Vec<For>,
}

/// Copies of a loop's body at most
const COPIES: i64 = 12;

/// Registers in a row at most
const ROW: i64 = 32;

/// A loop around the write whose iterations beyond the border add zeros
fn find(ir: &Ir, write: Write, read: Read) -> Option<Cut> {
    let at = read.access(ir);
    let borders = match read.padding(ir) {
        // Zeros are what is outside.
        Some(_) => {
            let own = |(index, size)| Inside { index, offset: Sum::default(), size };
            shape(ir, read.memref(ir))?.into_iter().enumerate().map(own).collect()
        }
        None => around(ir, read.memref(ir))?,
    };
    for Inside { index, offset, size } in borders {
        let Some(place) = Sum::of(&at, index).and_then(|sum| sum.plus(&offset, 1)) else { continue };
        let Some((least, most)) = place.range(ir) else { continue };
        if least >= 0 && most < size {
            continue;
        }
        let mut around = ir.parent(write.id());
        while let Some(op) = around {
            let Some(info) = For::cast(ir, op).and_then(|op| op.info(ir)) else { break };
            if !only_adds(ir, op, write) {
                break;
            }
            if let Some(rest) = place.without(Var::Value(info.iv))
                && info.from.is_none()
                && info.limit.is_none()
                && info.tile == 1
                && info.level == Level::Seq
                && let Some(unrolled) = written_out(ir, &info, &rest, write)
            {
                let from = if least < 0 { Some(rest.below(0)?) } else { None };
                let limit = if most >= size { Some(rest.below(size)?) } else { None };
                return Some(Cut { op: info.op, index, from, limit, unrolled });
            }
            around = ir.parent(op);
        }
    }
    None
}

/// Loops to write out so that this one can be cut: none for a loop of a sum
fn written_out(ir: &Ir, info: &LoopInfo, rest: &Sum, write: Write) -> Option<Vec<For>> {
    let block = ir.block(info.op.id())?;
    let values = rest.values()?;
    if !values.iter().all(|value| stands_in(ir, block, *value)) {
        return None;
    }
    match info.kind {
        Combination::Pw => Some(Vec::new()),
        Combination::Cc if info.trip() <= ROW => {
            let registers = space::of(ir.cx(), ir.ty(write.memref(ir))) == Space::Private;
            let mut all = vec![info.op];
            let mut copies = 1i64;
            for value in values {
                let other = loop_of(ir, value)?;
                copies = copies.checked_mul(other.trip())?;
                let short = copies <= COPIES && other.from.is_none() && other.limit.is_none();
                let plain =
                    matches!(other.level, Level::Seq | Level::Unroll) && ir.num_results(other.op.id()) == 0;
                if !short || !plain {
                    return None;
                }
                all.push(other.op);
            }
            registers.then_some(all)
        }
        _ => None,
    }
}

/// Nothing happens in the loop but this write
fn only_adds(ir: &Ir, op: OpId, write: Write) -> bool {
    let quiet = |inner: OpId| {
        let plain = Read::cast(ir, inner).is_some() || ir.is_of(inner, &arith::ARITH);
        plain || inner == write.id() || For::cast(ir, inner).is_some() || Yield::cast(ir, inner).is_some()
    };
    ir.num_results(op) == 0
        && ir
            .walk_below(op)
            .all(|inner| quiet(inner) && (For::cast(ir, inner).is_none() || ir.num_results(inner) == 0))
}

fn apply(ir: &mut Ir, cut: &Cut) {
    let op = cut.op.id();
    for each in &cut.unrolled {
        let unroll = ir.cx().str_attr(&Level::Unroll.to_string());
        each.set_level(ir, Some(unroll));
    }
    let values = |bound: &Option<Bound>| bound.as_ref().map_or(Vec::new(), |bound| bound.values.clone());
    let (from, limit) = (values(&cut.from), values(&cut.limit));
    let all = [from.clone(), limit.clone()].concat();
    ir.set_operands(op, &all, &[from.len() as u32, limit.len() as u32, 0]);
    for (name, bound) in [("from", &cut.from), ("limit", &cut.limit)] {
        let map = bound.as_ref().map(|bound| ir.cx().map_attr(bound.map.clone()));
        if map.is_some() {
            ir.set_attr(op, name, map);
        }
    }
}
