//! The greedy driver: fold, remove dead ops, apply rules, until nothing changes.
//!
//! One worklist, seeded in program order, after one backward sweep that removes what is dead already (the
//! final IR is the same, the work a third). Constants are unique per isolated region before rules see them. Termination is
//! enforced: applications are counted, and beyond a bound that no converging run comes near, the run stops with an error
//! that names the rules applied last.
//!
//! Each change is an application ([`terrace_ir::steps`]): a rule, `fold`, `constant-right`, `dead`, a constant made unique
//! or moved to the start, one simplification of control flow. When the last that may be made is made, the run ends at once.

use crate::canonicalize::CanonicalRules;
use crate::codes;
use crate::dead::{is_dead, is_removable, sweep_counted};
use crate::regions::{Regions, erase_unreachable};
use crate::rewriter::{Asks, Rewriter};
use crate::rule::Rule;
use std::collections::BTreeMap;
use terrace_diag::Diagnostic;
use terrace_ir::fold::constant_of;
use terrace_ir::{Attr, Context, FoldCx, FoldResult, Folded, Ir, OpId, OpKind, Traits, Type, Value};

/// Settings of a greedy run, made once and used for many units
pub struct Greedy {
    rules: Rules,
    /// Rules applied per op of the unit before the run counts as endless
    pub limit_per_op: usize,
    /// Simplify control flow as well: unreachable blocks, unused block arguments
    pub simplify_regions: bool,
    /// Remark why this rule does not apply, at each op it starts from
    pub explain: Option<String>,
}

enum Rules {
    /// These; kinds that have no rule may be missing at the end
    Given { by_kind: Vec<Vec<&'static dyn Rule>>, any: Vec<&'static dyn Rule> },
    /// Those that ops bring along, but for these names
    Canonical { disabled: Vec<String> },
}

impl Rules {
    fn of(&self, cx: &Context, kind: OpKind) -> Box<[&'static dyn Rule]> {
        match self {
            Rules::Given { by_kind, any } => {
                let own = by_kind.get(kind.0 as usize).map_or(&[][..], Vec::as_slice);
                own.iter().chain(any).copied().collect()
            }
            Rules::Canonical { disabled } => {
                let all = cx.def(kind).interface::<CanonicalRules>().map_or(&[][..], |rules| (rules.0)());
                let enabled = all.iter().filter(|rule| disabled.iter().all(|name| name != rule.name()));
                enabled.copied().collect()
            }
        }
    }
}

/// What a greedy run did
#[derive(Default)]
pub struct Outcome {
    /// The values that a failure was about
    pub because: Option<String>,
    /// Anything changed
    pub changed: bool,
    /// Ops folded away or in place
    pub folded: u64,
    /// Dead ops erased
    pub erased: u64,
    /// Applications per rule, in order of name
    pub applied: BTreeMap<&'static str, u64>,
    /// Why the rule to explain did not apply, once per op and reason, in order of meeting them
    pub misses: Vec<Diagnostic>,
    /// Set if the run was stopped
    pub diverged: Option<Box<Diagnostic>>,
}

impl Greedy {
    /// Run exactly these rules, and folding
    pub fn new(cx: &Context, rules: impl IntoIterator<Item = &'static dyn Rule>) -> Greedy {
        let mut by_kind: Vec<Vec<&'static dyn Rule>> = (0..cx.num_kinds()).map(|_| Vec::new()).collect();
        let mut any = Vec::new();
        for rule in rules {
            match rule.root() {
                None => any.push(rule),
                Some(root) => {
                    if let Some(kind) = cx.kind_of(root) {
                        by_kind[kind.0 as usize].push(rule);
                    }
                }
            }
        }
        Greedy::of(Rules::Given { by_kind, any })
    }

    /// The rules that all registered ops bring along, but for those disabled by name
    pub fn canonical(_: &Context, disabled: &[String]) -> Greedy {
        let rules = Rules::Canonical { disabled: disabled.to_vec() };
        Greedy { simplify_regions: true, ..Greedy::of(rules) }
    }

    fn of(rules: Rules) -> Greedy {
        Greedy { rules, limit_per_op: 64, simplify_regions: false, explain: None }
    }

    /// Rewrite a unit (not the units inside it)
    pub fn run(&self, ir: &mut Ir) -> Outcome {
        self.run_with(ir, Asks::default())
    }

    /// The same, for rules that ask beyond the unit
    pub fn run_with<'a>(&self, ir: &'a mut Ir, asks: Asks<'a>) -> Outcome {
        let mut run = Run {
            greedy: self,
            by_kind: vec![NOT_MET; ir.cx().num_kinds()],
            met: Vec::new(),
            values: Vec::new(),
            outcome: Outcome::default(),
            last: Vec::new(),
            budget: 0,
        };
        let mut rw = Rewriter::new(ir);
        rw.asks = asks;
        rw.constants.in_place = true;
        if self.simplify_regions {
            // What is never run may use itself, and a rule would go on for ever.
            erase_unreachable(&mut rw);
        }
        run.seed(&mut rw);
        let ops = rw.ir().op_capacity();
        run.budget = ops.saturating_mul(self.limit_per_op) + 10_000;
        let mut regions = Regions::default();
        loop {
            run.drain(&mut rw);
            let ended = run.outcome.diverged.is_some() || rw.is_spent();
            if ended {
                break;
            }
            let simpler = self.simplify_regions && regions.simplify(&mut rw);
            let duplicates = rw.settle_constants();
            run.outcome.folded += duplicates;
            if !simpler && duplicates == 0 {
                break;
            }
        }
        run.outcome.changed = rw.changed() || run.outcome.erased > 0;
        run.outcome
    }
}

