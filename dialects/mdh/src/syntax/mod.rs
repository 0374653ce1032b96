//! The custom syntax of computations.

mod expr;
mod parse;
mod print;

pub use expr::text as expr_text;

use crate::compute::Compute;
use terrace_diag::Reported;
use terrace_text::{CustomAsm, OpParser, OpPrinter};

impl CustomAsm for Compute {
    fn parse(p: &mut OpParser<'_, '_>) -> Result<(), Reported> {
        parse::compute(p)
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        print::compute(self, p);
    }
}
