//! The sequential loop and what ends all bodies: `for yield`.

use super::parts::{parse_map, print_map, resolve};
use super::valid;
use terrace_diag::Reported;
use terrace_dialect_scf::syntax::{Carried, parse_iter_args, print_iter_args};
use terrace_ir::rules::{AffineMapAttr, AnyType, Index, IndexAttr};
use terrace_ir::{Attr, Ir, Type, Value, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_support::affine::{AffineExpr, AffineMap};
use terrace_text::{CustomAsm, OpParser, OpPrinter, Unresolved};

/// Run the body for each value from the greatest of the lower bounds to below the least of the upper ones
///
/// ```mlir
/// func.func @f(%m: memref<100xf32>, %n: index, %x: f32) -> f32 {
///   affine.for %i = 0 to %n step 4 {
///     affine.for %j = affine_map<(d0) -> (d0)>(%i) to min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%i)[%n] {
///       affine.store %x, %m[%j] : memref<100xf32>
///     }
///   }
///   %r = affine.for %i = 0 to 100 iter_args(%acc = %x) -> (f32) {
///     %y = affine.load %m[%i] : memref<100xf32>
///     %s = arith.addf %acc, %y : f32
///     affine.yield %s : f32
///   }
///   return %r : f32
/// }
/// ```
#[op(
    "affine.for",
    traits(SingleBlock, LoopLike, RecursiveEffects, AllocationScope, terrace_dataflow::PlacedIndices),
    interfaces(
        CustomAsm,
        terrace_rewrite::Canonicalize,
        terrace_interp::Interpret,
        terrace_dataflow::RegionFlow,
        terrace_dataflow::Counted
    ),
    hooks(verify),
    implicit_terminator = "affine.yield"
)]
pub struct For {
    lower: Variadic<Index>,
    upper: Variadic<Index>,
    inits: Variadic<AnyType>,
    #[attr(name = "lowerBoundMap")]
    lower_map: AffineMapAttr,
    #[attr(name = "upperBoundMap")]
    upper_map: AffineMapAttr,
    #[attr]
    step: IndexAttr,
    #[result]
    results: Variadic<AnyType>,
    #[region(single_block)]
    region: Region,
}

/// End the body of an affine op with what it gives
///
/// ```mlir
/// func.func @f(%x: f32) -> f32 {
///   %r = affine.for %i = 0 to 10 iter_args(%acc = %x) -> (f32) {
///     affine.yield %x : f32
///   }
///   return %r : f32
/// }
/// ```
#[op(
    "affine.yield",
    traits(Pure, Terminator, ReturnLike),
    hooks(verify),
    interfaces(terrace_interp::Interpret)
)]
#[asm("attr-dict ($operands^ `:` type($operands))?")]
pub struct Yield {
    operands: Variadic<AnyType>,
}

