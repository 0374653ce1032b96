//! Tables of back ends: what each op becomes, or why it becomes nothing.
//!
//! A back end lists one [`Row`] per op: the op, a check, an emission. Each dialect's module has its own list. What has no row
//! stands in a [`Gap`] with the reason that users read. **Invariant:** an op has a row or a gap, never both; a test of each back
//! end asks [`Table::faults`].
//!
//! Not here: types, walks over ops, order of checks. Those differ between back ends.

pub mod conversions;

use terrace_diag::Code;
use terrace_ir::{Dialect, Ir, OpDef, OpId};
use terrace_support::HashMap;

/// What an op becomes; `Check` and `Emit` are the back end's types of functions
#[derive(Clone, Copy, Debug)]
pub struct Row<Check, Emit> {
    /// The op
    pub op: &'static OpDef,
    /// What must hold of it
    pub check: Check,
    /// Emit it, if the check passes
    pub emit: Emit,
}

/// A list of rows: `rows! { arith: AddI check, emit; … }`
#[macro_export]
macro_rules! rows {
    ($dialect:ident: $($op:ident $check:expr, $emit:expr;)*) => {
        &[$($crate::Row { op: $dialect::$op::DEF, check: $check, emit: $emit }),*]
    };
}

/// Ops without a row, and the reason
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    /// Their dialect
    pub dialect: &'static str,
    /// The ops; empty for those of the dialect that nothing else names
    pub ops: &'static [&'static OpDef],
    /// The reason; the back end says the same of unknown ops if it is empty
    pub why: &'static str,
    /// What users can do; may be empty
    pub help: &'static str,
}

/// Why a check fails
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The code, if it is not the back end's usual one for ops
    pub code: Option<Code>,
    /// The reason, as part of the back end's sentence
    pub why: String,
    /// What users can do; may be empty
    pub help: &'static str,
}

impl Refusal {
    /// A reason with what users can do
    pub fn new(why: impl Into<String>, help: &'static str) -> Refusal {
        Refusal { code: None, why: why.into(), help }
    }
}

impl From<String> for Refusal {
    fn from(why: String) -> Refusal {
        Refusal::new(why, "")
    }
}

impl From<&str> for Refusal {
    fn from(why: &str) -> Refusal {
        Refusal::new(why, "")
    }
}

/// Result of a check
pub type Checked = Result<(), Refusal>;

/// All rows and gaps of a back end
#[derive(Debug)]
pub struct Table<Check: 'static, Emit: 'static> {
    rows: HashMap<usize, &'static Row<Check, Emit>>,
    /// Rows of ops that have one already
    twice: Vec<&'static str>,
    gaps: Vec<&'static Gap>,
}

/// Definitions are statics: the address says which one it is
fn key(def: &'static OpDef) -> usize {
    std::ptr::from_ref(def) as usize
}

fn dialect_of(name: &str) -> &str {
    name.split_once('.').map_or("", |(dialect, _)| dialect)
}

impl<Check, Emit> Table<Check, Emit> {
    /// Join the lists of all modules
    pub fn new(rows: &[&'static [Row<Check, Emit>]], gaps: &[&'static [Gap]]) -> Self {
        let mut table = Table { rows: HashMap::default(), twice: Vec::new(), gaps: Vec::new() };
        for row in rows.iter().flat_map(|list| list.iter()) {
            if table.rows.insert(key(row.op), row).is_some() {
                table.twice.push(row.op.name);
            }
        }
        table.gaps.extend(gaps.iter().flat_map(|list| list.iter()));
        table
    }

    /// The row of a definition
    pub fn row(&self, def: &'static OpDef) -> Option<&'static Row<Check, Emit>> {
        self.rows.get(&key(def)).copied()
    }

    /// The row of an op
    pub fn row_of(&self, ir: &Ir, op: OpId) -> Option<&'static Row<Check, Emit>> {
        self.row(ir.def(op))
    }

    /// Why an op has no row, as far as a gap says
    pub fn gap_of(&self, ir: &Ir, op: OpId) -> Option<&'static Gap> {
        self.gap(ir.def(op), ir.op_name(op))
    }

    fn gap(&self, def: &'static OpDef, name: &str) -> Option<&'static Gap> {
        let named = |gap: &&Gap| gap.ops.iter().any(|op| std::ptr::eq(*op, def));
        let whole = |gap: &&Gap| gap.ops.is_empty() && gap.dialect == dialect_of(name);
        let mut gaps = self.gaps.iter().copied();
        gaps.clone().find(|gap| named(gap)).or_else(|| gaps.find(|gap| whole(gap)))
    }

    /// What is wrong with the table, given all ops that it should know: one line each
    pub fn faults(&self, dialects: &[&Dialect]) -> Vec<String> {
        let mut faults: Vec<String> = self.twice.iter().map(|name| format!("{name} has two rows")).collect();
        for def in dialects.iter().flat_map(|dialect| dialect.ops.iter().copied()) {
            let named = self.gaps.iter().any(|gap| gap.ops.iter().any(|op| std::ptr::eq(*op, def)));
            match (self.row(def), self.gap(def, def.name)) {
                (Some(_), _) if named => faults.push(format!("{} has a row and a gap", def.name)),
                (None, None) => faults.push(format!("{} has neither a row nor a gap", def.name)),
                _ => {}
            }
        }
        for gap in &self.gaps {
            let strangers = gap.ops.iter().filter(|op| dialect_of(op.name) != gap.dialect);
            faults.extend(strangers.map(|op| format!("{} is no op of {}", op.name, gap.dialect)));
        }
        faults
    }
}
