//! Random nests with open levels, against all of their completions.

use terrace_devices::{Axis, Element, Level, Levels, Mechanism, Per, Space, Update};
use terrace_schedule_model::nest::{
    Access, Around, Branch, Buffer, Combine, Hole, Index, Launch, Loop, LoopId, Made, Meeting, Nest, Open,
    Operator, Use,
};
use terrace_schedule_model::nest_arena::Id;
use terrace_schedule_model::nest_combine::{Combination, Order};
use terrace_schedule_rules::{CAP, Cx, GRID, HW, Limits, RULES, Truth, first_broken, truth, truth_of};
use terrace_support::Random;
use terrace_support::affine::{AffineExpr, AffineMap};

/// Levels that holes are filled with
const LEVELS: [Level; 8] = [
    Level::Seq,
    Level::Vector,
    Level::Task,
    Level::Thread(Axis::X),
    Level::Thread(Axis::Y),
    Level::Block(Axis::X),
    Level::Global(Axis::X),
    Level::Warp(Axis::X),
];

fn pick<T: Copy>(random: &mut Random, all: &[T]) -> T {
    all[random.below(all.len() as u64) as usize]
}

fn chance(random: &mut Random, of: u64) -> bool {
    random.below(of) == 0
}

/// Loops inside of each other, with or without a kernel around; some levels are open
fn loops(random: &mut Random, nest: &mut Nest, around: Around) -> Vec<LoopId> {
    let count = 2 + random.below(3) as usize;
    let mut inside = None;
    let mut all = Vec::new();
    for n in 0..count {
        let level = match nest.holes.len() < 3 && chance(random, 2) {
            true => {
                let name = format!("m{n}").into();
                Open::Hole(nest.holes.push(Hole { name, structural: false }))
            }
            false => Open::Is(pick(random, &LEVELS)),
        };
        let pw = chance(random, 3);
        let operators: Vec<_> = nest.operators.ids().filter(|_| pw).take(1).collect();
        let id = nest.loops.push(Loop {
            around: Around { inside, ..around },
            end: count as u32,
            dim: None,
            extent: Open::Is(pick(random, &[1, 4, 8])),
            tile: Open::Is(1),
            level,
            merged: Open::Is(false),
            combine: Combine {
                kind: if pw { Combination::Pw } else { Combination::Cc },
                order: pick(random, &[Order::Fixed, Order::Free, Order::Source]),
                mechanism: pick(random, &[Mechanism::Auto, Mechanism::Auto, Mechanism::Atomic]),
                results: usize::from(pw && chance(random, 3)),
                operators,
            },
            from: None,
            limit: None,
            tail: None,
            stages: None,
            nowait: false,
            step: None,
        });
        inside = Some(id);
        all.push(id);
    }
    all
}

fn buffers(random: &mut Random, nest: &mut Nest, around: Around, loops: &[LoopId]) {
    let spaces = [Space::Main, Space::Shared, Space::Device, Space::Private];
    for _ in 0..2 {
        let inside = if chance(random, 2) { None } else { Some(pick(random, loops)) };
        let made = Made {
            around: Around { inside, ..around },
            per: if chance(random, 3) { Some(Per::Block) } else { None },
            place: 0,
            there: Open::Is(true),
            step: None,
        };
        let made = (!chance(random, 3)).then_some(made);
        let space = if made.is_some() { pick(random, &spaces) } else { Space::Main };
        nest.buffers.push(Buffer { space, named: None, shape: vec![8, 8], bytes: 4, made, part: None });
    }
}

fn accesses(random: &mut Random, nest: &mut Nest, around: Around, loops: &[LoopId]) {
    for place in 0..1 + random.below(3) as u32 {
        let does = match random.below(4) {
            0 | 1 => Use::Read,
            2 => Use::Write,
            _ => Use::Merge(nest.operators.ids().next().expect("there is one")),
        };
        let buffer = nest.buffers.ids().nth(random.below(2) as usize).expect("there are two");
        let results = (0..2).map(|_| match random.below(3) {
            0 => AffineExpr::Constant(0),
            n => AffineExpr::Dim(n as u32 - 1),
        });
        let results = results.collect();
        let together = chance(random, 8);
        let access = nest.accesses.push(Access {
            buffer,
            does,
            map: AffineMap::new(2, 0, results).expect("two dimensions"),
            over: vec![Index::Loop(pick(random, loops)), Index::Loop(pick(random, loops))],
            domain: Vec::new(),
            guarded: false,
            copy: together,
            per: together.then_some(Per::Block),
            together,
            around: Around { inside: loops.last().copied(), ..around },
            place: place + 1,
        });
        if together {
            let own = nest.accesses[access].around;
            nest.meetings.push(Meeting { access, place: place + 1, per: Some(Per::Block), around: own });
        }
    }
}

fn random_nest(random: &mut Random) -> Nest {
    let mut nest = Nest::default();
    nest.operators.push(Operator {
        name: "add".into(),
        update: Some((Update::Add, Element::F32)),
        associative: true,
        commutative: true,
        exact: chance(random, 2),
    });
    let launch = chance(random, 2).then(|| Launch {
        inferred: false,
        grid: [pick(random, &[1, 4, 8]), 1, 1],
        block: [pick(random, &[4, 8]), pick(random, &[1, 4]), 1],
        cluster: [1; 3],
        subgroup: 4,
    });
    let launch = launch.map(|launch| nest.launches.push(launch));
    let around = Around { launch, ..Around::default() };
    let branch = chance(random, 6);
    let loops = loops(random, &mut nest, around);
    let branch = branch.then(|| {
        let own = Around { inside: loops.last().copied(), ..around };
        nest.branches.push(Branch { around: own, loops: loops[..1].to_vec(), private: false })
    });
    buffers(random, &mut nest, around, &loops);
    accesses(random, &mut nest, Around { branch, ..around }, &loops);
    nest
}

