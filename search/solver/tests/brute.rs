//! Counting, drawing and listing against brute force, on random trees with random constraints of every class, and against a
//! SAT solver on three fixed ones.

use batsat::{BasicSolver, Lit, SolverInterface, lbool};
use num_bigint::BigUint;
use std::collections::BTreeSet;
use terrace_search_solver::{Cmp, Formula, Model, Random, Space, Sums, Term, Var};

fn brute(model: &Model) -> Vec<Vec<i64>> {
    let mut out = Vec::new();
    let mut place = vec![0usize; model.vars.len()];
    loop {
        let values: Vec<i64> = place.iter().zip(&model.vars).map(|(n, var)| var.values[*n]).collect();
        if model.holds(&values) {
            out.push(values);
        }
        let Some(n) = (0..place.len()).rev().find(|n| place[*n] + 1 < model.vars[*n].values.len()) else {
            return out;
        };
        place[n] += 1;
        place[n + 1..].fill(0);
    }
}

/// Codes as in LIFT: sequential, two axes each of two levels
const CODES: [i64; 6] = [0, 1, 10, 11, 20, 21];

fn random_model(random: &mut Random) -> Model {
    let mut model = Model::default();
    let n = 2 + random.below(4);
    let mut vars: Vec<Var> = Vec::new();
    for k in 0..n {
        // Pre-order: below the last one or one around it; rarely a new root.
        let parent = (k > 0 && random.below(8) > 0).then(|| {
            let around: Vec<Var> = model.around(vars.last().copied()).collect();
            around[random.below(around.len() as u64) as usize]
        });
        vars.push(model.var(&format!("m{k}"), CODES, parent));
    }
    let pick = |random: &mut Random| CODES[random.below(6) as usize];
    let some = |random: &mut Random| vars[random.below(n) as usize];
    let chains = model.chains();
    for _ in 0..random.below(6) {
        let v = some(random);
        let formula = match random.below(7) {
            0 => Formula::cmp(Cmp::Lt, Term::from(v).div(10), 1 + random.below(2) as i64),
            1 => Formula::is_in(v, [pick(random), pick(random), pick(random), pick(random)]),
            2 | 3 => {
                let outer: Vec<Var> = model.outside(v).collect();
                if outer.is_empty() {
                    continue;
                }
                let o = outer[random.below(outer.len() as u64) as usize];
                Formula::or([Formula::cmp(Cmp::Lt, Term::from(o).div(10), 1), Formula::cmp(Cmp::Ne, o, v)])
            }
            4 => {
                let chain = chains[random.below(chains.len() as u64) as usize].clone();
                let (a, b) = (pick(random), pick(random));
                Formula::any(chain.clone(), [a]).implies(Formula::any(chain, [b]))
            }
            5 => {
                let code = pick(random);
                let next = chains.iter().cycle().skip(1);
                Formula::and(
                    chains.iter().zip(next).map(|(a, b)| {
                        Formula::any(a.clone(), [code]).implies(Formula::any(b.clone(), [code]))
                    }),
                )
            }
            _ => {
                let chain = chains[random.below(chains.len() as u64) as usize].clone();
                let last = chain[chain.len() - 1];
                let code = pick(random);
                let inner = Formula::and([
                    Formula::cmp(Cmp::Lt, Term::from(last).div(10), 2),
                    Formula::any(chain[..chain.len() - 1].to_vec(), [code]),
                ]);
                Formula::or([inner, Formula::any(chain, [code, 21]).not()])
            }
        };
        model.require(formula);
    }
    model
}

#[test]
fn spaces_are_what_brute_force_finds() {
    let mut random = Random::new(2022);
    let (mut empty, mut classes) = (0, [0usize; 5]);
    for round in 0..400 {
        let model = random_model(&mut random);
        let expected = brute(&model);
        let space = Space::new(&model).expect("no joint constraints");
        assert_eq!(*space.count(), BigUint::from(expected.len()), "round {round}: {model:?}");
        let listed: Vec<Vec<i64>> = space.solutions().collect();
        let set: BTreeSet<&Vec<i64>> = listed.iter().collect();
        assert_eq!(set, expected.iter().collect::<BTreeSet<_>>(), "round {round}");
        assert_eq!(listed.len(), expected.len(), "round {round}");
        empty += usize::from(expected.is_empty());
        for (n, solution) in listed.iter().enumerate().step_by(1 + listed.len() / 7) {
            assert_eq!(space.nth(&BigUint::from(n)).as_ref(), Some(solution), "round {round}");
            assert_eq!(space.rank(solution), Some(BigUint::from(n)), "round {round}");
        }
        assert_eq!(space.nth(&BigUint::from(listed.len())), None);
        let parts = terrace_search_solver::classify::Parts::of(&model).expect("few values");
        for (sum, count) in classes.iter_mut().zip(parts.counts) {
            *sum += count;
        }
    }
    assert!(empty < 150, "{empty}");
    assert!(classes[..4].iter().all(|count| *count > 50), "{classes:?}");
}

