//! Parts of arrays in memory: of some dimensions everything, of the others one place. The part has the dimensions that are left.

use crate::emitter::Emitter;
use terrace_dialect_memref::layout::strided;
use terrace_dialect_memref::{self as memref, SubView};
use terrace_ir::{AttrKind, DYNAMIC, TypeKind, Value};

/// What of a dimension is in a part
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Along {
    /// Everything
    All,
    /// So many from the first
    First(i64),
    /// One place
    At(i64),
    /// One place that is known while running
    Where(Value),
}

impl Emitter<'_> {
    /// A part of a buffer; one entry for each dimension
    pub fn part(&mut self, memref: Value, along: &[Along]) -> Value {
        let cx = self.ir.cx_arc().clone();
        let ty = self.ir.ty(memref);
        let (Some(form), TypeKind::MemRef { shape, elem, space, .. }) = (strided(&cx, ty), ty.kind(&cx))
        else {
            return memref;
        };
        let (mut offset, mut places, mut extents) = (form.offset, Vec::new(), Vec::new());
        let (mut starts, mut sizes) = (Vec::new(), Vec::new());
        let (mut kept, mut strides) = (Vec::new(), Vec::new());
        for (n, along) in along.iter().enumerate() {
            let (place, size) = match along {
                Along::All => {
                    kept.push(shape[n]);
                    strides.push(form.strides[n]);
                    if shape[n] == DYNAMIC {
                        let at = self.index(n as i64);
                        let index = cx.common().index;
                        extents.push(self.op(memref::Dim::DEF, &[memref, at], index));
                    }
                    (0, shape[n])
                }
                Along::First(size) => {
                    kept.push(*size);
                    strides.push(form.strides[n]);
                    (0, *size)
                }
                Along::At(place) => (*place, 1),
                Along::Where(value) => {
                    places.push(*value);
                    (DYNAMIC, 1)
                }
            };
            offset = match (offset, place, form.strides[n]) {
                (_, 0, _) => offset,
                (DYNAMIC, ..) | (_, DYNAMIC, _) | (.., DYNAMIC) => DYNAMIC,
                (offset, place, stride) => {
                    place.checked_mul(stride).and_then(|by| offset.checked_add(by)).unwrap_or(DYNAMIC)
                }
            };
            starts.push(place);
            sizes.push(size);
        }
        let layout = cx.attr(AttrKind::Strided { strides: strides.into(), offset });
        let part =
            cx.ty(TypeKind::MemRef { shape: kept.into(), elem: *elem, layout: Some(layout), space: *space });
        let ones = vec![1; starts.len()];
        let [starts, sizes, ones] = [starts, sizes, ones]
            .map(|list| cx.attr(AttrKind::DenseArray { elem: cx.common().i64, values: list.into() }));
        let mut b = self.b();
        SubView::build(&mut b, memref, &places, &extents, &[], starts, sizes, ones, part).result(b.read())
    }
}
