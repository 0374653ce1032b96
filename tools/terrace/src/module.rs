//! Modules: read, written, built.

use crate::language::language_of;
use crate::{Context, Report};
use std::fmt;
use std::ops::{Deref, DerefMut};
use terrace_diag::{Diagnostic, Diags};
use terrace_dialect_builtin as builtin;
#[cfg(feature = "interp")]
use terrace_ir::Traits;
#[cfg(feature = "interp")]
use terrace_ir::symbols::symbol_name;
use terrace_ir::verify::verify;
use terrace_ir::{Ir, Loc};
use terrace_text::{ParseOptions, PrintOptions};

/// A `builtin.module` with all that is in it; `Display` is its text
///
/// What there is to read and change is in [`Ir`], which a module dereferences to.
pub struct Module(pub(crate) Ir);

/// Read a program and verify it
///
/// The ending of its name says which language it is in, see [`crate::LANGUAGES`]; without one of these it is MLIR. The error has
/// every mistake that was found.
pub fn parse(cx: &Context, name: &str, text: impl Into<String>) -> Result<Module, Report> {
    let mut diags = Diags::default();
    let source = cx.sources().add(name, text);
    let read = match language_of(name) {
        Some(language) => (language.read)(cx, source, &[], &mut diags),
        None => terrace_text::parse(cx, source, &ParseOptions::default(), &mut diags),
    };
    if let Some(ir) = read.filter(|_| !diags.has_errors()) {
        diags.append(verify(&ir, 1));
        if !diags.has_errors() {
            return Ok(Module(ir));
        }
    }
    Err(Report::new(diags.into_vec(), cx.sources()))
}

impl Module {
    /// A module without anything in it
    pub fn new(cx: &Context) -> Result<Module, Report> {
        let Some(kind) = cx.kind_of(builtin::Module::DEF) else {
            let why = "a module needs `builtin.module`, which is not registered in this context";
            return Err(Report::plain([Diagnostic::error(&terrace_text::codes::NOT_REGISTERED, why)]));
        };
        let mut ir = Ir::new_unit(cx, kind, 1, Loc::UNKNOWN);
        let body = ir.region(ir.root(), 0);
        ir.append_block(body);
        Ok(Module(ir))
    }

    /// A module that was made elsewhere
    pub fn of(ir: Ir) -> Module {
        Module(ir)
    }

    /// Add a function at the end; `body` fills its block, which has these arguments
    ///
    /// ```
    /// # #[cfg(feature = "upstream")] {
    /// use terrace::dialects::{arith, func};
    ///
    /// let cx = terrace::Context::standard();
    /// let mut module = terrace::Module::new(&cx)?;
    /// let i32 = cx.common().i32;
    /// module.add_function("twice", &[i32], &[i32], |b, args| {
    ///     let sum = arith::AddI::build(b, args[0], args[0]);
    ///     let sum = sum.result(b.read());
    ///     func::Return::build(b, &[sum]);
    /// })?;
    /// module.verify()?;
    /// assert_eq!(terrace::interp(&module).call("twice", &[4.into()])?, [8.into()]);
    /// # }
    /// # Ok::<(), terrace::Report>(())
    /// ```
    #[cfg(feature = "upstream")]
    pub fn add_function(
        &mut self,
        name: &str,
        inputs: &[terrace_ir::Type],
        results: &[terrace_ir::Type],
        body: impl FnOnce(&mut terrace_ir::Builder<'_>, &[terrace_ir::Value]),
    ) -> Result<(), Report> {
        let cx = self.cx_arc().clone();
        let Some(kind) = cx.kind_of(crate::dialects::func::Func::DEF) else {
            let why = "a function needs `func.func`, which is not registered in this context";
            return Err(Report::plain([Diagnostic::error(&terrace_text::codes::NOT_REGISTERED, why)]));
        };
        let mut unit = Ir::new_unit(&cx, kind, 1, Loc::UNKNOWN);
        let root = unit.root();
        unit.set_attr(root, "sym_name", Some(cx.str_attr(name)));
        unit.set_attr(root, "function_type", Some(cx.type_attr(cx.function(inputs, results))));
        let region = unit.region(root, 0);
        let entry = unit.append_block(region);
        let args: Vec<terrace_ir::Value> = inputs.iter().map(|ty| unit.add_block_arg(entry, *ty)).collect();
        body(&mut terrace_ir::Builder::at_end(&mut unit, entry), &args);
        let region = self.region(self.root(), 0);
        let block = self.single_block(region).unwrap_or_else(|| self.append_block(region));
        let op = self.adopt(Box::new(unit));
        self.append(block, op);
        Ok(())
    }

    /// Is every op as its definition says? The error names each that is not
    pub fn verify(&self) -> Result<(), Report> {
        let diags = verify(self, 1);
        if diags.has_errors() { Err(Report::new(diags.into_vec(), self.cx().sources())) } else { Ok(()) }
    }

    /// The text, with a say in how it is printed
    pub fn to_text(&self, options: &PrintOptions) -> String {
        let mut text = String::new();
        terrace_text::print(self, options, &mut text);
        text
    }
}

/// The functions of a module that it has itself, with their names
#[cfg(feature = "interp")]
pub(crate) fn functions(module: &Ir) -> impl Iterator<Item = (&str, &Ir)> {
    let units = module.walk().filter_map(|op| module.child(op));
    units.filter(|unit| unit.has(unit.root(), Traits::FunctionLike)).filter_map(|unit| {
        let name = symbol_name(unit, unit.root())?;
        Some((unit.cx().str(name), unit))
    })
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text(&PrintOptions::default()))
    }
}

impl Deref for Module {
    type Target = Ir;

    fn deref(&self) -> &Ir {
        &self.0
    }
}

impl DerefMut for Module {
    fn deref_mut(&mut self) -> &mut Ir {
        &mut self.0
    }
}
