//! Graphs of programs of text, and of the operators of the paper.

mod common;
mod graphs;
mod table_3;
