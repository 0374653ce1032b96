//! Passes that know no dialect: they ask traits, effects and interfaces.
//!
//! One file per pass; the file's name is the pass's. Every pass refines: where the program before traps or yields poison
//! anything goes, elsewhere results are equal.

pub mod analyses;
pub mod canonicalize;
pub mod cse;
pub mod dce;
pub mod inline;
pub mod licm;
pub mod promote_buffers;
pub mod rewrite;
pub mod symbol_dce;

use terrace_pass::PassInfo;

/// All passes of this crate, alphabetical
pub static PASSES: &[&PassInfo] = &[
    canonicalize::Canonicalize::INFO,
    cse::Cse::INFO,
    dce::Dce::INFO,
    inline::Inline::INFO,
    licm::Licm::INFO,
    promote_buffers::PromoteBuffers::INFO,
    &rewrite::INFO,
    symbol_dce::SymbolDce::INFO,
];
