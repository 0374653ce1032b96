//! Floats that a language has no type for: bits in memory and in variables, computed as `float`, rounded after each op.
//!
//! `bf16` everywhere, `f16` in CUDA C (its type there needs a header that compilers do not bring along). Sums, products and
//! quotients of f32 have more than twice the bits, so rounding them once more is rounding once. What comes from wider numbers is
//! rounded to odd on the way, which keeps the second rounding exact. NaN becomes a quiet one.

use crate::expr::{Expr, prec};
use crate::helpers::Helpers;
use crate::language::Narrowing;
use crate::types::Scalar;

impl Helpers {
    /// A number of a type that is computed as `float`, as one
    pub fn widened(&mut self, ty: Scalar, e: &Expr) -> Expr {
        if !self.lang.soft(ty) {
            return Expr::cast("float", e);
        }
        let name = self.widening(ty);
        Expr::call(&name, &[e])
    }

    /// A `float` rounded to such a type
    pub fn narrowed(&mut self, ty: Scalar, e: &Expr) -> Expr {
        if !self.lang.soft(ty) {
            return Expr::cast(self.lang.scalar(ty), e);
        }
        let name = self.narrowing(ty);
        Expr::call(&name, &[e])
    }

    /// On the host, bits become floats by `memcpy`
    fn copies_bits(&mut self, ty: Scalar) {
        if self.lang.is_host() && self.lang.soft(ty) {
            self.include("#include <string.h>");
        }
    }

    /// The function that makes `float` of the bits
    pub fn widening(&mut self, ty: Scalar) -> String {
        let bits = self.lang.scalar(ty);
        self.copies_bits(ty);
        let body = self.lang.widening(ty);
        self.function(&format!("float_of_{}", ty.suffix()), "float", bits, &["x"], body)
    }

    /// The function that makes the bits of a `float`, to nearest even
    pub fn narrowing(&mut self, ty: Scalar) -> String {
        let bits = self.lang.scalar(ty);
        let word = self.lang.unsigned(Scalar::Int(32));
        self.copies_bits(ty);
        let body = match self.lang.narrowing(ty, false) {
            Narrowing::Body(body) => body.to_string(),
            Narrowing::Bits { read, .. } => format!(
                "{read}\n  if ((wide & 0x7fffffffu) > 0x7f800000u) return ({bits})(wide >> 16 | 0x40u);\n  \
                 return ({bits})((wide + 0x7fffu + (wide >> 16 & ({word})1)) >> 16);"
            ),
        };
        self.function(&format!("{}_of_float", ty.suffix()), bits, "float", &["x"], &body)
    }

    /// The function that makes the bits of a `double`, rounded once
    pub fn narrowing_double(&mut self, ty: Scalar) -> String {
        let bits = self.lang.scalar(ty);
        let body = match self.lang.narrowing(ty, true) {
            Narrowing::Body(body) => body.to_string(),
            // An even neighbor of what it is not gives way to the odd one on the other side.
            Narrowing::Bits { read, write } => {
                let last = self.narrowing(ty);
                format!(
                    "  float near = (float)x;\n{read}\n  double back = (double)near, size = x < 0 ? -x : x;\n  \
                     if (back != x && x == x && (wide & 1u) == 0) {{\n    wide += (back < 0 ? -back : back) < size ? 1u : 0xffffffffu;\n    \
                     {write}\n  }}\n  return {last}(near);"
                )
            }
        };
        self.function(&format!("{}_of_double", ty.suffix()), bits, "double", &["x"], &body)
    }

    /// A number of another type as such bits: rounded once
    pub fn softened(&mut self, from: Scalar, to: Scalar, e: &Expr, unsigned: bool) -> Expr {
        if from == to {
            return e.clone();
        }
        let narrow = match from {
            Scalar::F32 => return self.narrowed(to, e),
            Scalar::F16 | Scalar::Bf16 => {
                let e = self.widened(from, e);
                return self.narrowed(to, &e);
            }
            _ => self.narrowing_double(to),
        };
        let wide = match from {
            Scalar::Int(64) => {
                // What lies below all bits of the result is only looked at for not being zero.
                let c_type = if unsigned { self.lang.unsigned(from) } else { self.lang.scalar(from) };
                let body = "  return x >= -((long)1 << 40) && x <= ((long)1 << 40) ? (double)x : (double)((x >> 16) | ((x & 0xffff) != 0)) * 65536.0;";
                let long = self.lang.scalar(from);
                let body = match unsigned {
                    true => body
                        .replace("x >= -((long)1 << 40) && ", "")
                        .replace("(long)", &format!("({c_type})")),
                    false => body.replace("(long)", &format!("({long})")),
                };
                let sign = if unsigned { "unsigned" } else { "signed" };
                let name = self.function(&format!("sticky_{sign}"), "double", c_type, &["x"], &body);
                Expr::call(&name, &[e])
            }
            Scalar::Int(_) if unsigned => Expr::cast("double", &Expr::cast(self.lang.unsigned(from), e)),
            _ => Expr::cast("double", e),
        };
        Expr::call(&narrow, &[&wide])
    }

    /// Minus such a number
    pub fn negated(&mut self, ty: Scalar, e: &Expr) -> Expr {
        let bits = Expr::binary("^", prec::XOR, e, &Expr::atom("0x8000"));
        Expr::cast(self.lang.scalar(ty), &bits)
    }
}
