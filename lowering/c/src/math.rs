//! `math`: functions of the math library, and of bits.

use crate::Flavor;
use crate::emit::{Done, Emit};
use crate::expr::{Expr, prec};
use crate::types::Scalar;
use terrace_ir::{OpId, Value};

impl Emit<'_> {
    /// An op of `math`
    pub fn math(&mut self, op: OpId, name: &str) -> Done {
        let ir = self.ir;
        let c_name = match name {
            "absf" => "fabs",
            "powf" => "pow",
            "roundeven" => "rint",
            "acos" | "acosh" | "asin" | "asinh" | "atan" | "atanh" | "atan2" | "cbrt" | "ceil"
            | "copysign" | "cos" | "cosh" | "erf" | "erfc" | "exp" | "exp2" | "expm1" | "floor" | "fma"
            | "log" | "log10" | "log1p" | "log2" | "round" | "sin" | "sinh" | "sqrt" | "tan" | "tanh"
            | "trunc" => name,
            "rsqrt" => {
                let result = ir.result(op, 0);
                let ty = self.scalar_of(op, result)?;
                let sqrt = self.math_name("sqrt", ty);
                let root = Expr::call(&sqrt, &[&self.argument(ty, ir.operand(op, 0))]);
                let one = Expr::atom(if ty == Scalar::F64 { "1.0" } else { "1.0f" });
                let e = Expr::binary("/", prec::PRODUCT, &one, &root);
                let e = if matches!(ty, Scalar::F16 | Scalar::Bf16) { self.narrowed(ty, &e) } else { e };
                return self.bind(op, result, e);
            }
            "sincos" => {
                let ty = self.scalar_of(op, ir.operand(op, 0))?;
                let x = self.leaf(ir.operand(op, 0));
                let x = if self.flavor.soft(ty) { self.widened(ty, &x) } else { x };
                let (sin, cos) = (self.math_name("sin", ty), self.math_name("cos", ty));
                for (n, function) in [sin, cos].iter().enumerate() {
                    let e = Expr::call(function, &[&x]);
                    let e = if self.flavor.widens(ty) { self.narrowed(ty, &e) } else { e };
                    self.bind(op, ir.result(op, n), e)?;
                }
                return Ok(());
            }
            "clampf" => {
                let result = ir.result(op, 0);
                let ty = self.scalar_of(op, result)?;
                let (larger, smaller) = (self.extremum("maximumf", ty), self.extremum("minimumf", ty));
                let [x, low, high] = [0, 1, 2].map(|n| self.expr(ir.operand(op, n)));
                let e = Expr::call(&larger, &[&x, &low]);
                return self.bind(op, result, Expr::call(&smaller, &[&e, &high]));
            }
            "isnan" | "isinf" | "isfinite" | "isnormal" => return self.question(op, name),
            "absi" | "ctlz" | "cttz" | "ctpop" | "ipowi" => return self.bits(op, name),
            "fpowi" => return self.power(op),
            _ => return self.unknown(op),
        };
        self.function(op, c_name)
    }

    /// What kind of float it is
    fn question(&mut self, op: OpId, name: &str) -> Done {
        let ir = self.ir;
        let value = ir.operand(op, 0);
        let ty = self.scalar_of(op, value)?;
        let (least, most) = match ty {
            Scalar::F16 => ("6.103515625e-5f", "65504.0f"),
            Scalar::Bf16 => ("1.17549435e-38f", "3.38953139e+38f"),
            Scalar::F32 => ("1.17549435e-38f", "3.40282347e+38f"),
            _ => ("2.2250738585072014e-308", "1.7976931348623157e+308"),
        };
        let abs = self.math_name("fabs", ty);
        let e = if name == "isnan" { self.leaf(value) } else { self.expr(value) };
        let e = if self.flavor.soft(ty) { self.widened(ty, &e) } else { e };
        let size = Expr::call(&abs, &[&e]);
        let number = Expr::atom;
        let e = match name {
            "isnan" => Expr::binary("!=", prec::EQUAL, &e, &e),
            "isinf" => Expr::binary(">", prec::ORDER, &size, &number(most)),
            "isfinite" => Expr::binary("<=", prec::ORDER, &size, &number(most)),
            _ => {
                let body = format!("  return {abs}(x) >= {least} && {abs}(x) <= {most};");
                let c_type = if self.flavor.soft(ty) { "float" } else { self.flavor.scalar(ty) };
                let name = format!("isnormal_{}", ty.suffix());
                let name = self.helpers.function(&name, "bool", c_type, &["x"], &body);
                Expr::call(&name, &[&e])
            }
        };
        self.bind(op, ir.result(op, 0), e)
    }

    /// Functions of integers: written out, with loops that compilers know
    fn bits(&mut self, op: OpId, name: &str) -> Done {
        let ir = self.ir;
        let result = ir.result(op, 0);
        let ty = self.scalar_of(op, result)?;
        let args: Vec<Value> = ir.operands(op).collect();
        if ty == Scalar::Bool {
            let e = self.expr(args[0]);
            let e = match name {
                "absi" | "ctpop" => e,
                "ctlz" | "cttz" => Expr::unary("!", &e),
                // −1 to an even power is 1, which is −1 of one bit: any power but that of zero to odd ones is true.
                _ => {
                    let y = self.expr(args[1]);
                    Expr::binary("||", prec::LOGIC_OR, &e, &Expr::unary("!", &y))
                }
            };
            return self.bind(op, result, e);
        }
        let (c_type, u, width) = (self.flavor.scalar(ty), self.flavor.unsigned(ty), ty.width());
        let wide = self.flavor.unsigned(if width < 32 { Scalar::Int(32) } else { ty });
        let body = match name {
            "absi" => format!("  return x < 0 ? ({c_type})(0 - ({u})x) : x;"),
            "ctlz" => {
                format!(
                    "  {c_type} n = {width};\n  for ({u} bits = ({u})x; bits != 0; bits >>= 1) n--;\n  return n;"
                )
            }
            "cttz" => format!(
                "  {c_type} n = 0;\n  while (n < {width} && (({u})x >> n & 1) == 0) n++;\n  return n;"
            ),
            "ctpop" => {
                format!(
                    "  {c_type} n = 0;\n  for ({u} bits = ({u})x; bits != 0; bits &= bits - 1) n++;\n  return n;"
                )
            }
            // Negative powers are those of 1/x in whole numbers.
            _ => format!(
                "  if (y < 0) return x == 1 ? 1 : x == -1 ? ((y & 1) != 0 ? -1 : 1) : 0;\n  {wide} power = 1, base = ({u})x;\n  for (; y != 0; y >>= 1) {{\n    if ((y & 1) != 0) power *= base;\n    base *= base;\n  }}\n  return ({c_type})power;"
            ),
        };
        let params: &[&str] = if name == "ipowi" { &["x", "y"] } else { &["x"] };
        let body = match self.flavor {
            Flavor::OpenCl if name == "ctlz" => "  return clz(x);".to_string(),
            Flavor::OpenCl if name == "ctpop" => "  return popcount(x);".to_string(),
            _ => body,
        };
        let function = self.helpers.scalar(name, ty, params, &body);
        let args: Vec<Expr> = args.into_iter().map(|value| self.expr(value)).collect();
        let args: Vec<&Expr> = args.iter().collect();
        if name != "absi" && name != "ipowi" {
            self.set_range(result, (0, i128::from(width)));
        }
        self.bind(op, result, Expr::call(&function, &args))
    }

    /// A float to an integer's power
    fn power(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let result = ir.result(op, 0);
        let ty = self.scalar_of(op, result)?;
        let pow = self.math_name("pow", ty);
        let (x, n) = (self.argument(ty, ir.operand(op, 0)), self.expr(ir.operand(op, 1)));
        let n = Expr::cast(if self.flavor.soft(ty) { "float" } else { self.flavor.scalar(ty) }, &n);
        let e = Expr::call(&pow, &[&x, &n]);
        let e = if self.flavor.widens(ty) { self.narrowed(ty, &e) } else { e };
        self.bind(op, result, e)
    }
}
