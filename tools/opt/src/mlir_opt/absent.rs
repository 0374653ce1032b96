//! The options of `mlir-opt` that are not here, each with the reason or with what comes nearest.

/// Options of MLIR that are not here, and what comes nearest
const ABSENT: &[(&str, &str)] = &[
    ("elide-resource-data-from-bytecode", "data of resources are written with the bytecode"),
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
    (
        "mlir-use-nameloc-as-prefix",
        "nearest: `terrace-opt` under its own name, which keeps the names of values",
    ),
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

/// Names of MLIR's options that are not here
pub fn names() -> impl Iterator<Item = &'static str> {
    ABSENT.iter().map(|(name, _)| *name)
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
