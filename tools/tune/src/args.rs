//! The command line.

use crate::logs::Logs;
use clap::Parser;
use std::str::FromStr;
use std::time::Duration;
use terrace_search_explore::Technique;

const EXAMPLES: &str = "\
Examples:
  terrace-tune conv.mlir --free=size --budget=2m -o best.mlir
      start from the schedule that would be chosen, open all its sizes, search two minutes, write the best program
  terrace-tune matmul.mlir --schedule=open.txt --log=matmul.jsonl
      search what is open (`?`, `{4,8}`) in a schedule of one's own; terrace-view draws and edits such files
  terrace-tune matmul.mlir --schedule=open.txt --log=matmul.jsonl --resume --budget=500
      go on where the log ends, up to 500 points
  terrace-tune matmul.mlir --schedule=open.txt --dry-run
      say what is open, and what the rules leave of it, without measuring
  terrace-tune --plot=anneal.jsonl,random.jsonl -o curves.svg
      how fast searches found good points, from their logs; --figure=time, expectancy, memory: other pictures
  terrace-tune --pareto=conv.jsonl --within=13MB,31MB
      the points that no other beats in time and memory at once, and the fastest within so much memory
  terrace-tune --report=0=conv0.jsonl,12/14=conv12.jsonl --form=markdown
      rate and memory of each layer, the average, and of all layers together

Each candidate runs in a process of its own with a time limit; its values are compared with those of the schedule that would
be chosen. The log is JSON lines: what was searched, then one line per point with seconds, or the reason why there are none.

Exit codes: 0; 1 for an error in the input, or if no candidate ran; 2 for misuse.";

/// Search the schedules that a schedule with open fields stands for
///
/// The space holds only schedules that the rules allow; candidates are measured, values checked, medians compared.
#[derive(Parser, Debug)]
#[command(version, verbatim_doc_comment, after_help = EXAMPLES)]
pub(crate) struct Args {
    /// File with the computation, at the level of `mdh`, or in C, MDH text or tensor expressions
    #[arg(required_unless_present_any = ["plot", "pareto", "report"])]
    pub file: Option<String>,
    /// Give a size or a type of the file a value
    #[arg(long, value_name = "NAME=VALUE", value_parser = terrace_opt::language::set)]
    pub set: Vec<(String, String)>,
    /// Name of the computation, if there are several
    #[arg(long, value_name = "NAME")]
    pub compute: Option<String>,
    /// Schedule with open fields, in any form that terrace-view knows; else the one beside the computation, else one is chosen
    #[arg(long, value_name = "SCHEDULE")]
    pub schedule: Option<String>,
    /// Begin with every field open: as many steps as the target has layers and regions
    #[arg(long, conflicts_with_all = ["schedule", "free"])]
    pub auto: bool,
    /// Open all fields of these kinds: size, core, region, label; with commas between
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub free: Vec<Free>,
    /// Device whose layers, regions and limits bound the choices
    #[arg(long, value_name = "DEVICE", default_value = "host")]
    pub target: String,
    /// Where candidates run: host, openmp, opencl, cuda, ptx; or interp, which runs the loop nest and finds its races
    #[arg(long, value_name = "BACKEND", default_value = "host")]
    pub on: String,
    /// How long: a time (`90s`, `3m`) or a number of points
    #[arg(long, value_name = "BUDGET", default_value = "60s")]
    pub budget: Budget,
    /// exhaustive, random or anneal
    #[arg(long, value_name = "NAME", default_value = "anneal", value_parser = technique)]
    pub technique: (&'static str, Technique),
    /// Seed of the search and of the data
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Runs of each candidate
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub bench: u32,
    /// Threads of the program
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Longest time of one candidate, compiling included
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub timeout: Duration,
    /// Write what is learnt to this file, a line per point
    #[arg(long, value_name = "FILE")]
    pub log: Option<String>,
    /// Go on where the log ends
    #[arg(long, requires = "log")]
    pub resume: bool,
    /// Measure nothing: say what is open and draw a few points
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub logs: Logs,
    /// Write the program with the best schedule to this file, or the picture or table
    #[arg(short = 'o', long = "output", value_name = "OUT")]
    pub output: Option<String>,
}

/// A kind of fields
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Free {
    Size,
    Core,
    Region,
    Label,
}

/// When to stop
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Budget {
    Time(Duration),
    Points(usize),
}

impl FromStr for Budget {
    type Err = String;

    fn from_str(text: &str) -> Result<Budget, String> {
        match text.parse() {
            Ok(points) => Ok(Budget::Points(points)),
            Err(_) => duration(text).map(Budget::Time),
        }
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    let unit = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let number = text[..unit].parse::<f64>().ok().filter(|n| (0.0..1e9).contains(n));
    let scale = match &text[unit..] {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => 0.0,
    };
    match number {
        Some(number) if scale > 0.0 => Ok(Duration::from_secs_f64(number * scale)),
        _ => Err(format!("`{text}` is no time; write 500ms, 90s, 3m or 1h")),
    }
}

fn technique(word: &str) -> Result<(&'static str, Technique), String> {
    let found = Technique::ALL.iter().find(|(name, _)| *name == word);
    found.copied().ok_or_else(|| "it is exhaustive, random or anneal".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets() {
        assert_eq!("200".parse(), Ok(Budget::Points(200)));
        assert_eq!("3m".parse(), Ok(Budget::Time(Duration::from_secs(180))));
        assert_eq!("500ms".parse(), Ok(Budget::Time(Duration::from_millis(500))));
        for wrong in ["", "3x", "-3s", "m", "1e99s"] {
            assert!(wrong.parse::<Budget>().is_err(), "{wrong}");
        }
    }
}
