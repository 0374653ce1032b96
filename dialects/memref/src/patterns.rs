//! Rules of `memref`: sizes that are constants, casts that their users can look through, buffers that are never read.
//!
//! Termination: each rule removes an op or an operand, or moves a use from a cast to what was cast.

use super::allocation::AllocationTable;
use super::layout::{Strided, strided};
use super::views::{kept_dims, subview_type};
use super::{
    Alloc, Alloca, AtomicRmw, Cast, Copy, Dealloc, Dim, Load, ReinterpretCast, Store, SubView, compatible,
};
use terrace_dialect_shapes::slices::{inside, lists};
use terrace_ir::fold::constant_of;
use terrace_ir::{
    AttrKind, Context, DYNAMIC, FoldResult, Folded, Ir, NewOp, OpDef, OpId, Type, TypeKind, Value,
};
use terrace_rewrite::{Canonicalize, Miss, OrMiss, Pattern, Rewriter, Rule};

/// Size of a dimension of a buffer, if a value or the type holds it
pub(super) fn size_of(ir: &Ir, buffer: Value, n: usize) -> Folded {
    let (cx, mut buffer, mut n) = (ir.cx(), buffer, n);
    loop {
        let Some(&size) = ir.ty(buffer).shape(cx).and_then(|shape| shape.get(n)) else { return Folded::No };
        if size != DYNAMIC {
            return Folded::attr(cx.index_attr(size));
        }
        let Some(op) = ir.defining_op(buffer) else { return Folded::No };
        if let Some(cast) = Cast::cast(ir, op) {
            buffer = cast.source(ir);
            continue;
        }
        let (field, numbers) = if let Some(alloc) = ir.def(op).interface::<AllocationTable>() {
            (alloc.dynamic_sizes, ir.ty(buffer).shape(cx).unwrap_or(&[]))
        } else if ir.is(op, ReinterpretCast::DEF) {
            (2, lists(ir, op)[1])
        } else if ir.is(op, SubView::DEF) {
            let Some(kept) = kept(ir, op) else { return Folded::No };
            let Some(full) = (0..kept.len()).filter(|at| kept[*at]).nth(n) else { return Folded::No };
            n = full;
            (2, lists(ir, op)[1])
        } else {
            return Folded::No;
        };
        return match entry(ir, op, field, numbers, n) {
            Some(Entry::Known(size)) => Folded::attr(cx.index_attr(size)),
            Some(Entry::Value(value)) => Folded::One(FoldResult::Value(value)),
            None => Folded::No,
        };
    }
}

enum Entry {
    Known(i64),
    Value(Value),
}

/// The n-th of numbers whose unknown ones are the operands of a field, in order
fn entry(ir: &Ir, op: OpId, field: usize, numbers: &[i64], n: usize) -> Option<Entry> {
    let number = *numbers.get(n)?;
    if number != DYNAMIC {
        return Some(Entry::Known(number));
    }
    let before = numbers[..n].iter().filter(|number| **number == DYNAMIC).count();
    let at = ir.operand_range(op, field).nth(before)?;
    Some(Entry::Value(ir.operand(op, at)))
}

/// Which dimensions of its source a part keeps
fn kept(ir: &Ir, op: OpId) -> Option<Vec<bool>> {
    let (cx, all) = (ir.cx(), lists(ir, op));
    let full = strided(cx, subview_type(cx, ir.ty(ir.operand(op, 0)), all)?)?;
    let to = ir.ty(ir.result(op, 0));
    kept_dims(all[1], &full.strides, to.shape(cx)?, Some(&strided(cx, to)?.strides))
}

/// A type without the dimensions that are not kept
fn drop_dims(cx: &Context, full: Type, kept: &[bool]) -> Option<Type> {
    if kept.iter().all(|kept| *kept) {
        return Some(full);
    }
    let (TypeKind::MemRef { shape, elem, space, .. }, from) = (full.kind(cx), strided(cx, full)?) else {
        return None;
    };
    let pick = |all: &[i64]| -> Box<[i64]> {
        all.iter().zip(kept).filter(|(_, kept)| **kept).map(|(number, _)| *number).collect()
    };
    let layout = cx.attr(AttrKind::Strided { strides: pick(&from.strides), offset: from.offset });
    Some(cx.ty(TypeKind::MemRef { shape: pick(shape), elem: *elem, layout: Some(layout), space: *space }))
}

