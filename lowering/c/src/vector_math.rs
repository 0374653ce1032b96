//! Functions of vectors of floats in C, as [`terrace_dialect_math::polynomial_approximation`] computes them: GNU's vectors, no calls.
//!
//! The body is plain C on vectors: sums, products, shifts, and masks of bits for what is chosen. `a * b + c` is one op where the
//! processor has it.

use crate::types::Scalar;
use crate::vector_type::Vector;
use std::cell::RefCell;
use terrace_dialect_math::polynomial_approximation::{FloatOp, Format, IntOp, Pred, Rows, approximate};
use terrace_ir::OpDef;

/// Body of the function of `a`, or of `a` and `b`; `None` for what has no such form
pub(crate) fn body(def: &'static OpDef, vector: &Vector) -> Option<String> {
    let own = match vector.elem {
        Scalar::F32 => Format::Single,
        Scalar::F64 => Format::Double,
        _ => return None,
    };
    let lanes = vector.lanes();
    if !lanes.is_power_of_two() || lanes * own.bits() as usize / 8 < 16 {
        return None;
    }
    let text = Text { own, vector: vector.name(), lanes, lines: RefCell::default() };
    let result = approximate(&text, def, own, &[V::Arg('a'), V::Arg('b')])?;
    let result = text.row(own, result);
    let lines = text.lines.take();
    let types: String = text
        .types()
        .filter(|(name, _)| lines.iter().any(|line| line.contains(name)))
        .map(|(_, line)| line)
        .collect();
    Some(format!("{types}{}  return {result};", lines.concat()))
}

/// A value: a parameter, a number in each lane, or a variable by the line that declares it
#[derive(Clone, Copy, PartialEq, Eq)]
enum V {
    Arg(char),
    /// Bits of f64
    Real(u64),
    Int(i64),
    Var(usize),
}

struct Text {
    own: Format,
    /// Type of rows of the own format
    vector: String,
    lanes: usize,
    lines: RefCell<Vec<String>>,
}

impl Text {
    /// The types that a body may need, and how they are declared
    fn types(&self) -> impl Iterator<Item = (&'static str, String)> {
        let types = [
            ("bits32", "int32_t", 4),
            ("bits64", "int64_t", 8),
            ("real32", "float", 4),
            ("real64", "double", 8),
        ];
        let lanes = self.lanes;
        types.into_iter().map(move |(name, elem, bytes)| {
            (name, format!("  typedef {elem} {name} __attribute__((vector_size({})));\n", bytes * lanes))
        })
    }

    fn real_type(&self, format: Format) -> &str {
        match format {
            _ if format == self.own => &self.vector,
            Format::Single => "real32",
            Format::Double => "real64",
        }
    }

    fn bits_type(&self, format: Format) -> &'static str {
        match format {
            Format::Single => "bits32",
            Format::Double => "bits64",
        }
    }

    /// As GNU C has it: a number next to a vector stands for that number in each lane
    fn name(&self, format: Format, v: V) -> String {
        let suffix = if format == Format::Single { "f" } else { "" };
        match v {
            V::Arg(name) => name.into(),
            V::Real(bits) => {
                let value = f64::from_bits(bits);
                match format {
                    _ if value.is_nan() => format!("__builtin_nan{suffix}(\"\")"),
                    _ if value.is_infinite() && value < 0.0 => format!("-__builtin_inf{suffix}()"),
                    _ if value.is_infinite() => format!("__builtin_inf{suffix}()"),
                    Format::Single => format!("{:?}f", value as f32),
                    Format::Double => format!("{value:?}"),
                }
            }
            V::Int(value) => value.to_string(),
            V::Var(line) => format!("t{line}"),
        }
    }

    /// A whole row: numbers alone have to become one
    fn row(&self, format: Format, v: V) -> String {
        match v {
            V::Real(_) => format!("(({}){{0}} + {})", self.real_type(format), self.name(format, v)),
            V::Int(_) => format!("(({}){{0}} + {})", self.bits_type(format), self.name(format, v)),
            V::Arg(_) | V::Var(_) => self.name(format, v),
        }
    }

    fn bind(&self, c_type: &str, text: &str) -> V {
        let mut lines = self.lines.borrow_mut();
        let line = format!("  {c_type} t{} = {text};\n", lines.len());
        lines.push(line);
        V::Var(lines.len() - 1)
    }

    fn float(&self, format: Format, text: &str) -> V {
        self.bind(self.real_type(format), text)
    }

    fn mask(&self, format: Format, text: &str) -> V {
        self.bind(self.bits_type(format), text)
    }

    /// The processor's function on each lane
    fn each_lane(&self, format: Format, function: &str, x: V) -> V {
        let suffix = if format == Format::Single { "f" } else { "" };
        let x = self.row(format, x);
        let result = self.float(format, &x);
        let name = self.name(format, result);
        self.lines.borrow_mut().push(format!(
            "  for (int l = 0; l < {}; l++) {name}[l] = __builtin_{function}{suffix}({name}[l]);\n",
            self.lanes
        ));
        result
    }
}