/// Steps that the error about a run without end shows
const LAST: usize = 8;

/// Misses shown at most
const MISSES: usize = 200;

impl Outcome {
    pub(crate) fn miss(&mut self, ir: &Ir, op: OpId, rule: &str, reason: &str) {
        let remark = Diagnostic::remark(
            None,
            format!("rule `{rule}` does not apply to '{}': {reason}", ir.op_name(op)),
        );
        let remark = remark.at(ir.span(op));
        let known = |other: &Diagnostic| other.span == remark.span && other.message == remark.message;
        if self.misses.len() < MISSES && !self.misses.iter().any(known) {
            self.misses.push(remark);
        }
    }
}

/// What the driver asks of an op's kind
struct Met {
    rules: Box<[&'static dyn Rule]>,
    fold: Option<Fold>,
    constant: bool,
    commutative: bool,
}

impl Met {
    /// Can anything become of an op but a dead one?
    fn does_something(&self) -> bool {
        self.fold.is_some() || self.commutative || !self.rules.is_empty()
    }
}

type Fold = fn(&FoldCx<'_>) -> Folded;

const NOT_MET: u16 = u16::MAX;

struct Run<'g> {
    greedy: &'g Greedy,
    /// By kind its place in `met`, once an op of it has been met
    by_kind: Vec<u16>,
    met: Vec<Met>,
    /// Room for what results fold to
    values: Vec<Value>,
    outcome: Outcome,
    last: Vec<(&'static str, String)>,
    budget: usize,
}

impl Run<'_> {
    /// Place in `met` of an op's kind
    #[inline]
    fn kind(&mut self, ir: &Ir, kind: OpKind) -> usize {
        match self.by_kind[kind.0 as usize] {
            NOT_MET => self.meet(ir.cx(), kind),
            n => n as usize,
        }
    }

    fn met(&mut self, ir: &Ir, op: OpId) -> &Met {
        let n = self.kind(ir, ir.kind(op));
        &self.met[n]
    }

    #[cold]
    fn meet(&mut self, cx: &Context, kind: OpKind) -> usize {
        let def = cx.def(kind);
        let n = self.met.len();
        self.by_kind[kind.0 as usize] = n as u16;
        self.met.push(Met {
            rules: self.greedy.rules.of(cx, kind),
            fold: def.fold,
            constant: def.traits.has(Traits::ConstantLike),
            commutative: def.traits.has(Traits::Commutative),
        });
        n
    }

    /// Unique constants, erase what is dead, and list every other op that a fold or a rule may change, so that the first in the text comes first
    fn seed(&mut self, rw: &mut Rewriter<'_>) {
        let constants: Vec<OpId> = rw.ir().walk().filter(|op| self.met(rw.ir(), *op).constant).collect();
        for op in constants {
            if rw.is_spent() {
                return;
            }
            self.outcome.folded += u64::from(!rw.know_constant(op));
        }
        let steps = rw.asks.steps;
        self.outcome.erased += sweep_counted(rw.ir_quiet(), steps);
        rw.forget_gone_constants();
        // Users of constants that are gone come with the others.
        rw.work.clear();
        let listed = |met: &Met| met.does_something() && !met.constant;
        let live: Vec<OpId> = rw.ir().walk().filter(|op| listed(self.met(rw.ir(), *op))).collect();
        live.into_iter().rev().for_each(|op| rw.touch(op));
    }

    fn drain(&mut self, rw: &mut Rewriter<'_>) {
        while let Some(op) = rw.work.pop() {
            if rw.is_spent() {
                return;
            }
            // Erased ops are in no block either.
            if rw.ir().block(op).is_none() {
                continue;
            }
            let kind = rw.ir().kind(op);
            if is_dead(rw.ir(), op) {
                rw.erase(op);
                rw.applied("dead", kind);
                self.outcome.erased += 1;
                continue;
            }
            if matches!(kind, OpKind::UNREGISTERED | OpKind::SLOT) {
                continue;
            }
            let met = self.kind(rw.ir(), kind);
            if self.met[met].constant {
                rw.meet_constant(op);
                continue;
            }
            // The op may be gone when the rule has run.
            let turned = self.constant_right(rw, op, met);
            if turned || self.fold(rw, op, met) {
                self.outcome.folded += 1;
                if !self.spend(rw, kind, if turned { "constant-right" } else { "fold" }) {
                    return;
                }
                continue;
            }
            for n in 0..self.met[met].rules.len() {
                let rule = self.met[met].rules[n];
                if self.greedy.explain.is_some() {
                    // Of another rule.
                    rw.take_because();
                }
                let applied = rule.apply(rw, op);
                if let (Err(miss), Some(name)) = (applied, &self.greedy.explain)
                    && name == rule.name()
                {
                    match rw.take_because() {
                        Some(values) => {
                            self.outcome.miss(rw.ir(), op, rule.name(), &format!("{}: {values}", miss.0));
                        }
                        None => self.outcome.miss(rw.ir(), op, rule.name(), miss.0),
                    }
                }
                if applied.is_ok() {
                    *self.outcome.applied.entry(rule.name()).or_default() += 1;
                    if !self.spend(rw, kind, rule.name()) {
                        return;
                    }
                    break;
                }
            }
        }
    }

    /// Count an application; false when the run must stop
    fn spend(&mut self, rw: &Rewriter<'_>, kind: OpKind, rule: &'static str) -> bool {
        rw.applied(rule, kind);
        self.budget = self.budget.saturating_sub(1);
        if self.budget < LAST {
            self.last.push((rule, rw.ir().cx().def(kind).name.to_string()));
        }
        if self.budget > 0 {
            return true;
        }
        let steps: Vec<String> = self.last.iter().map(|(rule, op)| format!("`{rule}` on '{op}'")).collect();
        let error = Diagnostic::error(&codes::DIVERGES, "rewriting does not come to an end; stopped")
            .at(rw.ir().span(rw.ir().root()))
            .note(format!("applied last: {}", steps.join(", ")))
            .help("disable one of these rules with --disable-rule=NAME and report it");
        self.outcome.diverged = Some(Box::new(error));
        false
    }

    /// A constant goes to the right of a commutative op
    fn constant_right(&mut self, rw: &mut Rewriter<'_>, op: OpId, met: usize) -> bool {
        let ir = rw.ir();
        if !self.met[met].commutative || ir.num_operands(op) != 2 {
            return false;
        }
        let (a, b) = (ir.operand(op, 0), ir.operand(op, 1));
        let constant =
            |value: Value| ir.defining_op(value).is_some_and(|def| ir.has(def, Traits::ConstantLike));
        if !constant(a) || constant(b) {
            return false;
        }
        rw.set_operand(op, 0, b);
        rw.set_operand(op, 1, a);
        true
    }

    fn fold(&mut self, rw: &mut Rewriter<'_>, op: OpId, met: usize) -> bool {
        let Some(fold) = self.met[met].fold else { return false };
        match fold(&FoldCx { ir: rw.ir(), op }) {
            Folded::No => false,
            Folded::One(result) => self.fold_to(rw, op, &[result]),
            Folded::Many(results) => self.fold_to(rw, op, &results),
        }
    }

    fn fold_to(&mut self, rw: &mut Rewriter<'_>, op: OpId, results: &[FoldResult]) -> bool {
        debug_assert_eq!(results.len(), rw.ir().num_results(op));
        // Nothing would use the constants.
        if rw.ir().is_unused(op) && !is_removable(rw.ir(), op) {
            return false;
        }
        let own = |value: Value| rw.ir().defining_op(value) == Some(op);
        if results.iter().any(|result| matches!(result, FoldResult::Value(value) if own(*value))) {
            return false;
        }
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        for (n, &result) in results.iter().enumerate() {
            let value = match result {
                FoldResult::Value(value) => Some(value),
                FoldResult::Attr(attr) => {
                    let (ty, kind) = (rw.ir().ty(rw.ir().result(op, n)), rw.ir().kind(op));
                    absorbing(rw.ir(), op, attr, ty).or_else(|| rw.constant(op, attr, ty, kind))
                }
            };
            let Some(value) = value else { break };
            values.push(value);
        }
        let known = !values.is_empty() && values.len() == rw.ir().num_results(op);
        let folded = known && give_results(rw, op, &values);
        self.values = values;
        folded
    }
}

/// The operand that absorbs the others, as zero does in a product with an unknown value: it is this constant already, and keeps its name
///
/// Where all operands are constants the result is one of its own, as in MLIR.
fn absorbing(ir: &Ir, op: OpId, attr: Attr, ty: Type) -> Option<Value> {
    let known = |value: &Value| constant_of(ir, *value);
    let same = |value: &Value| ir.ty(*value) == ty && known(value) == Some(attr);
    ir.operands(op).find(same).filter(|_| ir.operands(op).any(|operand| known(&operand).is_none()))
}

/// Let users of an op use these values; false if there are none
fn give_results(rw: &mut Rewriter<'_>, op: OpId, values: &[Value]) -> bool {
    if is_removable(rw.ir(), op) {
        rw.replace(op, values);
        return true;
    }
    // Effects stay; only the results are known. Done once: afterwards they have no uses.
    for (n, &value) in values.iter().enumerate() {
        let old = rw.ir().result(op, n);
        rw.replace_all_uses(old, value);
    }
    true
}
