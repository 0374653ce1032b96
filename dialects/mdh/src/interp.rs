//! What a computation means, point by point.
//!
//! Three phases: every point's contributions are folded, in row order of the points, into the places of its kept
//! coordinates; prefixes are taken along `ps` dimensions; start values come in front. Where the order of the source shows, a
//! place's fold begins with its start value, as the loop does that it was ([`View::in_order`]). A place that is never written has the start
//! value's element, else poison. The state is a flat list (see [`State`]); each combination is one step, since a user's
//! operator is a call.

use crate::codes;
use crate::compute::{Compute, Index, Yield};
use crate::operator::{Builtin, Operator, declared};
use crate::view::{CombineKind, Condition, Group, Order, Other, View};
use std::sync::Arc;
use terrace_dialect_arith::interp::floats::fused;
use terrace_interp::{Interpret, Machine, RtValue, Step, Trap, codes as traps, room};
use terrace_ir::{Context, Ir};
use terrace_support::affine::AffineMap;

/// Phases in order
const POINTS: i64 = 0;
const PREFIXES: i64 = 1;
const STARTS: i64 = 2;

/// What stands for "no contribution": no value of the IR is an empty vector that is a scalar
fn nothing() -> RtValue {
    RtValue::Vector(Arc::from([]))
}

fn is_nothing(value: &RtValue) -> bool {
    matches!(value, RtValue::Vector(all) if all.is_empty())
}

/// Layout of the op's state: phase, counter, group in progress, then the yielded contributions, then folded values
/// (yield after yield, each over the kept dimensions)
struct State {
    yields: usize,
    places: usize,
    kept: Vec<usize>,
    sizes: Vec<i64>,
    /// Sizes of dimensions that are folded by halves: until all points have come, each of their coordinates has places of its own
    trees: Vec<usize>,
    /// Folds begin with start values
    starts_first: bool,
}

const HEAD: usize = 3;

impl State {
    fn of(view: &View, ir: &Ir, op: Compute, phase: i64) -> Result<State, Trap> {
        let sizes = view.sizes();
        let mut kept: Vec<usize> = (0..sizes.len()).filter(|n| view.dims[*n].kind.kept()).collect();
        let mut trees = view.orders(Order::Tree);
        trees.retain(|_| phase == POINTS);
        kept.extend(&trees);
        let places = kept.iter().try_fold(1i64, |all, n| all.checked_mul(sizes[*n]));
        let too_big = || Trap::new(&codes::RUN, "too many points for the interpreter");
        let places = room(places).map_err(|_| too_big())?;
        sizes.iter().try_fold(1i64, |all, size| all.checked_mul(*size)).ok_or_else(too_big)?;
        let prefixes = view.dims.iter().any(|dim| matches!(dim.kind, CombineKind::Ps(_)));
        let starts_first = !prefixes && view.in_order(ir, op);
        let trees = trees.into_iter().map(|dim| sizes[dim].max(1) as usize).collect();
        Ok(State { yields: view.yields(), places, kept, sizes, trees, starts_first })
    }

    fn points(&self) -> i64 {
        self.sizes.iter().product()
    }

    fn place(&self, point: &[i64]) -> usize {
        self.kept.iter().fold(0, |at, n| at * self.sizes[*n] as usize + point[*n] as usize)
    }

    fn slot(&self, n: usize, place: usize) -> usize {
        HEAD + self.yields + n * self.places + place
    }

    /// Point of a place, 0 in folded dimensions
    fn point_of_place(&self, mut place: i64) -> Vec<i64> {
        let mut point = vec![0; self.sizes.len()];
        for n in self.kept.iter().rev() {
            let size = self.sizes[*n].max(1);
            point[*n] = place % size;
            place /= size;
        }
        point
    }
}

fn point_at(mut counter: i64, sizes: &[i64]) -> Vec<i64> {
    let mut point = vec![0; sizes.len()];
    for (at, size) in point.iter_mut().zip(sizes).rev() {
        let size = (*size).max(1);
        *at = counter % size;
        counter /= size;
    }
    point
}

fn number(m: &mut Machine<'_>, n: usize) -> i64 {
    m.state().get(n).and_then(RtValue::as_i64).unwrap_or(0)
}

fn set_number(m: &mut Machine<'_>, n: usize, value: i64) {
    m.state()[n] = RtValue::index(value);
}

fn overflow() -> Trap {
    Trap::new(&traps::BOUNDS, "an index function overflows")
}

