//! A sub-graph as data, in an order in which each op comes behind those that it reads.

use crate::json::Node;
use crate::{Wrong, codes};
use std::collections::BTreeMap;

/// Most elements of all dimensions together
const ELEMENTS: i64 = 1 << 40;

/// A tensor where it is named
#[derive(Clone, Debug)]
pub struct Tensor<'a> {
    pub name: String,
    /// Type of the elements, as the format names it
    pub elem: String,
    pub shape: Vec<i64>,
    /// A constant of this value
    pub value: Option<Node<'a>>,
    pub at: u32,
}

/// An op
#[derive(Clone, Debug)]
pub struct Op<'a> {
    pub name: String,
    pub attrs: BTreeMap<String, Node<'a>>,
    pub inputs: Vec<Tensor<'a>>,
    pub outputs: Vec<Tensor<'a>>,
    pub at: u32,
}

/// A sub-graph
#[derive(Clone, Debug)]
pub struct Graph<'a> {
    pub name: String,
    /// Words about the graph that are kept: where it runs, and where it comes from
    pub words: Vec<(&'static str, String)>,
    pub inputs: Vec<Tensor<'a>>,
    pub outputs: Vec<Tensor<'a>>,
    pub ops: Vec<Op<'a>>,
}

fn field<'a>(fields: &BTreeMap<String, Node<'a>>, of: Node<'a>, name: &str) -> Result<Node<'a>, Wrong> {
    fields.get(name).copied().ok_or_else(|| of.wrong(format!("expected a field `{name}`")))
}

