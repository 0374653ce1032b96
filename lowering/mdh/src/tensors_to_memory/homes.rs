//! Homes: buffers that hold tensors, one after the other.
//!
//! A home may be written when no value in it is read afterwards before it is written again: every use of its values in the block
//! where the next value is made stands before that. Uses in other blocks are no matter: what is around the block has given the
//! value away when the home was taken over, and what a loop carries is new in each turn. A value of a block around is never
//! overwritten, since another turn, or another branch, may read it.

use super::in_block;
use crate::tensors::{Done, named};
use terrace_dialect_arith as arith;
use terrace_dialect_bufferization::{MaterializeInDestination, ToTensor};
use terrace_dialect_mdh::view::{CombineKind, Input, Output, View};
use terrace_dialect_mdh::{Compute, Yield};
use terrace_dialect_memref::{SubView, layout::strided};
use terrace_dialect_sched::Alloc;
use terrace_dialect_tensor as tensor;
use terrace_ir::{AttrKind, BlockId, Builder, DYNAMIC, Ir, Name, OpId, TypeKind, Value};
use terrace_support::affine::AffineMap;
use terrace_support::{HashMap, HashSet};

pub(super) fn is_tensor(ir: &Ir, value: Value) -> bool {
    matches!(ir.ty(value).kind(ir.cx()), TypeKind::Tensor { .. })
}

#[derive(Default)]
pub(super) struct Homes {
    /// Which values live where, in order
    all: Vec<(Value, Value)>,
    of: HashMap<Value, Value>,
    held: HashMap<Value, Vec<Value>>,
    /// What writes a computation's result to its home
    writers: HashSet<OpId>,
    /// How many buffers there are
    pub made: u64,
}

impl Homes {
    pub(super) fn lives(&mut self, value: Value, home: Value) {
        self.all.push((value, home));
        self.of.insert(value, home);
        self.held.entry(home).or_default().push(value);
    }

    pub(super) fn of(&self, value: Value) -> Option<Value> {
        self.of.get(&value).copied()
    }

    /// A home like a value, in front of an op
    pub(super) fn alloc(&mut self, ir: &mut Ir, at: OpId, like: Value) -> Done<Value> {
        let cx = ir.cx_arc().clone();
        let TypeKind::Tensor { shape, elem, .. } = ir.ty(like).kind(&cx) else {
            return Err("an operand is no tensor".into());
        };
        if shape.contains(&DYNAMIC) {
            return Err("a tensor whose sizes are not numbers has no form on buffers".into());
        }
        let ty = cx.memref(shape, *elem);
        let loc = ir.loc(at);
        let mut b = Builder::before(ir, at);
        b.set_loc(loc);
        let home = Alloc::build(&mut b, ty).memref(b.read());
        if let Some(name) = ir.value_name(like) {
            let name = Name::Str(cx.intern(name));
            ir.set_value_name(home, name);
        }
        self.made += 1;
        Ok(home)
    }

    /// Write a value to a buffer, in front of an op
    pub(super) fn fill(&mut self, ir: &mut Ir, at: OpId, value: Value, home: Value) {
        write(&mut Builder::before(ir, at), value, home);
    }

    /// The same behind an op, if that is not the block's end
    pub(super) fn fill_after(&mut self, ir: &mut Ir, at: OpId, end: OpId, value: Value, home: Value) {
        if at == end {
            self.fill(ir, end, value, home);
        } else {
            write(&mut Builder::after(ir, at), value, home);
        }
    }

    /// The home of a computation's result, made for it
    pub(super) fn of_computed(&mut self, ir: &mut Ir, value: Value) -> Option<Value> {
        let maker = ir.defining_op(value).filter(|op| Compute::cast(ir, *op).is_some())?;
        let home = self.alloc(ir, maker, value).ok()?;
        let writer = write(&mut Builder::after(ir, maker), value, home);
        self.writers.insert(writer);
        self.lives(value, home);
        Some(home)
    }

    /// A home with this content that may be written; the op is what the content is for
    pub(super) fn writable(&mut self, ir: &mut Ir, user: OpId, value: Value, like: Value) -> Done<Value> {
        self.writable_at(ir, user, user, value, like)
    }