impl Rows for Text {
    type V = V;

    fn real(&self, _: Format, value: f64) -> V {
        V::Real(value.to_bits())
    }

    fn int(&self, _: Format, value: i64) -> V {
        V::Int(value)
    }

    fn float_op(&self, format: Format, op: FloatOp, a: V, b: V) -> V {
        let sign = match op {
            FloatOp::Add => "+",
            FloatOp::Sub => "-",
            FloatOp::Mul => "*",
            FloatOp::Div => "/",
        };
        self.float(format, &format!("{} {sign} {}", self.row(format, a), self.name(format, b)))
    }

    fn int_op(&self, format: Format, op: IntOp, a: V, b: V) -> V {
        let sign = match op {
            IntOp::Add => "+",
            IntOp::Sub => "-",
            IntOp::Xor => "^",
            IntOp::Up => "<<",
            IntOp::Down => ">>",
        };
        self.mask(format, &format!("{} {sign} {}", self.row(format, a), self.name(format, b)))
    }

    fn fma(&self, format: Format, a: V, b: V, c: V) -> V {
        let [a, b, c] = [a, b, c].map(|v| self.row(format, v));
        if format == self.own {
            return self.float(format, &format!("terrace_mul_add_row_{}({a}, {b}, {c})", self.vector));
        }
        self.float(format, &format!("{a} * {b} + {c}"))
    }

    /// Only the C compiler knows the processor
    fn fused(&self, _: Format, _: V, _: V, _: V) -> Option<V> {
        None
    }

    fn scaled(&self, _: Format, _: V, _: V, _: Option<V>) -> Option<V> {
        None
    }

    fn scales(&self, _: Format) -> bool {
        false
    }

    fn exponent_and_significand(&self, _: Format, _: V) -> Option<(V, V)> {
        None
    }

    fn rsqrt_estimate(&self, _: Format, _: V) -> Option<V> {
        None
    }

    fn sqrt(&self, format: Format, x: V) -> V {
        self.each_lane(format, "sqrt", x)
    }

    fn convert(&self, from: Format, x: V) -> V {
        let to = match from {
            Format::Single => Format::Double,
            Format::Double => Format::Single,
        };
        let text = format!("__builtin_convertvector({}, {})", self.row(from, x), self.real_type(to));
        self.float(to, &text)
    }

    fn bits(&self, format: Format, x: V) -> V {
        self.mask(format, &format!("({}){}", self.bits_type(format), self.row(format, x)))
    }

    fn of_bits(&self, format: Format, x: V) -> V {
        self.float(format, &format!("({}){}", self.real_type(format), self.row(format, x)))
    }

    fn abs(&self, format: Format, x: V) -> V {
        let (real, bits) = (self.real_type(format), self.bits_type(format));
        self.float(format, &format!("({real})(({bits}){} & {})", self.row(format, x), magnitude(format)))
    }

