//! A module under way: what its functions and buffers are called in LLVM, and what every function gets.
//!
//! What linkers see is a symbol's [`linker_name`]. What only the module sees has a name with a dot behind it that no library has:
//! LLVM and linkers would take `memset` for the one that they know.

use crate::form::{Form, Spaces};
use crate::raw::{Callee, Llvm, V};
use crate::target::Processor;
use terrace_ir::{Ir, OpId};
use terrace_lowering_c::{defined_name, linker_name};
use terrace_support::HashMap;

/// What calls need to know of a function
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) callee: Callee,
    pub(crate) inputs: Vec<Form>,
    pub(crate) results: Vec<Form>,
    /// The processor its code is for, if that is not the program's
    pub(crate) cpu: Option<String>,
    /// It has a body here: no library's function is meant, whatever its name
    pub(crate) defined: bool,
}

/// A module under way
pub(crate) struct Program<'a> {
    pub(crate) ll: &'a Llvm,
    pub(crate) spaces: Spaces,
    pub(crate) functions: HashMap<String, Function>,
    pub(crate) globals: HashMap<String, V>,
    /// What the functions are for
    pub(crate) processor: &'a Processor,
}

/// The name in LLVM of what has this name in the IR
pub(crate) fn symbol(name: &str, spaces: Spaces, defined: bool, public: bool) -> String {
    let also = if spaces == Spaces::Host { ".$" } else { "" };
    match (defined, public) {
        (false, _) => linker_name(name, also).into_owned(),
        (true, true) => defined_name(name, also).into_owned(),
        (true, false) => format!("{}.local", linker_name(name, also)),
    }
}

impl Program<'_> {
    /// Attributes of every function with a body
    pub(crate) fn attribute(&self, function: Callee, cpu: Option<&str>) {
        for (key, value) in &self.processor.attributes {
            match (*key, cpu) {
                ("target-cpu", Some(cpu)) => self.ll.function_attr(function.value, key, cpu),
                // Features are the program's processor's, and hold for functions that name none.
                ("target-features", Some(_)) => self.ll.function_attr(function.value, key, ""),
                _ => self.ll.function_attr(function.value, key, value),
            }
        }
        self.ll.known_attr(function.value, None, "nounwind", 0);
    }

    /// The function that an op's symbol names
    pub(crate) fn function(&self, ir: &Ir, op: OpId, attr: &str) -> Option<&Function> {
        let (root, _) = ir.attr(op, attr)?.as_symbol(ir.cx())?;
        self.functions.get(ir.cx().str(root))
    }
}
