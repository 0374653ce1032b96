//! `forall`: a body for each point of a box, in any order, with tensors that all of them share.

use super::loops::result_types;
use terrace_diag::Reported;
use terrace_dialect_tensor::ParallelInsertSlice;
use terrace_interp::{Interpret, Machine, RtValue, Step, Trap, codes as traps};
use terrace_ir::fold::constant_of;
use terrace_ir::rules::{AnyRankedTensor, AnyType, ArrayAttr, DenseI64Array, Index};
use terrace_ir::{DYNAMIC, Ir, NewOp, OpDef, OpId, Type, Value, ValueDef, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_rewrite::{Canonicalize, Miss, OrMiss, Pattern, Rewriter, Rule};
use terrace_text::{CustomAsm, Delim, OpParser, OpPrinter, Unresolved};

/// Run the body for each point of a box, in any order; `shared_outs` are put together by `in_parallel`
///
/// Bounds and steps are numbers or values. Without lower bounds and steps these are 0 and 1.
///
/// ```mlir
/// func.func @f(%m: memref<8x4xf32>, %n: index, %x: f32) {
///   scf.forall (%i, %j) in (%n, 4) {
///     memref.store %x, %m[%i, %j] : memref<8x4xf32>
///   }
///   scf.forall (%i) = (1) to (%n) step (2) {
///     memref.store %x, %m[%i, %i] : memref<8x4xf32>
///   }
///   return
/// }
/// ```
#[op(
    "scf.forall",
    traits(SingleBlock, LoopLike, RecursiveEffects, AllocationScope, InlinesCalls),
    interfaces(
        CustomAsm,
        Canonicalize,
        terrace_interp::Interpret,
        terrace_dataflow::RegionFlow,
        terrace_dataflow::Counted
    ),
    hooks(verify),
    implicit_terminator = "scf.forall.in_parallel"
)]
pub struct Forall {
    dynamic_lower_bound: Variadic<Index>,
    dynamic_upper_bound: Variadic<Index>,
    dynamic_step: Variadic<Index>,
    outputs: Variadic<AnyRankedTensor>,
    #[attr(name = "staticLowerBound")]
    static_lower_bound: DenseI64Array,
    #[attr(name = "staticUpperBound")]
    static_upper_bound: DenseI64Array,
    #[attr(name = "staticStep")]
    static_step: DenseI64Array,
    #[attr(optional)]
    mapping: ArrayAttr,
    #[result]
    results: Variadic<AnyType>,
    #[region(single_block)]
    region: Region,
}

/// Ends the body of `forall`: how the shared tensors are put together
///
/// ```mlir
/// func.func @f(%n: index) {
///   scf.forall (%i) in (%n) {
///     scf.forall.in_parallel {
///     }
///   }
///   return
/// }
/// ```
#[op(
    "scf.forall.in_parallel",
    traits(Pure, Terminator, SingleBlock, NoTerminator, GraphRegion, InlinesCalls),
    parents("scf.forall"),
    interfaces(CustomAsm, terrace_interp::Interpret),
    hooks(verify)
)]
pub struct InParallel {
    #[region(single_block)]
    region: Region,
}

/// Names of the three lists, in order of the operand fields
const LISTS: [&str; 3] = ["staticLowerBound", "staticUpperBound", "staticStep"];

fn parse_list(p: &mut OpParser<'_, '_>) -> Result<(Vec<Unresolved>, Vec<i64>), Reported> {
    let (mut dynamic, mut fixed) = (Vec::new(), Vec::new());
    p.list(Delim::Paren, |p| {
        match p.operand_opt()? {
            Some(operand) => {
                dynamic.push(operand);
                fixed.push(DYNAMIC);
            }
            None => fixed.push(p.int64()?),
        }
        Ok(())
    })?;
    Ok((dynamic, fixed))
}

