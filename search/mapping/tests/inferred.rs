//! Spaces whose constraints no user wrote: the records that types and hardware ask for, against those of GPGPU'20 §5.2 and the
//! handwritten space.

use crate::by_value;
use crate::common;

use by_value::lower;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use terrace_devices::Device;
use terrace_dialect_tune::{Param, Space};
use terrace_ir::symbols::Symbols;
use terrace_ir::{Ir, OpId};
use terrace_lowering_array::memory::bytes;
use terrace_search_mapping::infer::{Buffers, Record, of_hardware, of_types, write};
use terrace_search_mapping::numbers::Choices;
use terrace_search_solver::Search;

const CONV: &str = include_str!("../../../test-files/passes/mapping/conv_inferred.mlir");
const FOUR: &str = include_str!("../../../test-files/programs/four_kernels.mlir");

fn parse(text: &str) -> Ir {
    common::parse(&common::context(), text)
}

/// The function of a name, as an op of the module
fn function(module: &Ir, name: &str) -> OpId {
    let named = |ir: &Ir| ir.attr(ir.root(), "sym_name").and_then(|own| own.as_str(ir.cx())) == Some(name);
    module.walk().find(|op| module.child(*op).is_some_and(named)).expect("a function of this name")
}

/// The convolution, rewritten with parameters for all sizes
fn layer() -> Ir {
    let mut ir = parse(CONV);
    let strategy = "convTuned(@theta, @rho, @kappa, @sigma, @omega, @v, @coalescing, 0)";
    let pipeline = format!("func.func(array-expand,array-rewrite{{strategy=\"{strategy}\" assume=true}})");
    lower(&mut ir, &pipeline).unwrap_or_else(|why| panic!("{why}"));
    ir
}

fn texts(records: &[Record]) -> Vec<String> {
    let text = |record: &Record| {
        let parameters: Vec<String> = record.parameters.iter().map(|name| format!("@{name}")).collect();
        format!("{}: {} [{}]", record.rule, record.statement, parameters.join(" "))
    };
    records.iter().map(text).collect()
}

/// With the space written, the numbers to search
fn choices(mut module: Ir, name: &str, limits: Buffers) -> (Ir, Choices) {
    let device = Device::find("mali-g72").expect("built in");
    let op = function(&module, name);
    let unit = module.child(op).expect("a function");
    let mut records = of_types(unit).expect("small");
    records.extend(of_hardware(unit, &device, limits).expect("small"));
    write(&mut module, op, name, (&device, "mali-g72"), &records).unwrap_or_else(|why| panic!("{why}"));
    let space = module.walk().find_map(|op| Space::cast(&module, op)).expect("a space");
    let choices = Choices::of(&module, space, &BTreeMap::new()).unwrap_or_else(|why| panic!("{why}"));
    (module, choices)
}

/// A point by names; what is derived follows
fn point(choices: &Choices, values: &[(&str, i64)]) -> Vec<i64> {
    let value = |name: &str| values.iter().find(|(other, _)| *other == name).map(|(_, value)| *value);
    let sizes = [("H", 112), ("K", 3), ("ts", value("theta").unwrap_or(0) - 2)];
    let size = |name: &str| sizes.iter().find(|(other, _)| *other == name).map(|(_, value)| *value);
    let of = |name: &str| value(name).or_else(|| size(name)).unwrap_or_else(|| panic!("@{name}"));
    choices.numbers.params.iter().map(|param| of(&param.name)).collect()
}

/// Table 4
const BEST: [(&str, i64); 8] = [
    ("theta", 5),
    ("rho", 11),
    ("kappa", 4),
    ("sigma", 3),
    ("omega", 144),
    ("v", 4),
    ("coalescing", 1),
    ("unrolling", 0),
];

#[test]
fn records_are_those_of_the_paper() {
    let ir = layer();
    let records = of_types(ir.child(function(&ir, "layer")).expect("a function")).expect("small");
    let found = texts(&records);
    // §5.2, each once, for listing 4: M % κ, windows of a tile % σ, window size % ω, ω % v, and strict windows whose rest is zero
    // (F5: not the quotient plus one).
    for wanted in [
        "split: @kappa divides 128 [@kappa]",
        "split: @sigma divides @theta^2 - 4 * @theta + 4 [@sigma @theta]",
        "split: @omega divides 1152 [@omega]",
        "split: @v divides @omega [@omega @v]",
        "asVector: @v divides 1152 [@v]",
        "slideStrict: @theta - 2 divides @rho - @theta + 114 [@rho @theta]",
        "slideStrict: @theta <= @rho + 114 [@rho @theta]",
        "slide: 3 <= @theta [@theta]",
    ] {
        assert_eq!(
            found.iter().filter(|text| *text == wanted).count(),
            1,
            "{wanted} in\n{}",
            found.join("\n")
        );
    }
    // Windows of a kernel may leave a rest (F5, C33): nothing divides for `slide`.
    assert!(!found.iter().any(|text| text.starts_with("slide:") && text.contains("divides")));
}