fn tensor(node: Node<'_>) -> Result<Tensor<'_>, Wrong> {
    let fields = node.fields("a tensor")?;
    let shape = field(&fields, node, "shape")?;
    let mut sizes = Vec::new();
    for size in shape.items("a shape")? {
        let number = size.whole_number().filter(|number| *number >= 0);
        sizes.push(number.ok_or_else(|| {
            Wrong::new(
                size.at(),
                &codes::SHAPE,
                "a size is not a number of elements: shapes are fixed numbers",
            )
        })?);
    }
    let count = sizes.iter().try_fold(1i64, |all, size| all.checked_mul(*size));
    if count.is_none_or(|count| count > ELEMENTS) {
        return Err(Wrong::new(shape.at(), &codes::SHAPE, "the tensor has too many elements"));
    }
    Ok(Tensor {
        name: field(&fields, node, "tensor_name")?.string("a name")?,
        elem: field(&fields, node, "data_type")?.string("a type")?,
        shape: sizes,
        value: fields.get("value").copied().filter(|value| !value.is_null()),
        at: node.at(),
    })
}

/// Lists of lists of tensors, one behind the other
fn nested(node: Node<'_>) -> Result<Vec<Tensor<'_>>, Wrong> {
    let mut all = Vec::new();
    for list in node.items("a list of lists of tensors")? {
        for one in list.items("a list of tensors")? {
            all.push(tensor(one)?);
        }
    }
    Ok(all)
}

fn flat(node: Node<'_>) -> Result<Vec<Tensor<'_>>, Wrong> {
    node.items("a list of tensors")?.into_iter().map(tensor).collect()
}

fn op(node: Node<'_>) -> Result<Op<'_>, Wrong> {
    let fields = node.fields("an op")?;
    let mut attrs = BTreeMap::new();
    for attr in fields.get("attr").map_or(Ok(Vec::new()), |attrs| attrs.items("a list of attributes"))? {
        let parts = attr.fields("an attribute")?;
        let name = field(&parts, attr, "name")?.string("a name")?;
        attrs.insert(name, field(&parts, attr, "value")?);
    }
    let outputs = flat(field(&fields, node, "output_desc")?)?;
    if outputs.is_empty() {
        return Err(node.wrong("an op has one output at least"));
    }
    Ok(Op {
        name: field(&fields, node, "name")?.string("a name")?,
        attrs,
        inputs: nested(field(&fields, node, "input_desc")?)?,
        outputs,
        at: node.at(),
    })
}

impl<'a> Graph<'a> {
    /// The graph that a text says
    pub fn read(text: &'a str) -> Result<Graph<'a>, Wrong> {
        let node = Node::whole(text)?;
        let fields = node.fields("a sub-graph")?;
        let ops = field(&fields, node, "op_desc")?.items("a list of ops")?;
        let ops = ops.into_iter().map(op).collect::<Result<Vec<_>, _>>()?;
        let mut words = Vec::new();
        for name in ["composite_graph", "platform", "process"] {
            if let Some(word) = fields.get(name).filter(|word| !word.is_null()) {
                words.push((name, word.string("a word")?));
            }
        }
        let inputs = match fields.get("input_desc") {
            Some(list) => nested(*list)?,
            None => Vec::new(),
        };
        let graph = Graph {
            name: field(&fields, node, "op")?.string("a name")?,
            words,
            inputs,
            outputs: flat(field(&fields, node, "output_desc")?)?,
            ops,
        };
        graph.ordered()
    }

    /// The same with ops behind those that they read
    fn ordered(mut self) -> Result<Graph<'a>, Wrong> {
        // What makes a tensor: nothing for the graph's own inputs.
        let mut makers: BTreeMap<&str, Option<usize>> = BTreeMap::new();
        let inputs = self.inputs.iter().map(|tensor| (tensor, None));
        let made = self.ops.iter().enumerate();
        let made = made.flat_map(|(n, op)| op.outputs.iter().map(move |tensor| (tensor, Some(n))));
        for (tensor, maker) in inputs.chain(made) {
            if makers.insert(&tensor.name, maker).is_some() {
                let message = format!("tensor `{}` is there already: each is made once", tensor.name);
                return Err(Wrong::new(tensor.at, &codes::TENSOR, message));
            }
        }
        let known: Vec<&str> = makers.keys().copied().collect();
        let maker = |tensor: &Tensor<'_>| match makers.get(&*tensor.name) {
            _ if tensor.value.is_some() => Ok(None),
            Some(maker) => Ok(*maker),
            None => {
                let message = format!(
                    "tensor `{}` is missing: no op makes it, and the graph does not take it",
                    tensor.name
                );
                let mut wrong = Wrong::new(tensor.at, &codes::TENSOR, message);
                wrong.near = terrace_diag::nearest(&tensor.name, known.iter().copied());
                Err(wrong)
            }
        };
        let mut waits: Vec<Vec<usize>> = Vec::new();
        for op in &self.ops {
            let makers = op.inputs.iter().map(maker).collect::<Result<Vec<_>, _>>()?;
            waits.push(makers.into_iter().flatten().collect());
        }
        for tensor in &self.outputs {
            maker(tensor)?;
        }
        let order = order(&waits).map_err(|n| {
            let message =
                format!("`{}` waits for itself: the ops of a graph make no cycle", self.ops[n].name);
            Wrong::new(self.ops[n].at, &codes::CYCLE, message)
        })?;
        let mut ops: Vec<Option<Op<'a>>> = std::mem::take(&mut self.ops).into_iter().map(Some).collect();
        self.ops = order.into_iter().filter_map(|n| ops[n].take()).collect();
        Ok(self)
    }
}

/// An order in which each comes behind those that it waits for, as near to the given one as may be; one of a cycle if there is
/// none
fn order(waits: &[Vec<usize>]) -> Result<Vec<usize>, usize> {
    let mut left: Vec<usize> = waits.iter().map(Vec::len).collect();
    let mut readers = vec![Vec::new(); waits.len()];
    for (n, makers) in waits.iter().enumerate() {
        makers.iter().for_each(|maker| readers[*maker].push(n));
    }
    let mut ready: std::collections::BTreeSet<usize> = (0..waits.len()).filter(|n| left[*n] == 0).collect();
    let mut order = Vec::new();
    while let Some(n) = ready.pop_first() {
        order.push(n);
        for reader in &readers[n] {
            left[*reader] -= 1;
            if left[*reader] == 0 {
                ready.insert(*reader);
            }
        }
    }
    match (0..waits.len()).find(|n| left[*n] > 0) {
        None => Ok(order),
        // From any op that waits, one step back for each op there is ends in a cycle.
        Some(first) => {
            let back = |n: usize| waits[n].iter().copied().find(|maker| left[*maker] > 0).unwrap_or(n);
            Err((0..waits.len()).fold(first, |n, _| back(n)))
        }
    }
}
