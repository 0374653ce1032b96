//! The pass `mdh-fix-bits`: reductions whose bits are the same on every machine get their bracket.
//!
//! A reduction with the order `invariant` leaves its bracket to this pass, which runs before all others. The bracket follows from the computation as
//! written: extents of reduced dimensions, operators and index functions. It becomes structure that every level understands, so nothing
//! below chooses brackets: left folds (`source`, `fused`), results that are kept for each lane or part, and folds by halves
//! (`tree`).
//!
//! - [`bracket`]: which bracket a computation has;
//! - [`split`]: the computations that state it;
//! - `functions`: functions of `math` in one form for all targets;
//! - `nan`: one NaN for all;
//! - [`follow`]: their schedules on processors.

mod bracket;
pub mod follow;
mod functions;
mod nan;
mod split;

use crate::codes;
use crate::collapse::{Collapsed, Place};
use bracket::Bracket;
use terrace_diag::Reported;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::schedule::SCHEDULE;
use terrace_dialect_mdh::view::{CombineKind, Order, PROMISED, View, kind_attr};
use terrace_ir::{Attr, Ir, OpId, Traits};
use terrace_macros::pass;
use terrace_pass::{OptionKind, OptionValue, Pass, PassCx};

terrace_support::words! {
    /// What bits a reduction has that states no order
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Determinism {
        /// The same in every run of one program
        #[default]
        Fixed = "fixed",
        /// The same for every schedule, device and back end
        Invariant = "invariant",
    }
}

terrace_support::words! {
    /// What is done about NaN, whose bits other than being one depend on the processor
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub enum Nan {
        /// Nothing: they are outside of what is promised
        #[default]
        Any = "any",
        /// Results have one NaN
        Canonical = "canonical",
    }
}

impl OptionValue for Nan {
    const KIND: OptionKind = OptionKind::Text;
    const DEFAULT: &'static str = Nan::Any.word();
    const WANTS: &'static str = "`any` or `canonical`";
    fn parse(text: &str) -> Option<Nan> {
        text.parse().ok()
    }
}

impl OptionValue for Determinism {
    const KIND: OptionKind = OptionKind::Text;
    const DEFAULT: &'static str = Determinism::Fixed.word();
    const WANTS: &'static str = "`fixed` or `invariant`";
    fn parse(text: &str) -> Option<Determinism> {
        text.parse().ok()
    }
}

/// Write the brackets of reductions whose bits must not depend on a schedule or a device
///
/// A reduction with the order `invariant` becomes computations that state every bracket. Integers, minima and maxima need none. Where
/// the innermost reduced dimension is contiguous in an input that has all dimensions, lanes are summed for themselves and then by halves (`tree`). Long
/// reductions are cut into parts, folded from the left. Other reductions are one left fold. A product and its addition
/// are rounded once (`fused`). Functions of `math` whose last bits libraries choose, prefixes that round, and schedules of the
/// computation as it was are refused. `level=invariant` does the same for reductions that state no order.
#[pass("mdh-fix-bits", anchor = "func.func", stats("brackets written"))]
pub struct MdhFixBits {
    /// level of reductions that state none: fixed or invariant
    #[option]
    level: Determinism,
    /// results of `invariant` reductions that are NaN: any, or one canonical NaN
    #[option]
    nan: Nan,
}

impl Pass for MdhFixBits {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let all: Vec<Compute> = unit.walk().filter_map(|op| Compute::cast(unit, op)).collect();
        let mut written = 0;
        for op in all {
            written += u64::from(self.fix(cx, unit, op)?);
        }
        cx.count("brackets written", written);
        cx.set_changed(written > 0);
        Ok(())
    }
}