/// Make `new` before `op` and let its result, cast back if its type differs, stand for that of `op`
fn put(rw: &mut Rewriter<'_>, op: OpId, new: &NewOp<'_>) {
    let made = rw.insert_before(op, &NewOp { loc: rw.ir().loc(op), ..new.clone() });
    let (result, old) = (rw.ir().result(made, 0), rw.ir().ty(rw.ir().result(op, 0)));
    let value = cast_to(rw, op, result, old);
    rw.replace(op, &[value]);
}

fn cast_to(rw: &mut Rewriter<'_>, op: OpId, value: Value, ty: Type) -> Value {
    if rw.ir().ty(value) == ty {
        return value;
    }
    let cast = rw.build_before(op, |b| Cast::build(b, value, ty));
    cast.dest(rw.ir())
}

/// What a cast was made from, if that is ranked
fn behind_cast(ir: &Ir, value: Value) -> Option<Value> {
    let source = Cast::cast(ir, ir.defining_op(value)?)?.source(ir);
    matches!(ir.ty(source).kind(ir.cx()), TypeKind::MemRef { .. }).then_some(source)
}

/// Does a cast only forget sizes, offset and strides?
fn forgets(cx: &Context, from: Type, to: Type) -> bool {
    let (Some(a), Some(b)) = (strided(cx, from), strided(cx, to)) else { return false };
    let (Some(shape_a), Some(shape_b)) = (from.shape(cx), to.shape(cx)) else { return false };
    let fits = |a: i64, b: i64| a != DYNAMIC || b == DYNAMIC;
    shape_a.len() == shape_b.len()
        && fits(a.offset, b.offset)
        && shape_a.iter().zip(shape_b).all(|(a, b)| fits(*a, *b))
        && a.strides.iter().zip(&b.strides).all(|(a, b)| fits(*a, *b))
}

/// An op that takes a buffer of any sizes takes the one that was cast
pub struct CastInto {
    /// The op
    pub root: &'static OpDef,
    /// Operands that are buffers to the op
    pub operands: &'static [usize],
    /// Only casts that forget
    pub forgetting: bool,
    /// Would the op's own rules take a buffer of this type as its operand of this number? They may hold operands to each
    /// other, which a type that says more can contradict
    pub takes: fn(&Ir, OpId, usize, Type) -> bool,
}

impl CastInto {
    /// For ops whose rules look at ranks and elements alone, which a cast keeps
    pub const ANY: fn(&Ir, OpId, usize, Type) -> bool = |_, _, _, _| true;
}

/// Could the sizes of what a copy reads and writes still be equal?
fn copies(ir: &Ir, op: OpId, n: usize, ty: Type) -> bool {
    super::same_sizes(ir.cx(), ty, ir.ty(ir.operand(op, 1 - n)))
}

impl Rule for CastInto {
    fn name(&self) -> &'static str {
        "memref_cast_into_user"
    }

    fn root(&self) -> Option<&'static OpDef> {
        Some(self.root)
    }

    fn apply(&self, rw: &mut Rewriter<'_>, op: OpId) -> Result<(), Miss> {
        let ir = rw.ir();
        let found = self.operands.iter().find_map(|&n| {
            let value = ir.operand(op, n);
            let source = behind_cast(ir, value)?;
            let fits = !self.forgetting || forgets(ir.cx(), ir.ty(source), ir.ty(value));
            (fits && (self.takes)(ir, op, n, ir.ty(source))).then_some((n, source))
        });
        let (n, source) = found.or_miss("no buffer comes from a cast of a ranked one")?;
        rw.set_operand(op, n, source);
        Ok(())
    }
}

/// cast(cast(x)) = cast(x)
struct CastCast;

