//! The cases of Table 3 of the paper and of its section 6.4, as `benches/operators/flextensor.toml` has them.

use crate::common::{file, tensor};
use terrace_search_graphs::Graph;
use toml::{Table, Value};

fn table() -> Table {
    let text = std::fs::read_to_string(file("benches/operators/flextensor.toml")).expect("it is there");
    text.parse().expect("a table")
}

fn list<'t>(entry: &'t Value, key: &str) -> Vec<&'t str> {
    entry.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The graphs of an operator at sizes of the table
fn graphs(name: &str, entry: &Value, key: &str) -> Vec<Graph> {
    let path = file(&format!("benches/operators/flextensor/{name}.tensor"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    list(entry, key).into_iter().map(|sizes| tensor(&format!("{name} {sizes}"), &text, sizes)).collect()
}

fn slashed([spatial, reduce]: [usize; 2]) -> String {
    format!("{spatial}/{reduce}")
}

/// Points of the main node: the paper counts a product with its addition as one operation
fn points(graph: &Graph) -> u64 {
    graph.main().and_then(|n| graph.nodes[n].points).expect("a main node")
}

#[test]
fn d27_d28_every_case_is_in_the_table() {
    let wanted = [
        ("GMV", 6),
        ("GMM", 7),
        ("BIL", 5),
        ("C1D", 7),
        ("T1D", 7),
        ("C2D", 15),
        ("T2D", 15),
        ("C3D", 8),
        ("T3D", 8),
        ("GRP", 14),
        ("DEP", 7),
        ("DIL", 11),
        ("BCM", 6),
        ("SHO", 4),
    ];
    let table = table();
    let found: Vec<(String, usize)> =
        table.iter().map(|(name, entry)| (name.to_uppercase(), list(entry, "sizes").len())).collect();
    assert_eq!(found.len(), wanted.len());
    for (name, cases) in wanted {
        assert!(found.contains(&(name.into(), cases)), "{name}: {found:?}");
    }
    let paper = table.values().filter_map(|entry| entry.get("paper")?.get("cases")?.as_integer());
    assert_eq!(paper.sum::<i64>(), 110);
    assert_eq!(list(&table["c2d"], "labels").len(), 15);
}

#[test]
fn d6_d27_every_case_verifies_and_has_its_operators_graph() {
    for (name, entry) in &table() {
        let all: Vec<Graph> = ["sizes", "small"].iter().flat_map(|key| graphs(name, entry, key)).collect();
        for graph in &all {
            assert_eq!(graph.nodes.len(), all[0].nodes.len(), "{name}");
            assert_eq!(graph.counts(), all[0].counts(), "{name}");
        }
    }
}

/// Operators, by what the table counts: the loops of all nodes, those of the main node, or neither
#[test]
fn d6_f11_table_3_counts_loops_in_two_ways() {
    let (mut by_graph, mut by_node, mut neither) = (Vec::new(), Vec::new(), Vec::new());
    let mut values = Vec::new();
    for (name, entry) in &table() {
        let graph = graphs(name, entry, "sizes").remove(0);
        let (all, main) =
            (slashed(graph.counts()), slashed(graph.nodes[graph.main().expect("one")].counts()));
        values.push(format!("{name} {all} {main} {}", graph.nodes.len()));
        let Some(paper) = entry.get("paper") else { continue };
        assert_eq!(paper["nodes"].as_integer(), Some(graph.nodes.len() as i64), "{name}");
        match paper["loops"].as_str().expect("text") {
            loops if loops == all => by_graph.push(name.clone()),
            loops if loops == main => by_node.push(name.clone()),
            _ => neither.push(name.clone()),
        }
    }
    // Operator, loops of all nodes, of the main node, number of nodes.
    let wanted = [
        "bcm 4/1 2/1 2",
        "bil 2/2 2/2 1",
        "c1d 6/2 3/2 2",
        "c2d 8/3 4/3 2",
        "c3d 10/4 5/4 2",
        "dep 8/2 4/2 2",
        "dil 8/3 4/3 2",
        "gmm 2/1 2/1 1",
        "gmv 1/1 1/1 1",
        "grp 8/3 4/3 2",
        "sho 8/0 4/0 2",
        "t1d 9/2 3/2 3",
        "t2d 12/3 4/3 3",
        "t3d 15/4 5/4 3",
    ];
    values.sort_unstable();
    assert_eq!(values, wanted);
    by_graph.sort_unstable();
    by_node.sort_unstable();
    assert_eq!(by_graph, ["bil", "c1d", "c2d", "c3d", "gmm", "gmv", "t1d", "t2d", "t3d"]);
    assert_eq!(by_node, ["dil", "grp"]);
    // A depthwise convolution has no reduced channel, by the paper's own definition: 4/2, where the table has 4/3.
    assert_eq!(neither, ["dep"]);
}

/// `3.7G`
fn number(text: &str) -> f64 {
    let digits = text.trim_end_matches(['K', 'M', 'G']);
    let unit = match text.chars().last() {
        Some('K') => 1e3,
        Some('M') => 1e6,
        Some('G') => 1e9,
        _ => 1.0,
    };
    digits.parse::<f64>().expect("a number") * unit
}

/// Cases whose products are outside of the range that the table prints, by more than its digits
#[test]
fn d27_f11_flops_are_in_the_ranges_of_table_3_but_for_some() {
    let mut outside = Vec::new();
    for (name, entry) in &table() {
        let Some(range) = entry.get("paper").and_then(|paper| paper["flops"].as_str()) else { continue };
        let (low, high) = range.split_once('-').unwrap_or((range, range));
        for (graph, sizes) in graphs(name, entry, "sizes").iter().zip(list(entry, "sizes")) {
            let points = points(graph) as f64;
            if points < 0.93 * number(low) || points > 1.08 * number(high) {
                outside.push(format!("{name} {sizes}"));
            }
        }
    }
    outside.sort_unstable();
    let wanted = [
        "c1d C=1024 L=49 K=1024 R=9 S=1 P=1",
        "c1d C=128 L=3136 K=256 R=9 S=1 P=1",
        "c1d C=256 L=784 K=512 R=9 S=1 P=1",
        "c1d C=512 L=196 K=1024 R=9 S=1 P=1",
        "dil C=1024 H=14 W=14 K=1024 R=3 S=1 P=1 D=2",
        "dil C=256 H=56 W=56 K=512 R=3 S=1 P=1 D=2",
        "dil C=512 H=28 W=28 K=1024 R=3 S=1 P=1 D=2",
        "gmv M=2048 K=2048",
        "gmv M=4096 K=4096",
        "t1d C=1024 L=190 K=512 R=9 S=1 P=1",
        "t1d C=1024 L=43 K=1024 R=9 S=1 P=1",
        "t1d C=256 L=3130 K=128 R=9 S=1 P=1",
        "t1d C=512 L=778 K=256 R=9 S=1 P=1",
        "t3d C=64 D=8 H=56 W=56 K=3 R=7 S=2 P=3",
    ];
    assert_eq!(outside, wanted);
}

#[test]
fn products_of_table_4_are_those_that_were_counted_by_hand() {
    let table = table();
    let of = |name: &str| -> Vec<u64> { graphs(name, &table[name], "sizes").iter().map(points).collect() };
    assert_eq!(
        of("c2d"),
        [
            472_055_808,
            1_387_266_048,
            77_070_336,
            924_844_032,
            205_520_896,
            3_699_376_128,
            102_760_448,
            924_844_032,
            205_520_896,
            3_699_376_128,
            102_760_448,
            924_844_032,
            1_849_688_064,
            462_422_016,
            462_422_016,
        ]
    );
    let dep = of("dep");
    assert_eq!((dep.iter().min(), dep.iter().max()), (Some(&254_016), Some(&3_612_672)));
    assert_eq!(of("grp")[1], 19_267_584);
}
