//! Instructions of the loops that run.

use crate::estimate::{Name, Term};
use crate::unrolled::{Compute, LoopsAround, Root, Unrolled};
use crate::{issue, latency, loops, matrix, registers, threads};
use std::collections::{BTreeMap, BTreeSet};
use terrace_devices::Device;
use terrace_schedule_model::nest::LoopId;

/// What a body does in one iteration of the loops that run around it
#[derive(Clone, Copy, Default, Debug)]
struct Iteration {
    computes: f64,
    loads: f64,
    stores: f64,
    /// Sums in registers
    sums: f64,
    /// Vectors that are loaded before they are used; a number for all lanes is a part of the instruction that uses it
    vectors: f64,
    /// Sums that depend on each other only from iteration to iteration: side by side
    chains: f64,
    /// Loads and stores of copies, which are loops of their own
    copied: [f64; 2],
}

/// Terms of all bodies, each in the share of the thread that has most to do; cycles in all
pub(crate) fn terms(nest: &Unrolled<'_>, device: &Device, terms: &mut Vec<Term>) -> f64 {
    let each = |((_, run), body): (&(Root, &[LoopId]), &Iteration)| {
        if let Some((around, cycles)) = matrix::product(nest, run, device) {
            let all = cycles * nest.trips(around) * threads::share(nest, around, device);
            terms.push(Term::new(Name::MatrixUnits, all, around.last().copied()));
            return all;
        }
        let parts = body.cycles(device);
        let (trips, share) = (nest.trips(run), threads::share(nest, run, device));
        let term = |(name, cycles): (Name, f64)| Term::new(name, cycles * trips * share, run.last().copied());
        terms.extend(parts.terms.map(term));
        parts.total * trips * share
    };
    iterations(nest).iter().map(each).sum()
}

/// What one iteration of each run of loops does
fn iterations<'a>(nest: &'a Unrolled<'_>) -> BTreeMap<(Root, &'a [LoopId]), Iteration> {
    let mut bodies: BTreeMap<(Root, &[LoopId]), Iteration> = BTreeMap::new();
    let place = |each: &'a Compute| (nest.root(&each.place, 0), &each.place.run[..]);
    for each in &nest.computes {
        let body = bodies.entry(place(each)).or_default();
        body.computes += each.cost;
    }
    let mut loaded = BTreeSet::new();
    for each in &nest.moves {
        let at = (nest.root(&each.place, nest.node(each).place), &each.place.run[..]);
        // What pieces of a tile load alike is loaded once.
        let first = nest.first_place(each).is_none_or(|first| {
            each.stores || each.register || each.copy || loaded.insert((at, first, each.count.to_bits()))
        });
        if !first {
            continue;
        }
        let body = bodies.entry(at).or_default();
        if each.register {
            let again = each.place.run.last().is_some_and(|id| !nest.follows(each, *id));
            if each.merges {
                body.sums += each.count;
                body.chains += if again { each.count } else { 0.0 };
            }
            continue;
        }
        if each.copy {
            body.copied[usize::from(each.stores)] += each.count;
            continue;
        }
        if each.stores {
            body.stores += each.count;
        } else if each.lanes {
            body.vectors += each.count;
        }
        if !each.stores || each.merges {
            body.loads += each.count;
        }
    }
    // Sums that loops yield
    for each in nest.computes.iter().filter(|each| yields(nest, &each.place)) {
        let Some(body) = bodies.get_mut(&place(each)).filter(|body| body.sums == 0.0) else {
            continue;
        };
        let copies = each.place.flat.iter().filter(|id| !nest.is_lanes(**id));
        body.chains += each.chains * copies.map(|id| nest.trip(*id)).product::<f64>();
    }
    bodies
}

fn yields(nest: &Unrolled<'_>, place: &LoopsAround) -> bool {
    place.run.last().is_some_and(|id| nest.reduces(*id)) || place.flat.iter().any(|id| nest.reduces(*id))
}

/// Cycles of one iteration
struct Cycles {
    terms: [(Name, f64); 6],
    total: f64,
}

impl Iteration {
    fn cycles(&self, device: &Device) -> Cycles {
        let of = &device.costs.instructions;
        let loads = self.loads + registers::loads(self.sums, self.vectors, device);
        let fitting = issue::cycles(of, self.computes, self.loads, self.stores);
        let issued = issue::cycles(of, self.computes, loads, self.stores);
        let busy = issued.max(latency::cycles(of, self.computes, self.chains));
        let body = busy + of.iteration;
        let length = loops::length(of, self.computes + loads + self.stores);
        let copied = issue::cycles(of, 0.0, self.copied[0], self.copied[1]);
        Cycles {
            terms: [
                (Name::Issue, fitting),
                (Name::Spills, issued - fitting),
                (Name::Latency, busy - issued),
                (Name::Loops, of.iteration),
                (Name::Length, body * (length - 1.0)),
                (Name::Copies, copied),
            ],
            total: body * length + copied,
        }
    }
}
