//! How a program is called: by a search, and by a line that another process answers.

use crate::args::Args;
use serde::{Deserialize, Serialize};

/// How a program runs: its function, its data, the back end
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Call {
    /// Name of the function
    pub entry: String,
    /// The back end
    pub on: String,
    /// Seed of the data of each parameter
    pub seeds: Vec<u64>,
    /// Positions of what the function gives
    pub results: Vec<usize>,
    /// Threads, where they are limited
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u16>,
    /// Passes before the back end's own
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pipeline: Option<String>,
    /// Operations on numbers of one run, where the program does not show them
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flops: Option<u64>,
}

impl Call {
    /// For a function with so many parameters
    pub(crate) fn new(args: &Args, entry: &str, params: usize, results: Vec<usize>) -> Call {
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
    pub(crate) fn args(&self) -> Vec<String> {
        let Call { entry, on, seeds, results: _, threads, pipeline, flops } = self;
        let mut list = vec![format!("--entry={entry}"), format!("--on={on}")];
        list.extend(seeds.iter().enumerate().map(|(n, seed)| format!("--in={n}=random:{seed}")));
        list.extend(pipeline.iter().map(|pipeline| format!("--pipeline={pipeline}")));
        list.extend(threads.map(|threads| format!("--threads={threads}")));
        list.extend(flops.map(|flops| format!("--flops={flops}")));
        list
    }
}

/// A program whose results are right
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reference {
    /// The program, as text
    pub program: String,
    /// How it runs
    pub call: Call,
    /// Seconds after which it is given up
    pub seconds: f64,
}
