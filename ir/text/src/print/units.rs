//! What a worker does that prints child units of the root.

use super::PrintOptions;
use super::aliases::AliasTable;
use super::kinds::Kinds;
use super::op::OpPrinter;
use super::pieces::Work;

/// Print chunks until there are none left
pub(super) fn run(work: &Work<'_>, kinds: &Kinds, options: &PrintOptions, aliases: Option<&AliasTable>) {
    let mut printer = OpPrinter::new(work.root, kinds, options);
    printer.w.aliases = aliases.map(|table| table as _);
    printer.depth = 1;
    let root = work.root.root();
    printer.dialect = printer.info(root).default_dialect;
    while let Some((number, children)) = work.next() {
        let mut ends = Vec::with_capacity(children.len());
        for n in children {
            if let (Some(child), start) = work.child(n) {
                printer.unit(child, start);
            }
            ends.push(printer.w.out.len());
        }
        let text = std::mem::take(&mut printer.w.out);
        printer.w.out.reserve(text.len());
        work.put(number, (text, ends));
    }
}
