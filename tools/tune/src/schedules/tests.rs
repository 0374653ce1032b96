//! Spaces of schedules against the compiler: what is ruled out early, what is left for whole schedules.

use super::*;
use std::collections::BTreeMap;
use terrace_search_explore::{Walk, sample};
use terrace_support::Random;

const TARGETS: [&str; 3] = ["cuda", "opencl", "host"];

const TOOL: Tool = Tool {
    name: "terrace-tune",
    dialects: terrace_opt::all_dialects,
    registry: terrace_opt::REGISTRY,
    ..terrace_opt::Tool::OPT
};

const PROGRAMS: [(&str, &str); 3] = [
    (
        "mm.mlir",
        "func.func @mm(%A: tensor<8x6xf32>, %B: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %C = mdh.compute \"mm\" (i in 8, j in 4, k in 6 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  return %C : tensor<8x4xf32>
}
",
    ),
    (
        "sum.mlir",
        "func.func @sum(%A: tensor<12x16xi32>) -> tensor<12xi32> {
  %C = mdh.compute \"sum\" (i in 12, k in 16 pw add) ins(%a = %A[i, k]) outs([i]) {
    mdh.yield %a : i32
  } : (tensor<12x16xi32>) -> tensor<12xi32>
  return %C : tensor<12xi32>
}
",
    ),
    (
        "stencil.mlir",
        "func.func @stencil(%A: tensor<10x9xf64>) -> tensor<8x9xf64> {
  %C = mdh.compute \"stencil\" (i in 8, j in 9, w in 3 pw max) ins(%a = %A[i + w, j]) outs([i, j]) {
    mdh.yield %a : f64
  } : (tensor<10x9xf64>) -> tensor<8x9xf64>
  return %C : tensor<8x9xf64>
}
",
    ),
];

/// A computation of the list, and what is known of it
struct Case {
    program: Program,
    facts: Facts,
    in_order: Vec<usize>,
    device: Device,
    carry: String,
}

impl Case {
    /// All cases for a device
    fn all(target: &str) -> Vec<Case> {
        let folder = tempfile::tempdir().expect("a folder");
        let case = |(name, text): (&str, &str)| {
            let file = folder.path().join(name);
            std::fs::write(&file, text).expect("it can be written");
            let cx = Context::new(&terrace_opt::all_dialects());
            let program = Program::load(&cx, file.to_str()?, None, &[], &mut Diags::default());
            let program = program.expect("it is well formed").expect("it verifies");
            let device = Device::find(target).expect("a device");
            let facts = facts(&program, &device).expect("it has a computation");
            let in_order = folded_in_order(&program).expect("it has a computation");
            let carry = format!("func.func(mdh-schedule{{target={target}}}),func.func(mdh-to-sched)");
            Some(Case { program, facts, in_order, device, carry })
        };
        PROGRAMS.into_iter().filter_map(case).collect()
    }

    /// Everything open, in so many steps
    fn auto(&self, steps: usize) -> OpenSchedule {
        let (dims, ins) = (self.facts.extents.len(), self.facts.ins.len());
        let mut draft = terrace_search_schedules::auto(&self.device, dims, ins, 1);
        draft.steps.truncate(steps);
        draft
    }

    /// What a draft stands for if nothing is known
    fn candidates<'a>(&'a self, draft: &OpenSchedule, legal: &'a Legal<'a>) -> ScheduleSpace<'a> {
        let space = ScheduleSpace::new(draft.clone(), self.facts.extents.clone(), &self.device, legal);
        space.expect("well formed")
    }

    /// What a draft stands for, as a search sees it
    fn space<'a>(&'a self, draft: &OpenSchedule, legal: &'a Legal<'a>) -> ScheduleSpace<'a> {
        self.candidates(draft, legal).knowing(self.facts.clone()).in_order(self.in_order.clone())
    }

    fn verdict(&self, schedule: &Schedule) -> Result<(), Refusal> {
        legal(TOOL, &self.program, schedule, &self.carry)
    }
}

