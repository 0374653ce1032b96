//! One call in several orders of parallel members, and the comparison of like orders with like.
//!
//! A program with parallel parts may give something else in each order (a sum of floats through atomic updates does). No
//! pass is to blame for that, so an order before a pass is compared with the same order after it. Where the original itself
//! depends on the order nothing is compared, since a pass may number the members in another way.

use crate::call::Call;
use crate::compare::{ORDER, Refinement, compare};
use crate::observe::{Observation, observe_expanded};
use terrace_interp::{Options, Order, RtValue, codes};
use terrace_ir::Ir;

/// Orders other than that of the numbers
const OTHERS: [Order; 8] = [
    Order::Reverse,
    Order::Seed(1),
    Order::Seed(2),
    Order::Seed(3),
    Order::Seed(4),
    Order::Seed(5),
    Order::Seed(6),
    Order::Seed(7),
];

/// How much deeper calls may nest after a pass
const DEEPER: usize = 16;

/// Limits of a comparison
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Limits of each call of the original
    pub options: Options,
    /// Other orders that calls with parallel parts are made in, 8 at most
    pub orders: usize,
    /// A call may take so many times the steps of the original, or as many as `options` say
    pub slower: u64,
    /// And so many more
    pub more: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { options: Options::default(), orders: 3, slower: 4, more: 100_000 }
    }
}

impl Limits {
    fn others(&self) -> &'static [Order] {
        &OTHERS[..self.orders.min(OTHERS.len())]
    }

    /// Limits of a call that took so many steps in the original
    fn after(&self, steps: u64) -> Options {
        let fuel = steps.saturating_mul(self.slower).saturating_add(self.more).max(self.options.fuel);
        Options { fuel, ..self.options }
    }
}

/// One call in several orders of parallel members
#[derive(Clone, Debug)]
pub struct Observations {
    first: Observation,
    /// In other orders; none if nothing is parallel
    others: Vec<Observation>,
}

impl Observations {
    /// Make a call in all orders
    pub fn of(ir: &Ir, call: &Call, limits: &Limits) -> Observations {
        let expanded = terrace_ir::expand::expanded(ir);
        let ir = expanded.as_deref().unwrap_or(ir);
        Observations::with(observe_expanded(ir, call, limits.options), ir, call, limits)
    }

    /// Make a call in all orders but the first one, whose observation is known
    pub fn with(first: Observation, ir: &Ir, call: &Call, limits: &Limits) -> Observations {
        let mut others = Vec::new();
        if first.parallel && first.end.is_ok() {
            let options = limits.after(first.steps);
            let one = |order: &Order| observe_expanded(ir, call, Options { order: *order, ..options });
            others.extend(limits.others().iter().map(one));
        }
        Observations { first, others }
    }

    /// In order of the members' numbers
    pub fn first(&self) -> &Observation {
        &self.first
    }

    /// In the n-th order; all are the same where nothing is parallel
    fn nth(&self, n: usize) -> &Observation {
        n.checked_sub(1).and_then(|n| self.others.get(n)).unwrap_or(&self.first)
    }

    /// How an order differs from the first one, if one does
    pub fn order_dependent(&self) -> Option<String> {
        self.others.iter().find_map(|other| match compare(&self.first, other) {
            Refinement::Broken(how) => Some(how),
            // The first order may have given poison where this one does not.
            Refinement::Same => match compare(other, &self.first) {
                Refinement::Broken(how) => Some(how),
                _ => None,
            },
            Refinement::Undefined(_) => None,
        })
    }
}

/// What a comparison found
pub struct Checked {
    /// How the two compare
    pub verdict: Refinement,
    /// The call in the later program; none where what the earlier one does decides nothing
    pub after: Option<Observations>,
    /// Number of the order that decided
    order: usize,
}

impl Checked {
    /// The two observations that decided: of the earlier program and of the later one
    pub fn pair(&self, before: &Observations) -> Option<(Observation, Observation)> {
        Some((before.nth(self.order).clone(), self.after.as_ref()?.nth(self.order).clone()))
    }
}

/// Make a call in a later program, and compare it with the same call of the earlier one, each order with the same order
pub fn check_with(before: &Observations, after: &Ir, call: &Call, limits: &Limits) -> Checked {
    let decided = |verdict| Checked { verdict, after: None, order: 0 };
    if before.first.end.is_err() {
        return decided(compare(&before.first, &before.first));
    }
    if before.order_dependent().is_some() {
        return decided(Refinement::Undefined(ORDER));
    }
    let expanded = terrace_ir::expand::expanded(after);
    let ir = expanded.as_deref().unwrap_or(after);
    let options = limits.after(before.first.steps);
    let mut after = Observations { first: patient(ir, call, options), others: Vec::new() };
    let mut verdict = compare(&before.first, &after.first);
    let others = if after.first.parallel { limits.others() } else { &[] };
    for (n, order) in others.iter().enumerate() {
        if verdict != Refinement::Same {
            break;
        }
        after.others.push(patient(ir, call, Options { order: *order, ..options }));
        verdict = compare(before.nth(n + 1), after.nth(n + 1));
    }
    let order = after.others.len();
    Checked { verdict, after: Some(after), order }
}

/// Call `name` in both with the same arguments, which hold no memory
pub fn refines(before: &Ir, after: &Ir, name: &str, args: &[RtValue]) -> Refinement {
    check(before, after, &Call::of(name, args), Options::default())
}

/// Make the same call in both, see [`check_with`]
pub fn check(before: &Ir, after: &Ir, call: &Call, options: Options) -> Refinement {
    let limits = Limits { options, ..Limits::default() };
    check_with(&Observations::of(before, call, &limits), after, call, &limits).verdict
}

/// Make a call of the later program; one whose calls nest too deep gets more room once
fn patient(ir: &Ir, call: &Call, options: Options) -> Observation {
    let found = observe_expanded(ir, call, options);
    let limited = |one: &Observation| one.end.as_ref().is_err_and(|trap| trap.code.id == codes::LIMIT.id);
    if !limited(&found) {
        return found;
    }
    let depth = options.depth.saturating_mul(DEEPER);
    let deeper = observe_expanded(ir, call, Options { depth, ..options });
    // Where memory is the limit, more room for calls makes no difference.
    Observation { too_deep: limited(&deeper) && deeper.steps != found.steps, ..deeper }
}
