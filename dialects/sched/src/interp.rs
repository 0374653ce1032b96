//! What schedules mean when they are run.
//!
//! Sequential loops run one iteration after the other; loops at parallel levels are teams, so that conflicts between their
//! iterations are found: tasks and blocks one member after the other, threads of a block as members that can wait.
//! Contributions are merged from the left in the order of iterations, whatever the order in which these ran. Collective
//! ops: all threads meet, the first one does it, all meet again.
//!
//! State of a loop: phase, iteration, accumulators, then what is still to be merged (the next one last).

mod contract;
mod memory;
mod rotate;

use crate::combine::{Group, Operator};
use crate::ops::{For, Kernel, LoopInfo, Yield, operator};
use crate::{Builtin, Combination, Order};
use memory::Subscripts;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;
use terrace_devices::Level;
use terrace_dialect_arith as arith;
use terrace_dialect_arith::interp::floats::fused;
use terrace_interp::{Interpret, Level as Wide, Machine, RtValue, Step, TeamSpec, Trap, codes};
use terrace_ir::{Ir, RegionId, Type, Value};

/// No value yet
fn nothing() -> RtValue {
    RtValue::Int { bits: 0, width: 0 }
}

fn is_nothing(value: &RtValue) -> bool {
    matches!(value, RtValue::Int { width: 0, .. })
}

/// Phases of a loop
const BODY: i64 = 0;
const OPERATOR: i64 = 1;

/// Entries of the state before the accumulators
const HEAD: usize = 2;

