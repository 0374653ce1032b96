//! `math`: functions of the math library, and of bits.

use crate::emit::{Emit, Lowering, any};
use crate::expr::{Expr, prec};
use crate::extrema::Extremum;
use crate::refusal::Done;
use crate::types::Scalar;
use terrace_dialect_math as math;
use terrace_ir::{OpId, Value};
use terrace_lowering_table::rows;

pub(crate) static OPS: &[Lowering] = rows! { math:
    AbsF any, |e, op| e.function(op, "fabs");
    AbsI any, |e, op| e.bits(op, Bits::Absolute);
    Acos any, |e, op| e.function(op, "acos");
    Acosh any, |e, op| e.function(op, "acosh");
    Asin any, |e, op| e.function(op, "asin");
    Asinh any, |e, op| e.function(op, "asinh");
    Atan any, |e, op| e.function(op, "atan");
    Atan2 any, |e, op| e.function(op, "atan2");
    Atanh any, |e, op| e.function(op, "atanh");
    Cbrt any, |e, op| e.function(op, "cbrt");
    Ceil any, |e, op| e.function(op, "ceil");
    ClampF any, |e, op| e.clamp(math::ClampF(op));
    CopySign any, |e, op| e.function(op, "copysign");
    Cos any, |e, op| e.function(op, "cos");
    Cosh any, |e, op| e.function(op, "cosh");
    CountLeadingZeros any, |e, op| e.bits(op, Bits::LeadingZeros);
    CountTrailingZeros any, |e, op| e.bits(op, Bits::TrailingZeros);
    CtPop any, |e, op| e.bits(op, Bits::Ones);
    Erf any, |e, op| e.function(op, "erf");
    Erfc any, |e, op| e.function(op, "erfc");
    Exp any, |e, op| e.function(op, "exp");
    Exp2 any, |e, op| e.function(op, "exp2");
    ExpM1 any, |e, op| e.function(op, "expm1");
    Floor any, |e, op| e.function(op, "floor");
    Fma any, |e, op| e.fused(op);
    FPowI any, |e, op| e.power(math::FPowI(op));
    IPowI any, |e, op| e.bits(op, Bits::Power);
    IsFinite any, |e, op| e.question(op, Question::Finite);
    IsInf any, |e, op| e.question(op, Question::Infinite);
    IsNaN any, |e, op| e.question(op, Question::NaN);
    IsNormal any, |e, op| e.question(op, Question::Normal);
    Log any, |e, op| e.function(op, "log");
    Log10 any, |e, op| e.function(op, "log10");
    Log1p any, |e, op| e.function(op, "log1p");
    Log2 any, |e, op| e.function(op, "log2");
    PowF any, |e, op| e.function(op, "pow");
    Round any, |e, op| e.function(op, "round");
    RoundEven any, |e, op| e.function(op, "rint");
    Rsqrt any, |e, op| e.reciprocal_root(math::Rsqrt(op));
    Sin any, |e, op| e.function(op, "sin");
    Sincos any, |e, op| e.sine_and_cosine(math::Sincos(op));
    Sinh any, |e, op| e.function(op, "sinh");
    Sqrt any, |e, op| e.function(op, "sqrt");
    Tan any, |e, op| e.function(op, "tan");
    Tanh any, |e, op| e.function(op, "tanh");
    Trunc any, |e, op| e.function(op, "trunc");
};

/// Classes of floats
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Question {
    NaN,
    Infinite,
    Finite,
    Normal,
}

/// A function of an integer
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bits {
    Absolute,
    LeadingZeros,
    TrailingZeros,
    Ones,
    /// To an integer's power
    Power,
}