/// Element of a tensor; `None` outside of it
fn load(tensor: &RtValue, shape: &[i64], index: &[i64]) -> Option<RtValue> {
    let at = offset(shape, index)?;
    match tensor {
        RtValue::Vector(all) => all.get(at).cloned(),
        _ => Some(RtValue::Poison),
    }
}

fn offset(shape: &[i64], index: &[i64]) -> Option<usize> {
    let mut at = 0;
    for (size, i) in shape.iter().zip(index) {
        if !(0..*size).contains(i) {
            return None;
        }
        at = at * *size as usize + *i as usize;
    }
    Some(at)
}

impl Compute {
    fn view(self, m: &Machine<'_>) -> Result<View, Trap> {
        View::read(m.ir(), self).map_err(|why| Trap::new(&traps::INVALID, why))
    }

    /// Arguments of the body at a point
    fn arguments(self, m: &Machine<'_>, view: &View, point: &[i64]) -> Result<Vec<RtValue>, Trap> {
        let (ir, cx) = (m.ir(), m.cx());
        let mut args = Vec::new();
        for input in &view.inputs {
            let value = m.value(input.value);
            let Some(map) = &input.map else {
                args.push(value);
                continue;
            };
            let shape = ir.ty(input.value).shape(cx).unwrap_or(&[]);
            let shut = match &input.guard {
                Some(guard) => guard.eval(point, &[]).ok_or_else(overflow)? != 0,
                None => false,
            };
            let index = map.eval(point, &[]).ok_or_else(overflow)?;
            let found = if shut { None } else { load(&value, shape, &index) };
            args.push(match (found, input.other) {
                (Some(found), _) => found,
                (None, Some(Other::Value(value))) => m.value(value),
                (None, Some(Other::Constant(attr))) => RtValue::of_attr(cx, attr).unwrap_or(RtValue::Poison),
                (None, None) => {
                    return Err(Trap::new(&traps::BOUNDS, "an index function leaves its buffer"));
                }
            });
        }
        Ok(args)
    }

    fn start(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let view = self.view(m)?;
        if view.order(Order::Invariant).is_some() {
            let why = "the bracket of the order `invariant` is not written yet: run `mdh-fix-bits` first";
            return Err(Trap::new(&codes::RUN, why));
        }
        if view.has_accumulators() {
            let why = "accumulators are not written out yet: run `mdh-accumulators` first";
            return Err(Trap::new(&codes::RUN, why));
        }
        for extent in &view.extents {
            let found = m.value(extent.value).as_i64().unwrap_or(0);
            if !(0..=extent.most).contains(&found) {
                let why = format!("M-EXTENT: an extent is {found}; it is from 0 to {}", extent.most);
                return Err(Trap::new(&codes::EXTENT, why));
            }
        }
        let state = State::of(&view, m.ir(), self, POINTS)?;
        if state.yields == 0 {
            return Err(Trap::new(&traps::INVALID, "there is no output"));
        }
        let len = HEAD + state.yields + state.yields * state.places;
        room(i64::try_from(len).ok())?;
        *m.state() = vec![nothing(); len];
        for n in 0..HEAD {
            set_number(m, n, 0);
        }
        self.go(m, &view, &state)
    }

    /// Go on until a region or function must run
    fn go(self, m: &mut Machine<'_>, view: &View, state: &State) -> Result<Step, Trap> {
        if number(m, 0) == POINTS {
            let mut counter = number(m, 1);
            let extents = extents(m, view);
            while counter < state.points() {
                let point = point_at(counter, &state.sizes);
                let mut inside = true;
                for condition in &view.conditions {
                    inside &= condition.holds(&point, &extents).ok_or_else(overflow)?;
                }
                if inside {
                    set_number(m, 1, counter);
                    let args = self.arguments(m, view, &point)?;
                    return Ok(Step::Enter { region: self.body(m.ir()), args });
                }
                counter += 1;
            }
            for (n, value) in [PREFIXES, 0, 0].into_iter().enumerate() {
                set_number(m, n, value);
            }
            if !state.trees.is_empty() {
                merge_by_halves(m, view, state)?;
                let state = State::of(view, m.ir(), self, PREFIXES)?;
                return self.go(m, view, &state);
            }
        }
        if number(m, 0) == PREFIXES {
            if let Some(step) = self.prefixes(m, view, state)? {
                return Ok(step);
            }
            for (n, value) in [STARTS, 0, 0].into_iter().enumerate() {
                set_number(m, n, value);
            }
        }
        if let Some(step) = self.starts(m, view, state)? {
            return Ok(step);
        }
        self.finish(m, view, state)
    }

