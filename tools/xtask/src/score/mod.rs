//! `cargo xtask score`: the figures that reviews hold the source against, now and at another revision
//!
//! One row per figure, in `FIGURES`; how each is counted stands in its module. Sizes per folder come first.

mod duplicates;
mod literals;
mod sizes;

use crate::Fallible;
use crate::lint::exceptions::Exceptions;
use crate::lint::how_to;
use crate::measure::{circles, functions};
use crate::source::{self, Source};
use crate::workspace::Workspace;

/// The files of one state of the repository
struct State {
    files: Vec<Source>,
    exceptions: Exceptions,
}

impl State {
    fn of(files: Vec<Source>) -> Fallible<State> {
        let exceptions = Exceptions::listed(&files)?;
        Ok(State { files, exceptions })
    }

    /// Rust files
    fn rust(&self) -> Vec<&Source> {
        self.files.iter().filter(|file| file.is_rust()).collect()
    }

    /// Rust files that are no test
    fn source(&self) -> Vec<&Source> {
        self.rust().into_iter().filter(|file| !file.is_test()).collect()
    }

    fn sizes(&self) -> sizes::Sizes {
        let mut all = sizes::Sizes::default();
        self.files.iter().for_each(|file| all.take(file));
        all
    }

    /// Places in files, as `path: count`
    fn places(&self, count: impl Fn(&Source) -> usize) -> Vec<String> {
        let files = self.source().into_iter();
        let counted = files.flat_map(|file| std::iter::repeat_n(file.path.clone(), count(file)));
        counted.collect()
    }

    fn long_functions(&self) -> Vec<String> {
        let of = |file: &&Source| -> Vec<String> {
            let long = functions::long(file).into_iter();
            long.map(|function| format!("{}::{} ({} lines)", file.path, function.name, function.lines))
                .collect()
        };
        self.source().iter().flat_map(of).collect()
    }
}

/// A figure: its name, the goal, and how it is counted
struct Figure {
    name: &'static str,
    goal: &'static str,
    count: fn(&State) -> f64,
}

/// All figures, in the order of the table
const FIGURES: &[Figure] = &[
    Figure { name: "lines of source", goal: "", count: |state| state.sizes().lines() as f64 },
    Figure {
        name: "median lines of a file",
        goal: "≤ 200",
        count: |state| state.sizes().quantile(0.5) as f64,
    },
    Figure {
        name: "p90 lines of a file", goal: "≤ 500", count: |state| state.sizes().quantile(0.9) as f64
    },
    Figure {
        name: "most lines of a file", goal: "≤ 800", count: |state| state.sizes().quantile(1.0) as f64
    },
    Figure { name: "test text : source", goal: "≥ 0.5", count: |state| state.sizes().test_ratio() },
    Figure { name: "functions over 80 lines", goal: "0", count: |state| state.long_functions().len() as f64 },
    Figure {
        name: "duplicates of 8 lines, pairs",
        goal: "≤ half",
        count: |state| duplicates::pairs(&state.source()).len() as f64,
    },
    Figure {
        name: "the same with tests, pairs",
        goal: "",
        count: |state| duplicates::pairs(&state.rust()).len() as f64,
    },
    Figure {
        name: "circles of modules",
        goal: "0",
        count: |state| circles::of(&state.source()).len() as f64,
    },
    Figure {
        name: "layers, regions, levels as strings",
        goal: "0",
        count: |state| state.places(literals::spoken).len() as f64,
    },
    Figure { name: "op names as strings", goal: "0", count: |state| op_names(state).len() as f64 },
    Figure {
        name: "Result<_, String>",
        goal: "0",
        count: |state| state.places(literals::string_results).len() as f64,
    },
];

/// Names of ops as strings, but where the list of exceptions says why there is no type
fn op_names(state: &State) -> Vec<String> {
    let counted = |file: &Source| match state.exceptions.allow("op-names", &file.path) {
        true => 0,
        false => literals::op_names(file),
    };
    state.places(counted)
}

/// What `--list` shows, by name
const LISTS: &[(&str, fn(&State) -> Vec<String>)] = &[
    ("functions", State::long_functions),
    ("duplicates", |state| duplicates::pairs(&state.source())),
    ("duplicates-with-tests", |state| duplicates::pairs(&state.rust())),
    ("circles", |state| circles::of(&state.source())),
    ("spoken", |state| state.places(literals::spoken)),
    ("op-names", op_names),
    ("string-results", |state| state.places(literals::string_results)),
];

/// `cargo xtask score [--against REV] [--list FIGURE]`
pub fn command(ws: &Workspace, against: Option<&str>, list: Option<&str>) -> Fallible {
    let now = State::of(source::files(&ws.root)?)?;
    if let Some(name) = list {
        let names = || LISTS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let list = LISTS.iter().find(|(known, _)| *known == name);
        let (_, places) = list.ok_or_else(|| format!("no list `{name}`; there are {}", names()))?;
        places(&now).iter().for_each(|place| say!("{place}"));
        return Ok(());
    }
    sizes::print(&now.files);
    let before =
        against.map(|revision| source::files_at(&ws.root, revision).and_then(State::of)).transpose()?;
    let shown = |value: f64| if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.2}") };
    say!("\n{:36} {:>10} {:>10} {:>8}", "figure", against.unwrap_or(""), "now", "goal");
    for figure in FIGURES {
        let before = before.as_ref().map_or(String::new(), |state| shown((figure.count)(state)));
        say!("{:36} {before:>10} {:>10} {:>8}", figure.name, shown((figure.count)(&now)), figure.goal);
    }
    for (page, files, most) in how_to::touched(&now.files) {
        say!(
            "{:36} {:>10} {files:>10} {:>8}",
            format!("files to {}", page.replace('-', " ")),
            "",
            format!("≤ {most}")
        );
    }
    Ok(())
}
