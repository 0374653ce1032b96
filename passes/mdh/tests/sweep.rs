//! One operator on three targets: the split factor of one loop from 8 to 512 (paper: FlexTensor, Figure 1b), by the models of all three.
//! Nothing is measured.

use crate::common::parse;
use crate::primitives::{function, operator};
use terrace_devices::Device;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::View;
use terrace_schedule_cost::Computed;
use terrace_schedule_fpga::{Convolution, Design, Fpga, estimate};
use terrace_schedule_model::apply::Extras;
use terrace_search_graphs::Graph;
use terrace_search_primitives::{Layout, Parts, Value, Vector, decode};

/// Layer C8 of YOLO-v1
const C8: &str = "B=1 C=256 H=28 W=28 K=512 R=3 S=1 P=1";

/// A vector of the layer in which the filters are split by this factor: b k y x c r s
fn vector(layout: &Layout, factor: i64, grid: bool) -> Vector {
    let filters = match grid {
        // Threads of a block.
        true => vec![512 / factor, 1, factor, 1],
        // A tile of a task.
        false => vec![512 / factor, factor, 1, 1],
    };
    let mut factors: Vec<Vec<i64>> = layout
        .loops
        .iter()
        .zip(&layout.parts)
        .map(|(own, parts)| {
            let mut all = vec![1; *parts];
            all[if own.reduce { 0 } else { parts - 1 }] = own.trip;
            all
        })
        .collect();
    factors[1] = filters;
    factors[2] = vec![28, 1, 1, 1];
    // Blocks, then threads, or what is parallel; then by part. Rows of the result are innermost.
    let mut order: Vec<usize> = (0..layout.subs.len()).collect();
    let class = |n: &usize| {
        let sub = layout.subs[*n];
        let running = factors[sub.dim][sub.part] > 1;
        let innermost = sub.dim == 3 && sub.part == 3;
        (format!("{:?}", sub.role), innermost, !running && sub.part > 0, sub.part, *n)
    };
    order.sort_by_key(|n| {
        let (role, innermost, unit, part, n) = class(n);
        let role = match &role[..] {
            own if own.starts_with("Block") => 0,
            own if own.starts_with("Thread") => 1,
            _ => 2,
        };
        (role, innermost, part, unit, n)
    });
    let mut values: Vec<Value> = factors.into_iter().map(Value::Factors).collect();
    values.push(Value::Permutation(order.into_iter().map(|n| n + 1).collect()));
    if layout.fuses() {
        values.push(Value::Kept(std::iter::once(1).chain(4..=layout.subs.len()).collect()));
    }
    values.resize(layout.values(), Value::Flag(false));
    Vector(values)
}

/// Seconds or cycles of each factor, by target
fn sweep() -> String {
    let text = operator("c2d", C8);
    let module = parse(&text);
    let (_, unit) = function(&module);
    let graph = Graph::read(unit).expect("it was verified");
    let node = &graph.nodes[graph.main().expect("it has nodes")];
    let op = Compute::cast(unit, node.op).expect("a computation");
    let computed: Computed =
        View::read(unit, op).expect("verified").computed(unit, op).expect("it can be estimated");
    let (host, grid) =
        (Device::find("x86-64-v3").expect("built in"), Device::find("cuda").expect("built in"));
    let fpga = Fpga::vu9p();
    let layer = Convolution {
        batch: 1,
        channels: 256,
        height: 30,
        width: 30,
        filters: 512,
        window: 3,
        stride: 1,
        bytes: 4,
    };
    let mut lines = String::new();
    for factor in [8, 16, 32, 64, 128, 256, 512] {
        let on = |device: &Device, on_grid: bool| {
            let layout = Layout::of_node(node, device, Parts::ARTIFACT, 2, 1).expect("it has loops");
            let vector = vector(&layout, factor, on_grid);
            decode(&layout, &vector).unwrap_or_else(|why| panic!("{vector}: {why}"))
        };
        let cycles = computed.estimate(&on(&host, false), &Extras::default(), &host);
        let cycles = cycles.expect("it breaks no rule").expect("it has loops").total;
        let extras = Extras { grid: true, warp: Some(grid.warp), ..Extras::default() };
        let kernel = computed.on_grid(&on(&grid, true), &extras, &grid).expect("it breaks no rule");
        let kernel = kernel.expect("it is one kernel").seconds;
        let design = Design { pipelines: 1, lanes: factor, banks: (factor / fpga.ports).min(64) };
        let design = estimate(&fpga, &layer.rounds(9, 30).expect("it fits"), &design).expect("there is room");
        lines += &format!(
            "{{\"factor\": {factor}, \"x86-64-v3\": {{\"cycles\": {cycles:.4e}}}, \"cuda\": {{\"seconds\": {kernel:.4e}}}, \"vu9p\": {{\"seconds\": {:.4e}}}}}\n",
            design.seconds
        );
    }
    lines
}

/// D33: the sweep of Figure 1b, which is in the repository; the best factor is another one on each target
#[test]
fn split_factors_on_three_targets() {
    let found = sweep();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/figures/split-factors.jsonl");
    if std::env::var_os("TERRACE_BLESS").is_some() {
        std::fs::write(file, &found).expect("the folder is there");
    }
    assert_eq!(
        found,
        std::fs::read_to_string(file).expect("it is in the repository"),
        "TERRACE_BLESS=1 writes it"
    );
    let lines: Vec<&str> = found.lines().collect();
    let best = |target: &str| {
        let number = |line: &&&str| -> f64 {
            let rest =
                line.split(&format!("\"{target}\": {{")).nth(1).and_then(|rest| rest.split(": ").nth(1));
            rest.and_then(|rest| rest.split('}').next()).and_then(|word| word.parse().ok()).expect("a number")
        };
        let at = lines.iter().min_by(|a, b| number(a).total_cmp(&number(b))).expect("there are some");
        at.split(',').next().expect("a factor").to_owned()
    };
    let all = ["x86-64-v3", "cuda", "vu9p"].map(best);
    println!("{all:?}\n{found}");
    assert!(all[0] != all[1] || all[1] != all[2], "{all:?}");
}
