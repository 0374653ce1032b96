//! Ranges of integers of up to 64 bits, read with and without a sign at once.
//!
//! Sources: the rules are those of two's complement arithmetic; where a result may wrap round, nothing is known of that
//! reading. A value that is poison is in every range.

use terrace_ir::interface::Interface;
use terrace_ir::{Attr, AttrKind, Context, DenseData, Ir, OpId, Type, TypeKind};

/// The values that an integer may have
///
/// Invariant: each reading is a bound of its own; a value lies within both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ints {
    width: u32,
    unsigned: (i128, i128),
    signed: (i128, i128),
}

/// May a result leave the width?
#[derive(Clone, Copy, Default)]
pub struct Wraps {
    /// No, as signed integers
    pub nsw: bool,
    /// No, as unsigned integers
    pub nuw: bool,
}

impl Ints {
    /// Width of an integer type, or of the elements of a shaped one, if ranges are kept for it
    pub fn width_of(cx: &Context, ty: Type) -> Option<u32> {
        match ty.scalar(cx).kind(cx) {
            TypeKind::Int { width, .. } => Some(*width).filter(|width| (1..=64).contains(width)),
            TypeKind::Index => Some(64),
            _ => None,
        }
    }

    /// Any value
    pub fn all(width: u32) -> Ints {
        Ints { width, unsigned: (0, (1 << width) - 1), signed: (-(1 << (width - 1)), (1 << (width - 1)) - 1) }
    }

    /// Any value of a type
    pub fn of_type(cx: &Context, ty: Type) -> Option<Ints> {
        Ints::width_of(cx, ty).map(Ints::all)
    }

    /// One value, in any reading
    pub fn one(width: u32, value: i128) -> Ints {
        let signed = terrace_ir::make::wrap_int(value, width, false);
        let unsigned = terrace_ir::make::wrap_int(value, width, true);
        Ints { width, unsigned: (unsigned, unsigned), signed: (signed, signed) }
    }

    /// Between bounds as unsigned integers; any value if the bounds are none
    pub fn from_unsigned(width: u32, low: i128, high: i128) -> Ints {
        let all = Ints::all(width);
        if low > high || low < 0 || high > all.unsigned.1 {
            return all;
        }
        let half = 1 << (width - 1);
        let signed = match () {
            () if high < half => (low, high),
            () if low >= half => (low - 2 * half, high - 2 * half),
            () => all.signed,
        };
        Ints { width, unsigned: (low, high), signed }
    }

    /// Between bounds as signed integers; any value if the bounds are none
    pub fn from_signed(width: u32, low: i128, high: i128) -> Ints {
        let all = Ints::all(width);
        if low > high || low < all.signed.0 || high > all.signed.1 {
            return all;
        }
        let unsigned = match () {
            () if low >= 0 => (low, high),
            () if high < 0 => (low + all.unsigned.1 + 1, high + all.unsigned.1 + 1),
            () => all.unsigned,
        };
        Ints { width, unsigned, signed: (low, high) }
    }

    /// The integer that a constant is, or the range of its elements
    pub fn of_attr(cx: &Context, attr: Attr) -> Option<Ints> {
        match attr.kind(cx) {
            AttrKind::Int { value, ty } => Some(Ints::one(Ints::width_of(cx, *ty)?, *value)),
            AttrKind::Dense { ty, data } => {
                let width = Ints::width_of(cx, *ty)?;
                let bytes = terrace_ir::make::elem_bytes(cx, ty.scalar(cx));
                let raw = match data {
                    DenseData::Splat(raw) | DenseData::Raw(raw) => raw,
                    DenseData::Strs(_) => return None,
                };
                let element = |chunk: &[u8]| {
                    let mut wide = [0; 16];
                    wide.get_mut(..chunk.len())?.copy_from_slice(chunk);
                    Some(Ints::one(width, i128::from_le_bytes(wide)))
                };
                let mut all = raw.chunks(bytes.max(1)).map(element);
                let first = all.next()??;
                all.try_fold(first, |sum, next| Some(sum.join(next?)))
            }
            _ => None,
        }
    }

    /// Bits
    pub fn width(self) -> u32 {
        self.width
    }

    /// Least and greatest value, unsigned
    pub fn unsigned(self) -> (i128, i128) {
        self.unsigned
    }

