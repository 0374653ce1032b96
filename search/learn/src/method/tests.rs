//! The Q-method on recorded costs, and next to PyTorch.

use super::*;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use terrace_schedule_model::Decision;
use terrace_search_explore::technique::{PMethod, RandomDraws};
use terrace_search_explore::{Coordinate, Explorer, Next, Plan, Proposal};

/// Three loops in three parts each
pub(crate) struct Product;

const EXTENTS: [i64; 3] = [96, 40, 64];

impl Space for Product {
    fn names(&self) -> Vec<String> {
        (0..6).map(|n| format!("t{n}")).collect()
    }

    fn values(&self, before: &[Decision]) -> Vec<Decision> {
        let n = before.len();
        let above = if n.is_multiple_of(2) { EXTENTS[n / 2] } else { number(&before[n - 1]) };
        (1..=above).filter(|size| above % size == 0).map(Decision::Number).collect()
    }

    fn coordinates(&self) -> Vec<Coordinate> {
        let of = |(dim, above): (usize, i64)| Coordinate::Factors {
            params: vec![2 * dim, 2 * dim + 1],
            above,
            below: 1,
        };
        EXTENTS.into_iter().enumerate().map(of).collect()
    }
}

fn number(decision: &Decision) -> i64 {
    match decision {
        Decision::Number(number) => *number,
        _ => 0,
    }
}

/// A cost with a valley, as caches and registers make one; large inner tiles fail
pub(crate) fn feedback(point: &[Decision]) -> Feedback {
    let sizes: Vec<f64> = point.iter().map(|size| number(size) as f64).collect();
    if sizes[1] * sizes[3] * sizes[5] > 40_000.0 {
        return Feedback::Bad;
    }
    let far = |size: f64, best: f64| (size.log2() - best.log2()).powi(2);
    let outer = far(sizes[0], 24.0) + far(sizes[2], 20.0) + far(sizes[4], 32.0);
    let inner = far(sizes[1], 4.0) + far(sizes[3], 2.0) + far(sizes[5], 16.0);
    Feedback::Cost(1.0 + 0.1 * outer + 0.3 * inner)
}

/// A technique that can be looked at while an explorer has it
struct Shared<'a>(Rc<RefCell<QMethod<'a>>>);

impl Technique for Shared<'_> {
    fn propose(&mut self, turn: &mut Turn<'_>) -> Option<(Point, Origin)> {
        self.0.borrow_mut().propose(turn)
    }

    fn tell(&mut self, space: &dyn Space, trial: &Trial) {
        self.0.borrow_mut().tell(space, trial);
    }

    fn has_ties(&self) -> bool {
        self.0.borrow().has_ties()
    }
}

pub(crate) fn run(explorer: &mut Explorer<'_>, most: usize) -> Vec<Proposal> {
    let mut all = Vec::new();
    while all.len() < most {
        let Next::Measure(proposal) = explorer.next_point() else { break };
        explorer.tell(proposal.number, feedback(&proposal.point));
        all.push(proposal);
    }
    all
}

fn method<'a>(moving: Moving, learning: Learning, seed: u64) -> QMethod<'a> {
    QMethod::new(&Product, moving, learning, seed).expect("small")
}

fn search(moving: Moving, learning: Learning, seed: u64, most: usize) -> Vec<Proposal> {
    let technique = Box::new(method(moving, learning, seed));
    run(&mut Explorer::new(&Product, technique, Plan::new(seed)), most)
}

const SEED: u64 = 5;
const TRIALS: usize = 200;

/// What was proposed and what came of it, and all that another program needs to follow
fn session(all: &[Proposal]) -> Value {
    let directions = Directions::of(&Product);
    let show = |point: &Point| point.iter().map(Decision::to_string).collect::<Vec<_>>().join(" ");
    let trials: Vec<Value> = all
        .iter()
        .map(|proposal| {
            let point = &proposal.point;
            let neighbours: Vec<Value> = (0..directions.len())
                .filter_map(|n| Some(json!([n, show(&directions.neighbour(&Product, point, n)?)])))
                .collect();
            let moved = match proposal.origin {
                Origin::Moved { from, direction } => json!([from, direction]),
                _ => Value::Null,
            };
            let cost = match feedback(point) {
                Feedback::Cost(cost) => json!(cost),
                _ => Value::Null,
            };
            json!({"point": show(point), "features": directions.features(point), "moved": moved, "cost": cost,
                "neighbours": neighbours})
        })
        .collect();
    let learning = Learning::default();
    json!({"seed": SEED, "outputs": directions.len(), "alpha": learning.alpha, "every": learning.every,
        "trials": trials})
}

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/pytorch").join(name)
}

