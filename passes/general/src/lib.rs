//! Passes that know no dialect: they ask traits, effects and interfaces.
//!
//! One file per pass; the file's name is the pass's. Every pass refines: where the program before traps or yields poison
//! anything goes, elsewhere results are equal.

pub mod analyses;
pub mod canonicalize;
pub mod control_flow_sink;
pub mod cse;
pub mod dce;
pub mod inline;
pub mod licm;
pub mod print_op_stats;
pub mod promote_buffers;
pub mod remove_dead_values;
pub mod rewrite;
pub mod sccp;
pub mod strip_debuginfo;
pub mod symbol_dce;
pub mod symbol_privatize;
pub mod topological_sort;

use terrace_pass::PassInfo;

/// All passes of this crate, alphabetical
pub static PASSES: &[&PassInfo] = &[
    canonicalize::Canonicalize::INFO,
    control_flow_sink::ControlFlowSink::INFO,
    cse::Cse::INFO,
    dce::Dce::INFO,
    inline::Inline::INFO,
    licm::Licm::INFO,
    print_op_stats::PrintOpStats::INFO,
    promote_buffers::PromoteBuffers::INFO,
    remove_dead_values::RemoveDeadValues::INFO,
    &rewrite::INFO,
    sccp::Sccp::INFO,
    strip_debuginfo::StripDebuginfo::INFO,
    symbol_dce::SymbolDce::INFO,
    symbol_privatize::SymbolPrivatize::INFO,
    topological_sort::TopologicalSort::INFO,
];
