//! Printer: a unit as MLIR text, in the syntax of its ops or in generic form.
//!
//! Printing never fails, whatever the IR: what can't be named prints as upstream's placeholders. Text is appended to a
//! buffer without `fmt`, types are spelled once, and the root's children may be printed on several threads with the
//! same bytes. Comments about predecessors are printed on demand.

mod aliases;
mod each;
mod kinds;
mod names;
mod op;
mod pieces;
mod regions;
mod scan;
mod sink;
mod stack;
mod steps;
mod suggested;
#[cfg(test)]
mod tests;
mod units;

pub use each::{Apart, UnitPrinter};
pub use kinds::default_dialect;
pub use op::OpPrinter;

use aliases::AliasTable;
use kinds::Kinds;
use names::Start;
use pieces::{Pieces, Work};
use sink::Sink;
use std::io;
use terrace_ir::resources::Entry;
use terrace_ir::show::Elements;
use terrace_ir::{Ir, OpId};

/// How to print
#[derive(Clone, Debug)]
pub struct PrintOptions {
    /// Generic form only
    pub generic: bool,
    /// `loc(…)` after each op
    pub debuginfo: bool,
    /// Threads to use; the text does not depend on it
    pub threads: usize,
    /// No aliases: every op's text stands alone
    pub local_scope: bool,
    /// Keep the names of values and blocks that authors gave
    pub names: bool,
    /// `{...}` for regions
    pub skip_regions: bool,
    /// Numbers of values go on from region to region
    pub unique_ids: bool,
    /// How elements are written
    pub elements: Elements,
    /// `// pred: ^bb0` behind the headers of blocks
    pub predecessors: bool,
    /// Resources longer than this, as they are written, are left out
    pub resources_up_to: Option<usize>,
}

impl Default for PrintOptions {
    fn default() -> Self {
        PrintOptions {
            generic: false,
            debuginfo: false,
            threads: 1,
            local_scope: false,
            names: true,
            skip_regions: false,
            unique_ids: false,
            elements: Elements::default(),
            predecessors: false,
            resources_up_to: None,
        }
    }
}

/// Append the text of a unit with all below it, and a line break
pub fn print(ir: &Ir, options: &PrintOptions, out: &mut String) {
    let text = std::mem::take(out);
    let (text, _) = print_unit(ir, options, text, None);
    *out = text;
}

/// Write the text of a unit with all below it, and a line break; memory does not grow with the text
pub fn print_to(ir: &Ir, options: &PrintOptions, out: &mut dyn io::Write) -> io::Result<()> {
    print_unit(ir, options, String::new(), Some(out)).1
}

fn print_unit(
    ir: &Ir,
    options: &PrintOptions,
    text: String,
    out: Option<&mut dyn io::Write>,
) -> (String, io::Result<()>) {
    let kinds = Kinds::new(ir.cx());
    let table = AliasTable::collect(ir, &kinds, options);
    let aliases = (!table.is_empty()).then_some(&table);
    let mut names = names::Names::default();
    names.number(ir, &kinds, options, Start::default());
    let work = (options.threads > 1 && !options.unique_ids)
        .then(|| Work::new(ir, &names, options.threads))
        .flatten();
    std::thread::scope(|scope| {
        let stop = work.as_ref().map(Work::stop_at_end);
        if let Some(work) = &work {
            for _ in 0..options.threads {
                scope.spawn(|| units::run(work, &kinds, options, aliases));
            }
        }
        let mut printer = OpPrinter::new(ir, &kinds, options);
        printer.w.out = text;
        printer.w.aliases = aliases.map(|table| table as _);
        // Not `map`: the writer's lifetime must shrink to the printer's.
        if let Some(out) = out {
            printer.sink = Some(Sink::new(out));
        }
        printer.pieces = work.as_ref().map(Pieces::new);
        printer.names = names;
        table.define(&mut printer.w);
        printer.root_op();
        printer.trailing_loc(ir.root());
        printer.text("\n");
        resources(&mut printer);
        drop(stop);
        let OpPrinter { mut w, sink, .. } = printer;
        let result = sink.map_or(Ok(()), |sink| sink.finish(&mut w.out));
        (w.out, result)
    })
}

/// `{-# … #-}` with the file's resources, if it has any that are written
fn resources(p: &mut OpPrinter<'_>) {
    let Some(resources) = p.ir.resources() else { return };
    let source = p.cx().sources().text(resources.source);
    let text = |entry: &Entry| source.get(entry.value.0 as usize..entry.value.1 as usize).unwrap_or("\"\"");
    let most = p.options.resources_up_to.unwrap_or(usize::MAX);
    let written = |entry: &&Entry| text(entry).len() <= most;
    let mut any = Lists::default();
    for (section, groups) in &resources.sections {
        for group in groups {
            for entry in group.entries.iter().filter(written) {
                any.open(p, [section, &group.name]);
                p.keyword_or_string(&entry.key);
                p.text(": ");
                p.text(text(entry));
            }
        }
    }
    any.close(p);
}

/// The section and the group that entries of resources are being written in
#[derive(Default)]
struct Lists<'r> {
    at: Option<[&'r str; 2]>,
}

impl<'r> Lists<'r> {
    /// Write what must stand before an entry of this section and group
    fn open(&mut self, p: &mut OpPrinter<'_>, [section, group]: [&'r str; 2]) {
        let same_section = self.at.is_some_and(|[open, _]| open == section);
        if self.at == Some([section, group]) {
            return p.text(",\n      ");
        }
        p.text(match self.at {
            None => "\n{-#\n  ",
            Some(_) if same_section => "\n    },\n    ",
            Some(_) => "\n    }\n  },\n  ",
        });
        if !same_section {
            p.text(section);
            p.text(": {\n    ");
        }
        p.keyword_or_string(group);
        p.text(": {\n      ");
        self.at = Some([section, group]);
    }

    fn close(self, p: &mut OpPrinter<'_>) {
        if self.at.is_some() {
            p.text("\n    }\n  }\n#-}\n");
        }
    }
}

/// Text of one op with everything inside, without aliases and line break, for messages
pub fn op_text(ir: &Ir, op: OpId) -> String {
    op_text_in(ir, op, "", &PrintOptions::default())
}

/// Text of one op as a file has it that holds nothing else, without aliases and line break, in a form of one's own
pub fn op_text_with(ir: &Ir, op: OpId, options: &PrintOptions) -> String {
    op_text_in(ir, op, "builtin", options)
}

fn op_text_in(ir: &Ir, op: OpId, dialect: &'static str, options: &PrintOptions) -> String {
    let kinds = Kinds::new(ir.cx());
    let options = &PrintOptions { local_scope: true, ..options.clone() };
    let mut printer = OpPrinter::new(ir, &kinds, options);
    printer.names.number(ir, &kinds, options, Start::default());
    printer.dialect = dialect;
    printer.op_anywhere(op);
    printer.w.out
}
