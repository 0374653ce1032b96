//! `scf.parallel`: loops of OpenMP around all others in C, plain loops elsewhere.
//!
//! Floats are combined in the order of the iterations, as the interpreter does it: the parallel loop writes its contributions
//! into a buffer, and a loop behind it combines them. So no result depends on the number of threads. Sums of integers and
//! their like are the same in any order; OpenMP makes them.

use crate::Flavor;
use crate::emit::{Done, Emit, Slot, Val};
use crate::expr::{Expr, prec};
use crate::scf::End;
use crate::types::Scalar;
use terrace_dialect_upstream::marks::GRAIN;
use terrace_ir::{DYNAMIC, OpId, Value};

/// A parallel loop that is being printed
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// Variables of the results
    slots: Vec<Slot>,
    /// Number of C loops
    rank: usize,
    /// Buffers of contributions, one for each result; empty if they are combined at once
    parts: Vec<String>,
    /// Number of this iteration, and of all
    place: String,
    count: String,
    /// The terminator, and what it gives
    reduce: Option<OpId>,
    given: Vec<Expr>,
    pragma: bool,
}

impl Emit<'_> {
    pub(crate) fn parallel_op(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        let block = self.only_block(op, ir.region(op, 0))?;
        let ivs = ir.block_args(block).to_vec();
        let rank = ivs.len();
        let [lows, highs, steps, inits] = [0, 1, 2, 3].map(|n| ir.operand_field(op, n));
        let results: Vec<Value> = ir.results(op).collect();
        let slots = self.declare(op, &results, &inits)?;
        for (slot, result) in slots.iter().zip(&results) {
            self.set_slot(*result, slot);
        }
        let pragma = self.flavor == Flavor::OpenMp && self.parallel == 0;
        let int = self.flavor.scalar(Scalar::Int(64));
        let ranges: Vec<_> = (0..rank).map(|n| (self.range(lows[n]).0, self.range(highs[n]).1)).collect();
        let mut bounds = Vec::new();
        for n in 0..rank {
            let low = if pragma && !results.is_empty() { self.leaf(lows[n]) } else { self.bound(lows[n]) };
            let high = if results.is_empty() { self.bound(highs[n]) } else { self.leaf(highs[n]) };
            let step = self.bound(steps[n]);
            bounds.push((low, high, step));
        }
        self.flush();
        let (mut parts, mut count) = (Vec::new(), String::new());
        let mut trips = Vec::new();
        // Integers may be combined in any order: by OpenMP.
        let signs: Option<Vec<&str>> = (0..results.len())
            .map(|n| ir.last_op(block).and_then(|end| self.free_reduction(end, n)))
            .collect();
        let grain =
            ir.discardable(op, GRAIN).and_then(|attr| attr.as_i64(ir.cx())).filter(|grain| *grain > 0);
        let split = grain.map_or(String::new(), |grain| format!(" schedule(dynamic, {grain})"));
        let clauses = signs.as_ref().filter(|_| pragma).map_or(String::new(), |signs| {
            let clause = |(sign, slot): (&&str, &Slot)| format!(" reduction({sign}:{})", slot.name);
            signs.iter().zip(&slots).map(clause).collect()
        });
        if pragma && signs.is_none() {
            for (n, (low, high, step)) in bounds.iter().enumerate() {
                let plain = low.text == "0" && step.text == "1" && self.range(highs[n]).0 >= 0;
                trips.push(if plain { high.clone() } else { self.trips(low, high, step) });
            }
            let product = trips
                .iter()
                .skip(1)
                .fold(trips[0].clone(), |product, trip| Expr::binary("*", prec::PRODUCT, &product, trip));
            count = self.variable(int, "count", &product).text;
            for (slot, result) in slots.iter().zip(&results) {
                let ty = self.scalar_of(op, *result)?;
                let elem = self.flavor.stored(ty);
                let name = self.names.fresh(&format!("{}_parts", slot.name));
                let function = self.allocate();
                self.line(&format!("{elem} *{name} = {function}({count} * sizeof({elem}), 64);"));
                parts.push(name);
            }
        }
        if pragma {
            self.pragma(rank, &(clauses + &split));
        }
        let mut place: Option<Expr> = None;
        for n in 0..rank {
            let (low, high, step) = &bounds[n];
            let name = self.header(ivs[n], low, high, step, n + 1 == rank);
            let e = Expr::atom(&name);
            if !parts.is_empty() {
                let from = if low.text == "0" { e.clone() } else { Expr::binary("-", prec::SUM, &e, low) };
                let at = match step.text.as_str() {
                    "1" => from,
                    _ => Expr::binary("/", prec::PRODUCT, &from, step),
                };
                place = Some(match place.take() {
                    Some(outer) => {
                        let outer = Expr::binary("*", prec::PRODUCT, &outer, &trips[n]);
                        Expr::binary("+", prec::SUM, &outer, &at)
                    }
                    None => at,
                });
            }
            self.below.insert(ivs[n], highs[n]);
            self.set_range(ivs[n], (ranges[n].0, (ranges[n].1 - 1).max(ranges[n].0)));
        }
        let place = place.map_or(String::new(), |place| place.text);
        let around = Loop { slots, rank, parts, place, count, reduce: None, given: Vec::new(), pragma };
        self.enter(block, End::Parallel(around));
        Ok(())
    }

    /// `scf.forall` over buffers
    pub(crate) fn forall(&mut self, op: OpId) -> Done {
        let ir = self.ir;
        if ir.num_results(op) > 0 {
            return self.no_op(op, "it gives tensors", "over buffers it has no results");
        }
        let block = self.only_block(op, ir.region(op, 0))?;
        let ivs = ir.block_args(block).to_vec();
        let mut bounds = Vec::new();
        for (n, name) in ["staticLowerBound", "staticUpperBound", "staticStep"].into_iter().enumerate() {
            let fixed =
                ir.attr(op, name).and_then(|attr| attr.as_dense_array(self.cx)).unwrap_or(&[]).to_vec();
            let mut dynamic = ir.operand_field(op, n).into_iter();
            let mut all = Vec::new();
            for number in fixed {
                let value = if number == DYNAMIC { dynamic.next() } else { None };
                all.push(match value {
                    Some(value) => (self.bound(value), self.range(value)),
                    None => (self.integer(Scalar::Int(64), number.into()), (number.into(), number.into())),
                });
            }
            bounds.push(all);
        }
        self.flush();
        let pragma = self.flavor == Flavor::OpenMp && self.parallel == 0;
        let rank = ivs.len();
        if pragma {
            self.pragma(rank, "");
        }
        for (n, iv) in ivs.iter().enumerate() {
            let [low, high, step] = [0, 1, 2].map(|list| bounds[list][n].clone());
            self.header(*iv, &low.0, &high.0, &step.0, n + 1 == rank);
            self.set_range(*iv, (low.1.0, (high.1.1 - 1).max(low.1.0)));
        }
        self.enter(block, End::Forall { loops: rank, pragma });
        Ok(())
    }

    /// What makes the next loops run in parallel
    fn pragma(&mut self, rank: usize, clauses: &str) {
        let collapse = if rank > 1 { format!(" collapse({rank})") } else { String::new() };
        self.line(&format!("#pragma omp parallel for{collapse}{clauses}"));
        self.parallel += 1;
    }

    /// First line of a loop, with a brace if it is the innermost one; the induction variable's name
    fn header(&mut self, iv: Value, low: &Expr, high: &Expr, step: &Expr, last: bool) -> String {
        let int = self.flavor.scalar(Scalar::Int(64));
        self.names.push();
        let name = match self.ir.value_name(iv).and_then(crate::names::identifier) {
            Some(name) => self.names.fresh(&name),
            None => self.names.induction(),
        };
        let advance = if step.text == "1" { format!("{name}++") } else { format!("{name} += {}", step.text) };
        let brace = if last { " {" } else { "" };
        self.line(&format!(
            "for ({int} {name} = {}; {name} < {}; {advance}){brace}",
            low.text,
            high.at(prec::SHIFT)
        ));
        self.depth += 1;
        self.set(iv, Val::Expr(Expr::atom(&name)));
        name
    }

    /// The operator of OpenMP for a reduction whose order nobody can see: of integers, by one op
    fn free_reduction(&self, reduce: OpId, n: usize) -> Option<&'static str> {
        let ir = self.ir;
        let block = (n < ir.num_regions(reduce)).then(|| ir.single_block(ir.region(reduce, n)))??;
        let op = ir.first_op(block)?;
        let end = ir.next(op)?;
        let own = ir.num_results(op) == 1 && ir.operands(end).eq(ir.results(op));
        let (args, given) = (ir.block_args(block), ir.operands(op).collect::<Vec<_>>());
        let both = matches!((args, &given[..]), ([a, b], [x, y]) if (a, b) == (x, y) || (b, a) == (x, y));
        let integer = matches!(Scalar::of(self.cx, ir.ty(*args.first()?))?, Scalar::Int(_));
        if !own || !both || !integer {
            return None;
        }
        Some(match ir.op_name(op) {
            "arith.addi" => "+",
            "arith.muli" => "*",
            "arith.andi" => "&",
            "arith.ori" => "|",
            "arith.xori" => "^",
            "arith.maxsi" => "max",
            "arith.minsi" => "min",
            _ => return None,
        })
    }

    /// Number of iterations of one dimension as a name or number
    fn trips(&mut self, low: &Expr, high: &Expr, step: &Expr) -> Expr {
        let int = self.flavor.scalar(Scalar::Int(64));
        if let (Ok(low), Ok(high), Ok(step)) =
            (low.text.parse::<i64>(), high.text.parse::<i64>(), step.text.parse::<i64>())
        {
            let span = i128::from(high) - i128::from(low);
            let trips = if span <= 0 { 0 } else { (span - 1) / i128::from(step.max(1)) + 1 };
            return Expr::atom(trips.to_string());
        }
        let body = "  return low < high ? (high - low - 1) / step + 1 : 0;";
        let function = self.helpers.function("trips", int, int, &["low", "high", "step"], body);
        self.variable(int, "trips", &Expr::call(&function, &[low, high, step]))
    }

    /// `scf.reduce`: the contributions of an iteration
    pub(crate) fn reduce(&mut self, op: OpId, mut around: Loop) -> Done {
        let given: Vec<Value> = self.ir.operands(op).collect();
        around.reduce = Some(op);
        if around.parts.is_empty() {
            around.given = given.into_iter().map(|value| self.leaf(value)).collect();
            self.flush();
            self.reduction(around, 0);
            return Ok(());
        }
        let given: Vec<Expr> = given.into_iter().map(|value| self.expr(value)).collect();
        for (part, value) in around.parts.clone().iter().zip(given) {
            self.line(&format!("{part}[{}] = {};", around.place, value.text));
        }
        self.close_loops(&around);
        self.reduction(around, 0);
        Ok(())
    }

    fn close_loops(&mut self, around: &Loop) {
        self.loops_end(around.rank, around.pragma);
    }

    /// Close C loops that lie in each other
    pub(crate) fn loops_end(&mut self, loops: usize, pragma: bool) {
        for n in 0..loops {
            self.names.pop();
            self.depth -= 1;
            if n == 0 {
                self.line("}");
            }
        }
        if pragma {
            self.parallel -= 1;
        }
    }

    /// Combine the n-th value, or end
    fn reduction(&mut self, mut around: Loop, n: usize) {
        let ir = self.ir;
        let next = around.reduce.filter(|op| n < ir.num_regions(*op));
        let Some(block) = next.and_then(|op| ir.single_block(ir.region(op, n))) else {
            if around.parts.is_empty() {
                self.close_loops(&around);
            }
            for part in &around.parts {
                self.line(&format!("free({part});"));
            }
            return;
        };
        let args = ir.block_args(block).to_vec();
        let [a, b] = args[..] else { return };
        if !around.parts.is_empty() {
            let int = self.flavor.scalar(Scalar::Int(64));
            self.names.push();
            let name = self.names.induction();
            self.line(&format!("for ({int} {name} = 0; {name} < {}; {name}++) {{", around.count));
            self.depth += 1;
            let part = Expr { reads: true, ..Expr::atom(format!("{}[{name}]", around.parts[n])) };
            around.given.resize(n + 1, part);
        }
        let slot = around.slots[n].clone();
        self.set_slot(a, &slot);
        let given = around.given[n].clone();
        self.set(b, Val::Expr(given));
        self.enter(block, End::Reduction { slot, around: Box::new(around), n });
    }

    /// A reduction has been printed
    pub(crate) fn reduction_end(&mut self, around: Loop, n: usize) {
        if !around.parts.is_empty() {
            self.close("}");
        }
        self.reduction(around, n + 1);
    }

    /// The function that allocates
    pub(crate) fn allocate(&mut self) -> String {
        self.helpers.include("#include <stdlib.h>");
        let body = "  size_t room = (bytes + align - 1) / align * align;\n  return aligned_alloc(align, room ? room : align);";
        self.helpers.function("allocate", "void *", "size_t", &["bytes", "align"], body)
    }
}
