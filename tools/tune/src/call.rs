//! How a search calls its programs, and what that is on the command line of `terrace-run`.

use crate::args::Args;
use terrace_search_trials::Call;

/// For a function with so many parameters
pub(crate) fn of(args: &Args, entry: &str, params: usize, results: Vec<usize>) -> Call {
    Call {
        entry: entry.to_owned(),
        on: args.on.clone(),
        seeds: (0..params).map(|n| args.seed.wrapping_add(n as u64)).collect(),
        results,
        threads: args.threads,
        pipeline: None,
        flops: args.flops,
    }
}

/// For the command line of `terrace-run`
pub(crate) fn words(call: &Call) -> Vec<String> {
    let Call { entry, on, seeds, results: _, threads, pipeline, flops } = call;
    let mut list = vec![format!("--entry={entry}"), format!("--on={on}")];
    list.extend(seeds.iter().enumerate().map(|(n, seed)| format!("--in={n}=random:{seed}")));
    list.extend(pipeline.iter().map(|pipeline| format!("--pipeline={pipeline}")));
    list.extend(threads.map(|threads| format!("--threads={threads}")));
    list.extend(flops.map(|flops| format!("--flops={flops}")));
    list
}
