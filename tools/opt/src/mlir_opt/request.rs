//! What a command line of `mlir-opt` wants.

use super::given::{self, BadOptions};
use super::pipeline::{Named, Nest, Use};
use super::textual::{self, BadPipeline};
use terrace_pass::Registry;
use terrace_text::PrintOptions;

/// The line that divides inputs, and outputs
pub const MARKER: &str = "// -----";

/// Which passes to print IR around
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Which {
    /// None
    #[default]
    None,
    /// All
    All,
    /// These, each by the name that all of its names stand for
    Named(Vec<&'static str>),
}

impl Which {
    /// Is it one of them?
    pub fn is(&self, name: &str) -> bool {
        match self {
            Which::None => false,
            Which::All => true,
            Which::Named(names) => names.contains(&name),
        }
    }
}

/// IR that is printed around passes
#[derive(Clone, Default, Debug)]
pub struct Dumps {
    /// Before these
    pub before: Which,
    /// After these
    pub after: Which,
    /// After a pass only if it has changed something
    pub on_change: bool,
    /// After passes only if they fail
    pub on_failure: bool,
    /// The whole module each time
    pub module_scope: bool,
    /// Into files of this folder
    pub folder: Option<String>,
}

/// How a report is laid out
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// A line for each name
    List,
    /// As the pipeline nests
    Tree,
}

/// What stands in the place of a run
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum List {
    /// `--help`
    Help,
    /// `--version`
    Version,
    /// `--list-passes`
    Passes,
    /// `--show-dialects`
    Dialects,
}

/// Which messages have to be expected
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// All
    All,
    /// Only those that the file expects have to come
    OnlyExpected,
}

/// All of it
#[derive(Clone)]
pub struct Request {
    /// Passes of this tool
    pub registry: Registry,
    /// The program's name in messages
    pub program: String,
    /// Input file; `-` is standard input
    pub file: String,
    /// Output file; `-` is standard output
    pub output: String,
    /// Lines that divide the input
    pub split: Option<String>,
    /// Files that define dialects in IRDL
    pub irdl_files: Vec<String>,
    /// The line that divides the output
    pub joint: String,
    /// Accept ops of dialects that are not known
    pub allow_unregistered: bool,
    /// Wrap what is not one module in one
    pub implicit_module: bool,
    /// Verify what was parsed
    pub verify_input: bool,
    /// Verify after each pass
    pub verify_each: bool,
    /// Write bytecode
    pub emit_bytecode: bool,
    /// Of this version
    pub bytecode_version: u64,
    /// Print, parse and compare
    pub verify_roundtrip: bool,
    /// Compare messages with what the file expects
    pub expected: Option<Expected>,
    /// Text of the pipeline
    pub pipeline: Option<String>,
    /// Passes as flags, in order
    pub flags: Vec<(String, String)>,
    /// Print the pipeline first
    pub dump_pipeline: bool,
    /// IR around passes
    pub dumps: Dumps,
    /// How to print
    pub print: PrintOptions,
    /// Messages with their notes
    pub notes: bool,
    /// Messages about an op with its text
    pub op_in_messages: bool,
    /// Times
    pub timing: bool,
    /// How to lay out times
    pub timing_layout: Layout,
    /// Reports as JSON
    pub json: bool,
    /// Numbers that passes count
    pub statistics: bool,
    /// How to lay out statistics
    pub statistics_layout: Layout,
    /// Where to write what reproduces a failure
    pub crash_reproducer: Option<String>,
    /// Only of the pass that failed
    pub local_reproducer: bool,
    /// Where to write what reproduces the run
    pub reproducer: Option<String>,
    /// Take pipeline and settings from the input
    pub run_reproducer: bool,
    /// Threads to use
    pub threads: usize,
    /// What to print instead
    pub list: Option<List>,
}

impl Request {
    /// What no option says
    pub fn new(program: &str, registry: Registry) -> Request {
        Request {
            registry,
            program: program.to_string(),
            file: "-".into(),
            output: "-".into(),
            split: None,
            irdl_files: Vec::new(),
            joint: MARKER.into(),
            allow_unregistered: false,
            implicit_module: true,
            verify_input: true,
            verify_each: true,
            emit_bytecode: false,
            bytecode_version: terrace_bytecode::VERSION,
            verify_roundtrip: false,
            expected: None,
            pipeline: None,
            flags: Vec::new(),
            dump_pipeline: false,
            dumps: Dumps::default(),
            print: PrintOptions { names: false, predecessors: true, ..PrintOptions::default() },
            notes: true,
            op_in_messages: true,
            timing: false,
            timing_layout: Layout::Tree,
            json: false,
            statistics: false,
            statistics_layout: Layout::Tree,
            crash_reproducer: None,
            local_reproducer: false,
            reproducer: None,
            run_reproducer: false,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            list: None,
        }
    }

    /// The pipeline, on `anchor` where flags make it
    pub fn pipeline(&self, anchor: &str) -> Result<Nest, BadPipeline> {
        let registry = &self.registry;
        if let Some(text) = &self.pipeline {
            if !self.flags.is_empty() {
                let error = "'-pass-pipeline' option can't be used with individual pass options";
                return Err(error.to_string().into());
            }
            return textual::parse(text, registry);
        }
        let mut nest = Nest::new(anchor);
        for (name, text) in &self.flags {
            let Some(pass) = Named::find(name, registry) else { continue };
            let given = given::options(pass, text)
                .map_err(|BadOptions { llvm, error }| BadPipeline { llvm, error })?;
            nest.add_implicitly(Use { pass, given });
        }
        Ok(nest)
    }

    /// Is anything about single steps wanted?
    pub fn follows(&self) -> bool {
        let dumps =
            self.dumps.before != Which::None || self.dumps.after != Which::None || self.dumps.on_failure;
        dumps || self.timing || self.statistics || self.crash_reproducer.is_some()
    }
}
