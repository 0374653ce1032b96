//! Ops of `vector`: lanes taken out and put in, reductions, masks. Each is a helper function or a few lines.

use crate::emit::{Emit, Lowering, any};
use crate::expr::{Expr, prec};
use crate::refusal::Done;
use crate::types::Scalar;
use crate::values::Val;
use crate::vector_type::Vector;
use terrace_dialect_arith::FastMathFlags;
use terrace_dialect_vector as vector;
use terrace_ir::{Attr, DYNAMIC, OpId, Value};
use terrace_lowering_table::rows;

pub(crate) static OPS: &[Lowering] = rows! { vector:
    Broadcast any, |e, op| e.broadcast(vector::Broadcast(op));
    ConstantMask any, |e, op| e.constant_mask(vector::ConstantMask(op));
    CreateMask any, |e, op| e.create_mask(vector::CreateMask(op));
    Extract any, |e, op| e.extract(vector::Extract(op));
    Fma any, |e, op| e.fused(op);
    Insert any, |e, op| e.insert(vector::Insert(op));
    Reduction any, |e, op| e.reduction_op(vector::Reduction(op));
    Step any, |e, op| e.step(vector::Step(op));
};

impl Emit<'_> {
    pub(crate) fn listed(&mut self, op: OpId, vector: &Vector, lanes: &[Expr]) -> Done {
        let e = self.helpers.list(vector, lanes);
        self.bind(op, self.ir.result(op, 0), e)
    }

    /// Lanes of these numbers of a vector
    pub(crate) fn picked(&mut self, op: OpId, source: Value, numbers: &[usize]) -> Done {
        let ir = self.ir;
        let from = self.vector(op, ir.ty(source))?;
        let name = self.leaf(source).text;
        let lanes: Vec<Expr> =
            numbers.iter().map(|n| Expr::atom(self.lang.lane(&from, &name, &n.to_string()))).collect();
        match Vector::of(self.ir.cx(), ir.ty(ir.result(op, 0))) {
            Some(to) => self.listed(op, &to, &lanes),
            None => match lanes.into_iter().next() {
                Some(lane) => self.bind(op, ir.result(op, 0), lane),
                None => self.unknown(op),
            },
        }
    }

    fn step(&mut self, step: vector::Step) -> Done {
        let vector = self.vector(step.id(), self.ir.ty(step.result(self.ir)))?;
        let numbers: Vec<Expr> = (0..vector.lanes()).map(|n| Expr::atom(n.to_string())).collect();
        self.listed(step.id(), &vector, &numbers)
    }

    fn broadcast(&mut self, broadcast: vector::Broadcast) -> Done {
        let (ir, op) = (self.ir, broadcast.id());
        let (source, result) = (broadcast.source(ir), broadcast.vector(ir));
        let to = self.vector(op, ir.ty(result))?;
        let Some(from) = Vector::of(self.ir.cx(), ir.ty(source)) else {
            let e = self.values.expr(source);
            let e = self.helpers.splat(&to, &e);
            return self.bind(op, result, e);
        };
        // Trailing dimensions are the same, or 1 in the source.
        let lead = to.shape.len() - from.shape.len().min(to.shape.len());
        let numbers: Vec<usize> = points(&to.shape)
            .map(|point| {
                let at = point[lead..].iter().zip(&from.shape);
                at.fold(0, |sum, (n, size)| sum * *size as usize + if *size == 1 { 0 } else { *n })
            })
            .collect();
        self.picked(op, source, &numbers)
    }

    /// The static position of `extract` or `insert`; `None` for parts that are not known
    fn position(&self, position: Attr) -> Vec<Option<i64>> {
        position
            .as_dense_array(self.ir.cx())
            .unwrap_or(&[])
            .iter()
            .map(|n| (*n != DYNAMIC).then_some(*n))
            .collect()
    }

    /// The first lane at a position, as a number or an expression; and how many are meant
    fn lanes_at(&mut self, fixed: Attr, vector: &Vector, dynamic: Vec<Value>) -> (Expr, usize) {
        let mut dynamic = dynamic.into_iter();
        let position = self.position(fixed);
        let mut at: Option<Expr> = None;
        let mut constant = Some(0i64);
        for (part, size) in position.iter().zip(&vector.shape) {
            let part = match part {
                Some(n) => {
                    // What lies outside is poison: any lane will do.
                    let n = (*n).clamp(0, (size - 1).max(0));
                    constant = constant.map(|constant| constant * size + n);
                    Expr::atom(n.to_string())
                }
                None => {
                    constant = None;
                    dynamic.next().map_or(Expr::atom("0"), |value| self.values.expr(value))
                }
            };
            at = Some(match at {
                Some(outer) => {
                    let outer = Expr::binary("*", prec::PRODUCT, &outer, &Expr::atom(size.to_string()));
                    Expr::binary("+", prec::SUM, &outer, &part)
                }
                None => part,
            });
        }
        let count: usize =
            vector.shape[position.len().min(vector.shape.len())..].iter().product::<i64>() as usize;
        match constant {
            Some(constant) => (Expr::atom((constant as usize * count).to_string()), count),
            None => {
                let at = at.unwrap_or(Expr::atom("0"));
                let count_ = Expr::atom(count.to_string());
                (if count == 1 { at } else { Expr::binary("*", prec::PRODUCT, &at, &count_) }, count)
            }
        }
    }

    fn extract(&mut self, extract: vector::Extract) -> Done {
        let (ir, op, source) = (self.ir, extract.id(), extract.source(self.ir));
        let from = self.vector(op, ir.ty(source))?;
        let (at, count) = self.lanes_at(extract.static_position(ir), &from, extract.dynamic_position(ir));
        if let Ok(first) = at.text.parse::<usize>() {
            return self.picked(op, source, &(first..first + count).collect::<Vec<_>>());
        }
        if count != 1 || Vector::of(self.ir.cx(), ir.ty(extract.result(ir))).is_some() {
            return self.no_op(op, "it takes several lanes from a place that is not constant", "");
        }
        let name = self.leaf(source).text;
        let lane = Expr::atom(self.lang.lane(&from, &name, &at.text)).with(&[&at]);
        self.bind(op, extract.result(ir), lane)
    }

    fn insert(&mut self, insert: vector::Insert) -> Done {
        let (ir, op) = (self.ir, insert.id());
        let (value, into, result) = (insert.value_to_store(ir), insert.dest(ir), insert.result(ir));
        let to = self.vector(op, ir.ty(result))?;
        let (at, count) = self.lanes_at(insert.static_position(ir), &to, insert.dynamic_position(ir));
        let (c_type, name) = (self.helpers.vector_type(&to), self.name(result));
        let from = Vector::of(self.ir.cx(), ir.ty(value));
        let source = match from {
            Some(_) => self.leaf(value),
            None => self.values.expr(value),
        };
        let start = self.values.expr(into);
        self.text.line(&format!("{c_type} {name} = {};", start.text));
        match (at.text.parse::<usize>(), &from) {
            (Ok(first), Some(from)) => {
                for n in 0..count {
                    let target = self.lang.lane(&to, &name, &(first + n).to_string());
                    let lane = self.lang.lane(from, &source.text, &n.to_string());
                    self.text.line(&format!("{target} = {lane};"));
                }
            }
            (_, Some(_)) => {
                return self.no_op(op, "it puts several lanes to a place that is not constant", "");
            }
            _ => {
                let target = self.lang.lane(&to, &name, &at.text);
                self.text.line(&format!("{target} = {};", source.text));
            }
        }
        self.values.set(result, Val::Expr(Expr::atom(name)));
        Ok(())
    }

    fn reduction_op(&mut self, reduction: vector::Reduction) -> Done {
        if let Some(done) = self.dot(reduction) {
            return done;
        }
        let (ir, op) = (self.ir, reduction.id());
        let (source, result) = (reduction.vector(ir), reduction.dest(ir));
        let from = self.vector(op, ir.ty(source))?;
        let kind = reduction.kind(ir).word();
        let ty = from.elem;
        let Some(combined) = self.helpers.combined(kind, ty) else { return self.unknown(op) };
        let vector_type = self.helpers.vector_type(&from);
        let elem = self.lang.scalar(ty);
        let lane = |n: &str| self.lang.lane(&from, "v", n);
        let lanes = from.lanes();
        let acc = reduction.acc(ir);
        let free = self.permits(op, FastMathFlags::REASSOC) && lanes.is_power_of_two() && lanes > 2;
        let mut params = vec![format!("{vector_type} v")];
        let (first, start) = match acc {
            Some(_) => {
                params.push(format!("{elem} r"));
                (0, String::new())
            }
            None => (1, format!("  {elem} r = {};\n", lane("0"))),
        };
        let step = |with: &str| combined.replace("$a", "r").replace("$b", with);
        let unroll = self.lang.unroll().map_or(String::new(), |line| format!("  {line}\n"));
        let body = if free {
            // Halves onto each other: any order is permitted.
            let target = lane("l");
            let halves = combined.replace("$a", &target).replace("$b", &lane("l + n"));
            let end = match acc {
                Some(_) => format!("  return {};", step(&lane("0"))),
                None => format!("  return {};", lane("0")),
            };
            format!(
                "{unroll}  for (int n = {}; n > 0; n /= 2)\n  {unroll}    for (int l = 0; l < n; l++)\n      {target} = {halves};\n{end}",
                lanes / 2
            )
        } else {
            format!(
                "{start}{unroll}  for (int l = {first}; l < {lanes}; l++)\n    r = {};\n  return r;",
                step(&lane("l"))
            )
        };
        let free = if free { "any_" } else { "" };
        let wanted = format!("reduce_{free}{kind}_{}", from.name());
        let function = self.helpers.vector_helper(&wanted, elem, &params, &body);
        let mut args = vec![self.values.expr(source)];
        args.extend(acc.map(|acc| self.values.expr(acc)));
        let args: Vec<&Expr> = args.iter().collect();
        self.bind(op, result, Expr::call(&function, &args))
    }

    fn create_mask(&mut self, mask: vector::CreateMask) -> Done {
        let vector = self.vector(mask.id(), self.ir.ty(mask.mask(self.ir)))?;
        let limits: Vec<Expr> =
            mask.operands(self.ir).into_iter().map(|value| self.values.expr(value)).collect();
        self.mask(mask.id(), &vector, &limits)
    }

    fn constant_mask(&mut self, mask: vector::ConstantMask) -> Done {
        let vector = self.vector(mask.id(), self.ir.ty(mask.mask(self.ir)))?;
        let sizes = mask.mask_dim_sizes(self.ir).as_dense_array(self.ir.cx()).unwrap_or(&[]);
        let limits: Vec<Expr> = sizes.iter().map(|size| Expr::atom(size.to_string())).collect();
        self.mask(mask.id(), &vector, &limits)
    }

    /// A mask of the lanes before these limits
    fn mask(&mut self, op: OpId, vector: &Vector, limits: &[Expr]) -> Done {
        let c_type = self.helpers.vector_type(vector);
        let int = self.lang.scalar(Scalar::Int(64));
        let params: Vec<String> = (0..limits.len()).map(|n| format!("{int} n{n}")).collect();
        let mut inner = vector.lanes();
        let mut tests = Vec::new();
        for (n, size) in vector.shape.iter().enumerate() {
            let outer = inner;
            inner /= (*size).max(1) as usize;
            let place = match (outer == vector.lanes(), inner) {
                (true, 1) => "l".to_string(),
                (false, 1) => format!("l % {outer}"),
                (true, inner) => format!("l / {inner}"),
                (false, inner) => format!("l % {outer} / {inner}"),
            };
            tests.push(format!("{place} < n{n}"));
        }
        let test = if tests.is_empty() { "n0 > 0".to_string() } else { tests.join(" && ") };
        let body = self.helpers.lanes_body(vector, &c_type, "", &test);
        let sizes: Vec<String> = vector.shape.iter().map(i64::to_string).collect();
        let function =
            self.helpers.vector_helper(&format!("mask_{}", sizes.join("x")), &c_type, &params, &body);
        let limits: Vec<&Expr> = limits.iter().collect();
        self.bind(op, self.ir.result(op, 0), Expr::call(&function, &limits))
    }
}

/// All points of a shape, row by row
pub(crate) fn points(shape: &[i64]) -> impl Iterator<Item = Vec<usize>> + '_ {
    let count = shape.iter().product::<i64>().max(0) as usize;
    (0..count).map(move |n| {
        let mut rest = n;
        let mut point = vec![0; shape.len()];
        for (at, size) in point.iter_mut().zip(shape).rev() {
            *at = rest % (*size).max(1) as usize;
            rest /= (*size).max(1) as usize;
        }
        point
    })
}
