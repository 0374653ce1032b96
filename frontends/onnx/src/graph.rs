//! A model as data: its nodes behind those that they read, its tensors by their names, each with a place in the listing.

use crate::codes;
use crate::listing::{Listing, node_label};
use crate::proto::{
    GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, tensor_shape_proto, type_proto,
};
use crate::types::Elem;
use crate::wrong::{Done, Place, Wrong};
use std::collections::{BTreeMap, BTreeSet};

/// Versions of the operators that are known
pub const OPSETS: std::ops::RangeInclusive<i64> = 7..=28;

/// Newest version of the format that is known
pub const IR_VERSION: i64 = 14;

/// An argument or a result of the graph
#[derive(Debug)]
pub(crate) struct Port {
    pub name: String,
    pub elem: Elem,
    /// Sizes with values from outside; an open one is an error for arguments
    pub shape: Option<Vec<Size>>,
    pub at: Place,
}

/// A size of a port
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Size {
    Known(i64),
    /// With the name that the model gives it
    Open(Option<String>),
}

/// A node with what messages call it
#[derive(Debug)]
pub(crate) struct Node<'m> {
    pub proto: &'m NodeProto,
    pub label: String,
    pub at: Place,
}

/// A graph in an order in which it can be computed
#[derive(Debug)]
pub(crate) struct Graph<'m> {
    pub name: &'m str,
    pub version: i64,
    pub inputs: Vec<Port>,
    pub outputs: Vec<Port>,
    pub initializers: Vec<(&'m TensorProto, Place)>,
    pub nodes: Vec<Node<'m>>,
}

/// The graph of a model with its listing
pub(crate) fn graph<'m>(
    model: &'m ModelProto,
    listing: &Listing,
    sets: &[(String, String)],
) -> Done<Graph<'m>> {
    let version = version(model, listing)?;
    let graph = model.graph.as_ref().ok_or_else(|| Wrong::new(&codes::FORMAT, "the model has no graph"))?;
    if let Some(sparse) = graph.sparse_initializer.first() {
        let name = sparse.values.as_ref().map_or("", |values| values.name());
        let message = format!("initializer `{name}` is sparse, which has no form here");
        return Err(Wrong::new(&codes::DATA, message));
    }
    let given: BTreeSet<&str> = graph.initializer.iter().map(|tensor| tensor.name()).collect();
    let mut inputs = Vec::new();
    for (info, at) in graph.input.iter().zip(&listing.inputs) {
        // Files of version 3 have initializers as inputs too: their values are theirs unless a caller has others, which has no form here.
        if !given.contains(info.name()) {
            inputs.push(closed(port(info, "input", *at, sets)?)?);
        }
    }
    let mut outputs = Vec::new();
    for (info, at) in graph.output.iter().zip(&listing.outputs) {
        outputs.push(port(info, "output", *at, sets)?);
    }
    let initializers: Vec<_> = graph.initializer.iter().zip(listing.initializers.iter().copied()).collect();
    let nodes = ordered(graph, listing, &inputs)?;
    Ok(Graph { name: graph.name(), version, inputs, outputs, initializers, nodes })
}

/// The version of the operators
fn version(model: &ModelProto, listing: &Listing) -> Done<i64> {
    let wrong = |message: String| Wrong::new(&codes::VERSION, message).at(listing.model);
    if model.ir_version() > IR_VERSION {
        let version = model.ir_version();
        return Err(wrong(format!(
            "version {version} of the format is not known: up to {IR_VERSION} are accepted"
        )));
    }
    let own = |domain: &str| domain.is_empty() || domain == "ai.onnx";
    let found = model.opset_import.iter().filter(|set| own(set.domain())).map(|set| set.version()).max();
    let (first, last) = (OPSETS.start(), OPSETS.end());
    let accepted = format!("operators of versions {first} to {last} are accepted");
    match found {
        // None of the operators is ONNX's own: they are named as unknown ones.
        None if model.graph.as_ref().is_some_and(|graph| {
            !graph.node.is_empty() && graph.node.iter().all(|node| !own(node.domain()))
        }) =>
        {
            Ok(*last)
        }
        None => Err(wrong(format!("the model does not say the version of its operators: {accepted}"))),
        Some(version) if OPSETS.contains(&version) => Ok(version),
        Some(version) => {
            let wrong = wrong(format!("the model has operators of version {version}: {accepted}"));
            Err(wrong.help("`onnx.version_converter.convert_version` converts models"))
        }
    }
}

fn port(info: &ValueInfoProto, what: &str, at: Place, sets: &[(String, String)]) -> Done<Port> {
    let name = info.name();
    let wrong = |message: &str| Wrong::new(&codes::SHAPE, format!("{what} `{name}` {message}")).at(at);
    let tensor = match info.r#type.as_ref().and_then(|ty| ty.value.as_ref()) {
        Some(type_proto::Value::TensorType(tensor)) => tensor,
        Some(_) => return Err(wrong("is no tensor, which has no form here")),
        None => return Err(wrong("has no type")),
    };
    let elem = Elem::of(tensor.elem_type())
        .map_err(|elem| wrong(&format!("has elements of type {elem}, which have no form here")))?;
    let mut shape = None;
    if let Some(dims) = &tensor.shape {
        let mut sizes = Vec::new();
        for dim in &dims.dim {
            sizes.push(match &dim.value {
                Some(tensor_shape_proto::dimension::Value::DimValue(size)) if *size >= 0 => {
                    Size::Known(*size)
                }
                Some(tensor_shape_proto::dimension::Value::DimParam(name)) if !name.is_empty() => {
                    set(name, sets)?.map_or(Size::Open(Some(name.clone())), Size::Known)
                }
                _ => Size::Open(None),
            });
        }
        shape = Some(sizes);
    }
    Ok(Port { name: name.into(), elem, shape, at })
}

