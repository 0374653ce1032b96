//! A model's list of sub-graphs: reading a line, and printing it as the JSON that the front end takes.

use serde_json::{Value, json};
use std::path::Path;

/// Type and shape of a tensor
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tensor {
    pub elem: String,
    pub shape: Vec<i64>,
}

/// What an op reads
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// An input, or the result of an op
    Value(usize),
    /// A number with its type
    Constant(String, String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Op {
    pub name: String,
    /// What is in brackets behind the name
    pub detail: String,
    pub operands: Vec<Operand>,
    pub result: Tensor,
}

/// A sub-graph, and how many files have it
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    pub count: usize,
    pub inputs: Vec<Tensor>,
    pub ops: Vec<Op>,
    pub results: Vec<usize>,
}

/// The list of a model
pub fn list(model: &str) -> Vec<Graph> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-files/frontends/composite/models");
    let text = std::fs::read_to_string(folder.join(format!("{model}.txt"))).expect("the list is there");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| graph(line).unwrap_or_else(|| panic!("{model}: {line}"))).collect()
}

fn graph(line: &str) -> Option<Graph> {
    let parts: Vec<&str> = line.split('|').map(str::trim).collect();
    let [count, inputs, ops, results] = parts[..] else { return None };
    let inputs: Vec<Tensor> = inputs.split_whitespace().map(tensor).collect::<Option<_>>()?;
    let mut made = Graph { count: count.parse().ok()?, inputs, ops: Vec::new(), results: Vec::new() };
    for text in ops.split(';') {
        let op = op(text, &made)?;
        made.ops.push(op);
    }
    made.results = results.split_whitespace().map(|n| n.parse().ok()).collect::<Option<_>>()?;
    Some(made)
}

/// `f16:64x2`
fn tensor(text: &str) -> Option<Tensor> {
    let (elem, sizes) = text.split_once(':').unwrap_or((text, ""));
    let sizes = sizes.split('x').filter(|size| !size.is_empty());
    Some(Tensor { elem: elem.into(), shape: sizes.map(|size| size.parse().ok()).collect::<Option<_>>()? })
}

fn op(text: &str, graph: &Graph) -> Option<Op> {
    let (text, given) = match text.split_once("->") {
        Some((text, ty)) => (text, Some(tensor(ty.trim())?)),
        None => (text, None),
    };
    let mut words = text.split_whitespace();
    let head = words.next()?;
    let (name, detail) = head.split_once('[').unwrap_or((head, "]"));
    let operand = |word: &str| match word.strip_prefix('=') {
        Some(number) => {
            let (number, elem) = number.split_once(':').unwrap_or((number, "f32"));
            Some(Operand::Constant(number.into(), elem.into()))
        }
        None => Some(Operand::Value(word.parse().ok()?)),
    };
    let operands: Vec<Operand> = words.map(operand).collect::<Option<_>>()?;
    let result = match given {
        Some(given) => given,
        None => {
            broadcast(&operands.iter().map(|operand| graph.tensor(operand)).collect::<Option<Vec<_>>>()?)?
        }
    };
    let detail = detail.strip_suffix(']')?.to_owned();
    Some(Op { name: name.into(), detail, operands, result })
}

/// The type of the first, the shape of all
fn broadcast(all: &[Tensor]) -> Option<Tensor> {
    let rank = all.iter().map(|one| one.shape.len()).max()?;
    let mut shape = vec![1; rank];
    for one in all {
        for (n, size) in one.shape.iter().rev().enumerate().filter(|(_, size)| **size != 1) {
            shape[rank - 1 - n] = *size;
        }
    }
    Some(Tensor { elem: all[0].elem.clone(), shape })
}

impl Graph {
    pub fn tensor(&self, operand: &Operand) -> Option<Tensor> {
        match operand {
            Operand::Constant(_, elem) => Some(Tensor { elem: elem.clone(), shape: vec![1] }),
            Operand::Value(n) => match self.inputs.get(*n) {
                Some(input) => Some(input.clone()),
                None => self.ops.get(n - self.inputs.len()).map(|op| op.result.clone()),
            },
        }
    }

    /// Types of all tensors
    pub fn tensors(&self) -> impl Iterator<Item = &Tensor> {
        self.inputs.iter().chain(self.ops.iter().map(|op| &op.result))
    }

    /// As the front end takes it
    pub fn json(&self) -> String {
        let value = |n: usize| match self.tensor(&Operand::Value(n)) {
            Some(one) => described(&one, &self.name(n)),
            None => Value::Null,
        };
        let inputs: Vec<Value> = (0..self.inputs.len()).map(|n| json!([value(n)])).collect();
        let results: Vec<Value> = self.results.iter().map(|n| value(*n)).collect();
        let ops: Vec<Value> = self.ops.iter().enumerate().map(|(n, op)| self.op(n, op)).collect();
        json!({
            "composite": true, "op": "graph", "platform": "AKG", "process": "cuda",
            "input_desc": inputs, "op_desc": ops, "output_desc": results,
        })
        .to_string()
    }

    fn name(&self, n: usize) -> String {
        match n.checked_sub(self.inputs.len()) {
            None => format!("input_{n}"),
            Some(op) => format!("output_{op}"),
        }
    }

    fn op(&self, n: usize, op: &Op) -> Value {
        let operand = |(k, operand): (usize, &Operand)| {
            let Some(tensor) = self.tensor(operand) else { return Value::Null };
            match operand {
                Operand::Value(n) => json!([described(&tensor, &self.name(*n))]),
                Operand::Constant(number, _) => {
                    let mut one = described(&tensor, &format!("constant_{n}_{k}"));
                    one["value"] = json!(number.parse::<f64>().unwrap_or(f64::NAN));
                    json!([one])
                }
            }
        };
        json!({
            "name": op.name,
            "attr": attributes(op),
            "input_desc": op.operands.iter().enumerate().map(operand).collect::<Vec<_>>(),
            "output_desc": [described(&op.result, &self.name(self.inputs.len() + n))],
        })
    }
}

fn described(tensor: &Tensor, name: &str) -> Value {
    let word = match tensor.elem.as_str() {
        "i1" => "bool".to_owned(),
        elem => elem.replacen('f', "float", 1).replacen('i', "int", 1),
    };
    json!({ "data_type": word, "shape": tensor.shape, "tensor_name": name })
}

/// Attributes by what is in brackets
fn attributes(op: &Op) -> Vec<Value> {
    let numbers = |text: &str| text.split(',').filter_map(|n| n.parse::<i64>().ok()).collect::<Vec<_>>();
    let one = |name: &str, value: Value| json!({ "name": name, "value": value });
    match op.name.as_str() {
        "ReduceSum" | "ReduceMax" | "ReduceMin" => vec![one("axis", json!(numbers(&op.detail)))],
        "Transpose" => vec![one("perm", json!(numbers(&op.detail)))],
        "OneHot" => vec![one("axis", json!(numbers(&op.detail)))],
        "UnPadAkg" => vec![one("tail", json!(numbers(&op.detail)))],
        "PadAkg" => {
            let parts: Vec<&str> = op.detail.split('/').collect();
            let part = |n: usize| numbers(parts.get(n).copied().unwrap_or(""));
            vec![
                one("head", json!(part(0))),
                one("tail", json!(part(1))),
                one("pad_val", json!(part(2).first())),
            ]
        }
        "MatMul" | "BatchMatMul" => {
            let turned = |n: usize| json!(op.detail.split(',').nth(n) == Some("t"));
            vec![one("transpose_a", turned(0)), one("transpose_b", turned(1))]
        }
        _ => Vec::new(),
    }
}