/// How iterations run
#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    InTurn,
    Members(Wide, &'static str),
    Forked(Wide, &'static str),
}

fn run_of(info: &LoopInfo) -> Run {
    if info.trip() <= 1 || matches!(info.kind, Combination::Ps | Combination::Ordered) {
        return Run::InTurn;
    }
    match info.level {
        // That lanes do not disturb each other has been proved; teams of them would be too many to keep notes of.
        Level::Seq | Level::Unroll | Level::Vector | Level::Mma => Run::InTurn,
        Level::Task => Run::Members(Wide::Loop, info.level.class()),
        Level::Pe => Run::Members(Wide::Loop, "unit"),
        Level::Device(_) => Run::Members(Wide::Loop, "device"),
        Level::Global(_) => Run::Members(Wide::Grid, "thread"),
        Level::Block(_) | Level::Cluster(_) => Run::Members(Wide::Grid, "block"),
        Level::Thread(_) | Level::Warp(_) => Run::Forked(Wide::Block, "thread"),
        Level::Lane(_) => Run::Forked(Wide::Subgroup, info.level.class()),
    }
}

/// Merge the tuple that waits last, its components backwards, into accumulators; or the step that calls a user's operator
fn merge_last(
    f: &Operator,
    state: &mut Vec<RtValue>,
    places: Range<usize>,
) -> Result<Result<(), Step>, Trap> {
    let waiting = state.len() - places.len();
    match f {
        Operator::Function(name) if !is_nothing(&state[places.start]) => {
            let args = state[places].iter().chain(state[waiting..].iter().rev()).cloned().collect();
            return Ok(Err(Step::Invoke { symbol: name.clone(), args }));
        }
        Operator::Builtin(builtin) if !is_nothing(&state[places.start]) => {
            state[places.start] = builtin.apply(&state[places.start], &state[waiting])?;
            state.truncate(waiting);
        }
        _ => take_last(state, places),
    }
    Ok(Ok(()))
}

/// What waits last becomes the accumulators
fn take_last(state: &mut Vec<RtValue>, places: Range<usize>) {
    for place in places {
        state[place] = state.pop().unwrap_or(RtValue::Poison);
    }
}

/// `a ⊕ b`, or the step that calls a user's operator
pub(super) fn merge(f: &Operator, a: &RtValue, b: &RtValue) -> Result<Result<RtValue, Step>, Trap> {
    if is_nothing(a) {
        return Ok(Ok(b.clone()));
    }
    match f {
        Operator::Builtin(builtin) => Ok(Ok(builtin.apply(a, b)?)),
        Operator::Function(name) => {
            let (symbol, args): (Arc<str>, _) = (name.clone(), vec![a.clone(), b.clone()]);
            Ok(Err(Step::Invoke { symbol, args }))
        }
    }
}

/// The factors of a float product
fn factors(ir: &Ir, value: Value) -> Option<[Value; 2]> {
    let product = arith::MulF::cast(ir, ir.defining_op(value)?)?;
    Some([product.lhs(ir), product.rhs(ir)])
}

fn fused_of(ir: &Ir, info: &LoopInfo) -> Vec<Option<[Value; 2]>> {
    let built_in = info.ops.iter().all(|f| matches!(f, Operator::Builtin(_)));
    let end = ir.entry(info.op.body(ir)).and_then(|block| ir.last_op(block));
    match end.filter(|_| info.order == Order::Fused && built_in) {
        Some(end) => ir.operands(end).map(|value| factors(ir, value)).collect(),
        None => Vec::new(),
    }
}

/// `a ⊕ b` by a built-in operator; where `b` is a product that is added, with one rounding
fn merge_fused(
    m: &Machine<'_>,
    f: &Operator,
    a: &RtValue,
    b: &RtValue,
    factors: Option<[Value; 2]>,
) -> Result<RtValue, Trap> {
    match factors.filter(|_| *f == Operator::Builtin(Builtin::Add)) {
        Some([x, y]) => fused(&m.value(x), &m.value(y), a),
        None => built_in(f, a, b),
    }
}

/// The same by a built-in operator; functions state no brackets
fn built_in(f: &Operator, a: &RtValue, b: &RtValue) -> Result<RtValue, Trap> {
    match merge(f, a, b)? {
        Ok(merged) => Ok(merged),
        Err(_) => Err(Trap::new(&codes::INVALID, "a function merges by halves")),
    }
}

/// What a reduction starts with when nothing is given
fn start_of(m: &Machine<'_>, f: &Operator, ty: Type, component: usize) -> RtValue {
    let cx = m.cx();
    let attr = match f {
        Operator::Builtin(builtin) => builtin.identity(cx, ty),
        Operator::Function(name) => m
            .function(name)
            .and_then(|unit| operator::declared(unit, unit.root()))
            .and_then(|algebra| algebra.neutral(cx, component)),
    };
    attr.and_then(|attr| RtValue::of_attr(cx, attr)).unwrap_or_else(nothing)
}

/// Does the order of merging show only in rounding?
fn commutes(m: &Machine<'_>, f: &Operator) -> bool {
    match f {
        Operator::Builtin(_) => true,
        Operator::Function(name) => m
            .function(name)
            .and_then(|unit| operator::declared(unit, unit.root()))
            .is_some_and(|algebra| algebra.commutative),
    }
}

/// A loop, worked out once
struct Decoded {
    info: LoopInfo,
    run: Run,
    results: usize,
    body: RegionId,
    from: Option<Subscripts>,
    limit: Option<Subscripts>,
    /// Per result: the operator of those that begin with it, and how many these are
    groups: Vec<(Operator, usize)>,
    /// Of an order `fused` that merges by built-in operators: per result, the factors of a product that the body yields
    fused: Vec<Option<[Value; 2]>>,
}

impl Decoded {
    /// The operator that merges what is next of so many waiting values, and its accumulators
    fn next_group(&self, waiting: usize) -> (&Operator, Range<usize>) {
        let next = (self.results - waiting % self.results) % self.results;
        let (f, len) = &self.groups[next];
        (f, HEAD + next..HEAD + next + len)
    }
}

impl For {
    fn decoded(self, m: &Machine<'_>) -> Result<Rc<Decoded>, Trap> {
        let known = m.decoded(|ir, op| {
            let info = For(op).info(ir)?;
            let place = |bound: &Option<crate::ops::Bound>| {
                bound.as_ref().map(|bound| Subscripts::new(&bound.map, &bound.values))
            };
            let (run, results, body) = (run_of(&info), ir.num_results(op), For(op).body(ir));
            let each = |group: Group<'_>| {
                (0..group.len).map(move |n| (group.operator.clone(), group.len - n)).collect::<Vec<_>>()
            };
            let groups = info.groups().into_iter().flat_map(each).collect();
            Some(Rc::new(Decoded {
                run,
                results,
                body,
                from: place(&info.from),
                limit: place(&info.limit),
                groups,
                fused: fused_of(ir, &info),
                info,
            }))
        });
        Option::clone(&known).ok_or_else(|| Trap::new(&codes::INVALID, "the loop has no body"))
    }

    fn start(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let (ir, known) = (m.ir(), self.decoded(m)?);
        let info = &known.info;
        let inits = m.values(self.inits(ir));
        let mut state = vec![RtValue::index(BODY), RtValue::index(0)];
        let groups = info.groups();
        for n in 0..known.results {
            let ty = ir.ty(ir.result(self.0, n));
            let group = groups.iter().find(|group| group.values().contains(&n));
            state.push(match (inits.get(n), group) {
                (Some(init), _) => init.clone(),
                (None, Some(group)) => start_of(m, group.operator, ty, n - group.first),
                (None, None) => nothing(),
            });
        }
        let trip = u64::try_from(info.trip()).unwrap_or(0);
        match known.run {
            Run::InTurn => {
                *m.state() = state;
                self.turn(m, &known, 0)
            }
            Run::Members(level, word) => {
                let room = usize::try_from(trip).unwrap_or(usize::MAX).saturating_mul(known.results);
                if room > 1 << 24 {
                    return Err(Trap::new(&codes::LIMIT, "too many contributions"));
                }
                state.resize(state.len() + room, nothing());
                *m.state() = state;
                let spec = TeamSpec::new(level, word, vec![trip]);
                // What merges into memory without commuting keeps the order of iterations.
                let free = info.ops.iter().all(|f| commutes(m, f));
                if free {
                    m.open_team(spec)?
                } else {
                    m.open_team_in_order(spec)?
                }
                self.next_of_team(m, &known)
            }
            Run::Forked(level, word) => {
                *m.state() = state;
                Ok(Step::Fork(TeamSpec::new(level, word, vec![trip])))
            }
        }
    }

    /// The loop's variable in an iteration, if that happens
    fn variable(m: &Machine<'_>, known: &Decoded, n: i64) -> Result<Option<i64>, Trap> {
        let at = n * known.info.tile;
        for (bound, upper) in [(&known.limit, true), (&known.from, false)] {
            let Some(bound) = bound else { continue };
            for bound in bound.at(m, &[])?.iter().copied() {
                if (upper && at >= bound) || (!upper && at < bound) {
                    return Ok(None);
                }
            }
        }
        Ok(Some(at))
    }

    /// Run iteration `n`, or the next one that happens, or end
    fn turn(self, m: &mut Machine<'_>, known: &Decoded, mut n: i64) -> Result<Step, Trap> {
        while n < known.info.trip() {
            if let Some(at) = Self::variable(m, known, n)? {
                m.state()[1] = RtValue::index(n);
                let mut args = vec![RtValue::index(at)];
                if matches!(known.info.kind, Combination::Ps | Combination::Ordered) {
                    let carried = m.state()[HEAD..].to_vec();
                    args.extend(carried.into_iter().map(given));
                }
                return Ok(Step::Enter { region: known.body, args });
            }
            n += 1;
        }
        if known.info.order == Order::Tree {
            Self::merge_by_halves(m, known)?;
        }
        let values = m.state()[HEAD..HEAD + known.results].to_vec();
        m.set_results(values.into_iter().map(given).collect());
        Ok(Step::Next)
    }

    /// What iterations gave, result by result: `k` and `k + n/2` of `n`, until one is left, behind what there was before
    fn merge_by_halves(m: &mut Machine<'_>, known: &Decoded) -> Result<(), Trap> {
        let results = known.results.max(1);
        let all = m.state().split_off(HEAD + known.results);
        for (n, (f, _)) in known.groups.iter().enumerate() {
            let mut own: Vec<RtValue> = all.iter().skip(n).step_by(results).cloned().collect();
            while own.len() > 1 {
                let high = own.split_off(own.len() / 2);
                let pairs = own.iter().zip(&high);
                own = pairs.map(|(a, b)| built_in(f, a, b)).collect::<Result<_, _>>()?;
            }
            if let Some(one) = own.pop() {
                let before = m.state()[HEAD + n].clone();
                m.state()[HEAD + n] = built_in(f, &before, &one)?;
            }
        }
        Ok(())
    }

    fn next_of_team(self, m: &mut Machine<'_>, known: &Decoded) -> Result<Step, Trap> {
        while let Some(member) = m.next_member() {
            let n = member as i64;
            if let Some(at) = Self::variable(m, known, n)? {
                m.state()[1] = RtValue::index(n);
                return Ok(Step::Enter { region: known.body, args: vec![RtValue::index(at)] });
            }
        }
        let state = m.state();
        let gathered: Vec<RtValue> = state.drain(HEAD + known.results..).collect();
        state.extend(gathered.into_iter().filter(|value| !is_nothing(value)).rev());
        state[1] = RtValue::index(known.info.trip());
        self.advance(m, known)
    }

    /// Merge what is waiting, then go on
    fn advance(self, m: &mut Machine<'_>, known: &Decoded) -> Result<Step, Trap> {
        let results = known.results;
        loop {
            let waiting = m.state().len() - HEAD - results;
            if waiting == 0 {
                let n = m.state()[1].as_i64().unwrap_or(0);
                return self.turn(m, known, n.saturating_add(1));
            }
            let (f, places) = known.next_group(waiting);
            if let Err(step) = merge_last(f, m.state(), places)? {
                m.state()[0] = RtValue::index(OPERATOR);
                return Ok(step);
            }
        }
    }

    fn resumed(self, m: &mut Machine<'_>, mut values: Vec<RtValue>) -> Result<Step, Trap> {
        let known = self.decoded(m)?;
        let results = known.results;
        if m.state()[0].as_i64() == Some(OPERATOR) {
            let state = m.state();
            let (_, places) = known.next_group(state.len() - HEAD - results);
            state[0] = RtValue::index(BODY);
            state.truncate(state.len() - places.len());
            values.resize(places.len(), RtValue::Poison);
            state.splice(places, values).for_each(drop);
            return self.advance(m, &known);
        }
        let n = m.state()[1].as_i64().unwrap_or(0);
        match known.run {
            Run::Members(..) => {
                for (k, value) in values.into_iter().enumerate() {
                    let place = HEAD + results + (n.max(0) as usize) * results + k;
                    if let Some(slot) = m.state().get_mut(place) {
                        *slot = value;
                    }
                }
                self.next_of_team(m, &known)
            }
            Run::Forked(..) => {
                let given = m.contributions();
                let state = m.state();
                state.extend(given.into_iter().rev().flat_map(|each| each.into_iter().rev()));
                state[1] = RtValue::index(known.info.trip());
                self.advance(m, &known)
            }
            Run::InTurn if results == 0 => self.turn(m, &known, n.saturating_add(1)),
            Run::InTurn if known.info.kind == Combination::Ordered => {
                m.state().splice(HEAD.., values).for_each(drop);
                self.turn(m, &known, n.saturating_add(1))
            }
            Run::InTurn if known.info.order == Order::Fused && !known.fused.is_empty() => {
                for (k, value) in values.iter().enumerate() {
                    let acc = m.state()[HEAD + k].clone();
                    let after = merge_fused(m, &known.groups[k].0, &acc, value, known.fused[k])?;
                    m.state()[HEAD + k] = after;
                }
                self.turn(m, &known, n.saturating_add(1))
            }
            Run::InTurn if known.info.order == Order::Tree => {
                m.state().extend(values);
                self.turn(m, &known, n.saturating_add(1))
            }
            Run::InTurn => {
                m.state().extend(values.into_iter().rev());
                self.advance(m, &known)
            }
        }
    }
}

/// What was never given is poison
fn given(value: RtValue) -> RtValue {
    if is_nothing(&value) { RtValue::Poison } else { value }
}

impl Interpret for For {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.start(m).into()
    }

    fn resume(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
        self.resumed(m, values).into()
    }

    fn member(self, m: &mut Machine<'_>) -> Step {
        let at = self.decoded(m).and_then(|known| {
            let level = if let Run::Forked(level, _) = known.run { level } else { Wide::Block };
            let n = m.place(level).map_or(0, |place| place.member as i64);
            Ok((known.body, Self::variable(m, &known, n)?))
        });
        match at {
            Ok((region, Some(at))) => Step::Enter { region, args: vec![RtValue::index(at)] },
            Ok((_, None)) => Step::Yield(Vec::new()),
            Err(trap) => Step::Trap(trap),
        }
    }
}

impl Interpret for Yield {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Yield(m.operands())
    }
}

impl Interpret for Kernel {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Enter { region: self.body(m.ir()), args: Vec::new() }
    }
}
