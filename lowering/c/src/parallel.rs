//! `scf.parallel`: loops of OpenMP around all others in C, plain loops elsewhere.
//!
//! Floats are combined in the order of the iterations, as the interpreter does it: the parallel loop writes its contributions
//! into a buffer, and a loop behind it combines them. So no result depends on the number of threads. Sums of integers and
//! their like are the same in any order; OpenMP makes them.

use crate::emit::{Check, Emit, Lowering, any};
use crate::expr::{Expr, prec};
use crate::frame::{End, ParallelLoop};
use crate::helpers::Helpers;
use crate::names::identifier;
use crate::refusal::Done;
use crate::text::Slot;
use crate::types::Scalar;
use crate::values::Val;
use terrace_dialect_arith as arith;
use terrace_dialect_builtin::marks::GRAIN;
use terrace_dialect_scf as scf;
use terrace_ir::{Attr, DYNAMIC, OpDef, OpId, Value};
use terrace_lowering_table::{Checked, Refusal, rows};

pub(crate) static OPS: &[Lowering] = rows! { scf:
    Forall over_buffers, |e, op| e.forall(scf::Forall(op));
    InParallel any, |e, op| e.end(op);
    Parallel any, |e, op| e.parallel(scf::Parallel(op));
    Reduce any, |e, op| e.end(op);
    ReduceReturn any, |e, op| e.end(op);
};

fn over_buffers(c: &Check<'_>, op: OpId) -> Checked {
    if c.ir.num_results(op) == 0 {
        return Ok(());
    }
    Err(Refusal::new("it gives tensors", "over buffers it has no results"))
}

/// OpenMP's reductions of integers, whose order does not affect the result
static REDUCTIONS: &[(&OpDef, &str)] = &[
    (arith::AddI::DEF, "+"),
    (arith::AndI::DEF, "&"),
    (arith::MaxSI::DEF, "max"),
    (arith::MinSI::DEF, "min"),
    (arith::MulI::DEF, "*"),
    (arith::OrI::DEF, "|"),
    (arith::XOrI::DEF, "^"),
];

/// Bounds of one dimension of a parallel loop
struct Bounds {
    iv: Value,
    low: Expr,
    high: Expr,
    step: Expr,
    /// Least value of the induction variable, and bound of its values
    range: (i128, i128),
    /// Is the upper bound never negative?
    at_least_zero: bool,
}

/// Buffers for what iterations give to reductions whose order counts
#[derive(Default)]
struct Contributions {
    /// One for each result
    parts: Vec<String>,
    /// Trip counts of the dimensions
    trips: Vec<Expr>,
    /// Number of all iterations
    count: String,
}

fn reduction_clause((sign, slot): (&&str, &Slot)) -> String {
    format!(" reduction({sign}:{})", slot.name)
}

/// Number of an iteration of one dimension, from the induction variable
fn iteration(iv: &Expr, bound: &Bounds) -> Expr {
    let from = match bound.low.text.as_str() {
        "0" => iv.clone(),
        _ => Expr::binary("-", prec::SUM, iv, &bound.low),
    };
    match bound.step.text.as_str() {
        "1" => from,
        _ => Expr::binary("/", prec::PRODUCT, &from, &bound.step),
    }
}

impl Helpers {
    /// The function that allocates
    pub(crate) fn allocate(&mut self) -> String {
        self.include("#include <stdlib.h>");
        let body = "  size_t room = (bytes + align - 1) / align * align;\n  return aligned_alloc(align, room ? room : align);";
        self.function("allocate", "void *", "size_t", &["bytes", "align"], body)
    }
}

