//! What a file is searched as: an array program, a nest of `sched`, or a computation; made ready, and given to whoever searches.

use crate::args::Args;
use crate::search::Then;
use crate::stop::Stop;
use crate::{arrays, nests, schedules};
use std::sync::Arc;
use terrace_diag::{Diagnostic, Diags};
use terrace_ir::Context;
use terrace_opt::Tool;
use terrace_view::program::fail;

/// Make a file ready. Where nothing is to be measured, what was asked is printed instead
pub(crate) fn open(
    tool: Tool,
    args: &Args,
    file: &str,
    cx: &Arc<Context>,
    stop: &Stop,
    diags: &mut Diags,
    then: Then<'_>,
) -> Result<(), Diagnostic> {
    let no_records = || match args.records {
        Some(_) => Err(fail("records are schedules of computations; this file has none")),
        None => Ok(()),
    };
    match arrays::load(args, file, cx)? {
        Some(module) => {
            no_records()?;
            arrays::run(tool, args, &module, cx, stop, &mut |search| then(search, diags))
        }
        None => match nests::load(args, file, cx)? {
            Some(nest) => {
                no_records()?;
                nests::run(tool, args, &nest, stop, &mut |search| then(search, diags))
            }
            None => schedules::run(tool, args, file, cx, stop, diags, then),
        },
    }
}
