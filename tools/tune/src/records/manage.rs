//! `terrace-tune records`: what is in a store, and what changes it as a whole.

use super::table::table;
use std::collections::BTreeMap;
use std::fmt::Write;
use terrace_diag::{Diagnostic, Diags};
use terrace_search_records::{Contents, Fault, Hash, Id, Record, Store, StoreError, codes, line};

const EXAMPLES: &str = "\
Examples:
  terrace-tune matmul.mlir --free=size --budget=2m --records=store
      search, and write the best schedule as a record; the folder becomes a store
  terrace-tune records list store
      what was found, for what, on which machine, and how many times as fast as the schedule chosen without measuring
  terrace-opt matmul.mlir --pipeline=to-host --emit=asm --records=store
  terrace-run matmul.mlir --in=A=random:1 --in=B=random:2 --on=host --records=store
      use it: remarks name the records
  terrace-tune records merge store /mnt/colleague/store
      take the records of another store; in any order, and as often as you like
  terrace-tune records prune store --keep=3
      write the store anew with the three fastest records of each computation

A store is a folder of segments, JSON lines that are only appended to. Copying segments (`*.jsonl`) from one store into another merges
them, too. `index.redb` is derived and may be deleted. A record is found by its computation, whatever names it has, its target
(device, back end, threads), compiler and machine.";

/// What to do with a store
#[derive(clap::Subcommand, Clone, Debug)]
pub(crate) enum Manage {
    /// List all records
    List {
        /// Folder of the store
        store: String,
        /// Those whose computation, target or machine contains this text
        #[arg(long, value_name = "TEXT")]
        of: Option<String>,
    },
    /// Print the fastest record of each computation, target, compiler and machine, with its schedule
    Best {
        /// Folder of the store
        store: String,
        /// Those whose computation, target or machine contains this text
        #[arg(long, value_name = "TEXT")]
        of: Option<String>,
    },
    /// Write all records as one segment: into a file, or to standard output
    Export {
        /// Folder of the store
        store: String,
        /// The file
        #[arg(short = 'o', long = "output", value_name = "OUT")]
        output: Option<String>,
    },
    /// Take the records of other stores; the first folder becomes a store if it is empty or not there
    Merge {
        /// Folder of the store that receives them
        store: String,
        /// Folders of the others
        from: Vec<String>,
    },
    /// Write the store anew with the fastest records alone; damaged lines go, lines of newer versions stay
    Prune {
        /// Folder of the store
        store: String,
        /// Records to keep of each computation, target, compiler and machine
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        keep: u32,
    },
    /// Read every line, and name those that are damaged; exit with 1 if there are any
    Check {
        /// Folder of the store
        store: String,
    },
}

/// Shown after the options
pub(crate) const HELP: &str = EXAMPLES;

/// Damaged lines that are named one by one
const NAMED: usize = 20;

/// Do it
pub(crate) fn manage(what: &Manage, diags: &mut Diags) -> Result<(), Diagnostic> {
    let fail = |why: StoreError| why.diagnostic();
    match what {
        Manage::List { store, of } => {
            let contents = contents(store, diags)?;
            let chosen = contents.records.iter().filter(|(_, record)| is_of(record, of.as_deref()));
            let mut sorted: Vec<(&Id, &Record)> = chosen.collect();
            sorted.sort_by(|a, b| order(a).cmp(&order(b)));
            say(None, &lines(table(sorted)))
        }
        Manage::Best { store, of } => {
            let contents = contents(store, diags)?;
            say(None, &best(&contents, of.as_deref()))
        }
        Manage::Export { store, output } => {
            let mut text = String::new();
            for record in contents(store, diags)?.records.values() {
                let (_, line) =
                    line::write(record).map_err(|why| fail(StoreError::read(store.as_ref(), why)))?;
                text.push_str(&line);
            }
            say(output.as_deref().filter(|file| *file != "-"), &text)
        }
        Manage::Merge { store, from } => {
            // All are stores, or nothing is changed.
            let from: Vec<Store> = from.iter().map(Store::open).collect::<Result<_, _>>().map_err(fail)?;
            let store = Store::create(store).map_err(fail)?;
            let mut text = String::new();
            for other in &from {
                let merged = store.merge(other).map_err(fail)?;
                let name = other.folder().display();
                let _ = writeln!(
                    text,
                    "`{name}`: {} taken, {} there already",
                    segments(merged.copied),
                    merged.known
                );
            }
            say(None, &text)
        }
        Manage::Prune { store, keep } => {
            let store = Store::open(store).map_err(fail)?;
            let keep = usize::try_from(*keep).unwrap_or(usize::MAX);
            let pruned = store.prune(keep).map_err(fail)?;
            let mut text = format!("{} of {} kept", pruned.after, records(pruned.before));
            if pruned.dropped > 0 {
                let _ = write!(text, "; {} that were no records are gone", plural(pruned.dropped, "line"));
            }
            if pruned.newer > 0 {
                let _ = write!(text, "; {} of newer versions stay", plural(pruned.newer, "line"));
            }
            say(None, &(text + "\n"))
        }
        Manage::Check { store } => check(&Store::open(store).map_err(fail)?),
    }
}

