//! Evolution on recorded costs.

use super::*;
use crate::method::tests::{Product, feedback, run, trials_to};
use terrace_search_explore::technique::RandomDraws;
use terrace_search_explore::{Explorer, Next, Plan, Proposal};

fn search(evolving: Evolving, seed: u64, most: usize) -> Vec<Proposal> {
    let technique = Box::new(Evolve::new(&Product, evolving, seed));
    run(&mut Explorer::new(&Product, technique, Plan::new(seed)), most)
}

/// One seed is one log; the forest and every number of the technique change it
#[test]
fn every_switch_changes_the_search() {
    let evolving = Evolving::default();
    let own = search(evolving, 3, 60);
    assert!(own == search(evolving, 3, 60), "one seed, one search");
    assert!(own != search(evolving, 4, 60));
    for (name, other) in [
        ("forest", Evolving { every: 0, ..evolving }),
        ("every", Evolving { every: 10, ..evolving }),
        ("drawn", Evolving { drawn: 20, ..evolving }),
        ("children", Evolving { children: 4, ..evolving }),
        ("tournament", Evolving { tournament: 1, ..evolving }),
        ("mutation", Evolving { mutation: 0.0, ..evolving }),
        ("random", Evolving { random: 0.0, ..evolving }),
    ] {
        assert!(search(other, 3, 60) != own, "{name}");
    }
}

/// No point twice, and parents are points that ran
#[test]
fn nothing_is_measured_twice() {
    let all = search(Evolving::default(), 7, 150);
    let points: HashSet<&Point> = all.iter().map(|proposal| &proposal.point).collect();
    assert_eq!((points.len(), all.len()), (150, 150));
    let mut children = 0;
    for proposal in &all {
        if let Origin::Changed(from) = proposal.origin {
            children += 1;
            let from = &all[usize::try_from(from).expect("small") - 1];
            assert!(from.number < proposal.number && feedback(&from.point) != Feedback::Bad);
        }
    }
    assert!(children > 100, "{children}");
}

/// On recorded costs: trials to a third above the best, with the forest, without it, and by chance
#[test]
fn the_forest_pays() {
    let needed = |make: &dyn Fn(u64) -> Box<dyn Technique>| -> usize {
        let of = |seed| {
            let mut explorer = Explorer::new(&Product, make(seed), Plan::new(seed));
            (0..400).take_while(|_| trials_to(&run(&mut explorer, 1), 1.35) == 1).count()
        };
        (0..4).map(of).sum()
    };
    let evolving = Evolving::default();
    let learnt = needed(&|seed| Box::new(Evolve::new(&Product, evolving, seed)));
    let blind = needed(&|seed| Box::new(Evolve::new(&Product, Evolving { every: 0, ..evolving }, seed)));
    let random = needed(&|_| Box::new(RandomDraws::new(&Product)));
    println!("with the forest {learnt}, without {blind}, random {random}");
    assert!(
        learnt < blind && learnt * 2 < random,
        "with the forest {learnt}, without {blind}, random {random}"
    );
}

/// Spaces of one point, and of none that runs
#[test]
fn small_and_bad_spaces() {
    struct One;
    impl Space for One {
        fn names(&self) -> Vec<String> {
            vec!["a".into()]
        }
        fn values(&self, before: &[Decision]) -> Vec<Decision> {
            if before.is_empty() { vec![Decision::Number(1)] } else { Vec::new() }
        }
    }
    let technique = Box::new(Evolve::new(&One, Evolving::default(), 1));
    let mut explorer = Explorer::new(&One, technique, Plan::new(1));
    let Next::Measure(proposal) = explorer.next_point() else { panic!("there is one") };
    explorer.tell(proposal.number, Feedback::Cost(1.0));
    assert_eq!(explorer.next_point(), Next::Done);
    let technique = Box::new(Evolve::new(&Product, Evolving::default(), 1));
    let mut explorer = Explorer::new(&Product, technique, Plan::new(1));
    for _ in 0..40 {
        let Next::Measure(proposal) = explorer.next_point() else { panic!("there are more") };
        explorer.tell(proposal.number, Feedback::Bad);
    }
}
