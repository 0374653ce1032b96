//! A graph as JSON, and that JSON as text.

use crate::graph::{Edge, Graph, Node, Origin};
use serde_json::{Value, json};
use std::fmt::Write;

impl Graph {
    /// `{"function", "#node", "loops": {"graph", "node"}, "main", "nodes": […], "tensors": […]}`; nodes are counted from 1
    pub fn to_json(&self) -> Value {
        let loops = |[spatial, reduce]: [usize; 2]| json!({ "#sl": spatial, "#rl": reduce });
        let main = self.main();
        json!({
            "function": self.function,
            "#node": self.nodes.len(),
            "main": main.map(|n| n + 1),
            "loops": { "graph": loops(self.counts()), "node": main.map(|n| loops(self.nodes[n].counts())) },
            "nodes": self.nodes.iter().enumerate().map(|(n, node)| self.node(n, node)).collect::<Vec<_>>(),
            "tensors": self.edges.iter().map(tensor).collect::<Vec<_>>(),
        })
    }

    fn node(&self, n: usize, node: &Node) -> Value {
        let names = |edges: &[usize]| -> Vec<&str> {
            edges.iter().map(|edge| self.edges[*edge].name.as_str()).collect()
        };
        let trips = |reduce| node.loops_of(reduce).map(|one| one.trip).collect::<Vec<_>>();
        let [spatial, reduce] = node.counts();
        json!({
            "node": n + 1,
            "name": node.name,
            "#sl": spatial,
            "#rl": reduce,
            "stc": trips(false),
            "rtc": trips(true),
            "order": node.loops.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(),
            "#in": node.reads.len(),
            "#out": node.makes.len(),
            "#cs": node.consumers.len(),
            "in": names(&node.reads),
            "out": names(&node.makes),
            "cs": numbers(&node.consumers),
            "points": node.points,
            "operations": node.operations,
        })
    }
}

fn numbers(nodes: &[usize]) -> Vec<usize> {
    nodes.iter().map(|n| n + 1).collect()
}

fn tensor(edge: &Edge) -> Value {
    let from = match &edge.from {
        Origin::Node(n) => json!(n + 1),
        Origin::Argument => json!("argument"),
        Origin::Carried => json!("carried"),
        Origin::Op(name) => json!(name),
    };
    json!({
        "name": edge.name,
        "type": edge.ty,
        "from": from,
        "to": numbers(&edge.to),
        "result": edge.leaves,
    })
}

/// What [`Graph::to_json`] gives, as lines to read
pub fn text(graph: &Value) -> String {
    let mut out = String::new();
    let count = |of: &Value| format!("{}/{}", word(&of["#sl"]), word(&of["#rl"]));
    let _ = write!(out, "func @{}: #node {}", word(&graph["function"]), word(&graph["#node"]));
    let _ = write!(out, ", #sl/#rl {} by graph", count(&graph["loops"]["graph"]));
    if !graph["main"].is_null() {
        let _ = write!(out, ", {} by node ({})", count(&graph["loops"]["node"]), word(&graph["main"]));
    }
    out.push('\n');
    let columns = [
        "node",
        "name",
        "#sl",
        "#rl",
        "stc",
        "rtc",
        "order",
        "#in",
        "#out",
        "#cs",
        "in",
        "out",
        "cs",
        "points",
        "operations",
    ];
    table(&columns, &graph["nodes"], &mut out);
    table(&["name", "type", "from", "to", "result"], &graph["tensors"], &mut out);
    out
}

/// A value in a cell
fn word(value: &Value) -> String {
    match value {
        Value::Null => "–".into(),
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "–".into(),
        Value::String(text) => text.clone(),
        Value::Array(all) if all.is_empty() => "–".into(),
        Value::Array(all) => all.iter().map(word).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// Rows of objects under their keys; numbers are flush right
fn table(columns: &[&str], rows: &Value, out: &mut String) {
    let rows: Vec<&Value> = rows.as_array().into_iter().flatten().collect();
    let cells: Vec<Vec<String>> =
        rows.iter().map(|row| columns.iter().map(|key| word(&row[*key])).collect()).collect();
    let width = |n: usize| {
        let all = cells.iter().map(|row| row[n].chars().count());
        all.chain([columns[n].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let right = |n: usize| !rows.is_empty() && rows.iter().all(|row| row[columns[n]].is_number());
    let mut line = |row: &[String]| {
        let mut text = String::new();
        for (n, cell) in row.iter().enumerate() {
            let width = widths[n];
            let _ =
                if right(n) { write!(text, "  {cell:>width$}") } else { write!(text, "  {cell:<width$}") };
        }
        let _ = writeln!(out, "{}", text.trim_end());
    };
    line(&columns.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
    cells.iter().for_each(|row| line(row));
}
