//! Chosen schedules: values, scatter, words

#[path = "../../../benches/src/reductions/corpus.rs"]
mod corpus;

mod applied;
mod common;
mod estimated;

mod bits;
mod blocks;
mod campaign;
mod canonical;
mod chains;
mod collapse;
mod converted;
mod every_tuple;
mod grids;
mod groups;
mod hoist;
mod in_order;
mod indices;
mod inline;
mod joined;
mod matrix;
mod mutants;
mod nothing;
mod packed;
mod phases;
mod scatter;
mod shapes;
mod symmetric;
mod tall;
mod texts;
mod tiles;
mod trees;
mod tuples;
mod values;
mod windows;
mod words;