    /// Least and greatest value, signed
    pub fn signed(self) -> (i128, i128) {
        self.signed
    }

    /// The only value, signed
    pub fn only(self) -> Option<i128> {
        if self.signed.0 == self.signed.1 {
            return Some(self.signed.0);
        }
        let one = self.unsigned.0 == self.unsigned.1;
        one.then(|| terrace_ir::make::wrap_int(self.unsigned.0, self.width, false))
    }

    /// Is it never negative?
    pub fn is_non_negative(self) -> bool {
        self.signed.0 >= 0
    }

    /// The values of both
    pub fn join(self, other: Ints) -> Ints {
        let hull = |a: (i128, i128), b: (i128, i128)| (a.0.min(b.0), a.1.max(b.1));
        let (unsigned, signed) = (hull(self.unsigned, other.unsigned), hull(self.signed, other.signed));
        Ints { width: self.width, unsigned, signed }
    }

    /// Values in both; this one where there are none, which only happens where nothing is computed
    pub fn meet(self, other: Ints) -> Ints {
        let cut = |a: (i128, i128), b: (i128, i128)| (a.0.max(b.0), a.1.min(b.1));
        let (unsigned, signed) = (cut(self.unsigned, other.unsigned), cut(self.signed, other.signed));
        if unsigned.0 > unsigned.1 || signed.0 > signed.1 {
            return self;
        }
        Ints { width: self.width, unsigned, signed }
    }

    /// Bounds of an operation that is monotonic in each operand: each reading by itself, full where it leaves the width
    fn by_bounds(
        width: u32,
        wraps: Wraps,
        unsigned: Option<(i128, i128)>,
        signed: Option<(i128, i128)>,
    ) -> Ints {
        let all = Ints::all(width);
        let within = |bounds: Option<(i128, i128)>, all: (i128, i128), clamp: bool| match bounds {
            Some((low, high)) if low >= all.0 && high <= all.1 => Some((low, high)),
            // What would leave the width is poison.
            Some((low, high)) if clamp && low <= all.1 && high >= all.0 => {
                Some((low.max(all.0), high.min(all.1)))
            }
            _ => None,
        };
        let unsigned = within(unsigned, all.unsigned, wraps.nuw);
        let signed = within(signed, all.signed, wraps.nsw);
        let unsigned = unsigned.map_or(all, |(low, high)| Ints::from_unsigned(width, low, high));
        let signed = signed.map_or(all, |(low, high)| Ints::from_signed(width, low, high));
        unsigned.meet(signed)
    }

    /// Sum
    pub fn add(self, b: Ints, wraps: Wraps) -> Ints {
        let sum = |a: (i128, i128), b: (i128, i128)| Some((a.0 + b.0, a.1 + b.1));
        Ints::by_bounds(self.width, wraps, sum(self.unsigned, b.unsigned), sum(self.signed, b.signed))
    }

    /// Difference
    pub fn sub(self, b: Ints, wraps: Wraps) -> Ints {
        let difference = |a: (i128, i128), b: (i128, i128)| Some((a.0 - b.1, a.1 - b.0));
        Ints::by_bounds(
            self.width,
            wraps,
            difference(self.unsigned, b.unsigned),
            difference(self.signed, b.signed),
        )
    }

    /// Product
    pub fn mul(self, b: Ints, wraps: Wraps) -> Ints {
        // Products of unsigned integers of 64 bits may exceed what is computed with.
        let product = |a: (i128, i128), b: (i128, i128)| {
            let all =
                [a.0.checked_mul(b.0)?, a.0.checked_mul(b.1)?, a.1.checked_mul(b.0)?, a.1.checked_mul(b.1)?];
            Some((*all.iter().min()?, *all.iter().max()?))
        };
        Ints::by_bounds(self.width, wraps, product(self.unsigned, b.unsigned), product(self.signed, b.signed))
    }

    /// Unsigned division, rounded as `divide` does
    pub fn div_unsigned(self, b: Ints, divide: fn(i128, i128) -> i128) -> Ints {
        // Division by zero is undefined.
        let low = b.unsigned.0.max(1);
        if b.unsigned.1 < low {
            return Ints::all(self.width);
        }
        let (least, greatest) = (divide(self.unsigned.0, b.unsigned.1), divide(self.unsigned.1, low));
        Ints::from_unsigned(self.width, least, greatest)
    }