impl Emit<'_> {
    fn reciprocal_root(&mut self, root: math::Rsqrt) -> Done {
        let (op, result) = (root.id(), root.result(self.ir));
        let ty = self.scalar_of(op, result)?;
        let sqrt = self.helpers.math_name("sqrt", ty);
        let root = Expr::call(&sqrt, &[&self.argument(ty, root.operand(self.ir))]);
        let one = Expr::atom(if ty == Scalar::F64 { "1.0" } else { "1.0f" });
        let e = Expr::binary("/", prec::PRODUCT, &one, &root);
        let e = if matches!(ty, Scalar::F16 | Scalar::Bf16) { self.helpers.narrowed(ty, &e) } else { e };
        self.bind(op, result, e)
    }

    fn sine_and_cosine(&mut self, both: math::Sincos) -> Done {
        let (ir, op) = (self.ir, both.id());
        let ty = self.scalar_of(op, both.operand(ir))?;
        let x = self.leaf(both.operand(ir));
        let x = if self.lang.soft(ty) { self.helpers.widened(ty, &x) } else { x };
        let (sin, cos) = (self.helpers.math_name("sin", ty), self.helpers.math_name("cos", ty));
        for (function, result) in [(sin, both.sin(ir)), (cos, both.cos(ir))] {
            let e = Expr::call(&function, &[&x]);
            let e = if self.lang.widens(ty) { self.helpers.narrowed(ty, &e) } else { e };
            self.bind(op, result, e)?;
        }
        Ok(())
    }

    fn clamp(&mut self, clamp: math::ClampF) -> Done {
        let (op, result) = (clamp.id(), clamp.result(self.ir));
        let ty = self.scalar_of(op, result)?;
        let larger = self.helpers.extremum(Extremum::Maximum, ty);
        let smaller = self.helpers.extremum(Extremum::Minimum, ty);
        let [x, low, high] = self.operands(op).map(|value| self.values.expr(value));
        let e = Expr::call(&larger, &[&x, &low]);
        self.bind(op, result, Expr::call(&smaller, &[&e, &high]))
    }

    /// What kind of float it is
    fn question(&mut self, op: OpId, question: Question) -> Done {
        let [value] = self.operands(op);
        let ty = self.scalar_of(op, value)?;
        let (least, most) = match ty {
            Scalar::F16 => ("6.103515625e-5f", "65504.0f"),
            Scalar::Bf16 => ("1.17549435e-38f", "3.38953139e+38f"),
            Scalar::F32 => ("1.17549435e-38f", "3.40282347e+38f"),
            _ => ("2.2250738585072014e-308", "1.7976931348623157e+308"),
        };
        let abs = self.helpers.math_name("fabs", ty);
        let e = if question == Question::NaN { self.leaf(value) } else { self.values.expr(value) };
        let e = if self.lang.soft(ty) { self.helpers.widened(ty, &e) } else { e };
        let size = Expr::call(&abs, &[&e]);
        let number = Expr::atom;
        let e = match question {
            Question::NaN => Expr::binary("!=", prec::EQUAL, &e, &e),
            Question::Infinite => Expr::binary(">", prec::ORDER, &size, &number(most)),
            Question::Finite => Expr::binary("<=", prec::ORDER, &size, &number(most)),
            Question::Normal => {
                let body = format!("  return {abs}(x) >= {least} && {abs}(x) <= {most};");
                let c_type = if self.lang.soft(ty) { "float" } else { self.lang.scalar(ty) };
                let name = format!("isnormal_{}", ty.suffix());
                let name = self.helpers.function(&name, "bool", c_type, &["x"], &body);
                Expr::call(&name, &[&e])
            }
        };
        self.bind(op, self.ir.result(op, 0), e)
    }

    /// Functions of integers: written out, with loops that compilers know
    fn bits(&mut self, op: OpId, what: Bits) -> Done {
        let ir = self.ir;
        let result = ir.result(op, 0);
        let ty = self.scalar_of(op, result)?;
        let args: Vec<Value> = ir.operands(op).collect();
        if ty == Scalar::Bool {
            let e = self.values.expr(args[0]);
            let e = match what {
                Bits::Absolute | Bits::Ones => e,
                Bits::LeadingZeros | Bits::TrailingZeros => Expr::unary("!", &e),
                // −1 to an even power is 1, which is −1 of one bit: any power but that of zero to odd ones is true.
                Bits::Power => {
                    let y = self.values.expr(args[1]);
                    Expr::binary("||", prec::LOGIC_OR, &e, &Expr::unary("!", &y))
                }
            };
            return self.bind(op, result, e);
        }
        let (c_type, u, width) = (self.lang.scalar(ty), self.lang.unsigned(ty), ty.width());
        let wide = self.lang.unsigned(if width < 32 { Scalar::Int(32) } else { ty });
        let body = match what {
            Bits::Absolute => format!("  return x < 0 ? ({c_type})(0 - ({u})x) : x;"),
            Bits::LeadingZeros => {
                format!(
                    "  {c_type} n = {width};\n  for ({u} bits = ({u})x; bits != 0; bits >>= 1) n--;\n  return n;"
                )
            }
            Bits::TrailingZeros => format!(
                "  {c_type} n = 0;\n  while (n < {width} && (({u})x >> n & 1) == 0) n++;\n  return n;"
            ),
            Bits::Ones => {
                format!(
                    "  {c_type} n = 0;\n  for ({u} bits = ({u})x; bits != 0; bits &= bits - 1) n++;\n  return n;"
                )
            }
            // Negative powers are those of 1/x in whole numbers.
            Bits::Power => format!(
                "  if (y < 0) return x == 1 ? 1 : x == -1 ? ((y & 1) != 0 ? -1 : 1) : 0;\n  {wide} power = 1, base = ({u})x;\n  for (; y != 0; y >>= 1) {{\n    if ((y & 1) != 0) power *= base;\n    base *= base;\n  }}\n  return ({c_type})power;"
            ),
        };
        let params: &[&str] = if what == Bits::Power { &["x", "y"] } else { &["x"] };
        let own = self.lang.bit_count(self.mnemonic(op));
        let body = own.map_or(body, |function| format!("  return {function}(x);"));
        let function = self.helpers.scalar(self.mnemonic(op), ty, params, &body);
        let args: Vec<Expr> = args.into_iter().map(|value| self.values.expr(value)).collect();
        let args: Vec<&Expr> = args.iter().collect();
        if !matches!(what, Bits::Absolute | Bits::Power) {
            self.values.set_range(result, (0, i128::from(width)));
        }
        self.bind(op, result, Expr::call(&function, &args))
    }

    /// A float to an integer's power
    fn power(&mut self, power: math::FPowI) -> Done {
        let (op, result) = (power.id(), power.result(self.ir));
        let ty = self.scalar_of(op, result)?;
        let pow = self.helpers.math_name("pow", ty);
        let (x, n) = (self.argument(ty, power.lhs(self.ir)), self.values.expr(power.rhs(self.ir)));
        let n = Expr::cast(if self.lang.soft(ty) { "float" } else { self.lang.scalar(ty) }, &n);
        let e = Expr::call(&pow, &[&x, &n]);
        let e = if self.lang.widens(ty) { self.helpers.narrowed(ty, &e) } else { e };
        self.bind(op, result, e)
    }
}
