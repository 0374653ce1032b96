//! Mini-graphs of computations (paper: FlexTensor, ASPLOS 2020, §4.1): what a space of schedules is generated from.
//!
//! A node is one `mdh.compute`, an edge is a tensor. [`Graph::read`] lists the nodes of a function with their loops and neighbors.
//! Padding and zero expansion are nodes, as the author wrote them. Values are in SSA form, so a graph has no cycle: a tensor that a
//! loop carries around is an input of the loop's graph, and a result of it.
//!
//! [`Graph::to_json`] has every number, and [`text`] renders that object.

mod graph;
mod memory;
mod operations;
mod shown;

pub use graph::{Edge, Graph, Loop, Node, Origin};
pub use operations::operations;
pub use shown::text;
