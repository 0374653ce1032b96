//! Functions of vectors of f32 in C, as [`terrace_dialect_math::polynomial_approximation`] computes them: GNU's vectors, no calls.
//!
//! The body is plain C on vectors: sums, products, shifts, and masks of bits for what is chosen. `a * b + c` is one op where the
//! processor has it.

use crate::types::Scalar;
use crate::vector_type::Vector;
use terrace_dialect_math as math;
use terrace_dialect_math::polynomial_approximation::{self, Pred, Rows};
use terrace_ir::OpDef;

/// Body of the function of `a`; `None` for what has no such form
pub(crate) fn body(def: &'static OpDef, vector: &Vector) -> Option<String> {
    let lanes = vector.lanes();
    if vector.elem != Scalar::F32 || !lanes.is_power_of_two() || lanes < 4 {
        return None;
    }
    let functions: [(&OpDef, fn(&mut Text, V) -> V); 3] = [
        (math::Exp::DEF, polynomial_approximation::exp),
        (math::Log::DEF, polynomial_approximation::log),
        (math::Tanh::DEF, polynomial_approximation::tanh),
    ];
    let (_, function) = functions.into_iter().find(|(op, _)| std::ptr::eq(*op, def))?;
    let mut text =
        Text { out: String::new(), vector: vector.name(), bytes: 4 * lanes, known: Vec::new(), count: 0 };
    text.out += &format!("  typedef int32_t bits __attribute__((vector_size({})));\n", text.bytes);
    let result = function(&mut text, V::A);
    Some(text.out.clone() + &format!("  return {};", text.name(result)))
}

/// A value: the parameter, or a variable by number
#[derive(Clone, Copy, PartialEq, Eq)]
enum V {
    A,
    Real(u32),
    Int(i32),
    Var(usize),
}

struct Text {
    out: String,
    /// Type of the rows
    vector: String,
    bytes: usize,
    /// Names of variables that have none but their number
    known: Vec<String>,
    count: usize,
}

impl Text {
    /// As GNU C has it: a number next to a vector stands for that number in each lane
    fn name(&self, v: V) -> String {
        match v {
            V::A => "a".into(),
            V::Real(bits) => {
                let value = f32::from_bits(bits);
                match value {
                    value if value.is_nan() => "__builtin_nanf(\"\")".into(),
                    value if value.is_infinite() && value < 0.0 => "-__builtin_inff()".into(),
                    value if value.is_infinite() => "__builtin_inff()".into(),
                    value => format!("{value:?}f"),
                }
            }
            V::Int(value) => value.to_string(),
            V::Var(n) => self.known[n].clone(),
        }
    }

    /// A whole row: numbers alone have to become one
    fn row(&self, v: V) -> String {
        match v {
            V::Real(_) | V::Int(_) => format!("(({}){{0}} + {})", self.vector, self.name(v)),
            _ => self.name(v),
        }
    }

    fn bind(&mut self, c_type: &str, text: &str) -> V {
        let name = format!("t{}", self.count);
        self.count += 1;
        self.out += &format!("  {c_type} {name} = {text};\n");
        self.known.push(name);
        V::Var(self.known.len() - 1)
    }

    fn float(&mut self, text: &str) -> V {
        let c_type = self.vector.clone();
        self.bind(&c_type, text)
    }

    fn infix(&mut self, c_type: &str, a: V, sign: &str, b: V) -> V {
        let text = format!("{} {sign} {}", self.name(a), self.name(b));
        self.bind(c_type, &text)
    }
}

impl Rows for Text {
    type V = V;

    fn real(&mut self, value: f32) -> V {
        V::Real(value.to_bits())
    }

    fn int(&mut self, value: i64) -> V {
        V::Int(value as i32)
    }

    fn add(&mut self, a: V, b: V) -> V {
        let ty = self.vector.clone();
        self.infix(&ty, a, "+", b)
    }

    fn sub(&mut self, a: V, b: V) -> V {
        let ty = self.vector.clone();
        self.infix(&ty, a, "-", b)
    }

    fn mul(&mut self, a: V, b: V) -> V {
        let ty = self.vector.clone();
        self.infix(&ty, a, "*", b)
    }

    fn div(&mut self, a: V, b: V) -> V {
        let ty = self.vector.clone();
        self.infix(&ty, a, "/", b)
    }

    fn fma(&mut self, a: V, b: V, c: V) -> V {
        let (a, b, c) = (self.row(a), self.row(b), self.row(c));
        let text = format!("terrace_mul_add_row_{}({a}, {b}, {c})", self.vector);
        self.float(&text)
    }

    fn int_add(&mut self, a: V, b: V) -> V {
        self.infix("bits", a, "+", b)
    }

    fn int_sub(&mut self, a: V, b: V) -> V {
        self.infix("bits", a, "-", b)
    }

    fn up(&mut self, a: V, bits: u32) -> V {
        self.infix("bits", a, "<<", V::Int(bits as i32))
    }

    fn down(&mut self, a: V, bits: u32) -> V {
        self.infix("bits", a, ">>", V::Int(bits as i32))
    }

    fn bits(&mut self, x: V) -> V {
        let text = format!("(bits){}", self.name(x));
        self.bind("bits", &text)
    }

    fn of_bits(&mut self, x: V) -> V {
        let text = format!("({}){}", self.vector, self.name(x));
        self.float(&text)
    }

    fn to_real(&mut self, n: V) -> V {
        let text = format!("__builtin_convertvector({}, {})", self.name(n), self.vector);
        self.float(&text)
    }

    fn abs(&mut self, x: V) -> V {
        let text = format!("({})((bits){} & 0x7fffffff)", self.vector, self.name(x));
        self.float(&text)
    }

    fn copysign(&mut self, x: V, sign: V) -> V {
        let (x, sign) = (self.name(x), self.name(sign));
        let text = format!("({})(((bits){x} & 0x7fffffff) | ((bits){sign} & ~0x7fffffff))", self.vector);
        self.float(&text)
    }

    fn replace(&mut self, value: V, (x, pred, with): (V, Pred, f32), then: V) -> V {
        let (x, with) = (self.name(x), self.name(V::Real(with.to_bits())));
        let mask = match pred {
            Pred::Greater => format!("{x} > {with}"),
            Pred::Less => format!("{x} < {with}"),
            Pred::Equal => format!("{x} == {with}"),
            Pred::LessOrNan => format!("~({x} >= {with})"),
        };
        let mask = self.bind("bits", &mask);
        let mask = self.name(mask);
        let (value, then) = (self.row(value), self.row(then));
        let text = format!("({})(({mask} & (bits){then}) | (~{mask} & (bits){value}))", self.vector);
        self.float(&text)
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
