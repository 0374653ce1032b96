//! The command line.

use crate::errors::NoWord;
use crate::logs::Logs;
use crate::technique::Technique;
use clap::Parser;
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use terrace_diag::Diagnostic;
use terrace_opt::codes;
use terrace_search_explore::technique::Moving;
use terrace_search_primitives::Parts;
use terrace_search_schedules::Kind;
use terrace_search_trials::About;
use terrace_targets::TARGETS;

const EXAMPLES: &str = "\
Examples:
  terrace-tune conv.mlir --free=size --budget=2m -o best.mlir
      open all sizes of the default schedule, search for two minutes, write the best program
  terrace-tune matmul.mlir --schedule=open.txt --log=matmul.jsonl
      search the open fields (`?`, `{4,8}`) of your schedule; terrace-view draws and edits such files
  terrace-tune matmul.mlir --schedule=open.txt --log=matmul.jsonl --resume --budget=500
      resume at the end of the log, up to 500 points
  terrace-tune matmul.mlir --primitives --budget=2m -o best.mlir
      search the schedules that follow from the loops alone, with nothing given
  terrace-tune conv.mlir --forms --free=size --approximate=winograd --budget=2m -o best.mlir
      search the forms of a convolution, and the sizes of each form's default schedule
  terrace-tune matmul.mlir --schedule=open.txt --dry-run
      print the open fields and their legal values, without measuring
  terrace-tune conv.mlir --space=@tuning --set=H=28 --set=C=512 --on=opencl --target=opencl --budget=3m --log=conv.jsonl
      array programs: search parameters of a `tune.space` and levels of maps together
  terrace-tune conv.mlir --space=@tuning --fix=theta=6 --fix=tiles=block.x --technique=reject --dry-run
      fix some of them; count the samples that rejection sampling discards
  terrace-tune matmul.mlir --schedule=open.txt --technique=exhaustive --budget=5000 --log=all.jsonl
  terrace-tune matmul.mlir --schedule=open.txt --technique=q-method --from-nothing --replay=all.jsonl --log=q.jsonl
      measure a whole space once; see how many of its points a technique needs
  terrace-tune conv1.mlir conv2.mlir fc.mlir --free=size,core --budget=10m --log=logs --records=store
      several computations share the budget: rounds of points go where they gain most; --resume goes on with the logs in `logs`
  terrace-tune net.mlir --compute=all --free=size --budget=10m --weight=net.conv2=3 -o best
      all computations of a file, of which `conv2` runs three times; a program for each in the folder `best`
  terrace-tune matmul.mlir --free=size --budget=2m --records=store
      keep the best schedule for terrace-opt and terrace-run; `terrace-tune records --help` explains stores
  terrace-tune matmul.mlir --free=size --jobs=2 --log=two.jsonl
      two workers: one compiles while the other one measures
  terrace-tune matmul.mlir --free=size --jobs=8 --through='srun --overlap -u -n1' --log=farm.jsonl
      eight workers, as steps of a Slurm allocation
  terrace-tune matmul.mlir --free=size --jobs=2 --hyperqueue --log=farm.jsonl
      by tasks of HyperQueue
  terrace-tune --plot=anneal.jsonl,random.jsonl -o curves.svg
      draw the progress of searches from their logs; --figure=time, expectancy, memory: other pictures
  terrace-tune --pareto=conv.jsonl --within=13MB,31MB
      print the Pareto set in time and memory, and the fastest points within memory limits
  terrace-tune --report=0=conv0.jsonl,12/14=conv12.jsonl --form=markdown
      print rate and memory of each layer, the average, and the totals
  terrace-tune --page=matmul.jsonl -o matmul.html
      write a page about a search: its gain, curves, stages, refusals, which choices matter

Candidates run in another process, with time limits. Their results are compared with those of the default schedule.
The log is JSON lines: a header, then one line per point with its time or the reason of its failure.

Exit codes: 0; 1 for an error in the input, or if no candidate ran; 2 for misuse; 3 if workers elsewhere were out of reach for too long.";