impl CustomAsm for Forall {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let index = p.cx().common().index;
        let ivs = p.operands(Delim::Paren)?;
        let (lower, upper, step);
        if p.punct_opt("=") {
            lower = parse_list(p)?;
            p.keyword("to")?;
            upper = parse_list(p)?;
            p.keyword("step")?;
            step = parse_list(p)?;
        } else {
            p.keyword("in")?;
            upper = parse_list(p)?;
            lower = (Vec::new(), vec![0; upper.1.len()]);
            step = (Vec::new(), vec![1; upper.1.len()]);
        }
        let lists = [lower, upper, step];
        if let Some((_, list)) = lists.iter().find(|(_, list)| list.len() != ivs.len()) {
            let message = format!("{} induction variables, but {} bounds", ivs.len(), list.len());
            return Err(p.error(message));
        }
        for ((dynamic, fixed), name) in lists.into_iter().zip(LISTS) {
            p.resolve_all(&dynamic, &vec![index; dynamic.len()])?;
            p.segment();
            let fixed = p.cx().i64_array(&fixed);
            p.set_attr(name, fixed);
        }
        let (mut args, mut outs, mut results) = (ivs, Vec::new(), Vec::new());
        if p.keyword_opt("shared_outs") {
            p.punct("(")?;
            loop {
                args.push(p.operand()?);
                p.punct("=")?;
                outs.push(p.operand()?);
                if !p.punct_opt(",") {
                    break;
                }
            }
            p.punct(")")?;
            results = p.arrow_types_opt()?;
        }
        if outs.len() != results.len() {
            return Err(p.error(format!("{} shared outputs, but {} types", outs.len(), results.len())));
        }
        p.resolve_all(&outs, &results)?;
        p.segment();
        p.add_results(&results);
        let ivs = args.len() - outs.len();
        let types = std::iter::repeat_n(index, ivs).chain(results);
        let args: Vec<_> = args.into_iter().zip(types).collect();
        p.region(&args)?;
        p.attr_dict()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        let entry = ir.entry(self.region(ir));
        let args: Vec<Value> = entry.map_or(Vec::new(), |entry| ir.block_args(entry).to_vec());
        let rank = lists(ir, self.0)[0].len().min(args.len());
        let (ivs, shared) = args.split_at(rank);
        p.text(" (");
        p.operands(ivs.iter().copied());
        p.text(")");
        let [lower, upper, step] = lists(ir, self.0);
        if lower.iter().all(|at| *at == 0) && step.iter().all(|step| *step == 1) {
            p.text(" in ");
            print_list(p, self.0, 1, upper);
        } else {
            p.text(" = ");
            print_list(p, self.0, 0, lower);
            p.text(" to ");
            print_list(p, self.0, 1, upper);
            p.text(" step ");
            print_list(p, self.0, 2, step);
        }
        let outputs = self.outputs(ir);
        if !outputs.is_empty() {
            p.text(" shared_outs(");
            for (n, (&arg, &out)) in shared.iter().zip(&outputs).enumerate() {
                p.text(if n > 0 { ", " } else { "" });
                p.operand(arg);
                p.text(" = ");
                p.operand(out);
            }
            p.text(") -> (");
            p.types(result_types(ir, self.0));
            p.text(")");
        }
        p.text(" ");
        p.region(self.region(ir), false, !outputs.is_empty() || !self.ends_plainly(ir));
        p.attr_dict(&LISTS);
    }
}

fn print_list(p: &mut OpPrinter<'_>, op: OpId, field: usize, fixed: &[i64]) {
    let mut dynamic = p.ir().operand_field(op, field).into_iter();
    p.text("(");
    for (n, &number) in fixed.iter().enumerate() {
        p.text(if n > 0 { ", " } else { "" });
        match if number == DYNAMIC { dynamic.next() } else { None } {
            Some(value) => p.operand(value),
            None => p.int(number.into()),
        }
    }
    p.text(")");
}

impl CustomAsm for InParallel {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        p.region(&[])?;
        p.attr_dict()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        p.text(" ");
        p.region(self.region(p.ir()), false, true);
        p.attr_dict(&[]);
    }
}

fn lists(ir: &Ir, op: OpId) -> [&[i64]; 3] {
    LISTS.map(|name| ir.attr(op, name).and_then(|attr| attr.as_dense_array(ir.cx())).unwrap_or(&[]))
}

impl Forall {
    /// Does the body end in an `in_parallel` that says nothing?
    fn ends_plainly(self, ir: &Ir) -> bool {
        let last = ir.entry(self.region(ir)).and_then(|entry| ir.last_op(entry));
        let Some(end) = last.and_then(|last| InParallel::cast(ir, last)) else { return false };
        ir.dict(end.0).is_none() && ir.entry(end.region(ir)).is_some_and(|block| ir.first_op(block).is_none())
    }
}

