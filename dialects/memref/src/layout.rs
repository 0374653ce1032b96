//! Where elements of a memref lie: strides and offset of a type, in elements.
//!
//! A layout that is no linear form (a tiled one, for example) has no strides: its ops work, but nothing may view parts of
//! such a buffer. Symbols of a layout are its dynamic numbers, the offset's before the strides'.

use terrace_dialect_shapes::numbers::{plus, times};
use terrace_ir::{AttrKind, Context, DYNAMIC, Type, TypeKind};
use terrace_support::affine::{AffineExpr, AffineKind};

/// Strides and offset of a type; [`DYNAMIC`] where only known at run time
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strided {
    /// Element where the first one lies
    pub offset: i64,
    /// Distance of neighbours in each dimension
    pub strides: Vec<i64>,
}

impl Strided {
    /// Number of entries known at run time only
    pub fn dynamic(&self) -> usize {
        usize::from(self.offset == DYNAMIC) + self.strides.iter().filter(|stride| **stride == DYNAMIC).count()
    }
}

/// Strides of rows after rows
pub(crate) fn row_major(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1i64; shape.len()];
    for n in (1..shape.len()).rev() {
        strides[n - 1] = match (strides[n], shape[n]) {
            (DYNAMIC, _) | (_, DYNAMIC) => DYNAMIC,
            (stride, size) => stride.checked_mul(size).unwrap_or(DYNAMIC),
        };
    }
    strides
}

/// Strides and offset of a ranked memref type; `None` if its layout has none
pub fn strided(cx: &Context, ty: Type) -> Option<Strided> {
    let TypeKind::MemRef { shape, layout, .. } = ty.kind(cx) else { return None };
    let Some(layout) = layout else { return Some(Strided { offset: 0, strides: row_major(shape) }) };
    match layout.kind(cx) {
        AttrKind::Strided { strides, offset } => Some(Strided { offset: *offset, strides: strides.to_vec() }),
        AttrKind::AffineMap(map) if map.is_identity() => {
            Some(Strided { offset: 0, strides: row_major(shape) })
        }
        AttrKind::AffineMap(map) => {
            let [form] = &map.results[..] else { return None };
            let mut all = Strided { offset: 0, strides: vec![0; shape.len()] };
            gather(form, 1, &mut all)?;
            Some(all)
        }
        _ => None,
    }
}

/// Add a form times a factor; `None` if it is not linear in the dimensions
fn gather(form: &AffineExpr, factor: i64, all: &mut Strided) -> Option<()> {
    match form {
        AffineExpr::Dim(n) => {
            let stride = all.strides.get_mut(*n as usize)?;
            *stride = plus(*stride, factor);
        }
        AffineExpr::Constant(number) => all.offset = plus(all.offset, times(*number, factor)),
        form if form.is_symbolic_or_constant() => all.offset = DYNAMIC,
        form => {
            let (kind, a, b) = form.as_binary()?;
            match kind {
                AffineKind::Add => {
                    gather(a, factor, all)?;
                    gather(b, factor, all)?;
                }
                AffineKind::Mul if b.is_symbolic_or_constant() => {
                    gather(a, times(factor, b.as_constant().unwrap_or(DYNAMIC)), all)?;
                }
                AffineKind::Mul if a.is_symbolic_or_constant() => {
                    gather(b, times(factor, a.as_constant().unwrap_or(DYNAMIC)), all)?;
                }
                _ => return None,
            }
        }
    }
    Some(())
}

/// Number of symbols that the layout of a type has: what `alloc` takes in its square brackets
pub(crate) fn symbols(cx: &Context, ty: Type) -> usize {
    let TypeKind::MemRef { layout: Some(layout), .. } = ty.kind(cx) else { return 0 };
    match layout.kind(cx) {
        AttrKind::AffineMap(map) => map.symbols as usize,
        _ => strided(cx, ty).map_or(0, |strided| strided.dynamic()),
    }
}

/// The type with a strided layout
pub(crate) fn with_strides(cx: &Context, ty: Type, shape: &[i64], strided: &Strided) -> Type {
    let TypeKind::MemRef { elem, space, .. } = ty.kind(cx) else { return ty };
    let layout =
        cx.attr(AttrKind::Strided { strides: strided.strides.as_slice().into(), offset: strided.offset });
    cx.ty(TypeKind::MemRef { shape: shape.into(), elem: *elem, layout: Some(layout), space: *space })
}
