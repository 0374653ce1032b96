//! `chlo`: functions that JAX leaves for later stages of its compiler, in one piece.

use super::types::{AnyHlo, PredTensor};

use terrace_interp::Interpret;
use terrace_ir::rules::{BoolAttr, I64Attr};
use terrace_ir::{Attr, Context};
use terrace_macros::{dialect, op};
use terrace_text::{CustomAsm, OpParser, OpPrinter};

fn yes(cx: &Context) -> Attr {
    cx.bool_attr(true)
}

macro_rules! unary {
    ($(#[$doc:meta])* $name:ident $text:tt -> $rule:ident [$($cost:ident)?] [$($run:ident)?]) => {
        $(#[$doc])*
        #[op($text, traits(Pure, Elementwise, $($cost)?), interfaces($($run)?))]
        #[asm("$operand attr-dict `:` type($operand) `->` type($result)")]
        pub struct $name {
            operand: AnyHlo,
            #[result]
            result: $rule,
        }
    };
}

macro_rules! binary {
    ($(#[$doc:meta])* $name:ident $text:tt [$($cost:ident)?] [$($run:ident)?]) => {
        $(#[$doc])*
        #[op($text, traits(Pure, Elementwise, $($cost)?), interfaces($($run)?))]
        #[asm("$x `,` $y attr-dict `:` type($x) `,` type($y) `->` type($result)")]
        pub struct $name {
            x: AnyHlo,
            y: AnyHlo,
            #[result]
            result: AnyHlo,
        }
    };
}

unary! {
    /// Arc cosine
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = chlo.acos %x : tensor<4xf32> -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    Acos "chlo.acos" -> AnyHlo [LibraryCall] [Interpret]
}
unary! {
    /// Inverse hyperbolic cosine
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = chlo.acosh %x : tensor<4xf32> -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    Acosh "chlo.acosh" -> AnyHlo [LibraryCall] [Interpret]
}
unary! {
    /// Arc sine
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = chlo.asin %x : tensor<4xf32> -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    Asin "chlo.asin" -> AnyHlo [LibraryCall] [Interpret]
}
unary! {
    /// Inverse hyperbolic sine
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = chlo.asinh %x : tensor<4xf32> -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    Asinh "chlo.asinh" -> AnyHlo [LibraryCall] [Interpret]
}
unary! {
    /// Arc tangent
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = chlo.atan %x : tensor<4xf32> -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    Atan "chlo.atan" -> AnyHlo [LibraryCall] [Interpret]
}
unary! {
    /// Inverse hyperbolic tangent
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = chlo.atanh %x : tensor<4xf32> -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    Atanh "chlo.atanh" -> AnyHlo [LibraryCall] [Interpret]
}
unary! {
    /// Modified Bessel function of order one, scaled by e to the negated absolute value
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = chlo.bessel_i1e %x : tensor<4xf32> -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    BesselI1e "chlo.bessel_i1e" -> AnyHlo [LibraryCall] []
}
unary! {
    /// Complex conjugate
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
    ///   %r = chlo.conj %x : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
    ///   return %r : tensor<4xcomplex<f32>>
    /// }
    /// ```
    Conj "chlo.conj" -> AnyHlo [] []
}
unary! {
    /// Hyperbolic cosine
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = chlo.cosh %x : tensor<4xf32> -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    Cosh "chlo.cosh" -> AnyHlo [LibraryCall] [Interpret]
}
unary! {
    /// Derivative of the logarithm of the gamma function
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = chlo.digamma %x : tensor<4xf32> -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    Digamma "chlo.digamma" -> AnyHlo [LibraryCall] []
}
unary! {
    /// Error function
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    Erf "chlo.erf" -> AnyHlo [LibraryCall] [Interpret]
}
unary! {
    /// Inverse of the error function
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = chlo.erf_inv %x : tensor<4xf32> -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    ErfInv "chlo.erf_inv" -> AnyHlo [LibraryCall] [Interpret]
}
unary! {
    /// One less the error function
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = chlo.erfc %x : tensor<4xf32> -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    Erfc "chlo.erfc" -> AnyHlo [LibraryCall] [Interpret]
}
unary! {
    /// Logarithm of the gamma function
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = chlo.lgamma %x : tensor<4xf32> -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    Lgamma "chlo.lgamma" -> AnyHlo [LibraryCall] []
}
unary! {
    /// Hyperbolic sine
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = chlo.sinh %x : tensor<4xf32> -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    Sinh "chlo.sinh" -> AnyHlo [LibraryCall] [Interpret]
}
unary! {
    /// The number times itself
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = chlo.square %x : tensor<4xf32> -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    Square "chlo.square" -> AnyHlo [] [Interpret]
}
unary! {
    /// Tangent
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = chlo.tan %x : tensor<4xf32> -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    ChloTan "chlo.tan" -> AnyHlo [LibraryCall] [Interpret]
}
unary! {
    /// Is the number infinite?
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>) -> tensor<4xi1> {
    ///   %r = chlo.is_inf %x : tensor<4xf32> -> tensor<4xi1>
    ///   return %r : tensor<4xi1>
    /// }
    /// ```
    IsInf "chlo.is_inf" -> PredTensor [] [Interpret]
}
unary! {
    /// Is the number negative infinity?
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>) -> tensor<4xi1> {
    ///   %r = chlo.is_neg_inf %x : tensor<4xf32> -> tensor<4xi1>
    ///   return %r : tensor<4xi1>
    /// }
    /// ```
    IsNegInf "chlo.is_neg_inf" -> PredTensor [] [Interpret]
}
unary! {
    /// Is the number positive infinity?
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>) -> tensor<4xi1> {
    ///   %r = chlo.is_pos_inf %x : tensor<4xf32> -> tensor<4xi1>
    ///   return %r : tensor<4xi1>
    /// }
    /// ```
    IsPosInf "chlo.is_pos_inf" -> PredTensor [] [Interpret]
}
binary! {
    /// The next number from x towards y
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = chlo.next_after %x, %y : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    NextAfter "chlo.next_after" [LibraryCall] [Interpret]
}
binary! {
    /// Derivative of digamma, of an order
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = chlo.polygamma %x, %y : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    Polygamma "chlo.polygamma" [LibraryCall] []
}
binary! {
    /// Zeta function of Hurwitz
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    ///   %r = chlo.zeta %x, %y : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    ///   return %r : tensor<4xf32>
    /// }
    /// ```
    Zeta "chlo.zeta" [LibraryCall] []
}
binary! {
    /// Upper half of the product of integers
    ///
    /// ```mlir
    /// func.func @f(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
    ///   %r = chlo.mulhi %x, %y : tensor<4xi32>, tensor<4xi32> -> tensor<4xi32>
    ///   return %r : tensor<4xi32>
    /// }
    /// ```
    Mulhi "chlo.mulhi" [Commutative] [Interpret]
}

/// The largest elements of each row and their places, from the largest
///
/// ```mlir
/// func.func @f(%x: tensor<3x9xf32>) -> tensor<3x2xi32> {
///   %values, %indices = chlo.top_k(%x, k = 2) : tensor<3x9xf32> -> (tensor<3x2xf32>, tensor<3x2xi32>)
///   return %indices : tensor<3x2xi32>
/// }
/// ```
#[op("chlo.top_k", traits(Pure), interfaces(CustomAsm, Interpret))]
pub struct TopK {
    operand: AnyHlo,
    #[attr]
    k: I64Attr,
    #[attr(default = yes)]
    is_stable: BoolAttr,
    #[result]
    values: AnyHlo,
    #[result]
    indices: AnyHlo,
}

impl CustomAsm for TopK {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), terrace_diag::Reported> {
        p.punct("(")?;
        let operand = p.operand()?;
        p.punct(",")?;
        p.keyword("k")?;
        p.punct("=")?;
        let i64 = p.cx().common().i64;
        let k = p.attr_of(i64)?;
        p.set_attr("k", k);
        if p.punct_opt(",") {
            p.keyword("is_stable")?;
            p.punct("=")?;
            let stable = p.attr()?;
            p.set_attr("is_stable", stable);
        }
        p.punct(")")?;
        p.attr_dict()?;
        let ty = p.colon_type()?;
        p.resolve(&operand, ty)?;
        let results = p.arrow_types_opt()?;
        p.add_results(&results);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let (ir, cx) = (p.ir(), p.cx());
        p.text("(");
        p.operand(self.operand(ir));
        p.text(", k = ");
        p.int(self.k(ir).as_int(cx).map_or(0, |(value, _)| value));
        if self.is_stable(ir) != yes(cx) {
            p.text(", is_stable = false");
        }
        p.text(")");
        p.attr_dict(&["k", "is_stable"]);
        p.text(" : ");
        p.ty(ir.ty(self.operand(ir)));
        p.text(" -> (");
        p.types(ir.results(self.0).map(|value| ir.ty(value)));
        p.text(")");
    }
}

dialect! {
    /// Functions that JAX leaves in one piece
    pub CHLO = "chlo" {
        ops: [Acos, Acosh, Asin, Asinh, Atan, Atanh, BesselI1e, ChloTan, Conj, Cosh, Digamma, Erf, ErfInv, Erfc, IsInf, IsNegInf, IsPosInf, Lgamma, Mulhi, NextAfter, Polygamma, Sinh, Square, TopK, Zeta],
    }
}
