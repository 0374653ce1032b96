//! Loops: `for`, `while`, `parallel`.

use super::syntax::{Carried, arrow_types, parse_iter_args, print_iter_args};
use terrace_dataflow::{Counted, RegionFlow};
use terrace_diag::Reported;
use terrace_ir::codes;
use terrace_ir::rules::{AnyType, I1, Index, SignlessIntOrIndex, UnitAttr};
use terrace_ir::{Ir, OpId, RegionId, Type, Value, Verify, VerifyCx};
use terrace_macros::op;
use terrace_text::{CustomAsm, Delim, OpParser, OpPrinter};

/// Run the body for each value from `lowerBound` to below `upperBound` in steps, carrying values
///
/// ```mlir
/// func.func @sum(%n: index, %x: f32) -> f32 {
///   %c0 = arith.constant 0 : index
///   %c1 = arith.constant 1 : index
///   %zero = arith.constant 0.0 : f32
///   %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
///     %next = arith.addf %acc, %x : f32
///     scf.yield %next : f32
///   }
///   return %r : f32
/// }
/// ```
#[op(
    "scf.for",
    traits(SingleBlock, LoopLike, RecursiveEffects, AllocationScope, InlinesCalls, Sequential),
    relations(same(lower_bound, upper_bound, step)),
    interfaces(CustomAsm, terrace_rewrite::Canonicalize, terrace_interp::Interpret, RegionFlow, Counted),
    hooks(verify),
    implicit_terminator = "scf.yield"
)]
pub struct For {
    lower_bound: SignlessIntOrIndex,
    upper_bound: SignlessIntOrIndex,
    step: SignlessIntOrIndex,
    inits: Variadic<AnyType>,
    #[attr(name = "unsignedCmp", optional)]
    unsigned: UnitAttr,
    #[result]
    results: Variadic<AnyType>,
    #[region(single_block)]
    region: Region,
}

impl CustomAsm for For {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        if p.keyword_opt("unsigned") {
            let unit = p.cx().common().unit;
            p.set_attr("unsignedCmp", unit);
        }
        let iv = p.operand()?;
        p.punct("=")?;
        let lower = p.operand()?;
        p.keyword("to")?;
        let upper = p.operand()?;
        p.keyword("step")?;
        let step = p.operand()?;
        let Carried { args, inits, types } = parse_iter_args(p, |values, types| {
            format!("{values} values are carried, but {types} types are given")
        })?;
        let ty = if p.punct_opt(":") { p.ty()? } else { p.cx().common().index };
        for bound in [&lower, &upper, &step] {
            p.resolve(bound, ty)?;
        }
        p.resolve_all(&inits, &types)?;
        p.add_results(&types);
        let mut all = vec![(iv, ty)];
        all.extend(args.into_iter().zip(types));
        p.region(&all)?;
        p.attr_dict()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(if self.unsigned(ir).is_some() { " unsigned " } else { " " });
        let entry = ir.entry(self.region(ir));
        let args: Vec<Value> = entry.map_or(Vec::new(), |entry| ir.block_args(entry).to_vec());
        let Some((&iv, carried)) = args.split_first() else { return };
        p.operand(iv);
        p.text(" = ");
        p.operand(self.lower_bound(ir));
        p.text(" to ");
        p.operand(self.upper_bound(ir));
        p.text(" step ");
        p.operand(self.step(ir));
        let inits = self.inits(ir);
        print_iter_args(p, carried, &inits, inits.iter().map(|init| ir.ty(*init)));
        let ty = ir.ty(self.lower_bound(ir));
        if ty != ir.cx().common().index {
            p.text("  : ");
            p.ty(ty);
        }
        p.text(" ");
        p.region(self.region(ir), false, !inits.is_empty());
        p.attr_dict(&["unsignedCmp"]);
    }
}

/// Types of the values that the last op of a region's only block gives
pub(super) fn yielded(ir: &Ir, region: RegionId) -> Option<(OpId, Vec<Type>)> {
    let last = ir.last_op(ir.entry(region)?)?;
    Some((last, ir.operands(last).map(|value| ir.ty(value)).collect()))
}

pub(super) fn result_types(ir: &Ir, op: OpId) -> Vec<Type> {
    ir.results(op).map(|value| ir.ty(value)).collect()
}

