//! The space of the four-kernel convolution for the layers of VGG-16, and joint points of numbers and levels.

use crate::common;

use common::{CONV, VGG, layer, parse, print, run, setup};
use std::collections::HashSet;
use terrace_devices::Device;
use terrace_ir::Ir;
use terrace_schedule_model::Decision;
use terrace_search_arrays::{ArraySpace, Levels, Program, Setup, choose};
use terrace_search_explore::technique::RandomDraws;
use terrace_search_explore::{Explorer, Next, Plan, Proposal, Space, check};
use terrace_search_mapping::Limits;
use terrace_search_mapping::{MapLevels, Options};

/// The eight parameters of GPGPU 2020
const NAMES: [&str; 8] = ["theta", "r", "sg", "ka", "om", "v", "co", "unroll"];

const CLOCK: fn() -> f64 = || 0.0;

fn options(device: &str) -> Options {
    let device = Device::find(device).expect("built in");
    let levels = MapLevels::of(&device);
    Options { levels, limits: Limits::of(&device), ..Options::default() }
}

/// A mapped program verifies and lowers
fn lowers(module: &mut Ir) {
    let text = print(module);
    if let Err(error) = run(module, "func.func(array-place,array-to-sched)") {
        panic!("{}\n{text}", error.message);
    }
    assert!(!terrace_ir::verify::verify(module, 1).has_errors(), "{text}");
}

#[test]
fn a_thousand_points_for_each_layer_of_the_network() {
    let module = parse(CONV);
    for (n, (c, m, side)) in VGG.into_iter().enumerate() {
        let setup = Setup { levels: Levels::Written, ..setup(&module, &layer(c, m, side)) };
        let program = Program::new(setup).unwrap_or_else(|error| panic!("layer {n}: {}", error.message));
        let space = ArraySpace::new(&program, &CLOCK).expect("numbers are open");
        assert_eq!(space.names(), NAMES, "layer {n}");
        let mut explorer =
            Explorer::new(&space, Box::new(RandomDraws::new(&space)), Plan { lag: u64::MAX, ..Plan::new(7) });
        let mut points = HashSet::new();
        for drawn in 0..1_000 {
            let Next::Measure(Proposal { point, .. }) = explorer.next_point() else {
                panic!("more than a thousand points")
            };
            assert!(check(&space, &point).is_ok(), "{point:?}");
            // All conditions, the written ones and those of the program's types, with numbers.
            let all = program.values(&space.numbers_of(&point).expect("numbers")).expect("a point");
            let number = |name: &str| all[name];
            let (theta, step) = (number("theta"), number("ts"));
            let (pixels, window) = (side + 2 + number("r"), 9 * c);
            assert!(theta <= pixels && (pixels - theta) % step == 0 && step == theta - 2);
            assert!(m % number("ka") == 0 && (step * step) % number("sg") == 0);
            assert!(window % number("om") == 0 && number("om") % number("v") == 0);
            let switches = [point[6].to_string(), point[7].to_string()];
            assert!(["0", "1"].contains(&&switches[0][..]) && ["seq", "unroll"].contains(&&switches[1][..]));
            if drawn % 25 == n {
                let made = space.make_program(&point);
                lowers(&mut made.unwrap_or_else(|error| panic!("layer {n}: {}", error.message)));
            }
            assert!(points.insert(point));
        }
    }
}

/// Ten groups of three rows and nine chunks of three channels: three elements of a chunk fill the tiles of one of them
#[test]
fn an_extent_that_fits_two_dimensions_is_one_of_them() {
    let module = parse(CONV);
    for (layer, numbers) in
        [(layer(3, 64, 224), [32, 16, 90, 2, 3, 1]), (layer(64, 64, 224), [14, 4, 36, 2, 192, 1])]
    {
        let names = NAMES.iter().zip(numbers).map(|(name, number)| (name.to_string(), number.to_string()));
        let setup = Setup { levels: Levels::Written, fixes: names.collect(), ..setup(&module, &layer) };
        let program = Program::new(setup).unwrap_or_else(|error| panic!("{}", error.message));
        let space = ArraySpace::new(&program, &CLOCK).expect("switches are open");
        let mut explorer =
            Explorer::new(&space, Box::new(RandomDraws::new(&space)), Plan { lag: u64::MAX, ..Plan::new(1) });
        let mut count = 0;
        while let Next::Measure(Proposal { point, .. }) = explorer.next_point() {
            lowers(&mut space.make_program(&point).unwrap_or_else(|error| panic!("{}", error.message)));
            count += 1;
        }
        assert_eq!(count, 4, "both switches");
    }
}