    /// The same, with what it takes in front of an op of the same block, before which nothing may be read either
    pub(super) fn writable_at(
        &mut self,
        ir: &mut Ir,
        at: OpId,
        user: OpId,
        value: Value,
        like: Value,
    ) -> Done<Value> {
        let maker = ir.defining_op(value);
        if maker.is_some_and(|maker| tensor::Empty::cast(ir, maker).is_some()) {
            return self.alloc(ir, at, like);
        }
        let here = ir.value_block(value) == ir.block(user);
        let held = self.of(value).and_then(|home| self.held.get(&home));
        let free = here && is_free(ir, held.map_or(&[value], Vec::as_slice), user);
        if free && let Some(home) = self.of(value).or_else(|| self.of_computed(ir, value)) {
            return Ok(home);
        }
        let home = self.alloc(ir, at, like)?;
        self.fill(ir, at, value, home);
        Ok(home)
    }

    /// A copy of a value, in front of an op
    pub(super) fn aside(&mut self, ir: &mut Ir, at: OpId, value: Value) -> Done<Value> {
        let ty = ir.ty(value);
        let sizes = ty.shape(ir.cx()).unwrap_or(&[]).to_vec();
        let elem = ty.scalar(ir.cx());
        let block = ir.create_block();
        let arg = ir.add_block_arg(block, elem);
        Yield::build(&mut Builder::at_end(ir, block), &[arg]);
        let whole = AffineMap::identity(sizes.len() as u32);
        let view = View {
            name: None,
            dims: named(&sizes, vec![CombineKind::Cc; sizes.len()]),
            inputs: vec![Input { value, map: Some(whole.clone()), other: None, guard: None }],
            outputs: vec![Output { maps: vec![whole], init: None }],
            conditions: Vec::new(),
            extents: Vec::new(),
        };
        let loc = ir.loc(at);
        let mut b = Builder::before(ir, at);
        b.set_loc(loc);
        let made = view.build(&mut b, &[ty], block);
        Ok(ir.result(made.id(), 0))
    }

    /// The first place in a block where a value can go to a home: behind what computes it, or at the block's end
    pub(super) fn earliest(&self, ir: &Ir, end: OpId, block: BlockId, value: Value, home: Value) -> OpId {
        let maker = ir.defining_op(value).filter(|maker| {
            Compute::cast(ir, *maker).is_some() && ir.block(*maker) == Some(block) && self.of(value).is_none()
        });
        let Some(maker) = maker else { return end };
        let held = self.held.get(&home).map_or(&[][..], Vec::as_slice);
        let mut users =
            held.iter().flat_map(|value| ir.uses(*value)).filter_map(|(user, _)| in_block(ir, user, block));
        match users.all(|user| user == maker || ir.is_before(user, maker)) {
            true => maker,
            false => end,
        }
    }

    /// Every use of a value reads its home right before it
    pub(super) fn read_at_uses(&mut self, ir: &mut Ir) {
        for (value, home) in std::mem::take(&mut self.all) {
            let mut last: Option<(OpId, Value)> = None;
            let uses: Vec<(OpId, usize)> = ir.uses(value).collect();
            for (user, n) in uses {
                if self.writers.contains(&user) || super::is_step(ir, user) {
                    continue;
                }
                let read = match last {
                    Some((op, read)) if op == user => read,
                    _ => {
                        let (ty, loc) = (ir.ty(value), ir.loc(user));
                        let mut b = Builder::before(ir, user);
                        b.set_loc(loc);
                        ToTensor::build(&mut b, home, ty).result(b.read())
                    }
                };
                last = Some((user, read));
                ir.set_operand(user, n, read);
            }
        }
    }
}

fn write(b: &mut Builder<'_>, value: Value, home: Value) -> OpId {
    let unit = b.cx().common().unit;
    let op = MaterializeInDestination::build(b, value, home, None);
    op.set_writable(b.ir(), Some(unit));
    op.id()
}