    /// Signed division, rounded as `divide` does
    pub fn div_signed(self, b: Ints, divide: fn(i128, i128) -> i128) -> Ints {
        // Monotonic in the dividend, and in the divisor on each side of zero.
        let sides = [(b.signed.0, b.signed.1.min(-1)), (b.signed.0.max(1), b.signed.1)];
        let mut bounds: Option<(i128, i128)> = None;
        for (low, high) in sides.into_iter().filter(|(low, high)| low <= high) {
            for a in [self.signed.0, self.signed.1] {
                for b in [low, high] {
                    let value = divide(a, b);
                    bounds = Some(bounds.map_or((value, value), |(l, h)| (l.min(value), h.max(value))));
                }
            }
        }
        // A dividend of zero lies between others of either sign.
        Ints::by_bounds(self.width, Wraps::default(), None, bounds)
    }

    /// Remainder of unsigned division
    pub fn rem_unsigned(self, b: Ints) -> Ints {
        let (low, high) = b.unsigned;
        if let (Some(_), true) = (b.only(), low > 0)
            && self.unsigned.0 / low == self.unsigned.1 / low
        {
            return Ints::from_unsigned(self.width, self.unsigned.0 % low, self.unsigned.1 % low);
        }
        if self.unsigned.1 < low {
            return Ints::from_unsigned(self.width, self.unsigned.0, self.unsigned.1);
        }
        Ints::from_unsigned(self.width, 0, self.unsigned.1.min((high - 1).max(0)))
    }

    /// Remainder of signed division; the sign is the dividend's
    pub fn rem_signed(self, b: Ints) -> Ints {
        let most = (b.signed.0.abs().max(b.signed.1.abs()) - 1).max(0);
        let (low, high) = self.signed;
        let least_divisor = match b.signed {
            (low, _) if low > 0 => low,
            (_, high) if high < 0 => -high,
            _ => 1,
        };
        if low > -least_divisor && high < least_divisor {
            return Ints::from_signed(self.width, low, high);
        }
        if let Some(divisor) = b.only()
            && divisor > 0
            && low >= 0
            && low / divisor == high / divisor
        {
            return Ints::from_signed(self.width, low % divisor, high % divisor);
        }
        Ints::from_signed(
            self.width,
            if low < 0 { low.max(-most) } else { 0 },
            if high > 0 { high.min(most) } else { 0 },
        )
    }

    /// Larger or smaller of two, in one reading
    pub fn extreme(self, b: Ints, signed: bool, largest: bool) -> Ints {
        let pick = |a: (i128, i128), b: (i128, i128)| match largest {
            true => (a.0.max(b.0), a.1.max(b.1)),
            false => (a.0.min(b.0), a.1.min(b.1)),
        };
        // The result is one of the operands, too.
        let one_of = self.join(b);
        let by_order = if signed {
            let (low, high) = pick(self.signed, b.signed);
            Ints::from_signed(self.width, low, high)
        } else {
            let (low, high) = pick(self.unsigned, b.unsigned);
            Ints::from_unsigned(self.width, low, high)
        };
        by_order.meet(one_of)
    }

    /// Bits that are the same in all values, and those bits: mask and value
    fn common_bits(self) -> (i128, i128) {
        let differ = self.unsigned.0 ^ self.unsigned.1;
        let below = if differ == 0 { 0 } else { (1i128 << (128 - differ.leading_zeros())) - 1 };
        let mask = Ints::all(self.width).unsigned.1 & !below;
        (mask, self.unsigned.0 & mask)
    }

    /// A bitwise operation, from the leading bits that are known
    pub fn bitwise(self, b: Ints, f: fn(i128, i128) -> i128) -> Ints {
        let ((mask_a, a), (mask_b, b)) = (self.common_bits(), b.common_bits());
        let full = Ints::all(self.width).unsigned.1;
        // Each bit by itself: what it may be, for all that its operands' bits may be.
        let mut low = full;
        let mut high = 0;
        for a in [a, a | (full & !mask_a)] {
            for b in [b, b | (full & !mask_b)] {
                let bits = f(a, b) & full;
                low &= bits;
                high |= bits;
            }
        }
        Ints::from_unsigned(self.width, low, high)
    }