impl Pattern for CastCast {
    const NAME: &'static str = "memref_cast_of_cast";
    const ROOT: Option<&'static OpDef> = Some(Cast::DEF);
    type Found = Value;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Value, Miss> {
        let source =
            behind_cast(ir, Cast(op).source(ir)).or_miss("the source is no cast of a ranked buffer")?;
        compatible(ir.cx(), ir.ty(source), ir.ty(Cast(op).dest(ir))).or_miss("the types clash")?;
        Ok(source)
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, source: Value) {
        rw.set_operand(op, 0, source);
    }
}

/// Sizes of an allocation that are constants go into its type
struct AllocConst(&'static OpDef);

impl Rule for AllocConst {
    fn name(&self) -> &'static str {
        "alloc_const_sizes"
    }

    fn root(&self) -> Option<&'static OpDef> {
        Some(self.0)
    }

    fn apply(&self, rw: &mut Rewriter<'_>, op: OpId) -> Result<(), Miss> {
        let (ir, cx) = (rw.ir(), rw.ir().cx());
        let old = ir.ty(ir.result(op, 0));
        let TypeKind::MemRef { shape, elem, layout, space } = old.kind(cx) else {
            return Err(Miss("no memref"));
        };
        let mut sizes = ir.operand_field(op, 0).into_iter();
        let (mut shape, mut left) = (shape.clone(), Vec::new());
        for size in shape.iter_mut().filter(|size| **size == DYNAMIC) {
            let value = sizes.next().or_miss("a size is missing")?;
            let known = constant_of(ir, value).and_then(|attr| attr.as_i64(cx)).filter(|known| *known >= 0);
            match known {
                Some(known) => *size = known,
                None => left.push(value),
            }
        }
        (left.len() < ir.operand_field(op, 0).len()).or_miss("no size is a constant")?;
        let ty = cx.ty(TypeKind::MemRef { shape, elem: *elem, layout: *layout, space: *space });
        let symbols = ir.operand_field(op, 1);
        let segments = [left.len() as u32, symbols.len() as u32];
        left.extend(symbols);
        let new = NewOp {
            operands: &left,
            segments: &segments,
            results: &[ty],
            slots: &[ir.slot(op, 0)],
            dict: ir.dict(op),
            ..NewOp::new(ir.kind(op))
        };
        put(rw, op, &new);
        Ok(())
    }
}

/// A buffer that is only written and freed is not there
struct DeadAlloc(&'static OpDef);

impl Rule for DeadAlloc {
    fn name(&self) -> &'static str {
        "dead_alloc"
    }

    fn root(&self) -> Option<&'static OpDef> {
        Some(self.0)
    }

    fn apply(&self, rw: &mut Rewriter<'_>, op: OpId) -> Result<(), Miss> {
        let (ir, buffer) = (rw.ir(), rw.ir().result(op, 0));
        let unread = ir.uses(buffer).all(|(user, n)| {
            ir.is(user, Store::DEF) && n == 1 && ir.operand(user, 0) != buffer || ir.is(user, Dealloc::DEF)
        });
        unread.or_miss("the buffer is read or passed on")?;
        let users: Vec<OpId> = ir.uses(buffer).map(|(user, _)| user).collect();
        for user in users {
            rw.erase(user);
        }
        rw.erase(op);
        Ok(())
    }
}

/// A copy of nothing, or of a buffer to itself
struct CopyNothing;

impl Pattern for CopyNothing {
    const NAME: &'static str = "copy_nothing";
    const ROOT: Option<&'static OpDef> = Some(Copy::DEF);
    type Found = ();

    fn matches(&self, ir: &Ir, op: OpId) -> Result<(), Miss> {
        let (from, to) = (Copy(op).source(ir), Copy(op).target(ir));
        let empty = ir.ty(from).shape(ir.cx()).is_some_and(|shape| shape.contains(&0));
        (from == to || empty).or_miss("something is copied")
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (): ()) {
        rw.erase(op);
    }
}

/// The lists of a view with what constants say, and the operands that are left of each
type Lists = ([Vec<i64>; 3], [Vec<Value>; 3]);

