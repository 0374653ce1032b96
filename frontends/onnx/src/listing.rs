//! The listing of a model: a text that messages point into, since the file is none.
//!
//! One line for each input, output, initializer and node, much as ONNX's own text has them. It holds no elements.

use crate::proto::{
    AttributeProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, attribute_proto::AttributeType,
    tensor_shape_proto, type_proto,
};
use crate::types::Elem;
use crate::wrong::Place;
use std::fmt::Write;

/// The text, and where what is in it
#[derive(Default, Debug)]
pub(crate) struct Listing {
    pub text: String,
    pub model: Place,
    pub inputs: Vec<Place>,
    pub outputs: Vec<Place>,
    pub initializers: Vec<Place>,
    pub nodes: Vec<Place>,
}

/// Longest listing: places have 32 bits, with room for what the tools do with them
const LONGEST: usize = 1 << 28;

/// What messages call a node: its name, or its operator with its number
pub(crate) fn node_label(node: &NodeProto, n: usize) -> String {
    match node.name() {
        "" => format!("{}_{n}", node.op_type()),
        name => name.to_string(),
    }
}

/// An operator with its domain
pub(crate) fn operator(node: &NodeProto) -> String {
    match node.domain() {
        "" | "ai.onnx" => node.op_type().to_string(),
        domain => format!("{domain}.{}", node.op_type()),
    }
}

impl Listing {
    /// Of a model; nothing if it would be too long
    pub fn of(model: &ModelProto) -> Option<Listing> {
        let mut listing = Listing::default();
        let sets = model.opset_import.iter().map(|set| match set.domain() {
            "" => set.version().to_string(),
            domain => format!("{domain} {}", set.version()),
        });
        let sets = sets.collect::<Vec<_>>().join(", ");
        let producer = one_line(model.producer_name());
        let model_line =
            format!("model ir_version {}, opset [{sets}], producer `{producer}`", model.ir_version());
        listing.model = listing.line(&model_line)?;
        let Some(graph) = &model.graph else { return Some(listing) };
        for info in &graph.input {
            let at = listing.line(&format!("input {}", port(info)))?;
            listing.inputs.push(at);
        }
        for info in &graph.output {
            let at = listing.line(&format!("output {}", port(info)))?;
            listing.outputs.push(at);
        }
        for tensor in &graph.initializer {
            let at =
                listing.line(&format!("initializer {}: {}", one_line(tensor.name()), tensor_type(tensor)))?;
            listing.initializers.push(at);
        }
        for (n, node) in graph.node.iter().enumerate() {
            let at = listing.line(&self::node(node, n))?;
            listing.nodes.push(at);
        }
        Some(listing)
    }

    fn line(&mut self, text: &str) -> Option<Place> {
        let start = self.text.len();
        self.text.push_str(text);
        let end = self.text.len();
        self.text.push('\n');
        (self.text.len() <= LONGEST).then_some(Place { start: start as u32, end: end as u32 })
    }
}

/// Names are the author's, and may hold anything
fn one_line(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

fn port(info: &ValueInfoProto) -> String {
    let ty = match info.r#type.as_ref().and_then(|ty| ty.value.as_ref()) {
        Some(type_proto::Value::TensorType(tensor)) => {
            let dims = tensor.shape.as_ref().map(|shape| {
                let size = |dim: &tensor_shape_proto::Dimension| match &dim.value {
                    Some(tensor_shape_proto::dimension::Value::DimValue(size)) => size.to_string(),
                    Some(tensor_shape_proto::dimension::Value::DimParam(name)) => one_line(name),
                    None => "?".into(),
                };
                shape.dim.iter().map(size).collect::<Vec<_>>().join(", ")
            });
            format!("{}[{}]", elem(tensor.elem_type()), dims.as_deref().unwrap_or("…"))
        }
        Some(_) => "no tensor".into(),
        None => "?".into(),
    };
    format!("{}: {ty}", one_line(info.name()))
}

fn elem(number: i32) -> String {
    Elem::of(number).map_or_else(|name| name, |elem| elem.name().to_string())
}

fn tensor_type(tensor: &TensorProto) -> String {
    format!("{}{:?}", elem(tensor.data_type()), tensor.dims)
}

fn node(node: &NodeProto, n: usize) -> String {
    let names = |all: &[String]| all.iter().map(|name| one_line(name)).collect::<Vec<_>>().join(", ");
    let (label, operator) = (one_line(&node_label(node, n)), one_line(&operator(node)));
    let mut text = format!("{label}: {} = {operator}", names(&node.output));
    if !node.attribute.is_empty() {
        let all: Vec<String> = node.attribute.iter().map(attribute).collect();
        let _ = write!(text, " <{}>", all.join(", "));
    }
    let _ = write!(text, " ({})", names(&node.input));
    text
}

/// Numbers and words as they are; of tensors and graphs only what they are
fn attribute(attr: &AttributeProto) -> String {
    const MANY: usize = 16;
    fn list<T: std::fmt::Debug>(all: &[T]) -> String {
        match all.len() > MANY {
            true => format!("[{} numbers]", all.len()),
            false => format!("{all:?}"),
        }
    }
    let value = match attr.r#type() {
        AttributeType::Float => format!("{:?}", attr.f()),
        AttributeType::Int => attr.i().to_string(),
        AttributeType::String => format!("\"{}\"", one_line(&String::from_utf8_lossy(attr.s()))),
        AttributeType::Floats => list(&attr.floats),
        AttributeType::Ints => list(&attr.ints),
        AttributeType::Tensor => attr.t.as_ref().map_or("tensor".into(), tensor_type),
        other => format!("{other:?}").to_lowercase(),
    };
    format!("{} = {value}", one_line(attr.name()))
}
