//! Sums of products of lanes, by the function that a language has for them.
//!
//! OpenCL C has `dot` on vectors of two to four floats. It may add in any order and round a product together with a sum, so
//! the reduction must permit both. CUDA has `__dp4a` on four bytes, which is exact and needs no permission. The product must
//! have no other use: then it is not printed by itself.

use crate::emit::Emit;
use crate::expr::{Expr, prec};
use crate::language::DotProduct;
use crate::refusal::Done;
use crate::types::Scalar;
use crate::vector_type::Vector;
use terrace_dialect_arith::{self as arith, FastMathFlags};
use terrace_dialect_vector::{self as vector, CombiningKind};
use terrace_ir::{OpId, Value};

/// What is multiplied, lane by lane
pub(crate) struct Factors {
    left: Value,
    right: Value,
    vector: Vector,
}

impl Emit<'_> {
    /// The factors, if this reduction is printed as a dot product
    fn factors(&self, reduction: vector::Reduction) -> Option<Factors> {
        let (ir, op) = (self.ir, reduction.id());
        if reduction.kind(ir) != CombiningKind::Add {
            return None;
        }
        let source = reduction.vector(ir);
        let product = ir.defining_op(source)?;
        if !ir.has_one_use(source) || ir.block(product) != ir.block(op) {
            return None;
        }
        let vector = Vector::of(self.ir.cx(), ir.ty(source)).filter(|vector| vector.shape.len() == 1)?;
        let (left, right) = match (arith::MulF::cast(ir, product), arith::MulI::cast(ir, product)) {
            (Some(product), _) if self.permits(product.id(), FastMathFlags::CONTRACT) => {
                (product.lhs(ir), product.rhs(ir))
            }
            (_, Some(product)) => (product.lhs(ir), product.rhs(ir)),
            _ => return None,
        };
        match (self.lang.dot_product(), vector.elem) {
            (DotProduct::Floats, Scalar::F32 | Scalar::F64) => {
                let free =
                    self.permits(op, FastMathFlags::REASSOC) && self.permits(op, FastMathFlags::CONTRACT);
                let fits = (2..=4).contains(&vector.lanes());
                (free && fits).then_some(Factors { left, right, vector })
            }
            (DotProduct::Bytes, Scalar::Int(32)) if vector.lanes() == 4 => {
                let (left, vector) = self.bytes_of(op, left)?;
                let (right, _) = self.bytes_of(op, right)?;
                Some(Factors { left, right, vector })
            }
            _ => None,
        }
    }

    /// The four bytes that were extended to a value of four words
    fn bytes_of(&self, op: OpId, value: Value) -> Option<(Value, Vector)> {
        let ir = self.ir;
        let extension = arith::ExtSI::cast(ir, ir.defining_op(value)?)?;
        if ir.block(extension.id()) != ir.block(op) {
            return None;
        }
        let bytes = extension.input(ir);
        let vector = Vector::of(self.ir.cx(), ir.ty(bytes)).filter(|vector| vector.elem == Scalar::Int(8))?;
        Some((bytes, vector))
    }

    /// Is the result of this op only read as part of dot products?
    pub(crate) fn joins_dot(&self, op: OpId) -> bool {
        let ir = self.ir;
        let mut result = ir.results(op);
        let (Some(result), None) = (result.next(), result.next()) else { return false };
        if ir.is(op, arith::ExtSI::DEF) {
            let mut uses = ir.uses(result);
            return ir.is_used(result)
                && uses.all(|(user, _)| ir.is(user, arith::MulI::DEF) && self.joins_dot(user));
        }
        let product = ir.is(op, arith::MulF::DEF) || ir.is(op, arith::MulI::DEF);
        let user = ir.uses(result).next().and_then(|(user, _)| vector::Reduction::cast(ir, user));
        product && user.is_some_and(|user| self.factors(user).is_some())
    }

    /// Print a reduction as a dot product, if it is one
    pub(crate) fn dot(&mut self, reduction: vector::Reduction) -> Option<Done> {
        let Factors { left, right, vector } = self.factors(reduction)?;
        let (op, result, acc) = (reduction.id(), reduction.dest(self.ir), reduction.acc(self.ir));
        // Bytes that several products take are read once.
        let bytes = self.lang.dot_product() == DotProduct::Bytes;
        let (a, b) = if bytes {
            (self.leaf(left), self.leaf(right))
        } else {
            (self.values.expr(left), self.values.expr(right))
        };
        let acc = acc.map(|acc| self.values.expr(acc));
        if bytes {
            let c_type = self.helpers.vector_type(&vector);
            let body = "  int x, y;\n  memcpy(&x, &a, 4);\n  memcpy(&y, &b, 4);\n  return __dp4a(x, y, r);";
            let params = [format!("{c_type} a"), format!("{c_type} b"), "int r".to_string()];
            let function =
                self.helpers.vector_helper(&format!("dot_{}", vector.name()), "int", &params, body);
            let acc = acc.unwrap_or_else(|| Expr::atom("0".to_string()));
            return Some(self.bind(op, result, Expr::call(&function, &[&a, &b, &acc])));
        }
        let function = if self.lang.has(&vector) {
            "dot".to_string()
        } else {
            // Three lanes are a struct of ours.
            let c_type = self.helpers.vector_type(&vector);
            let (elem, lanes) = (self.lang.scalar(vector.elem), vector.lanes());
            let list = |name: &str| {
                let all: Vec<String> =
                    (0..lanes).map(|n| self.lang.lane(&vector, name, &n.to_string())).collect();
                format!("({elem}{lanes})({})", all.join(", "))
            };
            let body = format!("  return dot({}, {});", list("a"), list("b"));
            let params = [format!("{c_type} a"), format!("{c_type} b")];
            self.helpers.vector_helper(&format!("dot_{}", vector.name()), elem, &params, &body)
        };
        let dot = Expr::call(&function, &[&a, &b]);
        let sum = match acc {
            Some(acc) => Expr::binary("+", prec::SUM, &acc, &dot),
            None => dot,
        };
        Some(self.bind(op, result, sum))
    }
}
