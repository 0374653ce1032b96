//! Constants and choices; integer ops are in `ints`, float ops in `floats`, casts in `casts`.

use crate::emit::{Done, Emit, Val};
use crate::expr::{Expr, prec};
use crate::helpers::Helpers;
use crate::lanes::Vector;
use crate::table::{Lowering, any};
use crate::types::Scalar;
use crate::{Flavor, codes};
use terrace_dialect_arith as arith;
use terrace_ir::{Attr, AttrKind, Context, DenseData, TypeKind};
use terrace_lowering_table::rows;

pub(crate) static OPS: &[Lowering] = rows! { arith:
    Constant any, |e, op| e.constant(arith::Constant(op));
    Select any, |e, op| e.select(arith::Select(op));
};

impl Helpers {
    /// An integer as C spells it
    pub fn integer(&self, ty: Scalar, value: i128) -> Expr {
        integer(self.flavor, ty, value)
    }

    /// A float as C spells it: the shortest decimal that reads back as the same number
    pub fn float(&mut self, ty: Scalar, bits: u64) -> Expr {
        if matches!(ty, Scalar::F16 | Scalar::Bf16) {
            return Expr::new(constant_float(ty, bits, self.flavor), prec::UNARY);
        }
        let f32_ = ty == Scalar::F32;
        let value = if f32_ { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) };
        if value.is_finite() {
            let text =
                if f32_ { format!("{:?}f", f32::from_bits(bits as u32)) } else { format!("{value:?}") };
            let level = if value.is_sign_negative() { prec::UNARY } else { prec::ATOM };
            return Expr::new(text, level);
        }
        let plain = match (self.flavor, value.is_nan()) {
            (Flavor::Cuda, _) => None,
            (_, true) if bits == 0x7fc0_0000 && f32_ || bits == 0x7ff8 << 48 && !f32_ => Some("NAN"),
            (_, true) => None,
            (_, false) => Some("INFINITY"),
        };
        if let Some(name) = plain {
            self.needs_math();
            let e = if f32_ { Expr::atom(name) } else { Expr::cast("double", &Expr::atom(name)) };
            return if value.is_sign_negative() && !value.is_nan() { Expr::unary("-", &e) } else { e };
        }
        let bits = if f32_ {
            Expr::atom(format!("0x{bits:08x}u"))
        } else {
            Expr::atom(format!("0x{bits:016x}{}", if self.flavor == Flavor::OpenCl { "UL" } else { "ULL" }))
        };
        self.reinterpret(if f32_ { Scalar::Int(32) } else { Scalar::Int(64) }, ty, &bits)
    }

    /// The same bits as another type of the same width
    pub fn reinterpret(&mut self, from: Scalar, to: Scalar, e: &Expr) -> Expr {
        let (a, b) = (self.flavor.scalar(from), self.flavor.scalar(to));
        match self.flavor {
            _ if a == b => e.clone(),
            // Bits are integers of their width already.
            flavor if flavor.soft(from) || flavor.soft(to) => Expr::cast(b, e),
            // A literal of bits is unsigned.
            Flavor::OpenCl => Expr::call(&format!("as_{b}"), &[e]),
            Flavor::Cuda => match (from, to) {
                (Scalar::Int(32), Scalar::F32) => Expr::call("__int_as_float", &[e]),
                (Scalar::Int(64), Scalar::F64) => Expr::call("__longlong_as_double", &[e]),
                (Scalar::F32, _) => Expr::call("__float_as_int", &[e]),
                _ => Expr::call("__double_as_longlong", &[e]),
            },
            Flavor::OpenMp => {
                self.include("#include <string.h>");
                let body = format!("  {b} to;\n  memcpy(&to, &from, sizeof to);\n  return to;");
                let name = format!("bits_{}_{}", from.suffix(), to.suffix());
                let name = self.function(&name, b, a, &["from"], &body);
                Expr::call(&name, &[e])
            }
        }
    }

    /// The text calls functions of the math library
    pub fn needs_math(&mut self) {
        if self.flavor == Flavor::OpenMp {
            self.include("#include <math.h>");
        }
    }

    /// A number as C spells it
    pub fn number(&mut self, cx: &Context, ty: Scalar, attr: Attr) -> Option<Expr> {
        match attr.kind(cx) {
            AttrKind::Int { value, .. } => Some(self.integer(ty, *value)),
            AttrKind::Float { bits, .. } => Some(self.float(ty, *bits)),
            _ => None,
        }
    }

    /// An element of a dense attribute as C spells it
    pub fn element_number(&mut self, vector: &Vector, raw: &[u8]) -> Option<Expr> {
        let mut wide = [0; 8];
        wide.get_mut(..raw.len())?.copy_from_slice(raw);
        let bits = u64::from_le_bytes(wide);
        Some(match vector.elem {
            Scalar::Bool => self.integer(Scalar::Bool, i128::from(bits & 1)),
            Scalar::Int(width) => {
                let shift = 64 - width;
                self.integer(vector.elem, i128::from((bits << shift) as i64 >> shift))
            }
            elem => self.float(elem, bits),
        })
    }
}