/// How many values are not 0, and the sum of the tens of those at level 1 is at most a number: across branches
struct Tens {
    most: i64,
}

impl Sums for Tens {
    type Sum = (i64, i64);

    fn none(&self) -> (i64, i64) {
        (0, 0)
    }

    fn of(&self, _: usize, value: i64, below: &(i64, i64), _: u64) -> Option<(i64, i64)> {
        self.both(&(value / 10, value % 10), below)
    }

    fn both(&self, a: &(i64, i64), b: &(i64, i64)) -> Option<(i64, i64)> {
        // A sum, and a greatest number.
        let sum = (a.0 + b.0, a.1.max(b.1));
        (sum.0 + 2 * sum.1 <= self.most).then_some(sum)
    }
}

#[test]
fn branches_add_up_as_brute_force_says() {
    let mut random = Random::new(77);
    let mut cut = 0;
    for round in 0..150 {
        let model = random_model(&mut random);
        let sums = Tens { most: 1 + random.below(6) as i64 };
        let fits = |values: &Vec<i64>| {
            let sum: i64 = values.iter().map(|value| value / 10).sum();
            sum + 2 * values.iter().map(|value| value % 10).max().unwrap_or(0) <= sums.most
        };
        let expected: BTreeSet<Vec<i64>> = brute(&model).into_iter().filter(fits).collect();
        let all = Space::new(&model).expect("no joint constraints");
        let space = all.adding_up(&sums).expect("few sums");
        assert_eq!(*space.count(), BigUint::from(expected.len()), "round {round}");
        cut += usize::from(space.count() < all.count() && !expected.is_empty());
        let listed: Vec<Vec<i64>> = space.solutions().collect();
        assert_eq!(listed.len(), expected.len(), "round {round}");
        assert_eq!(listed.iter().cloned().collect::<BTreeSet<_>>(), expected, "round {round}");
        for (n, solution) in listed.iter().enumerate().step_by(1 + listed.len() / 7) {
            assert_eq!(space.nth(&BigUint::from(n)).as_ref(), Some(solution), "round {round}");
            assert_eq!(space.rank(solution), Some(BigUint::from(n)), "round {round}");
            for length in 0..solution.len() {
                let begin = &solution[..length];
                let next: BTreeSet<i64> = expected
                    .iter()
                    .filter(|other| other.starts_with(begin))
                    .map(|other| other[length])
                    .collect();
                assert_eq!(space.after(begin), next.into_iter().collect::<Vec<_>>(), "round {round}");
            }
        }
    }
    assert!(cut > 30, "{cut}");
}

#[test]
fn what_may_follow_is_what_solutions_have() {
    let mut random = Random::new(11);
    for round in 0..100 {
        let model = random_model(&mut random);
        let expected = brute(&model);
        let space = Space::new(&model).expect("no joint constraints");
        for depth in 0..model.vars.len() {
            // Of a solution if there is one, and of anything.
            let any: Vec<i64> = (0..depth).map(|_| CODES[random.below(6) as usize]).collect();
            let some = expected.get(random.below(expected.len() as u64) as usize);
            for begin in some.map(|solution| solution[..depth].to_vec()).into_iter().chain([any]) {
                let own = expected.iter().filter(|solution| solution[..depth] == begin);
                let follow: BTreeSet<i64> = own.map(|solution| solution[depth]).collect();
                assert_eq!(space.after(&begin), follow.into_iter().collect::<Vec<_>>(), "round {round}");
            }
        }
    }
}

#[test]
fn the_nearest_solution_is_the_nearest() {
    let mut random = Random::new(8);
    for round in 0..150 {
        let model = random_model(&mut random);
        let expected = brute(&model);
        let space = Space::new(&model).expect("no joint constraints");
        let wish: Vec<i64> = model.vars.iter().map(|_| CODES[random.below(6) as usize]).collect();
        let distance = |values: &Vec<i64>| values.iter().zip(&wish).filter(|(a, b)| a != b).count();
        let least = expected.iter().map(distance).min();
        let found = space.nearest(&wish);
        assert_eq!(found.as_ref().map(|(_, cost)| *cost), least, "round {round}");
        if let Some((values, cost)) = found {
            assert!(model.holds(&values), "round {round}");
            assert_eq!(distance(&values), cost, "round {round}");
        }
    }
}

