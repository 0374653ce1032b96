//! Numbers as C spells them.

use crate::expr::{Expr, prec};
use crate::helpers::Helpers;
use crate::language::Lang;
use crate::types::Scalar;
use crate::vector_type::Vector;
use terrace_ir::{Attr, AttrKind, Context};

impl Helpers {
    /// An integer as C spells it
    pub fn integer(&self, ty: Scalar, value: i128) -> Expr {
        integer(self.lang, ty, value)
    }

    /// A float as C spells it: the shortest decimal that reads back as the same number
    pub fn float(&mut self, ty: Scalar, bits: u64) -> Expr {
        if matches!(ty, Scalar::F16 | Scalar::Bf16) {
            return Expr::new(constant_float(ty, bits, self.lang), prec::UNARY);
        }
        let f32_ = ty == Scalar::F32;
        let value = if f32_ { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) };
        if value.is_finite() {
            let text =
                if f32_ { format!("{:?}f", f32::from_bits(bits as u32)) } else { format!("{value:?}") };
            let level = if value.is_sign_negative() { prec::UNARY } else { prec::ATOM };
            return Expr::new(text, level);
        }
        let plain = match (self.lang.has_float_macros(), value.is_nan()) {
            (false, _) => None,
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
            Expr::atom(format!("0x{bits:016x}U{}", self.lang.long_suffix()))
        };
        self.reinterpret(if f32_ { Scalar::Int(32) } else { Scalar::Int(64) }, ty, &bits)
    }

    /// The same bits as another type of the same width
    pub fn reinterpret(&mut self, from: Scalar, to: Scalar, e: &Expr) -> Expr {
        let (a, b) = (self.lang.scalar(from), self.lang.scalar(to));
        if a == b {
            return e.clone();
        }
        // Bits are integers of their width already.
        if self.lang.soft(from) || self.lang.soft(to) {
            return Expr::cast(b, e);
        }
        if let Some(function) = self.lang.reinterpreting(from, to) {
            return Expr::call(&function, &[e]);
        }
        self.include("#include <string.h>");
        let body = format!("  {b} to;\n  memcpy(&to, &from, sizeof to);\n  return to;");
        let name = format!("bits_{}_{}", from.suffix(), to.suffix());
        let name = self.function(&name, b, a, &["from"], &body);
        Expr::call(&name, &[e])
    }

    /// The text calls functions of the math library
    pub fn needs_math(&mut self) {
        if self.lang.is_host() {
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

/// The integers of a dense attribute or a list
pub(crate) fn integers(cx: &Context, attr: Attr) -> Option<Vec<i128>> {
    match attr.kind(cx) {
        AttrKind::DenseArray { values, .. } => Some(values.iter().map(|value| i128::from(*value)).collect()),
        AttrKind::Array(items) => items.iter().map(|item| item.as_int(cx).map(|(value, _)| value)).collect(),
        _ => None,
    }
}

/// An integer as C spells it
pub(crate) fn integer(lang: Lang, ty: Scalar, value: i128) -> Expr {
    if ty == Scalar::Bool {
        return Expr::atom(if value == 0 { "false" } else { "true" });
    }
    let (low, _) = ty.bounds();
    let suffix = if i32::try_from(value).is_ok() { "" } else { lang.long_suffix() };
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
pub(crate) fn constant_float(ty: Scalar, bits: u64, lang: Lang) -> String {
    if lang.soft(ty) {
        return format!("({})0x{bits:04x}", lang.scalar(ty));
    }
    if ty == Scalar::F16 {
        // Half precision by way of single.
        let value = terrace_ir::show::value_of_bits(bits, terrace_ir::FloatKind::F16).unwrap_or(f64::NAN);
        let wide = constant_float(Scalar::F32, u64::from((value as f32).to_bits()), lang);
        return format!("({}){wide}", lang.scalar(ty));
    }
    let single = ty == Scalar::F32;
    let value = if single { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) };
    let suffix = if single { "f" } else { "" };
    match value.is_finite() {
        true if single => format!("{:?}f", f32::from_bits(bits as u32)),
        true => format!("{value:?}"),
        // Overflowing literals are infinite, and what is undefined of them is no number.
        false => lang.not_finite(value, suffix),
    }
}
