//! `read` and `write`: one element at a map of loop variables.

use super::*;
use crate::access::{self, Access};
use terrace_ir::rules::{AffineMapAttr, AnyMemRef, AnyType, Index, UnitAttr};
use terrace_ir::{Ir, OpId, Type, Value, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_support::affine::AffineMap;
use terrace_text::CustomAsm;

/// Attribute of a copy or a write whose elements no op reads soon: stores of rows of lanes are non-temporal
pub const NONTEMPORAL: &str = "sched.nontemporal";

/// Attribute of a read, `array<i64: n, step>`: the element for which the n-th value of the access is `step` more will be read
/// soon, and is wanted where lanes read their neighbors. Only a wish: it may be outside, and no lowering need follow it
pub const AHEAD: &str = "sched.ahead";

/// Attribute of a read: others read the same row less than a vector of lanes before or after, so that it may be cut out of what
/// they read and what the next iteration reads. Only a wish
pub const CARRIED: &str = "sched.carried";

/// The element at these indices; `else` where one is outside of its dimension
///
/// ```mlir
/// func.func @shift(%A: memref<64xf32>, %B: memref<64xf32>) {
///   %z = arith.constant 0.0 : f32
///   sched.for (%i in 64 by 1 dim 0) {
///     %a = sched.read %A[%i - 1] else %z : memref<64xf32>
///     sched.write %a, %B[%i] : memref<64xf32>
///   }
///   return
/// }
/// ```
#[op("sched.read", effects(read), relations(element_of(memref => result)), interfaces(CustomAsm, terrace_interp::Interpret), hooks(verify))]
pub struct Read {
    memref: AnyMemRef,
    indices: Variadic<Index>,
    padding: Optional<AnyType>,
    #[attr]
    map: AffineMapAttr,
    #[result]
    result: AnyType,
}

/// Write an element, or merge into it by an operator; with `clip` nothing where an index is outside of its dimension
///
/// ```mlir
/// func.func @sum(%A: memref<8x64xf32>, %s: memref<8xf32>) {
///   sched.for (%i in 8 by 1 dim 0, %j in 64 by 1 dim 1 pw add) {
///     %a = sched.read %A[%i, %j] : memref<8x64xf32>
///     sched.write %a, %s[%i] combine add : memref<8xf32>
///   }
///   return
/// }
/// ```
#[op("sched.write", effects(read, write), relations(element_of(memref => value)), interfaces(CustomAsm, terrace_interp::Interpret), hooks(verify))]
pub struct Write {
    value: AnyType,
    memref: AnyMemRef,
    indices: Variadic<Index>,
    #[attr]
    map: AffineMapAttr,
    #[attr(optional)]
    clip: UnitAttr,
    #[attr(optional)]
    combine: OperatorAttr,
}

fn map_of(ir: &Ir, map: Attr) -> AffineMap {
    map.as_affine_map(ir.cx()).cloned().unwrap_or_else(|| AffineMap::identity(0))
}

impl Read {
    /// Where it reads
    pub fn access(self, ir: &Ir) -> Access {
        Access { map: map_of(ir, self.map(ir)), values: self.indices(ir) }
    }

    /// Make one
    pub fn make(b: &mut terrace_ir::Builder<'_>, memref: Value, at: &Access, padding: Option<Value>) -> Read {
        let map = b.cx().map_attr(at.map.clone());
        Read::build(b, memref, &at.values, padding, map)
    }
}

impl Write {
    /// Where it writes
    pub fn access(self, ir: &Ir) -> Access {
        Access { map: map_of(ir, self.map(ir)), values: self.indices(ir) }
    }

    /// The operator that merges the value into what is there
    pub fn operator(self, ir: &Ir) -> Option<Operator> {
        Operator::from_attr(ir.cx(), self.combine(ir)?)
    }

    /// Make one
    pub fn make(
        b: &mut terrace_ir::Builder<'_>,
        value: Value,
        memref: Value,
        at: &Access,
        combine: Option<&Operator>,
    ) -> Write {
        let map = b.cx().map_attr(at.map.clone());
        let combine = combine.map(|operator| operator.to_attr(b.cx()));
        let write = Write::build(b, value, memref, &at.values, map);
        write.set_combine(b.ir(), combine);
        write
    }
}

/// The memref type after `:` and its element
fn memref_type(p: &mut OpParser<'_, '_>) -> Result<(Type, Type), Reported> {
    let ty = p.colon_type()?;
    match ty.element(p.cx()) {
        Some(elem) => Ok((ty, elem)),
        None => Err(p.error("expected a memref type")),
    }
}

impl CustomAsm for Read {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let memref = p.operand()?;
        let at = access::parse(p, &[])?;
        let padding = if p.keyword_opt("else") { Some(p.operand()?) } else { None };
        let map = at.map_attr(p.cx());
        p.set_attr("map", map);
        p.attr_dict()?;
        let (ty, elem) = memref_type(p)?;
        p.resolve(&memref, ty)?;
        p.segment();
        at.resolve(p)?;
        if let Some(padding) = padding {
            p.resolve(&padding, elem)?;
        }
        p.segment();
        p.add_result(elem);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        let at = self.access(ir);
        p.text(" ");
        p.operand(self.memref(ir));
        access::print(p, &[], &at.map, &at.values);
        if let Some(padding) = self.padding(ir) {
            p.text(" else ");
            p.operand(padding);
        }
        p.attr_dict(&["map"]);
        p.text(" : ");
        p.ty(ir.ty(self.memref(ir)));
    }
}

impl CustomAsm for Write {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let value = p.operand()?;
        p.punct(",")?;
        let memref = p.operand()?;
        let at = access::parse(p, &[])?;
        let map = at.map_attr(p.cx());
        p.set_attr("map", map);
        parse_clip(p);
        parse_combine(p)?;
        p.attr_dict()?;
        let (ty, elem) = memref_type(p)?;
        p.resolve(&value, elem)?;
        p.resolve(&memref, ty)?;
        at.resolve(p)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        let at = self.access(ir);
        p.text(" ");
        p.operand(self.value(ir));
        p.text(", ");
        p.operand(self.memref(ir));
        access::print(p, &[], &at.map, &at.values);
        p.text(if self.clip(ir).is_some() { " clip" } else { "" });
        if let Some(combine) = self.combine(ir) {
            p.text(" combine ");
            print_operator(p, combine);
        }
        p.attr_dict(&["map", "clip", "combine"]);
        p.text(" : ");
        p.ty(ir.ty(self.memref(ir)));
    }
}

fn check(v: &VerifyCx<'_>, op: OpId, at: &Access, memref: Value) -> Result<(), Reported> {
    let ir = v.ir;
    match access::mistake(ir.cx(), &at.map, 0, at.values.len(), ir.ty(memref)) {
        Some(message) => v.fail(op, &codes::OP_RULE, message),
        None => Ok(()),
    }
}

impl Verify for Read {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        check(v, self.0, &self.access(ir), self.memref(ir))?;
        if self.padding(ir).is_some_and(|padding| ir.ty(padding) != ir.ty(self.result(ir))) {
            return v.fail(
                self.0,
                &codes::OP_RULE,
                "expects the value after 'else' to have the element type",
            );
        }
        Ok(())
    }
}

impl Verify for Write {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        check(v, self.0, &self.access(ir), self.memref(ir))?;
        match self.operator(ir) {
            Some(operator) => check_operator(v, self.0, &operator, ir.ty(self.value(ir))),
            None => Ok(()),
        }
    }
}
