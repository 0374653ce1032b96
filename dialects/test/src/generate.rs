//! Random functions that verify, from a seed.
//!
//! Candidates come from the op tables alone: for each operand field a value whose type the field's rule accepts, for each
//! required attribute one that its rule accepts, result types from the relations or at random. The verifier is the judge: a
//! candidate it refuses is erased again. So an op registered tomorrow is generated tomorrow, and no list of ops is kept
//! here. Between runs of such ops stand diamonds of `cf` with a value merged at their end.
//!
//! Same seed and options, same function, on every machine. Not here: loops, memory, calls, and whether the function traps
//! when run (a division may well be by zero).

use std::collections::BTreeMap;
use std::sync::Arc;
use terrace_dialect_arith as arith;
use terrace_dialect_cf as cf;
use terrace_dialect_func as func;
use terrace_ir::infer::result_types;
use terrace_ir::verify::verify;
use terrace_ir::{
    Arity, Attr, BlockId, Builder, Context, Dialect, Ir, Loc, NewOp, OpDef, OpId, Traits, Type, TypeKind,
    Value,
};
use terrace_support::Random;

/// What to make
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Candidates between diamonds
    pub ops: usize,
    /// Diamonds one after another
    pub diamonds: usize,
    /// Ops come from these dialects
    pub dialects: &'static [&'static Dialect],
}

static ARITH_ONLY: &[&Dialect] = &[&arith::ARITH];

impl Default for Options {
    fn default() -> Self {
        Options { ops: 12, diamonds: 2, dialects: ARITH_ONLY }
    }
}

/// A function and what is in it
pub struct Generated {
    /// The unit of `func.func @f`
    pub function: Ir,
    /// Number of ops of each name that the verifier accepted
    pub accepted: BTreeMap<&'static str, usize>,
    /// Number of candidates that it refused
    pub refused: usize,
}

struct Maker {
    ir: Ir,
    random: Random,
    defs: Vec<&'static OpDef>,
    types: Vec<Type>,
    /// Values visible at the end of the current block
    pool: Vec<Value>,
    block: BlockId,
    accepted: BTreeMap<&'static str, usize>,
    refused: usize,
}

fn types(cx: &Context) -> Vec<Type> {
    let common = cx.common();
    vec![common.i1, common.i8, common.i32, common.i64, common.index, common.f32, common.f64]
}

/// A constant worth trying: small numbers, ends of the range, or any bits
fn constant(cx: &Context, random: &mut Random, ty: Type) -> Option<Attr> {
    let bits = random.next();
    Some(match ty.kind(cx) {
        TypeKind::Int { .. } | TypeKind::Index => {
            let width = ty.bit_width(cx)?.min(64);
            let value = match random.below(5) {
                0 => 0,
                1 => -1,
                2 => -(1i128 << (width - 1)),
                3 => i128::from(bits % 16),
                _ => i128::from(bits as i64),
            };
            cx.int_attr(terrace_ir::make::wrap_int(value, width, false), ty)
        }
        TypeKind::Float(kind) => {
            let small = (bits % 17) as f64 / 4.0 - 2.0;
            let bits = terrace_ir::show::round_to_bits(small, *kind)?;
            cx.float_attr(bits, ty)
        }
        _ => return None,
    })
}

/// Make a function
///
/// # Panics
/// If `builtin`, `func`, `cf` or a dialect of the options is not registered in the context.
pub fn generate(cx: &Arc<Context>, seed: u64, options: &Options) -> Generated {
    let kind = cx.kind_of(func::Func::DEF).expect("func is registered");
    let mut ir = Ir::new_unit(cx, kind, 1, Loc::UNKNOWN);
    let root = ir.root();
    let types = types(cx);
    let region = ir.region(root, 0);
    let block = ir.append_block(region);
    let pool = types.iter().map(|ty| ir.add_block_arg(block, *ty)).collect();
    ir.set_attr(root, "sym_name", Some(cx.str_attr("f")));
    let simple = |def: &&'static OpDef| {
        def.regions.is_empty()
            && def.successors.is_empty()
            && !def.results.is_empty()
            && !def.traits.has(Traits::Terminator)
            && def.operands.iter().chain(def.results).all(|spec| spec.arity == Arity::One)
    };
    let defs = options.dialects.iter().flat_map(|dialect| dialect.ops).copied().filter(simple).collect();
    let random = Random::new(seed);
    let mut maker = Maker { ir, random, defs, types, pool, block, accepted: BTreeMap::new(), refused: 0 };
    maker.run(options.ops);
    for _ in 0..options.diamonds {
        maker.diamond(options.ops);
    }
    maker.finish()
}

impl Maker {
    fn run(&mut self, candidates: usize) {
        for _ in 0..candidates {
            self.candidate();
        }
    }

    fn attr(&mut self, test: impl Fn(&Context, Attr) -> bool) -> Option<Attr> {
        let ty = *self.random.choose(&self.types)?;
        let case = self.random.below(16u64).into();
        let cx = self.ir.cx();
        let any = constant(cx, &mut self.random, ty)?;
        // Predicates and other enumerations are small numbers.
        let choices = [cx.int_attr(case, cx.common().i64), any, cx.common().unit];
        let start = usize::from(self.random.below(2) == 1);
        choices.iter().cycle().skip(start).take(3).copied().find(|attr| test(cx, *attr))
    }