#[test]
fn the_inferred_space_is_the_one_written_by_hand() {
    let (module, choices) = choices(layer(), "layer", Buffers::default());
    let names: Vec<&str> = choices.numbers.params.iter().map(|param| param.name.as_str()).collect();
    let params = module.walk().filter(|op| Param::cast(&module, *op).is_some()).count();
    assert_eq!(params, 8, "{names:?}");
    // 1,463,648 points of six parameters, times coalescing and unrolling on and off.
    let count = Search::new(&choices.numbers, None).count();
    assert_eq!(count, BigUint::from(4 * 1_463_648_u32));
    assert!(choices.numbers.holds(&point(&choices, &BEST)));
    for (name, wrong) in [
        ("theta", 6),
        ("rho", 3),
        ("kappa", 3),
        ("sigma", 2),
        ("omega", 100),
        ("v", 5),
        ("coalescing", 2),
        ("unrolling", -1),
    ] {
        let other = BEST.map(|(own, value)| (own, if own == name { wrong } else { value }));
        assert!(!choices.numbers.holds(&point(&choices, &other)), "{name} = {wrong}");
    }
}

/// Listing 4 with its levels, in four kernels, with parameters for all that is tuned
fn four() -> Ir {
    let space = "tune.space @conv_space for @conv on \"mali-g72\" {
      tune.param @theta in 3 to 228
      tune.param @r in 0 to 32
      tune.derived @ts = @theta - 2
    }";
    let mut ir = parse(&format!("{FOUR}\n{space}\n"));
    let sizes = "H=112,W=112,C=128,M=128,K=3,p=1";
    lower(&mut ir, &format!("array-expand,array-inline,func.func(array-bind{{sizes={sizes}}})"))
        .unwrap_or_else(|why| panic!("{why}"));
    ir
}

const FOUR_BEST: [(&str, i64); 5] = [("theta", 5), ("r", 11), ("ka", 4), ("sg", 3), ("om", 144)];

#[test]
fn threads_of_blocks_are_constraints() {
    let ir = four();
    let device = Device::find("mali-g72").expect("built in");
    let unit = ir.child(function(&ir, "conv")).expect("a function");
    let found = texts(&of_hardware(unit, &device, Buffers::default()).expect("small"));
    // Table 1: groups of windows in y, chunks in x.
    for wanted in [
        "threads: (@theta^2 - 4 * @theta + 4) floordiv @sg <= 384 [@sg @theta]",
        "threads: 1152 floordiv @om <= 384 [@om]",
        "block: (1152 * @theta^2 - 4608 * @theta + 4608) floordiv (@om * @sg) <= 384 [@om @sg @theta]",
    ] {
        assert!(found.iter().any(|text| text == wanted), "{wanted} in\n{}", found.join("\n"));
    }
    let (_, choices) = choices(four(), "conv", Buffers::default());
    assert!(choices.numbers.holds(&point(&choices, &FOUR_BEST)));
    // 8 · 9 threads for one window each; with chunks of 4 numbers 288 · 3.
    let with = |name: &str, value: i64| {
        let all = FOUR_BEST.map(|(own, old)| (own, if own == name { value } else { old }));
        choices.numbers.holds(&point(&choices, &all))
    };
    assert!(with("sg", 1) && !with("om", 4));
}

#[test]
fn memory_is_a_constraint_and_the_sum_of_buffers() {
    // A layer that is small enough to be lowered here.
    let sizes = "H=7,W=7,C=8,M=4,K=3,p=1";
    let mut ir = parse(FOUR);
    lower(&mut ir, &format!("array-expand,array-inline,func.func(array-bind{{sizes={sizes}}})"))
        .expect("binds");
    let unit = ir.child(function(&ir, "conv")).expect("a function");
    let device = Device::find("mali-g72").expect("built in");
    let values = [("theta", 5), ("ts", 3), ("r", 2), ("ka", 2), ("sg", 3), ("om", 24)];
    let holds = |limits: Buffers, rule: &str| {
        let records = of_hardware(unit, &device, limits).expect("small");
        let known = |name: &str| values.iter().find(|(own, _)| *own == name).map(|(_, value)| *value);
        let mut all = records.iter().filter(|record| record.rule == rule).peekable();
        assert!(all.peek().is_some(), "no record of {rule}");
        all.all(|record| {
            let terrace_dialect_tune::Formula::Compare(_, value, limit) = &record.statement else {
                return false;
            };
            let put = |name: &str| known(name).map(terrace_analysis::nat::Nat::from);
            let value = value.substitute(&put).ok().and_then(|value| value.as_constant()).expect("a number");
            value <= limit.as_constant().expect("a number")
        })
    };
    // What a program with these numbers holds, by its buffers.
    let mut bound = parse(FOUR);
    let all: Vec<String> = values.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let pipeline =
        format!("array-expand,array-inline,func.func(array-bind{{sizes={sizes},{}}})", all.join(","));
    lower(&mut bound, &pipeline).expect("binds");
    let symbols = Symbols::read(&bound);
    let own = bound.child(function(&bound, "conv")).expect("a function");
    let memory = bytes(own, &symbols, symbols.child_scope(symbols.root(), own)).expect("it lowers");
    let total = i64::try_from(memory.total()).expect("small");
    let limit = |total, largest| Buffers { total, largest };
    assert!(holds(limit(Some(total), None), "memory"));
    assert!(!holds(limit(Some(total - 1), None), "memory"));
    // The largest is that of partial sums: 9 tiles of 9 windows, 4 kernels, 3 chunks.
    let largest = 4 * 9 * 9 * 4 * 3;
    assert!(holds(limit(None, Some(largest)), "buffer"));
    assert!(!holds(limit(None, Some(largest - 1)), "buffer"));
}
