//! Defaults that their options do not take

use terrace_macros::pass;

/// Does nothing
#[pass("idle")]
pub struct Idle {
    /// Whether
    #[option(default = 3)]
    flag: bool,
}

/// Does nothing
#[pass("rest")]
pub struct Rest {
    /// How often
    #[option(default = -1)]
    turns: u32,
}

/// Does nothing
#[pass("sleep")]
pub struct Sleep {
    /// When
    #[option(default = "1,two")]
    hours: Vec<u64>,
}

/// By another name the type is known to the compiler alone
type Flag = bool;

/// Does nothing
#[pass("dream")]
pub struct Dream {
    /// Whether
    #[option(default = 1)]
    flag: Flag,
}

impl terrace_pass::Pass for Dream {
    fn run(&self, _: &mut terrace_pass::PassCx<'_>, _: &mut terrace_ir::Ir) -> Result<(), terrace_diag::Reported> {
        Ok(())
    }
}

fn main() {}