const TRIAL: &str = "\
Examples:
  terrace-tune matmul.mlir --free=size --trials --budget=100 > trials.jsonl
  terrace-tune trial trials.jsonl > answers.jsonl
      draw points and measure them here, or wherever the file is copied to";

/// Search the open decisions of a program: fields of a schedule, or parameters and levels of an array program
///
/// The space contains legal candidates only. The tool measures them, checks their results and compares medians.
#[derive(Parser, Clone, Debug)]
#[command(version, verbatim_doc_comment, after_help = EXAMPLES)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,
    /// File with the computation, at the level of `mdh`, or in C, MDH text or tensor expressions; or with an array program. Several share
    /// the budget; then --log, --starts, --replay and -o are folders with a file for each
    #[arg(value_name = "FILE", required_unless_present_any = ["plot", "pareto", "report", "page"])]
    pub files: Vec<String>,
    /// Set a size or type of the file, or a size symbol of an array program
    #[arg(long, value_name = "NAME=VALUE", value_parser = terrace_opt::language::set)]
    pub set: Vec<(String, String)>,
    /// Name of the computation, if the file has several. Several names (comma-separated) share the budget, and so do `all`
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub compute: Vec<String>,
    /// Several computations: one counts as so many, as it runs so often (comma-separated); each counts as one by default
    #[arg(long, value_name = "NAME=N", value_delimiter = ',', value_parser = weight)]
    pub weight: Vec<(String, f64)>,
    /// Schedule with open fields, in any form of terrace-view [default: the computation's own, else the default schedule]
    #[arg(long, value_name = "SCHEDULE")]
    pub schedule: Option<String>,
    /// Start with every field open, with as many steps as the target has layers and regions
    #[arg(long, conflicts_with_all = ["schedule", "free"])]
    pub auto: bool,
    /// Search the schedules that follow from the computation's loops by the primitives of FlexTensor (ASPLOS 2020): split, reorder, fuse,
    /// unroll, cache; what is parallel, a vector, or bound to blocks and threads is fixed by the target. `4/3`: spatial loops are split
    /// in 4 parts, those that fold in 3
    #[arg(long, value_name = "PARTS", num_args = 0..=1, require_equals = true, default_missing_value = "4/3")]
    #[arg(conflicts_with_all = ["schedule", "free", "auto"])]
    pub primitives: Option<Parts>,
    /// Open all fields of these kinds (comma-separated): size, core, region, label, layout, word
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub free: Vec<Kind>,
    /// Search the forms of a convolution (`mdh-form`) as well, and of each form what is open
    #[arg(long, conflicts_with = "schedule")]
    pub forms: bool,
    /// Search forms that round in another way, too: `winograd`
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "forms")]
    pub approximate: Vec<String>,
    /// Array programs: the `tune.space` to search, if the file has several
    #[arg(long, value_name = "@NAME")]
    pub space: Option<String>,
    /// Array programs: the function, if several are public
    #[arg(long, value_name = "@NAME")]
    pub entry: Option<String>,
    /// Array programs: search the levels of maps without one, of all maps, or of none
    #[arg(long, value_name = "WHICH", default_value = "free")]
    pub levels: Which,
    /// Array programs: fix a parameter or the level of a map: `theta=6`, `tiles=block.x`
    #[arg(long, value_name = "NAME=VALUE", value_parser = terrace_opt::language::set)]
    pub fix: Vec<(String, String)>,
    /// Array programs: passes to run after the parameters are substituted; `@NAME` is the value of a parameter
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub pipeline: String,
    /// Array programs: constraints on levels to apply, by origin
    #[arg(
        long,
        value_name = "TAGS",
        value_delimiter = ',',
        default_value = "printed,heuristic,beyond,type,user"
    )]
    pub tags: Vec<String>,
    /// Array programs: the reference program for the results [default: the searched program, sequential]
    #[arg(long, value_name = "FILE")]
    pub reference: Option<String>,
    /// Array programs: the first point: one that fills the device, or any
    #[arg(long, value_name = "HOW", default_value = "saturate")]
    pub choose: Choose,
    /// Floating-point operations of one run, for GFLOP/s [default: counted, if the file's mathematics permits]
    #[arg(long, value_name = "N")]
    pub flops: Option<u64>,
    /// Device whose layers, regions and limits bound the choices [default: that of the space, else host]
    #[arg(long, value_name = "DEVICE", visible_alias = "device")]
    pub target: Option<String>,
    /// Where candidates run, as in `terrace-run`; interp runs the loop nest and detects races
    #[arg(long, value_name = "BACKEND", default_value = "host",
          value_parser = PossibleValuesParser::new(TARGETS.iter().map(|target| target.name())))]
    pub on: String,
    /// Budget: a time (`90s`, `3m`) or a number of points
    #[arg(long, value_name = "BUDGET", default_value = "60s")]
    pub budget: Budget,
    /// exhaustive, random, anneal (changes of good points), evolve (children of good points, of which a forest that learns ranks expects most),
    /// p-method (all neighbours of good points), q-method (of good points the
    /// neighbour that a network values most); for array programs also reject (rejection sampling without a solver) and manual
    /// (levels as written or fixed, random parameters)
    #[arg(long, value_name = "NAME", default_value = "anneal", value_parser = Technique::read)]
    pub technique: Technique,
    /// Do not begin with the schedule that is chosen without measuring
    #[arg(long)]
    pub from_nothing: bool,
    #[command(flatten)]
    pub course: Course,
    /// Points sampled per measurement; the cost model selects the one to measure. On processors; 1 measures every sample. Not for
    /// exhaustive, p-method and q-method
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub prune: u16,
    /// Seed of the search and of the data
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Runs of each candidate; the median counts [default: 5, or 3 for array programs]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub bench: Option<u32>,
    /// Threads of the program
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Time limit of a candidate's compilation, and as much for all of its runs
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub timeout: Duration,
    /// Write a log to this file, a line per point
    #[arg(long, value_name = "FILE")]
    pub log: Option<String>,
    /// Text to keep in the head of the log, such as machine and commit
    #[arg(long, value_name = "TEXT", requires = "log")]
    pub note: Option<String>,
    /// Resume at the end of the log; refused where program, machine, compiler or options of the search are others
    #[arg(long, requires = "log")]
    pub resume: bool,
    /// Measure the best points of this older log first, whatever machine or compiler it is from
    #[arg(long, value_name = "LOG", conflicts_with = "resume")]
    pub starts: Option<String>,
    /// Write the best schedule as a record into this store, where it is confirmed to be faster than the one chosen without measuring; a
    /// folder that is empty or not there becomes a store. `terrace-opt` and `terrace-run` take schedules from it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["replay", "dry_run", "trials"])]
    pub records: Option<String>,
    /// Measure nothing: take what became of each point from this log of the same search space. To compare techniques
    #[arg(long, value_name = "LOG", conflicts_with_all = ["dry_run", "trials"])]
    pub replay: Option<String>,
    /// Measure nothing: print the open decisions and a few sample points, or as many as the budget states
    #[arg(long)]
    pub dry_run: bool,
    /// Measure nothing: print points, drawn without knowing any times, as lines for `terrace-tune trial`; as many as the budget states
    #[arg(long, conflicts_with_all = ["dry_run", "log", "output"])]
    pub trials: bool,
    #[command(flatten)]
    pub farm: Farm,
    #[command(flatten)]
    pub logs: Logs,
    /// Write the best program to this file, or the picture or table
    #[arg(short = 'o', long = "output", value_name = "OUT")]
    pub output: Option<String>,
}

