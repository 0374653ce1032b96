//! `switch`: one of several ways by the value of an integer.
//!
//! Operands of all cases stand in one list; `case_operand_segments` says how many belong to each.

use super::{jump, through};
use terrace_diag::Reported;
use terrace_interp::{Interpret, Machine, Step, Trap};
use terrace_ir::fold::constant_of;
use terrace_ir::make::wrap_int;
use terrace_ir::rules::{AnyInt, AnyType, DenseI32Array, ElementsAttr};
use terrace_ir::show::elem_bytes;
use terrace_ir::{
    Attr, AttrKind, BlockId, Builder, Context, DenseData, Ir, NewOp, OpDef, OpId, Type, Value, Verify,
    VerifyCx, codes,
};
use terrace_macros::op;
use terrace_rewrite::{Canonicalize, Miss, OrMiss, Pattern, Rewriter, Rule};
use terrace_text::{CustomAsm, OpParser, OpPrinter};

/// Go to the block of the case that an integer is, or to the default
///
/// ```mlir
/// func.func @f(%x: i32, %a: i32) -> i32 {
///   cf.switch %x : i32, [
///     default: ^other,
///     1: ^given(%a : i32),
///     2: ^given(%x : i32)
///   ]
/// ^other:
///   return %a : i32
/// ^given(%y: i32):
///   return %y : i32
/// }
/// ```
#[op(
    "cf.switch",
    traits(Pure, Terminator),
    interfaces(CustomAsm, Canonicalize, terrace_interp::Interpret, terrace_dataflow::Branch),
    hooks(verify)
)]
pub struct Switch {
    flag: AnyInt,
    default_operands: Variadic<AnyType>,
    case_operands: Variadic<AnyType>,
    #[attr(optional)]
    case_values: ElementsAttr,
    #[attr]
    case_operand_segments: DenseI32Array,
    #[successor(operands = default_operands)]
    default_dest: Successor,
    #[successor(variadic)]
    case_dests: Successor,
}

/// Integers of dense elements, by their bits
fn integers(cx: &Context, attr: Option<Attr>) -> Option<Vec<u128>> {
    let Some(attr) = attr else { return Some(Vec::new()) };
    let AttrKind::Dense { ty, data } = attr.kind(cx) else { return None };
    let bytes = elem_bytes(cx, ty.scalar(cx));
    let read = |raw: &[u8]| {
        let mut wide = [0; 16];
        wide.get_mut(..raw.len())?.copy_from_slice(raw);
        Some(u128::from_le_bytes(wide))
    };
    let count = usize::try_from(ty.num_elements(cx)?).ok()?;
    match data {
        // As many as there are successors, which the verifier has seen; a huge type is no reason to make them all.
        DenseData::Splat(raw) if count <= 1 << 16 => Some(vec![read(raw)?; count]),
        DenseData::Raw(raw) if bytes > 0 => raw.chunks(bytes).map(read).collect(),
        _ => None,
    }
}

fn case_values(cx: &Context, values: &[u128], ty: Type) -> Option<Attr> {
    if values.is_empty() {
        return None;
    }
    let bytes = elem_bytes(cx, ty);
    let raw = values.iter().flat_map(|value| value.to_le_bytes().into_iter().take(bytes)).collect();
    Some(cx.dense_attr(cx.vector(&[values.len() as i64], ty), raw))
}

/// A way to go
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// The block
    pub block: BlockId,
    /// What it is given
    pub values: Vec<Value>,
}

impl Switch {
    /// The successor if no case holds
    pub fn default_way(self, ir: &Ir) -> Way {
        Way { block: self.default_dest(ir), values: self.default_operands(ir) }
    }

    /// Bits of the cases' values, and the successor of each
    pub fn cases(self, ir: &Ir) -> Vec<(u128, Way)> {
        let cx = ir.cx();
        let values = integers(cx, self.case_values(ir)).unwrap_or_default();
        let counts = self.case_operand_segments(ir).as_dense_array(cx).unwrap_or(&[]);
        let mut operands = self.case_operands(ir).into_iter();
        let dests = self.case_dests(ir).into_iter();
        let pairs = values.into_iter().zip(dests).zip(counts);
        pairs
            .map(|((value, block), count)| {
                let values = operands.by_ref().take(usize::try_from(*count).unwrap_or(0)).collect();
                (value, Way { block, values })
            })
            .collect()
    }

