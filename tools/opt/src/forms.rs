//! Words for the forms of output.

use terrace_target_api::{Emission, Family};

/// Forms that are no back end's, with what each is
const OWN: &[(&str, &str)] = &[
    ("mlir", "MLIR text"),
    ("generic", "MLIR text in generic form"),
    ("bytecode", "MLIR's bytecode (`.mlirbc`), which `mlir-opt` reads"),
    ("mdh", "MDH text of functions that are one computation each"),
    ("graph", "no program: the computations of each function, their loops, and the tensors between them"),
    ("graph-json", "the same, one JSON object per function and line"),
    ("memory", "no program: the buffers of each function and their bytes"),
];

/// Words for all forms of output
pub(crate) fn names() -> Vec<&'static str> {
    let own = OWN.iter().map(|(name, _)| *name);
    own.chain(terrace_targets::emissions().map(|emission| emission.name)).collect()
}

/// What `--help` says of the forms
pub(crate) fn help() -> String {
    let of = |family: Family| {
        let names = terrace_targets::emissions().filter(|emission| emission.family == family);
        names.map(|emission| format!("`{}`", emission.name)).collect::<Vec<_>>().join(", ")
    };
    let own: Vec<String> = OWN.iter().map(|(name, _)| format!("`{name}`")).collect();
    format!(
        "Form of the output: {} for the IR; code as {}; C as {}; hardware as {}",
        own.join(", "),
        of(Family::Code),
        of(Family::C),
        of(Family::Hardware)
    )
}

/// The back end's form of this name
pub(crate) fn find(form: &str) -> Option<&'static Emission> {
    terrace_targets::emissions().find(|emission| emission.name == form)
}

/// Does the output hold one module and no more?
pub(crate) fn is_one_module(form: &str) -> bool {
    form == "bytecode" || find(form).is_some_and(|emission| emission.comment.is_none())
}

/// What stands between the outputs of two cases
pub(crate) fn separator(form: &str) -> Vec<u8> {
    let comment = find(form).and_then(|emission| emission.comment).unwrap_or("//");
    format!("{comment} -----\n").into_bytes()
}