/// How a search goes on from what it knows
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Course {
    /// A point is chosen from the results of all but the last N - 1 points before it, so that N can be measured at a time. Another
    /// lag is another search [default: as many as there are jobs]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub lag: Option<u64>,
    /// Stop a point whose first runs each take more than so many times the best result that it is chosen from; `never`: all runs of all
    /// points. Another factor is another search
    #[arg(long, value_name = "FACTOR", default_value = "1.5", value_parser = stop)]
    pub stop: StopAt,
    /// p-method, q-method and evolve: points drawn before any is moved on from
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub drawn: u64,
    /// p-method and q-method: points that a round moves on from
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub from: u16,
    /// q-method: moves in a row from each of them
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub steps: u16,
    /// p-method and q-method: how much rather one moves on from fast points; 0: from all alike
    #[arg(long, value_name = "G", default_value = "4", value_parser = gamma)]
    pub gamma: f64,
}

/// When a slow point is stopped: at so many times the best result, or never
#[derive(Clone, Copy, Debug)]
pub(crate) struct StopAt(pub Option<f64>);

impl Course {
    /// As a technique has it
    pub(crate) fn moving(self) -> Moving {
        Moving { drawn: self.drawn, starts: self.from.into(), steps: self.steps.into(), gamma: self.gamma }
    }
}