fn with_constants(ir: &Ir, op: OpId) -> Option<Lists> {
    let (mut numbers, mut left) = (lists(ir, op).map(<[i64]>::to_vec), [Vec::new(), Vec::new(), Vec::new()]);
    let mut found = false;
    for (n, list) in numbers.iter_mut().enumerate() {
        let mut values = ir.operand_field(op, n + 1).into_iter();
        for number in list.iter_mut().filter(|number| **number == DYNAMIC) {
            let value = values.next()?;
            // Offsets and sizes below zero are errors of the program, to be found where it runs.
            let fits = |known: &i64| if n < 2 { *known >= 0 } else { *known != 0 && *known != DYNAMIC };
            match constant_of(ir, value).and_then(|attr| attr.as_i64(ir.cx())).filter(fits) {
                Some(known) => {
                    *number = known;
                    found = true;
                }
                None => left[n].push(value),
            }
        }
    }
    found.then_some((numbers, left))
}

fn put_view(rw: &mut Rewriter<'_>, op: OpId, source: Value, (numbers, left): &Lists, ty: Type) {
    let ir = rw.ir();
    let slots: Vec<_> = numbers.iter().map(|list| Some(ir.cx().i64_array(list))).collect();
    let operands: Vec<Value> = [source].into_iter().chain(left.iter().flatten().copied()).collect();
    let segments = [1, left[0].len() as u32, left[1].len() as u32, left[2].len() as u32];
    let new = NewOp {
        operands: &operands,
        segments: &segments,
        results: &[ty],
        slots: &slots,
        dict: ir.dict(op),
        ..NewOp::new(ir.kind(op))
    };
    put(rw, op, &new);
}

fn slices(numbers: &[Vec<i64>; 3]) -> [&[i64]; 3] {
    [&numbers[0], &numbers[1], &numbers[2]]
}

/// Offsets, sizes and strides of a part that are constants go into its type
struct SubViewConst;

impl Pattern for SubViewConst {
    const NAME: &'static str = "subview_const";
    const ROOT: Option<&'static OpDef> = Some(SubView::DEF);
    type Found = (Lists, Type);

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let cx = ir.cx();
        let all = with_constants(ir, op).or_miss("no operand is a constant")?;
        let kept = kept(ir, op).or_miss("the source is not strided")?;
        let from = ir.ty(SubView(op).source(ir));
        inside(from.shape(cx).unwrap_or(&[]), slices(&all.0), false)
            .ok()
            .or_miss("with the constants the part leaves its source")?;
        let full = subview_type(cx, from, slices(&all.0)).or_miss("no strides")?;
        let ty = drop_dims(cx, full, &kept).or_miss("no strides")?;
        compatible(cx, ty, ir.ty(SubView(op).result(ir))).or_miss("the constants contradict the type")?;
        Ok((all, ty))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (all, ty): Self::Found) {
        let source = SubView(op).source(rw.ir());
        put_view(rw, op, source, &all, ty);
    }
}

/// A part of a cast buffer is one of the buffer
struct SubViewCast;

impl Pattern for SubViewCast {
    const NAME: &'static str = "subview_of_cast";
    const ROOT: Option<&'static OpDef> = Some(SubView::DEF);
    type Found = (Value, Lists, Type);

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let (cx, given) = (ir.cx(), SubView(op).source(ir));
        let source = behind_cast(ir, given).or_miss("the source is no cast of a ranked buffer")?;
        forgets(cx, ir.ty(source), ir.ty(given)).or_miss("the cast does not only forget")?;
        let numbers = lists(ir, op);
        inside(ir.ty(source).shape(cx).unwrap_or(&[]), numbers, false)
            .ok()
            .or_miss("the part leaves the buffer that was cast")?;
        let kept = kept(ir, op).or_miss("the source is not strided")?;
        let full = subview_type(cx, ir.ty(source), numbers).or_miss("no strides")?;
        let ty = drop_dims(cx, full, &kept).or_miss("no strides")?;
        compatible(cx, ty, ir.ty(SubView(op).result(ir))).or_miss("the types clash")?;
        let left = [1, 2, 3].map(|field| ir.operand_field(op, field));
        Ok((source, (numbers.map(<[i64]>::to_vec), left), ty))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (source, all, ty): Self::Found) {
        put_view(rw, op, source, &all, ty);
    }
}

/// The whole of a buffer as a part of it is a cast
struct SubViewWhole;