impl MdhFixBits {
    /// Write the bracket of one computation, if it is to have one
    fn fix(&self, cx: &mut PassCx<'_>, ir: &mut Ir, op: Compute) -> Result<bool, Reported> {
        let Ok(mut view) = View::read(ir, op) else { return Ok(false) };
        let level = self.level;
        for dim in &mut view.dims {
            if let CombineKind::Pw(_, order @ Order::Fixed) = &mut dim.kind
                && level == Determinism::Invariant
            {
                *order = Order::Invariant;
            }
        }
        let whole = level == Determinism::Invariant;
        if view.order(Order::Invariant).is_none() && !whole {
            return Ok(false);
        }
        promise(ir);
        if let Some(why) = varies(ir, op, &view) {
            return cx.fail(ir, op.id(), &codes::BITS, why);
        }
        if let Err(why) = expand_functions(ir, op) {
            return cx.fail(ir, op.id(), &codes::BITS, why);
        }
        if view.order(Order::Invariant).is_none() {
            return Ok(false);
        }
        let name = view.name.as_deref().unwrap_or("reduction");
        if self.nan == Nan::Canonical && nan::canonical(ir, op, name).is_none() {
            return cx.fail(ir, op.id(), &codes::BITS, "a result has no known shape");
        }
        let exact = crate::operators::exact(cx, ir, &view);
        let rows = if exact { None } else { as_rows(ir, op, &view) };
        let bracket = if exact { Bracket::ANY } else { Bracket::of(ir, op, &view) };
        if ir.discardable(op.id(), SCHEDULE).is_some() && (bracket.divides() || rows.is_some()) {
            if let Some((rows, ..)) = rows {
                rows.discard(ir);
            }
            let why = "the reduction has a schedule, and its bracket makes several computations of it; run `mdh-fix-bits` and give them schedules";
            return cx.fail(ir, op.id(), &codes::BITS, why);
        }
        let (op, view, bracket) = match rows {
            Some((rows, view, bracket)) => {
                let made = rows.op;
                rows.replace(ir, op);
                (made, view, bracket)
            }
            None => (op, view, bracket),
        };
        state(ir, op, view, &bracket).map_or_else(
            || cx.fail(ir, op.id(), &codes::BITS, "an index function is too deep for a bracket"),
            |()| Ok(true),
        )
    }
}

/// A reduction whose neighboring dimensions are one, next to the one as written, if its bracket divides it: rows that are written as several
/// dimensions have the bracket of one
fn as_rows(ir: &mut Ir, op: Compute, view: &View) -> Option<(Collapsed, View, Bracket)> {
    let other = Collapsed::before(ir, op, view, Place::Reduced)?;
    let read = View::read(ir, other.op).ok().map(|view| (Bracket::of(ir, other.op, &view), view));
    match read {
        Some((bracket, view)) if bracket.divides() => Some((other, view, bracket)),
        _ => {
            other.discard(ir);
            None
        }
    }
}

/// Write a bracket
fn state(ir: &mut Ir, op: Compute, mut view: View, bracket: &Bracket) -> Option<()> {
    for dim in &mut view.dims {
        if let CombineKind::Pw(_, order @ Order::Invariant) = &mut dim.kind {
            *order = bracket.leaf;
        }
    }
    if bracket.divides() {
        return split::replace(ir, op, &view, bracket);
    }
    let kinds: Vec<Attr> = view.dims.iter().map(|dim| kind_attr(ir.cx(), &dim.kind)).collect();
    let kinds = ir.cx().array_attr(&kinds);
    op.set_combine(ir, kinds);
    Some(())
}

/// What of a computation has other bits on another machine
fn varies(ir: &Ir, op: Compute, view: &View) -> Option<String> {
    if view.dims.iter().any(|dim| matches!(dim.kind, CombineKind::Ps(_))) && !bracket::is_exact(ir, op, view)
    {
        return Some("prefixes that round have no bracket that is the same everywhere; use `fixed`".into());
    }
    None
}

/// Note that a function has the same bits on every machine
pub(crate) fn promise(function: &mut Ir) {
    let (root, unit) = (function.root(), function.cx().common().unit);
    function.set_discardable(root, PROMISED, Some(unit));
}

/// Functions of `math` in a computation's body get their one form; the error names one that has none
pub(crate) fn expand_functions(ir: &mut Ir, op: Compute) -> Result<(), String> {
    let calls: Vec<OpId> = ir.walk_below(op.id()).filter(|each| is_library_call(ir, *each)).collect();
    for call in calls {
        if !functions::expand(ir, call) {
            return Err(format!(
                "'{}' has other last bits in another library, so the result does not have the same bits everywhere; use \
                 `fixed`, or build it from arith.addf, arith.mulf, arith.divf, math.sqrt and math.fma",
                ir.op_name(call)
            ));
        }
    }
    Ok(())
}

/// Does a library decide its last bits?
fn is_library_call(ir: &Ir, op: OpId) -> bool {
    ir.has(op, Traits::LibraryCall) && !functions::is_exact(ir, op)
}