/// D19: what PyTorch computes from the same trials, step by step (`tests/pytorch/follow.py`), is what this crate computes: errors
/// and parameters of every training. The script also checks each chosen direction
#[test]
fn every_training_equals_that_of_pytorch() {
    let shared = Rc::new(RefCell::new(method(Moving::default(), Learning::default(), SEED)));
    let technique = Box::new(Shared(shared.clone()));
    let mut explorer = Explorer::new(&Product, technique, Plan::new(SEED));
    let mut all: Vec<Proposal> = Vec::new();
    let mut trainings: Vec<(Vec<f64>, [f64; 2])> = Vec::new();
    for count in 1..=TRIALS + 1 {
        all = run(&mut explorer, 1).into_iter().fold(all, |mut all, one| {
            all.push(one);
            all
        });
        let method = shared.borrow();
        if method.losses().len() > trainings.len() {
            let parameters = method.network().expect("it has one").parameters().expect("numbers");
            let sum = |of: fn(f64) -> f64| parameters.iter().flatten().map(|value| of(*value)).sum::<f64>();
            trainings.push((method.losses()[trainings.len()].clone(), [sum(|x| x), sum(|x| x * x)]));
        }
        assert_eq!(all.len(), count);
    }
    all.truncate(TRIALS);
    let session = serde_json::to_string(&session(&all)).expect("it is JSON") + "\n";
    if std::env::var_os("TERRACE_BLESS").is_some() {
        std::fs::write(golden("session.json"), &session).expect("the folder is there");
    }
    let known = std::fs::read_to_string(golden("session.json")).expect("it is in the repository");
    assert!(known == session, "the session is another one: TERRACE_BLESS=1, then follow.py");
    let wanted = std::fs::read_to_string(golden("trainings.json")).expect("it is in the repository");
    let wanted: Vec<Value> = serde_json::from_str(&wanted).expect("it is JSON");
    assert!(wanted.len() > 30 && wanted.len() == trainings.len(), "{} {}", wanted.len(), trainings.len());
    let near = |found: f64, wanted: &Value| {
        let wanted = wanted.as_f64().expect("a number");
        (found - wanted).abs() <= 1e-9 * wanted.abs().max(1e-3)
    };
    for (n, ((losses, sums), wanted)) in trainings.iter().zip(&wanted).enumerate() {
        for (pass, loss) in losses.iter().enumerate() {
            assert!(near(*loss, &wanted["losses"][pass]), "training {n}, pass {pass}: {loss}");
        }
        assert!(near(sums[0], &wanted["sum"]) && near(sums[1], &wanted["squares"]), "training {n}: {sums:?}");
    }
}

pub(crate) fn trials_to(all: &[Proposal], most: f64) -> usize {
    let good =
        |proposal: &Proposal| matches!(feedback(&proposal.point), Feedback::Cost(cost) if cost <= most);
    all.iter().position(good).unwrap_or(all.len())
}

/// Each switch changes what is proposed, and so does each number of a switch
#[test]
fn every_switch_changes_the_search() {
    let (moving, learning) = (Moving::default(), Learning::default());
    let own = search(moving, learning, 3, 60);
    let same = search(moving, learning, 3, 60);
    assert!(own == same, "one seed, one search");
    for (name, moving, learning) in [
        ("training", moving, Learning { every: 0, ..learning }),
        ("every", moving, Learning { every: 10, ..learning }),
        ("alpha", moving, Learning { alpha: 0.0, ..learning }),
        ("drawn", Moving { drawn: 20, ..moving }, learning),
        ("starts", Moving { starts: 3, ..moving }, learning),
        ("steps", Moving { steps: 4, ..moving }, learning),
        ("gamma", Moving { gamma: 8.0, ..moving }, learning),
    ] {
        assert!(search(moving, learning, 3, 60) != own, "{name}");
    }
}

/// D20: no point twice, and each move leads from a point that did not fail
#[test]
fn nothing_is_measured_twice() {
    let all = search(Moving { starts: 2, steps: 3, ..Moving::default() }, Learning::default(), 7, 200);
    let points: HashSet<&Point> = all.iter().map(|proposal| &proposal.point).collect();
    assert_eq!((points.len(), all.len()), (200, 200));
    for proposal in &all {
        if let Origin::Moved { from, .. } = proposal.origin {
            let from = &all[usize::try_from(from).expect("small") - 1];
            assert!(from.number < proposal.number && feedback(&from.point) != Feedback::Bad);
        }
    }
}

/// D22, on recorded costs: the same budget for all, trials to a third above the best
#[test]
fn learning_needs_fewer_trials_than_all_directions() {
    let needed = |make: &dyn Fn(u64) -> Box<dyn Technique>| -> usize {
        let of = |seed| {
            let mut explorer = Explorer::new(&Product, make(seed), Plan::new(seed));
            // As few as are needed.
            (0..400).take_while(|_| trials_to(&run(&mut explorer, 1), 1.35) == 1).count()
        };
        (0..4).map(of).sum()
    };
    let moving = Moving::default();
    let q = needed(&|seed| Box::new(method(moving, Learning::default(), seed)));
    let p = needed(&|_| Box::new(PMethod::new(&Product, moving)));
    let random = needed(&|_| Box::new(RandomDraws::new(&Product)));
    assert!(q * 2 < p && q * 2 < random, "Q {q}, P {p}, random {random}");
}
