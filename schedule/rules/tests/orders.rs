//! RACE and VEC against brute force over all iterations.

use crate::small::{Build, int, sum, times, var};
use terrace_devices::{Level, Space};
use terrace_schedule_model::nest::{APART, Access, Index, LoopId, Nest, Use};
use terrace_schedule_model::nest_arena::Id;
use terrace_schedule_rules::{Cx, RULES, Truth, truth_of};
use terrace_support::Random;
use terrace_support::affine::AffineExpr;

/// All values of the variables of loops one inside of the other
fn points(nest: &Nest) -> Vec<Vec<i64>> {
    nest.loops.iter().fold(vec![Vec::new()], |all, own| {
        let (end, tile) = (own.extent.known().expect("decided"), own.tile.known().expect("decided"));
        let steps: Vec<i64> = (0..end).step_by(tile as usize).collect();
        all.iter().flat_map(|at| steps.iter().map(move |i| [at.as_slice(), &[*i]].concat())).collect()
    })
}

/// Where an access is made at a point
fn place(access: &Access, at: &[i64]) -> Vec<i64> {
    let of = |index: &Index| at[index.as_loop().expect("a loop").index()];
    let dims: Vec<i64> = access.over.iter().map(of).collect();
    access.map.eval(&dims, &[]).expect("small")
}

/// Do two iterations of a loop, in one round of those around, make conflicting accesses?
fn meet(nest: &Nest, id: LoopId) -> bool {
    let all = points(nest);
    let accesses: Vec<&Access> = nest.accesses.iter().collect();
    let n = id.index();
    all.iter().any(|a| {
        all.iter().filter(|b| a[..n] == b[..n] && a[n] != b[n]).any(|b| {
            accesses.iter().any(|one| {
                accesses.iter().any(|other| {
                    let writes = !one.reads() || !other.reads();
                    writes && one.buffer == other.buffer && place(one, a) == place(other, b)
                })
            })
        })
    })
}

/// An index with quotients and remainders now and then
fn index(random: &mut Random, ids: &[LoopId]) -> AffineExpr {
    let mut all = vec![int(random.below(3i64))];
    for id in ids {
        let own = match random.below(6) {
            0 | 1 => continue,
            2 => AffineExpr::floor_div(var(*id), int(2)),
            3 => AffineExpr::modulo(var(*id), int(2 + random.below(3i64))),
            _ => var(*id),
        };
        all.push(times(1 + random.below(4i64), own));
    }
    sum(&all)
}

/// One or two loops of tasks or in order, and accesses to one or two arrays
fn random_nest(random: &mut Random, inner: &[Level]) -> (Nest, Vec<LoopId>) {
    let mut b = Build::host();
    let buffers = [b.memory(Space::Main, &[99, 99]), b.memory(Space::Main, &[99, 99])];
    let mut ids = vec![b.each(2 + random.below(3i64), Level::Task)];
    if random.coin() {
        ids.push(b.each(1 + random.below(4i64), random.pick(inner)));
    }
    for _ in 0..1 + random.below(3) {
        let at = [index(random, &ids), index(random, &ids)];
        let buffer = random.pick(&buffers);
        if random.coin() {
            b.read(buffer, &at)
        } else {
            b.write(buffer, &at)
        };
    }
    (b.done(), ids)
}

fn rule_of(nest: &Nest, name: &str) -> Truth {
    let rule = RULES.iter().find(|rule| rule.name == name).expect("a rule");
    truth_of(&Cx::new(nest), rule)
}

#[test]
fn iterations_that_are_accepted_never_meet() {
    let mut random = Random::new(21);
    let (mut accepted, mut apart) = (0, 0);
    for round in 0..1500 {
        let (nest, ids) = random_nest(&mut random, &[Level::Task]);
        let free = !ids.iter().any(|id| meet(&nest, *id));
        apart += usize::from(free);
        if rule_of(&nest, "RACE") == Truth::True {
            accepted += 1;
            assert!(free, "{round}\n{nest:#?}");
        }
    }
    assert!(accepted > 200, "{accepted}");
    // What is not shown is refused; that is seldom.
    assert!(accepted * 10 >= apart * 9, "{accepted} of {apart}");
}

#[test]
fn loops_in_order_are_refused_only_where_they_meet() {
    let mut random = Random::new(22);
    let mut refused = 0;
    for round in 0..1500 {
        let (mut nest, ids) = random_nest(&mut random, &[Level::Seq]);
        nest.loops[ids[0]].level = terrace_schedule_model::nest::Open::Is(Level::Seq);
        if rule_of(&nest, "RACE") == Truth::False {
            refused += 1;
            assert!(ids.iter().any(|id| meet(&nest, *id)), "{round}\n{nest:#?}");
        }
    }
    assert!(refused > 200, "{refused}");
}

/// Are lanes at one element, or at neighbours in memory, in each round of the loops around? Those of reads may be a few apart.
fn has_lanes(nest: &Nest, id: LoopId) -> bool {
    let all = points(nest);
    let n = id.index();
    nest.accesses.iter().all(|access| {
        let shape = &nest.buffer_of(access).shape;
        let offset =
            |at: &[i64]| place(access, at).iter().zip(shape).fold(0, |all, (i, size)| all * size + i);
        let steps: Vec<i64> = all
            .iter()
            .filter_map(|a| {
                let mut next = a.clone();
                next[n] += 1;
                all.contains(&next).then(|| offset(&next) - offset(a))
            })
            .collect();
        let most = if access.does == Use::Read { APART } else { 1 };
        (0..=most).any(|apart| steps.iter().all(|step| *step == apart))
    })
}

#[test]
fn vectors_that_are_accepted_have_lanes() {
    let mut random = Random::new(23);
    let (mut accepted, mut right) = (0, 0);
    for round in 0..1500 {
        let (nest, ids) = random_nest(&mut random, &[Level::Vector]);
        let Some(lanes) = ids.get(1) else { continue };
        let own = has_lanes(&nest, *lanes);
        right += usize::from(own);
        if rule_of(&nest, "VEC") == Truth::True {
            accepted += 1;
            assert!(own, "{round}\n{nest:#?}");
        }
    }
    assert!(accepted > 100, "{accepted}");
    assert!(accepted * 10 >= right * 8, "{accepted} of {right}");
}
