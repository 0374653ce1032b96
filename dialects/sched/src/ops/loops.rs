//! `for` and `yield`.
//!
//! `%i in E by T` runs over 0, T, 2T, … below E. A header with several loops prints perfectly nested ones; each is an op of
//! its own. Iterations at or beyond `limit`, or before `from`, do not happen.

use super::*;
use crate::access::{self, Parsed};
use crate::combine::{Group, groups};
use terrace_devices::{Level, Mechanism};
use terrace_ir::rules::{AffineMapAttr, AnyType, I64Attr, Index, UnitAttr};
use terrace_ir::{Attr, Builder, Ir, NewOp, OpId, Type, Value, Verify, VerifyCx, codes};
use terrace_macros::op;
use terrace_support::affine::AffineMap;
use terrace_text::{CustomAsm, Unresolved};

/// A loop over 0, T, 2T, … below its extent, at a level, with a combine operator
///
/// ```mlir
/// func.func @sum(%A: memref<64xf32>, %s: memref<f32>) {
///   %r = sched.for (%i in 64 by 1 dim 0 pw add) -> f32 {
///     %a = sched.read %A[%i] : memref<64xf32>
///     sched.yield %a : f32
///   }
///   sched.write %r, %s[] : memref<f32>
///   return
/// }
/// ```
#[op(
    "sched.for",
    traits(SingleBlock, LoopLike, RecursiveEffects, AllocationScope),
    interfaces(CustomAsm, terrace_interp::Interpret),
    hooks(verify),
    implicit_terminator = "sched.yield"
)]
pub struct For {
    from_operands: Variadic<Index>,
    limit_operands: Variadic<Index>,
    inits: Variadic<AnyType>,
    #[attr]
    extent: I64Attr,
    #[attr]
    tile: I64Attr,
    #[attr(optional)]
    from: AffineMapAttr,
    #[attr(optional)]
    limit: AffineMapAttr,
    #[attr(optional)]
    dim: I64Attr,
    #[attr(optional)]
    level: LevelAttr,
    #[attr(optional)]
    combine: KindAttr,
    #[attr(optional)]
    ops: OperatorsAttr,
    #[attr(optional)]
    order: OrderAttr,
    #[attr(optional)]
    via: ViaAttr,
    #[attr(optional)]
    tail: TailAttr,
    #[attr(optional)]
    stages: I64Attr,
    #[attr(optional)]
    nowait: UnitAttr,
    #[attr(optional)]
    step: StepAttr,
    #[attr(optional)]
    perm: HoleAttr,
    #[result]
    results: Variadic<AnyType>,
    #[region(single_block)]
    body: Region,
}

/// A bound that depends on outer loops
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// One result, or several that all bind
    pub map: AffineMap,
    /// Values of its dimensions
    pub values: Vec<Value>,
}

/// Everything a loop is made from
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LoopSpec {
    /// Extent
    pub extent: i64,
    /// Distance of two iterations
    pub tile: i64,
    /// First iterations that do not happen: those before
    pub from: Option<Bound>,
    /// Last iterations that do not happen: those at or beyond
    pub limit: Option<Bound>,
    /// Dimension of the iteration space
    pub dim: Option<i64>,
    /// Level
    pub level: Level,
    /// Kind of combination
    pub kind: Combination,
    /// Operators, one per result; or one function for all results together
    pub ops: Vec<Operator>,
    /// Order word
    pub order: Order,
    /// Mechanism
    pub via: Mechanism,
    /// Tail
    pub tail: Option<Tail>,
    /// No join needed
    pub nowait: bool,
    /// Layer and label
    pub step: Option<(i64, i64)>,
    /// Initial values; empty or as many as results
    pub inits: Vec<Value>,
    /// Result types
    pub results: Vec<Type>,
}

/// A loop with what it is made from, decoded
#[derive(Clone, PartialEq, Debug)]
pub struct LoopInfo {
    /// The op
    pub op: For,
    /// Induction variable
    pub iv: Value,
    /// What it is made from
    pub spec: LoopSpec,
}

