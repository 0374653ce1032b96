//! A sub-graph as a module of one function.

use crate::emit::Emit;
use crate::graph::Graph;
use crate::{Wrong, codes, ops};
use std::sync::Arc;
use terrace_diag::SourceId;
use terrace_frontend_graph::{NotRegistered, Results, finish};
use terrace_ir::{Attr, BlockId, Context, Ir};

impl From<NotRegistered> for Wrong {
    fn from(why: NotRegistered) -> Wrong {
        Wrong::new(0, &codes::SYNTAX, why.to_string())
    }
}

/// The module of a graph
pub(crate) fn module(cx: &Arc<Context>, source: SourceId, graph: &Graph<'_>) -> Result<Ir, Wrong> {
    terrace_frontend_graph::module(cx, source, |unit, block| function(unit, block, graph))
}

fn function(unit: &mut Ir, block: BlockId, graph: &Graph<'_>) -> Result<(), Wrong> {
    let mut emit = Emit::new(unit, block);
    for tensor in &graph.inputs {
        let ty = emit.ty(tensor)?;
        let value = emit.argument(ty);
        emit.define(tensor, value);
    }
    for op in &graph.ops {
        emit.go_to(op.at);
        ops::emit(&mut emit, op)?;
    }
    let mut results = Results::new();
    for tensor in &graph.outputs {
        results.push((emit.read(tensor)?, "terrace.name", tensor.name.clone()));
    }
    for (name, value) in std::mem::take(&mut emit.assigned) {
        results.push((value, "composite.assigns", name));
    }
    finish(&mut emit, &graph.name, &results);
    let cx = unit.cx();
    let words: Vec<(String, Attr)> =
        graph.words.iter().map(|(name, word)| (format!("composite.{name}"), cx.str_attr(word))).collect();
    let root = unit.root();
    for (name, word) in words {
        unit.set_discardable(root, &name, Some(word));
    }
    Ok(())
}