/// The value that a size has from outside
fn set(name: &str, sets: &[(String, String)]) -> Done<Option<i64>> {
    let Some((_, text)) = sets.iter().rev().find(|(set, _)| set == name) else { return Ok(None) };
    match text.parse::<i64>() {
        Ok(size) if size >= 0 => Ok(Some(size)),
        _ => Err(Wrong::new(&codes::SIZE, format!("`--set {name}={text}`: a size is a number, 0 or more"))),
    }
}

/// An argument whose sizes are all known
fn closed(port: Port) -> Done<Port> {
    let wrong = |message: String| Wrong::new(&codes::SIZE, message).at(port.at);
    let name = &port.name;
    let Some(shape) = &port.shape else {
        return Err(wrong(format!("input `{name}` has no shape")));
    };
    for (n, size) in shape.iter().enumerate() {
        match size {
            Size::Known(_) => {}
            Size::Open(Some(open)) => {
                let message = format!("size `{open}` of input `{name}`, dimension {n}, is open");
                return Err(wrong(message).help(format!("give it: --set {open}=1")));
            }
            Size::Open(None) => {
                let message = format!("dimension {n} of input `{name}` has no size and no name");
                return Err(wrong(message).help("give it one in the model"));
            }
        }
    }
    Ok(port)
}

/// Nodes behind those that they read, else in their order
fn ordered<'m>(graph: &'m GraphProto, listing: &Listing, inputs: &[Port]) -> Done<Vec<Node<'m>>> {
    let wrong = |message: String, at: Place| Wrong::new(&codes::TENSOR, message).at(at);
    // Who makes a tensor: no node what is there at the start.
    let mut makers: BTreeMap<&str, Option<usize>> = BTreeMap::new();
    let there = inputs.iter().map(|port| (port.name.as_str(), None, port.at));
    let given = graph.initializer.iter().zip(&listing.initializers).map(|(one, at)| (one.name(), None, *at));
    let made = graph.node.iter().zip(&listing.nodes).enumerate().flat_map(|(n, (node, at))| {
        node.output.iter().filter(|name| !name.is_empty()).map(move |name| (name.as_str(), Some(n), *at))
    });
    for (name, maker, at) in there.chain(given).chain(made) {
        if makers.insert(name, maker).is_some() {
            return Err(wrong(format!("tensor `{name}` is there already: each is made once"), at));
        }
    }
    let missing = |name: &str, reader: &str, at: Place| {
        let why = "no node makes it, and it is no input or initializer";
        let found = wrong(format!("tensor `{name}` of {reader} is missing: {why}"), at);
        match terrace_diag::nearest(name, makers.keys().copied()) {
            Some(near) => found.help(format!("did you mean `{near}`?")),
            None => found,
        }
    };
    let mut waits: Vec<BTreeSet<usize>> = Vec::new();
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); graph.node.len()];
    for (n, (node, at)) in graph.node.iter().zip(&listing.nodes).enumerate() {
        let mut all = BTreeSet::new();
        for name in node.input.iter().filter(|name| !name.is_empty()) {
            let maker = makers.get(name.as_str());
            let label = format!("node `{}`", node_label(node, n));
            if let Some(maker) = *maker.ok_or_else(|| missing(name, &label, *at))? {
                all.insert(maker);
            }
        }
        all.iter().for_each(|maker| readers[*maker].push(n));
        waits.push(all);
    }
    for (info, at) in graph.output.iter().zip(&listing.outputs) {
        if !makers.contains_key(info.name()) {
            return Err(missing(info.name(), "the graph's outputs", *at));
        }
    }
    let mut ready: BTreeSet<usize> = (0..waits.len()).filter(|n| waits[*n].is_empty()).collect();
    let mut order = Vec::new();
    while let Some(n) = ready.pop_first() {
        let proto = &graph.node[n];
        order.push(Node { proto, label: node_label(proto, n), at: listing.nodes[n] });
        for reader in &readers[n] {
            waits[*reader].remove(&n);
            if waits[*reader].is_empty() {
                ready.insert(*reader);
            }
        }
    }
    match order.len() == graph.node.len() {
        true => Ok(order),
        false => Err(cycle(graph, listing, &waits)),
    }
}

/// The nodes of a cycle, by following what each waits for
fn cycle(graph: &GraphProto, listing: &Listing, waits: &[BTreeSet<usize>]) -> Wrong {
    let mut at = waits.iter().position(|waits| !waits.is_empty()).unwrap_or(0);
    let mut path: Vec<usize> = Vec::new();
    let mut seen = BTreeSet::new();
    while seen.insert(at) {
        path.push(at);
        at = waits[at].first().copied().unwrap_or(at);
    }
    let start = path.iter().position(|n| *n == at).unwrap_or(0);
    let name = |n: &usize| format!("`{}`", node_label(&graph.node[*n], *n));
    let mut names: Vec<String> = path[start..].iter().map(name).collect();
    names.push(name(&at));
    let shown = match names.len() {
        0..=8 => names.join(" waits for "),
        count => format!("{}, {} more, waits for {}", names[..6].join(" waits for "), count - 7, name(&at)),
    };
    Wrong::new(&codes::CYCLE, format!("the graph has a cycle: {shown}")).at(listing.nodes[at])
}