impl Pattern for SubViewWhole {
    const NAME: &'static str = "subview_of_all";
    const ROOT: Option<&'static OpDef> = Some(SubView::DEF);
    type Found = Value;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Value, Miss> {
        let (cx, source) = (ir.cx(), SubView(op).source(ir));
        let [offsets, sizes, steps] = lists(ir, op);
        let (from, to) = (ir.ty(source), ir.ty(SubView(op).result(ir)));
        let whole = from.shape(cx) == Some(sizes)
            && to.shape(cx).is_some_and(|shape| shape.len() == sizes.len())
            && !sizes.contains(&DYNAMIC)
            && offsets.iter().all(|at| *at == 0)
            && steps.iter().all(|step| *step == 1);
        (whole && compatible(cx, from, to)).or_miss("the part is not all of the buffer")?;
        Ok(source)
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, source: Value) {
        let ty = rw.ir().ty(SubView(op).result(rw.ir()));
        let value = cast_to(rw, op, source, ty);
        rw.replace(op, &[value]);
    }
}

/// Offset, sizes and strides of another reading that are constants go into its type
struct ReinterpretConst;

impl Pattern for ReinterpretConst {
    const NAME: &'static str = "reinterpret_cast_const";
    const ROOT: Option<&'static OpDef> = Some(ReinterpretCast::DEF);
    type Found = (Lists, Type);

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let (cx, old) = (ir.cx(), ir.ty(ReinterpretCast(op).result(ir)));
        let all = with_constants(ir, op).or_miss("no operand is a constant")?;
        let said = Strided { offset: all.0[0][0], strides: all.0[2].clone() };
        let ty = super::layout::with_strides(cx, old, &all.0[1], &said);
        compatible(cx, ty, old).or_miss("the constants contradict the type")?;
        Ok((all, ty))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (all, ty): Self::Found) {
        let source = ReinterpretCast(op).source(rw.ir());
        put_view(rw, op, source, &all, ty);
    }
}

/// Another reading looks through views of the same memory: it has its own offset, sizes and strides
struct ReinterpretSource;

impl Pattern for ReinterpretSource {
    const NAME: &'static str = "reinterpret_cast_of_view";
    const ROOT: Option<&'static OpDef> = Some(ReinterpretCast::DEF);
    type Found = Value;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Value, Miss> {
        let def = ir.defining_op(ReinterpretCast(op).source(ir)).or_miss("the source is no op's result")?;
        let view = ir.is(def, ReinterpretCast::DEF)
            || ir.is(def, Cast::DEF)
            || ir.is(def, SubView::DEF) && lists(ir, def)[0].iter().all(|at| *at == 0);
        view.or_miss("the source is no view")?;
        Ok(ir.operand(def, 0))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, source: Value) {
        rw.set_operand(op, 0, source);
    }
}

impl Canonicalize for Alloc {
    const RULES: &'static [&'static dyn Rule] = &[&AllocConst(Alloc::DEF), &DeadAlloc(Alloc::DEF)];
}

impl Canonicalize for Alloca {
    const RULES: &'static [&'static dyn Rule] = &[&AllocConst(Alloca::DEF), &DeadAlloc(Alloca::DEF)];
}

impl Canonicalize for Cast {
    const RULES: &'static [&'static dyn Rule] = &[&CastCast];
}

impl Canonicalize for Copy {
    const RULES: &'static [&'static dyn Rule] =
        &[&CopyNothing, &CastInto { root: Copy::DEF, operands: &[0, 1], forgetting: true, takes: copies }];
}

impl Canonicalize for SubView {
    const RULES: &'static [&'static dyn Rule] = &[&SubViewConst, &SubViewCast, &SubViewWhole];
}

impl Canonicalize for ReinterpretCast {
    const RULES: &'static [&'static dyn Rule] = &[&ReinterpretConst, &ReinterpretSource];
}

macro_rules! cast_into {
    ($($op:ident $n:literal)*) => {$(
        impl Canonicalize for $op {
            const RULES: &'static [&'static dyn Rule] =
                &[&CastInto { root: $op::DEF, operands: &[$n], forgetting: false, takes: CastInto::ANY }];
        }
    )*};
}
cast_into!(Load 0 Store 1 Dealloc 0 Dim 0 AtomicRmw 1);
