//! The ops: a space and what stands in it, and the value of a parameter in code.

use crate::codes;
use crate::domain::{Domain, DomainAttr, Value};
use crate::formula::{CasesAttr, Formula, FormulaAttr, cases, cases_attr};
use terrace_analysis::nat::Nat;
use terrace_diag::Reported;
use terrace_dialect_array::nat_text::{NatAttr, nat_attr, nat_of, parse_nat};
use terrace_interp::{Interpret, Machine, RtValue, Step, Trap};
use terrace_ir::rules::{Index, StrAttr};
use terrace_ir::{Attr, AttrForm, Ir, OpId, Verify, VerifyCx, attr_rules};
use terrace_macros::op;
use terrace_text::{CustomAsm, OpParser, OpPrinter};

attr_rules! {
    /// Where a constraint comes from
    TagAttr "tag (printed, beyond, heuristic, type, user)", AttrForm::Full,
        |cx, attr| attr.as_str(cx).is_some_and(|word| TAGS.contains(&word));
    /// What is wanted of a number
    GoalAttr "goal (minimize, maximize)", AttrForm::Full,
        |cx, attr| attr.as_str(cx).is_some_and(|word| GOALS.contains(&word));
}

/// Words of tags: rules that papers print, rules that they do not, advice, conditions of types, and users' own
pub const TAGS: &[&str] = &["printed", "beyond", "heuristic", "type", "user"];

/// Words of goals
pub const GOALS: &[&str] = &["minimize", "maximize"];

/// Everything that is not decided about a function
///
/// ```mlir
/// tune.space @matmul_tiles for @matmul on "opencl" {
///   tune.size @n
///   tune.param @T in 1 to 64
///   tune.constraint "split" type : @T divides @n because "a tile is cut from the whole"
/// }
/// ```
#[op("tune.space", traits(SingleBlock, NoTerminator), effects(none), interfaces(CustomAsm), hooks(verify))]
pub struct Space {
    #[attr]
    name: StrAttr,
    #[attr(name = "of", optional)]
    of: StrAttr,
    #[attr(optional)]
    device: StrAttr,
    #[region(single_block)]
    body: Region,
}

/// A size of the program that is not chosen here
///
/// ```mlir
/// tune.space @s {
///   tune.size @n = 112
/// }
/// ```
#[op("tune.size", parents("tune.space"), effects(none), interfaces(CustomAsm))]
pub struct Size {
    #[attr]
    name: StrAttr,
    #[attr(optional)]
    value: NatAttr,
}

/// What is to be chosen, and from what
///
/// The text is what the parameter stands for, as the name of a map.
///
/// ```mlir
/// tune.space @s {
///   tune.size @n = 112
///   tune.param @T in 4 to 64 step 4
///   tune.param @v in {1, 2, 4, 8}
///   tune.param @k divides @n
///   tune.param @m.A "A" in {seq, fused, thread.x, block.x}
/// }
/// ```
#[op("tune.param", parents("tune.space"), effects(none), interfaces(CustomAsm))]
pub struct Param {
    #[attr]
    name: StrAttr,
    #[attr(optional)]
    label: StrAttr,
    #[attr]
    domain: DomainAttr,
}

/// A size that follows from parameters, by cases where the first statement that holds decides
///
/// ```mlir
/// tune.space @s {
///   tune.param @theta in 3 to 228
///   tune.param @m.A "A" in {seq, thread.x}
///   tune.derived @step = @theta - 2
///   tune.derived @threads = @step if @m.A in {thread.x}, else 1
/// }
/// ```
#[op("tune.derived", parents("tune.space"), effects(none), interfaces(CustomAsm))]
pub struct Derived {
    #[attr]
    name: StrAttr,
    #[attr]
    value: NatAttr,
    #[attr(optional)]
    cases: CasesAttr,
}

impl Derived {
    /// Statements with the sizes that they decide; else the value
    pub fn by_cases(self, ir: &Ir) -> Vec<(Formula, Nat)> {
        self.cases(ir).and_then(|all| cases(ir.cx(), all)).unwrap_or_default()
    }
}

