//! Integers as sums of variables of loops and constants, a sum for each lane, where nothing wraps.

use terrace_dialect_arith::{AddI, ExtSI, IndexCast, MulI, SubI, TruncI};
use terrace_dialect_scf::{For, Parallel};
use terrace_dialect_vector::{Broadcast, Step};
use terrace_ir::attrs::{AttrKind, DenseData};
use terrace_ir::fold::constant_of;
use terrace_ir::show::elem_bytes;
use terrace_ir::{Attr, Context, Ir, Type, Value, ValueDef};

/// Most ops that one value is looked at through
const OPS: usize = 128;

/// Most lanes
const LANES: i64 = 1024;

/// A sum for each lane: the same variables in all, and constants
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sums {
    /// Variables and their factors, none of which is zero
    terms: Vec<(Value, i64)>,
    /// A constant for each lane; one for a scalar
    lanes: Vec<i64>,
}

impl Sums {
    /// What an integer is, or each lane of a vector; `None` where that is not known, or may wrap
    pub fn of(ir: &Ir, value: Value) -> Option<Sums> {
        let mut left = OPS;
        of(ir, value, &mut left)
    }

    fn number(value: i64) -> Sums {
        Sums { terms: Vec::new(), lanes: vec![value] }
    }

    /// Factor of a variable
    pub fn factor(&self, variable: Value) -> i64 {
        self.terms.iter().find(|(other, _)| *other == variable).map_or(0, |(_, factor)| *factor)
    }

    /// The same with a number in place of a variable
    pub fn at(&self, variable: Value, number: i64) -> Option<Sums> {
        let by = self.factor(variable).checked_mul(number)?;
        let terms = self.terms.iter().copied().filter(|(other, _)| *other != variable).collect();
        let lanes = self.lanes.iter().map(|lane| lane.checked_add(by)).collect::<Option<_>>()?;
        Some(Sums { terms, lanes })
    }

    /// Is each lane less than that of another one, whatever the variables are?
    pub fn below(&self, other: &Sums) -> bool {
        let less = self.minus(other).filter(|apart| apart.terms.is_empty());
        less.is_some_and(|apart| apart.lanes.iter().all(|lane| *lane < 0))
    }

    fn minus(&self, other: &Sums) -> Option<Sums> {
        self.plus(&other.times(-1)?)
    }

    fn plus(&self, other: &Sums) -> Option<Sums> {
        let mut terms = self.terms.clone();
        for (variable, factor) in &other.terms {
            match terms.iter_mut().find(|(own, _)| own == variable) {
                Some((_, own)) => *own = own.checked_add(*factor)?,
                None => terms.push((*variable, *factor)),
            }
        }
        terms.retain(|(_, factor)| *factor != 0);
        let (a, b) = (&self.lanes, &other.lanes);
        if a.len() != b.len() {
            return None;
        }
        let lanes = a.iter().zip(b).map(|(a, b)| a.checked_add(*b)).collect::<Option<_>>()?;
        Some(Sums { terms, lanes })
    }

    fn times(&self, by: i64) -> Option<Sums> {
        if by == 0 {
            return Some(Sums { terms: Vec::new(), lanes: vec![0; self.lanes.len()] });
        }
        let terms = self.terms.iter().map(|(value, factor)| Some((*value, factor.checked_mul(by)?)));
        let lanes = self.lanes.iter().map(|lane| lane.checked_mul(by));
        Some(Sums { terms: terms.collect::<Option<_>>()?, lanes: lanes.collect::<Option<_>>()? })
    }

    /// The same constant in all lanes, without variables
    fn uniform(&self) -> Option<i64> {
        let first = *self.lanes.first()?;
        (self.terms.is_empty() && self.lanes.iter().all(|lane| *lane == first)).then_some(first)
    }

    /// Does each value fit so many bits, with a sign?
    fn fits(&self, ir: &Ir, bits: u32) -> bool {
        let (Some(mut least), Some(mut most)) = (
            self.lanes.iter().min().map(|lane| i128::from(*lane)),
            self.lanes.iter().max().map(|lane| i128::from(*lane)),
        ) else {
            return false;
        };
        for (variable, factor) in &self.terms {
            let Some((first, last)) = variable_range(ir, *variable) else { return false };
            let ends = [first, last].map(|end| i128::from(end) * i128::from(*factor));
            least += ends[0].min(ends[1]);
            most += ends[0].max(ends[1]);
        }
        let limit = 1i128 << (bits.clamp(1, 64) - 1);
        -limit <= least && most < limit
    }
}