impl Verify for Forall {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: String| v.fail(self.0, &codes::OP_RULE, message);
        let rank = lists(ir, self.0)[0].len();
        for (n, (list, what)) in
            lists(ir, self.0).iter().zip(["lower bound", "upper bound", "step"]).enumerate()
        {
            let dynamic = list.iter().filter(|number| **number == DYNAMIC).count();
            let given = ir.operand_range(self.0, n).len();
            if list.len() != rank || dynamic != given {
                return fail(format!(
                    "expected {rank} {what} values of which {dynamic} are operands, got {} and {given}",
                    list.len()
                ));
            }
        }
        let outputs: Vec<Type> = self.outputs(ir).iter().map(|value| ir.ty(*value)).collect();
        let results = result_types(ir, self.0);
        if results.len() != outputs.len() {
            return fail(format!("produces {} results, but has {} outputs", results.len(), outputs.len()));
        }
        if let Some(n) = (0..results.len()).find(|n| results[*n] != outputs[*n]) {
            return fail(format!("type mismatch between result {n} and output {n}"));
        }
        let args = ir.entry(self.region(ir)).map_or(&[][..], |entry| ir.block_args(entry));
        let wanted: Vec<Type> = std::iter::repeat_n(cx.common().index, rank).chain(outputs).collect();
        if args.len() != wanted.len() {
            return fail(format!("region expects {} arguments", wanted.len()));
        }
        if let Some(n) = (0..args.len()).find(|n| ir.ty(args[*n]) != wanted[*n]) {
            return fail(format!("argument #{n} of the body must be of type '{}'", v.show(wanted[n])));
        }
        match self.mapping(ir).and_then(|mapping| mapping.as_array(cx)) {
            Some(mapping) if mapping.len() != rank && !mapping.is_empty() => {
                fail("mapping attribute size must match op rank".into())
            }
            _ => Ok(()),
        }
    }
}

impl Forall {
    /// Bounds or steps with the values of the unknown ones
    fn numbers(self, m: &Machine<'_>, n: usize) -> Result<Vec<i64>, Trap> {
        let ir = m.ir();
        let mut dynamic = ir.operand_field(self.0, n).into_iter();
        let fill = |&number: &i64| match if number == DYNAMIC { dynamic.next() } else { None } {
            Some(value) => m.decide_i64(value, "a bound"),
            None => Ok(number),
        };
        lists(ir, self.0)[n].iter().map(fill).collect()
    }

    fn start(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let (lower, upper, steps) = (self.numbers(m, 0)?, self.numbers(m, 1)?, self.numbers(m, 2)?);
        let bounds = lower.into_iter().zip(upper).zip(steps).map(|((low, high), step)| (low, high, step));
        m.open_points(&bounds.collect::<Vec<_>>(), false)?;
        Ok(self.next(m))
    }

    fn next(self, m: &mut Machine<'_>) -> Step {
        let Some(point) = m.next_point() else { return self.done(m).into() };
        let ir = m.ir();
        let args = point.into_iter().map(RtValue::index).chain(m.values(self.outputs(ir))).collect();
        Step::Enter { region: self.region(ir), args }
    }

    /// Put together what the iterations gave: parts of the shared tensors, which must not meet
    fn done(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let parts = std::mem::take(m.state());
        let mut outputs = m.values(self.outputs(m.ir()));
        let mut whole: Vec<Option<(Vec<RtValue>, Vec<bool>)>> = vec![None; outputs.len()];
        for part in parts.chunks_exact(3) {
            let [RtValue::Int { bits, .. }, RtValue::Vector(places), RtValue::Vector(values)] = part else {
                continue;
            };
            let n = *bits as usize;
            let RtValue::Vector(before) = &outputs[n] else {
                return Err(Trap::new(&traps::UNSUPPORTED, "a shared tensor has no value"));
            };
            let (all, written) = whole[n].get_or_insert_with(|| (before.to_vec(), vec![false; before.len()]));
            for (place, value) in places.iter().zip(values.iter()) {
                let RtValue::Int { bits, .. } = place else { continue };
                let at = *bits as usize;
                if std::mem::replace(&mut written[at], true) {
                    let message =
                        format!("element {at} of shared tensor {n}, counted row by row, is inserted twice");
                    return Err(Trap::new(&traps::RACE, message));
                }
                all[at] = value.clone();
            }
        }
        for (output, whole) in outputs.iter_mut().zip(whole) {
            if let Some((all, _)) = whole {
                *output = RtValue::Vector(all.into());
            }
        }
        m.set_results(outputs);
        Ok(Step::Next)
    }
}

