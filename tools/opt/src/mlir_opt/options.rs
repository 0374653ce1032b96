//! The options of `mlir-opt`: what each takes and sets, and which are not here.

use super::pipeline::Named;
use super::request::{Expected, Layout, List, Request, Which};
use super::words::{Takes, choice, number, truth};
use crate::registry::REGISTRY;

/// The line that divides inputs, and outputs
pub const MARKER: &str = "// -----";

/// Set what an option of this name and value says, or the error
type Set = fn(&mut Request, &str, Option<&str>) -> Result<(), String>;

/// An option
pub struct Known {
    /// Its name, without dashes
    pub name: &'static str,
    /// What it takes
    pub takes: Takes,
    /// What `--help` says, with the word for its value before a blank if it takes one
    pub help: &'static str,
    /// Set it
    pub set: Set,
}

/// Options that are a truth value: name, help, the place that it is written to
macro_rules! flags {
    ($($name:literal $help:literal => $($place:ident).+ $(= $not:tt)?;)*) => {
        &[$(Known {
            name: $name,
            takes: Takes::Flag,
            help: $help,
            set: |request, name, value| {
                request.$($place).+ = flags!(@not truth(name, value)? $(, $not)?);
                Ok(())
            },
        }),*]
    };
    (@not $value:expr) => { $value };
    (@not $value:expr, not) => { !$value };
}

const FLAGS: &[Known] = flags! {
    "allow-unregistered-dialect" "Accept ops, types and attributes of dialects that are not known" => allow_unregistered;
    "dump-pass-pipeline" "Print the pipeline with all options, on standard error" => dump_pipeline;
    "mlir-disable-diagnostic-notes" "Print messages without their notes" => notes = not;
    "mlir-pass-pipeline-local-reproducer" "A reproducer has only the pass that fails; needs one thread" => local_reproducer;
    "mlir-pass-statistics" "Print what passes counted, on standard error" => statistics;
    "mlir-print-debuginfo" "Print the location of each op" => print.debuginfo;
    "mlir-print-ir-after-change" "Print IR after a pass only if it changed" => dumps.on_change;
    "mlir-print-ir-after-failure" "Print IR after a pass only if it fails" => dumps.on_failure;
    "mlir-print-ir-module-scope" "Print the whole module around nested passes too; needs one thread" => dumps.module_scope;
    "mlir-print-local-scope" "Print without aliases" => print.local_scope;
    "mlir-print-op-generic" "Print ops in generic form" => print.generic;
    "mlir-print-op-on-diagnostic" "Print the op that a message is about (default)" => op_in_messages;
    "mlir-print-skip-regions" "Print `{...}` for regions" => print.skip_regions;
    "mlir-print-unique-ssa-ids" "Number values across functions" => print.unique_ids;
    "mlir-timing" "Print times, on standard error" => timing;
    "mlir-very-unsafe-disable-verifier-on-parsing" "Do not verify the input" => verify_input = not;
    "no-implicit-module" "Do not wrap the input in a module" => implicit_module = not;
    "run-reproducer" "Run the pipeline that the input has as a reproducer" => run_reproducer;
    "verify-each" "Verify after each pass (default)" => verify_each;
    "verify-roundtrip" "Print the input, parse that, and compare" => verify_roundtrip;
};

