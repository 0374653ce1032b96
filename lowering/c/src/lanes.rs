//! Vectors: their types, and ops that do the same to every lane.
//!
//! A vector is what the language has for it (GNU vectors in C, `float8` in OpenCL C), or else a struct of an array; all
//! dimensions lie one after another. Elementwise ops are plain operators where the language has them on vectors and they mean
//! the same; all others become a helper function with a loop over the lanes, whose body is what is printed for numbers.

use crate::emit::{Done, Emit, Refused};
use crate::expr::{Expr, prec};
use crate::types::Scalar;
use crate::{Flavor, codes};
use terrace_dialect_upstream::arith::{CmpF, CmpI};
use terrace_ir::{Context, OpId, Type, TypeKind, Value};

/// Most lanes of a vector
const MOST: i64 = 4096;

/// A type of vectors
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Vector {
    pub elem: Scalar,
    pub shape: Vec<i64>,
}

impl Vector {
    /// The vector that a type is
    pub fn of(cx: &Context, ty: Type) -> Option<Vector> {
        let TypeKind::Vector { shape, elem, scalable } = ty.kind(cx) else { return None };
        let lanes = shape.iter().try_fold(1i64, |lanes, size| lanes.checked_mul(*size))?;
        let fixed = (1..=MOST).contains(&lanes) && *scalable == 0;
        fixed.then_some(())?;
        Some(Vector { elem: Scalar::of(cx, *elem)?, shape: shape.to_vec() })
    }

    /// Number of lanes
    pub fn lanes(&self) -> usize {
        self.shape.iter().product::<i64>() as usize
    }

    /// Name without the language's own words
    pub fn name(&self) -> String {
        format!("{}x{}", self.elem.suffix(), self.lanes())
    }
}

impl Flavor {
    /// Has the language such vectors itself?
    pub(crate) fn has(self, vector: &Vector) -> bool {
        let lanes = vector.lanes();
        match self {
            Flavor::OpenMp => lanes.is_power_of_two() && lanes > 1,
            Flavor::OpenCl => matches!(lanes, 2 | 4 | 8 | 16),
            Flavor::Cuda => false,
        }
    }

    /// Type of a lane in memory
    pub(crate) fn lane_type(self, vector: &Vector) -> &'static str {
        match (self, vector.elem) {
            (Flavor::OpenMp, Scalar::Bool) => "uint8_t",
            (Flavor::OpenCl, Scalar::Bool) => "uchar",
            (Flavor::Cuda, Scalar::Bool) => "unsigned char",
            (_, elem) => self.scalar(elem),
        }
    }

    /// A lane of a variable; the number is text
    pub(crate) fn lane(self, vector: &Vector, name: &str, number: &str) -> String {
        if !self.has(vector) {
            return format!("{name}.lane[{number}]");
        }
        match (self, number.parse::<u32>()) {
            (Flavor::OpenMp, Ok(_)) => format!("{name}[{number}]"),
            (Flavor::OpenCl, Ok(number)) => format!("{name}.s{number:x}"),
            _ => format!("(({} *)&{name})[{number}]", self.lane_type(vector)),
        }
    }
}

/// Values of which a lane is meant, while the body of a helper is printed
#[derive(Default)]
pub(crate) struct Lanes {
    pub values: Vec<(Value, Expr)>,
    pub results: Vec<(Value, Expr)>,
}

