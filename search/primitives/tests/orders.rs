//! Orders of phases.

use std::collections::HashMap;
use terrace_schedule_model::{Decision, Point};
use terrace_search_explore::{Space, Walk, check};
use terrace_search_primitives::orders::{Group, Order, search};

/// A size for each of two nodes, and whether the first is inlined into the second: then its own size is 1, and the second's at most 4
struct Two;

impl Space for Two {
    fn names(&self) -> Vec<String> {
        ["a", "b", "inline"].map(String::from).to_vec()
    }

    fn values(&self, before: &[Decision]) -> Vec<Decision> {
        match before {
            [] | [_] => [1, 2, 4, 8].map(Decision::Number).to_vec(),
            [Decision::Number(1), Decision::Number(1..=4)] => [false, true].map(Decision::There).to_vec(),
            _ => vec![Decision::There(false)],
        }
    }
}

fn cost(point: &Point) -> f64 {
    let number = |n: usize| match point[n] {
        Decision::Number(number) => number as f64,
        _ => 0.0,
    };
    let inlined = point[2] == Decision::There(true);
    // Inlined the producer is free, and small tiles of the reader are best; else large ones are.
    if inlined { 5.0 + (number(1) - 2.0).abs() } else { 30.0 - number(0) - number(1) }
}

/// D23: each order is one of valid points, none is dearer than where it began, and they differ in what they open when
#[test]
fn each_order_leads_to_valid_points() {
    let groups = |group: Group| match group {
        Group::Node(n) => vec![n],
        Group::Graph => vec![2],
    };
    let start = Point::from_iter([Decision::Number(1), Decision::Number(1), Decision::There(false)]);
    let mut found = HashMap::new();
    for order in [Order::BottomUp, Order::TopDown, Order::Recurrent(5)] {
        let mut all = Vec::new();
        let mut best = |phase: &terrace_search_primitives::Phase<'_>, at: &Point| {
            let points: Vec<Point> = Walk::new(phase).collect();
            // Only what is open differs.
            for point in &points {
                assert!(check(&Two, point).is_ok());
                assert!((0..3).filter(|n| point[*n] != at[*n]).count() <= 1);
            }
            all.extend(points.clone());
            points.into_iter().map(|point| (point.clone(), cost(&point))).min_by(|a, b| a.1.total_cmp(&b.1))
        };
        let own = search(&Two, order, 2, &groups, (start.clone(), cost(&start)), &mut best);
        assert!(check(&Two, &own.point).is_ok() && own.cost <= cost(&start));
        assert_eq!(own.cost, cost(&own.point));
        found.insert(
            format!("{order:?}"),
            (own.phases.iter().map(|(group, _)| *group).collect::<Vec<_>>(), own.cost),
        );
    }
    let (nodes, graph) = ([Group::Node(0), Group::Node(1)], Group::Graph);
    // Nodes first: large tiles, and then nothing can be inlined. The graph first: it is inlined, and the reader's tile follows.
    assert_eq!(found["BottomUp"], (vec![nodes[0], nodes[1], graph], 14.0));
    assert_eq!(found["TopDown"], (vec![graph, nodes[0], nodes[1]], 5.0));
    // A second round gains nothing, and is the last.
    assert_eq!(found["Recurrent(5)"], ([nodes[0], nodes[1], graph].repeat(2), 14.0));
}
