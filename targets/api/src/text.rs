//! Dialects of C as forms of output.

use crate::Failed;
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::Ir;
use terrace_lowering_c::{Flavor, Options, Printed};

/// The text of a module, with what its functions take
pub fn print(ir: &Ir, flavor: Flavor, options: &Options) -> Result<Printed, Failed> {
    let mut diags = Diags::default();
    let printed = terrace_lowering_c::print(ir, flavor, options, &mut diags);
    printed.ok_or_else(|| Failed(diags.into_vec()))
}

/// The text of a module alone
pub fn emit(ir: &Ir, flavor: Flavor) -> Result<Vec<u8>, Vec<Diagnostic>> {
    match print(ir, flavor, &Options::default()) {
        Ok(printed) => Ok(printed.text.into_bytes()),
        Err(Failed(errors)) => Err(errors),
    }
}
