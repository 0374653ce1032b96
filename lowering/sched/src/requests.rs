//! Elements that one load or store of a kernel accesses: as many as 128 bits have, else 64, side by side in device memory. They are those of
//! a cooperative copy, or the lanes of a vector.
//!
//! Whether a request is aligned follows from types and ranges: buffers are aligned to 128 bits (drivers allocate at more), rows have a
//! multiple of its elements, and so do all indices that it starts at. So it lies within the bounds as a whole, or outside.
//! Where the other side does not store these elements side by side, they are accessed one by one there: through registers.

use crate::emit::{Emit, Res, Val};
use crate::indices::IndexExprs;
use crate::walk::{Number, Request, Walk};
use terrace_analysis::coefficient_of;
use terrace_dialect_memref as memref;
use terrace_dialect_sched::{Space, space};
use terrace_dialect_vector as vector;
use terrace_ir::{Attr, OpId, Type, TypeKind, Value, ValueDef};
use terrace_support::affine::AffineMap;

/// Bytes of a request, the most first
const BYTES: [i64; 2] = [16, 8];

impl Emit<'_> {
    /// The widest request of which every thread has one
    pub fn request(&mut self, walk: &mut Walk) -> Res<Request> {
        let copy = walk.copy;
        let bits = self.element_type(walk).bit_width(&self.cx).map_or(0, i64::from);
        let number =
            matches!(self.element_type(walk).kind(&self.cx), TypeKind::Int { .. } | TypeKind::Float(_));
        let from = copy.from(self.ir).filter(|_| number && copy.operator(self.ir).is_none());
        let (Some(from), Some(fastest)) = (from, walk.order.last().copied()) else {
            return Ok(Request::default());
        };
        let (src, dst, to) = (copy.src(self.ir), copy.dst(self.ir), copy.to(self.ir));
        for bytes in BYTES {
            let elements = 8 * bytes / bits.max(1);
            if elements < 2 || bits % 8 != 0 || walk.sizes[fastest] % elements != 0 {
                continue;
            }
            walk.request = Request { elements, loads: false, stores: false };
            let loads = self.is_wide(walk, src, (&from.map, &from.values))?;
            let stores = self.is_wide(walk, dst, (&to.map, &to.values))?;
            let shared = |memory: Value| space::of(&self.cx, self.ir.ty(memory)) == Space::Shared;
            let outside = if shared(src) { stores } else { loads };
            if outside && walk.whole() > 0 {
                return Ok(Request { elements, loads, stores });
            }
        }
        Ok(Request::default())
    }

    /// Do the elements of a request lie side by side, and aligned?
    fn is_wide(&mut self, walk: &Walk, memory: Value, access: (&AffineMap, &[Value])) -> Res<bool> {
        let (Some(fastest), Some((last, others))) = (walk.order.last(), access.0.results.split_last()) else {
            return Ok(false);
        };
        let along = |expr| coefficient_of(expr, *fastest as u32);
        if along(last) != Some(1) || others.iter().any(|expr| along(expr) != Some(0)) {
            return Ok(false);
        }
        let (memory, shape, _) = self.memory(walk.copy.0, memory)?;
        let elements = walk.request.elements;
        let rows = shape.last().is_some_and(|size| *size > 0 && size % elements == 0);
        if !rows || !self.is_block(memory) {
            return Ok(false);
        }
        let place = self.element_of(walk, (walk.number(0), 0), access)?;
        let start = place.exprs.last().map(|expr| place.range(expr).divisor());
        Ok(start.is_some_and(|divisor| divisor % elements.unsigned_abs() == 0))
    }

    /// A load of lanes side by side; in a kernel one instruction has all of them where they are aligned
    pub fn load_lanes(&mut self, operands: &[Value], ty: Type, shape: &[i64], place: &IndexExprs) -> Value {
        let aligned = self.lanes_aligned(operands[0], ty, shape, place);
        let value = self.value(vector::Load::DEF, operands, ty, &[]);
        if let Some(load) = self.ir.defining_op(value).and_then(|op| vector::Load::cast(self.ir, op)) {
            load.set_alignment(self.ir, aligned);
        }
        value
    }

    /// Bytes that lanes in a kernel are aligned to, where they are not more than one instruction accesses
    pub fn lanes_aligned(&self, memory: Value, ty: Type, shape: &[i64], place: &IndexExprs) -> Option<Attr> {
        let lanes = ty.num_elements(&self.cx)?;
        let bytes = lanes.checked_mul(i64::from(ty.scalar(&self.cx).bit_width(&self.cx)? / 8))?;
        let rows = shape.last().is_some_and(|size| *size > 0 && size % lanes == 0);
        if self.grid.is_none() || !BYTES.contains(&bytes) || !rows || !self.is_block(memory) {
            return None;
        }
        let first = place.at_lane(0);
        let start = place.range(first.last()?).divisor();
        start
            .is_multiple_of(lanes.unsigned_abs())
            .then(|| self.cx.int_attr(i128::from(bytes), self.cx.common().i64))
    }

    /// Does memory start where an allocation does? A view in another shape does, too
    fn is_block(&self, memory: Value) -> bool {
        let dense = matches!(self.ir.ty(memory).kind(&self.cx), TypeKind::MemRef { layout: None, .. });
        let made = |op: OpId| memref::Alloc::cast(self.ir, op).is_some();
        let viewed = |op: OpId| {
            let collapsed = memref::CollapseShape::cast(self.ir, op).map(|op| op.src(self.ir));
            collapsed.or_else(|| memref::ExpandShape::cast(self.ir, op).map(|op| op.src(self.ir)))
        };
        dense
            && match self.ir.value_def(memory) {
                Some(ValueDef::Result(op, _)) => match viewed(op) {
                    Some(of) => self.is_block(of),
                    None => made(op),
                },
                Some(ValueDef::Arg(..)) => true,
                None => false,
            }
    }

    /// What a thread holds of a request
    pub fn request_type(&self, walk: &Walk) -> Type {
        let (elements, elem) = (walk.request.elements, self.element_type(walk));
        if elements > 1 { self.cx.vector(&[elements], elem) } else { elem }
    }

    /// Bytes of a request, as the attribute of its accesses
    fn alignment(&self, walk: &Walk) -> Option<Attr> {
        let bits = self.element_type(walk).bit_width(&self.cx)?;
        Some(self.cx.int_attr(i128::from(walk.request.elements) * i128::from(bits / 8), self.cx.common().i64))
    }

    /// The values that a copy gives the elements of a request
    pub fn read_request(&mut self, walk: &Walk, number: Number<'_>) -> Res<Value> {
        let (elements, ty) = (walk.request.elements, self.request_type(walk));
        let copy = walk.copy;
        let Some(from) = copy.from(self.ir).filter(|_| elements > 1) else {
            return self.read_element(walk, (number, 0));
        };
        if !walk.request.loads {
            let zero = self.zero(self.element_type(walk));
            let mut all = self.vector(Val::One(zero), elements);
            for lane in 0..elements {
                let value = self.read_element(walk, (number, lane))?;
                all = self.insert(value, all, lane);
            }
            return Ok(all);
        }
        let place = self.element_of(walk, (number, 0), (&from.map, &from.values))?;
        let (memory, shape, _) = self.memory(copy.0, copy.src(self.ir))?;
        let padding = copy.padding(self.ir).map(|padding| self.get(padding));
        let inside = padding.and_then(|_| self.inside(&place, &shape).condition);
        let mut load = |e: &mut Self| {
            let mut operands = vec![memory];
            operands.extend(e.address(memory, &place));
            let value = e.value(vector::Load::DEF, &operands, ty, &[]);
            if let Some(load) = e.ir.defining_op(value).and_then(|op| vector::Load::cast(e.ir, op)) {
                let alignment = e.alignment(walk);
                load.set_alignment(e.ir, alignment);
            }
            Ok(vec![value])
        };
        let Some((inside, padding)) = inside.zip(padding) else { return Ok(load(self)?[0]) };
        let other = self.vector(padding, elements);
        Ok(self.choose(inside, &[ty], &mut load, &mut |_| Ok(vec![other]))?[0])
    }

    /// Store the elements of a request
    pub fn write_request(&mut self, walk: &Walk, number: Number<'_>, value: Value) -> Res<()> {
        let (copy, elements) = (walk.copy, walk.request.elements);
        if elements == 1 {
            return self.write_element(walk, (number, 0), value);
        }
        if !walk.request.stores {
            return (0..elements).try_for_each(|lane| {
                let one = self.extract(value, lane);
                self.write_element(walk, (number, lane), one)
            });
        }
        let to = copy.to(self.ir);
        let place = self.element_of(walk, (number, 0), (&to.map, &to.values))?;
        let (memory, shape, _) = self.memory(copy.0, copy.dst(self.ir))?;
        let inside = copy.clip(self.ir).and_then(|_| self.inside(&place, &shape).condition);
        let mut store = |e: &mut Self| {
            let indices = e.address(memory, &place);
            let store = vector::Store::build(&mut e.b(), value, memory, &indices);
            let alignment = e.alignment(walk);
            store.set_alignment(e.ir, alignment);
            Ok(Vec::new())
        };
        match inside {
            Some(inside) => self.choose(inside, &[], &mut store, &mut |_| Ok(Vec::new())).map(|_| ()),
            None => store(self).map(|_| ()),
        }
    }
}
