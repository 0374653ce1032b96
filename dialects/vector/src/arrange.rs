//! Elements put in other places: `broadcast extract insert`.

use super::vector_shape;
use terrace_diag::Reported;
use terrace_dialect_shapes::lists;
use terrace_ir::defs::InferCx;
use terrace_ir::rules::{AnyType, AnyVector, DenseI64Array, Index};
use terrace_ir::{DYNAMIC, Ir, OpId, Type, TypeKind, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// Repeat a scalar or a vector along leading dimensions and dimensions of size one
///
/// ```mlir
/// func.func @f(%x: f32, %v: vector<4x1xf32>) -> (vector<8xf32>, vector<2x4x8xf32>) {
///   %a = vector.broadcast %x : f32 to vector<8xf32>
///   %b = vector.broadcast %v : vector<4x1xf32> to vector<2x4x8xf32>
///   return %a, %b : vector<8xf32>, vector<2x4x8xf32>
/// }
/// ```
#[op(
    "vector.broadcast",
    traits(Pure),
    relations(same_element(source, vector)),
    interfaces(terrace_rewrite::Canonicalize, terrace_interp::Interpret),
    hooks(fold, verify)
)]
#[asm("$source attr-dict `:` type($source) `to` type($vector)")]
pub struct Broadcast {
    source: AnyType,
    #[result]
    vector: AnyVector,
}

impl Verify for Broadcast {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let (from, to) = (ir.ty(self.source(ir)), ir.ty(self.vector(ir)));
        let fail = |message: String| v.fail(self.0, &codes::OP_RULE, message);
        let TypeKind::Vector { shape: wanted, scalable: to_scalable, .. } = to.kind(cx) else {
            return Ok(());
        };
        let (shape, scalable) = match from.kind(cx) {
            TypeKind::Vector { shape, scalable, .. } => (&shape[..], *scalable),
            _ if from == to.scalar(cx) => return Ok(()),
            _ => return fail("source type is not a vector".into()),
        };
        let Some(lead) = wanted.len().checked_sub(shape.len()) else {
            return fail("source rank higher than destination rank".into());
        };
        for (n, &size) in shape.iter().enumerate() {
            let flags = (scalable >> n & 1 == 1, to_scalable >> (lead + n) & 1 == 1);
            let (a, b) = (size, wanted[lead + n]);
            if (size != 1 || flags.0) && (a, flags.0) != (b, flags.1) {
                let spell = |size: i64, scalable: bool| {
                    if scalable { format!("[{size}]") } else { size.to_string() }
                };
                let message = format!("dimension mismatch ({} vs. {})", spell(a, flags.0), spell(b, flags.1));
                return fail(message);
            }
        }
        Ok(())
    }
}

/// Type of what a position leaves of a vector: the trailing dimensions, or an element
pub(super) fn trailing(cx: &terrace_ir::Context, ty: Type, indices: usize) -> Option<Type> {
    let TypeKind::Vector { shape, scalable, elem } = ty.kind(cx) else { return None };
    let rest = shape.get(indices..)?;
    if rest.is_empty() {
        return Some(*elem);
    }
    let scalable = scalable.checked_shr(indices as u32).unwrap_or(0);
    Some(cx.ty(TypeKind::Vector { shape: rest.into(), scalable, elem: *elem }))
}

/// Take an element or a vector of the trailing dimensions
///
/// ```mlir
/// func.func @f(%v: vector<4x8xf32>, %i: index) -> (vector<8xf32>, f32) {
///   %a = vector.extract %v[3] : vector<8xf32> from vector<4x8xf32>
///   %b = vector.extract %v[1, %i] : f32 from vector<4x8xf32>
///   return %a, %b : vector<8xf32>, f32
/// }
/// ```
#[op(
    "vector.extract",
    traits(Pure),
    relations(same_element(source, result)),
    interfaces(terrace_rewrite::Canonicalize, CustomAsm, terrace_interp::Interpret),
    hooks(fold, infer, verify)
)]
pub struct Extract {
    source: AnyVector,
    dynamic_position: Variadic<Index>,
    #[attr]
    static_position: DenseI64Array,
    #[result]
    result: AnyType,
}

impl Extract {
    /// The position; [`DYNAMIC`] where the next operand is the number
    pub fn position(self, ir: &Ir) -> &[i64] {
        self.static_position(ir).as_dense_array(ir.cx()).unwrap_or(&[])
    }
}

impl terrace_ir::Infer for Extract {
    fn infer(cx: &InferCx<'_>) -> Option<Vec<Type>> {
        let position = cx.attrs.first().copied()??.as_dense_array(cx.cx)?;
        Some(vec![trailing(cx.cx, *cx.operands.first()?, position.len())?])
    }
}

impl CustomAsm for Extract {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let source = p.operand()?;
        let (dynamic, position) = lists::parse_positions(p)?;
        p.attr_dict()?;
        p.punct(":")?;
        let result = p.ty()?;
        p.keyword("from")?;
        let ty = p.ty()?;
        p.resolve(&source, ty)?;
        let index = p.cx().common().index;
        dynamic.iter().try_for_each(|each| p.resolve(each, index))?;
        p.set_attr("static_position", position);
        p.add_result(result);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operand(self.source(ir));
        lists::print_positions(p, &self.dynamic_position(ir), self.position(ir));
        p.attr_dict(&["static_position"]);
        p.text(" : ");
        p.ty(ir.ty(self.result(ir)));
        p.text(" from ");
        p.ty(ir.ty(self.source(ir)));
    }
}

