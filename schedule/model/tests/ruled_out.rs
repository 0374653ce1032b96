//! What an open schedule can no longer be, against every way to fill it.

use crate::small::product;
use terrace_schedule_model::apply::{Extras, apply};
use terrace_schedule_model::computation::Computation;
use terrace_schedule_model::open::Item;
use terrace_schedule_model::{Decision, Facts, OpenSchedule, Place, Slot};
use terrace_support::Random;

fn facts(c: &Computation, grid: bool) -> Facts {
    let uses = |dims: &[usize]| (0..3).map(|dim| dims.contains(&dim)).collect();
    Facts {
        extents: c.extents(),
        reduced: c.reduced(),
        one_place: c.reduced(),
        ins: vec![uses(&[0, 2]), uses(&[2, 1])],
        grid,
        block_threads: 64,
        warp: 32,
    }
}

fn ruled(text: &str, grid: bool) -> Option<&'static str> {
    let c = product(16, 16, 16);
    OpenSchedule::read(text).expect("well formed").ruled_out(&facts(&c, grid))
}

#[test]
fn what_says_nothing_can_be_anything() {
    assert_eq!(ruled("?: (?,?,?) (?,? ; ?) (?,?,?) ?: (1,1,1) (?,? ; ?) (?,?,?)", true), None);
}

#[test]
fn threads_of_a_block_are_counted_as_soon_as_they_are_known() {
    let text = |second: &str| {
        format!(
            "1: (^,^,^) (^,^ ; ^) (^,^,^) 2: (1,{second},^) (^,^ ; ^) (THR.y,THR.x,?) 3: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"
        )
    };
    assert_eq!(ruled(&text("4"), true), None);
    assert_eq!(ruled(&text("2"), true), Some("HW"));
    assert_eq!(ruled(&text("?"), true), None);
    // Tasks of a host are as many as one wants.
    assert_eq!(ruled(&text("2"), false), None);
}

#[test]
fn blocks_do_not_stand_inside_of_threads() {
    let text = |inner: &str| {
        format!(
            "1: (4,^,^) (^,^ ; ^) (THR.x,^,^) 2: (^,4,^) (^,^ ; ^) (^,{inner},^) ?: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"
        )
    };
    assert_eq!(ruled(&text("BLK.x"), true), Some("NEST"));
    assert_eq!(ruled(&text("?"), true), None);
    assert_eq!(ruled(&text("THR.y"), true), None);
}

#[test]
fn a_label_that_is_open_leaves_the_order_open() {
    let text = |label: &str| {
        format!(
            "{label}: (4,^,^) (^,^ ; ^) (THR.x,^,^) 2: (^,4,^) (^,^ ; ^) (^,BLK.x,^) 3: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"
        )
    };
    assert_eq!(ruled(&text("?"), true), None);
    assert_eq!(ruled(&text("1"), true), Some("NEST"));
}

#[test]
fn blocks_meet_nowhere_in_registers() {
    let text = |place: &str| {
        format!("1: (^,^,4) (^,^ ; {place}) (^,^,BLK.x) 2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)")
    };
    assert_eq!(ruled(&text("RM"), true), Some("S-REDUCE"));
    assert_eq!(ruled(&text("?"), true), None);
    assert_eq!(ruled(&text("^"), true), None);
}

#[test]
fn tasks_with_something_between_are_no_pool() {
    let text = |between: &str| {
        format!(
            "1: (4,^,^) (^,^ ; ^) (THR.x,^,^) 2: (^,^,4) (^,^ ; ^) (^,^,{between}) 3: (^,4,^) (^,^ ; ^) (^,THR.y,^) 4: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"
        )
    };
    assert_eq!(ruled(&text("FOR.1"), false), Some("NEST"));
    assert_eq!(ruled(&text("?"), false), None);
}

/// Some values that a part may have
fn choices(items: &[Item]) -> Vec<Decision> {
    let one = |item: &Item| match item {
        Item::One(decision) => decision.clone(),
        other => panic!("{other} is no value"),
    };
    items.iter().map(one).collect()
}

