//! The interface of layout ops: ops that arrange elements and compute none.
//!
//! An op implements [`Layout`]: its types with the conditions on sizes, its elements as values, and which element of an operand
//! each element of the result is. The verifier, the interpreter, the lowering to loops and the rules all use that, so an op of
//! another crate is a view like those of this dialect. [`layout_ops!`](crate::layout_ops) adds the hooks of other crates.
//! [`LayoutText`] is the text in this dialect's style; an op may have any other.
//!
//! Invariant: an index map is exact. An op that computes or stores elements of its own says so ([`Layout::IN_MEMORY`]).

mod path;
mod text;
mod typing;
mod values;

pub use crate::syntax::{print_nat, print_value, set_nat, value};
pub use path::{Frame, Guard, Indexing, Next, Path, Source, Step, Stop};
pub(crate) use text::finish;
pub use text::{LayoutText, Operand, Parsed, parse, print, print_operands, values};
pub use typing::{Shape, Typing, of_op, shape, verify};
pub use values::{Evaluation, interpret};
pub(crate) use values::{index, size};

use crate::misfit::Misfit;
use terrace_interp::{RtValue, Trap};
use terrace_ir::interface::Interface;
use terrace_ir::{Ir, OpDef, OpId, Type};

/// Name of the index in functions of it
pub const INDEX: &str = "$i";