impl std::ops::Deref for LoopInfo {
    type Target = LoopSpec;

    fn deref(&self) -> &LoopSpec {
        &self.spec
    }
}

impl LoopSpec {
    /// Number of iterations without `from` and `limit`
    pub fn trip(&self) -> i64 {
        if self.tile <= 0 {
            0
        } else {
            self.extent.max(0).unsigned_abs().div_ceil(self.tile.unsigned_abs()) as i64
        }
    }

    /// Which operator merges which results
    pub fn groups(&self) -> Vec<Group<'_>> {
        groups(&self.ops, self.results.len())
    }

    /// More than one iteration, which may run at the same time
    pub fn is_parallel(&self) -> bool {
        self.level.is_parallel() && self.trip() > 1
    }
}

impl For {
    /// Its attributes decoded; what the tables refuse gets defaults
    pub fn info(self, ir: &Ir) -> Option<LoopInfo> {
        let cx = ir.cx();
        let entry = ir.entry(self.body(ir))?;
        let int = |attr: Attr| attr.as_i64(cx).unwrap_or(0);
        let bound = |attr: Option<Attr>, values: Vec<Value>| {
            attr.and_then(|attr| attr.as_affine_map(cx)).map(|map| Bound { map: map.clone(), values })
        };
        let iv = *ir.block_args(entry).first()?;
        let spec = LoopSpec {
            extent: int(self.extent(ir)),
            tile: int(self.tile(ir)),
            from: bound(self.from(ir), self.from_operands(ir)),
            limit: bound(self.limit(ir), self.limit_operands(ir)),
            dim: self.dim(ir).map(int),
            level: self.level(ir).and_then(|attr| word(cx, attr)).unwrap_or_default(),
            kind: self.combine(ir).and_then(|attr| word(cx, attr)).unwrap_or_default(),
            ops: self.operators(ir),
            order: self.order(ir).and_then(|attr| word(cx, attr)).unwrap_or_default(),
            via: self.via(ir).and_then(|attr| word(cx, attr)).unwrap_or_default(),
            tail: self.tail(ir).and_then(|attr| word(cx, attr)),
            nowait: self.nowait(ir).is_some(),
            step: self.step(ir).and_then(|step| match step.as_dense_array(cx) {
                Some([layer, label]) => Some((*layer, *label)),
                _ => None,
            }),
            inits: self.inits(ir),
            results: ir.results(self.0).map(|value| ir.ty(value)).collect(),
        };
        Some(LoopInfo { op: self, iv, spec })
    }

    /// Operators of a `pw` or `ps` loop
    pub fn operators(self, ir: &Ir) -> Vec<Operator> {
        let cx = ir.cx();
        let all = self.ops(ir).and_then(|attr| attr.as_array(cx)).unwrap_or(&[]);
        all.iter().filter_map(|attr| Operator::from_attr(cx, *attr)).collect()
    }
}