impl Verify for Yield {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let Some(parent) = ir.parent(self.0) else { return Ok(()) };
        let ours = [super::For::DEF, super::If::DEF, super::Parallel::DEF];
        if !ours.iter().any(|def| ir.is(parent, def)) {
            let message = "only terminates affine.if/for/parallel regions";
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        if ir.num_results(parent) != ir.num_operands(self.0) {
            let message = "parent of yield must have same number of results as the yield operands";
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        if ir.results(parent).zip(ir.operands(self.0)).any(|(a, b)| ir.ty(a) != ir.ty(b)) {
            let message = "types mismatch between yield op and its parent";
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        Ok(())
    }
}

impl For {
    /// Distance of two values of the loop's variable
    pub fn step_size(self, ir: &Ir) -> i64 {
        self.step(ir).as_i64(ir.cx()).unwrap_or(1)
    }

    /// The loop's variable
    pub fn variable(self, ir: &Ir) -> Option<Value> {
        ir.block_args(ir.entry(self.region(ir))?).first().copied()
    }

    /// A bound that is one constant
    pub fn constant_bound(self, ir: &Ir, upper: bool) -> Option<i64> {
        let map = if upper { self.upper_map(ir) } else { self.lower_map(ir) };
        map.as_affine_map(ir.cx())?.as_single_constant()
    }
}

fn identity_symbol() -> AffineMap {
    AffineMap { dims: 0, symbols: 1, results: vec![AffineExpr::Symbol(0)] }
}

/// `%n`, `-4`, `max #map(%i)[%n]`
fn parse_bound(p: &mut OpParser<'_, '_>, word: &str) -> Result<(Attr, Vec<Unresolved>), Reported> {
    let several = p.keyword_opt(word);
    let at = p.here();
    if !several {
        if let Some(operand) = p.operand_opt()? {
            return Ok((p.cx().map_attr(identity_symbol()), vec![operand]));
        }
        if let Some(value) = p.int_opt()? {
            let Ok(value) = i64::try_from(value) else {
                return Err(p.error_in(at, "the bound does not fit 64 bits"));
            };
            return Ok((p.cx().map_attr(AffineMap::constant(value)), Vec::new()));
        }
    }
    let (map, operands) = parse_map(p)?;
    let Some(results) = map.as_affine_map(p.cx()).map(|map| map.results.len()) else {
        return Err(p.error_in(at, "expected an affine map"));
    };
    let which = if word == "max" { "lower" } else { "upper" };
    if results == 0 {
        return Err(p.error_in(at, format!("{which} loop bound affine map has no results")));
    }
    if results > 1 && !several {
        let message = format!("{which} loop bound affine map with multiple results requires '{word}' prefix");
        return Err(p.error_in(at, message));
    }
    Ok((map, operands))
}

fn print_bound(p: &mut OpPrinter<'_>, attr: Attr, operands: &[Value], word: &str) {
    let Some(map) = attr.as_affine_map(p.cx()) else { return };
    match (map.dims, map.symbols, map.results.as_slice(), operands) {
        (0, 0, [AffineExpr::Constant(value)], _) => return p.int((*value).into()),
        (0, 1, [AffineExpr::Symbol(0)], [value]) => return p.operand(*value),
        (_, _, [_], _) => {}
        _ => {
            p.text(word);
            p.text(" ");
        }
    }
    print_map(p, attr, operands);
}

impl CustomAsm for For {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let iv = p.operand()?;
        p.punct("=")?;
        let (lower, lower_operands) = parse_bound(p, "max")?;
        p.keyword("to")?;
        let (upper, upper_operands) = parse_bound(p, "min")?;
        let steps = p.keyword_opt("step");
        let at = p.here();
        let step = if steps { p.int64()? } else { 1 };
        if step <= 0 {
            return Err(p.error_in(at, "expected step to be representable as a positive signed integer"));
        }
        let step = p.cx().index_attr(step);
        let Carried { args, inits, types } = parse_iter_args(p, |_, _| {
            "mismatch between the number of loop-carried values and results".into()
        })?;
        for (name, attr) in [("lowerBoundMap", lower), ("upperBoundMap", upper), ("step", step)] {
            p.set_attr(name, attr);
        }
        resolve(p, &lower_operands)?;
        p.segment();
        resolve(p, &upper_operands)?;
        p.segment();
        p.resolve_all(&inits, &types)?;
        p.segment();
        p.add_results(&types);
        let index = p.cx().common().index;
        let mut all = vec![(iv, index)];
        all.extend(args.into_iter().zip(types));
        p.region(&all)?;
        p.attr_dict()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        let entry = ir.entry(self.region(ir));
        let args: Vec<Value> = entry.map_or(Vec::new(), |entry| ir.block_args(entry).to_vec());
        let Some((&iv, carried)) = args.split_first() else { return };
        p.text(" ");
        p.operand(iv);
        p.text(" = ");
        print_bound(p, self.lower_map(ir), &self.lower(ir), "max");
        p.text(" to ");
        print_bound(p, self.upper_map(ir), &self.upper(ir), "min");
        let step = self.step_size(ir);
        if step != 1 {
            p.text(" step ");
            p.int(step.into());
        }
        let inits = self.inits(ir);
        print_iter_args(p, carried, &inits, ir.results(self.0).map(|value| ir.ty(value)));
        p.text(" ");
        p.region(self.region(ir), false, !inits.is_empty());
        p.attr_dict(&["lowerBoundMap", "upperBoundMap", "step"]);
    }
}

impl Verify for For {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: &str| v.fail(self.0, &codes::OP_RULE, message);
        let Some(entry) = ir.entry(self.region(ir)) else { return Ok(()) };
        let args: Vec<Type> = ir.block_args(entry).iter().map(|arg| ir.ty(*arg)).collect();
        if args.first() != Some(&cx.common().index) {
            return fail("expected body to have a single index argument for the induction variable");
        }
        if self.step_size(ir) <= 0 {
            return fail("expected step to be representable as a positive signed integer");
        }
        for (attr, operands, which) in
            [(self.lower_map(ir), self.lower(ir), "lower"), (self.upper_map(ir), self.upper(ir), "upper")]
        {
            let Some(map) = attr.as_affine_map(cx) else { continue };
            let message = "operand count must match with affine map dimension and symbol count";
            valid::check_count(v, self.0, attr, operands.len(), message)?;
            if map.results.is_empty() {
                return fail(&format!("expected {which} bound map to have at least one result"));
            }
            valid::check(v, self.0, map.dims as usize, &operands)?;
        }
        let types = |values: Vec<Value>| values.into_iter().map(|value| ir.ty(value)).collect::<Vec<_>>();
        let (inits, results) = (types(self.inits(ir)), types(self.results(ir)));
        if inits.len() != results.len() {
            return fail("mismatch between the number of loop-carried values and results");
        }
        if args.len() != inits.len() + 1 {
            return fail("mismatch between the number of basic block args and results");
        }
        if args[1..] != inits || inits != results {
            return fail("types mismatch between carried values, region arguments and results");
        }
        Ok(())
    }
}