/// `interfaces(terrace_dialect_array::layout::Layout)`: how an op arranges elements
///
/// The defaults suit an op that is read element by element and has no inverse.
pub trait Layout: From<OpId> + Copy + 'static {
    /// It stores elements of its own: no view of its operands
    const IN_MEMORY: bool = false;
    /// It may trap on elements that are in no program
    const MAY_TRAP: bool = false;
    /// Its conditions contain `$i` and are checked at each index
    const BY_INDEX: bool = false;

    /// Types of the results; conditions on sizes are recorded in `t`
    fn types(t: &mut Typing<'_>) -> Result<Vec<Type>, Misfit>;

    /// What the verifier checks beyond types and conditions
    fn check(self, ir: &Ir) -> Result<(), Misfit> {
        let _ = ir;
        Ok(())
    }

    /// The results as values
    fn evaluate(self, e: &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap>;

    /// Has the path the indices that [`Layout::read`] takes?
    fn reaches(path: &Path) -> bool {
        path.indices() >= 1
    }

    /// Reading: the path into a result becomes a path into an operand
    fn read(self, cx: &mut dyn Indexing, result: usize, path: &mut Path) -> Result<Next, Stop> {
        let _ = (result, path);
        Err(cx.stop("has no index map"))
    }

    /// Where the elements of each operand are in the result, or why they have no one place there
    fn written(self, cx: &mut dyn Indexing, result: usize) -> Written {
        let _ = (cx, result);
        Ok(Err("its index map has no inverse"))
    }

    /// Writing through [`Frame::Through`]: the path into the operand becomes a path into the result
    fn write(self, cx: &mut dyn Indexing, path: &mut Path, guards: &mut Vec<Guard>) -> Result<(), Stop> {
        let _ = (path, guards);
        Err(cx.stop("has no inverse"))
    }

    /// Entry for the op's interfaces
    const ENTRY: Interface = Interface::new(
        const {
            &LayoutTable {
                in_memory: Self::IN_MEMORY,
                may_trap: Self::MAY_TRAP,
                by_index: Self::BY_INDEX,
                types: Self::types,
                check: |op, ir| Self::from(op).check(ir),
                evaluate: |op, e| Self::from(op).evaluate(e),
                reaches: Self::reaches,
                read: |op, cx, result, path| Self::from(op).read(cx, result, path),
                written: |op, cx, result| Self::from(op).written(cx, result),
                write: |op, cx, path, guards| Self::from(op).write(cx, path, guards),
            }
        },
    );
}

/// What is written of each operand, or why nothing can be
pub type Written = Result<Result<Vec<Source>, &'static str>, Stop>;

/// Table behind [`Layout`]
pub struct LayoutTable {
    in_memory: bool,
    may_trap: bool,
    by_index: bool,
    types: fn(&mut Typing<'_>) -> Result<Vec<Type>, Misfit>,
    check: fn(OpId, &Ir) -> Result<(), Misfit>,
    evaluate: fn(OpId, &Evaluation<'_, '_>) -> Result<Vec<RtValue>, Trap>,
    reaches: fn(&Path) -> bool,
    read: fn(OpId, &mut dyn Indexing, usize, &mut Path) -> Result<Next, Stop>,
    written: fn(OpId, &mut dyn Indexing, usize) -> Written,
    write: fn(OpId, &mut dyn Indexing, &mut Path, &mut Vec<Guard>) -> Result<(), Stop>,
}

/// A layout op of a unit
#[derive(Clone, Copy)]
pub struct LayoutOp {
    op: OpId,
    table: &'static LayoutTable,
}

/// The op, if it is a layout op
pub fn of(ir: &Ir, op: OpId) -> Option<LayoutOp> {
    Some(LayoutOp { op, table: table(ir.def(op))? })
}

/// Is it a layout op?
pub fn is_layout(ir: &Ir, op: OpId) -> bool {
    is_layout_def(ir.def(op))
}

/// Are ops of this definition layout ops?
pub fn is_layout_def(def: &OpDef) -> bool {
    table(def).is_some()
}

/// Is it a layout op that stores nothing?
pub fn is_view(ir: &Ir, op: OpId) -> bool {
    of(ir, op).is_some_and(|view| !view.is_in_memory())
}

fn table(def: &OpDef) -> Option<&'static LayoutTable> {
    def.interface::<LayoutTable>()
}

impl LayoutOp {
    /// Does it store elements of its own?
    pub fn is_in_memory(self) -> bool {
        self.table.in_memory
    }

    /// May it trap on elements that are in no program?
    pub fn may_trap(self) -> bool {
        self.table.may_trap
    }

    /// Can it be read with this path?
    pub fn reaches(self, path: &Path) -> bool {
        (self.table.reaches)(path)
    }

    /// See [`Layout::read`]
    pub fn read(self, cx: &mut dyn Indexing, result: usize, path: &mut Path) -> Result<Next, Stop> {
        (self.table.read)(self.op, cx, result, path)
    }

    /// See [`Layout::written`]
    pub fn written(self, cx: &mut dyn Indexing, result: usize) -> Written {
        (self.table.written)(self.op, cx, result)
    }

    /// See [`Layout::write`]
    pub fn write(self, cx: &mut dyn Indexing, path: &mut Path, guards: &mut Vec<Guard>) -> Result<(), Stop> {
        (self.table.write)(self.op, cx, path, guards)
    }
}

/// Hooks of layout ops that follow from [`Layout`]: `Verify` and `Interpret`
///
/// ```ignore
/// terrace_dialect_array::layout_ops!(Rotate Interleave);
/// ```
#[macro_export]
macro_rules! layout_ops {
    ($($name:ident)*) => {$(
        impl ::terrace_ir::Verify for $name {
            fn verify(self, v: &::terrace_ir::VerifyCx<'_>) -> Result<(), ::terrace_diag::Reported> {
                $crate::layout::verify(v, self.0)
            }
        }

        impl ::terrace_interp::Interpret for $name {
            fn interpret(self, m: &mut ::terrace_interp::Machine<'_>) -> ::terrace_interp::Step {
                $crate::layout::interpret(m).into()
            }
        }
    )*};
}

/// `CustomAsm` of layout ops that have a [`LayoutText`](crate::layout::LayoutText)
#[macro_export]
macro_rules! layout_texts {
    ($($name:ident)*) => {$(
        impl ::terrace_text::CustomAsm for $name {
            fn parse(p: &mut ::terrace_text::OpParser<'_, '_>) -> Result<(), ::terrace_diag::Reported> {
                $crate::layout::parse::<$name>(p, $name::DEF)
            }

            fn print(self, p: &mut ::terrace_text::OpPrinter<'_>) {
                $crate::layout::print(self, p);
            }
        }
    )*};
}