impl Verify for For {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: String| v.fail(self.0, &codes::OP_RULE, message);
        let step = terrace_ir::fold::constant_of(ir, self.step(ir)).and_then(|attr| attr.as_int(cx));
        if step.is_some_and(|(step, _)| step <= 0) {
            return fail("constant step operand must be positive".into());
        }
        let inits: Vec<Type> = self.inits(ir).iter().map(|init| ir.ty(*init)).collect();
        if inits.len() != ir.num_results(self.0) {
            return fail("mismatch in number of loop-carried values and defined values".into());
        }
        let Some(entry) = ir.entry(self.region(ir)) else { return Ok(()) };
        let args: Vec<Type> = ir.block_args(entry).iter().map(|arg| ir.ty(*arg)).collect();
        if args.len() != inits.len() + 1 {
            return fail(format!(
                "expected body to have {} arguments, but it has {}",
                inits.len() + 1,
                args.len()
            ));
        }
        if args[0] != ir.ty(self.lower_bound(ir)) {
            return fail("expected induction variable to be same type as bounds and step".into());
        }
        if inits != args[1..] || inits != result_types(ir, self.0) {
            return fail("types mismatch between carried values, region arguments and results".into());
        }
        match yielded(ir, self.region(ir)) {
            Some((last, types)) if types != inits => {
                v.fail(last, &codes::OP_RULE, "must give the loop's carried values, in number and type")
            }
            _ => Ok(()),
        }
    }
}

/// Run `before` and, as long as its condition holds, `after`
///
/// ```mlir
/// func.func @f(%x: i32, %n: i32) -> i32 {
///   %c1 = arith.constant 1 : i32
///   %r = scf.while (%i = %x) : (i32) -> i32 {
///     %c = arith.cmpi slt, %i, %n : i32
///     scf.condition(%c) %i : i32
///   } do {
///   ^bb0(%j: i32):
///     %k = arith.addi %j, %c1 : i32
///     scf.yield %k : i32
///   }
///   return %r : i32
/// }
/// ```
#[op(
    "scf.while",
    traits(SingleBlock, LoopLike, RecursiveEffects, InlinesCalls, Sequential),
    interfaces(CustomAsm, terrace_rewrite::Canonicalize, terrace_interp::Interpret, RegionFlow),
    hooks(verify)
)]
pub struct While {
    inits: Variadic<AnyType>,
    #[result]
    results: Variadic<AnyType>,
    #[region(single_block)]
    before: Region,
    #[region(single_block)]
    after: Region,
}

impl CustomAsm for While {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let (mut args, mut inits) = (Vec::new(), Vec::new());
        if p.punct_opt("(") {
            loop {
                args.push(p.operand()?);
                p.punct("=")?;
                inits.push(p.operand()?);
                if !p.punct_opt(",") {
                    break;
                }
            }
            p.punct(")")?;
        }
        p.punct(":")?;
        let (inputs, results) = p.function_type()?;
        if inputs.len() != inits.len() {
            let message = format!(
                "expected as many input types as operands (expected {} got {})",
                inits.len(),
                inputs.len()
            );
            return Err(p.error(message));
        }
        p.resolve_all(&inits, &inputs)?;
        p.add_results(&results);
        let args: Vec<_> = args.into_iter().zip(inputs).collect();
        p.region(&args)?;
        p.keyword("do")?;
        p.region(&[])?;
        p.attr_dict_with_keyword()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        let inits = self.inits(ir);
        if let Some(entry) = ir.entry(self.before(ir)).filter(|_| !inits.is_empty()) {
            p.text(" (");
            let args = ir.block_args(entry).to_vec();
            for (n, (arg, init)) in args.into_iter().zip(inits).enumerate() {
                p.text(if n > 0 { ", " } else { "" });
                p.operand(arg);
                p.text(" = ");
                p.operand(init);
            }
            p.text(")");
        }
        p.text(" : ");
        p.functional_type();
        p.text(" ");
        p.region(self.before(ir), false, true);
        p.text(" do ");
        p.region(self.after(ir), true, true);
        p.attr_dict_with_keyword(&[]);
    }
}

impl Verify for While {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let args = |region: RegionId| -> Vec<Type> {
            let entry = ir.entry(region);
            entry.map_or(Vec::new(), |entry| ir.block_args(entry).iter().map(|arg| ir.ty(*arg)).collect())
        };
        let inits: Vec<Type> = self.inits(ir).iter().map(|init| ir.ty(*init)).collect();
        let results = result_types(ir, self.0);
        let Some((condition, passed)) = yielded(ir, self.before(ir)) else { return Ok(()) };
        if Condition::cast(ir, condition).is_none() {
            return v.fail(
                self.0,
                &codes::OP_RULE,
                "expects the 'before' region to terminate with 'scf.condition'",
            );
        }
        let Some((last, given)) = yielded(ir, self.after(ir)) else { return Ok(()) };
        if super::Yield::cast(ir, last).is_none() {
            return v.fail(
                self.0,
                &codes::OP_RULE,
                "expects the 'after' region to terminate with 'scf.yield'",
            );
        }
        let rules = [
            (
                args(self.before(ir)) == inits,
                "arguments of the 'before' region must have the types of the operands",
            ),
            (passed[1..] == results, "values of 'scf.condition' must have the types of the results"),
            (
                args(self.after(ir)) == results,
                "arguments of the 'after' region must have the types of the results",
            ),
            (given == inits, "values of 'scf.yield' must have the types of the operands"),
        ];
        match rules.iter().find(|(holds, _)| !holds) {
            Some((_, message)) => v.fail(self.0, &codes::OP_RULE, message),
            None => Ok(()),
        }
    }
}