/// Does one use by an op, and nothing behind it in its block, read these values?
fn is_free(ir: &Ir, values: &[Value], user: OpId) -> bool {
    let Some(block) = ir.block(user) else { return false };
    let mut own = 0;
    values.iter().flat_map(|value| ir.uses(*value)).all(|(other, _)| {
        own += usize::from(other == user);
        match in_block(ir, other, block) {
            Some(at) if other == user => at == user && own == 1,
            Some(at) => at != user && ir.is_before(at, user),
            None => true,
        }
    })
}

/// The place of a part in a buffer
pub(super) fn part(ir: &mut Ir, at: OpId, op: tensor::InsertSlice, home: Value) -> Done<Value> {
    let cx = ir.cx_arc().clone();
    let numbers = |attr: terrace_ir::Attr| attr.as_dense_array(&cx).unwrap_or(&[]).to_vec();
    let offsets = numbers(op.static_offsets(ir));
    let (sizes, steps) = (numbers(op.static_sizes(ir)), numbers(op.static_strides(ir)));
    let kept = ir.ty(op.source(ir)).shape(&cx).unwrap_or(&[]).to_vec();
    let TypeKind::MemRef { elem, space, .. } = ir.ty(home).kind(&cx) else {
        return Err("a home is no buffer".into());
    };
    let form = strided(&cx, ir.ty(home)).ok_or("a home has no strides")?;
    if sizes.iter().chain(&steps).chain(&kept).any(|number| *number == DYNAMIC) {
        return Err("a part whose sizes are not numbers has no form on buffers".into());
    }
    let (mut offset, mut strides, mut dim) = (0i64, Vec::new(), 0);
    for ((first, stride), (size, step)) in offsets.iter().zip(&form.strides).zip(sizes.iter().zip(&steps)) {
        offset = match (offset, *first) {
            (DYNAMIC, _) | (_, DYNAMIC) => DYNAMIC,
            (offset, first) => offset + first * stride,
        };
        if kept.get(dim) == Some(size) {
            strides.push(stride * step);
            dim += 1;
        } else if *size != 1 {
            return Err("the part has another shape than its sizes say".into());
        }
    }
    if dim != kept.len() {
        return Err("the part has another shape than its sizes say".into());
    }
    let layout = cx.attr(AttrKind::Strided { strides: strides.into(), offset });
    let ty = cx.ty(TypeKind::MemRef { shape: kept.into(), elem: *elem, layout: Some(layout), space: *space });
    let (places, loc) = (op.offsets(ir), ir.loc(op.id()));
    let lists = [op.static_offsets(ir), op.static_sizes(ir), op.static_strides(ir)];
    let mut b = Builder::before(ir, at);
    b.set_loc(loc);
    Ok(SubView::build(&mut b, home, &places, &[], &[], lists[0], lists[1], lists[2], ty).result(b.read()))
}

/// One element as a tensor without dimensions, in front of an op
pub(super) fn element(ir: &mut Ir, at: OpId, value: Value, places: &[Value]) -> Value {
    let ty = ir.ty(value);
    let cx = ir.cx_arc().clone();
    let block = ir.create_block();
    let whole = ir.add_block_arg(block, ty);
    let own: Vec<Value> = places.iter().map(|_| ir.add_block_arg(block, cx.common().index)).collect();
    let mut b = Builder::at_end(ir, block);
    let read = tensor::Extract::build(&mut b, whole, &own).result(b.read());
    Yield::build(&mut b, &[read]);
    let plain = |value: &Value| Input { value: *value, map: None, other: None, guard: None };
    let view = View {
        name: None,
        dims: Vec::new(),
        inputs: std::iter::once(&value).chain(places).map(plain).collect(),
        outputs: vec![Output { maps: vec![AffineMap::identity(0)], init: None }],
        conditions: Vec::new(),
        extents: Vec::new(),
    };
    let loc = ir.loc(at);
    let mut b = Builder::before(ir, at);
    b.set_loc(loc);
    let made = view.build(&mut b, &[cx.tensor(&[], ty.scalar(&cx))], block);
    ir.result(made.id(), 0)
}

/// An index as a constant, in front of an op
pub(super) fn index(ir: &mut Ir, at: OpId, value: i64) -> Value {
    let attr = ir.cx().index_attr(value);
    let mut b = Builder::before(ir, at);
    arith::Constant::build(&mut b, attr).result(b.read())
}
