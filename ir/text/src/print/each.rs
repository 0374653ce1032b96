//! Units of a module printed apart from it.

use super::PrintOptions;
use super::kinds::Kinds;
use super::names::{Names, Start};
use super::op::{OpPrinter, TypeTexts};
use super::scan::stem;
use terrace_ir::{Context, Ir};

/// What printing units apart needs, shared by threads
pub struct Apart {
    kinds: Kinds,
    options: PrintOptions,
}

/// Prints units as they stand in a module that holds nothing but units
pub struct UnitPrinter<'a> {
    apart: &'a Apart,
    dialect: &'static str,
    types: TypeTexts,
    spare: Vec<Names>,
}

impl Apart {
    /// Of this context
    pub fn new(cx: &Context, options: &PrintOptions) -> Apart {
        Apart { kinds: Kinds::new(cx), options: options.clone() }
    }

    /// Might some text have an alias? Then units are printed with their module only
    pub fn may_have_aliases(cx: &Context) -> bool {
        cx.any_attr(|kind| stem(cx, kind).is_some())
    }

    /// A printer of the units in a module
    pub fn printer(&self, cx: &Context) -> UnitPrinter<'_> {
        let module = cx.kind_by_name("builtin.module");
        let dialect = module.map_or("", |kind| self.kinds.of(cx, kind).default_dialect);
        UnitPrinter { apart: self, dialect, types: TypeTexts::default(), spare: Vec::new() }
    }

    /// Text of a module before its first unit and after its last one
    pub fn around(&self, module: &Ir) -> (String, String) {
        let mut printer = OpPrinter::new(module, &self.kinds, &self.options);
        printer.hollow = true;
        printer.names.number(module, &self.kinds, &self.options, Start::default());
        printer.root_op();
        printer.text("\n");
        let mut text = std::mem::take(&mut printer.w.out);
        let after = printer.hole.map_or(String::new(), |hole| text.split_off(hole));
        (text, after)
    }
}

impl UnitPrinter<'_> {
    /// Append the lines of a unit
    pub fn print(&mut self, unit: &Ir, out: &mut String) {
        let mut printer = OpPrinter::new(unit, &self.apart.kinds, &self.apart.options);
        printer.w.out = std::mem::take(out);
        printer.types = std::mem::take(&mut self.types);
        printer.spare = std::mem::take(&mut self.spare);
        (printer.depth, printer.dialect) = (1, self.dialect);
        printer.indent();
        printer.unit(unit, Start::default());
        printer.text("\n");
        let OpPrinter { w, types, spare, .. } = printer;
        (*out, self.types, self.spare) = (w.out, types, spare);
    }
}