const VALUES: &[Known] = &[
    Known { name: "o", takes: Takes::Value, help: "<filename> Output file", set: |request, _, value| {
        request.output = value.unwrap_or("-").to_string();
        Ok(())
    } },
    Known { name: "pass-pipeline", takes: Takes::Value, help: "<string> Passes to run, with their nesting", set: |request, _, value| {
        request.pipeline = value.map(String::from);
        Ok(())
    } },
    Known { name: "p", takes: Takes::Value, help: "<string> Alias for --pass-pipeline", set: |request, _, value| {
        request.pipeline = value.map(String::from);
        Ok(())
    } },
    Known { name: "split-input-file", takes: Takes::Optional, help: "<string> Treat parts between lines `// -----` (or this marker) each as a file", set: |request, _, value| {
        request.split = Some(value.filter(|marker| !marker.is_empty()).unwrap_or(MARKER).to_string());
        Ok(())
    } },
    Known { name: "output-split-marker", takes: Takes::Value, help: "<string> Line between the outputs of parts", set: |request, _, value| {
        request.joint = value.unwrap_or(MARKER).to_string();
        Ok(())
    } },
    Known { name: "verify-diagnostics", takes: Takes::Optional, help: "<all|only-expected> Compare messages with `expected-*` comments", set: |request, name, value| {
        let words = [("all", Expected::All), ("only-expected", Expected::OnlyExpected)];
        request.expected = Some(choice(name, value.filter(|value| !value.is_empty()).unwrap_or("all"), &words)?);
        Ok(())
    } },
    Known { name: "mlir-print-ir-before", takes: Takes::Value, help: "<pass-arg> Print IR before these passes, on standard error", set: |request, name, value| {
        request.dumps.before = named(&request.dumps.before, name, value)?;
        Ok(())
    } },
    Known { name: "mlir-print-ir-after", takes: Takes::Value, help: "<pass-arg> Print IR after these passes, on standard error", set: |request, name, value| {
        request.dumps.after = named(&request.dumps.after, name, value)?;
        Ok(())
    } },
    Known { name: "mlir-print-ir-before-all", takes: Takes::Flag, help: "Print IR before each pass", set: |request, name, value| {
        request.dumps.before = if truth(name, value)? { Which::All } else { Which::None };
        Ok(())
    } },
    Known { name: "mlir-print-ir-after-all", takes: Takes::Flag, help: "Print IR after each pass", set: |request, name, value| {
        request.dumps.after = if truth(name, value)? { Which::All } else { Which::None };
        Ok(())
    } },
    Known { name: "mlir-disable-threading", takes: Takes::Flag, help: "Use one thread", set: |request, name, value| {
        if truth(name, value)? {
            request.threads = 1;
        }
        Ok(())
    } },
    Known { name: "mlir-elide-elementsattrs-if-larger", takes: Takes::Value, help: "<uint> Leave out elements of attributes with more than so many", set: |request, name, value| {
        request.print.elements.elide_beyond = Some(number(name, value.unwrap_or(""), "uint")?);
        Ok(())
    } },
    Known { name: "mlir-elide-resource-strings-if-larger", takes: Takes::Value, help: "<uint> Leave out resources with more characters", set: |request, name, value| {
        request.print.resources_up_to = Some(number(name, value.unwrap_or(""), "uint")?);
        Ok(())
    } },
    Known { name: "mlir-print-elementsattrs-with-hex-if-larger", takes: Takes::Value, help: "<long> Print more elements than this as bytes; -1 for never", set: |request, name, value| {
        let most: i64 = number(name, value.unwrap_or(""), "long")?;
        request.print.elements.hex_beyond = usize::try_from(most).unwrap_or(usize::MAX);
        Ok(())
    } },
    Known { name: "mlir-timing-display", takes: Takes::Value, help: "<list|tree> Layout of times", set: |request, name, value| {
        let words = [("list", Layout::List), ("tree", Layout::Tree)];
        request.timing_layout = choice(name, value.unwrap_or(""), &words)?;
        Ok(())
    } },
    Known { name: "mlir-pass-statistics-display", takes: Takes::Value, help: "<list|pipeline> Layout of statistics", set: |request, name, value| {
        let words = [("list", Layout::List), ("pipeline", Layout::Tree)];
        request.statistics_layout = choice(name, value.unwrap_or(""), &words)?;
        Ok(())
    } },
    Known { name: "mlir-output-format", takes: Takes::Value, help: "<text|json> Form of times", set: |request, name, value| {
        request.json = choice(name, value.unwrap_or(""), &[("text", false), ("json", true)])?;
        Ok(())
    } },
    Known { name: "mlir-pass-pipeline-crash-reproducer", takes: Takes::Value, help: "<filename> Write what reproduces a failing pass", set: |request, _, value| {
        request.crash_reproducer = value.map(String::from);
        Ok(())
    } },
    Known { name: "mlir-print-ir-tree-dir", takes: Takes::Value, help: "<string> Print IR into files of this folder, in folders of their ops", set: |request, _, value| {
        request.dumps.folder = value.map(String::from);
        Ok(())
    } },
    Known { name: "mlir-generate-reproducer", takes: Takes::Value, help: "<filename> Write what reproduces this run", set: |request, _, value| {
        request.reproducer = value.map(String::from);
        Ok(())
    } },
    // Printing never verifies here.
    Known { name: "mlir-print-assume-verified", takes: Takes::Flag, help: "Print without verifying (always so)", set: |_, name, value| {
        truth(name, value).map(drop)
    } },
    Known { name: "list-passes", takes: Takes::Flag, help: "List passes", set: |request, name, value| list(request, name, value, List::Passes) },
    Known { name: "show-dialects", takes: Takes::Flag, help: "List dialects", set: |request, name, value| list(request, name, value, List::Dialects) },
    Known { name: "help", takes: Takes::Flag, help: "Show this", set: |request, name, value| list(request, name, value, List::Help) },
    Known { name: "h", takes: Takes::Flag, help: "Show this", set: |request, name, value| list(request, name, value, List::Help) },
    Known { name: "help-hidden", takes: Takes::Flag, help: "Show this", set: |request, name, value| list(request, name, value, List::Help) },
    Known { name: "help-list", takes: Takes::Flag, help: "Show this", set: |request, name, value| list(request, name, value, List::Help) },
    Known { name: "version", takes: Takes::Flag, help: "Show the version", set: |request, name, value| list(request, name, value, List::Version) },
];