#[test]
fn samples_are_uniform() {
    let mut random = Random::new(3);
    let model = loop {
        let model = random_model(&mut random);
        if (10..60).contains(&brute(&model).len()) {
            break model;
        }
    };
    let space = Space::new(&model).expect("no joint constraints");
    let n = brute(&model).len();
    let mut seen = vec![0f64; n];
    let draws = 400 * n;
    for _ in 0..draws {
        let rank = space.rank(&space.sample(&mut random).expect("not empty")).expect("a solution");
        seen[rank.iter_u32_digits().next().unwrap_or(0) as usize] += 1.0;
    }
    // Chi-square with n − 1 degrees: mean n − 1, deviation √(2n − 2); five deviations.
    let chi: f64 = seen.iter().map(|count| (count - 400.0).powi(2) / 400.0).sum();
    let free = n as f64 - 1.0;
    assert!((chi - free).abs() < 5.0 * (2.0 * free).sqrt(), "{chi} of {free}");
}

/// Solutions by a SAT solver: a literal for each value, a clause for each forbidden combination
fn by_sat(model: &Model) -> usize {
    let mut solver = BasicSolver::default();
    let lits: Vec<Vec<Lit>> = model
        .vars
        .iter()
        .map(|var| var.values.iter().map(|_| Lit::new(solver.new_var_default(), true)).collect())
        .collect();
    let mut ok = true;
    for row in &lits {
        ok &= solver.add_clause_reuse(&mut row.clone());
        for (n, a) in row.iter().enumerate() {
            for b in &row[n + 1..] {
                ok &= solver.add_clause_reuse(&mut vec![!*a, !*b]);
            }
        }
    }
    for each in &model.constraints {
        let scope = each.formula.scope();
        let mut place = vec![0usize; scope.len()];
        'all: loop {
            let at = |var: Var| {
                let n = scope.iter().position(|other| *other == var)?;
                Some(model.vars[var.index()].values[place[n]])
            };
            if each.formula.eval(&at) != Some(true) {
                let mut clause: Vec<Lit> =
                    scope.iter().zip(&place).map(|(var, n)| !lits[var.index()][*n]).collect();
                ok &= solver.add_clause_reuse(&mut clause);
            }
            let mut n = place.len();
            loop {
                if n == 0 {
                    break 'all;
                }
                n -= 1;
                place[n] += 1;
                if place[n] < model.vars[scope[n].index()].values.len() {
                    break;
                }
                place[n] = 0;
            }
        }
    }
    let mut count = 0;
    while ok && solver.solve_limited(&[]) == lbool::TRUE {
        count += 1;
        let mut block: Vec<Lit> = Vec::new();
        for row in &lits {
            block.extend(row.iter().filter(|lit| solver.value_lit(**lit) == lbool::TRUE).map(|lit| !*lit));
        }
        ok = solver.add_clause_reuse(&mut block);
    }
    count
}

#[test]
fn a_sat_solver_counts_the_same() {
    for seed in [11, 23, 31] {
        let mut random = Random::new(seed);
        let model = loop {
            let model = random_model(&mut random);
            if model.constraints.len() >= 3 && (20..400).contains(&brute(&model).len()) {
                break model;
            }
        };
        let space = Space::new(&model).expect("no joint constraints");
        assert_eq!(*space.count(), BigUint::from(by_sat(&model)), "seed {seed}");
    }
}

#[test]
fn two_hundred_loops_are_counted_exactly() {
    // 40 nests of depth 5 under one loop: no value twice on a path but the first.
    let mut model = Model::default();
    let root = model.var("r", 0..6, None);
    for nest in 0..40 {
        let mut parent = root;
        for depth in 0..5 {
            parent = model.var(&format!("n{nest}_{depth}"), 0..6, Some(parent));
            let outer: Vec<Var> = model.outside(parent).collect();
            for o in outer {
                model.require(Formula::or([Formula::is_in(o, [0]), Formula::cmp(Cmp::Ne, o, parent)]));
            }
        }
    }
    let space = Space::new(&model).expect("no joint constraints");
    // Paths of 5 below a root that is 0, or one of five others.
    fn paths(depth: u32, free: u32) -> u64 {
        if depth == 0 {
            1
        } else {
            paths(depth - 1, free) + u64::from(free) * if free == 0 { 0 } else { paths(depth - 1, free - 1) }
        }
    }
    let expected = BigUint::from(paths(5, 5)).pow(40) + BigUint::from(paths(5, 4)).pow(40) * 5u32;
    assert_eq!(*space.count(), expected);
    let drawn = space.sample(&mut Random::new(1)).expect("not empty");
    assert!(model.holds(&drawn));
    assert_eq!(space.nth(&space.rank(&drawn).expect("a solution")), Some(drawn));
}