/// What is known early leaves out nothing that the verifiers accept, and leaves them little to refuse
#[test]
fn only_what_would_be_refused_is_ruled_out() {
    for target in TARGETS {
        let (mut accepted, mut left) = (0, BTreeMap::<String, usize>::new());
        let mut early = 0;
        for case in Case::all(target) {
            for steps in [2, 3, 6] {
                let any = |_: &Schedule| Ok(());
                let space = case.candidates(&case.auto(steps), &any);
                let mut rng = Random::new(steps as u64);
                for _ in 0..60 {
                    let Some(point) = sample(&space, &mut rng) else { continue };
                    let whole = space.fill(&point);
                    let schedule = whole.decided().expect("all is decided");
                    let verdict = case.verdict(&schedule);
                    // Known at the end, if not before.
                    let ruled =
                        (0..=point.len()).find_map(|n| space.fill(&point[..n]).ruled_out(&case.facts));
                    match (verdict, ruled) {
                        (Ok(()), Some(rule)) => panic!("{target}: {rule} rules out\n{whole}"),
                        (Ok(()), None) => accepted += 1,
                        (Err(_), Some(_)) => early += 1,
                        (Err(refusal), None) => *left.entry(refusal.rule).or_default() += 1,
                    }
                }
            }
        }
        println!("{target}: {accepted} accepted, {early} ruled out, left to verifiers {left:?}");
        assert!(accepted > 40 && early > 100, "{target}: {accepted} accepted, {early} ruled out");
    }
}

/// Most whole schedules that the compiler may refuse for each point of a space
const MOST_REFUSED: usize = 10;

/// A search that draws points throws few whole schedules away
#[test]
fn few_whole_schedules_are_refused() {
    for target in TARGETS {
        for (n, case) in Case::all(target).iter().enumerate() {
            for steps in [1, 2, 3, 6] {
                let legal = |schedule: &Schedule| case.verdict(schedule);
                let space = case.space(&case.auto(steps), &legal);
                let mut rng = Random::new(7);
                let found = (0..12).filter(|_| sample(&space, &mut rng).is_some()).count();
                let refused = space.refusals();
                let all = refused.total();
                println!(
                    "{target}, {}, {steps} steps: {found} points, refused {all}: {refused}",
                    PROGRAMS[n].0
                );
                assert!(
                    all <= MOST_REFUSED * found.max(1),
                    "{target}, {steps} steps: {all} for {found} points"
                );
            }
        }
    }
}

/// Small drafts with several kinds of open fields, for three dimensions and two; the computations are products and sums
const DRAFTS: [(usize, &str); 4] = [
    (
        0,
        "1: (2,4,{2,6}) ({^,REG},^ ; ^) ({THR.x,BLK.x,FOR.1},{THR.y,WRP.x,FOR.2},{FOR.3,THR.z,BLK.z})
         2: (1,1,1) (^,^ ; {^,REG}) (FOR.1,{UNR.2,THR.x},FOR.3)",
    ),
    (
        0,
        "?: (4,4,6) (^,{^,L1} ; ^) ({THR.x,FOR.1},FOR.2,FOR.3)
         ?: (1,1,1) (^,^ ; ^) (FOR.1,{VEC.x,FOR.2},FOR.3)",
    ),
    (
        1,
        "{1,2}: (3,{4,16}) (^ ; {^,RM}) ({BLK.x,THR.x},{THR.y,BLK.y,FOR.2})
         {1,2}: (1,1) ({^,RM} ; ^) ({THR.x,FOR.1},{WRP.x,FOR.2})",
    ),
    (
        2,
        "1: (2,9,{1,3}) ({^,REG} ; ^) ({THR.x,FOR.1},{THR.y,VEC.x,FOR.2},{FOR.3,THR.z})
         2: (1,1,1) (^ ; ^) (FOR.1,{VEC.x,FOR.2},FOR.3)",
    ),
];

/// Every legal schedule that a draft stands for is a point of its space, and no other is
#[test]
fn spaces_are_what_the_compiler_accepts() {
    for target in TARGETS {
        let (mut points, mut candidates) = (0, 0);
        let cases = Case::all(target);
        for (n, text) in DRAFTS {
            let case = &cases[n];
            let draft = OpenSchedule::read(text).expect("well formed");
            let any = |_: &Schedule| Ok(());
            let legal = |schedule: &Schedule| case.verdict(schedule);
            let all: Vec<Point> = Walk::new(&case.candidates(&draft, &any)).collect();
            candidates += all.len();
            let whole = case.candidates(&draft, &any);
            let accepted = |point: &Point| {
                let schedule = whole.fill(point).decided();
                schedule.is_ok_and(|schedule| case.verdict(&schedule).is_ok())
            };
            let wanted: Vec<Point> = all.into_iter().filter(accepted).collect();
            let found: Vec<Point> = Walk::new(&case.space(&draft, &legal)).collect();
            for point in &wanted {
                assert!(found.contains(point), "{target}: left out\n{}", whole.fill(point));
            }
            assert_eq!(found.len(), wanted.len(), "{target}: {text}");
            points += found.len();
        }
        println!("{target}: {points} points of {candidates} candidates");
        assert!(points > 0, "{target}");
    }
}
