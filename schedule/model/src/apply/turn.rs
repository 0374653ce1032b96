//! How the rows of a tile are stored, so that a column is spread over banks.

use super::geometry::Done;
use crate::broken::Rule;
use crate::values::Placement;
use terrace_support::affine::AffineExpr;

/// How the rows of a tile are stored
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// Each turned by so many elements against the one before
    By(i64),
    /// Groups of so many elements change places: the last bits of a group's number are taken exclusive or the row's
    Exchange { group: i64, bits: u32 },
}

/// Banks of shared memory, as a power of two: more bits of a row's number spread nothing
const BANK_BITS: u32 = 5;

impl Turn {
    pub fn of(place: &Placement, shape: &[i64]) -> Done<Option<Turn>> {
        let words = &place.words;
        if (words.swizzle.is_some() || words.xor.is_some()) && shape.len() < 2 {
            let word =
                if words.xor.is_some() { "`xor` exchanges parts of rows" } else { "`swizzle` turns rows" };
            return Err(Rule::Word.broken(format!("`{place}` has one dimension in storage; {word}")));
        }
        let columns = shape.last().copied().unwrap_or(1);
        let (Some(group), None) = (place.words.xor, place.words.swizzle) else {
            return Ok(place.words.swizzle.map(Turn::By));
        };
        let power = |n: i64| n > 0 && n.count_ones() == 1;
        if !power(group) || !power(columns) || group > columns {
            return Err(Rule::Word.broken(format!(
                "`{place}`: groups of {group} in rows of {columns}; both are powers of two for `xor`, and a row has \
                 several groups; `swizzle` takes any"
            )));
        }
        let bits = (columns / group).trailing_zeros().min(BANK_BITS);
        Ok(Some(Turn::Exchange { group, bits }))
    }
    /// Turn the rows of storage indices: `[.., r, c]` becomes `[.., r, (c + turn·r) mod columns]`, or the group of `c` is
    /// exchanged for the one whose number is its own `xor r`
    pub(super) fn apply(
        self,
        parts: &mut [AffineExpr],
        columns: i64,
        simple: impl Fn(AffineExpr) -> AffineExpr,
    ) {
        let [.., row, column] = parts else { return };
        *column = match self {
            Turn::By(turn) => {
                let moved = AffineExpr::add(column.clone(), AffineExpr::mul(row.clone(), turn.into()));
                simple(AffineExpr::modulo(moved, columns.max(1).into()))
            }
            // As it is: what is simpler to compute is not to read, and found below again.
            Turn::Exchange { group, bits } => exchanged(row, column, (group, bits), columns),
        };
    }
}

/// A column of a row whose groups are exchanged: affine, since a sum is odd where one of two bits is set
fn exchanged(row: &AffineExpr, column: &AffineExpr, (group, bits): (i64, u32), columns: i64) -> AffineExpr {
    let part = |of: &AffineExpr, by: i64| AffineExpr::floor_div(of.clone(), by.into());
    let inside = AffineExpr::modulo(column.clone(), group.into());
    let exchanged = (0..bits).fold(inside, |at, bit| {
        let both = AffineExpr::add(part(column, group << bit), part(row, 1 << bit));
        let odd = AffineExpr::modulo(both, 2.into());
        AffineExpr::add(at, AffineExpr::mul(odd, (group << bit).into()))
    });
    match group << bits {
        beyond if beyond < columns => {
            AffineExpr::add(AffineExpr::mul(part(column, beyond), beyond.into()), exchanged)
        }
        _ => exchanged,
    }
}
