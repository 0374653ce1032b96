//! Buffers as the text has them: a pointer, an offset, sizes and strides, each a number or a name.

use crate::expr::{Expr, prec};
use crate::types::Scalar;
use terrace_ir::{AttrKind, Context, DYNAMIC, Type, TypeKind};

/// A number that is known, or the name of a variable that holds it
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Dim {
    Const(i64),
    Var(String),
}

impl Dim {
    pub fn expr(&self) -> Expr {
        match self {
            Dim::Const(n) => Expr { narrow: true, ..Expr::new(n.to_string(), prec::ATOM) },
            Dim::Var(name) => Expr::atom(name),
        }
    }
}

/// Where memory is
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Space {
    Global,
    Workgroup,
    Private,
    Constant,
}

/// What stands for a memref
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct View {
    pub pointer: String,
    /// What was allocated, where it differs
    pub allocated: String,
    pub offset: Dim,
    pub sizes: Vec<Dim>,
    pub strides: Vec<Dim>,
    pub elem: Scalar,
    pub space: Space,
    /// The pointer is only read through
    pub constant: bool,
    /// It is an array with its dimensions, not a pointer to its first element
    pub array: bool,
}

/// What a memref's type says; `None` where it leaves a number open
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    pub sizes: Vec<Option<i64>>,
    pub strides: Vec<Option<i64>>,
    pub offset: Option<i64>,
    pub elem: Scalar,
    pub space: Option<Space>,
    /// Rows lie one after another: strides follow from sizes
    pub identity: bool,
}

impl Shape {
    /// Read a type; `None` for one that cannot be said
    pub fn of(cx: &Context, ty: Type) -> Option<Shape> {
        let TypeKind::MemRef { shape, elem, layout, space } = ty.kind(cx) else { return None };
        let known = |n: i64| (n != DYNAMIC).then_some(n);
        let sizes: Vec<Option<i64>> = shape.iter().map(|size| known(*size)).collect();
        let mut strides = vec![Some(1i64); sizes.len()];
        for n in (0..sizes.len().saturating_sub(1)).rev() {
            strides[n] = match (strides[n + 1], sizes[n + 1]) {
                (Some(stride), Some(size)) => Some(stride.checked_mul(size)?),
                _ => None,
            };
        }
        let (mut offset, mut identity) = (Some(0), true);
        match layout.map(|layout| layout.kind(cx)) {
            None => {}
            Some(AttrKind::Strided { strides: given, offset: start }) => {
                strides = given.iter().map(|stride| known(*stride)).collect();
                (offset, identity) = (known(*start), false);
            }
            Some(_) => return None,
        }
        let space = match space {
            None => None,
            Some(space) => Some(space_of(&terrace_ir::show::attr_text(cx, *space))?),
        };
        Some(Shape { sizes, strides, offset, elem: Scalar::of(cx, *elem)?, space, identity })
    }

    /// Number of elements if it is known
    pub fn count(&self) -> Option<i64> {
        self.sizes.iter().try_fold(1i64, |count, size| count.checked_mul((*size)?))
    }
}

/// Memory by what the type says: of GPUs, or a level of the host's, which is plain memory
fn space_of(text: &str) -> Option<Space> {
    let text = text.trim();
    Some(match text {
        "#gpu.address_space<workgroup>" | "3 : i64" | "3" => Space::Workgroup,
        "#gpu.address_space<private>" | "5 : i64" | "5" => Space::Private,
        "#gpu.address_space<global>" | "0 : i64" | "1 : i64" | "0" | "1" => Space::Global,
        "\"reg\"" => Space::Private,
        text if text.starts_with('"') => Space::Global,
        _ => return None,
    })
}

/// The buffer that a descriptor of this name describes
pub(crate) fn described_view(name: &str, shape: &Shape) -> View {
    let dim = |known: &Option<i64>, field: String| match known {
        Some(known) => Dim::Const(*known),
        None => Dim::Var(field),
    };
    let list = |known: &[Option<i64>], field: &str| {
        known.iter().enumerate().map(|(n, known)| dim(known, format!("{name}.{field}[{n}]"))).collect()
    };
    View {
        pointer: format!("{name}.aligned"),
        allocated: format!("{name}.allocated"),
        offset: dim(&shape.offset, format!("{name}.offset")),
        sizes: list(&shape.sizes, "sizes"),
        strides: list(&shape.strides, "strides"),
        elem: shape.elem,
        space: Space::Global,
        constant: false,
        array: false,
    }
}
