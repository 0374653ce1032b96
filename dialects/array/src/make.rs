//! Making patterns: as types alone, or as ops. What is written once over [`Make`] (expansions of macros) gives the types and
//! conditions that the verifier compares, and the ops that stand in the macro's place.

use crate::layout;
use crate::misfit::Misfit;
use crate::nat_text::nat_attr;
use crate::patterns::{self, Pattern, Yield};
use crate::size::Obligation;
use crate::types::{split_type, split_vector, together};
use terrace_analysis::nat::Nat;
use terrace_dialect_arith::{MulF, MulI};
use terrace_ir::ir::InsertPoint;
use terrace_ir::show::type_text;
use terrace_ir::{Attr, Builder, Context, NewOp, OpDef, Type, TypeKind, Value};

/// Named properties of an op
pub type Attrs<'a> = &'a [(&'a str, Attr)];

/// A function over arrays: what it gives, from its arguments
pub type Body<'f, M> = &'f mut dyn FnMut(&mut M, &[<M as Make>::V]) -> Result<Vec<<M as Make>::V>, Misfit>;

/// Where patterns are made
pub trait Make: Sized {
    /// What an op gives
    type V: Clone;

    /// Its type
    fn ty(&self, value: &Self::V) -> Type;

    /// An op without a function
    fn view(
        &mut self,
        cx: &Context,
        layout: &'static OpDef,
        xs: &[Self::V],
        attrs: Attrs<'_>,
    ) -> Result<Self::V, Misfit>;

    /// An op with a function
    fn pattern(
        &mut self,
        cx: &Context,
        pattern: Pattern,
        xs: &[Self::V],
        attrs: Attrs<'_>,
        body: Body<'_, Self>,
    ) -> Result<Self::V, Misfit>;

    /// Product of two numbers, or of two vectors
    fn product(&mut self, cx: &Context, a: &Self::V, b: &Self::V) -> Result<Self::V, Misfit>;
}

fn attr_of<'a>(attrs: Attrs<'a>) -> impl Fn(&str) -> Option<Attr> + 'a {
    move |name| attrs.iter().find(|(other, _)| *other == name).map(|(_, attr)| *attr)
}

/// Types of what ops would give, and what must hold for them
#[derive(Default)]
pub struct Types {
    /// What must hold
    pub obligations: Vec<Obligation>,
}

impl Make for Types {
    type V = Type;

    fn ty(&self, value: &Type) -> Type {
        *value
    }

    fn view(
        &mut self,
        cx: &Context,
        layout: &'static OpDef,
        xs: &[Type],
        attrs: Attrs<'_>,
    ) -> Result<Type, Misfit> {
        let shape = layout::shape(cx, layout, xs, &attr_of(attrs))?;
        self.obligations.extend(shape.obligations);
        shape.results.first().copied().ok_or_else(|| Misfit::ty("gives nothing"))
    }

    fn pattern(
        &mut self,
        cx: &Context,
        pattern: Pattern,
        xs: &[Type],
        attrs: Attrs<'_>,
        body: Body<'_, Types>,
    ) -> Result<Type, Misfit> {
        let attr = attr_of(attrs);
        let args = patterns::arguments(cx, pattern, xs, &attr)?;
        let yields = body(self, &args)?;
        let (ty, obligations) = patterns::result(cx, pattern, xs, &attr, &yields)?;
        self.obligations.extend(obligations);
        Ok(ty)
    }

    fn product(&mut self, cx: &Context, a: &Type, b: &Type) -> Result<Type, Misfit> {
        multiplier(cx, *a, *b).map(|_| *a)
    }
}

/// The op that multiplies values of this type
fn multiplier(cx: &Context, a: Type, b: Type) -> Result<&'static OpDef, Misfit> {
    let number = split_vector(cx, a).map_or(a, |(_, elem)| elem);
    match number.kind(cx) {
        _ if a != b => Err(Misfit::ty(format!("multiplies {} by {}", type_text(cx, a), type_text(cx, b)))),
        TypeKind::Float(_) => Ok(MulF::DEF),
        TypeKind::Int { .. } | TypeKind::Index => Ok(MulI::DEF),
        _ => Err(Misfit::ty(format!("multiplies numbers, not {}", type_text(cx, a)))),
    }
}

/// Ops where a builder is
pub struct Ops<'a, 'b> {
    /// The builder
    pub b: &'a mut Builder<'b>,
}

impl Ops<'_, '_> {
    fn types(&self, xs: &[Value]) -> Vec<Type> {
        xs.iter().map(|x| self.b.read().ty(*x)).collect()
    }