/// Ends the first region of `while`: go on if the condition holds
///
/// ```mlir
/// func.func @f(%c: i1) {
///   scf.while : () -> () {
///     scf.condition(%c)
///   } do {
///     scf.yield
///   }
///   return
/// }
/// ```
#[op("scf.condition", traits(Pure, Terminator), parents("scf.while"), interfaces(terrace_interp::Interpret))]
#[asm("`(` $condition `)` attr-dict ($args^ `:` type($args))?")]
pub struct Condition {
    condition: I1,
    args: Variadic<AnyType>,
}

/// Run the body for each point of a box, in any order, and reduce what it gives
///
/// ```mlir
/// func.func @sum(%n: index, %x: f32) -> f32 {
///   %c0 = arith.constant 0 : index
///   %c1 = arith.constant 1 : index
///   %zero = arith.constant 0.0 : f32
///   %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f32 {
///     scf.reduce(%x : f32) {
///     ^bb0(%a: f32, %b: f32):
///       %s = arith.addf %a, %b : f32
///       scf.reduce.return %s : f32
///     }
///   }
///   return %r : f32
/// }
/// ```
#[op(
    "scf.parallel",
    traits(SingleBlock, LoopLike, RecursiveEffects, AllocationScope, InlinesCalls),
    interfaces(CustomAsm, terrace_rewrite::Canonicalize, terrace_interp::Interpret, RegionFlow, Counted),
    hooks(verify),
    implicit_terminator = "scf.reduce"
)]
pub struct Parallel {
    lower: Variadic<Index>,
    upper: Variadic<Index>,
    steps: Variadic<Index>,
    inits: Variadic<AnyType>,
    #[result]
    results: Variadic<AnyType>,
    #[region(single_block)]
    region: Region,
}

impl CustomAsm for Parallel {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let index = p.cx().common().index;
        let ivs = p.operands(Delim::Paren)?;
        p.punct("=")?;
        let lower = p.operands(Delim::Paren)?;
        p.keyword("to")?;
        let upper = p.operands(Delim::Paren)?;
        p.keyword("step")?;
        let steps = p.operands(Delim::Paren)?;
        let inits = if p.keyword_opt("init") { p.operands(Delim::Paren)? } else { Vec::new() };
        let types = p.arrow_types_opt()?;
        for bounds in [&lower, &upper, &steps] {
            if bounds.len() != ivs.len() {
                return Err(p.error(format!(
                    "{} induction variables, but {} bounds",
                    ivs.len(),
                    bounds.len()
                )));
            }
            p.resolve_all(bounds, &vec![index; bounds.len()])?;
            p.segment();
        }
        if inits.len() != types.len() {
            return Err(p.error(format!("{} initial values, but {} result types", inits.len(), types.len())));
        }
        p.resolve_all(&inits, &types)?;
        p.segment();
        p.add_results(&types);
        let args: Vec<_> = ivs.into_iter().map(|iv| (iv, index)).collect();
        p.region(&args)?;
        p.attr_dict()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        let ivs = ir.entry(self.region(ir)).map_or(Vec::new(), |entry| ir.block_args(entry).to_vec());
        let inits = self.inits(ir);
        let lists =
            [(" (", ivs), (" = (", self.lower(ir)), (" to (", self.upper(ir)), (" step (", self.steps(ir))];
        for (before, values) in lists {
            p.text(before);
            p.operands(values);
            p.text(")");
        }
        if !inits.is_empty() {
            p.text(" init (");
            p.operands(inits);
            p.text(")");
            p.text(" -> ");
            arrow_types(p, self.0);
        }
        p.text(" ");
        p.region(self.region(ir), false, true);
        p.attr_dict(&[]);
    }
}

