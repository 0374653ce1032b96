//! Values from one piece to another: computed again where that is cheap, else through memory.

use super::split::{Home, Splitter};
use super::{Refused, is_pure};
use terrace_dialect_memref as memref;
use terrace_dialect_memref::layout::strided;
use terrace_ir::ir::ValueMap;
use terrace_ir::{AttrKind, Builder, DYNAMIC, OpId, Type, TypeKind, Value};

/// Most ops that are done again rather than a value being kept
const CHEAP: usize = 6;

impl Splitter<'_> {
    /// What a value is called in a piece
    pub(super) fn here(&mut self, n: usize, value: Value) -> Result<Value, Refused> {
        let value = self.origins.get(&value).copied().unwrap_or(value);
        let Some(home) = self.homes.get(&value).copied() else { return Ok(value) };
        let buffer = match home {
            Home::Id(axis) => return Ok(self.pieces[n].ids[axis]),
            Home::Piece(of) if of == n => return Ok(value),
            _ if self.pieces[n].here.contains_key(&value) => return Ok(self.pieces[n].here[&value]),
            Home::Buffer(buffer) => buffer,
            Home::Piece(of) => {
                let def = self.ir.defining_op(value).expect("values of pieces are results");
                if memref::Alloca::cast(self.ir, def).is_some() {
                    return self.memory(n, of, value, def);
                }
                let mut left = CHEAP;
                if self.cheap(value, n, &mut left) {
                    return self.again(n, value, def);
                }
                self.keep(of, value, def)?
            }
        };
        let number = self.number(n);
        let mut b = Builder::before(self.ir, self.pieces[n].first);
        let here = memref::Load::build(&mut b, buffer, &[number]).result(b.read());
        self.called(n, value, here);
        Ok(here)
    }

    /// Can it be computed again from what is the same everywhere, with a few ops?
    fn cheap(&self, value: Value, n: usize, left: &mut usize) -> bool {
        let value = self.origins.get(&value).copied().unwrap_or(value);
        if self.pieces[n].here.contains_key(&value) {
            return true;
        }
        match self.homes.get(&value) {
            None | Some(Home::Id(_)) => true,
            Some(Home::Buffer(_)) => false,
            Some(Home::Piece(_)) => {
                let Some(def) = self.ir.defining_op(value).filter(|def| is_pure(self.ir, *def)) else {
                    return false;
                };
                let Some(rest) = left.checked_sub(1) else { return false };
                *left = rest;
                self.ir.operands(def).all(|operand| self.cheap(operand, n, left))
            }
        }
    }

    fn again(&mut self, n: usize, value: Value, def: OpId) -> Result<Value, Refused> {
        let mut map = ValueMap::default();
        for operand in self.ir.operands(def).collect::<Vec<_>>() {
            let here = self.here(n, operand)?;
            map.insert(operand, here);
        }
        let copy = self.ir.clone_op(None, def, &mut map);
        self.ir.insert_before(self.pieces[n].first, copy);
        let results: Vec<(Value, Value)> = self.ir.results(def).zip(self.ir.results(copy)).collect();
        results.into_iter().for_each(|(old, new)| self.called(n, old, new));
        Ok(self.pieces[n].here[&value])
    }

    /// Put a value into a buffer where it is defined
    fn keep(&mut self, of: usize, value: Value, def: OpId) -> Result<Value, Refused> {
        if let Some(buffer) = self.kept.get(&value) {
            return Ok(*buffer);
        }
        let buffer = self.buffer(self.ir.ty(value), def)?;
        let number = self.number(of);
        let mut b = Builder::after(self.ir, def);
        memref::Store::build(&mut b, value, buffer, &[number]);
        self.kept.insert(value, buffer);
        Ok(buffer)
    }

    /// Memory of a thread that several pieces use: a part of a buffer of the block
    fn memory(&mut self, n: usize, of: usize, value: Value, def: OpId) -> Result<Value, Refused> {
        if !self.kept.contains_key(&value) {
            let cx = self.ir.cx_arc().clone();
            let TypeKind::MemRef { shape, elem, layout: None, space } = self.ir.ty(value).kind(&cx) else {
                return Err((def, "has a layout, and threads use it before and after they wait".into()));
            };
            if shape.contains(&DYNAMIC) {
                return Err((
                    def,
                    "has a size known at run time only, and threads use it before and after they wait".into(),
                ));
            }
            let shape = [&[DYNAMIC], &shape[..]].concat();
            let all =
                cx.ty(TypeKind::MemRef { shape: shape[..].into(), elem: *elem, layout: None, space: *space });
            let buffer = self.alloc(all);
            self.kept.insert(value, buffer);
            self.replaced.push(def);
            let part = self.part(of, value, def, def);
            self.origins.insert(part, value);
            // Those that are not cut yet ask for their own part.
            let piece = self.ir.block(def).expect("it stands in its piece");
            let inside = self.ir.block_parent(piece).expect("a loop");
            let users: Vec<(OpId, usize)> = self
                .ir
                .walk_below(inside)
                .flat_map(|op| (0..self.ir.num_operands(op)).map(move |at| (op, at)))
                .filter(|(op, at)| self.ir.operand(*op, *at) == value)
                .collect();
            for (op, at) in users {
                self.ir.set_operand(op, at, part);
            }
        }
        let first = self.pieces[n].first;
        let part = self.part(n, value, def, first);
        self.called(n, value, part);
        Ok(part)
    }

    /// A piece has a name of its own for a value
    fn called(&mut self, n: usize, value: Value, here: Value) {
        self.pieces[n].here.insert(value, here);
        self.origins.insert(here, value);
    }

    /// The part of a thread, before an op of a piece
    fn part(&mut self, n: usize, value: Value, def: OpId, before: OpId) -> Value {
        let buffer = self.kept[&value];
        let number = self.number(n);
        let cx = self.ir.cx_arc().clone();
        let ty = self.ir.ty(value);
        let part = part_type(&cx, ty);
        let shape = ty.shape(&cx).unwrap_or(&[]).to_vec();
        let list = |numbers: Vec<i64>| {
            cx.attr(AttrKind::DenseArray { elem: cx.common().i64, values: numbers.into() })
        };
        let zeros = list([vec![DYNAMIC], vec![0; shape.len()]].concat());
        let sizes = list([vec![1], shape.clone()].concat());
        let steps = list(vec![1; shape.len() + 1]);
        let loc = self.ir.loc(def);
        let mut b = Builder::before(self.ir, before);
        b.set_loc(loc);
        memref::SubView::build(&mut b, buffer, &[number], &[], &[], zeros, sizes, steps, part)
            .result(b.read())
    }
}

/// Type of a part: the same elements, somewhere
fn part_type(cx: &terrace_ir::Context, ty: Type) -> Type {
    let TypeKind::MemRef { shape, elem, space, .. } = ty.kind(cx) else { return ty };
    let strides = strided(cx, ty).map_or_else(Vec::new, |form| form.strides);
    let layout = cx.attr(AttrKind::Strided { strides: strides.into(), offset: DYNAMIC });
    cx.ty(TypeKind::MemRef { shape: shape.clone(), elem: *elem, layout: Some(layout), space: *space })
}
