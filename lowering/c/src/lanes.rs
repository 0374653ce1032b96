//! Ops that do the same to every lane of a vector.
//!
//! A vector is what the language has for it (GNU vectors in C, `float8` in OpenCL C), or else a struct of an array; all
//! dimensions lie one after another. Elementwise ops are plain operators where the language has them on vectors and they mean
//! the same; all others become a helper function with a loop over the lanes, whose body is what is printed for numbers.

use crate::emit::{Emit, Lowering};
use crate::expr::{Expr, prec};
use crate::extrema::Extremum;
use crate::refusal::{Done, Refused};
use crate::types::Scalar;
use crate::values::Lanes;
use crate::vector_math::processor_fma;
use crate::vector_type::Vector;
use terrace_dialect_arith as arith;
use terrace_dialect_math as math;
use terrace_dialect_vector as vector;
use terrace_ir::{OpDef, OpId, Traits, TypeKind, Value};

impl Emit<'_> {
    /// Is the op one that does the same to every lane of vectors?
    pub fn is_lanewise(&self, op: OpId) -> bool {
        let ir = self.ir;
        let vector = |value: Value| matches!(ir.ty(value).kind(self.ir.cx()), TypeKind::Vector { .. });
        ir.has(op, Traits::Elementwise) && ir.operands(op).chain(ir.results(op)).any(vector)
    }

    /// Print such an op: by the language's own operator, or a helper
    pub fn lanewise(&mut self, op: OpId, row: &Lowering) -> Done {
        let ir = self.ir;
        if ir.is(op, arith::MulF::DEF) && self.joins_sum(op) || self.joins_dot(op) {
            return Ok(());
        }
        let contraction = if ir.is(op, arith::AddF::DEF) { self.contraction(op) } else { None };
        let operands: Vec<Value> = match contraction {
            Some((product, other)) => ir.operands(product).chain([other]).collect(),
            None => ir.operands(op).collect(),
        };
        let mut made = Vec::new();
        for result in ir.results(op) {
            made.push(self.vector(op, ir.ty(result))?);
        }
        let Some(first) = made.first() else { return Err(Refused) };
        if contraction.is_none()
            && !self.lang.widens(first.elem)
            && let Some((sign, level)) = self.own_operator(op, first)
            && self.lang.has(first)
        {
            self.helpers.vector_type(first);
            let args: Vec<Expr> = operands.iter().map(|value| self.values.expr(*value)).collect();
            let e = match &args[..] {
                [a] => Expr::unary(sign, a),
                [a, b] => Expr::binary(sign, level, a, b),
                _ => return Err(Refused),
            };
            return self.bind(op, ir.result(op, 0), e);
        }
        self.lanewise_helpers(op, row, &operands, &made, contraction.is_some())
    }

    /// A helper for each result, with a loop over the lanes
    fn lanewise_helpers(
        &mut self,
        op: OpId,
        row: &Lowering,
        operands: &[Value],
        made: &[Vector],
        contracted: bool,
    ) -> Done {
        let ir = self.ir;
        // Parameters: each value once.
        let mut distinct: Vec<Value> = Vec::new();
        for value in operands {
            if !distinct.contains(value) {
                distinct.push(*value);
            }
        }
        let (params, lanes) = self.lane_params(op, &distinct)?;
        let types: Vec<String> = made.iter().map(|vector| self.helpers.vector_type(vector)).collect();
        let (before, lanes) = self.lane_body(op, row, lanes)?;
        let args: Vec<Expr> = distinct.iter().map(|value| self.values.expr(*value)).collect();
        let args: Vec<&Expr> = args.iter().collect();
        let from = operands.iter().find_map(|value| Vector::of(self.ir.cx(), ir.ty(*value)));
        for (n, result) in ir.results(op).enumerate() {
            let Some((_, lane)) = lanes.results.iter().find(|(value, _)| *value == result) else { continue };
            let body = match self.processor_body(op, &made[n], &types[n], distinct.len()) {
                Some(own) => own.around(&self.helpers.lanes_body(&made[n], &types[n], &before, &lane.text)),
                None => self.helpers.lanes_body(&made[n], &types[n], &before, &lane.text),
            };
            let from = from.as_ref().filter(|from| from.elem != made[n].elem);
            let from = from.map_or(String::new(), |from| from.elem.suffix().to_string() + "_");
            let number = if n > 0 { n.to_string() } else { String::new() };
            let wanted = format!("{}{number}_{from}{}", self.helper_name(op, contracted), made[n].name());
            let function = self.helpers.vector_helper(&wanted, &types[n], &params, &body);
            self.bind(op, result, Expr::call(&function, &args))?;
        }
        Ok(())
    }

    /// Parameters `a`, `b`, … of a helper for these values, and the lane of each
    fn lane_params(&mut self, op: OpId, values: &[Value]) -> Done<(Vec<String>, Lanes)> {
        let (mut params, mut lanes) = (Vec::new(), Lanes::default());
        for (n, value) in values.iter().enumerate() {
            let param = char::from(b'a' + (n as u8).min(25)).to_string();
            let ty = self.ir.ty(*value);
            let lane = match Vector::of(self.ir.cx(), ty) {
                Some(vector) => {
                    params.push(format!("{} {param}", self.helpers.vector_type(&vector)));
                    Expr::atom(self.lang.lane(&vector, &param, "l"))
                }
                None => {
                    params.push(format!("{} {param}", self.c_type(op, ty)?));
                    Expr::atom(param)
                }
            };
            lanes.values.push((*value, lane));
        }
        Ok((params, lanes))
    }

    /// The op on one lane, printed like the op on numbers: the lines, and what the results are
    fn lane_body(&mut self, op: OpId, row: &Lowering, lanes: Lanes) -> Done<(String, Lanes)> {
        let text = std::mem::take(&mut self.text.out);
        let depth = std::mem::replace(&mut self.text.depth, 2);
        self.text.names.push();
        for name in ["a", "b", "c", "r", "l"] {
            self.text.names.take(name);
        }
        self.values.lanes = Some(lanes);
        let done = (row.emit)(self, op);
        let lanes = self.values.lanes.take().unwrap_or_default();
        self.text.names.pop();
        self.text.depth = depth;
        let lines = std::mem::replace(&mut self.text.out, text);
        done.map(|()| (lines, lanes))
    }

    /// What the host's processors have for an op on vectors, if they have something
    fn processor_body(
        &mut self,
        op: OpId,
        vector: &Vector,
        c_type: &str,
        params: usize,
    ) -> Option<Processor> {
        if !self.lang.is_host() {
            return None;
        }
        let fma = self.ir.is(op, math::Fma::DEF) || self.ir.is(op, vector::Fma::DEF);
        if fma
            && params == 3
            && let Some((test, function)) = processor_fma(vector)
        {
            self.helpers.include("#ifdef __FMA__\n#include <immintrin.h>\n#endif");
            return Some(Processor::Test { test, call: format!("{function}(a, b, c)") });
        }
        if params == 2
            && let Some(what) = Extremum::of(self.ir.def(op))
            && let Some(body) = crate::extrema::body(what, vector, c_type)
        {
            self.helpers.include("#ifdef __AVX__\n#include <immintrin.h>\n#endif");
            return Some(Processor::Body(body));
        }
        let body = crate::vector_math::body(self.ir.def(op), vector)?;
        self.helpers.include("#ifdef __FMA__\n#include <immintrin.h>\n#endif");
        let (fma, text) = crate::vector_math::mul_add(vector);
        self.helpers.declare(&fma, text);
        Some(Processor::Body(body))
    }

    /// The op's name, with what else decides what it does
    fn helper_name(&self, op: OpId, contracted: bool) -> &'static str {
        let ir = self.ir;
        if let Some(compare) = arith::CmpI::cast(ir, op) {
            return compare.predicate(ir).word();
        }
        if let Some(compare) = arith::CmpF::cast(ir, op) {
            return compare.predicate(ir).word();
        }
        if contracted { "mul_add" } else { self.mnemonic(op).trim_end_matches("imumf") }
    }

    /// The operator that the languages have for an op on their own vectors, with its precedence
    fn own_operator(&self, op: OpId, vector: &Vector) -> Option<(&'static str, u8)> {
        let bits = vector.elem == Scalar::Bool && self.ir.is(op, arith::XOrI::DEF);
        let found = OPERATORS.iter().find(|(def, ..)| self.ir.is(op, def) && !bits);
        found.map(|(_, sign, level)| (*sign, *level))
    }
}

/// Operators of the languages on their own vectors
static OPERATORS: &[(&OpDef, &str, u8)] = &[
    (arith::AddF::DEF, "+", prec::SUM),
    (arith::AndI::DEF, "&", prec::AND),
    (arith::DivF::DEF, "/", prec::PRODUCT),
    (arith::MulF::DEF, "*", prec::PRODUCT),
    (arith::NegF::DEF, "-", prec::UNARY),
    (arith::OrI::DEF, "|", prec::OR),
    (arith::SubF::DEF, "-", prec::SUM),
    (arith::XOrI::DEF, "^", prec::XOR),
];

/// What processors have for an op on vectors
enum Processor {
    /// A whole body
    Body(String),
    /// A call, where a macro says so; elsewhere a loop
    Test { test: &'static str, call: String },
}

impl Processor {
    /// The body of a helper, given the loop over lanes
    fn around(self, plain: &str) -> String {
        match self {
            Processor::Body(body) => body,
            Processor::Test { test, call } => {
                format!("#ifdef {test}\n  return {call};\n#else\n{plain}\n#endif")
            }
        }
    }
}