impl LoopSpec {
    /// Make the loop with an empty body that has its arguments; a body without results gets its `yield` too
    pub fn build(&self, b: &mut Builder<'_>) -> For {
        let kind = b.kind(For::DEF);
        let cx = b.cx();
        let i64 = |value: i64| Some(cx.int_attr(value.into(), cx.common().i64));
        let text =
            |differs: bool, word: &dyn std::fmt::Display| differs.then(|| cx.str_attr(&word.to_string()));
        let map = |bound: &Option<Bound>| bound.as_ref().map(|bound| cx.map_attr(bound.map.clone()));
        let operators: Vec<Attr> = self.ops.iter().map(|operator| operator.to_attr(cx)).collect();
        let values = |bound: &Option<Bound>| bound.as_ref().map_or(Vec::new(), |bound| bound.values.clone());
        let (from, limit) = (values(&self.from), values(&self.limit));
        let segments = [from.len() as u32, limit.len() as u32, self.inits.len() as u32];
        let operands: Vec<Value> = from.into_iter().chain(limit).chain(self.inits.iter().copied()).collect();
        let tail = self.tail.map(Tail::word);
        let slots = [
            i64(self.extent),
            i64(self.tile),
            map(&self.from),
            map(&self.limit),
            self.dim.and_then(i64),
            text(self.level != Level::Seq, &self.level),
            text(self.kind != Combination::Cc, &self.kind),
            (!operators.is_empty()).then(|| cx.array_attr(&operators)),
            text(self.order != Order::Fixed, &self.order),
            text(self.via != Mechanism::Auto, &self.via),
            tail.map(|tail| cx.str_attr(tail)),
            None,
            self.nowait.then_some(cx.common().unit),
            self.step.map(|(layer, label)| cx.i64_array(&[layer, label])),
            None,
        ];
        let (index, carried) =
            (cx.common().index, self.kind == Combination::Ordered || self.kind == Combination::Ps);
        let op = b.insert(&NewOp {
            operands: &operands,
            segments: &segments,
            results: &self.results,
            slots: &slots,
            regions: 1,
            ..NewOp::new(kind)
        });
        let ir = b.ir();
        let region = ir.region(op, 0);
        let entry = ir.append_block(region);
        ir.add_block_arg(entry, index);
        for ty in self.results.iter().filter(|_| carried) {
            ir.add_block_arg(entry, *ty);
        }
        if self.results.is_empty() {
            Yield::build(&mut Builder::at_end(ir, entry), &[]);
        }
        For(op)
    }
}

/// One loop of a header
struct Header {
    iv: Unresolved,
    from: Option<Parsed>,
    limit: Option<Parsed>,
    inits: Vec<Unresolved>,
    carried: Vec<Unresolved>,
}

fn set_word(p: &mut OpParser<'_, '_>, name: &str, words: &[&str]) -> Result<(), Reported> {
    let n = p.one_of(words)?;
    let attr = p.cx().str_attr(words[n]);
    p.set_attr(name, attr);
    Ok(())
}

fn set_int(p: &mut OpParser<'_, '_>, name: &str) -> Result<(), Reported> {
    let value = p.int64()?;
    let attr = p.cx().int_attr(value.into(), p.cx().common().i64);
    p.set_attr(name, attr);
    Ok(())
}

fn set_bound(p: &mut OpParser<'_, '_>, name: &str) -> Result<Option<Parsed>, Reported> {
    if !p.keyword_opt(name) {
        return Ok(None);
    }
    let bound = if p.at_punct("[") { access::parse(p, &[])? } else { access::parse_one(p)? };
    let map = bound.map_attr(p.cx());
    p.set_attr(name, map);
    Ok(Some(bound))
}

/// A level's word
fn level(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
    let here = p.any_keyword_opt().map(str::to_string);
    let Some(level) = here.as_deref().and_then(|text| text.parse::<Level>().ok()) else {
        let given = here.unwrap_or_default();
        let words = Level::words();
        let near = terrace_diag::nearest(&given, words.iter().map(String::as_str)).unwrap_or("seq".into());
        return Err(p.error(format!("`{given}` is no level; did you mean `{near}`?")));
    };
    if level != Level::Seq {
        let attr = p.cx().str_attr(&level.to_string());
        p.set_attr("level", attr);
    }
    Ok(())
}

/// `f` or `(f, g)`
fn operators(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
    let mut all = Vec::new();
    if p.punct_opt("(") {
        loop {
            all.push(parse_operator(p)?);
            if !p.punct_opt(",") {
                break;
            }
        }
        p.punct(")")?;
    } else {
        all.push(parse_operator(p)?);
    }
    let attr = p.cx().array_attr(&all);
    p.set_attr("ops", attr);
    Ok(())
}