fn of(ir: &Ir, value: Value, left: &mut usize) -> Option<Sums> {
    let (cx, ty) = (ir.cx(), ir.ty(value));
    let (width, bits) = (lanes_of(cx, ty)?, bits_of(cx, ty)?);
    *left = left.checked_sub(1)?;
    if let Some(attr) = constant_of(ir, value) {
        return constant(cx, attr, width);
    }
    let op = match ir.value_def(value)? {
        ValueDef::Arg(..) => {
            variable_range(ir, value)?;
            return Some(Sums { terms: vec![(value, 1)], lanes: vec![0] });
        }
        ValueDef::Result(op, _) => op,
    };
    let mut operand = |n: usize| of(ir, ir.operand(op, n), left);
    let sums = if ir.is(op, Step::DEF) {
        Sums { terms: Vec::new(), lanes: (0..width).collect() }
    } else if ir.is(op, Broadcast::DEF) {
        let one = operand(0).filter(|one| one.lanes.len() == 1)?;
        Sums { lanes: vec![*one.lanes.first()?; usize::try_from(width).ok()?], terms: one.terms }
    } else if ir.is(op, AddI::DEF) {
        operand(0)?.plus(&operand(1)?)?
    } else if ir.is(op, SubI::DEF) {
        operand(0)?.minus(&operand(1)?)?
    } else if ir.is(op, MulI::DEF) {
        let (a, b) = (operand(0)?, operand(1)?);
        match (a.uniform(), b.uniform()) {
            (_, Some(by)) => a.times(by)?,
            (Some(by), None) => b.times(by)?,
            (None, None) => return None,
        }
    } else if ir.is_any(op, &[IndexCast::DEF, ExtSI::DEF, TruncI::DEF]) {
        operand(0)?
    } else {
        return None;
    };
    sums.fits(ir, bits).then_some(sums)
}

/// Lanes of a vector of one dimension, one for a scalar
fn lanes_of(cx: &Context, ty: Type) -> Option<i64> {
    match ty.shape(cx) {
        None => Some(1),
        Some(&[lanes]) => ty.num_elements(cx).filter(|all| *all == lanes && lanes <= LANES),
        Some(_) => None,
    }
}

/// Bits of an integer or an index
fn bits_of(cx: &Context, ty: Type) -> Option<u32> {
    let elem = ty.scalar(cx);
    match elem == cx.common().index {
        true => Some(64),
        false => elem.is_int(cx).then(|| elem.bit_width(cx)).flatten().filter(|bits| (2..=64).contains(bits)),
    }
}

/// A constant, read with its sign
fn constant(cx: &Context, attr: Attr, width: i64) -> Option<Sums> {
    let elem = attr.ty(cx)?.scalar(cx);
    let unused = 64 - bits_of(cx, elem)?;
    let signed = |bits: i64| bits << unused >> unused;
    if let Some((number, _)) = attr.as_int(cx) {
        return Some(Sums::number(signed(number as i64)));
    }
    let AttrKind::Dense { data, .. } = attr.kind(cx) else { return None };
    let bytes = elem_bytes(cx, elem);
    let number = |raw: &[u8]| {
        let mut all = [0; 8];
        all[..raw.len()].copy_from_slice(raw);
        signed(i64::from_le_bytes(all))
    };
    let lanes: Vec<i64> = match data {
        DenseData::Splat(raw) if raw.len() == bytes => vec![number(raw); usize::try_from(width).ok()?],
        DenseData::Raw(raw) => raw.chunks_exact(bytes).map(number).collect(),
        _ => return None,
    };
    (lanes.len() as i64 == width).then_some(Sums { terms: Vec::new(), lanes })
}

/// First and last value that a variable of a loop may have, where its ends are constants
fn variable_range(ir: &Ir, variable: Value) -> Option<(i64, i64)> {
    let Some(ValueDef::Arg(block, n)) = ir.value_def(variable) else { return None };
    let op = ir.block_parent(block)?;
    let number = |value: Value| constant_of(ir, value)?.as_i64(ir.cx());
    let ends = if let Some(each) = For::cast(ir, op).filter(|_| n == 0) {
        each.unsigned(ir).is_none().then(|| [each.lower_bound(ir), each.upper_bound(ir)])?
    } else {
        let each = Parallel::cast(ir, op)?;
        let n = n as usize;
        [*each.lower(ir).get(n)?, *each.upper(ir).get(n)?]
    };
    let (first, behind) = (number(ends[0])?, number(ends[1])?);
    (first < behind).then(|| (first, behind - 1))
}