    /// The body has yielded: fold into its place, group by group
    fn fold(self, m: &mut Machine<'_>, view: &View, state: &State) -> Result<Option<Step>, Trap> {
        let groups = groups(view)?;
        let point = point_at(number(m, 1), &state.sizes);
        let place = state.place(&point);
        if groups.is_empty() {
            for n in 0..state.yields {
                let value = m.state()[HEAD + n].clone();
                m.state()[state.slot(n, place)] = value;
            }
            return Ok(None);
        }
        loop {
            let n = number(m, 2) as usize;
            let Some((group, ids)) = groups.get(n) else { break };
            let slots: Vec<usize> = ids.iter().map(|id| state.slot(*id, place)).collect();
            let mut left: Vec<RtValue> = slots.iter().map(|slot| m.state()[*slot].clone()).collect();
            let right: Vec<RtValue> = ids.iter().map(|id| m.state()[HEAD + id].clone()).collect();
            if state.starts_first && left.iter().all(is_nothing) {
                left = self.before(m, view, group, ids, &state.point_of_place(place as i64), false)?;
                let function = matches!(group.operator, Operator::Func(_));
                if function && left.iter().all(is_nothing) && all_begin(m, view, &groups) {
                    left = with_identities(m, group, left);
                }
            }
            let fused = view.order(Order::Fused).and_then(|_| self.fused(m, &left, ids).transpose());
            match fused.map_or_else(|| combine(m, group, &left, &right), |value| Ok(Ok(vec![value?])))? {
                Ok(values) => store(m, &slots, values),
                Err(step) => return Ok(Some(step)),
            }
            set_number(m, 2, n as i64 + 1);
        }
        Ok(None)
    }

    /// What there is so far and a product that the body yields, rounded once
    fn fused(self, m: &Machine<'_>, left: &[RtValue], ids: &[usize]) -> Result<Option<RtValue>, Trap> {
        let ([left], [id]) = (left, ids) else { return Ok(None) };
        match self.factors(m.ir(), *id).filter(|_| !is_nothing(left)) {
            Some([x, y]) => fused(&m.value(x), &m.value(y), left).map(Some),
            None => Ok(None),
        }
    }

    /// Prefixes along every `ps` dimension, one combination at a time; the counter runs over dimensions and places
    fn prefixes(self, m: &mut Machine<'_>, view: &View, state: &State) -> Result<Option<Step>, Trap> {
        let groups = groups(view)?;
        let dims: Vec<usize> =
            (0..view.dims.len()).filter(|n| matches!(view.dims[*n].kind, CombineKind::Ps(_))).collect();
        let total = (dims.len() * state.places) as i64;
        loop {
            let counter = number(m, 1);
            if counter >= total {
                return Ok(None);
            }
            let dim = dims[counter as usize / state.places];
            let place = counter as usize % state.places;
            let mut point = state.point_of_place(place as i64);
            let n = number(m, 2) as usize;
            if point[dim] == 0 || n >= groups.len() {
                set_number(m, 1, counter + 1);
                set_number(m, 2, 0);
                continue;
            }
            point[dim] -= 1;
            let before = state.place(&point);
            let (group, ids) = &groups[n];
            let slots: Vec<usize> = ids.iter().map(|id| state.slot(*id, place)).collect();
            let left: Vec<RtValue> =
                ids.iter().map(|id| m.state()[state.slot(*id, before)].clone()).collect();
            let right: Vec<RtValue> = slots.iter().map(|slot| m.state()[*slot].clone()).collect();
            match combine(m, group, &left, &right)? {
                Ok(values) => store(m, &slots, values),
                Err(step) => return Ok(Some(step)),
            }
            set_number(m, 2, n as i64 + 1);
        }
    }

    /// Start values in front of what was folded
    fn starts(self, m: &mut Machine<'_>, view: &View, state: &State) -> Result<Option<Step>, Trap> {
        let groups = groups(view)?;
        loop {
            let counter = number(m, 1);
            if counter >= state.places as i64 {
                return Ok(None);
            }
            let point = state.point_of_place(counter);
            let n = number(m, 2) as usize;
            let Some((group, ids)) = groups.get(n) else {
                set_number(m, 1, counter + 1);
                set_number(m, 2, 0);
                continue;
            };
            set_number(m, 2, n as i64 + 1);
            let slots: Vec<usize> = ids.iter().map(|id| state.slot(*id, counter as usize)).collect();
            let right: Vec<RtValue> = slots.iter().map(|slot| m.state()[*slot].clone()).collect();
            let left_out = right.iter().all(is_nothing);
            if state.starts_first && !left_out {
                continue;
            }
            let left = self.before(m, view, group, ids, &point, left_out)?;
            match combine(m, group, &left, &right)? {
                Ok(values) => store(m, &slots, values),
                Err(step) => {
                    // Its results are stored when the op is resumed: the group is still this one then.
                    set_number(m, 2, n as i64);
                    return Ok(Some(step));
                }
            }
        }
    }