/// What must hold, which rule says so, where that comes from, and why
///
/// Its location is that of the op it is about.
///
/// ```mlir
/// tune.space @s {
///   tune.param @m.A "A" in {seq, thread.x}
///   tune.param @m.B "B" in {seq, fused, thread.x}
///   tune.constraint "3" printed : [@m.A in {seq} or @m.A != @m.B] because "nested maps share no dimension"
/// }
/// ```
#[op("tune.constraint", parents("tune.space"), effects(none), interfaces(CustomAsm))]
pub struct Constraint {
    #[attr]
    rule: StrAttr,
    #[attr]
    tag: TagAttr,
    #[attr]
    formula: FormulaAttr,
    #[attr(optional)]
    reason: StrAttr,
}

/// What is wanted; earlier objectives come first
///
/// ```mlir
/// tune.space @s {
///   tune.param @T in 1 to 64
///   tune.objective minimize "idle threads" : 64 - @T
/// }
/// ```
#[op("tune.objective", parents("tune.space"), effects(none), interfaces(CustomAsm))]
pub struct Objective {
    #[attr]
    goal: GoalAttr,
    #[attr]
    what: StrAttr,
    #[attr]
    value: NatAttr,
}

/// The value of a parameter, when it is decided
///
/// ```mlir
/// func.func @f() -> index {
///   %0 = tune.value @T : index
///   return %0 : index
/// }
/// ```
#[op("tune.value", traits(Pure), interfaces(CustomAsm, Interpret))]
pub struct ValueOf {
    #[attr]
    name: NatAttr,
    #[result]
    result: Index,
}

impl Interpret for ValueOf {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let ir = m.ir();
        let known = terrace_dialect_array::size::bound(ir);
        let nat = nat_of(ir.cx(), self.name(ir));
        let value = match nat.map(|nat| terrace_dialect_array::size::value_of(&nat, &known)) {
            Some(Ok(value)) => value,
            Some(Err(why)) => {
                return Err::<Step, _>(Trap::new(&terrace_dialect_array::codes::UNBOUND, why.to_string()))
                    .into();
            }
            None => 0,
        };
        m.set_result(0, RtValue::index(value));
        Step::Next
    }
}

fn read_name(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
    let name = p.symbol_name()?;
    let cx = p.cx();
    let name = cx.str(name);
    if name.is_empty()
        || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
    {
        return Err(p.error("a name is one word of letters, digits, `_` and `.`"));
    }
    p.set_attr("name", cx.str_attr(name));
    Ok(())
}

fn print_name(p: &mut OpPrinter<'_>, name: Attr) {
    p.text(" ");
    if let Some(name) = name.as_str_id(p.cx()) {
        p.symbol(name);
    }
}

fn read_text(p: &mut OpParser<'_, '_>, name: &str) -> Result<(), Reported> {
    let text = p.string()?;
    let attr = p.cx().str_attr(&text);
    p.set_attr(name, attr);
    Ok(())
}

fn print_text(p: &mut OpPrinter<'_>, before: &str, text: Option<Attr>) {
    if let Some(text) = text.and_then(|text| text.as_str(p.cx())) {
        p.text(before);
        p.string(text);
    }
}

fn read_size(p: &mut OpParser<'_, '_>, name: &str) -> Result<(), Reported> {
    let nat = parse_nat(p)?;
    let attr = nat_attr(p.cx(), &nat);
    p.set_attr(name, attr);
    Ok(())
}

fn print_size(p: &mut OpPrinter<'_>, size: Attr) {
    let text = size.as_str(p.cx()).unwrap_or("");
    p.text(text);
}

impl CustomAsm for Space {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        read_name(p)?;
        if p.keyword_opt("for") {
            let name = p.symbol_name()?;
            let attr = p.cx().str_attr(p.cx().str(name));
            p.set_attr("of", attr);
        }
        if p.keyword_opt("on") {
            read_text(p, "device")?;
        }
        p.region(&[])?;
        p.attr_dict()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        print_name(p, self.name(ir));
        if let Some(of) = self.of(ir) {
            p.text(" for");
            print_name(p, of);
        }
        print_text(p, " on ", self.device(ir));
        p.text(" ");
        p.region(self.body(ir), false, true);
        p.attr_dict(&["name", "of", "device"]);
    }
}