impl Emit<'_> {
    fn parallel(&mut self, parallel: scf::Parallel) -> Done {
        let (ir, op) = (self.ir, parallel.id());
        let block = self.only_block(op, parallel.region(ir))?;
        let results: Vec<Value> = ir.results(op).collect();
        let slots = self.declare(op, &results, &parallel.inits(ir))?;
        for (slot, result) in slots.iter().zip(&results) {
            self.values.set_slot(*result, slot);
        }
        let pragma = self.lang.has_threads() && self.frame.parallel == 0;
        let bounds = self.parallel_bounds(parallel, ir.block_args(block), pragma);
        self.flush();
        // Integers may be combined in any order: by OpenMP.
        let signs: Option<Vec<&str>> = (0..results.len())
            .map(|n| ir.last_op(block).and_then(|end| self.free_reduction(scf::Reduce(end), n)))
            .collect();
        let mut contributions = Contributions::default();
        if pragma && signs.is_none() {
            contributions = self.contributions(op, &bounds, &slots)?;
        }
        if pragma {
            let clauses: String = signs.iter().flatten().zip(&slots).map(reduction_clause).collect();
            let grain = ir.discardable(op, GRAIN).and_then(|attr| attr.as_i64(ir.cx()));
            let grain = grain.filter(|grain| *grain > 0);
            let split = grain.map_or(String::new(), |grain| format!(" schedule(dynamic, {grain})"));
            self.pragma(bounds.len(), &(clauses + &split));
        }
        let mut place: Option<Expr> = None;
        for (n, bound) in bounds.iter().enumerate() {
            let name = self.header(bound, n + 1 == bounds.len());
            if let Some(trips) = contributions.trips.get(n) {
                let at = iteration(&Expr::atom(&name), bound);
                place = Some(match place.take() {
                    Some(outer) => {
                        let outer = Expr::binary("*", prec::PRODUCT, &outer, trips);
                        Expr::binary("+", prec::SUM, &outer, &at)
                    }
                    None => at,
                });
            }
        }
        if self.lang.is_hardware() && bounds.len() == 1 {
            self.text.line("#pragma HLS UNROLL");
        }
        for (iv, high) in ir.block_args(block).iter().zip(parallel.upper(ir)) {
            self.values.below.insert(*iv, high);
        }
        let Contributions { parts, count, .. } = contributions;
        let place = place.map_or(String::new(), |place| place.text);
        let around = ParallelLoop {
            slots,
            rank: bounds.len(),
            parts,
            place,
            count,
            reduce: None,
            given: Vec::new(),
            pragma,
        };
        self.enter(block, End::Parallel(around));
        Ok(())
    }

    /// Bounds of all dimensions, in the order in which they are written down
    fn parallel_bounds(&mut self, parallel: scf::Parallel, ivs: &[Value], pragma: bool) -> Vec<Bounds> {
        let (ir, results) = (self.ir, self.ir.num_results(parallel.id()) > 0);
        let limits = parallel.lower(ir).into_iter().zip(parallel.upper(ir)).zip(parallel.steps(ir));
        let mut bounds = Vec::new();
        for (iv, ((lower, upper), step)) in ivs.iter().zip(limits) {
            let range = (self.range(lower).0, self.range(upper).1);
            let low = if pragma && results { self.leaf(lower) } else { self.bound(lower) };
            let high = if results { self.leaf(upper) } else { self.bound(upper) };
            let step = self.bound(step);
            let at_least_zero = self.range(upper).0 >= 0;
            bounds.push(Bounds { iv: *iv, low, high, step, range, at_least_zero });
        }
        bounds
    }

    /// A buffer for each result, which the iterations fill and a loop behind them combines
    fn contributions(&mut self, op: OpId, bounds: &[Bounds], slots: &[Slot]) -> Done<Contributions> {
        let int = self.lang.scalar(Scalar::Int(64));
        let mut trips = Vec::new();
        for bound in bounds {
            let plain = bound.low.text == "0" && bound.step.text == "1" && bound.at_least_zero;
            trips.push(if plain { bound.high.clone() } else { self.trips(bound) });
        }
        let product = trips.iter().cloned().reduce(|a, b| Expr::binary("*", prec::PRODUCT, &a, &b));
        let product = product.unwrap_or_else(|| Expr::atom("1"));
        let count = self.text.variable(int, "count", &product).text;
        let mut parts = Vec::new();
        for (slot, result) in slots.iter().zip(self.ir.results(op)) {
            let ty = self.scalar_of(op, result)?;
            let elem = self.lang.stored(ty);
            let name = self.text.names.fresh(&format!("{}_parts", slot.name));
            let function = self.helpers.allocate();
            self.text.line(&format!("{elem} *{name} = {function}({count} * sizeof({elem}), 64);"));
            parts.push(name);
        }
        Ok(Contributions { parts, trips, count })
    }

    /// `scf.forall` over buffers
    fn forall(&mut self, forall: scf::Forall) -> Done {
        let ir = self.ir;
        let block = self.only_block(forall.id(), forall.region(ir))?;
        let lows = self.mixed_bounds(forall.static_lower_bound(ir), forall.dynamic_lower_bound(ir));
        let highs = self.mixed_bounds(forall.static_upper_bound(ir), forall.dynamic_upper_bound(ir));
        let steps = self.mixed_bounds(forall.static_step(ir), forall.dynamic_step(ir));
        self.flush();
        let pragma = self.lang.has_threads() && self.frame.parallel == 0;
        let ivs = ir.block_args(block);
        if pragma {
            self.pragma(ivs.len(), "");
        }
        for (n, iv) in ivs.iter().enumerate() {
            let ((low, low_range), (high, high_range), (step, _)) =
                (lows[n].clone(), highs[n].clone(), steps[n].clone());
            let range = (low_range.0, high_range.1);
            let bound = Bounds { iv: *iv, low, high, step, range, at_least_zero: high_range.0 >= 0 };
            self.header(&bound, n + 1 == ivs.len());
        }
        self.enter(block, End::Forall { loops: ivs.len(), pragma });
        Ok(())
    }

    /// Bounds that are numbers or operands, with their ranges
    fn mixed_bounds(&mut self, fixed: Attr, dynamic: Vec<Value>) -> Vec<(Expr, (i128, i128))> {
        let fixed = fixed.as_dense_array(self.ir.cx()).unwrap_or(&[]).to_vec();
        let mut dynamic = dynamic.into_iter();
        let mut all = Vec::new();
        for number in fixed {
            let value = if number == DYNAMIC { dynamic.next() } else { None };
            all.push(match value {
                Some(value) => (self.bound(value), self.range(value)),
                None => {
                    (self.helpers.integer(Scalar::Int(64), number.into()), (number.into(), number.into()))
                }
            });
        }
        all
    }

    /// What makes the next loops run in parallel
    fn pragma(&mut self, rank: usize, clauses: &str) {
        let collapse = if rank > 1 { format!(" collapse({rank})") } else { String::new() };
        self.text.line(&format!("#pragma omp parallel for{collapse}{clauses}"));
        self.frame.parallel += 1;
    }

    /// First line of a loop, with a brace if it is the innermost one; the induction variable's name
    fn header(&mut self, bound: &Bounds, innermost: bool) -> String {
        let Bounds { iv, low, high, step, range, .. } = bound;
        let int = self.lang.scalar(Scalar::Int(64));
        self.text.names.push();
        let name = match self.ir.value_name(*iv).and_then(identifier) {
            Some(name) => self.text.names.fresh(&name),
            None => self.text.names.induction(),
        };
        let advance = if step.text == "1" { format!("{name}++") } else { format!("{name} += {}", step.text) };
        let brace = if innermost { " {" } else { "" };
        self.text.line(&format!(
            "for ({int} {name} = {}; {name} < {}; {advance}){brace}",
            low.text,
            high.at(prec::SHIFT)
        ));
        self.text.depth += 1;
        self.values.set(*iv, Val::Expr(Expr::atom(&name)));
        self.values.set_range(*iv, (range.0, (range.1 - 1).max(range.0)));
        name
    }

    /// The operator of OpenMP for a reduction whose order does not affect the result: of integers, by one op
    fn free_reduction(&self, reduce: scf::Reduce, n: usize) -> Option<&'static str> {
        let ir = self.ir;
        let block = reduce.reductions(ir).get(n).and_then(|region| ir.single_block(*region))?;
        let op = ir.first_op(block)?;
        let end = ir.next(op)?;
        let own = ir.num_results(op) == 1 && ir.operands(end).eq(ir.results(op));
        let (args, given) = (ir.block_args(block), ir.operands(op).collect::<Vec<_>>());
        let both = matches!((args, &given[..]), ([a, b], [x, y]) if (a, b) == (x, y) || (b, a) == (x, y));
        let integer = matches!(Scalar::of(self.ir.cx(), ir.ty(*args.first()?))?, Scalar::Int(_));
        if !own || !both || !integer {
            return None;
        }
        REDUCTIONS.iter().find(|(def, _)| ir.is(op, def)).map(|(_, sign)| *sign)
    }

    /// Trip count of one dimension as a name or number
    fn trips(&mut self, bound: &Bounds) -> Expr {
        let Bounds { low, high, step, .. } = bound;
        let int = self.lang.scalar(Scalar::Int(64));
        if let (Ok(low), Ok(high), Ok(step)) =
            (low.text.parse::<i64>(), high.text.parse::<i64>(), step.text.parse::<i64>())
        {
            let span = i128::from(high) - i128::from(low);
            let trips = if span <= 0 { 0 } else { (span - 1) / i128::from(step.max(1)) + 1 };
            return Expr::atom(trips.to_string());
        }
        let body = "  return low < high ? (high - low - 1) / step + 1 : 0;";
        let function = self.helpers.function("trips", int, int, &["low", "high", "step"], body);
        self.text.variable(int, "trips", &Expr::call(&function, &[low, high, step]))
    }

    /// `scf.reduce`: the contributions of an iteration
    pub(crate) fn reduce(&mut self, op: OpId, mut around: ParallelLoop) -> Done {
        let reduce = scf::Reduce(op);
        let given = reduce.operands(self.ir);
        around.reduce = Some(reduce);
        if around.parts.is_empty() {
            around.given = given.into_iter().map(|value| self.leaf(value)).collect();
            self.flush();
            self.reduction(around, 0);
            return Ok(());
        }
        let given: Vec<Expr> = given.into_iter().map(|value| self.values.expr(value)).collect();
        for (part, value) in around.parts.clone().iter().zip(given) {
            self.text.line(&format!("{part}[{}] = {};", around.place, value.text));
        }
        self.close_loops(&around);
        self.reduction(around, 0);
        Ok(())
    }

    fn close_loops(&mut self, around: &ParallelLoop) {
        self.loops_end(around.rank, around.pragma);
    }

    /// Close C loops that lie in each other
    pub(crate) fn loops_end(&mut self, loops: usize, pragma: bool) {
        for n in 0..loops {
            self.text.names.pop();
            self.text.depth -= 1;
            if n == 0 {
                self.text.line("}");
            }
        }
        if pragma {
            self.frame.parallel -= 1;
        }
    }

    /// Combine the n-th value, or end
    fn reduction(&mut self, mut around: ParallelLoop, n: usize) {
        let ir = self.ir;
        let next = around.reduce.and_then(|reduce| reduce.reductions(ir).get(n).copied());
        let Some(block) = next.and_then(|region| ir.single_block(region)) else {
            if around.parts.is_empty() {
                self.close_loops(&around);
            }
            for part in &around.parts {
                self.text.line(&format!("free({part});"));
            }
            return;
        };
        let args = ir.block_args(block).to_vec();
        let [a, b] = args[..] else { return };
        if !around.parts.is_empty() {
            let int = self.lang.scalar(Scalar::Int(64));
            self.text.names.push();
            let name = self.text.names.induction();
            self.text.line(&format!("for ({int} {name} = 0; {name} < {}; {name}++) {{", around.count));
            self.text.depth += 1;
            let part = Expr { reads: true, ..Expr::atom(format!("{}[{name}]", around.parts[n])) };
            around.given.resize(n + 1, part);
        }
        let slot = around.slots[n].clone();
        self.values.set_slot(a, &slot);
        let given = around.given[n].clone();
        self.values.set(b, Val::Expr(given));
        self.enter(block, End::Reduction { slot, around: Box::new(around), n });
    }

    /// A reduction has been printed
    pub(crate) fn reduction_end(&mut self, around: ParallelLoop, n: usize) {
        if !around.parts.is_empty() {
            self.text.close("}");
        }
        self.reduction(around, n + 1);
    }
}
