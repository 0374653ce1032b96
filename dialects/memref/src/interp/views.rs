//! Views of buffers, and the buffers of the module.

use super::super::shapes::rows;
use super::super::views::kept_dims;
use super::super::{GetGlobal, Global, ReinterpretCast, SubView, View};
use super::make;
use crate::layout::strided;
use crate::subview_type;
use terrace_dialect_shapes::slices::{lists, numbers};
use terrace_interp::{InBytes, Machine, MemRef, PlaceGlobal, RtValue, Trap, codes};
use terrace_ir::{DYNAMIC, TypeKind};

terrace_interp::interpret_by_run!(SubView ReinterpretCast GetGlobal View);

fn outside() -> Trap {
    Trap::new(&codes::BOUNDS, "the view reaches outside of its source")
}

impl SubView {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let (ir, cx) = (m.ir(), m.cx());
        let source = m.decide_memref(self.source(ir))?;
        let [offsets, sizes, steps] = numbers(m, 1)?;
        let (mut offset, mut strides) = (i128::from(source.offset), Vec::with_capacity(sizes.len()));
        for n in 0..sizes.len() {
            let (at, size, step) = (i128::from(offsets[n]), i128::from(sizes[n]), i128::from(steps[n]));
            let last = at + (size - 1) * step;
            let all = 0..i128::from(source.sizes[n]);
            if size < 0 || size > 0 && !(all.contains(&at) && all.contains(&last)) {
                return Err(outside());
            }
            let stride = i128::from(source.strides[n]);
            offset += at * stride;
            strides.push(i64::try_from(step * stride).map_err(|_| outside())?);
        }
        let to = ir.ty(self.result(ir));
        let all = lists(ir, self.0);
        let full = subview_type(cx, ir.ty(self.source(ir)), all).and_then(|full| strided(cx, full));
        let kept = full
            .zip(strided(cx, to))
            .and_then(|(full, given)| kept_dims(all[1], &full.strides, to.shape(cx)?, Some(&given.strides)));
        let kept = kept.ok_or_else(|| Trap::new(&codes::INVALID, "the view's type does not fit"))?;
        let pick =
            |list: &[i64]| list.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(n, _)| *n).collect();
        let view = MemRef {
            offset: i64::try_from(offset).map_err(|_| outside())?,
            sizes: pick(&sizes),
            strides: pick(&strides),
            ..source
        };
        m.set_result(0, RtValue::MemRef(view));
        Ok(())
    }
}

impl ReinterpretCast {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let source = m.decide_memref(self.source(m.ir()))?;
        let [offset, sizes, strides] = numbers(m, 1)?;
        // The memory itself checks each access.
        if sizes.iter().any(|size| *size < 0) {
            return Err(outside());
        }
        let offset = offset.first().copied().unwrap_or(0);
        let view = MemRef { offset, sizes: sizes.into(), strides: strides.into(), ..source };
        m.set_result(0, RtValue::MemRef(view));
        Ok(())
    }
}

impl View {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let (ir, cx) = (m.ir(), m.cx());
        let source = m.decide_memref(self.source(ir))?;
        let shift = m.decide_i64(self.byte_shift(ir), "the shift")?;
        let to = ir.ty(self.result(ir));
        let mut given = self.sizes(ir).into_iter();
        let mut sizes = Vec::new();
        for size in to.shape(cx).unwrap_or(&[]) {
            let open = if *size == DYNAMIC { given.next() } else { None };
            sizes.push(match open {
                Some(value) => m.decide_i64(value, "the size")?,
                None => *size,
            });
        }
        let elem = to.element(cx).unwrap_or(to);
        let float = match elem.kind(cx) {
            TypeKind::Float(kind) => Some(*kind),
            _ => None,
        };
        let bits = elem.bit_width(cx).unwrap_or(64);
        if !matches!(bits, 8 | 16 | 32 | 64) {
            let why = "the interpreter sees bytes as numbers of 8, 16, 32 or 64 bits only";
            return Err(Trap::new(&codes::UNSUPPORTED, why));
        }
        let width = (bits / 8) as u8;
        let end = sizes.iter().try_fold(i64::from(width), |all, size| all.checked_mul(*size));
        let end = end.and_then(|all| all.checked_add(shift));
        let room = source.sizes.first().copied().unwrap_or(0);
        if shift < 0 || sizes.iter().any(|size| *size < 0) || end.is_none_or(|end| end > room) {
            return Err(outside());
        }
        let view = MemRef {
            offset: 0,
            strides: rows(&sizes).into(),
            sizes: sizes.into(),
            bytes: Some(InBytes { first: source.offset + shift, width, float }),
            ..source
        };
        m.set_result(0, RtValue::MemRef(view));
        Ok(())
    }
}

impl GetGlobal {
    fn run(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let cx = m.cx();
        let name = self.name(m.ir()).as_symbol(cx).map_or("", |(name, _)| cx.str(name));
        let view = match m.global(name) {
            Some(view) => view,
            None => place(m, name)?,
        };
        m.set_result(0, RtValue::MemRef(view));
        Ok(())
    }
}

impl PlaceGlobal for Global {
    fn place(m: &mut Machine<'_>, name: &str) -> Result<Option<MemRef>, Trap> {
        let declared =
            m.symbol(name).and_then(|(ir, op)| Some(Global::cast(ir, op)?.initial_value(ir).is_none()));
        match m.global(name) {
            Some(view) => Ok(Some(view)),
            None if declared == Some(true) => Ok(None),
            None => place(m, name).map(Some),
        }
    }
}

/// Memory for a buffer of the module, with what it holds at the start
fn place(m: &mut Machine<'_>, name: &str) -> Result<MemRef, Trap> {
    let missing = |what: &str| Trap::new(&codes::INVALID, format!("the buffer @{name} {what}"));
    let (ir, op) = m.symbol(name).ok_or_else(|| missing("is not there"))?;
    let global = Global::cast(ir, op).ok_or_else(|| missing("is not there"))?;
    let ty = global.ty(ir).as_type(m.cx()).ok_or_else(|| missing("has no type"))?;
    let value = global.initial_value(ir).ok_or_else(|| missing("is only declared"))?;
    let sizes = ty.shape(m.cx()).unwrap_or(&[]);
    let view = make(m, ty, sizes, Vec::new())?;
    if value != m.cx().common().unit {
        let unsupported = || Trap::new(&codes::UNSUPPORTED, "the interpreter does not know these contents");
        let Some(RtValue::Vector(all)) = RtValue::of_attr(m.cx(), value) else { return Err(unsupported()) };
        let mut at = vec![0i64; sizes.len()];
        for element in &*all {
            m.memory().store(&view, &at, element.clone())?;
            if let Some(n) = (0..at.len()).rev().find(|n| at[*n] + 1 < sizes[*n]) {
                at[n] += 1;
                at[n + 1..].fill(0);
            }
        }
    }
    m.set_global(name, view.clone());
    Ok(view)
}