impl Interpret for Forall {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.start(m).into()
    }

    fn resume(self, m: &mut Machine<'_>, parts: Vec<RtValue>) -> Step {
        m.state().extend(parts);
        self.next(m)
    }
}

impl Verify for InParallel {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let ops = ir.entry(self.region(ir)).into_iter().flat_map(|block| ir.block_ops(block));
        let mut others = ops.filter(|op| ParallelInsertSlice::cast(ir, *op).is_none());
        match others.next() {
            None => Ok(()),
            Some(_) => v.fail(self.0, &codes::OP_RULE, "expected only tensor.parallel_insert_slice ops"),
        }
    }
}

impl InParallel {
    /// Of each part: the number of the shared tensor, places in it, and elements
    fn parts(self, m: &Machine<'_>) -> Result<Vec<RtValue>, Trap> {
        let ir = m.ir();
        let mut all = Vec::new();
        let Some(block) = ir.entry(self.region(ir)) else { return Ok(all) };
        let rank = ir.parent(self.0).map_or(0, |forall| lists(ir, forall)[0].len());
        for insert in ir.block_ops(block).filter_map(|op| ParallelInsertSlice::cast(ir, op)) {
            let Some(ValueDef::Arg(_, n)) = ir.value_def(insert.dest(ir)) else { continue };
            let (places, values) = insert.part(m)?;
            let places = places.into_iter().map(|at| RtValue::index(at as i64));
            all.push(RtValue::index(i64::from(n) - rank as i64));
            all.push(RtValue::Vector(places.collect()));
            all.push(RtValue::Vector(values.into()));
        }
        Ok(all)
    }
}

impl Interpret for InParallel {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        match self.parts(m) {
            Ok(parts) => Step::Yield(parts),
            Err(trap) => Step::Trap(trap),
        }
    }
}

/// Bounds and steps that are constants stand in the op
struct ForallConst;

impl Pattern for ForallConst {
    const NAME: &'static str = "forall_const_bounds";
    const ROOT: Option<&'static OpDef> = Some(Forall::DEF);
    type Found = ([Vec<i64>; 3], [Vec<Value>; 3]);

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let (mut numbers, mut left) =
            (lists(ir, op).map(<[i64]>::to_vec), [Vec::new(), Vec::new(), Vec::new()]);
        let mut found = false;
        for (n, list) in numbers.iter_mut().enumerate() {
            let mut values = ir.operand_field(op, n).into_iter();
            for number in list.iter_mut().filter(|number| **number == DYNAMIC) {
                let value = values.next().or_miss("an operand is missing")?;
                let known = constant_of(ir, value).and_then(|attr| attr.as_i64(ir.cx()));
                // A step that is not positive is an error of the program, to be found where it runs.
                match known.filter(|known| if n == 2 { *known > 0 } else { *known != DYNAMIC }) {
                    Some(known) => {
                        *number = known;
                        found = true;
                    }
                    None => left[n].push(value),
                }
            }
        }
        found.or_miss("no bound is a constant operand")?;
        Ok((numbers, left))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (numbers, left): Self::Found) {
        let ir = rw.ir();
        let outputs = Forall(op).outputs(ir);
        let segments =
            [left[0].len() as u32, left[1].len() as u32, left[2].len() as u32, outputs.len() as u32];
        let operands: Vec<Value> = left.into_iter().flatten().chain(outputs).collect();
        let mut slots: Vec<_> = numbers.iter().map(|list| Some(ir.cx().i64_array(list))).collect();
        slots.push(Forall(op).mapping(ir));
        let results = result_types(ir, op);
        let new = NewOp {
            operands: &operands,
            segments: &segments,
            results: &results,
            slots: &slots,
            dict: ir.dict(op),
            regions: 1,
            loc: ir.loc(op),
            ..NewOp::new(ir.kind(op))
        };
        let (from, made) = (Forall(op).region(ir), rw.insert_before(op, &new));
        rw.edit(|ir| {
            let to = Forall(made).region(ir);
            ir.move_blocks(from, to);
        });
        let values: Vec<Value> = rw.ir().results(made).collect();
        rw.replace(op, &values);
    }
}

impl Canonicalize for Forall {
    const RULES: &'static [&'static dyn Rule] = &[&ForallConst];
}
