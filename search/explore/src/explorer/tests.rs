//! Courses of searches: results in any order, lags, seeds, starts, priors.

use super::*;
use crate::technique::{Anneal, Exhaustive, Moving, PMethod, RandomDraws};
use terrace_support::Random;

/// Three digits
struct Digits;

impl Space for Digits {
    fn names(&self) -> Vec<String> {
        ["a", "b", "c"].map(String::from).to_vec()
    }

    fn values(&self, _: &[Decision]) -> Vec<Decision> {
        (0..10).map(Decision::Number).collect()
    }
}

fn digit(point: &[Decision], n: usize) -> f64 {
    match point[n] {
        Decision::Number(digit) => digit as f64,
        _ => f64::NAN,
    }
}

fn cost(point: &[Decision]) -> f64 {
    1.0 + (digit(point, 0) - 7.0).abs() + (digit(point, 1) - 2.0).abs() + (digit(point, 2) - 5.0).abs()
}

type Make = fn(u64) -> Box<dyn Technique>;

fn techniques() -> [(&'static str, Make); 4] {
    [
        ("exhaustive", |_| Box::new(Exhaustive::new(&Digits))),
        ("random", |_| Box::new(RandomDraws::new(&Digits))),
        ("anneal", |seed| Box::new(Anneal::new(&Digits, seed))),
        ("p-method", |_| Box::new(PMethod::new(&Digits, Moving::default()))),
    ]
}

/// What became of a point of the digits; those without one fail
fn feedback(point: &[Decision]) -> Feedback {
    match digit(point, 1) as i64 {
        9 => Feedback::Bad,
        8 if digit(point, 0) == 3.0 => Feedback::Lost,
        _ => Feedback::Cost(cost(point)),
    }
}

/// So many proposals, answered at once
fn serial(explorer: &mut Explorer<'_>, most: usize) -> Vec<Proposal> {
    let mut all = Vec::new();
    let mut open: VecDeque<Proposal> = VecDeque::new();
    while all.len() < most {
        match explorer.next_point() {
            Next::Measure(proposal) => {
                all.push(proposal.clone());
                open.push_back(proposal);
            }
            Next::Wait => {
                let proposal = open.pop_front().expect("it waits for one of these");
                assert!(explorer.tell(proposal.number, feedback(&proposal.point)));
            }
            Next::Done => break,
        }
    }
    all
}

/// The same with a number of workers that answer in any order
fn shuffled(explorer: &mut Explorer<'_>, most: usize, workers: usize, seed: u64) -> Vec<Proposal> {
    let mut rng = Random::new(seed);
    let (mut all, mut open): (Vec<Proposal>, Vec<Proposal>) = (Vec::new(), Vec::new());
    while all.len() < most {
        let next = if open.len() < workers { explorer.next_point() } else { Next::Wait };
        match next {
            Next::Measure(proposal) => {
                all.push(proposal.clone());
                open.push(proposal);
            }
            Next::Wait => {
                let proposal = open.swap_remove(rng.below(open.len()));
                assert!(explorer.tell(proposal.number, feedback(&proposal.point)));
                assert!(!explorer.tell(proposal.number, Feedback::Bad), "a reply that came before");
            }
            Next::Done => break,
        }
    }
    all
}

fn options<'a>(seed: u64, lag: u64) -> Plan<'a> {
    Plan { lag, stop: Some(1.5), ..Plan::new(seed) }
}

#[test]
fn every_technique_gives_every_point_once() {
    for (name, make) in techniques() {
        let mut explorer = Explorer::new(&Digits, make(3), Plan::new(3));
        let all = serial(&mut explorer, 2000);
        let points: HashSet<Point> = all.iter().map(|proposal| proposal.point.clone()).collect();
        assert_eq!((all.len(), points.len()), (1000, 1000), "{name}");
        let numbers: Vec<u64> = all.iter().map(|proposal| proposal.number).collect();
        assert_eq!(numbers, (1..=1000).collect::<Vec<_>>());
        assert!(!explorer.tell(1001, Feedback::Bad), "no such proposal was made");
    }
}

/// One seed, lag, space and recorded costs give one log, in whatever order results arrive
#[test]
fn results_in_any_order_give_the_same_proposals() {
    let prior = |point: &[Decision]| Some(digit(point, 0) * 3.0 % 7.0);
    for (name, make) in techniques() {
        for each in [1, 4] {
            let mut lags: Vec<Vec<Proposal>> = Vec::new();
            for lag in [1, 2, 4] {
                let options = || Plan { each, prior: Some(&prior), ..options(11, lag) };
                let wanted = serial(&mut Explorer::new(&Digits, make(11), options()), 120);
                for seed in 0..4 {
                    let mut explorer = Explorer::new(&Digits, make(11), options());
                    let workers = usize::try_from(lag).expect("small");
                    let found = shuffled(&mut explorer, 120, workers, seed);
                    assert!(found == wanted, "{name} {lag} {each}");
                }
                lags.push(wanted);
            }
            let learns = matches!(name, "anneal" | "p-method");
            let points = |lag: usize| lags[lag].iter().map(|one| one.point.clone()).collect::<Vec<_>>();
            assert_eq!(
                points(0) != points(1),
                learns,
                "{name}: a lag is another search where something is learnt"
            );
            let mut other =
                Explorer::new(&Digits, make(12), Plan { each, prior: Some(&prior), ..options(12, 1) });
            assert_eq!(serial(&mut other, 120) != lags[0], name != "exhaustive", "{name}: seeds");
        }
    }
}

#[test]
fn changes_of_good_points_need_fewer_trials_than_chance() {
    let needed = |make: Make| -> usize {
        let of = |seed| {
            let all = serial(&mut Explorer::new(&Digits, make(seed), Plan::new(seed)), 1000);
            all.iter().position(|proposal| cost(&proposal.point) == 1.0).expect("it is a point")
        };
        (0..8).map(of).sum()
    };
    let [_, (_, random), (_, anneal), (_, p_method)] = techniques();
    assert!(needed(anneal) * 2 < needed(random));
    assert!(needed(p_method) * 3 < needed(random) * 2, "{} {}", needed(p_method), needed(random));
}

#[test]
fn starts_come_first_and_once() {
    let start = |a, b, c| Point::from_iter([a, b, c].map(Decision::Number));
    for (name, make) in techniques() {
        let starts = vec![start(1, 2, 3), start(4, 5, 6), start(1, 2, 3)];
        let options = Plan { starts: starts.clone(), ..Plan::new(1) };
        let all = serial(&mut Explorer::new(&Digits, make(1), options), 2000);
        assert_eq!(all.len(), 1000, "{name}");
        assert_eq!([&all[0].point, &all[1].point], [&starts[0], &starts[1]]);
        assert!(all[..2].iter().all(|proposal| proposal.origin == Origin::Start));
        assert!(all[2..].iter().all(|proposal| !starts.contains(&proposal.point)));
    }
}

/// What a prior likes is first, and nothing is lost
#[test]
fn a_prior_orders_what_waits() {
    struct One;
    impl Space for One {
        fn names(&self) -> Vec<String> {
            vec!["n".into()]
        }
        fn values(&self, before: &[Decision]) -> Vec<Decision> {
            if before.is_empty() { (0..8).map(Decision::Number).collect() } else { Vec::new() }
        }
    }
    let prior = |point: &[Decision]| Some(digit(point, 0) % 2.0 * 100.0 + digit(point, 0));
    let options = Plan { each: 8, prior: Some(&prior), ..Plan::new(5) };
    let mut explorer = Explorer::new(&One, Box::new(RandomDraws::new(&One)), options);
    let mut order = Vec::new();
    while let Next::Measure(proposal) = explorer.next_point() {
        assert_eq!(proposal.estimate, prior(&proposal.point));
        order.push(digit(&proposal.point, 0) as i64);
        explorer.tell(proposal.number, Feedback::Bad);
    }
    assert_eq!(order, [0, 2, 4, 6, 1, 3, 5, 7]);
}

/// P-method: after the drawn points every proposal is a neighbour of a point that ran, all of its neighbours in a row
#[test]
fn the_p_method_moves_along_all_directions() {
    let (_, make) = techniques()[3];
    let all = serial(&mut Explorer::new(&Digits, make(2), Plan::new(2)), 60);
    let directions = crate::Directions::of(&Digits);
    let mut rounds: Vec<u64> = Vec::new();
    for proposal in &all[8..] {
        let Origin::Moved { from, direction } = proposal.origin else { panic!("{proposal:?}") };
        let start = &all[usize::try_from(from).expect("small") - 1].point;
        assert_eq!(directions.neighbour(&Digits, start, direction).as_ref(), Some(&proposal.point));
        assert!(matches!(feedback(start), Feedback::Cost(_)), "no point that failed is moved on from");
        if rounds.last() != Some(&from) {
            assert!(!rounds.contains(&from), "there is no going back");
            rounds.push(from);
        }
    }
}

/// When a point is stopped follows from the same results as the point
#[test]
fn a_slow_point_follows_from_what_its_proposal_has_seen() {
    for lag in [1, 4] {
        let mut explorer = Explorer::new(&Digits, Box::new(RandomDraws::new(&Digits)), options(5, lag));
        let all = serial(&mut explorer, 60);
        for proposal in &all {
            let seen = all.iter().take_while(|other| other.number + lag <= proposal.number);
            let costs = seen.filter_map(|other| match feedback(&other.point) {
                Feedback::Cost(cost) => Some(cost),
                Feedback::Bad | Feedback::Lost => None,
            });
            assert_eq!(proposal.stop, costs.reduce(f64::min).map(|best| 1.5 * best), "{}", proposal.number);
        }
        assert!(all[0].stop.is_none() && all[59].stop.is_some());
    }
    let mut explorer = Explorer::new(&Digits, Box::new(RandomDraws::new(&Digits)), Plan::new(5));
    assert!(serial(&mut explorer, 9).iter().all(|proposal| proposal.stop.is_none()));
}