fn header(p: &mut OpParser<'_, '_>) -> Result<Header, Reported> {
    let iv = p.operand()?;
    p.keyword("in")?;
    set_int(p, "extent")?;
    p.keyword("by")?;
    set_int(p, "tile")?;
    let from = set_bound(p, "from")?;
    let limit = set_bound(p, "limit")?;
    let mut header = Header { iv, from, limit, inits: Vec::new(), carried: Vec::new() };
    if p.keyword_opt("dim") {
        set_int(p, "dim")?;
    }
    if p.punct_opt(":") {
        if p.at_punct("@") {
            // The parameter that will say.
            let attr = p.symbol_ref()?;
            p.set_attr("level", attr);
        } else {
            level(p)?;
        }
    }
    let kinds = ["cc", "pw", "ps", "ordered"];
    let kind = kinds.iter().position(|kind| p.keyword_opt(kind)).unwrap_or(0);
    if kind > 0 {
        let attr = p.cx().str_attr(kinds[kind]);
        p.set_attr("combine", attr);
    }
    if kind == 1 || kind == 2 {
        operators(p)?;
        if p.keyword_opt("init") {
            header.inits = p.operands(terrace_text::Delim::Paren)?;
        }
    }
    if kind == 1 {
        for (n, order) in Order::WORDS.iter().enumerate() {
            if p.keyword_opt(order) && n != 1 {
                let attr = p.cx().str_attr(order);
                p.set_attr("order", attr);
            }
        }
        if p.keyword_opt("via") {
            set_word(p, "via", Mechanism::WORDS)?;
        }
    }
    if kind >= 2 && p.keyword_opt("carry") {
        p.punct("(")?;
        loop {
            header.carried.push(p.operand()?);
            if kind == 3 {
                p.punct("=")?;
                header.inits.push(p.operand()?);
            }
            if !p.punct_opt(",") {
                break;
            }
        }
        p.punct(")")?;
    }
    if p.keyword_opt("tail") {
        set_word(p, "tail", Tail::WORDS)?;
    }
    if p.keyword_opt("stages") {
        set_int(p, "stages")?;
    }
    parse_hole(p, "perm")?;
    if p.keyword_opt("nowait") {
        let unit = p.cx().common().unit;
        p.set_attr("nowait", unit);
    }
    Ok(header)
}

/// One loop of the header and all inside
fn parse_from(p: &mut OpParser<'_, '_>, step: Option<Attr>) -> Result<(), Reported> {
    if let Some(step) = step {
        p.set_attr("step", step);
    }
    let header = header(p)?;
    let index = p.cx().common().index;
    if p.punct_opt(",") {
        if !header.inits.is_empty() || !header.carried.is_empty() {
            return Err(p.error("a loop that carries values has a header of its own"));
        }
        access::resolve_opt(p, &header.from)?;
        access::resolve_opt(p, &header.limit)?;
        p.segment();
        return p.region_of(&[(header.iv, index)], For::DEF, &mut |p| parse_from(p, step));
    }
    p.punct(")")?;
    let types = p.arrow_types_opt()?;
    if !header.inits.is_empty() && header.inits.len() != types.len() {
        let message = format!("{} initial values, but {} result types", header.inits.len(), types.len());
        return Err(p.error(message));
    }
    if !header.carried.is_empty() && header.carried.len() != types.len() {
        let message =
            format!("{} values are carried, but {} result types", header.carried.len(), types.len());
        return Err(p.error(message));
    }
    access::resolve_opt(p, &header.from)?;
    access::resolve_opt(p, &header.limit)?;
    if !header.inits.is_empty() {
        p.resolve_all(&header.inits, &types)?;
    }
    p.segment();
    p.add_results(&types);
    let mut args = vec![(header.iv, index)];
    args.extend(header.carried.into_iter().zip(types));
    p.region(&args)?;
    p.attr_dict()
}

impl For {
    /// The only op of the body, if it is a loop that a header may join to this one
    fn joined(self, ir: &Ir) -> Option<For> {
        let entry = ir.entry(self.body(ir))?;
        let inner = For::cast(ir, ir.first_op(entry)?)?;
        let last = ir.next(inner.0)?;
        let alone = ir.next(last).is_none() && ir.num_operands(last) == 0 && ir.dict(last).is_none();
        let plain = |op: OpId| ir.num_results(op) == 0 && ir.dict(op).is_none();
        (alone && plain(self.0) && plain(inner.0) && self.step(ir) == inner.step(ir)).then_some(inner)
    }

