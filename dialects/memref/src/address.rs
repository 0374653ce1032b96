//! Where elements of a view lie in the memory that it is a view of, in bytes.

use super::layout::strided;
use super::{
    AssumeAlignment, Cast, CollapseShape, ExpandShape, MemorySpaceCast, ReinterpretCast, SubView, Transpose,
    View,
};
use terrace_dialect_shapes::slices::lists;
use terrace_ir::show::elem_bytes;
use terrace_ir::{DYNAMIC, Ir, OpDef, Value, fold::constant_of};

/// Bytes from the start of memory to an element: a constant, multiples of values, and a multiple of each coordinate
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// The first element, as far as it is a number
    pub offset: i64,
    /// What is added to it: values, and how many bytes each of their units is
    pub values: Vec<(Value, i64)>,
    /// Distance of neighbors in each dimension
    pub strides: Vec<i64>,
}

/// Views with the first element of their source
const SAME_START: [&OpDef; 6] = [
    AssumeAlignment::DEF,
    Cast::DEF,
    CollapseShape::DEF,
    ExpandShape::DEF,
    MemorySpaceCast::DEF,
    Transpose::DEF,
];

/// Where elements of a buffer lie in its [root](super::root); `None` where strides or the start are not known
pub fn address(ir: &Ir, buffer: Value) -> Option<Address> {
    let (cx, ty) = (ir.cx(), ir.ty(buffer));
    let bytes = i64::try_from(elem_bytes(cx, ty.element(cx)?)).ok().filter(|bytes| *bytes > 0)?;
    let strides = strided(cx, ty)?.strides;
    let strides = strides.into_iter().map(|stride| in_bytes(stride, bytes)).collect::<Option<_>>()?;
    let mut address = Address { offset: 0, values: Vec::new(), strides };
    address.start(ir, buffer)?;
    Some(address)
}

/// Elements as bytes, if their number is known
fn in_bytes(elements: i64, bytes: i64) -> Option<i64> {
    (elements != DYNAMIC).then(|| elements.checked_mul(bytes))?
}

impl Address {
    /// Add the start of a buffer
    fn start(&mut self, ir: &Ir, mut buffer: Value) -> Option<()> {
        let cx = ir.cx();
        loop {
            let ty = ir.ty(buffer);
            let bytes = i64::try_from(elem_bytes(cx, ty.element(cx)?)).ok()?;
            let layout = strided(cx, ty)?;
            let view = ir.defining_op(buffer).filter(|op| ir.has(*op, terrace_ir::Traits::ViewLike));
            if let Some(view) = view.and_then(|op| View::cast(ir, op)) {
                // It has a pointer of its own, and begins there.
                self.add(ir, view.byte_shift(ir), 1)?;
                buffer = view.source(ir);
                continue;
            }
            if layout.offset != DYNAMIC {
                // Offsets count from the pointer, which other views have from their source.
                self.offset = self.offset.checked_add(in_bytes(layout.offset, bytes)?)?;
                return self.pointer(ir, buffer);
            }
            let op = view?;
            let [offsets, ..] = lists(ir, op);
            if ir.is_any(op, &SAME_START) {
                buffer = ir.operand(op, 0);
            } else if let Some(part) = SubView::cast(ir, op) {
                let from = strided(cx, ir.ty(part.source(ir)))?;
                let mut dynamic = part.offsets(ir).into_iter();
                for (stride, offset) in from.strides.iter().zip(offsets) {
                    match (*offset == DYNAMIC).then(|| dynamic.next()) {
                        Some(value) => self.add(ir, value?, in_bytes(*stride, bytes)?)?,
                        None if *offset == 0 => {}
                        None => {
                            let by = in_bytes(*stride, bytes)?.checked_mul(*offset)?;
                            self.offset = self.offset.checked_add(by)?;
                        }
                    }
                }
                buffer = part.source(ir);
            } else if let Some(read) = ReinterpretCast::cast(ir, op) {
                match offsets.first().copied()? {
                    DYNAMIC => self.add(ir, read.offsets(ir).into_iter().next()?, bytes)?,
                    offset => self.offset = self.offset.checked_add(in_bytes(offset, bytes)?)?,
                }
                return self.pointer(ir, buffer);
            } else {
                return None;
            }
        }
    }

    /// Add the pointer of a buffer: that of its root, but for views of bytes on the way
    fn pointer(&mut self, ir: &Ir, mut buffer: Value) -> Option<()> {
        while let Some(op) = ir.defining_op(buffer).filter(|op| ir.has(*op, terrace_ir::Traits::ViewLike)) {
            if View::cast(ir, op).is_some() {
                return self.start(ir, buffer);
            }
            let known = ir.is_any(op, &SAME_START) || ir.is_any(op, &[SubView::DEF, ReinterpretCast::DEF]);
            if !known {
                return None;
            }
            buffer = ir.operand(op, 0);
        }
        Some(())
    }

    fn add(&mut self, ir: &Ir, value: Value, bytes: i64) -> Option<()> {
        match constant_of(ir, value).and_then(|attr| attr.as_i64(ir.cx())) {
            Some(number) => self.offset = self.offset.checked_add(number.checked_mul(bytes)?)?,
            None => self.values.push((value, bytes)),
        }
        Some(())
    }

    /// May two elements of a shape be at one place?
    pub fn overlaps(&self, shape: &[i64], bytes: i64) -> bool {
        let mut dims: Vec<(i64, i64)> = self.strides.iter().copied().zip(shape.iter().copied()).collect();
        dims.retain(|(_, size)| *size != 1);
        dims.sort_by_key(|(stride, _)| stride.unsigned_abs());
        let mut end = bytes;
        for (n, (stride, size)) in dims.iter().enumerate() {
            if stride.saturating_abs() < end {
                return true;
            }
            end = match *size {
                0.. => end.saturating_add(stride.saturating_abs().saturating_mul((size - 1).max(0))),
                // Whatever size the outermost has.
                _ if n + 1 == dims.len() => end,
                _ => return true,
            };
        }
        false
    }
}