/// Each static position inside its dimension, or -1 for poison; as many operands as dynamic ones
fn check_position(
    v: &VerifyCx<'_>,
    op: OpId,
    position: &[i64],
    dynamic: usize,
    vector: Type,
    whose: &str,
) -> Result<(), Reported> {
    let shape = vector_shape(v.ir.cx(), vector).unwrap_or(&[]);
    if position.iter().filter(|at| **at == DYNAMIC).count() != dynamic {
        let message = "mismatch between dynamic and static positions (kDynamic marker but no corresponding dynamic \
            position) -- this can only happen due to an incorrect fold/rewrite";
        return v.fail(op, &codes::OP_RULE, message);
    }
    for (n, (&at, &size)) in position.iter().zip(shape).enumerate() {
        if at != DYNAMIC && !(-1..size).contains(&at) {
            let message = format!(
                "expected position attribute #{} to be a non-negative integer smaller than the corresponding {whose} \
                 dimension or poison (-1)",
                n + 1
            );
            return v.fail(op, &codes::OP_RULE, message);
        }
    }
    Ok(())
}

impl Verify for Extract {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let (from, to) = (ir.ty(self.source(ir)), ir.ty(self.result(ir)));
        let position = self.position(ir);
        if vector_shape(cx, to).is_some_and(<[i64]>::is_empty) {
            let message = "expected a scalar instead of a 0-d vector as the result type";
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        let Some(wanted) = trailing(cx, from, position.len()) else {
            let message = "expected position attribute of rank no greater than vector rank";
            return v.fail(self.0, &codes::OP_RULE, message);
        };
        check_position(v, self.0, position, self.dynamic_position(ir).len(), from, "vector")?;
        // A vector of one element may stand for the element.
        if wanted == to || vector_shape(cx, to).is_some_and(|shape| shape == [1]) && to.scalar(cx) == wanted {
            return Ok(());
        }
        let (wanted, to) = (v.show(wanted), v.show(to));
        let message =
            format!("inferred type(s) '{wanted}' are incompatible with return type(s) of operation '{to}'");
        v.fail(self.0, &codes::OP_RULE, message)
    }
}

/// Put an element or a vector of trailing dimensions into a vector
///
/// ```mlir
/// func.func @f(%x: f32, %w: vector<8xf32>, %v: vector<4x8xf32>, %i: index) -> vector<4x8xf32> {
///   %a = vector.insert %w, %v [3] : vector<8xf32> into vector<4x8xf32>
///   %b = vector.insert %x, %a [1, %i] : f32 into vector<4x8xf32>
///   return %b : vector<4x8xf32>
/// }
/// ```
#[op(
    "vector.insert",
    traits(Pure),
    relations(same(dest, result), same_element(value_to_store, result)),
    interfaces(terrace_rewrite::Canonicalize, CustomAsm, terrace_interp::Interpret),
    hooks(fold, verify)
)]
pub struct Insert {
    value_to_store: AnyType,
    dest: AnyVector,
    dynamic_position: Variadic<Index>,
    #[attr]
    static_position: DenseI64Array,
    #[result]
    result: AnyVector,
}

impl Insert {
    /// The position; [`DYNAMIC`] where the next operand is the number
    pub fn position(self, ir: &Ir) -> &[i64] {
        self.static_position(ir).as_dense_array(ir.cx()).unwrap_or(&[])
    }
}

impl CustomAsm for Insert {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let value = p.operand()?;
        p.punct(",")?;
        let dest = p.operand()?;
        let (dynamic, position) = lists::parse_positions(p)?;
        p.attr_dict()?;
        let from = p.colon_type()?;
        p.keyword("into")?;
        let ty = p.ty()?;
        p.resolve(&value, from)?;
        p.resolve(&dest, ty)?;
        let index = p.cx().common().index;
        dynamic.iter().try_for_each(|each| p.resolve(each, index))?;
        p.set_attr("static_position", position);
        p.add_result(ty);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operand(self.value_to_store(ir));
        p.text(", ");
        p.operand(self.dest(ir));
        p.text(" ");
        lists::print_positions(p, &self.dynamic_position(ir), self.position(ir));
        p.attr_dict(&["static_position"]);
        p.text(" : ");
        p.ty(ir.ty(self.value_to_store(ir)));
        p.text(" into ");
        p.ty(ir.ty(self.dest(ir)));
    }
}

impl Verify for Insert {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let (from, to) = (ir.ty(self.value_to_store(ir)), ir.ty(self.dest(ir)));
        let position = self.position(ir);
        let fail = |message: &str| v.fail(self.0, &codes::OP_RULE, message);
        let inner = vector_shape(cx, from);
        if inner.is_some_and(<[i64]>::is_empty) {
            return fail("expected a scalar instead of a 0-d vector as the source operand");
        }
        let rank = vector_shape(cx, to).map_or(0, <[i64]>::len);
        if position.len() > rank {
            return fail("expected position attribute of rank no greater than dest vector rank");
        }
        match inner {
            Some(inner) if position.len() + inner.len() != rank => {
                return fail("expected position attribute rank + source rank to match dest vector rank");
            }
            None if position.len() != rank => {
                return fail("expected position attribute rank to match the dest vector rank");
            }
            _ => {}
        }
        check_position(v, self.0, position, self.dynamic_position(ir).len(), to, "dest vector")?;
        if inner.is_some() && trailing(cx, to, position.len()) != Some(from) {
            return fail("expected the source to have the shape of the dimensions after the position");
        }
        Ok(())
    }
}
