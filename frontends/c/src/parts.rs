//! Parts of arrays in memory: of some dimensions everything, of the others one place. The part has the dimensions that are left.

use crate::body::Source;
use crate::emit::{Array, Gen};
use std::collections::BTreeMap;
use terrace_dialect_memref::{self as memref, SubView, layout::strided};
use terrace_ir::{AttrKind, BlockId, DYNAMIC, TypeKind, Value};

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

impl Gen<'_> {
    /// Arrays whose sizes are known only when the function runs, cut to what the computation in progress reaches; gives back
    /// what they were
    ///
    /// Sizes of computations are numbers. The code for the parts stands in front of the computation.
    pub fn cut_to_reach(&mut self, outside: BlockId) -> Vec<(usize, Array)> {
        let Some(body) = &self.body else { return Vec::new() };
        let reads = body.inputs.iter().filter_map(|input| match (&input.source, &input.map) {
            (Source::Array(n, _), Some(map)) => Some((*n, map)),
            _ => None,
        });
        let writes = body.updates.iter().filter_map(|update| Some((update.place.array?, &update.map)));
        let mut reach: BTreeMap<usize, Vec<i64>> = BTreeMap::new();
        for (n, map) in reads.chain(writes).filter(|(n, _)| self.arrays[*n].dims.contains(&DYNAMIC)) {
            let ends = reach.entry(n).or_insert_with(|| vec![1; map.len()]);
            for (end, e) in ends.iter_mut().zip(map) {
                let high = self.range(e).map_or(i64::MAX, |(_, high)| high);
                *end = (*end).max(high.saturating_add(1));
            }
        }
        let block = std::mem::replace(&mut self.block, outside);
        let mut before = Vec::new();
        for (n, ends) in reach {
            let whole = self.arrays[n].clone();
            if ends.len() != whole.dims.len() || ends.iter().any(|end| *end > crate::places::FAR) {
                continue;
            }
            let along: Vec<Along> = whole
                .dims
                .iter()
                .zip(&ends)
                .map(|(size, end)| if *size == DYNAMIC { Along::First(*end) } else { Along::All })
                .collect();
            let fields = whole.fields.iter().map(|field| self.part(*field, &along)).collect();
            let dims =
                whole.dims.iter().zip(&ends).map(|(size, end)| if *size == DYNAMIC { *end } else { *size });
            self.arrays[n] = Array { dims: dims.collect(), fields, ..whole.clone() };
            before.push((n, whole));
        }
        self.block = block;
        before
    }

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