impl CustomAsm for Size {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        read_name(p)?;
        if p.punct_opt("=") {
            read_size(p, "value")?;
        }
        p.attr_dict()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        print_name(p, self.name(ir));
        if let Some(value) = self.value(ir) {
            p.text(" = ");
            print_size(p, value);
        }
        p.attr_dict(&["name", "value"]);
    }
}

impl CustomAsm for Param {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        read_name(p)?;
        if p.at_punct("\"") {
            read_text(p, "label")?;
        }
        let domain = Domain::parse(p)?;
        let attr = domain.to_attr(p.cx());
        p.set_attr("domain", attr);
        p.attr_dict()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        print_name(p, self.name(ir));
        print_text(p, " ", self.label(ir));
        if let Some(domain) = Domain::from_attr(ir.cx(), self.domain(ir)) {
            p.text(&format!(" {domain}"));
        }
        p.attr_dict(&["name", "label", "domain"]);
    }
}

impl CustomAsm for Derived {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        read_name(p)?;
        p.punct("=")?;
        let mut all = Vec::new();
        let value = loop {
            if !all.is_empty() && p.keyword_opt("else") {
                break parse_nat(p)?;
            }
            let size = parse_nat(p)?;
            if all.is_empty() && !p.keyword_opt("if") {
                break size;
            }
            if !all.is_empty() {
                p.keyword("if")?;
            }
            all.push((Formula::parse(p)?, size));
            p.punct(",")?;
        };
        let value = nat_attr(p.cx(), &value);
        p.set_attr("value", value);
        if !all.is_empty() {
            let all = cases_attr(p.cx(), &all);
            p.set_attr("cases", all);
        }
        p.attr_dict()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        print_name(p, self.name(ir));
        p.text(" = ");
        let all = self.by_cases(ir);
        for (formula, size) in &all {
            p.text(&format!("{size} if {formula}, "));
        }
        if !all.is_empty() {
            p.text("else ");
        }
        print_size(p, self.value(ir));
        p.attr_dict(&["name", "value", "cases"]);
    }
}

impl CustomAsm for Constraint {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        read_text(p, "rule")?;
        let n = p.one_of(TAGS)?;
        let attr = p.cx().str_attr(TAGS[n]);
        p.set_attr("tag", attr);
        p.punct(":")?;
        let formula = Formula::parse(p)?;
        let attr = formula.to_attr(p.cx());
        p.set_attr("formula", attr);
        if p.keyword_opt("because") {
            read_text(p, "reason")?;
        }
        p.attr_dict()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        print_text(p, " ", Some(self.rule(ir)));
        p.text(&format!(" {} : ", self.tag(ir).as_str(ir.cx()).unwrap_or("")));
        if let Some(formula) = Formula::from_attr(ir.cx(), self.formula(ir)) {
            p.text(&formula.to_string());
        }
        print_text(p, " because ", self.reason(ir));
        p.attr_dict(&["rule", "tag", "formula", "reason"]);
    }
}

impl CustomAsm for Objective {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        let n = p.one_of(GOALS)?;
        let attr = p.cx().str_attr(GOALS[n]);
        p.set_attr("goal", attr);
        read_text(p, "what")?;
        p.punct(":")?;
        read_size(p, "value")?;
        p.attr_dict()
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(&format!(" {}", self.goal(ir).as_str(ir.cx()).unwrap_or("")));
        print_text(p, " ", Some(self.what(ir)));
        p.text(" : ");
        print_size(p, self.value(ir));
        p.attr_dict(&["goal", "what", "value"]);
    }
}

impl CustomAsm for ValueOf {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        read_size(p, "name")?;
        p.attr_dict()?;
        let ty = p.colon_type()?;
        p.add_result(ty);
        Ok(())
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        let ir = p.ir();
        p.text(" ");
        print_size(p, self.name(ir));
        p.attr_dict(&["name"]);
        p.text(" : ");
        p.ty(ir.ty(self.result(ir)));
    }
}

