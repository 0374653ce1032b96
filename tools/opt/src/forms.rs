//! Words for the forms of output.

use crate::beyond;

/// The forms of IR
const IR: &[&str] = &["mlir", "generic", "bytecode"];

/// Words for all forms of output
pub(crate) fn names() -> Vec<&'static str> {
    IR.iter().copied().chain(beyond::forms()).collect()
}

/// What `--help` says of the forms
pub(crate) fn help() -> String {
    let ir: Vec<String> = IR.iter().map(|name| format!("`{name}`")).collect();
    format!("Form of the output: {}{}", ir.join(", "), beyond::help_of_forms())
}

/// Does the output hold one module and no more?
pub(crate) fn is_one_module(form: &str) -> bool {
    form == "bytecode" || beyond::comment(form) == Some(None)
}

/// What stands between the outputs of two cases
pub(crate) fn separator(form: &str) -> Vec<u8> {
    let comment = beyond::comment(form).flatten().unwrap_or("//");
    format!("{comment} -----\n").into_bytes()
}

/// The component that this machine lacks for a form of output
pub fn missing(form: &str) -> Option<&'static str> {
    beyond::missing(form)
}