/// Where candidates are measured, and how many at a time
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Farm {
    /// Workers that measure. On one machine candidates are compiled at the same time, and run one after the other
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
    /// Start workers by this command, which is followed by this program's path and arguments: `srun --overlap -u -n1`, `ssh other`. Several
    /// alternate. All machines have to be of one kind
    #[arg(long, value_name = "COMMAND", value_parser = command, conflicts_with_all = ["replay", "dry_run", "trials"])]
    pub through: Vec<String>,
    /// Measure by tasks of HyperQueue: on this machine with as many cores as there are jobs, or with the running server of this folder. Needs
    /// the Python package `hyperqueue` in the Python that the variable TERRACE_PYTHON names, or in `python3`
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    #[arg(conflicts_with_all = ["through", "replay", "dry_run", "trials"])]
    pub hyperqueue: Option<String>,
    /// Time for which workers elsewhere may be out of reach until the search ends, with exit code 3
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = duration)]
    pub patience: Duration,
    /// Machine and compiler of the first worker elsewhere
    #[arg(skip)]
    pub about: Arc<OnceLock<About>>,
}

impl Farm {
    /// Are candidates measured by workers that were started elsewhere?
    pub(crate) fn is_elsewhere(&self) -> bool {
        !self.through.is_empty() || self.hyperqueue.is_some()
    }
}

/// How a worker serves
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Serving {
    /// Folder where results of references are kept for the next worker
    #[arg(long, value_name = "DIR")]
    pub results: Option<PathBuf>,
    /// File that workers of this machine lock while a candidate runs, so that one is measured at a time. A name without a folder is one of
    /// the system's folder for temporary files
    #[arg(long, value_name = "FILE")]
    pub turn: Option<PathBuf>,
    /// State machine and compiler in the greeting
    #[arg(long)]
    pub about: bool,
    /// Pass all lines on to a worker that stays on this machine, and start it where there is none
    #[arg(long, conflicts_with_all = ["results", "turn", "about"])]
    pub warm: bool,
    /// Be the process that keeps such workers, and listen here
    #[arg(long, value_name = "SOCKET", hide = true, conflicts_with_all = ["results", "turn", "about", "warm"])]
    pub stays: Option<PathBuf>,
}

/// What else the tool does
#[derive(clap::Subcommand, Clone, Debug)]
pub(crate) enum Command {
    /// Measure on this machine what lines of JSON ask for, and print a line for each: times, or why there are none
    ///
    /// `terrace-tune FILE --trials --budget=100 | ssh OTHER terrace-tune trial` measures on another machine. A worker measures. One that
    /// dies or hangs is replaced, and its trial is repeated once.
    #[command(after_help = TRIAL)]
    Trial {
        /// File with the lines [default: standard input]
        file: Option<String>,
        /// By a worker that stays on this machine for a minute after its last trial, for those who come next
        #[arg(long)]
        warm: bool,
    },
    /// The process that measures: what searches and `trial` start. It reads trials from standard input and writes answers
    ///
    /// It greets with a line, answers each line with one, and writes a line each second while it is busy. It ends with its input, after a
    /// program that crashed or was wrong, and after 1000 trials. Start it yourself to move lines by a system of your own; whatever moves
    /// them starts the next worker, and repeats the trial of one that ended without an answer.
    Worker(Serving),
    /// Look at a store of records, merge and prune it
    ///
    /// `terrace-tune FILE --records=DIR` writes into a store what a search has found; `terrace-opt --records=DIR` and `terrace-run
    /// --records=DIR` use it.
    #[command(after_help = crate::records::HELP)]
    Records {
        /// What to do
        #[command(subcommand)]
        what: crate::records::Manage,
    },
}

