//! Float ops of `arith`: each rounded once, as the interpreter does.

use crate::emit::{Emit, Lowering, any};
use crate::expr::{Expr, prec};
use crate::extrema::Extremum;
use crate::helpers::Helpers;
use crate::refusal::Done;
use crate::types::Scalar;
use terrace_dialect_arith::{self as arith, CmpFPredicate, FastMathFlags};
use terrace_ir::{Ir, OpId, Value};
use terrace_lowering_table::rows;

pub(crate) static OPS: &[Lowering] = rows! { arith:
    AddF any, |e, op| e.add(op);
    CmpF any, |e, op| e.compare_floats(arith::CmpF(op));
    DivF any, |e, op| e.infix(op, "/", prec::PRODUCT);
    MaximumF any, |e, op| e.extreme(op, Extremum::Maximum);
    MaxNumF any, |e, op| e.extreme(op, Extremum::MaxNum);
    MinimumF any, |e, op| e.extreme(op, Extremum::Minimum);
    MinNumF any, |e, op| e.extreme(op, Extremum::MinNum);
    MulF any, |e, op| if e.joins_sum(op) { Ok(()) } else { e.infix(op, "*", prec::PRODUCT) };
    NegF any, |e, op| e.negate(arith::NegF(op));
    RemF any, |e, op| e.function(op, "fmod");
    SubF any, |e, op| e.infix(op, "-", prec::SUM);
};

/// Does an op permit this?
pub(crate) fn permits(ir: &Ir, op: OpId, flag: FastMathFlags) -> bool {
    let flags = ir.attr(op, "fastmath").and_then(|attr| FastMathFlags::of(ir.cx(), attr));
    flags.is_some_and(|flags| flags.has(flag))
}

impl Helpers {
    /// Name of a function of the math library for this type
    pub fn math_name(&mut self, name: &str, ty: Scalar) -> String {
        self.needs_math();
        if self.lang.overloads_math() || ty == Scalar::F64 { name.to_string() } else { format!("{name}f") }
    }

    /// `a * b + c`, in one rounding where that is fast
    pub fn contracted(&mut self, ty: Scalar) -> String {
        let fma = self.math_name("fma", ty);
        let c_type = self.lang.scalar(ty);
        let body = match self.lang.fast_fma(ty) {
            _ if self.lang.soft(ty) => {
                let (wide, narrow) = (self.widening(ty), self.narrowing(ty));
                format!(
                    "  {c_type} product = {narrow}({wide}(a) * {wide}(b));\n  return {narrow}({wide}(product) + {wide}(c));"
                )
            }
            _ if self.lang.widens(ty) => {
                format!("  {c_type} product = (float)a * (float)b;\n  return (float)product + (float)c;")
            }
            Some(test) => {
                format!("#ifdef {test}\n  return {fma}(a, b, c);\n#else\n  return a * b + c;\n#endif")
            }
            None => format!("  return {fma}(a, b, c);"),
        };
        self.scalar("mul_add", ty, &["a", "b", "c"], &body)
    }

    /// Name of the function for `a * b + c`, rounded once
    ///
    /// Products of narrow floats are exact in `double`; their sums with `c` may be rounded there. That only matters if it ends
    /// on a midpoint of two narrow floats, from another number. Then the parts lie over 30 binary places apart, and the sum
    /// is the larger one. `c` is no midpoint, so the product is, and `c` is too small to change it. In f16 such a product
    /// overflows, whatever `c` is. In bf16 a step toward `c` breaks the tie: other midpoints are 2⁻¹⁶ of the product away.
    pub fn fused(&mut self, ty: Scalar) -> String {
        if !self.lang.widens(ty) {
            return self.math_name("fma", ty);
        }
        let [a, b, c] = ["a", "b", "c"].map(|name| self.widened(ty, &Expr::atom(name)).text);
        let narrow = if self.lang.soft(ty) {
            self.narrowing_double(ty)
        } else {
            format!("({})", self.lang.scalar(ty))
        };
        let tie = match ty {
            Scalar::Bf16 => {
                "  if (sum == product && other != 0) sum *= (other > 0) == (product > 0) ? 1.0 + 1e-12 : 1.0 - 1e-12;\n"
            }
            _ => "",
        };
        let body = format!(
            "  double product = (double){a} * (double){b}, other = (double){c}, sum = product + other;\n{tie}  return {narrow}(sum);"
        );
        self.scalar("fma", ty, &["a", "b", "c"], &body)
    }