    /// Build one from the bits of the cases' values and the successor of each
    pub fn with_cases(b: &mut Builder<'_>, flag: Value, default: &Way, cases: &[(u128, Way)]) -> Switch {
        let (kind, cx) = (b.kind(Switch::DEF), b.cx());
        let values: Vec<u128> = cases.iter().map(|(value, _)| *value).collect();
        let counts = cases.iter().map(|(_, way)| way.values.len() as i64).collect();
        let counts = cx.attr(AttrKind::DenseArray { elem: cx.common().i32, values: counts });
        let passed: Vec<Value> = cases.iter().flat_map(|(_, way)| way.values.iter().copied()).collect();
        let segments = [1, default.values.len() as u32, passed.len() as u32];
        let given = default.values.iter().copied();
        let operands: Vec<Value> = [flag].into_iter().chain(given).chain(passed).collect();
        let successors: Vec<BlockId> =
            [default.block].into_iter().chain(cases.iter().map(|(_, way)| way.block)).collect();
        let slots = [case_values(cx, &values, b.read().ty(flag)), Some(counts)];
        let new = NewOp {
            operands: &operands,
            segments: &segments,
            slots: &slots,
            successors: &successors,
            ..NewOp::new(kind)
        };
        Switch(b.insert(&new))
    }

    /// The successor for these bits
    fn way(self, ir: &Ir, bits: u128) -> Way {
        let found = self.cases(ir).into_iter().find(|(value, _)| *value == bits);
        found.map_or_else(|| self.default_way(ir), |(_, way)| way)
    }
}

impl terrace_dataflow::Branch for Switch {
    fn taken(ir: &Ir, op: OpId, known: terrace_dataflow::flow::Known<'_>) -> Option<usize> {
        let (value, ty) = known(0)?.as_int(ir.cx())?;
        let bits = wrap_int(value, ty.bit_width(ir.cx())?, true) as u128;
        let case = Switch(op).cases(ir).into_iter().position(|(case, _)| case == bits);
        Some(case.map_or(0, |case| case + 1))
    }

    fn given(ir: &Ir, op: OpId, successor: usize) -> Option<std::ops::Range<usize>> {
        let Some(case) = successor.checked_sub(1) else { return Some(ir.operand_range(op, 1)) };
        let counts = Switch(op).case_operand_segments(ir);
        let counts = counts.as_dense_array(ir.cx())?.iter().map(|count| usize::try_from(*count).unwrap_or(0));
        let start = ir.operand_range(op, 2).start + counts.clone().take(case).sum::<usize>();
        Some(start..start + counts.clone().nth(case)?)
    }
}

fn parse_way(p: &mut OpParser<'_, '_>) -> Result<usize, Reported> {
    p.successor()?;
    if !p.punct_opt("(") {
        return Ok(0);
    }
    let mut operands = vec![p.operand()?];
    while p.punct_opt(",") {
        operands.push(p.operand()?);
    }
    let types = p.colon_types()?;
    p.resolve_all(&operands, &types)?;
    p.punct(")")?;
    Ok(operands.len())
}

impl CustomAsm for Switch {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let flag = p.operand()?;
        let ty = p.colon_type()?;
        p.resolve(&flag, ty)?;
        p.segment();
        let width = ty.bit_width(p.cx()).filter(|width| ty.is_int(p.cx()) && (1..=128).contains(width));
        let Some(width) = width else { return Err(p.error("expected an integer type of at most 128 bits")) };
        p.punct(",")?;
        p.punct("[")?;
        p.keyword("default")?;
        p.punct(":")?;
        parse_way(p)?;
        p.segment();
        let (mut values, mut counts) = (Vec::new(), Vec::new());
        while p.punct_opt(",") {
            values.push(wrap_int(p.int()?, width, true) as u128);
            p.punct(":")?;
            counts.push(parse_way(p)? as i64);
        }
        p.segment();
        p.punct("]")?;
        let cx = p.cx();
        if let Some(values) = case_values(cx, &values, ty) {
            p.set_attr("case_values", values);
        }
        let counts = cx.attr(AttrKind::DenseArray { elem: cx.common().i32, values: counts.into() });
        p.set_attr("case_operand_segments", counts);
        p.attr_dict()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        p.operand(self.flag(ir));
        p.text(" : ");
        p.ty(ir.ty(self.flag(ir)));
        p.text(", [");
        p.newline();
        p.text("  default: ");
        print_way(p, &self.default_way(ir));
        let cases = self.cases(ir);
        for (value, way) in &cases {
            p.text(",");
            p.newline();
            p.text("  ");
            p.text(&value.to_string());
            p.text(": ");
            print_way(p, way);
        }
        if !cases.is_empty() {
            p.newline();
        }
        p.text("]");
        p.attr_dict(&["case_values", "case_operand_segments"]);
    }
}

