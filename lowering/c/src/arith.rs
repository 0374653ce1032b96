//! `arith` and `ub`: constants, casts, choices; integer ops are in `ints`, float ops in `floats`.

use crate::emit::{Done, Emit, Val};
use crate::expr::{Expr, prec};
use crate::types::Scalar;
use crate::{Flavor, codes};
use terrace_ir::{Attr, AttrKind, OpId, Value};

impl Emit<'_> {
    /// A number as C spells it
    pub fn number(&mut self, ty: Scalar, attr: Attr) -> Option<Expr> {
        match (*attr.kind(self.cx)).clone() {
            AttrKind::Int { value, .. } => Some(self.integer(ty, value)),
            AttrKind::Float { bits, .. } => Some(self.float(ty, bits)),
            _ => None,
        }
    }

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
                self.helpers.include("#include <string.h>");
                let body = format!("  {b} to;\n  memcpy(&to, &from, sizeof to);\n  return to;");
                let name = format!("bits_{}_{}", from.suffix(), to.suffix());
                let name = self.helpers.function(&name, b, a, &["from"], &body);
                Expr::call(&name, &[e])
            }
        }
    }

    /// The text calls functions of the math library
    pub fn needs_math(&mut self) {
        if self.flavor == Flavor::OpenMp {
            self.helpers.include("#include <math.h>");
        }
    }

    fn cast(&mut self, op: OpId, name: &str) -> Done {
        let ir = self.ir;
        let (value, result) = (ir.operand(op, 0), ir.result(op, 0));
        let (from, to) = (self.scalar_of(op, value)?, self.scalar_of(op, result)?);
        let c_type = self.flavor.scalar(to);
        let range = self.range(value);
        let (low, high) = to.bounds();
        let integers = !from.is_float() && !to.is_float();
        if integers && from != Scalar::Bool && range.0 >= low && range.1 <= high && to != Scalar::Bool {
            let unsigned = matches!(name, "extui" | "index_castui");
            if !unsigned || range.0 >= 0 {
                self.set_range(result, range);
            }
        }
        let e = match name {
            "extf" | "truncf" | "sitofp" | "uitofp" | "fptosi" | "fptoui"
                if self.flavor.soft(from) || self.flavor.soft(to) =>
            {
                self.soft_cast(op, name, (from, to))?
            }
            "extsi" | "index_cast" if from == Scalar::Bool => {
                let e = Expr::cast(c_type, &self.expr(value));
                Expr::unary("-", &e)
            }
            "extui" | "index_castui" if from == Scalar::Bool => {
                self.set_range(result, (0, 1));
                Expr::cast(c_type, &self.expr(value))
            }
            _ if integers && to == Scalar::Bool => {
                let e = self.expr(value);
                self.wrap(to, &e)
            }
            "extsi" | "index_cast" | "trunci" => self.resized(value, from, to),
            "extui" | "index_castui" if range.0 >= 0 || to.width() <= from.width() => {
                self.resized(value, from, to)
            }
            "extui" | "index_castui" => {
                self.set_range(result, (0, (1i128 << from.width()) - 1));
                Expr::cast(c_type, &Expr::cast(self.flavor.unsigned(from), &self.expr(value)))
            }
            "extf" | "truncf" => {
                let mode = ir.attr(op, "roundingmode").and_then(|mode| mode.as_i64(self.cx));
                if mode.is_some_and(|mode| mode != 0) {
                    let help = "`expand-floats` makes casts to nearest of it";
                    return self.no_op(op, "it rounds in another mode than to the nearest even", help);
                }
                Expr::cast(c_type, &self.expr(value))
            }
            "sitofp" => Expr::cast(c_type, &self.signed(value)),
            "uitofp" if from == Scalar::Bool || range.0 >= 0 => Expr::cast(c_type, &self.expr(value)),
            "uitofp" => Expr::cast(c_type, &Expr::cast(self.flavor.unsigned(from), &self.expr(value))),
            "fptosi" | "fptoui" if to == Scalar::Bool => {
                let e = Expr::cast("int", &self.expr(value));
                self.wrap(to, &e)
            }
            "fptosi" => Expr::cast(c_type, &self.expr(value)),
            "fptoui" => Expr::cast(c_type, &Expr::cast(self.flavor.unsigned(to), &self.expr(value))),
            _ => {
                let e = self.expr(value);
                self.reinterpret(from, to, &e)
            }
        };
        self.bind(op, result, e)
    }

    /// A cast from or to a float that is kept as bits
    fn soft_cast(&mut self, op: OpId, name: &str, (from, to): (Scalar, Scalar)) -> Done<Expr> {
        let ir = self.ir;
        let mode = ir.attr(op, "roundingmode").and_then(|mode| mode.as_i64(self.cx));
        if mode.is_some_and(|mode| mode != 0) {
            let help = "`expand-floats` makes casts to nearest of it";
            return self.no_op(op, "it rounds in another mode than to the nearest even", help);
        }
        let value = ir.operand(op, 0);
        if name == "sitofp" && from == Scalar::Bool {
            let e = Expr::unary("-", &Expr::cast("int", &self.expr(value)));
            return Ok(self.softened(Scalar::Int(32), to, &e, false));
        }
        let e = self.expr(value);
        if self.flavor.soft(to) {
            return Ok(self.softened(from, to, &e, name == "uitofp"));
        }
        let e = self.widened(from, &e);
        let c_type = self.flavor.scalar(to);
        Ok(match name {
            "fptosi" | "fptoui" if to == Scalar::Bool => self.wrap(to, &Expr::cast("int", &e)),
            "fptoui" => Expr::cast(c_type, &Expr::cast(self.flavor.unsigned(to), &e)),
            _ if to == Scalar::F32 => e,
            _ => Expr::cast(c_type, &e),
        })
    }

    /// An integer as one of another width
    fn resized(&mut self, value: Value, from: Scalar, to: Scalar) -> Expr {
        let e = self.expr(value);
        let devices = self.flavor != Flavor::OpenMp && self.lanes.is_none();
        match (from, to) {
            // C widens by itself, and what is narrow needs no cut.
            (Scalar::Int(32), Scalar::Int(64)) if devices => Expr { narrow: true, ..e },
            (Scalar::Int(64), Scalar::Int(32)) if devices && e.narrow => Expr { narrow: false, ..e },
            _ => Expr::cast(self.flavor.scalar(to), &e),
        }
    }

    fn constant(&mut self, op: OpId) -> Done {
        let result = self.ir.result(op, 0);
        let ty = self.scalar_of(op, result)?;
        let number = self.ir.attr(op, "value").and_then(|attr| self.number(ty, attr));
        match number {
            Some(e) if e.is_leaf() || e.text.len() < 16 => {
                self.set(result, Val::Expr(e));
                Ok(())
            }
            Some(e) => self.bind(op, result, e),
            None => self.refuse(op, &codes::TYPE, "has a constant that is no number", ""),
        }
    }

    fn select(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let (c, a, b) = (ir.operand(op, 0), ir.operand(op, 1), ir.operand(op, 2));
        let result = ir.result(op, 0);
        if self.scalar_of(op, c)? != Scalar::Bool {
            return Ok(());
        }
        let ty = self.scalar_of(op, result)?;
        if !ty.is_float() {
            let (x, y) = (self.range(a), self.range(b));
            self.set_range(result, (x.0.min(y.0), x.1.max(y.1)));
        }
        let (c, a, b) = (self.expr(c), self.expr(a), self.expr(b));
        self.bind(op, result, Expr::cond(&c, &a, &b))
    }

    /// An op of `arith`
    pub fn arith(&mut self, op: OpId, name: &str) -> Done {
        if let Some(done) = self.int_op(op, name).or_else(|| self.float_op(op, name)) {
            return done;
        }
        match name {
            "constant" => self.constant(op),
            "select" => self.select(op),
            "extsi" | "extui" | "trunci" | "index_cast" | "index_castui" | "extf" | "truncf" | "sitofp"
            | "uitofp" | "fptosi" | "fptoui" | "bitcast" => self.cast(op, name),
            _ => self.unknown(op),
        }
    }

    /// `ub.poison`: any value will do
    pub fn poison(&mut self, op: OpId) -> Done {
        let result = self.ir.result(op, 0);
        if let terrace_ir::TypeKind::Vector { .. } = self.ir.ty(result).kind(self.cx) {
            let vector = self.vector(op, self.ir.ty(result))?;
            let zero = if vector.elem.is_float() {
                self.float(vector.elem, 0)
            } else {
                self.integer(vector.elem, 0)
            };
            let all = self.splat(&vector, &zero);
            return self.bind(op, result, all);
        }
        let ty = self.scalar_of(op, result)?;
        let zero = if ty.is_float() { self.float(ty, 0) } else { self.integer(ty, 0) };
        self.set(result, Val::Expr(zero));
        Ok(())
    }
}

/// The integers of a dense attribute or a list
pub(crate) fn integers(cx: &terrace_ir::Context, attr: Attr) -> Option<Vec<i128>> {
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