#[test]
fn types_of_the_program_give_the_constraints_of_the_paper() {
    // The same space with handwritten constraints: test-files/passes/mapping/conv_space.mlir.
    let module = parse(CONV);
    let setup = Setup { levels: Levels::Written, ..setup(&module, &layer(128, 128, 112)) };
    let program = Program::new(setup).unwrap_or_else(|error| panic!("{}", error.message));
    assert_eq!(program.listed.count().to_string(), "5854592", "with the two switches");
    // The paper's best point: tiles of 5 that step by 3, 11 rows added, 3 windows and 4 kernels of a thread, chunks of 144.
    let best = [5, 11, 3, 4, 144, 4, 1, 2];
    assert!(program.listed.complete(&best).is_some());
    let reasons = |word: &str| program.reasons.iter().filter(|reason| reason.contains(word)).count();
    assert!(program.reasons.iter().all(|reason| reason.contains("[type]")));
    assert!(reasons("slideStrict") > 0 && reasons("split") > 0 && reasons("asVector") > 0);
}

#[test]
fn numbers_and_levels_are_one_space() {
    let module = parse(CONV);
    for device in ["opencl", "openmp"] {
        let fixes = [("theta", "5"), ("r", "2"), ("ka", "2")].map(|(a, b)| (a.to_string(), b.to_string()));
        let setup =
            Setup { options: options(device), fixes: fixes.into(), ..setup(&module, &layer(8, 4, 7)) };
        let program = Program::new(setup).unwrap_or_else(|error| panic!("{error:?}"));
        let space = ArraySpace::new(&program, &CLOCK).unwrap_or_else(|error| panic!("{}", error.message));
        let levels = ["tiles", "groups", "windows", "chunks"].map(|name| format!("m.{name}"));
        assert_eq!(space.names()[..8], NAMES);
        assert_eq!(space.names()[8..12], levels);
        let mut explorer =
            Explorer::new(&space, Box::new(RandomDraws::new(&space)), Plan { lag: u64::MAX, ..Plan::new(3) });
        for n in 0..40 {
            let Next::Measure(Proposal { point, .. }) = explorer.next_point() else { panic!("enough") };
            assert_eq!([&point[0], &point[1], &point[3]], [5, 2, 2].map(Decision::Number).each_ref());
            if n % 8 == 0 {
                lowers(&mut space.make_program(&point).unwrap_or_else(|error| panic!("{}", error.message)));
            }
        }
    }
}

#[test]
fn numbers_are_chosen_for_a_mapping() {
    let module = parse(CONV);
    let device = Device::find("mali-g72").expect("built in");
    let by_hand = [
        ("tiles", "block.y"),
        ("groups", "block.x"),
        ("windows", "thread.y"),
        ("chunks", "thread.x"),
        ("sum_tiles", "block.y"),
        ("sum_groups", "block.x"),
        ("sum_kernels", "thread.x"),
    ];
    let fixes = by_hand.map(|(map, level)| (map.to_string(), level.to_string())).to_vec();
    let setup = Setup {
        options: options("mali-g72"),
        levels: Levels::Written,
        fixes,
        ..setup(&module, &layer(128, 128, 112))
    };
    let program = Program::new(setup).unwrap_or_else(|error| panic!("{}", error.message));
    let space = ArraySpace::new(&program, &CLOCK).expect("numbers are open");
    let choice = choose::saturate(&space, &device).expect("some fit");
    assert_eq!(choose::saturate(&space, &device).as_ref(), Some(&choice), "the same every time");
    let said = choice.to_string();
    assert!(said.contains("of the cores have work") && said.contains("of its registers"), "{said}");
    // Most of the cores, and no more in registers than there are; not every point is so.
    assert!(choice.cores > 0.9 && choice.registers <= 1.0, "{said}");
    assert!(check(&space, &choice.point).is_ok());
}