impl Emit<'_> {
    /// The vector that a type is, or an error at the op
    pub fn vector(&mut self, op: OpId, ty: Type) -> Done<Vector> {
        if let Some(vector) = Vector::of(self.cx, ty) {
            return Ok(vector);
        }
        let message = format!(
            "has a value of type '{}', which {} cannot say",
            terrace_ir::show::type_text(self.cx, ty),
            self.flavor.name()
        );
        let help = format!("vectors have fixed sizes, at most {MOST} lanes, of numbers");
        self.refuse(op, &codes::TYPE, &message, &help)
    }

    /// C type of a vector, declared
    pub fn vector_type(&mut self, vector: &Vector) -> String {
        let (name, lanes, elem) = (vector.name(), vector.lanes(), self.flavor.lane_type(vector));
        let text = match (self.flavor, self.flavor.has(vector)) {
            (Flavor::OpenMp, true) => {
                let bytes = vector.elem.bytes() as usize * lanes;
                format!("typedef {elem} {name} __attribute__((vector_size({bytes})));")
            }
            (_, true) => return format!("{elem}{lanes}"),
            (_, false) => format!("typedef struct {{\n  {elem} lane[{lanes}];\n}} {name};"),
        };
        self.helpers.declare(&name, text);
        name
    }

    /// A helper function on vectors; its name, with a number where another one has it already
    pub fn vector_helper(&mut self, wanted: &str, result: &str, params: &[String], body: &str) -> String {
        let mut name = format!("terrace_{wanted}");
        let mut n = 1;
        loop {
            let text =
                format!("{}{result} {name}({}) {{\n{body}\n}}", self.helpers.inlined(), params.join(", "));
            match self.helpers.get(&name) {
                None => {
                    self.helpers.declare(&name, text);
                    return name;
                }
                Some(other) if other == text => return name,
                Some(_) => n += 1,
            }
            name = format!("terrace_{wanted}_{n}");
        }
    }

    /// First line of a loop over lanes
    pub fn lanes_loop(&self, lanes: usize) -> String {
        let unroll = if self.flavor == Flavor::Cuda { "#pragma unroll\n  " } else { "" };
        format!("  {unroll}for (int l = 0; l < {lanes}; l++)")
    }

    /// Is the op one that does the same to every lane?
    pub fn is_lanewise(&self, op: OpId, dialect: &str, name: &str) -> bool {
        let ir = self.ir;
        let mut values = ir.operands(op).chain(ir.results(op));
        let vectors = values.any(|value| matches!(ir.ty(value).kind(self.cx), TypeKind::Vector { .. }));
        vectors
            && (matches!(dialect, "arith" | "math") && name != "constant"
                || dialect == "vector" && name == "fma")
    }

    /// Print such an op
    pub fn lanewise(&mut self, op: OpId, dialect: &str, name: &str) -> Done {
        let ir = self.ir;
        if name == "mulf" && self.joins_sum(op) || self.joins_dot(op) {
            return Ok(());
        }
        let contraction = if name == "addf" { self.contraction(op) } else { None };
        let operands: Vec<Value> = match contraction {
            Some((product, other)) => vec![ir.operand(product, 0), ir.operand(product, 1), other],
            None => ir.operands(op).collect(),
        };
        let results: Vec<Value> = ir.results(op).collect();
        let mut made = Vec::new();
        for result in &results {
            made.push(self.vector(op, ir.ty(*result))?);
        }
        let Some(first) = made.first().cloned() else { return Err(Refused) };
        if contraction.is_none()
            && !self.flavor.widens(first.elem)
            && let Some((sign, level)) = own_operator(name, &first)
            && self.flavor.has(&first)
        {
            self.vector_type(&first);
            let args: Vec<Expr> = operands.iter().map(|value| self.expr(*value)).collect();
            let e = match &args[..] {
                [a] => Expr::unary(sign, a),
                [a, b] => Expr::binary(sign, level, a, b),
                _ => return Err(Refused),
            };
            return self.bind(op, results[0], e);
        }
        // Parameters: each value once.
        let mut distinct: Vec<Value> = Vec::new();
        for value in &operands {
            if !distinct.contains(value) {
                distinct.push(*value);
            }
        }
        let mut lanes = Lanes::default();
        let mut params = Vec::new();
        for (n, value) in distinct.iter().enumerate() {
            let param = char::from(b'a' + (n as u8).min(25)).to_string();
            let ty = ir.ty(*value);
            let lane = match Vector::of(self.cx, ty) {
                Some(vector) => {
                    params.push(format!("{} {param}", self.vector_type(&vector)));
                    Expr::atom(self.flavor.lane(&vector, &param, "l"))
                }
                None => {
                    params.push(format!("{} {param}", self.c_type(op, ty)?));
                    Expr::atom(param)
                }
            };
            lanes.values.push((*value, lane));
        }
        let types: Vec<String> = made.iter().map(|vector| self.vector_type(vector)).collect();
        // The body is printed like the op on numbers, into a text of its own.
        let text = std::mem::take(&mut self.out);
        let depth = std::mem::replace(&mut self.depth, 2);
        self.names.push();
        for name in ["a", "b", "c", "r", "l"] {
            self.names.take(name);
        }
        self.lanes = Some(lanes);
        let done = match (dialect, name) {
            ("vector", _) => self.function(op, "fma"),
            ("math", _) => self.math(op, name),
            _ => self.arith(op, name),
        };
        let lanes = self.lanes.take().unwrap_or_default();
        self.names.pop();
        self.depth = depth;
        let before = std::mem::replace(&mut self.out, text);
        done?;
        let args: Vec<Expr> = distinct.iter().map(|value| self.expr(*value)).collect();
        let args: Vec<&Expr> = args.iter().collect();
        for (n, result) in results.iter().enumerate() {
            let Some((_, lane)) = lanes.results.iter().find(|(value, _)| value == result) else { continue };
            let mut body = self.lanes_body(&made[n], &types[n], &before, &lane.text);
            if name == "fma"
                && self.flavor == Flavor::OpenMp
                && distinct.len() == 3
                && let Some((test, function)) = processor_fma(&made[n])
            {
                self.helpers.include("#ifdef __FMA__\n#include <immintrin.h>\n#endif");
                body = format!("#ifdef {test}\n  return {function}(a, b, c);\n#else\n{body}\n#endif");
            }
            if self.flavor == Flavor::OpenMp
                && distinct.len() == 2
                && let Some(own) = crate::extrema::body(name, &made[n], &types[n])
            {
                self.helpers.include("#ifdef __AVX__\n#include <immintrin.h>\n#endif");
                body = own;
            }
            if self.flavor == Flavor::OpenMp
                && dialect == "math"
                && let Some(own) = crate::rows::body(name, &made[n])
            {
                self.helpers.include("#ifdef __FMA__\n#include <immintrin.h>\n#endif");
                let (fma, text) = crate::rows::mul_add(&made[n]);
                self.helpers.declare(&fma, text);
                body = own;
            }
            let from = operands.iter().find_map(|value| Vector::of(self.cx, ir.ty(*value)));
            let from = from
                .filter(|from| from.elem != made[n].elem)
                .map_or(String::new(), |from| from.elem.suffix().to_string() + "_");
            let number = if n > 0 { n.to_string() } else { String::new() };
            let wanted = format!(
                "{}{number}_{from}{}",
                self.helper_name(op, name, contraction.is_some()),
                made[n].name()
            );
            let function = self.vector_helper(&wanted, &types[n], &params, &body);
            self.bind(op, *result, Expr::call(&function, &args))?;
        }
        Ok(())
    }

    /// Body of a helper that computes a vector lane by lane
    pub fn lanes_body(&self, vector: &Vector, c_type: &str, before: &str, lane: &str) -> String {
        let header = self.lanes_loop(vector.lanes());
        let target = self.flavor.lane(vector, "r", "l");
        match before.is_empty() {
            true => format!("  {c_type} r;\n{header}\n    {target} = {lane};\n  return r;"),
            false => {
                format!("  {c_type} r;\n{header} {{\n{before}    {target} = {lane};\n  }}\n  return r;")
            }
        }
    }

    /// The op's name, with what else decides what it does
    fn helper_name(&self, op: OpId, name: &str, contracted: bool) -> String {
        let names = match name {
            "cmpi" => Some(CmpI(op).predicate(self.ir).word()),
            "cmpf" => Some(CmpF(op).predicate(self.ir).word()),
            _ => None,
        };
        match names {
            Some(predicate) => predicate.to_string(),
            None if contracted => "mul_add".into(),
            None => name.trim_end_matches("imumf").to_string(),
        }
    }
}

/// The operator that the languages have for an op on their own vectors, with its precedence
fn own_operator(name: &str, vector: &Vector) -> Option<(&'static str, u8)> {
    Some(match name {
        "addf" => ("+", prec::SUM),
        "subf" => ("-", prec::SUM),
        "mulf" => ("*", prec::PRODUCT),
        "divf" => ("/", prec::PRODUCT),
        "negf" => ("-", prec::UNARY),
        "andi" => ("&", prec::AND),
        "ori" => ("|", prec::OR),
        "xori" if vector.elem != Scalar::Bool => ("^", prec::XOR),
        _ => return None,
    })
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