impl Verify for Parallel {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let fail = |message: &str| v.fail(self.0, &codes::OP_RULE, message);
        let rank = self.steps(ir).len();
        if rank == 0 {
            return fail("needs at least one tuple element for lowerBound, upperBound and step");
        }
        if self.lower(ir).len() != rank || self.upper(ir).len() != rank {
            return fail("needs as many lower and upper bounds as steps");
        }
        for step in self.steps(ir) {
            let step = terrace_ir::fold::constant_of(ir, step).and_then(|attr| attr.as_i64(ir.cx()));
            if step.is_some_and(|step| step <= 0) {
                return fail("constant step operand must be positive");
            }
        }
        let Some(entry) = ir.entry(self.region(ir)) else { return Ok(()) };
        let index = ir.cx().common().index;
        if ir.block_args(entry).len() != rank || ir.block_args(entry).iter().any(|arg| ir.ty(*arg) != index) {
            return fail("expects one index argument of the body for each step");
        }
        let inits: Vec<Type> = self.inits(ir).iter().map(|init| ir.ty(*init)).collect();
        if inits != result_types(ir, self.0) {
            return fail("expects the initial values to have the types of the results");
        }
        match yielded(ir, self.region(ir)) {
            Some((last, types)) if types != inits => {
                v.fail(last, &codes::OP_RULE, "must give one value for each result, of its type")
            }
            _ => Ok(()),
        }
    }
}

/// Ends the body of `parallel`: one region per value says how two of them combine
///
/// ```mlir
/// func.func @f(%n: index) {
///   %c0 = arith.constant 0 : index
///   %c1 = arith.constant 1 : index
///   scf.parallel (%i) = (%c0) to (%n) step (%c1) {
///     scf.reduce
///   }
///   return
/// }
/// ```
#[op(
    "scf.reduce",
    traits(Terminator, RecursiveEffects),
    parents("scf.parallel"),
    interfaces(CustomAsm, terrace_interp::Interpret),
    hooks(verify)
)]
pub struct Reduce {
    operands: Variadic<AnyType>,
    #[region(variadic, single_block)]
    reductions: Region,
}

impl CustomAsm for Reduce {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        if p.punct_opt("(") {
            let operands = p.operands(Delim::None)?;
            let types = p.colon_types()?;
            p.punct(")")?;
            if operands.len() != types.len() {
                return Err(p.error(format!("{} values, but {} types", operands.len(), types.len())));
            }
            p.resolve_all(&operands, &types)?;
            p.region(&[])?;
            for _ in 1..operands.len() {
                p.punct(",")?;
                p.region(&[])?;
            }
        }
        p.attr_dict()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        let operands = self.operands(ir);
        if !operands.is_empty() {
            p.text("(");
            p.operands(operands.iter().copied());
            p.text(" : ");
            p.types(operands.iter().map(|value| ir.ty(*value)));
            p.text(") ");
            for (n, region) in self.reductions(ir).into_iter().enumerate() {
                p.text(if n > 0 { ", " } else { "" });
                p.region(region, true, true);
            }
        }
        p.attr_dict(&[]);
    }
}

impl Verify for Reduce {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let regions = self.reductions(ir);
        if regions.len() != ir.num_operands(self.0) {
            return v.fail(self.0, &codes::OP_RULE, "expects one region for each value");
        }
        for (n, (value, region)) in ir.operands(self.0).zip(regions).enumerate() {
            let ty = ir.ty(value);
            let args = ir.entry(region).map_or(&[][..], |entry| ir.block_args(entry));
            let result = yielded(ir, region).map(|(_, types)| types);
            if args.len() != 2 || args.iter().any(|arg| ir.ty(*arg) != ty) || result != Some(vec![ty]) {
                let message =
                    format!("expects region #{n} to take two values of type '{}' and give one", v.show(ty));
                return v.fail(self.0, &codes::OP_RULE, message);
            }
        }
        Ok(())
    }
}

/// Ends a region of `reduce`
///
/// ```mlir
/// func.func @f(%n: index, %x: f32) -> f32 {
///   %c0 = arith.constant 0 : index
///   %c1 = arith.constant 1 : index
///   %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x) -> f32 {
///     scf.reduce(%x : f32) {
///     ^bb0(%a: f32, %b: f32):
///       %m = arith.maximumf %a, %b : f32
///       scf.reduce.return %m : f32
///     }
///   }
///   return %r : f32
/// }
/// ```
#[op(
    "scf.reduce.return",
    traits(Pure, Terminator),
    parents("scf.reduce"),
    interfaces(terrace_interp::Interpret)
)]
#[asm("$result attr-dict `:` type($result)")]
pub struct ReduceReturn {
    result: AnyType,
}