fn print_way(p: &mut OpPrinter<'_>, way: &Way) {
    p.successor(way.block);
    if !way.values.is_empty() {
        let ir = p.ir();
        p.text("(");
        p.operands(way.values.iter().copied());
        p.text(" : ");
        p.types(way.values.iter().map(|value| ir.ty(*value)));
        p.text(")");
    }
}

impl Verify for Switch {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let (ir, cx) = (v.ir, v.ir.cx());
        let fail = |message: String| v.fail(self.0, &codes::OP_RULE, message);
        let flag = ir.ty(self.flag(ir));
        let dests = self.case_dests(ir);
        let counts = self.case_operand_segments(ir).as_dense_array(cx).unwrap_or(&[]);
        if let Some(values) = self.case_values(ir) {
            let of = values.ty(cx).map(|ty| ty.scalar(cx));
            if of != Some(flag) {
                let of = of.map_or(String::new(), |ty| v.show(ty));
                return fail(format!(
                    "'flag' type ('{}') should match case value type ('{of}')",
                    v.show(flag)
                ));
            }
        }
        let number = match self.case_values(ir) {
            None => Some(0),
            Some(values) => values.ty(cx).and_then(|ty| ty.num_elements(cx)),
        };
        let number = number.and_then(|number| usize::try_from(number).ok());
        if number != Some(dests.len()) {
            let number = number.map_or("an unknown number".to_string(), |number| number.to_string());
            return fail(format!(
                "number of case values ({number}) should match number of case destinations ({})",
                dests.len()
            ));
        }
        let sum: i64 = counts.iter().sum();
        let operands = self.case_operands(ir);
        let fits = counts.len() == dests.len() && counts.iter().all(|count| *count >= 0);
        if !fits || i64::try_from(operands.len()) != Ok(sum) {
            return fail(format!(
                "'case_operand_segments' must say for each of the {} cases how many of the {} operands are its own",
                dests.len(),
                operands.len()
            ));
        }
        let mut at = 0;
        for (n, (&block, &count)) in dests.iter().zip(counts).enumerate() {
            let given = &operands[at..at + count as usize];
            at += count as usize;
            let args = ir.block_args(block);
            if given.len() != args.len() {
                let message =
                    format!("case #{n} passes {} values to a block that takes {}", given.len(), args.len());
                return v.fail(self.0, &codes::BRANCH, message);
            }
            if let Some((value, arg)) =
                given.iter().zip(args).find(|(value, arg)| ir.ty(**value) != ir.ty(**arg))
            {
                let (a, b) = (v.show(ir.ty(*value)), v.show(ir.ty(*arg)));
                let message = format!("type mismatch for an argument of case #{n}: '{a}' vs '{b}'");
                return v.fail(self.0, &codes::BRANCH, message);
            }
        }
        Ok(())
    }
}

impl Interpret for Switch {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let ir = m.ir();
        let bits = match m.decide(self.flag(ir), "the value of the switch") {
            Ok(value) => value.as_unsigned(),
            Err(trap) => return Step::Trap(trap),
        };
        let Some(bits) = bits else {
            return Step::Trap(Trap::new(&terrace_interp::codes::UNSUPPORTED, "not an integer"));
        };
        let way = self.way(ir, bits);
        Step::Branch { block: way.block, args: m.values(way.values) }
    }
}

/// Put a switch with these ways in place of one; a branch if there are no cases
fn put(rw: &mut Rewriter<'_>, op: OpId, default: &Way, cases: &[(u128, Way)]) {
    if cases.is_empty() {
        return jump(rw, op, default.block, &default.values);
    }
    let (flag, dict) = (Switch(op).flag(rw.ir()), rw.ir().dict(op));
    rw.build_before(op, |b| {
        let made = Switch::with_cases(b, flag, default, cases);
        b.ir().set_dict(made.0, dict);
    });
    rw.erase(op);
}

/// `switch` on a constant is a `br`
struct SwitchConst;

