//! The pass `array-inline`: functions that patterns call become part of them.

use crate::codes;
use terrace_diag::Reported;
use terrace_dialect_array::ARRAY;
use terrace_dialect_func::Call;
use terrace_ir::{Ir, OpId};
use terrace_pass::{Pass, PassCx, PassInfo, PassOptions, Scope};
use terrace_passes_general::inline::Inline;
use terrace_passes_general::symbol_dce::SymbolDce;

/// The pass
pub static INFO: PassInfo = PassInfo {
    name: "array-inline",
    aliases: &[],
    summary: "Inline the functions that array patterns call",
    docs: "As `inline`; calls that are left inside of a pattern are errors: of functions that call themselves, have effects \
           or several blocks, or are only declared. Private functions that nothing refers to any more go.",
    scope: Scope::Tree,
    anchor: None,
    options: &[],
    stats: &["calls inlined"],
    make: |_| Ok(Box::new(ArrayInline { inline: (Inline::INFO.make)(&PassOptions::default())? })),
};

struct ArrayInline {
    inline: Box<dyn Pass>,
}

impl Pass for ArrayInline {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        if !has_patterns(unit) {
            cx.set_changed(false);
            return Ok(());
        }
        self.inline.run(cx, unit)?;
        (SymbolDce::INFO.make)(&PassOptions::default()).map_or(Ok(()), |dce| dce.run(cx, unit))?;
        let mut result = Ok(());
        let mut pending: Vec<&Ir> = vec![unit];
        while let Some(unit) = pending.pop() {
            for op in unit.walk() {
                pending.extend(unit.child(op));
                if is_left(unit, op) {
                    let why = "CALL: stays inside of a pattern: it calls no pure function of one block that is defined \
                               here and does not call itself";
                    result = cx.fail(unit, op, &codes::CALL, why);
                }
            }
        }
        result
    }
}

/// Is there an op on arrays anywhere? Other programs stay as they are
fn has_patterns(unit: &Ir) -> bool {
    let mut pending: Vec<&Ir> = vec![unit];
    while let Some(unit) = pending.pop() {
        for op in unit.walk() {
            pending.extend(unit.child(op));
            if unit.cx().dialect_of(unit.kind(op)).is_some_and(|dialect| dialect.name == ARRAY.name) {
                return true;
            }
        }
    }
    false
}

/// Is it a call inside of an array pattern?
fn is_left(ir: &Ir, op: OpId) -> bool {
    let inside = ir.parent(op).filter(|around| *around != ir.root());
    let pattern = inside.and_then(|around| ir.cx().dialect_of(ir.kind(around)));
    Call::cast(ir, op).is_some() && pattern.is_some_and(|dialect| dialect.name == ARRAY.name)
}
