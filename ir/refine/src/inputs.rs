//! Generated calls: extreme values of each type, constants of the program and their neighbours, then random values.
//!
//! The n-th call of a function is the same every time. Poison is in every eighth call at most, since it hides most of what
//! a function does.

use crate::call::{Arg, Call};
use crate::functions::{Function, Numbers};
use terrace_interp::RtValue;
use terrace_ir::{Context, DYNAMIC, FloatKind, Type, TypeKind, show};
use terrace_support::Random;

/// Elements of one argument
const ELEMENTS: i64 = 1 << 16;

/// Sizes of open dimensions that are always tried
const SIZES: [i64; 4] = [7, 1, 2, 0];

/// The n-th call; `None` where a parameter has a type of which nothing is known here
pub fn call(cx: &Context, function: &Function, numbers: &Numbers, n: u64) -> Option<Call> {
    let mut random = Random::of(&[0x7e57, n]);
    let poisoned = if n % 8 == 7 { random.below(function.inputs.len()) } else { usize::MAX };
    // Sizes that have to fit to each other do in half of all calls.
    let size = n.is_multiple_of(2).then(|| size(&mut random, numbers, n / 2));
    let mut maker = Maker { cx, numbers, n, random, size, made: 0 };
    let args = function.inputs.iter().enumerate().map(|(at, ty)| {
        // Buffers hold poison rather than being it.
        let poison = at == poisoned && !matches!(ty.kind(cx), TypeKind::MemRef { .. });
        if poison { Some(Arg::Value(RtValue::Poison)) } else { maker.arg(*ty) }
    });
    Some(Call { function: function.name.clone(), args: args.collect::<Option<_>>()? })
}

/// A size for an open dimension; a number of the program or one next to it in two thirds of all cases
fn size(random: &mut Random, numbers: &Numbers, n: u64) -> i64 {
    if let Some(size) = SIZES.get(usize::try_from(n).unwrap_or(usize::MAX)) {
        return *size;
    }
    let step = random.pick(&[-1, 0, 1]);
    let near = random.choose(&numbers.ints).and_then(|int| i64::try_from(int.checked_add(step)?).ok());
    let near = near.filter(|near| (0..=130).contains(near) && !n.is_multiple_of(3));
    near.unwrap_or_else(|| random.pick(&SIZES))
}

struct Maker<'a> {
    cx: &'a Context,
    numbers: &'a Numbers,
    n: u64,
    random: Random,
    /// The size of all open dimensions, if they have one
    size: Option<i64>,
    /// Values made so far, so that the first ones differ from each other
    made: i128,
}

impl Maker<'_> {
    fn arg(&mut self, ty: Type) -> Option<Arg> {
        match ty.kind(self.cx) {
            TypeKind::MemRef { shape, elem, layout: None, .. } => {
                let sizes = self.sizes(shape);
                let elements = self.elements(&sizes, *elem)?;
                Some(Arg::Buffer { sizes, elements })
            }
            _ => self.value(ty).map(Arg::Value),
        }
    }

    fn sizes(&mut self, shape: &[i64]) -> Vec<i64> {
        let mut one = |size: &i64| match (*size, self.size) {
            (DYNAMIC, Some(size)) => size,
            (DYNAMIC, None) => size_of(&mut self.random, self.numbers),
            (size, _) => size,
        };
        shape.iter().map(&mut one).collect()
    }

    fn elements(&mut self, sizes: &[i64], elem: Type) -> Option<Vec<RtValue>> {
        let count = sizes.iter().try_fold(1i64, |all, size| all.checked_mul(*size));
        let count = count.filter(|count| *count <= ELEMENTS)?;
        (0..count).map(|_| self.value(elem)).collect()
    }

    fn value(&mut self, ty: Type) -> Option<RtValue> {
        match ty.kind(self.cx) {
            TypeKind::Int { width: width @ 1..=128, .. } => Some(self.int(*width)),
            TypeKind::Index => Some(self.index()),
            TypeKind::Float(kind) => self.float(*kind),
            TypeKind::Vector { shape, elem, .. } | TypeKind::Tensor { shape, elem, .. } => {
                let sizes = self.sizes(shape);
                let open = shape.contains(&DYNAMIC);
                // Values of tensors have their sizes from their types.
                let elements = self.elements(&sizes, *elem).filter(|_| !open)?;
                Some(RtValue::Vector(elements.into()))
            }
            _ => None,
        }
    }

    fn int(&mut self, width: u32) -> RtValue {
        self.made += 1;
        let top = width - 1;
        let min = if width == 128 { i128::MIN } else { -(1i128 << top) };
        let value = match self.n {
            0 => self.made,
            1 => 0,
            2 => 1,
            3 => -1,
            4 => min,
            5 => !min,
            _ => match self.random.below(8u32) {
                0 => self.random.pick(&[0, 1, -1, min, !min, min + 1]),
                1 | 2 => {
                    let power = 1i128 << self.random.below(width.min(127));
                    power + self.random.pick(&[0, 0, 1, -1])
                }
                3 | 4 => self.near().unwrap_or(self.made),
                5 | 6 => i128::from(self.random.below(13u32)) - 4,
                _ => i128::from(self.random.next()) << 64 | i128::from(self.random.next()),
            },
        };
        RtValue::int(value, width)
    }

    /// Indices are sizes and places as a rule: small
    fn index(&mut self) -> RtValue {
        self.made += 1;
        let value = match self.n {
            0..6 => *SIZES.get(self.n as usize).unwrap_or(&3),
            _ => match self.random.below(8u32) {
                0 => return self.int(64),
                1 | 2 => self.near().and_then(|near| i64::try_from(near).ok()).unwrap_or(5),
                3..6 => self.random.pick(&SIZES),
                _ => i64::from(self.random.below(17u32)),
            },
        };
        RtValue::index(value)
    }

    /// A number of the program, or one next to it
    fn near(&mut self) -> Option<i128> {
        let near = *self.random.choose(&self.numbers.ints)?;
        near.checked_add(self.random.pick(&[0, 0, 1, -1]))
    }

    fn float(&mut self, kind: FloatKind) -> Option<RtValue> {
        const EDGES: [f64; 12] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            1e-40,
            -1e-310,
            3e38,
            0.5,
            1.0000001,
        ];
        self.made += 1;
        let value = match self.n {
            0 => self.made as f64,
            n @ 1..8 => EDGES[n as usize - 1],
            _ => match self.random.below(8u32) {
                0..3 => self.random.pick(&EDGES),
                3 | 4 => {
                    let near = self.random.choose(&self.numbers.floats).copied().unwrap_or(2.0);
                    near + self.random.pick(&[0.0, 0.0, 1.0, -1.0])
                }
                5 | 6 => f64::from(self.random.below(33u32)) / 4.0 - 4.0,
                _ => (self.random.unit() - 0.5) * 1e6,
            },
        };
        Some(RtValue::float(show::round_to_bits(value, kind)?, kind))
    }
}

/// A size for an open dimension that need not fit to others
fn size_of(random: &mut Random, numbers: &Numbers) -> i64 {
    let n = 4 + random.below(9u64);
    size(random, numbers, n)
}