fn list(request: &mut Request, name: &str, value: Option<&str>, list: List) -> Result<(), String> {
    if truth(name, value)? {
        request.list = Some(list);
    }
    Ok(())
}

/// Passes behind `--mlir-print-ir-after=`, added to those that are named already
fn named(before: &Which, name: &str, value: Option<&str>) -> Result<Which, String> {
    let mut names = match before {
        Which::All => return Ok(Which::All),
        Which::Named(names) => names.clone(),
        Which::None => Vec::new(),
    };
    for pass in value.unwrap_or("").split(',') {
        if Named::find(pass, &REGISTRY).is_none() {
            return Err(format!("for the --{name} option: Cannot find option named '{pass}'!"));
        }
        names.push(pass.to_string());
    }
    Ok(Which::Named(names))
}

/// Options of MLIR that are not here, and what comes nearest
const ABSENT: &[(&str, &str)] = &[
    ("elide-resource-data-from-bytecode", BYTECODE),
    ("emit-bytecode", BYTECODE),
    ("emit-bytecode-version", BYTECODE),
    ("irdl-file", DIALECTS),
    ("load-dialect-plugin", DIALECTS),
    ("load-pass-plugin", "a pass of one's own is a crate in Rust: `docs/how-to/add-a-pass.md`"),
    ("log-actions-to", ACTIONS),
    ("log-mlir-actions-filter", ACTIONS),
    ("mlir-debug-counter", ACTIONS),
    ("mlir-diagnostic-verbosity-level", "nearest: `--mlir-disable-diagnostic-notes`"),
    ("mlir-enable-debugger-hook", ACTIONS),
    ("mlir-pretty-debuginfo", "nearest: `--mlir-print-debuginfo`"),
    ("mlir-print-debug-counter", ACTIONS),
    ("mlir-print-stacktrace-on-diagnostic", "messages have no stack: the tool is not C++"),
    ("mlir-print-value-users", "nearest: `--mlir-print-op-generic`"),
    ("mlir-use-nameloc-as-prefix", "nearest: `terrace-opt` under its own name, which keeps the names of values"),
    ("profile-actions-to", "nearest: `--mlir-timing --mlir-output-format=json`"),
    ("remark-format", REMARKS),
    ("remark-policy", REMARKS),
    ("remarks-filter", REMARKS),
    ("remarks-filter-analyse", REMARKS),
    ("remarks-filter-failed", REMARKS),
    ("remarks-filter-missed", REMARKS),
    ("remarks-filter-passed", REMARKS),
    ("remarks-output-file", REMARKS),
];

const BYTECODE: &str = "bytecode is neither read nor written; the output is text";
const DIALECTS: &str = "a dialect of one's own is a crate in Rust: `docs/your-own-dialect.md`; \
                        `--allow-unregistered-dialect` accepts unknown ops in generic form";
const ACTIONS: &str = "nearest: `--mlir-print-ir-after-change`";
const REMARKS: &str = "nearest: `terrace-opt --explain-miss=RULE`, which says why a rule does not apply";

/// Options of LLVM's libraries
const OF_LLVM: &str = include_str!("llvm-options.txt");

fn of_llvm(name: &str) -> bool {
    let lines = OF_LLVM.lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(|line| line.split(' ')).any(|option| option == name)
}

/// An option by name
pub fn find(name: &str) -> Option<&'static Known> {
    all().find(|option| option.name == name)
}

/// All options that are here
pub fn all() -> impl Iterator<Item = &'static Known> {
    FLAGS.iter().chain(VALUES)
}

/// Names that may have been meant
pub fn names() -> impl Iterator<Item = &'static str> {
    all().map(|option| option.name).chain(ABSENT.iter().map(|(name, _)| *name))
}

/// Is it an option of `mlir-opt` that is not here?
pub fn is_absent(name: &str) -> bool {
    name.starts_with("test-") || ABSENT.iter().any(|(other, _)| *other == name) || of_llvm(name)
}

/// Why an option is not here
pub fn absence(name: &str) -> String {
    if let Some((_, why)) = ABSENT.iter().find(|(other, _)| *other == name) {
        return format!("option '--{name}' is not in this tool: {why}");
    }
    if of_llvm(name) {
        return format!("option '--{name}' is one of LLVM's libraries, which this tool does not contain");
    }
    format!("pass '--{name}' is one of MLIR's own tests and is not in this tool")
}
