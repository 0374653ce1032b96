//! From a request to its reply.

use crate::lower::Lowered;
use melior::ExecutionEngine;
use terrace_diag::Diagnostic;
use terrace_native_client::protocol::{Reply, Request};
use terrace_native_client::{EmitKind, RunReply, RunRequest, codes};

/// Do what was asked, if upstream can; a program that is compiled and not run yet is `built`
pub fn answer(request: &Request, built: &mut dyn FnMut()) -> Reply {
    let done = match request {
        Request::Emit { module, kind: EmitKind::Llvm, .. } => {
            Lowered::new(module, None).map(|lowered| Reply::Code(lowered.text().into_bytes()))
        }
        Request::Emit { kind, .. } => {
            let message = format!("upstream's worker makes no `{}`", kind.word());
            Err(vec![Diagnostic::error(&codes::UPSTREAM_LOWERING, message)])
        }
        Request::Run { module, run } => self::run(module, run, built).map(Reply::Ran),
    };
    done.unwrap_or_else(Reply::Failed)
}

fn run(module: &str, run: &RunRequest, built: &mut dyn FnMut()) -> Result<RunReply, Vec<Diagnostic>> {
    let lowered = Lowered::new(module, Some(&run.entry))?;
    // Its own default is 0, which would be unfair to upstream's speed.
    let level = usize::from(run.options.opt_level.min(3));
    let engine = ExecutionEngine::new(lowered.module(), level, &[], false, false);
    built();
    crate::call::call(&engine, run, lowered.results()).map_err(|error| vec![error])
}