    fn copysign(&self, format: Format, x: V, sign: V) -> V {
        let (real, bits, magnitude) = (self.real_type(format), self.bits_type(format), magnitude(format));
        let (x, sign) = (self.row(format, x), self.row(format, sign));
        let text = format!("({real})((({bits}){x} & {magnitude}) | (({bits}){sign} & ~{magnitude}))");
        self.float(format, &text)
    }

    fn compare(&self, format: Format, pred: Pred, a: V, b: V) -> V {
        let sign = match pred {
            Pred::Greater => ">",
            Pred::GreaterOrEqual => ">=",
            Pred::Less => "<",
            Pred::Equal => "==",
        };
        self.mask(format, &format!("{} {sign} {}", self.row(format, a), self.name(format, b)))
    }

    fn both(&self, format: Format, a: V, b: V) -> V {
        self.mask(format, &format!("{} & {}", self.row(format, a), self.row(format, b)))
    }

    fn either(&self, format: Format, a: V, b: V) -> V {
        self.mask(format, &format!("{} | {}", self.row(format, a), self.row(format, b)))
    }

    fn select(&self, format: Format, mask: V, yes: V, no: V) -> V {
        let (real, bits) = (self.real_type(format), self.bits_type(format));
        let [mask, yes, no] = [mask, yes, no].map(|v| self.row(format, v));
        self.float(format, &format!("({real})(({mask} & ({bits}){yes}) | (~{mask} & ({bits}){no}))"))
    }

    fn library(&self, format: Format, mask: V, name: &str, x: V, no: V) -> V {
        let suffix = if format == Format::Single { "f" } else { "" };
        let [mask, x, no] = [mask, x, no].map(|v| self.row(format, v));
        let result = self.float(format, &no);
        let result_name = self.name(format, result);
        let any: Vec<String> = (0..self.lanes).map(|l| format!("{mask}[{l}]")).collect();
        self.lines.borrow_mut().push(format!(
            "  if (__builtin_expect(({}) != 0, 0))\n    for (int l = 0; l < {}; l++)\n      if ({mask}[l]) {result_name}[l] = __builtin_{name}{suffix}({x}[l]);\n",
            any.join(" | "),
            self.lanes
        ));
        result
    }
}

/// All bits but the sign
fn magnitude(format: Format) -> &'static str {
    match format {
        Format::Single => "0x7fffffff",
        Format::Double => "0x7fffffffffffffff",
    }
}

/// `a * b + c`, rounded once where the processor has it
pub(crate) fn mul_add(vector: &Vector) -> (String, String) {
    let ty = vector.name();
    let name = format!("terrace_mul_add_row_{ty}");
    let plain = "  return a * b + c;";
    let body = match processor_fma(vector) {
        Some((test, own)) => format!("#ifdef {test}\n  return {own}(a, b, c);\n#else\n{plain}\n#endif"),
        None => plain.to_string(),
    };
    let text = format!(
        "static inline __attribute__((always_inline)) {ty} {name}({ty} a, {ty} b, {ty} c) {{\n{body}\n}}"
    );
    (name, text)
}

/// What x86 processors have for `a * b + c`: the macro that says so, and the function
pub(crate) fn processor_fma(vector: &Vector) -> Option<(&'static str, &'static str)> {
    Some(match (vector.elem, vector.lanes()) {
        (Scalar::F32, 4) => ("__FMA__", "_mm_fmadd_ps"),
        (Scalar::F32, 8) => ("__FMA__", "_mm256_fmadd_ps"),
        (Scalar::F32, 16) => ("__AVX512F__", "_mm512_fmadd_ps"),
        (Scalar::F64, 2) => ("__FMA__", "_mm_fmadd_pd"),
        (Scalar::F64, 4) => ("__FMA__", "_mm256_fmadd_pd"),
        (Scalar::F64, 8) => ("__AVX512F__", "_mm512_fmadd_pd"),
        _ => return None,
    })
}
