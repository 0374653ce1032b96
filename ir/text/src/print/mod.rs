//! Printer: a unit as MLIR text, in the syntax of its ops or in generic form.
//!
//! Printing never fails, whatever the IR: what can't be named prints as upstream's placeholders. Text is appended to a
//! buffer without `fmt`, types are spelled once, and the root's children may be printed on several threads with the
//! same bytes. Predecessor comments are not printed.

mod aliases;
mod each;
mod kinds;
mod names;
mod op;
mod pieces;
mod regions;
mod scan;
mod sink;
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
}

impl Default for PrintOptions {
    fn default() -> Self {
        PrintOptions { generic: false, debuginfo: false, threads: 1, local_scope: false }
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
    names.number(ir, &kinds, options.generic, Start::default());
    let work = (options.threads > 1).then(|| Work::new(ir, &names, options.threads)).flatten();
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

/// `{-# … #-}` with the file's resources, if it has any
fn resources(p: &mut OpPrinter<'_>) {
    let Some(resources) = p.ir.resources() else { return };
    let cx = p.cx();
    let source = cx.sources().text(resources.source);
    p.text("\n{-#\n");
    for (n, (section, groups)) in resources.sections.iter().enumerate() {
        p.text(if n > 0 { ",\n  " } else { "  " });
        p.text(section);
        p.text(": {\n");
        for (n, group) in groups.iter().enumerate() {
            p.text(if n > 0 { ",\n    " } else { "    " });
            p.keyword_or_string(&group.name);
            p.text(": {\n");
            for (n, entry) in group.entries.iter().enumerate() {
                p.text(if n > 0 { ",\n      " } else { "      " });
                p.keyword_or_string(&entry.key);
                p.text(": ");
                p.text(source.get(entry.value.0 as usize..entry.value.1 as usize).unwrap_or("\"\""));
            }
            p.text("\n    }");
        }
        p.text("\n  }");
    }
    p.text("\n#-}\n");
}

/// Text of one op with everything inside, without aliases and line break, for messages
pub fn op_text(ir: &Ir, op: OpId) -> String {
    let kinds = Kinds::new(ir.cx());
    let options = PrintOptions { local_scope: true, ..PrintOptions::default() };
    let mut printer = OpPrinter::new(ir, &kinds, &options);
    printer.names.number(ir, &kinds, false, Start::default());
    printer.dialect = "";
    printer.op_anywhere(op);
    printer.w.out
}
