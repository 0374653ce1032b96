//! Chosen schedules: values, scatter, words

#[path = "../../../benches/src/reductions/corpus.rs"]
mod corpus;

mod applied;
mod common;
mod estimated;

mod accumulators;
mod bits;
mod blocks;
mod campaign;
mod canonical;
mod chains;
mod collapse;
mod converted;
mod dependent;
mod devices;
mod epilogues;
mod every_number;
mod every_tuple;
mod extents;
mod far;
mod grids;
mod groups;
mod hoist;
mod in_order;
mod indices;
mod inline;
mod interleaved;
mod joined;
mod matrix;
mod moved;
mod mutants;
mod nothing;
mod packed;
mod phases;
mod primitives;
mod prologues;
mod records;
mod remaining;
mod scatter;
mod shapes;
mod sweep;
mod symmetric;
mod tall;
mod texts;
mod tiles;
mod together;
mod trees;
mod tuples;
mod units;
mod values;
mod windows;
mod words;