    /// Start values of a group at a place, which conditions may leave out
    fn before(
        self,
        m: &Machine<'_>,
        view: &View,
        group: &Group,
        ids: &[usize],
        point: &[i64],
        left_out: bool,
    ) -> Result<Vec<RtValue>, Trap> {
        let mut left = Vec::new();
        for id in ids {
            let (output, access) = output_of(view, *id);
            left.push(match &view.outputs[output].init {
                Some((value, own)) => {
                    let map = own.as_ref().unwrap_or(&view.outputs[output].maps[access]);
                    match element(m, *value, map, point) {
                        // Conditions leave the place out, and so its start value may be outside.
                        Err(trap) if left_out && trap.code.id == traps::BOUNDS.id => nothing(),
                        start => start?,
                    }
                }
                None => nothing(),
            });
        }
        // A tuple of which only some have start values takes the identity for the others.
        Ok(match left.iter().all(is_nothing) || !left.iter().any(is_nothing) {
            true => left,
            false => with_identities(m, group, left),
        })
    }

    fn finish(self, m: &mut Machine<'_>, view: &View, state: &State) -> Result<Step, Trap> {
        let (ir, cx) = (m.ir(), m.cx());
        let groups = groups(view)?;
        let seen = view.may_be_empty();
        // Behind the end of a result, a prefix is the one before it.
        let prefixes = view.dims.iter().any(|dim| matches!(dim.kind, CombineKind::Ps(_)));
        let behind = prefixes && !view.conditions.is_empty();
        let ends = ends_kept(view);
        let extents = extents(m, view);
        let mut first = 0;
        let mut results = Vec::new();
        for (n, out) in view.outputs.iter().enumerate() {
            let shape = ir.ty(ir.result(self.0, n)).shape(cx).unwrap_or(&[]);
            let count = shape.iter().try_fold(1i64, |all, size| all.checked_mul(*size));
            let mut all = vec![RtValue::Poison; room(count)?];
            if let Some((value, None)) = &out.init
                && let RtValue::Vector(start) = m.value(*value)
                && start.len() == all.len()
            {
                all.clone_from_slice(&start);
            }
            let group = groups.iter().find(|(_, ids)| ids.contains(&first)).map(|(group, _)| group);
            let empty = group
                .and_then(|group| identities(m, group).and_then(|all| all.get(n - group.first).cloned()));
            // What stands in front is seen in a sum of negative zeros alone.
            let sum = group.is_some_and(|group| group.operator == Operator::Builtin(Builtin::Add));
            let front = empty.clone().filter(|_| sum && seen && out.init.is_none());
            for (access, map) in out.maps.iter().enumerate() {
                for place in 0..state.places {
                    let point = state.point_of_place(place as i64);
                    let index = map.eval(&point, &[]).ok_or_else(overflow)?;
                    let value = m.state()[state.slot(first + access, place)].clone();
                    let at = match offset(shape, &index) {
                        Some(at) => at,
                        // Conditions leave the place out: nothing is written there.
                        None if is_nothing(&value) || behind => continue,
                        None => return Err(Trap::new(&traps::BOUNDS, "an output leaves its result")),
                    };
                    if !is_nothing(&value) {
                        all[at] = match &front {
                            Some(front) => Builtin::Add.apply(front, &value)?,
                            None => value,
                        };
                    } else if out.init.is_none()
                        && ends.iter().all(|end| end.holds(&point, &extents).unwrap_or(false))
                    {
                        all[at] = empty.clone().unwrap_or(RtValue::Poison);
                    }
                }
            }
            first += out.maps.len();
            results.push(RtValue::Vector(all.into()));
        }
        m.state().clear();
        m.set_results(results);
        Ok(Step::Next)
    }

