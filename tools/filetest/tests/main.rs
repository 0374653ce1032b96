//! What the tool promises, but for the test files themselves (`test-files/main.rs`, which brings its own runner)

#[path = "../../../lowering/upstream/tests/common/mod.rs"]
mod programs;

mod common;

mod campaign;
mod checklists;
mod command;
mod constant_operands;
mod cookbook;
mod documents;
mod examples;
mod explained;
mod passes;
mod refusals;
mod reproducer;
mod rules;
mod snapshots;
mod stages;
mod tier1;