/// A schedule whose open parts are short lists
fn random_text(random: &mut Random) -> String {
    let mut holes = 0;
    let mut part = |random: &mut Random, words: &[&str]| {
        if holes < 4 && random.below(3) == 0 {
            holes += 1;
            format!("{{{},{}}}", words[0], words[words.len() - 1])
        } else {
            random.pick(words).to_owned()
        }
    };
    let mut text = String::new();
    for label in 1..3 {
        let mut list =
            |words: &[&str], n: usize| (0..n).map(|_| part(random, words)).collect::<Vec<_>>().join(",");
        let sizes = list(&["4", "8", "^"], 3);
        let (ins, outs) = (list(&["^", "SM", "RM"], 2), list(&["RM", "SM", "^"], 1));
        let axes = [["BLK.x", "THR.x", "FOR.1"], ["BLK.y", "THR.y", "FOR.2"], ["BLK.z", "THR.z", "FOR.3"]];
        let cores: Vec<String> = axes.iter().map(|own| list(own, 1)).collect();
        text += &format!("{label}: ({sizes}) ({ins} ; {outs}) ({})\n", cores.join(","));
    }
    text + "3: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"
}

/// A hole and what it may be
type Hole = (Place, Slot, Vec<Decision>);

#[test]
fn what_is_ruled_out_for_its_form_applies_in_no_completion() {
    let c = product(16, 16, 16);
    let facts = facts(&c, true);
    let mut random = Random::new(51);
    let mut ruled = 0;
    for round in 0..600 {
        let text = random_text(&mut random);
        let open = OpenSchedule::read(&text).expect("well formed");
        let holes: Vec<Hole> = (open.fields().iter())
            .flat_map(|(place, field)| {
                let sets = field.sets().iter();
                sets.map(|(slot, set)| (*place, *slot, choices(&set.among))).collect::<Vec<_>>()
            })
            .collect();
        // HW, NEST and S-ATOMIC are rules of the nest and the operator, which say more than applying does.
        let Some(rule @ ("S-REDUCE" | "S-REGION")) = open.ruled_out(&facts) else { continue };
        ruled += 1;
        let mut all = vec![open.clone()];
        for (place, slot, among) in &holes {
            let filled = all.iter().flat_map(|own| {
                among.iter().map(move |decision| {
                    let mut own = own.clone();
                    own.decide_at(*place, *slot, decision);
                    own
                })
            });
            all = filled.collect();
        }
        for own in all {
            let decided = own.decided().expect("all is decided");
            let applied = apply(&c, &decided, &Extras { grid: true, ..Extras::default() });
            // Threads that split a reduction into several places are refused by the nest's rules.
            let places = rule == "S-REDUCE" && own.ruled_out(&facts) == Some("S-REDUCE");
            assert!(applied.is_err() || places, "{round}: {rule}\n{text}\n{own}");
        }
    }
    assert!(ruled > 100, "{ruled}");
}

#[test]
fn filling_a_part_rules_no_less_out() {
    let c = product(16, 16, 16);
    let facts = facts(&c, true);
    let mut random = Random::new(52);
    let mut ruled = 0;
    for round in 0..1000 {
        let text = random_text(&mut random);
        let mut own = OpenSchedule::read(&text).expect("well formed");
        let mut was = own.ruled_out(&facts);
        while let Some((place, slot, among)) = own.fields().iter().find_map(|(place, field)| {
            let (slot, set) = field.sets().first()?;
            Some((*place, *slot, choices(&set.among)))
        }) {
            own.decide_at(place, slot, &among[random.below(among.len())]);
            let now = own.ruled_out(&facts);
            assert!(was.is_none() || now.is_some(), "{round}: {was:?} no more\n{text}\n{own}");
            was = now;
        }
        ruled += usize::from(was.is_some());
    }
    assert!(ruled > 100, "{ruled}");
}
