//! The model of a processor: what it says of lanes, registers and caches, and of points that were measured.

use crate::common;
use common::{parse, setup};
use std::collections::BTreeMap;
use terrace_devices::Device;
use terrace_ir::Ir;
use terrace_ir::symbols::Symbols;
use terrace_schedule_cost::{Estimate, Name};
use terrace_schedule_model::{Decision, Point};
use terrace_search_arrays::{ArraySpace, Levels, Program, Setup, choose};
use terrace_search_mapping::{MapLevels, Options};

const CLOCK: fn() -> f64 = || 0.0;
const HOST: &str = include_str!("../../../test-files/programs/conv_host.mlir");

fn device() -> Device {
    Device::find("x86-64-v4").expect("built in")
}

/// A layer with a window of three under `convHost`, or `convHostParts` where parts are open: side, channels in and out
fn program<'a>(module: &'a Ir, side: i64, c: i64, m: i64, parts: bool, levels: Levels) -> Program<'a> {
    let sizes = [("H", side), ("W", side), ("C", c), ("M", m), ("K", 3), ("p", 1), ("s", 1)];
    let known = MapLevels::of(&device());
    let options = Options { levels: known, ..Options::default() };
    let (space, strategy) = match parts {
        true => ("parts", "convHostParts(@h, @q, @o, @c, @v)"),
        false => ("host", "convHost(@h, @q, @o, @v)"),
    };
    let then = format!("func.func(array-rewrite{{strategy=\"{strategy}\"}})");
    let setup = Setup { options, space: Some(space), then, levels, ..setup(module, &sizes) };
    Program::new(setup).unwrap_or_else(|error| panic!("{}", error.message))
}

/// A number or a level of its text
fn choice(text: &str) -> Decision {
    match (text.parse(), text.parse()) {
        (Ok(number), _) => Decision::Number(number),
        (_, Ok(level)) => Decision::Level(level),
        _ => Decision::Merged,
    }
}

fn cycles(space: &ArraySpace<'_>, point: &[String]) -> f64 {
    estimate(space, point).total
}

fn estimate(space: &ArraySpace<'_>, point: &[String]) -> Estimate {
    let point: Point = point.iter().map(|text| choice(text)).collect();
    let made = space.make_program(&point).unwrap_or_else(|error| panic!("{}", error.message));
    let symbols = Symbols::read(&made);
    let slot = made.walk().find(|op| made.child(*op).is_some()).expect("a function");
    let unit = made.child(slot).expect("a function");
    let scope = symbols.child_scope(symbols.root(), unit);
    choose::estimate(unit, &symbols, scope, &device()).expect("it has loops")
}

fn sequential(numbers: [&str; 4]) -> Vec<String> {
    let levels = ["seq", "seq", "seq", "fused", "seq", "fused"];
    numbers.into_iter().chain(levels).map(str::to_string).collect()
}

#[test]
fn lanes_tiles_and_caches_count() {
    let module = parse(HOST);
    let program = program(&module, 56, 128, 256, false, Levels::Free);
    let space = ArraySpace::new(&program, &CLOCK).unwrap_or_else(|error| panic!("{}", error.message));
    let of = |numbers: [&str; 4]| cycles(&space, &sequential(numbers));
    let good = of(["28", "7", "32", "16"]);
    // Half of a register, a quarter of one.
    assert!(of(["28", "7", "16", "8"]) > 1.5 * good && of(["28", "7", "8", "4"]) > 3.0 * good);
    // 28 sums in one loop, which is not unrolled then: none has a register. In two loops they have.
    assert!(of(["28", "14", "32", "16"]) > 1.5 * good);
    let apart = crate::model::program(&module, 56, 128, 256, false, Levels::Written);
    let apart = ArraySpace::new(&apart, &CLOCK).unwrap_or_else(|error| panic!("{}", error.message));
    assert!(cycles(&apart, &["28", "14", "32", "16"].map(str::to_string)) < 1.1 * good);
    // One window and a panel of eight vectors: a load for each multiply-add, and weights from the second cache each time.
    assert!(of(["28", "1", "128", "16"]) > 1.5 * good);
    // Low strips read each panel again from the third cache, of which a part is hidden.
    assert!(of(["1", "7", "32", "16"]) > 1.05 * good);
    // No more arithmetic than two vectors in a cycle.
    let least = 56.0 * 56.0 * 128.0 * 256.0 * 9.0 / 16.0 / 2.0;
    assert!(good > least && good < 2.0 * least, "{good} of at least {least}");
}

/// Points of a log with the least time of each, those that run in one thread
fn measured(log: &str) -> BTreeMap<Vec<String>, f64> {
    let mut all: BTreeMap<Vec<String>, f64> = BTreeMap::new();
    for line in log.lines().skip(1) {
        let field = |name: &str| line.split_once(&format!("\"{name}\":")).map(|(_, rest)| rest);
        let (Some(point), Some(seconds)) = (field("point"), field("seconds")) else { continue };
        let point = point.trim_start_matches('[').split(']').next().unwrap_or("");
        let point: Vec<String> = point.split(',').map(|word| word.trim_matches('"').to_string()).collect();
        let Some(Ok(seconds)) = seconds.split([',', '}']).next().map(str::parse::<f64>) else { continue };
        if point.iter().any(|word| word == "task") {
            continue;
        }
        let least = all.entry(point).or_insert(f64::INFINITY);
        *least = least.min(seconds);
    }
    all
}