    fn insert(
        &mut self,
        def: &'static OpDef,
        xs: &[Value],
        attrs: Attrs<'_>,
        results: &[Type],
        regions: usize,
    ) -> terrace_ir::OpId {
        let attr = attr_of(attrs);
        let slots: Vec<Option<Attr>> = def.attrs.iter().map(|spec| attr(spec.name)).collect();
        let kind = self.b.kind(def);
        self.b.insert(&NewOp { operands: xs, results, slots: &slots, regions, ..NewOp::new(kind) })
    }

    /// All results of an op without a function
    pub fn views(
        &mut self,
        cx: &Context,
        layout: &'static OpDef,
        xs: &[Value],
        attrs: Attrs<'_>,
    ) -> Result<Vec<Value>, Misfit> {
        let shape = layout::shape(cx, layout, &self.types(xs), &attr_of(attrs))?;
        let op = self.insert(layout, xs, attrs, &shape.results, 0);
        Ok(self.b.read().results(op).collect())
    }
}

impl Make for Ops<'_, '_> {
    type V = Value;

    fn ty(&self, value: &Value) -> Type {
        self.b.read().ty(*value)
    }

    fn view(
        &mut self,
        cx: &Context,
        layout: &'static OpDef,
        xs: &[Value],
        attrs: Attrs<'_>,
    ) -> Result<Value, Misfit> {
        self.views(cx, layout, xs, attrs)?.first().copied().ok_or_else(|| Misfit::ty("gives nothing"))
    }

    fn pattern(
        &mut self,
        cx: &Context,
        pattern: Pattern,
        xs: &[Value],
        attrs: Attrs<'_>,
        body: Body<'_, Self>,
    ) -> Result<Value, Misfit> {
        let (attr, types) = (attr_of(attrs), self.types(xs));
        let args = patterns::arguments(cx, pattern, &types, &attr)?;
        let (outside, block) = (self.b.insert_point(), self.b.ir().create_block());
        let args: Vec<Value> = args.iter().map(|ty| self.b.ir().add_block_arg(block, *ty)).collect();
        self.b.set_insert_point(InsertPoint::End(block));
        let yields = body(self, &args);
        if let Ok(yields) = &yields {
            Yield::build(self.b, yields);
        }
        self.b.set_insert_point(outside);
        let yields = self.types(&yields?);
        let (ty, _) = patterns::result(cx, pattern, &types, &attr, &yields)?;
        let op = self.insert(pattern.def(), xs, attrs, &[ty], 1);
        let region = self.b.read().region(op, 0);
        self.b.ir().place_block(region, block);
        Ok(self.b.read().result(op, 0))
    }

    fn product(&mut self, cx: &Context, a: &Value, b: &Value) -> Result<Value, Misfit> {
        let ty = self.ty(a);
        let def = multiplier(cx, ty, self.ty(b))?;
        let op = self.insert(def, &[*a, *b], &[], &[ty], 0);
        Ok(self.b.read().result(op, 0))
    }
}

/// A layout op on each array at a depth: 0 is the array itself, 1 its elements
pub fn at_depth<M: Make>(
    m: &mut M,
    cx: &Context,
    depth: usize,
    x: &M::V,
    f: &mut dyn FnMut(&mut M, &M::V) -> Result<M::V, Misfit>,
) -> Result<M::V, Misfit> {
    if depth == 0 {
        return f(m, x);
    }
    m.pattern(cx, Pattern::Map, std::slice::from_ref(x), &[], &mut |m, args| match args {
        [x] => Ok(vec![at_depth(m, cx, depth - 1, x, f)?]),
        several => {
            let types: Vec<Type> = several.iter().map(|arg| m.ty(arg)).collect();
            Err(Misfit::ty(format!(
                "needs an array of arrays, not of {}",
                type_text(cx, together(cx, &types))
            )))
        }
    })
}

/// Size of an array
pub fn size_of<M: Make>(m: &M, cx: &Context, x: &M::V) -> Result<Nat, Misfit> {
    let ty = m.ty(x);
    let size = split_type(cx, ty).map(|(size, _)| size);
    size.ok_or_else(|| Misfit::ty(format!("needs an array, not {}", type_text(cx, ty))))
}

/// A layout op with sizes as properties
pub fn view<M: Make>(
    m: &mut M,
    cx: &Context,
    layout: &'static OpDef,
    x: &M::V,
    sizes: &[(&str, &Nat)],
) -> Result<M::V, Misfit> {
    let attrs: Vec<(&str, Attr)> = sizes.iter().map(|(name, nat)| (*name, nat_attr(cx, nat))).collect();
    m.view(cx, layout, std::slice::from_ref(x), &attrs)
}
