//! Forms of output as rows of a table.

use crate::worker;
use terrace_diag::Diagnostic;
use terrace_ir::Ir;
use terrace_native_client::EmitOptions;

/// What sort of text or bytes a form is
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Code of LLVM's or of an assembler
    Code,
    /// A dialect of C
    C,
    /// Text that describes hardware
    Hardware,
}

/// A form of output
#[derive(Clone, Copy)]
pub struct Emission {
    /// The word for it in `--emit`
    pub name: &'static str,
    /// What it is
    pub help: &'static str,
    /// How names of its files end, without the dot
    pub ending: &'static str,
    /// What sort it is
    pub family: Family,
    /// What begins a comment; `None` where a file holds one module only
    pub comment: Option<&'static str>,
    /// The named pipeline that takes a program of any level to what it is made from
    pub pipeline: &'static str,
    /// The component that this machine lacks for making it
    pub missing: fn() -> Option<&'static str>,
    /// Make it of a verified module
    pub make: Make,
}

/// Makes a form of a verified module
type Make = fn(&Ir, &EmitOptions) -> Result<Vec<u8>, Vec<Diagnostic>>;

impl Emission {
    /// A dialect of C, which is printed without further components
    pub const fn c(
        name: &'static str,
        help: &'static str,
        ending: &'static str,
        pipeline: &'static str,
        make: Make,
    ) -> Emission {
        let missing = || None;
        Emission { name, help, ending, family: Family::C, comment: Some("//"), pipeline, missing, make }
    }

    /// Code that the worker with LLVM makes; `comment` is what begins a comment
    pub const fn code(
        name: &'static str,
        help: &'static str,
        (ending, comment): (&'static str, Option<&'static str>),
        pipeline: &'static str,
        make: Make,
    ) -> Emission {
        let missing = worker::missing;
        Emission { name, help, ending, family: Family::Code, comment, pipeline, missing, make }
    }
}
