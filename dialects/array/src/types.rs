//! `!array.of<@n x 4 x f32>`: arrays of arrays of elements, sizes symbolic.
//!
//! `@n x 4 x f32` is an array of `@n` arrays of 4 elements. There is no layout in the type.

use crate::nat_text::NatAttr;
use crate::nat_text::{at_nat, nat_attr, nat_of, parse_nat};
use terrace_analysis::nat::Nat;
use terrace_diag::Reported;
use terrace_interp::text::ListType;
use terrace_ir::interface::Interface;
use terrace_ir::rules::TypeAttr;
use terrace_ir::show::{CustomText, Shower};
use terrace_ir::types::VectorLike;
use terrace_ir::{Attr, Context, Type, TypeKind, type_rules};
use terrace_macros::dialect_type;
use terrace_text::{CustomParams, OpParser};

/// An array: a size, which may be symbolic, and elements
///
/// `!array.of<@n x 4 x f32>`, `!array.of<@n / 4 x tuple<f32, index>>`. Elements are integers, `index`, floats, vectors,
/// tuples and arrays.
#[dialect_type("array.of", hooks(verify), interfaces(Spell, Read, List))]
pub struct Of {
    /// Number of elements, as canonical text
    #[param]
    size: NatAttr,
    /// Type of the elements
    #[param]
    elem: TypeAttr,
}

/// A vector of so many lanes, where that is no number yet
///
/// `!array.vector<@v x f32>`; with a number it is `vector<4xf32>`, and is made so when sizes are bound. Arithmetic works on it as
/// on vectors.
#[dialect_type("array.vector", hooks(verify), interfaces(Spell, ReadVector, List, Like))]
pub struct Lanes {
    /// Number of lanes, as canonical text
    #[param]
    lanes: NatAttr,
    /// Type of the lanes
    #[param]
    elem: TypeAttr,
}

type_rules! {
    /// Any array
    AnyArray "array", |cx, ty| split_type(cx, ty).is_some();
}

/// Size and element of an array type
pub fn split_type(cx: &Context, ty: Type) -> Option<(Nat, Type)> {
    match ty.kind(cx) {
        TypeKind::Dialect { def, params } if std::ptr::eq(*def, Of::DEF) => match **params {
            [size, elem] => Some((nat_of(cx, size)?, elem.as_type(cx)?)),
            _ => None,
        },
        _ => None,
    }
}

/// The type of an array
pub fn array_of(cx: &Context, size: &Nat, elem: Type) -> Type {
    Of::get(cx, nat_attr(cx, size), cx.type_attr(elem))
}

/// Number and type of the lanes of a vector of one dimension
pub fn split_vector(cx: &Context, ty: Type) -> Option<(Nat, Type)> {
    match ty.kind(cx) {
        TypeKind::Vector { shape, scalable: 0, elem } => match **shape {
            [lanes] => Some((Nat::from(lanes), *elem)),
            _ => None,
        },
        TypeKind::Dialect { def, params } if std::ptr::eq(*def, Lanes::DEF) => match **params {
            [lanes, elem] => Some((nat_of(cx, lanes)?, elem.as_type(cx)?)),
            _ => None,
        },
        _ => None,
    }
}

/// The type of a vector of so many lanes, at least one
pub fn vector_of(cx: &Context, lanes: &Nat, elem: Type) -> Type {
    match lanes.as_constant() {
        Some(lanes) => cx.vector(&[lanes.max(1)], elem),
        None => Lanes::get(cx, nat_attr(cx, lanes), cx.type_attr(elem)),
    }
}

/// May it be a lane?
pub fn is_lane(cx: &Context, ty: Type) -> bool {
    matches!(ty.kind(cx), TypeKind::Int { .. } | TypeKind::Index | TypeKind::Float(_))
}

/// Sizes from the outermost, and what is inside of all
pub fn flatten(cx: &Context, mut ty: Type) -> (Vec<Nat>, Type) {
    let mut sizes = Vec::new();
    while let Some((size, elem)) = split_type(cx, ty) {
        sizes.push(size);
        ty = elem;
    }
    (sizes, ty)
}