impl Emit<'_> {
    fn constant(&mut self, constant: arith::Constant) -> Done {
        let (op, result) = (constant.id(), constant.result(self.ir));
        if matches!(self.ir.ty(result).kind(self.ir.cx()), TypeKind::Vector { .. }) {
            return self.vector_constant(constant);
        }
        let ty = self.scalar_of(op, result)?;
        match self.helpers.number(self.ir.cx(), ty, constant.value(self.ir)) {
            Some(e) if e.is_leaf() || e.text.len() < 16 => {
                self.values.set(result, Val::Expr(e));
                Ok(())
            }
            Some(e) => self.bind(op, result, e),
            None => self.refuse(op, &codes::TYPE, "has a constant that is no number", ""),
        }
    }

    /// A constant vector
    fn vector_constant(&mut self, constant: arith::Constant) -> Done {
        let (op, result) = (constant.id(), constant.result(self.ir));
        let vector = self.vector(op, self.ir.ty(result))?;
        let value = constant.value(self.ir).kind(self.ir.cx()).clone();
        let AttrKind::Dense { ty, data } = value else { return self.unknown(op) };
        let bytes = terrace_ir::show::elem_bytes(self.ir.cx(), ty.scalar(self.ir.cx()));
        let all: Option<Vec<Expr>> = match &data {
            DenseData::Splat(raw) => self.helpers.element_number(&vector, raw).map(|e| vec![e]),
            DenseData::Raw(raw) if bytes > 0 => {
                raw.chunks(bytes).map(|raw| self.helpers.element_number(&vector, raw)).collect()
            }
            _ => None,
        };
        match all.as_deref() {
            Some([one]) if matches!(data, DenseData::Splat(_)) => {
                let e = self.helpers.splat(&vector, one);
                self.bind(op, result, e)
            }
            Some(all) => self.listed(op, &vector, all),
            None => self.unknown(op),
        }
    }

    fn select(&mut self, select: arith::Select) -> Done {
        let (ir, op) = (self.ir, select.id());
        let (c, a, b) = (select.condition(ir), select.true_value(ir), select.false_value(ir));
        let result = select.result(ir);
        if self.scalar_of(op, c)? != Scalar::Bool {
            return Ok(());
        }
        let ty = self.scalar_of(op, result)?;
        if !ty.is_float() {
            let (x, y) = (self.range(a), self.range(b));
            self.values.set_range(result, (x.0.min(y.0), x.1.max(y.1)));
        }
        let (c, a, b) = (self.values.expr(c), self.values.expr(a), self.values.expr(b));
        self.bind(op, result, Expr::cond(&c, &a, &b))
    }
}

/// The integers of a dense attribute or a list
pub(crate) fn integers(cx: &Context, attr: Attr) -> Option<Vec<i128>> {
    match attr.kind(cx) {
        AttrKind::DenseArray { values, .. } => Some(values.iter().map(|value| i128::from(*value)).collect()),
        AttrKind::Array(items) => items.iter().map(|item| item.as_int(cx).map(|(value, _)| value)).collect(),
        _ => None,
    }
}

/// An integer as C spells it
pub(crate) fn integer(flavor: Flavor, ty: Scalar, value: i128) -> Expr {
    if ty == Scalar::Bool {
        return Expr::atom(if value == 0 { "false" } else { "true" });
    }
    let (low, _) = ty.bounds();
    let suffix = match flavor {
        _ if i32::try_from(value).is_ok() => "",
        Flavor::OpenCl => "L",
        _ => "LL",
    };
    let narrow = ty.width() == 64 && suffix.is_empty();
    // The least number has no literal: its negation does not fit.
    let text = if value == low && ty.width() >= 32 {
        format!("({}{suffix} - 1)", value + 1)
    } else {
        format!("{value}{suffix}")
    };
    let level = if value < 0 && value != low { prec::UNARY } else { prec::ATOM };
    Expr { narrow, ..Expr::new(text, level) }
}

/// A float as a constant expression, without helper functions
pub(crate) fn constant_float(ty: Scalar, bits: u64, flavor: Flavor) -> String {
    if flavor.soft(ty) {
        return format!("({})0x{bits:04x}", flavor.scalar(ty));
    }
    if ty == Scalar::F16 {
        // Half precision by way of single.
        let value = terrace_ir::show::value_of_bits(bits, terrace_ir::FloatKind::F16).unwrap_or(f64::NAN);
        let wide = constant_float(Scalar::F32, u64::from((value as f32).to_bits()), flavor);
        return format!("({}){wide}", flavor.scalar(ty));
    }
    let single = ty == Scalar::F32;
    let value = if single { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) };
    let suffix = if single { "f" } else { "" };
    match flavor {
        _ if value.is_finite() && single => format!("{:?}f", f32::from_bits(bits as u32)),
        _ if value.is_finite() => format!("{value:?}"),
        // Overflowing literals are infinite, and what is undefined of them is no number.
        Flavor::Cuda if value.is_nan() => format!("__builtin_nan{suffix}(\"\")"),
        Flavor::OpenCl if value.is_nan() => "NAN".to_string(),
        Flavor::OpenCl => if value > 0.0 { "INFINITY" } else { "-INFINITY" }.to_string(),
        _ if value.is_nan() => format!("__builtin_nan{suffix}(\"\")"),
        _ => format!("{}__builtin_inf{suffix}()", if value > 0.0 { "" } else { "-" }),
    }
}