impl Args {
    /// How many points are under way at a time, at most: which results a point is chosen from
    pub(crate) fn lag(&self) -> u64 {
        self.course.lag.unwrap_or(self.farm.jobs.into())
    }

    /// Is what is written not what is read or written elsewhere? A log of hours is not to end as something else
    pub(crate) fn check_places(&self) -> Result<(), Diagnostic> {
        let Some(output) = self.output.as_deref().filter(|file| *file != "-") else { return Ok(()) };
        let own = self.log.iter().chain(&self.starts).chain(&self.replay).map(String::as_str);
        for log in own.chain(self.logs.files()) {
            if terrace_opt::same_place(log, output) {
                let error = Diagnostic::error(
                    &codes::WRITE,
                    format!("`{output}` is the log, `-o` would overwrite it"),
                );
                return Err(error.help("give the output another name"));
            }
        }
        Ok(())
    }
}

/// Levels that are searched
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    Free,
    All,
    Written,
}

/// The first point
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Choose {
    Saturate,
    Any,
}

/// When to stop
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Budget {
    Time(Duration),
    Points(usize),
}

impl Budget {
    /// Is it none?
    pub(crate) fn is_nothing(self) -> bool {
        matches!(self, Budget::Points(0) | Budget::Time(Duration::ZERO))
    }
}

impl FromStr for Budget {
    type Err = NoWord;

    fn from_str(text: &str) -> Result<Budget, NoWord> {
        match text.parse() {
            Ok(points) => Ok(Budget::Points(points)),
            Err(_) => duration(text).map(Budget::Time),
        }
    }
}

fn command(text: &str) -> Result<String, NoWord> {
    match text.split_whitespace().next() {
        Some(_) => Ok(text.to_owned()),
        None => Err(NoWord::Command),
    }
}

fn weight(text: &str) -> Result<(String, f64), NoWord> {
    let no = || NoWord::Weight(text.to_owned());
    let (name, weight) = text.rsplit_once('=').ok_or_else(no)?;
    let weight = weight.parse().ok().filter(|weight| (1e-6..=1e9).contains(weight));
    weight.map(|weight| (name.to_owned(), weight)).ok_or_else(no)
}

fn stop(text: &str) -> Result<StopAt, NoWord> {
    if text == "never" {
        return Ok(StopAt(None));
    }
    let factor = text.parse().ok().filter(|factor| (1.0..=1e6).contains(factor));
    factor.map(|factor| StopAt(Some(factor))).ok_or_else(|| NoWord::Stop(text.to_owned()))
}

fn gamma(text: &str) -> Result<f64, NoWord> {
    text.parse()
        .ok()
        .filter(|gamma| (0.0..=1e6).contains(gamma))
        .ok_or_else(|| NoWord::Gamma(text.to_owned()))
}

/// Seconds of a limit or budget, at most: a year
const LONGEST: f64 = 365.0 * 24.0 * 3600.0;

fn duration(text: &str) -> Result<Duration, NoWord> {
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
        Some(number) if scale > 0.0 && number * scale <= LONGEST => {
            Ok(Duration::from_secs_f64(number * scale))
        }
        _ => Err(NoWord::Time(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights() {
        assert_eq!(weight("net.conv2=3"), Ok(("net.conv2".into(), 3.0)));
        assert_eq!(weight("a=b=0.5"), Ok(("a=b".into(), 0.5)));
        for wrong in ["conv", "conv=", "conv=0", "conv=-1", "conv=nan", "conv=inf"] {
            assert!(weight(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn budgets() {
        assert_eq!("200".parse(), Ok(Budget::Points(200)));
        assert_eq!("3m".parse(), Ok(Budget::Time(Duration::from_secs(180))));
        assert_eq!("500ms".parse(), Ok(Budget::Time(Duration::from_millis(500))));
        for wrong in ["", "3x", "-3s", "m", "1e99s", "300000h"] {
            assert!(wrong.parse::<Budget>().is_err(), "{wrong}");
        }
    }
}