/// What a function gets of an element, and what it gives: the components of a tuple
pub fn components(cx: &Context, ty: Type) -> Vec<Type> {
    match ty.kind(cx) {
        TypeKind::Tuple(types) => types.to_vec(),
        _ => vec![ty],
    }
}

/// Several values as one: a tuple; one value alone is itself
pub fn together(cx: &Context, types: &[Type]) -> Type {
    match types {
        [only] => *only,
        _ => cx.ty(TypeKind::Tuple(types.into())),
    }
}

/// Is it a number that fills every place of the type?
pub(crate) fn is_splat(cx: &Context, number: Type, ty: Type) -> bool {
    numbers(cx, ty).into_iter().all(|ty| ty == number)
}

/// Numbers inside of a type
pub(crate) fn numbers(cx: &Context, ty: Type) -> Vec<Type> {
    let (mut pending, mut all) = (vec![ty], Vec::new());
    while let Some(ty) = pending.pop() {
        match ty.kind(cx) {
            TypeKind::Tuple(types) => pending.extend(types.iter()),
            TypeKind::Vector { elem, .. } => pending.push(*elem),
            _ => match split_type(cx, ty).or(split_vector(cx, ty)) {
                Some((_, elem)) => pending.push(elem),
                None => all.push(ty),
            },
        }
    }
    all
}

/// Deepest nesting of arrays and tuples
pub(crate) const MAX_NESTING: usize = 64;

/// Is it nested beyond the limit?
pub(crate) fn is_deep(cx: &Context, ty: Type) -> bool {
    let mut pending = vec![(ty, 0)];
    while let Some((ty, depth)) = pending.pop() {
        if depth > MAX_NESTING {
            return true;
        }
        match (split_type(cx, ty), ty.kind(cx)) {
            (Some((_, elem)), _) => pending.push((elem, depth + 1)),
            (None, TypeKind::Tuple(types)) => pending.extend(types.iter().map(|ty| (*ty, depth + 1))),
            _ => {}
        }
    }
    false
}

/// May it stand in an array?
fn is_element(cx: &Context, ty: Type) -> bool {
    let mut pending = vec![ty];
    while let Some(ty) = pending.pop() {
        match ty.kind(cx) {
            TypeKind::Int { .. } | TypeKind::Index | TypeKind::Float(_) | TypeKind::Vector { .. } => {}
            TypeKind::Tuple(types) => pending.extend(types.iter()),
            TypeKind::Dialect { .. } if split_type(cx, ty).or(split_vector(cx, ty)).is_some() => {}
            _ => return false,
        }
    }
    true
}

impl Of {
    fn verify(cx: &Context, params: &[Attr]) -> Result<(), String> {
        let &[size, elem] = params else { return Ok(()) };
        if let Some(size) = nat_of(cx, size).and_then(|nat| nat.as_constant()).filter(|size| *size < 0) {
            return Err(format!("an array has at least 0 elements, not {size}"));
        }
        match elem.as_type(cx) {
            Some(elem) if is_deep(cx, elem) => {
                Err(format!("arrays and tuples are nested {} deep at most", MAX_NESTING))
            }
            Some(elem) if !is_element(cx, elem) => Err(format!(
                "elements of arrays are numbers, vectors, tuples and arrays of these, not {}",
                terrace_ir::show::type_text(cx, elem)
            )),
            _ => Ok(()),
        }
    }
}

impl Lanes {
    fn verify(cx: &Context, params: &[Attr]) -> Result<(), String> {
        let &[lanes, elem] = params else { return Ok(()) };
        if let Some(lanes) = nat_of(cx, lanes).and_then(|nat| nat.as_constant()) {
            return Err(format!("of {lanes} lanes it is `vector<{lanes}x…>`"));
        }
        match elem.as_type(cx) {
            Some(elem) if !is_lane(cx, elem) => {
                Err(format!("lanes are numbers, not {}", terrace_ir::show::type_text(cx, elem)))
            }
            _ => Ok(()),
        }
    }
}