    /// Name of the function for `maximumf` and its kin
    pub fn extremum(&mut self, what: Extremum, ty: Scalar) -> String {
        let name = what.name().trim_end_matches('f');
        if self.lang.soft(ty) {
            let whole = self.extremum(what, Scalar::F32);
            let (wide, narrow) = (self.widening(ty), self.narrowing(ty));
            let body = format!("  return {narrow}({whole}({wide}(a), {wide}(b)));");
            return self.scalar(name, ty, &["a", "b"], &body);
        }
        // Of two zeros the positive one is the greater.
        let (above, zero, other) = if what.is_max() { ('>', "b", "a") } else { ('<', "a", "b") };
        self.needs_math();
        let nan = match what.gives_nan() {
            true => "  if (a != a || b != b) return a + b;",
            false => "  if (a != a) return b;\n  if (b != b) return a;",
        };
        let body = format!(
            "{nan}\n  if (a == b) return signbit(a) ? {zero} : {other};\n  return a {above} b ? a : b;"
        );
        self.scalar(name, ty, &["a", "b"], &body)
    }
}

impl Emit<'_> {
    /// Does the op permit this?
    pub fn permits(&self, op: OpId, flag: FastMathFlags) -> bool {
        permits(self.ir, op, flag)
    }

    /// The product that a sum may be rounded together with: both permit it, and the product has no other use
    fn product_of(&self, op: OpId, value: Value) -> Option<OpId> {
        let ir = self.ir;
        let product = ir.defining_op(value)?;
        let contract = ir.is(product, arith::MulF::DEF)
            && self.permits(op, FastMathFlags::CONTRACT)
            && self.permits(product, FastMathFlags::CONTRACT)
            && ir.has_one_use(value)
            && ir.block(product) == ir.block(op);
        contract.then_some(product)
    }

    /// The product that is printed as part of this sum, and the sum's other operand
    pub fn contraction(&self, op: OpId) -> Option<(OpId, Value)> {
        let [a, b] = self.operands(op);
        let second = self.product_of(op, b).map(|product| (product, a));
        second.or_else(|| self.product_of(op, a).map(|product| (product, b)))
    }

    /// Is this product printed as part of the sum that uses it?
    pub fn joins_sum(&self, op: OpId) -> bool {
        let ir = self.ir;
        let user = ir.uses(ir.result(op, 0)).next().map(|(user, _)| user);
        user.is_some_and(|user| {
            ir.is(user, arith::AddF::DEF) && self.contraction(user).is_some_and(|(product, _)| product == op)
        })
    }

    fn add(&mut self, op: OpId) -> Done {
        let Some((product, other)) = self.contraction(op) else { return self.infix(op, "+", prec::SUM) };
        let [x, y] = self.operands(product);
        // Of lanes too: the body of a helper is printed like the op on numbers.
        let Some(ty) = Scalar::of(self.ir.cx(), self.ir.ty(other).scalar(self.ir.cx())) else {
            return self.infix(op, "+", prec::SUM);
        };
        let other = self.values.expr(other);
        let (x, y) = (self.values.expr(x), self.values.expr(y));
        let name = self.helpers.contracted(ty);
        self.bind(op, self.ir.result(op, 0), Expr::call(&name, &[&x, &y, &other]))
    }

    fn infix(&mut self, op: OpId, sign: &str, level: u8) -> Done {
        let result = self.ir.result(op, 0);
        let ty = self.scalar_of(op, result)?;
        let [a, b] = self.operands(op).map(|value| self.values.expr(value));
        if self.lang.widens(ty) {
            let e = Expr::binary(sign, level, &self.helpers.widened(ty, &a), &self.helpers.widened(ty, &b));
            let e = self.helpers.narrowed(ty, &e);
            return self.bind(op, result, e);
        }
        self.bind(op, result, Expr::binary(sign, level, &a, &b))
    }

    fn compare_floats(&mut self, compare: arith::CmpF) -> Done {
        let (ir, op) = (self.ir, compare.id());
        let (a, b) = (compare.lhs(ir), compare.rhs(ir));
        let ty = self.scalar_of(op, a)?;
        use CmpFPredicate::*;
        let predicate = compare.predicate(ir);
        let twice = matches!(predicate, One | Ord | Ueq | Uno);
        let (x, y) =
            if twice { (self.leaf(a), self.leaf(b)) } else { (self.values.expr(a), self.values.expr(b)) };
        let (x, y) = match self.lang.soft(ty) {
            true => (self.helpers.widened(ty, &x), self.helpers.widened(ty, &y)),
            false => (x, y),
        };
        let plain = |sign: &str| {
            let level = if matches!(sign, "==" | "!=") { prec::EQUAL } else { prec::ORDER };
            Expr::binary(sign, level, &x, &y)
        };
        let not = |e: Expr| Expr::unary("!", &e);
        let own = |sign: &str, e: &Expr| Expr::binary(sign, prec::EQUAL, e, e);
        let e = match predicate {
            AlwaysFalse => Expr::atom("false"),
            Oeq => plain("=="),
            Ogt => plain(">"),
            Oge => plain(">="),
            Olt => plain("<"),
            Ole => plain("<="),
            One => Expr::binary("||", prec::LOGIC_OR, &plain("<"), &plain(">")),
            Ord => Expr::binary("&&", prec::LOGIC_AND, &own("==", &x), &own("==", &y)),
            Ueq => not(Expr::binary("||", prec::LOGIC_OR, &plain("<"), &plain(">"))),
            Ugt => not(plain("<=")),
            Uge => not(plain("<")),
            Ult => not(plain(">=")),
            Ule => not(plain(">")),
            Une => plain("!="),
            Uno => Expr::binary("||", prec::LOGIC_OR, &own("!=", &x), &own("!=", &y)),
            AlwaysTrue => Expr::atom("true"),
        };
        self.bind(op, compare.result(ir), e)
    }

    fn extreme(&mut self, op: OpId, what: Extremum) -> Done {
        let result = self.ir.result(op, 0);
        let ty = self.scalar_of(op, result)?;
        let function = self.helpers.extremum(what, ty);
        let [a, b] = self.operands(op).map(|value| self.values.expr(value));
        self.bind(op, result, Expr::call(&function, &[&a, &b]))
    }

    fn negate(&mut self, negate: arith::NegF) -> Done {
        let (op, result) = (negate.id(), negate.result(self.ir));
        let ty = self.scalar_of(op, result)?;
        let e = self.values.expr(negate.operand(self.ir));
        let e = if self.lang.soft(ty) { self.helpers.negated(ty, &e) } else { Expr::unary("-", &e) };
        self.bind(op, result, e)
    }

    /// A value as functions of the math library take it
    pub fn argument(&mut self, ty: Scalar, value: Value) -> Expr {
        let e = self.values.expr(value);
        if self.lang.soft(ty) { self.helpers.widened(ty, &e) } else { e }
    }

    /// `a * b + c`, rounded once
    pub fn fused(&mut self, op: OpId) -> Done {
        let result = self.ir.result(op, 0);
        let ty = self.scalar_of(op, result)?;
        let name = self.helpers.fused(ty);
        let args: Vec<Expr> = self.ir.operands(op).map(|value| self.values.expr(value)).collect();
        let args: Vec<&Expr> = args.iter().collect();
        self.bind(op, result, Expr::call(&name, &args))
    }

    /// An op that is a function of the math library, with all its operands
    pub fn function(&mut self, op: OpId, name: &str) -> Done {
        let ir = self.ir;
        let result = ir.result(op, 0);
        let ty = self.scalar_of(op, result)?;
        let name = self.helpers.math_name(name, ty);
        let args: Vec<Expr> = ir.operands(op).map(|value| self.argument(ty, value)).collect();
        let args: Vec<&Expr> = args.iter().collect();
        let call = Expr::call(&name, &args);
        let call = if self.lang.widens(ty) { self.helpers.narrowed(ty, &call) } else { call };
        self.bind(op, result, call)
    }
}