/// Is a log one of parts of channels, and of which levels?
fn kind(log: &str) -> (bool, Levels) {
    let names = log.lines().next().unwrap_or_default();
    (names.contains("\"c\""), if names.contains("\"m.") { Levels::Free } else { Levels::Written })
}

/// What a log reports
struct Compared {
    /// What the point that the model puts first reaches of the best
    first: f64,
    /// Pairs that differ by a tenth and are in order
    order: f64,
    /// Kendall's rank correlation
    tau: f64,
}

/// Estimates and times of one in so many points of a log
fn estimated(log: &str, side: i64, c: i64, m: i64, each: usize) -> Vec<(Estimate, f64)> {
    let module = parse(HOST);
    let (parts, levels) = kind(log);
    let program = program(&module, side, c, m, parts, levels);
    let space = ArraySpace::new(&program, &CLOCK).unwrap_or_else(|error| panic!("{}", error.message));
    let measured = measured(log);
    let least = measured.values().copied().fold(f64::INFINITY, f64::min);
    let kept =
        measured.into_iter().enumerate().filter(|(n, (_, seconds))| n % each == 0 || *seconds == least);
    kept.map(|(_, (point, seconds))| (estimate(&space, &point), seconds)).collect()
}

/// Points by what a model makes of their estimates
fn compared(all: &[(Estimate, f64)], model: impl Fn(&Estimate) -> f64) -> Compared {
    let least = all.iter().map(|(_, seconds)| *seconds).fold(f64::INFINITY, f64::min);
    let mut all: Vec<(f64, f64)> = all.iter().map(|(own, seconds)| (model(own), *seconds)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut right, mut far, mut sum, mut pairs) = (0.0, 0.0, 0.0, 0.0);
    for (n, (before, a)) in all.iter().enumerate() {
        for (after, b) in &all[n + 1..] {
            let sign = if before == after || a == b { 0.0 } else { (b - a).signum() };
            pairs += 1.0;
            sum += sign;
            if (a / b).ln().abs() > 0.1 {
                far += 1.0;
                right += (sign + 1.0) / 2.0;
            }
        }
    }
    Compared { first: least / all[0].1, order: right / f64::max(far, 1.0), tau: sum / f64::max(pairs, 1.0) }
}

impl std::fmt::Display for Compared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (first, order) = (100.0 * self.first, 100.0 * self.order);
        write!(f, "{first:.0} % of the best, {order:.0} % of pairs in order, Kendall {:.2}", self.tau)
    }
}

#[test]
fn points_that_were_measured_are_in_order_mostly() {
    let searches = [
        (include_str!("../../../docs/figures/searches/layer2.jsonl"), 224, 64, 64, 3),
        (include_str!("../../../docs/figures/searches/layer19-solver.jsonl"), 28, 512, 512, 3),
    ];
    for (log, side, c, m, each) in searches {
        let all = estimated(log, side, c, m, each);
        let Compared { first, order, .. } = compared(&all, |own| own.total);
        assert!(first > 0.85 && order > 0.75, "layer of {side}: {first:.2} of the best, {order:.2} in order");
    }
}

#[test]
#[ignore = "a minute: all points of logs in the folder that TERRACE_LOGS names; run with --ignored"]
fn searches_of_all_layers() {
    let Ok(folder) = std::env::var("TERRACE_LOGS") else {
        return println!("skipped: TERRACE_LOGS names no folder");
    };
    let layers =
        [(0, 224, 3, 64), (2, 224, 64, 64), (5, 112, 64, 128), (7, 112, 128, 128), (10, 56, 128, 256)];
    let more = [(12, 56, 256, 256), (17, 28, 256, 512), (19, 28, 512, 512), (24, 14, 512, 512)];
    for (layer, side, c, m) in layers.into_iter().chain(more) {
        let Ok(log) = std::fs::read_to_string(format!("{folder}/layer{layer}.jsonl")) else { continue };
        let all = estimated(&log, side, c, m, 1);
        println!("layer {layer}, {} points: {}", all.len(), compared(&all, |own| own.total));
        for name in Name::ALL.iter().copied() {
            let part: f64 =
                all.iter().map(|(own, _)| own.of(name) / own.total).sum::<f64>() / all.len() as f64;
            let without = compared(&all, |own| own.total - own.of(name));
            println!("  {:.0} % are {name}; without it {without}", 100.0 * part);
        }
        let module = parse(HOST);
        let (parts, levels) = kind(&log);
        let program = program(&module, side, c, m, parts, levels);
        let space = ArraySpace::new(&program, &CLOCK).unwrap_or_else(|error| panic!("{}", error.message));
        let choice = choose::saturate(&space, &device()).expect("a point");
        let all = measured(&log);
        let least = all.values().copied().fold(f64::INFINITY, f64::min);
        let numbers = space.num_numbers();
        let own = all.iter().filter(|(point, _)| {
            point[..numbers].iter().map(|text| self::choice(text)).eq(choice.point[..numbers].iter().cloned())
        });
        let own = own.map(|(_, seconds)| *seconds).fold(f64::INFINITY, f64::min);
        println!(
            "  chosen: {:?}, {:.0} % of the best (0: not in the log)",
            &choice.point[..numbers],
            100.0 * least / own
        );
    }
}
