//! Reads whose lanes are a few elements of a row apart: all elements between the first and the last are loaded, and shuffles keep
//! those of the lanes.
//!
//! No load reaches beyond the last lane's element, behind which the buffer may end: the last one starts early enough. Where lanes
//! are masked, only elements of lanes that happen are touched.

use crate::emit::{Emit, Val};
use crate::memory::LaneRead;
use terrace_dialect_vector as vector;
use terrace_ir::{Type, Value};
use terrace_support::affine::AffineExpr;

/// The elements of a row from its first lane's to its last lane's, in loads of as many as there are lanes
struct Row {
    width: i64,
    apart: i64,
}

impl Row {
    fn elements(&self) -> i64 {
        (self.width - 1) * self.apart + 1
    }

    fn loads(&self) -> i64 {
        self.elements().unsigned_abs().div_ceil(self.width.unsigned_abs()) as i64
    }

    /// The element that a load starts at
    fn start(&self, load: i64) -> i64 {
        (load * self.width).min(self.elements() - self.width)
    }

    /// Which load has a lane's element
    fn load_of(&self, lane: i64) -> i64 {
        lane * self.apart / self.width
    }

    /// For each lane: its element in a load, else in the first one, or what earlier loads gave
    fn kept(&self, load: i64) -> Vec<i64> {
        let place = |lane: i64| match self.load_of(lane) == load {
            true => self.width + lane * self.apart - self.start(load),
            false if load == 1 => lane * self.apart % self.width,
            false => lane,
        };
        (0..self.width).map(place).collect()
    }

    /// For each element of a load: the lane that it belongs to, else one behind all lanes
    fn owners(&self, load: i64) -> Vec<i64> {
        let elements = (0..self.width).map(|n| self.start(load) + n);
        elements.map(|at| if at % self.apart == 0 { at / self.apart } else { self.width }).collect()
    }
}

impl Emit<'_> {
    /// A vector of elements that are a few apart; lanes that a mask leaves out hold anything
    pub fn read_apart(&mut self, read: &LaneRead<'_>, apart: i64, mask: Option<Value>) -> Value {
        let row = Row { width: read.lanes.width, apart };
        let ty = self.cx.vector(&[row.width], read.elem);
        let mut all = self.part_of_row(read, &row, 0, (ty, mask));
        for load in 1..row.loads() {
            let value = self.part_of_row(read, &row, load, (ty, mask));
            all = self.shuffled([all, value], ty, &row.kept(load));
        }
        all
    }

    /// One of the loads
    fn part_of_row(
        &mut self,
        read: &LaneRead<'_>,
        row: &Row,
        load: i64,
        (ty, mask): (Type, Option<Value>),
    ) -> Value {
        let width = read.lanes.width;
        let mut place = read.place.clone();
        if let Some(last) = place.exprs.last_mut() {
            *last = AffineExpr::add(last.clone(), row.start(load).into());
        }
        let mut operands = vec![read.memory];
        operands.extend(self.address(read.memory, &place));
        let Some(mask) = mask else { return self.value(vector::Load::DEF, &operands, ty, &[]) };
        let (none, kind) = (self.splat(self.cx.bool_attr(false), width), self.ir.ty(mask));
        let elements = self.shuffled([mask, none], kind, &row.owners(load));
        let zero = self.zero(read.elem);
        let zeros = self.vector(Val::One(zero), width);
        operands.extend([elements, zeros]);
        self.value(vector::MaskedLoad::DEF, &operands, ty, &[])
    }

    fn shuffled(&mut self, of: [Value; 2], ty: Type, places: &[i64]) -> Value {
        let mask = self.cx.i64_array(places);
        self.value(vector::Shuffle::DEF, &of, ty, &[Some(mask)])
    }
}
