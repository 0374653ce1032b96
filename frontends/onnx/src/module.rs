//! A graph as a module of one function.

use crate::emit::Emit;
use crate::graph::{Graph, Port, Size};
use crate::tensors::{Folder, literal};
use crate::wrong::{Done, Wrong};
use crate::{Weight, codes, ops};
use std::sync::Arc;
use terrace_diag::SourceId;
use terrace_frontend_graph::{Results, finish};
use terrace_ir::{BlockId, Context, Ir};

/// The module of a graph, and elements of arguments
pub(crate) fn module(
    cx: &Arc<Context>,
    source: SourceId,
    graph: &Graph<'_>,
    folder: Folder<'_>,
) -> Done<(Ir, Vec<Weight>)> {
    ops::all_known(&graph.nodes)?;
    let mut weights = Vec::new();
    let module = terrace_frontend_graph::module(cx, source, |unit, block| {
        weights = function(unit, block, graph, folder)?;
        Ok::<(), Wrong>(())
    })?;
    Ok((module, weights))
}

fn function(unit: &mut Ir, block: BlockId, graph: &Graph<'_>, folder: Folder<'_>) -> Done<Vec<Weight>> {
    let mut emit = Emit::new(unit, block, graph, folder);
    for port in &graph.inputs {
        let shape = port.shape.iter().flatten().filter_map(|size| match size {
            Size::Known(size) => Some(*size),
            Size::Open(_) => None,
        });
        let shape: Vec<i64> = shape.collect();
        emit.ty(port.elem, &shape, port.at)?;
        emit.go_to(port.at.start);
        emit.input(&port.name, port.elem, shape);
    }
    for (tensor, at) in &graph.initializers {
        let literal = literal(tensor, folder, *at)?;
        emit.define(tensor.name(), literal.into());
    }
    for node in &graph.nodes {
        emit.go_to(node.at.start);
        ops::emit(&mut emit, node)?;
    }
    let mut results = Results::new();
    for port in &graph.outputs {
        // Names of outputs were looked up when the nodes were ordered; a node that makes fewer says so.
        let Some(tensor) = emit.tensor(&port.name).cloned() else {
            let message = format!("output `{}` is missing", port.name);
            return Err(Wrong::new(&codes::TENSOR, message).at(port.at));
        };
        declared(port, tensor.elem, &tensor.shape)?;
        results.push((emit.read(&tensor), "terrace.name", port.name.clone()));
    }
    finish(emit.end(), graph.name, &results);
    let (args, weights) = emit.finish();
    let (root, cx) = (unit.root(), unit.cx());
    let args = cx.array_attr(&args);
    unit.set_attr(root, "arg_attrs", Some(args));
    Ok(weights)
}

/// The output is what the model says of it
fn declared(port: &Port, elem: crate::types::Elem, shape: &[i64]) -> Done<()> {
    let agrees = port.shape.as_ref().is_none_or(|sizes| {
        let same = |(said, size): (&Size, &i64)| match said {
            Size::Known(said) => said == size,
            Size::Open(_) => true,
        };
        sizes.len() == shape.len() && sizes.iter().zip(shape).all(same)
    });
    if agrees && port.elem == elem {
        return Ok(());
    }
    let said = port.shape.iter().flatten().map(|size| match size {
        Size::Known(size) => size.to_string(),
        Size::Open(_) => "?".into(),
    });
    let said: Vec<String> = said.collect();
    let said = port.shape.as_ref().map_or(String::new(), |_| format!("[{}]", said.join(", ")));
    let message = format!(
        "output `{}` is {}{shape:?}, and the model says that it is {}{said}",
        port.name,
        elem.name(),
        port.elem.name()
    );
    Err(Wrong::new(&codes::SHAPE, message).at(port.at))
}
