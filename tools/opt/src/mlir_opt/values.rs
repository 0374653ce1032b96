//! The options of `mlir-opt` that take a value, and those that ask for a list.

use super::known::Known;
use super::pipeline::Named;
use super::request::{Expected, Layout, List, MARKER, Request, Which};
use super::words::{Takes, choice, number, truth};
use terrace_pass::Registry;

/// The options
pub const VALUES: &[Known] = &[
    Known {
        name: "o",
        takes: Takes::Value,
        help: "<filename> Output file",
        set: |request, _, value| {
            request.output = value.unwrap_or("-").to_string();
            Ok(())
        },
    },
    Known {
        name: "emit-bytecode-version",
        takes: Takes::Value,
        help: "<value> Version of the bytecode to write, 0 to 6",
        set: |request, name, value| {
            request.bytecode_version = number(name, value.unwrap_or(""), "long")?;
            Ok(())
        },
    },
    Known {
        name: "irdl-file",
        takes: Takes::Value,
        help: "<filename> Load the dialects that a file defines in IRDL",
        set: |request, _, value| {
            request.irdl_files.extend(value.map(String::from));
            Ok(())
        },
    },
    Known {
        name: "pass-pipeline",
        takes: Takes::Value,
        help: "<string> Passes to run, with their nesting",
        set: |request, _, value| {
            request.pipeline = value.map(String::from);
            Ok(())
        },
    },
    Known {
        name: "p",
        takes: Takes::Value,
        help: "<string> Alias for --pass-pipeline",
        set: |request, _, value| {
            request.pipeline = value.map(String::from);
            Ok(())
        },
    },
    Known {
        name: "split-input-file",
        takes: Takes::Optional,
        help: "<string> Treat parts between lines `// -----` (or this marker) each as a file",
        set: |request, name, value| {
            let marker = value.filter(|marker| !marker.is_empty()).unwrap_or(MARKER);
            if marker.trim().is_empty() {
                return Err(format!("for the --{name} option: '{marker}' is no marker: it is blank"));
            }
            request.split = Some(marker.to_string());
            Ok(())
        },
    },
    Known {
        name: "output-split-marker",
        takes: Takes::Value,
        help: "<string> Line between the outputs of parts",
        set: |request, _, value| {
            request.joint = value.unwrap_or(MARKER).to_string();
            Ok(())
        },
    },
    Known {
        name: "verify-diagnostics",
        takes: Takes::Optional,
        help: "<all|only-expected> Compare messages with `expected-*` comments",
        set: |request, name, value| {
            let words = [("all", Expected::All), ("only-expected", Expected::OnlyExpected)];
            request.expected =
                Some(choice(name, value.filter(|value| !value.is_empty()).unwrap_or("all"), &words)?);
            Ok(())
        },
    },
    Known {
        name: "mlir-print-ir-before",
        takes: Takes::Value,
        help: "<pass-arg> Print IR before these passes, on standard error",
        set: |request, name, value| {
            request.dumps.before = named(&request.dumps.before, name, value, &request.registry)?;
            Ok(())
        },
    },
    Known {
        name: "mlir-print-ir-after",
        takes: Takes::Value,
        help: "<pass-arg> Print IR after these passes, on standard error",
        set: |request, name, value| {
            request.dumps.after = named(&request.dumps.after, name, value, &request.registry)?;
            Ok(())
        },
    },
    Known {
        name: "mlir-print-ir-before-all",
        takes: Takes::Flag,
        help: "Print IR before each pass",
        set: |request, name, value| {
            request.dumps.before = if truth(name, value)? { Which::All } else { Which::None };
            Ok(())
        },
    },
    Known {
        name: "mlir-print-ir-after-all",
        takes: Takes::Flag,
        help: "Print IR after each pass",
        set: |request, name, value| {
            request.dumps.after = if truth(name, value)? { Which::All } else { Which::None };
            Ok(())
        },
    },
    Known {
        name: "mlir-disable-threading",
        takes: Takes::Flag,
        help: "Use one thread",
        set: |request, name, value| {
            if truth(name, value)? {
                request.threads = 1;
            }
            Ok(())
        },
    },
    Known {
        name: "mlir-elide-elementsattrs-if-larger",
        takes: Takes::Value,
        help: "<uint> Leave out elements of attributes with more than so many",
        set: |request, name, value| {
            request.print.elements.elide_beyond = Some(number(name, value.unwrap_or(""), "uint")?);
            Ok(())
        },
    },
    Known {
        name: "mlir-elide-resource-strings-if-larger",
        takes: Takes::Value,
        help: "<uint> Leave out resources with more characters",
        set: |request, name, value| {
            request.print.resources_up_to = Some(number(name, value.unwrap_or(""), "uint")?);
            Ok(())
        },
    },
    Known {
        name: "mlir-print-elementsattrs-with-hex-if-larger",
        takes: Takes::Value,
        help: "<long> Print more elements than this as bytes; -1 for never",
        set: |request, name, value| {
            let most: i64 = number(name, value.unwrap_or(""), "long")?;
            request.print.elements.hex_beyond = usize::try_from(most).unwrap_or(usize::MAX);
            Ok(())
        },
    },
    Known {
        name: "mlir-timing-display",
        takes: Takes::Value,
        help: "<list|tree> Layout of times",
        set: |request, name, value| {
            let words = [("list", Layout::List), ("tree", Layout::Tree)];
            request.timing_layout = choice(name, value.unwrap_or(""), &words)?;
            Ok(())
        },
    },
    Known {
        name: "mlir-pass-statistics-display",
        takes: Takes::Value,
        help: "<list|pipeline> Layout of statistics",
        set: |request, name, value| {
            let words = [("list", Layout::List), ("pipeline", Layout::Tree)];
            request.statistics_layout = choice(name, value.unwrap_or(""), &words)?;
            Ok(())
        },
    },
    Known {
        name: "mlir-output-format",
        takes: Takes::Value,
        help: "<text|json> Form of times",
        set: |request, name, value| {
            request.json = choice(name, value.unwrap_or(""), &[("text", false), ("json", true)])?;
            Ok(())
        },
    },
    Known {
        name: "mlir-pass-pipeline-crash-reproducer",
        takes: Takes::Value,
        help: "<filename> Write what reproduces a failing pass",
        set: |request, _, value| {
            request.crash_reproducer = value.map(String::from);
            Ok(())
        },
    },
    Known {
        name: "mlir-print-ir-tree-dir",
        takes: Takes::Value,
        help: "<string> Print IR into files of this folder, in folders of their ops",
        set: |request, _, value| {
            request.dumps.folder = value.map(String::from);
            Ok(())
        },
    },
    Known {
        name: "mlir-generate-reproducer",
        takes: Takes::Value,
        help: "<filename> Write what reproduces this run",
        set: |request, _, value| {
            request.reproducer = value.map(String::from);
            Ok(())
        },
    },
    // Printing never verifies here.
    Known {
        name: "mlir-print-assume-verified",
        takes: Takes::Flag,
        help: "Print without verifying (always so)",
        set: |_, name, value| truth(name, value).map(drop),
    },
    Known {
        name: "list-passes",
        takes: Takes::Flag,
        help: "List passes",
        set: |request, name, value| list(request, name, value, List::Passes),
    },
    Known {
        name: "show-dialects",
        takes: Takes::Flag,
        help: "List dialects",
        set: |request, name, value| list(request, name, value, List::Dialects),
    },
    Known {
        name: "help",
        takes: Takes::Flag,
        help: "Show this",
        set: |request, name, value| list(request, name, value, List::Help),
    },
    Known {
        name: "h",
        takes: Takes::Flag,
        help: "Show this",
        set: |request, name, value| list(request, name, value, List::Help),
    },
    Known {
        name: "help-hidden",
        takes: Takes::Flag,
        help: "Show this",
        set: |request, name, value| list(request, name, value, List::Help),
    },
    Known {
        name: "help-list",
        takes: Takes::Flag,
        help: "Show this",
        set: |request, name, value| list(request, name, value, List::Help),
    },
    Known {
        name: "version",
        takes: Takes::Flag,
        help: "Show the version",
        set: |request, name, value| list(request, name, value, List::Version),
    },
];

fn list(request: &mut Request, name: &str, value: Option<&str>, list: List) -> Result<(), String> {
    if truth(name, value)? {
        request.list = Some(list);
    }
    Ok(())
}

/// Passes behind `--mlir-print-ir-after=`, added to those that are named already
fn named(before: &Which, name: &str, value: Option<&str>, registry: &Registry) -> Result<Which, String> {
    let mut names = match before {
        Which::All => return Ok(Which::All),
        Which::Named(names) => names.clone(),
        Which::None => Vec::new(),
    };
    for pass in value.unwrap_or("").split(',') {
        let Some(found) = Named::find(pass, registry) else {
            return Err(format!("for the --{name} option: Cannot find option named '{pass}'!"));
        };
        names.push(found.resolved(registry));
    }
    Ok(Which::Named(names))
}