/// Every way to fill the holes from sets of levels
fn completions(nest: &Nest, sets: &dyn Fn(LoopId) -> Levels) -> Vec<Nest> {
    let mut all = vec![nest.clone()];
    for id in nest.loops.ids().filter(|id| nest.loops[*id].level.known().is_none()) {
        let filled = all.iter().flat_map(|own| {
            sets(id).iter().map(move |level| {
                let mut own = own.clone();
                own.loops[id].level = Open::Is(level);
                own
            })
        });
        all = filled.collect();
    }
    all
}

#[test]
fn what_is_said_of_an_open_nest_holds_of_each_completion() {
    let mut random = Random::new(27);
    let mut counts = [0usize; 3];
    for round in 0..600 {
        let nest = random_nest(&mut random);
        let set: Vec<Levels> =
            nest.loops.ids().map(|_| (0..3).map(|_| pick(&mut random, &LEVELS)).collect()).collect();
        let sets = |id: LoopId| set[id.index()];
        let open = Cx::with_levels(&nest, &sets);
        let all = completions(&nest, &sets);
        for rule in RULES {
            let said = truth_of(&open, rule);
            for own in &all {
                let decided = truth_of(&Cx::new(own), rule);
                assert_ne!(
                    decided,
                    Truth::Open,
                    "{round}: {} is open of a decided nest\n{own:#?}",
                    rule.name
                );
                assert!(
                    said == Truth::Open || said == decided,
                    "{round}: {} is {said:?}, but {decided:?} of a completion\n{own:#?}",
                    rule.name
                );
            }
            counts[said as usize] += 1;
        }
        let accepted = |own: &Nest| truth(&Cx::new(own)) == Truth::True;
        assert!(all.iter().all(|own| accepted(own) == first_broken(&Cx::new(own)).is_none()), "{round}");
        if first_broken(&open).is_some() {
            assert!(!all.iter().any(accepted), "{round}: a refused prefix has an accepted completion");
        }
    }
    assert!(counts.iter().all(|count| *count > 30), "{counts:?}");
}

/// Grid and block of a decided nest: the largest trip counts along each axis
fn sizes(nest: &Nest) -> ([i64; 3], [i64; 3]) {
    let (mut grid, mut block) = ([1; 3], [1; 3]);
    for own in nest.loops.iter() {
        let trip = own.extent.known().unwrap_or(1);
        match own.level.known() {
            Some(Level::Thread(axis)) => block[axis.number()] = trip.max(block[axis.number()]),
            Some(Level::Block(axis)) => grid[axis.number()] = trip.max(grid[axis.number()]),
            _ => {}
        }
    }
    (grid, block)
}

#[test]
fn a_kernel_whose_sizes_follow_is_judged_as_one_that_has_them() {
    let mut random = Random::new(8);
    let mut wrong = 0;
    for round in 0..600 {
        let mut inferred = random_nest(&mut random);
        for own in inferred.loops.iter_mut() {
            let levels = [Level::Seq, Level::Thread(Axis::X), Level::Thread(Axis::Y), Level::Block(Axis::X)];
            own.level = Open::Is(pick(&mut random, &levels));
        }
        inferred.launches = Default::default();
        inferred.infer_launch();
        let (grid, block) = sizes(&inferred);
        let mut said = inferred.clone();
        said.launches
            .iter_mut()
            .for_each(|launch| *launch = Launch { inferred: false, grid, block, ..*launch });
        let small = Limits { block_threads: 16, local_bytes: 600, private_bytes: 400, ..Limits::ANY };
        let of = |nest: &Nest, rule| truth_of(&Cx::new(nest).within(small), rule);
        for rule in [&HW, &CAP] {
            assert_eq!(of(&inferred, rule), of(&said, rule), "{round}: {}\n{inferred:#?}", rule.name);
            wrong += usize::from(of(&said, rule) == Truth::False);
        }
        // Whether blocks exchange something is not asked before the sizes are known.
        let own = of(&inferred, &GRID);
        assert!(own == Truth::Open || own == of(&said, &GRID), "{round}: {inferred:#?}");
    }
    assert!(wrong > 50, "{wrong}");
}

#[test]
fn sizes_that_are_open_leave_the_answer_open() {
    let mut random = Random::new(5);
    for _ in 0..200 {
        let mut nest = random_nest(&mut random);
        let size = nest.holes.push(Hole { name: "t".into(), structural: false });
        let id = nest.loops.ids().next().expect("there are loops");
        let decided: Vec<Nest> = [1, 2, 4]
            .map(|tile| {
                let mut own = nest.clone();
                own.loops[id].tile = Open::Is(tile);
                own
            })
            .into();
        nest.loops[id].tile = Open::Hole(size);
        for rule in RULES {
            let said = truth_of(&Cx::new(&nest), rule);
            let of = |own: &Nest| truth_of(&Cx::new(own), rule);
            assert!(
                said == Truth::Open || decided.iter().all(|own| of(own) == said || of(own) == Truth::Open)
            );
        }
    }
}