    fn print_header(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        let cx = ir.cx();
        let Some(info) = self.info(ir) else { return };
        let carried: Vec<Value> =
            ir.entry(self.body(ir)).map_or(Vec::new(), |entry| ir.block_args(entry)[1..].to_vec());
        p.operand(info.iv);
        p.text(" in ");
        p.int(info.extent.into());
        p.text(" by ");
        p.int(info.tile.into());
        for (name, bound) in [(" from ", &info.from), (" limit ", &info.limit)] {
            let Some(bound) = bound else { continue };
            p.text(name);
            match &bound.map.results[..] {
                [expr] => p.affine_expr_over(expr, &[], &bound.values),
                _ => access::print(p, &[], &bound.map, &bound.values),
            }
        }
        if let Some(dim) = info.dim {
            p.text(" dim ");
            p.int(dim.into());
        }
        match self.level(ir) {
            Some(open) if open.as_str(cx).is_none() => {
                p.text(" : ");
                p.attr(open);
            }
            word => print_word(p, " : ", word),
        }
        print_word(p, " ", self.combine(ir));
        let all = self.ops(ir).and_then(|attr| attr.as_array(cx)).unwrap_or(&[]);
        p.text(if all.is_empty() { "" } else { " " });
        p.text(if all.len() > 1 { "(" } else { "" });
        for (n, operator) in all.iter().enumerate() {
            p.text(if n > 0 { ", " } else { "" });
            print_operator(p, *operator);
        }
        p.text(if all.len() > 1 { ")" } else { "" });
        let inits = self.inits(ir);
        if !inits.is_empty() && info.kind != Combination::Ordered {
            p.text(" init(");
            p.operands(inits.iter().copied());
            p.text(")");
        }
        print_word(p, " ", self.order(ir));
        print_word(p, " via ", self.via(ir));
        if !carried.is_empty() {
            p.text(" carry(");
            for (n, value) in carried.iter().enumerate() {
                p.text(if n > 0 { ", " } else { "" });
                p.operand(*value);
                if let Some(init) = inits.get(n).filter(|_| info.kind == Combination::Ordered) {
                    p.text(" = ");
                    p.operand(*init);
                }
            }
            p.text(")");
        }
        print_word(p, " tail ", self.tail(ir));
        if let Some(stages) = self.stages(ir).and_then(|stages| stages.as_i64(cx)) {
            p.text(" stages ");
            p.int(stages.into());
        }
        print_hole(p, " perm ", self.perm(ir));
        p.text(if info.nowait { " nowait" } else { "" });
    }
}

impl CustomAsm for For {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let step = parse_step(p)?;
        p.punct("(")?;
        parse_from(p, step)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        print_step(p, self.step(ir));
        p.text(" (");
        let mut innermost = self;
        innermost.print_header(p);
        // A header of several loops has one place for a location, but each loop has one of its own.
        let separate = p.has_locations();
        while let Some(inner) = innermost.joined(ir).filter(|_| !separate) {
            p.text(", ");
            inner.print_header(p);
            innermost = inner;
        }
        p.text(")");
        let results = ir.num_results(innermost.0);
        if results > 0 {
            p.text(" -> ");
            p.wrapped_types(ir.results(innermost.0).map(|value| ir.ty(value)));
        }
        p.text(" ");
        p.region(innermost.body(ir), false, results > 0);
        p.attr_dict(SHOWN);
    }
}

const SHOWN: &[&str] = &[
    "extent", "tile", "from", "limit", "dim", "level", "combine", "ops", "order", "via", "tail", "stages",
    "nowait", "step", "perm",
];