    /// Shift left by an amount below the width
    pub fn shl(self, b: Ints, wraps: Wraps) -> Ints {
        let last = i128::from(self.width) - 1;
        let (least, most) = (b.unsigned.0.min(last), b.unsigned.1.min(last));
        let shifted = |(low, high): (i128, i128)| {
            let by = |value: i128, n: i128| value.checked_mul(1 << n);
            let all = [by(low, least)?, by(low, most)?, by(high, least)?, by(high, most)?];
            Some((*all.iter().min()?, *all.iter().max()?))
        };
        if b.unsigned.0 > last {
            return Ints::all(self.width);
        }
        Ints::by_bounds(self.width, wraps, shifted(self.unsigned), shifted(self.signed))
    }

    /// Shift right by an amount below the width
    pub fn shr(self, b: Ints, signed: bool) -> Ints {
        let last = i128::from(self.width) - 1;
        if b.unsigned.0 > last {
            return Ints::all(self.width);
        }
        let amounts = [b.unsigned.0, b.unsigned.1.min(last)];
        let (low, high) = if signed { self.signed } else { self.unsigned };
        let all = amounts.iter().flat_map(|n| [low >> n, high >> n]);
        let (least, greatest) = (all.clone().min().unwrap_or(low), all.max().unwrap_or(high));
        match signed {
            true => Ints::from_signed(self.width, least, greatest),
            false => Ints::from_unsigned(self.width, least, greatest),
        }
    }

    /// As wide as that, repeating the sign
    pub fn extend_signed(self, width: u32) -> Ints {
        Ints::from_signed(width, self.signed.0, self.signed.1)
    }

    /// As wide as that, with zeros
    pub fn extend_unsigned(self, width: u32) -> Ints {
        Ints::from_unsigned(width, self.unsigned.0, self.unsigned.1)
    }

    /// The low bits
    pub fn truncate(self, width: u32) -> Ints {
        if let Some(one) = self.only() {
            return Ints::one(width, one);
        }
        // The bits above are the same in all values, or they are dropped in several ways.
        let of = |(low, high): (i128, i128)| (low >> width == high >> width).then_some((low, high));
        let cut = |value: i128, unsigned: bool| terrace_ir::make::wrap_int(value, width, unsigned);
        let all = Ints::all(width);
        let unsigned = of(self.unsigned)
            .or_else(|| of(self.signed))
            .map_or(all, |(low, high)| Ints::from_unsigned(width, cut(low, true), cut(high, true)));
        let fits = self.signed.0 >= all.signed.0 && self.signed.1 <= all.signed.1;
        let signed = if fits { Ints::from_signed(width, self.signed.0, self.signed.1) } else { all };
        unsigned.meet(signed)
    }

    /// The orders in which a value of this range may be to one of another, in one reading
    pub fn orders(self, b: Ints, signed: bool) -> Orders {
        let (x, y) = if signed { (self.signed, b.signed) } else { (self.unsigned, b.unsigned) };
        Orders { less: x.0 < y.1, equal: x.0 <= y.1 && y.0 <= x.1, greater: x.1 > y.0 }
    }
}

/// Orders that two values may be in
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Orders {
    /// The first may be less
    pub less: bool,
    /// They may be equal
    pub equal: bool,
    /// The first may be greater
    pub greater: bool,
}

impl Orders {
    /// Does a comparison that holds in these orders hold for all values, or for none? None if it depends
    pub fn decide(self, holds: Orders) -> Option<bool> {
        let any = self.less && holds.less || self.equal && holds.equal || self.greater && holds.greater;
        let all =
            (!self.less || holds.less) && (!self.equal || holds.equal) && (!self.greater || holds.greater);
        match (all, any) {
            (true, _) => Some(true),
            (_, false) => Some(false),
            _ => None,
        }
    }
}

/// Table behind [`InferInts`]
pub struct Inference(pub fn(&Ir, OpId, &[Option<Ints>]) -> Vec<Option<Ints>>);

/// `interfaces(terrace_dataflow::InferInts)`: ranges of the results from those of the operands
pub trait InferInts: Sized {
    /// Ranges of the results; none, or fewer, where nothing follows
    fn infer_ints(ir: &Ir, op: OpId, operands: &[Option<Ints>]) -> Vec<Option<Ints>>;

    /// Entry for the op's definition
    const ENTRY: Interface =
        Interface::new(const { &Inference(|ir, op, operands| Self::infer_ints(ir, op, operands)) });
}

#[cfg(test)]
mod tests;
