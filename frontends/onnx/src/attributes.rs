//! Attributes of a node, by their names and types.

use crate::codes;
use crate::graph::Node;
use crate::listing::operator;
use crate::proto::attribute_proto::AttributeType;
use crate::proto::{AttributeProto, TensorProto};
use crate::wrong::{Done, Wrong};

/// A mistake in a node's attributes
pub(crate) fn wrong(node: &Node<'_>, message: String) -> Wrong {
    Wrong::new(&codes::ATTRIBUTE, format!("node `{}`: {message}", node.label)).at(node.at)
}

/// The operator has no other attributes than these, and each once
pub(crate) fn check(node: &Node<'_>, known: &[&str]) -> Done<()> {
    for (n, attr) in node.proto.attribute.iter().enumerate() {
        let (name, op) = (attr.name(), operator(node.proto));
        if !known.contains(&name) {
            let message = format!("attribute `{name}` of `{op}` is not known");
            let found = wrong(node, message);
            return Err(match known {
                [] => found.help(format!("`{op}` has no attributes here")),
                known => found.help(format!("known are {}", known.join(", "))),
            });
        }
        if node.proto.attribute[..n].iter().any(|other| other.name() == name) {
            return Err(wrong(node, format!("attribute `{name}` is there twice")));
        }
        if !attr.ref_attr_name().is_empty() {
            return Err(wrong(
                node,
                format!("attribute `{name}` is one of a function, which has no form here"),
            ));
        }
    }
    Ok(())
}

/// An attribute, if it is there and of the type
fn get<'m>(node: &Node<'m>, name: &str, ty: AttributeType) -> Done<Option<&'m AttributeProto>> {
    let Some(attr) = node.proto.attribute.iter().find(|attr| attr.name() == name) else { return Ok(None) };
    if attr.r#type() != ty {
        let (found, wanted) = (attr.r#type(), ty);
        return Err(wrong(node, format!("attribute `{name}` is {}, not {}", word(found), word(wanted))));
    }
    Ok(Some(attr))
}

fn word(ty: AttributeType) -> &'static str {
    match ty {
        AttributeType::Float => "a float",
        AttributeType::Int => "an integer",
        AttributeType::String => "a text",
        AttributeType::Tensor => "a tensor",
        AttributeType::Floats => "a list of floats",
        AttributeType::Ints => "a list of integers",
        AttributeType::Undefined => "of no type",
        _ => "of another type",
    }
}

pub(crate) fn int(node: &Node<'_>, name: &str) -> Done<Option<i64>> {
    Ok(get(node, name, AttributeType::Int)?.map(|attr| attr.i()))
}

pub(crate) fn float(node: &Node<'_>, name: &str) -> Done<Option<f64>> {
    Ok(get(node, name, AttributeType::Float)?.map(|attr| attr.f().into()))
}

pub(crate) fn ints<'m>(node: &Node<'m>, name: &str) -> Done<Option<&'m [i64]>> {
    Ok(get(node, name, AttributeType::Ints)?.map(|attr| &*attr.ints))
}

pub(crate) fn floats<'m>(node: &Node<'m>, name: &str) -> Done<Option<&'m [f32]>> {
    Ok(get(node, name, AttributeType::Floats)?.map(|attr| &*attr.floats))
}

pub(crate) fn text<'m>(node: &Node<'m>, name: &str) -> Done<Option<&'m str>> {
    let Some(attr) = get(node, name, AttributeType::String)? else { return Ok(None) };
    let text = std::str::from_utf8(attr.s());
    text.map(Some).map_err(|_| wrong(node, format!("attribute `{name}` is no text in UTF-8")))
}

pub(crate) fn tensor<'m>(node: &Node<'m>, name: &str) -> Done<Option<&'m TensorProto>> {
    Ok(get(node, name, AttributeType::Tensor)?.and_then(|attr| attr.t.as_ref()))
}