    fn candidate(&mut self) -> Option<()> {
        let def = *self.random.choose(&self.defs)?;
        let mut operands: Vec<Value> = Vec::new();
        for spec in def.operands {
            let cx = self.ir.cx();
            let fits: Vec<Value> =
                self.pool.iter().copied().filter(|value| (spec.ty.test)(cx, self.ir.ty(*value))).collect();
            // Most ops want operands of one type.
            let first = operands.last().map(|value| self.ir.ty(*value));
            let same: Vec<Value> =
                fits.iter().copied().filter(|value| Some(self.ir.ty(*value)) == first).collect();
            let from = if same.is_empty() || self.random.below(8) == 0 { &fits } else { &same };
            operands.push(*self.random.choose(from)?);
        }
        let mut slots = Vec::new();
        for spec in def.attrs {
            let needed = !spec.optional && spec.default.is_none();
            slots.push(if needed { Some(self.attr(spec.attr.test)?) } else { None });
        }
        let of_operands: Vec<Type> = operands.iter().map(|value| self.ir.ty(*value)).collect();
        let results = match result_types(self.ir.cx(), def, &of_operands, &[], &slots) {
            Some(types) => types,
            None => {
                let cx = self.ir.cx();
                let mut chosen = Vec::new();
                for spec in def.results {
                    let fits: Vec<Type> =
                        self.types.iter().copied().filter(|ty| (spec.ty.test)(cx, *ty)).collect();
                    chosen.push(*self.random.choose(&fits)?);
                }
                chosen
            }
        };
        let kind = self.ir.cx().kind_of(def).expect("the dialect is registered");
        let op = Builder::at_end(&mut self.ir, self.block).insert(&NewOp {
            operands: &operands,
            results: &results,
            slots: &slots,
            ..NewOp::new(kind)
        });
        self.judge(op, def);
        Some(())
    }

    /// Keep the op if the function verifies with it; the block gets its terminator for that long
    fn judge(&mut self, op: OpId, def: &'static OpDef) {
        let end = self.terminate(&[]);
        let valid = !verify(&self.ir, 1).has_errors();
        self.ir.erase(end);
        if valid {
            *self.accepted.entry(def.name).or_default() += 1;
            self.pool.extend(self.ir.results(op));
        } else {
            self.refused += 1;
            self.ir.erase(op);
        }
    }

    fn terminate(&mut self, values: &[Value]) -> OpId {
        let cx = self.ir.cx_arc().clone();
        let entry = self.ir.entry(self.ir.region(self.ir.root(), 0)).expect("the body has a block");
        let of = |ir: &Ir, values: &[Value]| values.iter().map(|value| ir.ty(*value)).collect::<Vec<_>>();
        let (inputs, results) = (of(&self.ir, self.ir.block_args(entry)), of(&self.ir, values));
        let ty = cx.type_attr(cx.function(&inputs, &results));
        let root = self.ir.root();
        self.ir.set_attr(root, "function_type", Some(ty));
        func::Return::build(&mut Builder::at_end(&mut self.ir, self.block), values).id()
    }

    /// Two ways that give a value each, and a block where they meet
    fn diamond(&mut self, candidates: usize) {
        let i1 = self.ir.cx().common().i1;
        let conditions: Vec<Value> =
            self.pool.iter().copied().filter(|value| self.ir.ty(*value) == i1).collect();
        let condition = *self.random.choose(&conditions).expect("the first argument is i1");
        let ty = *self.random.choose(&self.types).expect("there are types");
        let region = self.ir.region(self.ir.root(), 0);
        let before = self.block;
        let visible = self.pool.len();
        let ways = [(); 2].map(|()| {
            self.block = self.ir.append_block(region);
            self.block
        });
        cf::CondBr::build(&mut Builder::at_end(&mut self.ir, before), condition, &[], &[], ways[0], ways[1]);
        // While one way grows the other is just a return, so that the verifier can judge the whole function.
        let mut ends = Vec::new();
        for (n, way) in ways.into_iter().enumerate() {
            let other = ways[1 - n];
            self.block = other;
            let unfinished = (n == 0).then(|| self.terminate(&[]));
            self.block = way;
            self.run(candidates / 2);
            let given: Vec<Value> =
                self.pool.iter().copied().filter(|value| self.ir.ty(*value) == ty).collect();
            let value = *self.random.choose(&given).expect("an argument has this type");
            self.pool.truncate(visible);
            if let Some(end) = unfinished {
                self.ir.erase(end);
                self.terminate(&[]);
            }
            ends.push((way, value));
        }
        let join = self.ir.append_block(region);
        let merged = self.ir.add_block_arg(join, ty);
        for (way, value) in ends {
            if let Some(end) = self.ir.last_op(way).filter(|op| func::Return::cast(&self.ir, *op).is_some()) {
                self.ir.erase(end);
            }
            cf::Br::build(&mut Builder::at_end(&mut self.ir, way), &[value], join);
        }
        self.pool.push(merged);
        self.block = join;
        self.run(candidates);
    }

    /// Give back the newest value of each type, and a few others
    fn finish(mut self) -> Generated {
        let mut results = Vec::new();
        for ty in self.types.clone() {
            results.extend(self.pool.iter().rev().copied().find(|value| self.ir.ty(*value) == ty));
        }
        for _ in 0..4 {
            results.extend(self.random.choose(&self.pool));
        }
        self.terminate(&results);
        Generated { function: self.ir, accepted: self.accepted, refused: self.refused }
    }
}