    fn resumed(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Result<Step, Trap> {
        let view = self.view(m)?;
        let state = State::of(&view, m.ir(), self, number(m, 0))?;
        let group = number(m, 2);
        if number(m, 0) == POINTS {
            // The body yields as long as no group is in progress; afterwards an operator has returned.
            let fresh = is_nothing(&m.state()[HEAD]);
            if fresh {
                for (n, value) in values.into_iter().enumerate().take(state.yields) {
                    m.state()[HEAD + n] = value;
                }
            } else {
                let point = point_at(number(m, 1), &state.sizes);
                self.returned(m, &view, &state, state.place(&point), group, values)?;
            }
            if let Some(step) = self.fold(m, &view, &state)? {
                return Ok(step);
            }
            for n in 0..state.yields {
                m.state()[HEAD + n] = nothing();
            }
            set_number(m, 2, 0);
            let counter = number(m, 1);
            set_number(m, 1, counter + 1);
        } else {
            let place = number(m, 1) as usize % state.places.max(1);
            self.returned(m, &view, &state, place, group, values)?;
        }
        self.go(m, &view, &state)
    }

    /// An operator has returned: store, and on to the next group
    fn returned(
        self,
        m: &mut Machine<'_>,
        view: &View,
        state: &State,
        place: usize,
        group: i64,
        values: Vec<RtValue>,
    ) -> Result<(), Trap> {
        let groups = groups(view)?;
        let ids = groups.get(group as usize).map_or(&[][..], |(_, ids)| ids);
        let slots: Vec<usize> = ids.iter().map(|id| state.slot(*id, place)).collect();
        store(m, &slots, values);
        set_number(m, 2, group + 1);
        Ok(())
    }
}

/// Numbers that are known at run time
fn extents(m: &Machine<'_>, view: &View) -> Vec<i64> {
    view.extents.iter().map(|extent| m.value(extent.value).as_i64().unwrap_or(0)).collect()
}

/// Conditions that are ends of kept dimensions
fn ends_kept(view: &View) -> Vec<Condition> {
    let ends = |one: &&Condition| one.at_least_zero().iter().all(|bound| view.ends_kept(bound));
    view.conditions.iter().filter(ends).cloned().collect()
}

/// Places that differ in dimensions that are folded by halves become one, along the innermost of these first
fn merge_by_halves(m: &mut Machine<'_>, view: &View, state: &State) -> Result<(), Trap> {
    let groups = groups(view)?;
    let mut all = m.state().split_off(HEAD + state.yields);
    for size in state.trees.iter().rev() {
        let (each, mut merged) = (all.len() / state.yields.max(1), Vec::new());
        for (n, own) in all.chunks(*size).enumerate() {
            let id = n * size / each.max(1);
            let group = groups.iter().find(|(_, ids)| ids.contains(&id)).map(|(group, _)| group.operator);
            let Some(Operator::Builtin(operator)) = group else {
                return Err(Trap::new(&traps::INVALID, "a function merges by halves"));
            };
            merged.push(halves(operator, own.to_vec())?);
        }
        all = merged;
    }
    m.state().extend(all);
    Ok(())
}

/// Values `k` and `k + n/2` of `n` merged, until one is left; nothing is neutral
fn halves(operator: Builtin, mut own: Vec<RtValue>) -> Result<RtValue, Trap> {
    while own.len() > 1 {
        let high = own.split_off(own.len() / 2);
        for (a, b) in own.iter_mut().zip(high) {
            *a = match (is_nothing(a), is_nothing(&b)) {
                (true, _) => b,
                (_, true) => a.clone(),
                _ => operator.apply(a, &b)?,
            };
        }
    }
    Ok(own.pop().unwrap_or_else(nothing))
}

/// Output and access of a yielded value
fn output_of(view: &View, id: usize) -> (usize, usize) {
    let mut left = id;
    for (n, out) in view.outputs.iter().enumerate() {
        if left < out.maps.len() {
            return (n, left);
        }
        left -= out.maps.len();
    }
    (0, 0)
}

/// Groups with the yielded values of each; an output with several accesses makes one group per access
fn groups(view: &View) -> Result<Vec<(Group, Vec<usize>)>, Trap> {
    let invalid = || Trap::new(&traps::INVALID, "operators do not fit the outputs");
    let firsts: Vec<usize> =
        (0..view.outputs.len()).map(|n| view.outputs[..n].iter().map(|out| out.maps.len()).sum()).collect();
    let mut all = Vec::new();
    for group in view.groups().ok_or_else(invalid)? {
        let accesses = view.outputs[group.first].maps.len();
        for access in 0..accesses {
            let ids = (group.first..group.first + group.len).map(|n| firsts[n] + access).collect();
            all.push((group.clone(), ids));
        }
    }
    Ok(all)
}

fn element(
    m: &Machine<'_>,
    value: terrace_ir::Value,
    map: &AffineMap,
    point: &[i64],
) -> Result<RtValue, Trap> {
    let shape = m.ir().ty(value).shape(m.cx()).unwrap_or(&[]);
    let index = map.eval(point, &[]).ok_or_else(overflow)?;
    load(&m.value(value), shape, &index)
        .ok_or_else(|| Trap::new(&traps::BOUNDS, "an index function leaves its start values"))
}

/// Identities of a group's operator
fn identities(m: &Machine<'_>, group: &Group) -> Option<Vec<RtValue>> {
    let (ir, cx) = (m.ir(), m.cx());
    match group.operator {
        Operator::Builtin(op) => {
            let elem = ir.ty(ir.result(m.op(), group.first)).scalar(cx);
            Some(vec![RtValue::of_attr(cx, crate::operator::identity(op, cx, elem)?)?])
        }
        Operator::Func(name) => {
            let unit = m.function(cx.str(name))?;
            let all = declared(cx, unit.dict(unit.root()))?.identity?;
            all.iter().map(|attr| RtValue::of_attr(cx, *attr)).collect()
        }
        Operator::Accumulated(_) => None,
    }
}

/// Has each group something to begin with: start values, or neutral elements?
fn all_begin(m: &Machine<'_>, view: &View, groups: &[(Group, Vec<usize>)]) -> bool {
    let started =
        |group: &Group| view.outputs[group.first..][..group.len].iter().all(|out| out.init.is_some());
    groups.iter().all(|(group, _)| started(group) || identities(m, group).is_some())
}

fn with_identities(m: &Machine<'_>, group: &Group, left: Vec<RtValue>) -> Vec<RtValue> {
    let all = identities(m, group).unwrap_or_default();
    left.into_iter()
        .enumerate()
        .map(|(n, value)| match is_nothing(&value) {
            true => all.get(n).cloned().unwrap_or(RtValue::Poison),
            false => value,
        })
        .collect()
}

fn store(m: &mut Machine<'_>, slots: &[usize], values: Vec<RtValue>) {
    for (slot, value) in slots.iter().zip(values) {
        m.state()[*slot] = value;
    }
}

/// left ⊕ right, nothing being neutral; or the step that calls a user's operator
fn combine(
    m: &Machine<'_>,
    group: &Group,
    left: &[RtValue],
    right: &[RtValue],
) -> Result<Result<Vec<RtValue>, Step>, Trap> {
    if left.iter().all(is_nothing) {
        return Ok(Ok(right.to_vec()));
    }
    if right.iter().all(is_nothing) {
        return Ok(Ok(left.to_vec()));
    }
    match group.operator {
        Operator::Builtin(op) => Ok(Ok(vec![op.apply(&left[0], &right[0])?])),
        Operator::Func(name) => {
            let symbol = symbol(m.cx(), name);
            Ok(Err(Step::Invoke { symbol, args: left.iter().chain(right).cloned().collect() }))
        }
        Operator::Accumulated(_) => Err(Trap::new(&traps::INVALID, "an accumulator is not written out")),
    }
}

fn symbol(cx: &Context, name: terrace_ir::Str) -> Arc<str> {
    cx.str(name).into()
}

impl Interpret for Compute {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.start(m).into()
    }

    fn resume(self, m: &mut Machine<'_>, values: Vec<RtValue>) -> Step {
        self.resumed(m, values).into()
    }
}

impl Interpret for Yield {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        Step::Yield(m.operands())
    }
}

impl Interpret for Index {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let ir = m.ir();
        let dim = self.dim(ir).as_i64(m.cx()).and_then(|dim| usize::try_from(dim).ok());
        let counter = m.outer_state().get(1).and_then(RtValue::as_i64);
        let compute = ir.parent(self.0).and_then(|parent| Compute::cast(ir, parent));
        let sizes = compute.and_then(|op| op.sizes(ir).as_dense_array(m.cx())).unwrap_or(&[]);
        match (counter, dim.filter(|dim| *dim < sizes.len())) {
            (Some(counter), Some(dim)) => {
                m.set_result(0, RtValue::index(point_at(counter, sizes)[dim]));
                Step::Next
            }
            _ => Step::Trap(Trap::new(&traps::INVALID, "no such dimension")),
        }
    }
}