impl Pattern for SwitchConst {
    const NAME: &'static str = "switch_const";
    const ROOT: Option<&'static OpDef> = Some(Switch::DEF);
    type Found = Way;

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Way, Miss> {
        let constant = constant_of(ir, Switch(op).flag(ir)).or_miss("the value is not a constant")?;
        let (value, ty) = constant.as_int(ir.cx()).or_miss("the value is not an integer constant")?;
        let width = ty.bit_width(ir.cx()).or_miss("the value is not an integer")?;
        Ok(Switch(op).way(ir, wrap_int(value, width, true) as u128))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, way: Way) {
        jump(rw, op, way.block, &way.values);
    }
}

/// Cases with the successor of the default are removed
struct SwitchDefault;

impl Pattern for SwitchDefault {
    const NAME: &'static str = "switch_case_as_default";
    const ROOT: Option<&'static OpDef> = Some(Switch::DEF);
    type Found = (Way, Vec<(u128, Way)>);

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let (default, mut cases) = (Switch(op).default_way(ir), Switch(op).cases(ir));
        let before = cases.len();
        cases.retain(|(_, way)| *way != default);
        (cases.is_empty() || cases.len() < before).or_miss("every case differs from the default")?;
        Ok((default, cases))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (default, cases): Self::Found) {
        put(rw, op, &default, &cases);
    }
}

/// A successor that only branches on is skipped
struct SwitchPassThrough;

impl Pattern for SwitchPassThrough {
    const NAME: &'static str = "switch_pass_through";
    const ROOT: Option<&'static OpDef> = Some(Switch::DEF);
    type Found = (Way, Vec<(u128, Way)>);

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let mut found = false;
        let mut on = |way: &mut Way| {
            if let Some((block, values)) = through(ir, way.block, &way.values) {
                *way = Way { block, values };
                found = true;
            }
        };
        let (mut default, mut cases) = (Switch(op).default_way(ir), Switch(op).cases(ir));
        on(&mut default);
        cases.iter_mut().for_each(|(_, way)| on(way));
        found.or_miss("no block only branches on")?;
        Ok((default, cases))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (default, cases): Self::Found) {
        put(rw, op, &default, &cases);
    }
}

/// A switch that is reached from one place only, a switch on the same value, knows of that value
struct SwitchSame;

impl Pattern for SwitchSame {
    const NAME: &'static str = "switch_on_known_value";
    const ROOT: Option<&'static OpDef> = Some(Switch::DEF);
    type Found = (Way, Vec<(u128, Way)>);

    fn matches(&self, ir: &Ir, op: OpId) -> Result<Self::Found, Miss> {
        let block = ir.block(op).or_miss("the op is in no block")?;
        let region = ir.block_region(block).or_miss("the block is in no region")?;
        let outer = ir.uses(Switch(op).flag(ir)).map(|(user, _)| user).find(|user| {
            *user != op && ir.is(*user, Switch::DEF) && ir.successors(*user).any(|next| next == block)
        });
        let outer = outer.or_miss("no switch on the same value leads here")?;
        is_only_way(ir, outer, region, block).or_miss("the block is reached from several places")?;
        let outer_cases = Switch(outer).cases(ir);
        let mut here = outer_cases.iter().filter(|(_, way)| way.block == block);
        let (default, mut cases) = (Switch(op).default_way(ir), Switch(op).cases(ir));
        if let Some((value, _)) = here.next() {
            return Ok((Switch(op).way(ir, *value), Vec::new()));
        }
        let before = cases.len();
        cases.retain(|(value, _)| outer_cases.iter().all(|(other, _)| other != value));
        (cases.len() < before).or_miss("the outer switch says nothing of these cases")?;
        Ok((default, cases))
    }

    fn rewrite(&self, rw: &mut Rewriter<'_>, op: OpId, (default, cases): Self::Found) {
        put(rw, op, &default, &cases);
    }
}

/// Is a block reached by one way of this op and from nowhere else?
fn is_only_way(ir: &Ir, op: OpId, region: terrace_ir::RegionId, block: BlockId) -> bool {
    if ir.entry(region) == Some(block)
        || ir.block(op).and_then(|block| ir.block_region(block)) != Some(region)
    {
        return false;
    }
    let ends = ir.blocks(region).filter_map(|other| ir.last_op(other));
    ends.flat_map(|last| ir.successors(last)).filter(|next| *next == block).take(2).count() == 1
}

impl Canonicalize for Switch {
    const RULES: &'static [&'static dyn Rule] =
        &[&SwitchConst, &SwitchDefault, &SwitchPassThrough, &SwitchSame];
}