impl For {
    /// The op alone: what it says of itself
    pub(crate) fn verify_alone(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: String| v.fail(self.0, &codes::OP_RULE, message);
        let Some(entry) = ir.entry(self.body(ir)) else { return Ok(()) };
        if ir.block_args(entry).first().is_none_or(|iv| ir.ty(*iv) != cx.common().index) {
            return fail("expects the body's first argument to be its variable, of type 'index'".into());
        }
        let Some(info) = self.info(ir) else { return Ok(()) };
        if info.tile <= 0 || info.extent < 0 {
            return fail(format!(
                "expects an extent of at least 0 and a tile of at least 1, found {} by {}",
                info.extent, info.tile
            ));
        }
        for (name, bound) in [("from", &info.from), ("limit", &info.limit)] {
            let Some(bound) = bound else { continue };
            if bound.map.results.is_empty()
                || bound.map.symbols != 0
                || bound.map.dims as usize != bound.values.len()
            {
                return fail(format!("expects '{name}' to be expressions over the values given for it"));
            }
        }
        let results: Vec<Type> = ir.results(self.0).map(|value| ir.ty(value)).collect();
        let args: Vec<Type> = ir.block_args(entry)[1..].iter().map(|arg| ir.ty(*arg)).collect();
        let inits: Vec<Type> = self.inits(ir).iter().map(|value| ir.ty(*value)).collect();
        let carries = matches!(info.kind, Combination::Ps | Combination::Ordered);
        if !inits.is_empty() && inits != results {
            return fail("expects initial values of the types of its results".into());
        }
        if info.kind == Combination::Ordered && inits.len() != results.len() {
            return fail("expects one carried value for each result of an 'ordered' loop".into());
        }
        if carries && args != results {
            return fail("expects one argument of the body for each result that it carries".into());
        }
        if !carries && !args.is_empty() {
            return fail(format!(
                "carries values, but only 'ps' and 'ordered' loops do: bodies of '{}' loops yield contributions",
                info.kind
            ));
        }
        let merges = matches!(info.kind, Combination::Pw | Combination::Ps);
        let merged: usize = info.groups().iter().map(|group| group.len).sum();
        if merges && (info.ops.is_empty() || merged < results.len()) {
            return fail(format!(
                "expects an operator for each of its {} results, found {}",
                results.len(),
                info.ops.len()
            ));
        }
        if !merges && !info.ops.is_empty() {
            return fail(format!("has operators, but a '{}' loop combines nothing", info.kind));
        }
        if info.kind == Combination::Cc && !results.is_empty() {
            return fail("has results, but iterations of a 'cc' loop have nothing to combine: add 'pw' and an operator".into());
        }
        for group in info.groups() {
            let types = &results[group.values()];
            match (group.operator, types) {
                (Operator::Builtin(builtin), [ty]) if !builtin.allows(cx, *ty) => {
                    return fail(format!(
                        "has the operator '{builtin}', which does not exist for '{}'",
                        v.show(*ty)
                    ));
                }
                (Operator::Function(_), _) => super::check_function(v, self.0, group.operator, types)?,
                (Operator::Builtin(_), _) => {}
            }
        }
        Ok(())
    }
}

/// Gives the body's contributions
///
/// ```mlir
/// func.func @max(%A: memref<64xf32>, %s: memref<f32>) {
///   %r = sched.for (%i in 64 by 1 pw max) -> f32 {
///     %a = sched.read %A[%i] : memref<64xf32>
///     sched.yield %a : f32
///   }
///   sched.write %r, %s[] : memref<f32>
///   return
/// }
/// ```
#[op(
    "sched.yield",
    traits(Pure, Terminator, ReturnLike),
    parents("sched.for"),
    interfaces(terrace_interp::Interpret),
    hooks(verify)
)]
#[asm("attr-dict ($values^ `:` type($values))?")]
pub struct Yield {
    values: Variadic<AnyType>,
}

impl Verify for Yield {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let Some(parent) = ir.parent(self.0) else { return Ok(()) };
        let results: Vec<Type> = ir.results(parent).map(|value| ir.ty(value)).collect();
        let given: Vec<Type> = self.values(ir).iter().map(|value| ir.ty(*value)).collect();
        if results != given {
            let message =
                format!("must give a value for each of the loop's {} results, of its type", results.len());
            return v.fail(self.0, &codes::OP_RULE, message);
        }
        Ok(())
    }
}