impl Verify for Space {
    fn verify(self, v: &VerifyCx<'_>) -> Result<(), Reported> {
        let ir = v.ir;
        let Some(entry) = ir.entry(self.body(ir)) else { return Ok(()) };
        let mut known: Vec<(String, Option<Domain>)> = Vec::new();
        for op in ir.block_ops(entry) {
            check(v, ir, op, &mut known)?;
        }
        Ok(())
    }
}

fn check(
    v: &VerifyCx<'_>,
    ir: &Ir,
    op: OpId,
    known: &mut Vec<(String, Option<Domain>)>,
) -> Result<(), Reported> {
    let cx = ir.cx();
    let text = |attr: Attr| attr.as_str(cx).unwrap_or("").to_string();
    let mut own: Option<(String, Option<Domain>)> = None;
    let mut speaks: Vec<String>;
    let mut formulas: Vec<Formula> = Vec::new();
    if let Some(size) = Size::cast(ir, op) {
        own = Some((text(size.name(ir)), None));
        speaks = size.value(ir).and_then(|value| nat_of(cx, value)).map_or(Vec::new(), |nat| nat.names());
    } else if let Some(param) = Param::cast(ir, op) {
        let Some(domain) = Domain::from_attr(cx, param.domain(ir)) else { return Ok(()) };
        if let Some(why) = domain.problem() {
            return v.fail(op, &codes::DOMAIN, format!("DOMAIN: {why}"));
        }
        speaks = domain.names();
        own = Some((text(param.name(ir)), Some(domain)));
    } else if let Some(derived) = Derived::cast(ir, op) {
        own = Some((text(derived.name(ir)), None));
        speaks = nat_of(cx, derived.value(ir)).map_or(Vec::new(), |nat| nat.names());
        for (formula, size) in derived.by_cases(ir) {
            speaks.extend(size.names());
            formulas.push(formula);
        }
    } else if let Some(constraint) = Constraint::cast(ir, op) {
        let Some(formula) = Formula::from_attr(cx, constraint.formula(ir)) else { return Ok(()) };
        speaks = Vec::new();
        formulas.push(formula);
    } else if let Some(objective) = Objective::cast(ir, op) {
        speaks = nat_of(cx, objective.value(ir)).map_or(Vec::new(), |nat| nat.names());
    } else {
        return v.fail(op, &codes::NAME, "NAME: is no part of a search space");
    }
    for formula in &formulas {
        never(v, op, formula, known)?;
        speaks.extend(formula.names());
    }
    if let Some(name) = speaks.iter().find(|name| !known.iter().any(|(own, _)| own == *name)) {
        let near = terrace_diag::nearest(name, known.iter().map(|(own, _)| own.as_str()));
        let hint = near.map_or(String::new(), |near| format!("; did you mean `@{near}`?"));
        return v.fail(op, &codes::NAME, format!("NAME: `@{name}` is not known here{hint}"));
    }
    if let Some((name, domain)) = own {
        if known.iter().any(|(own, _)| *own == name) {
            return v.fail(op, &codes::NAME, format!("NAME: there are two `@{name}` in the space"));
        }
        known.push((name, domain));
    }
    Ok(())
}

/// Refuse a value that its parameter never has
fn never(
    v: &VerifyCx<'_>,
    op: OpId,
    formula: &Formula,
    known: &[(String, Option<Domain>)],
) -> Result<(), Reported> {
    for (names, values) in formula.memberships() {
        for (name, value) in names.iter().flat_map(|name| values.iter().map(move |value| (name, value))) {
            let domain = known.iter().find(|(own, _)| own == name).and_then(|(_, domain)| domain.as_ref());
            let wrong = match (domain, value) {
                (Some(domain), value) => names.len() == 1 && !domain.may_be(value),
                (None, Value::Word(_)) => known.iter().any(|(own, _)| own == name),
                (None, Value::Int(_)) => false,
            };
            if wrong {
                let why = format!("FORMULA: `@{name}` is never `{value}`");
                return v.fail(op, &codes::FORMULA, why);
            }
        }
    }
    Ok(())
}