trait Spell {
    fn spell(w: &mut Shower<'_>, params: &[Attr]);
    const ENTRY: Interface = Interface::new(const { &CustomText { print: Self::spell } });
}

trait Read {
    fn read(p: &mut OpParser<'_, '_>) -> Result<Vec<Attr>, Reported>;
    const ENTRY: Interface = Interface::new(const { &CustomParams { parse: Self::read } });
}

trait List {
    fn element(cx: &Context, params: &[Attr]) -> Option<Type>;
    const ENTRY: Interface = Interface::new(const { &ListType { element: Self::element } });
}

trait ReadVector {
    fn read(p: &mut OpParser<'_, '_>) -> Result<Vec<Attr>, Reported>;
    const ENTRY: Interface = Interface::new(const { &CustomParams { parse: Self::read } });
}

trait Like {
    fn with_element(cx: &Context, params: &[Attr], elem: Type) -> Type;
    fn lane(cx: &Context, params: &[Attr]) -> Option<Type>;
    const ENTRY: Interface =
        Interface::new(const { &VectorLike { element: Self::lane, with_element: Self::with_element } });
}

impl Spell for Lanes {
    fn spell(w: &mut Shower<'_>, params: &[Attr]) {
        Of::spell(w, params);
    }
}

impl ReadVector for Lanes {
    fn read(p: &mut OpParser<'_, '_>) -> Result<Vec<Attr>, Reported> {
        p.punct("<")?;
        let lanes = parse_nat(p)?;
        p.keyword("x")?;
        let elem = p.ty()?;
        p.punct(">")?;
        Ok(vec![nat_attr(p.cx(), &lanes), p.cx().type_attr(elem)])
    }
}

impl List for Lanes {
    fn element(cx: &Context, params: &[Attr]) -> Option<Type> {
        params.get(1)?.as_type(cx)
    }
}

impl Like for Lanes {
    fn with_element(cx: &Context, params: &[Attr], elem: Type) -> Type {
        match params {
            [lanes, _] => Lanes::get(cx, *lanes, cx.type_attr(elem)),
            _ => elem,
        }
    }

    fn lane(cx: &Context, params: &[Attr]) -> Option<Type> {
        params.get(1)?.as_type(cx)
    }
}

impl Spell for Of {
    fn spell(w: &mut Shower<'_>, params: &[Attr]) {
        let &[size, elem] = params else { return };
        w.out.push('<');
        w.out.push_str(size.as_str(w.cx).unwrap_or(""));
        w.out.push_str(" x ");
        if let Some(ty) = elem.as_type(w.cx) {
            let (sizes, inside) = flatten(w.cx, ty);
            for size in sizes {
                w.out.push_str(&format!("{size} x "));
            }
            w.ty(inside);
        }
        w.out.push('>');
    }
}

impl Read for Of {
    fn read(p: &mut OpParser<'_, '_>) -> Result<Vec<Attr>, Reported> {
        p.punct("<")?;
        let mut sizes = Vec::new();
        while at_nat(p) {
            sizes.push(parse_nat(p)?);
            p.keyword("x")?;
        }
        let Some(outer) = sizes.first().cloned() else {
            return Err(p.error("expected a size, as in `!array.of<@n x 4 x f32>`"));
        };
        let mut elem = p.ty()?;
        p.punct(">")?;
        let cx = p.cx();
        for size in sizes[1..].iter().rev() {
            if let Err(message) = Of::verify(cx, &[nat_attr(cx, size), cx.type_attr(elem)]) {
                return Err(p.error(message));
            }
            elem = array_of(cx, size, elem);
        }
        Ok(vec![nat_attr(cx, &outer), cx.type_attr(elem)])
    }
}

impl List for Of {
    fn element(cx: &Context, params: &[Attr]) -> Option<Type> {
        params.get(1)?.as_type(cx)
    }
}