fn say(file: Option<&str>, text: &str) -> Result<(), Diagnostic> {
    terrace_opt::write_output(file, text.as_bytes())
}

fn lines(lines: Vec<String>) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn plural(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}

fn records(count: usize) -> String {
    plural(count, "record")
}

fn segments(count: usize) -> String {
    plural(count, "segment")
}

/// All records; what is wrong with other lines is a message
fn contents(store: &str, diags: &mut Diags) -> Result<Contents, Diagnostic> {
    let store = Store::open(store).map_err(|why| why.diagnostic())?;
    let contents = store.contents().map_err(|why| why.diagnostic())?;
    if !contents.faults.is_empty() {
        let left =
            format!("{} of `{}` left out", plural(contents.faults.len(), "line"), store.folder().display());
        let _ = diags.emit(noted(Diagnostic::warning(&codes::DAMAGED, left), &contents.faults));
    }
    Ok(contents)
}

/// With a note for each fault, as far as anyone reads them
fn noted(mut diagnostic: Diagnostic, faults: &[Fault]) -> Diagnostic {
    for fault in faults.iter().take(NAMED) {
        diagnostic = diagnostic.note(fault.to_string());
    }
    match faults.len().saturating_sub(NAMED) {
        0 => diagnostic,
        more => diagnostic.note(format!("{more} more")),
    }
}

fn is_of(record: &Record, text: Option<&str>) -> bool {
    let about = &record.about;
    let own = [&about.computation, &about.target, &about.machine];
    text.is_none_or(|text| own.iter().any(|one| one.contains(text)))
}

/// By computation and target in words, then the fastest first
fn order<'a>(one: &(&'a Id, &'a Record)) -> (&'a str, &'a str, &'a str, u64, &'a Id) {
    let about = &one.1.about;
    (&about.computation, &about.target, &about.machine, one.1.seconds.to_bits(), one.0)
}

/// The fastest of each group, with its schedule
fn best(contents: &Contents, of: Option<&str>) -> String {
    let mut groups: BTreeMap<[Hash; 4], (&Id, &Record)> = BTreeMap::new();
    for (id, record) in contents.records.iter().filter(|(_, record)| is_of(record, of)) {
        let group = [record.program, record.target, record.compiler, record.machine];
        let found = groups.entry(group).or_insert((id, record));
        if record.seconds < found.1.seconds {
            *found = (id, record);
        }
    }
    let mut sorted: Vec<(&Id, &Record)> = groups.into_values().collect();
    sorted.sort_by(|a, b| order(a).cmp(&order(b)));
    let rows = table(sorted.iter().copied());
    let mut text = String::new();
    for (n, row) in rows.iter().enumerate() {
        let _ = writeln!(text, "{row}");
        let steps = n.checked_sub(1).map_or(&[][..], |n| &sorted[n].1.schedule);
        steps.iter().for_each(|step| _ = writeln!(text, "    {step}"));
    }
    text
}

/// Read all, and name what is damaged
fn check(store: &Store) -> Result<(), Diagnostic> {
    let fail = |why: StoreError| why.diagnostic();
    let contents = store.contents().map_err(fail)?;
    let count = store.segments().map_err(fail)?.len();
    let (damaged, others): (Vec<Fault>, Vec<Fault>) = contents.faults.into_iter().partition(Fault::is_damage);
    let mut text = format!("{} in {}", records(contents.records.len()), segments(count));
    if contents.repeated > 0 {
        let _ = write!(text, ", {} repeated", plural(contents.repeated, "line"));
    }
    text.push('\n');
    others.iter().for_each(|fault| _ = writeln!(text, "{fault}"));
    say(None, &text)?;
    if damaged.is_empty() {
        return Ok(());
    }
    let name = store.folder().display();
    let error =
        Diagnostic::error(&codes::DAMAGED, format!("{} of `{name}` damaged", plural(damaged.len(), "line")));
    Err(noted(error, &damaged)
        .help(format!("`terrace-tune records prune {name}` writes it anew without them")))
}
