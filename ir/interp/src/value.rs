//! Values at run time.

use crate::codes;
use crate::trap::Trap;
use std::any::Any;
use std::fmt;
use std::sync::Arc;
use terrace_ir::make::wrap_int;
use terrace_ir::{Attr, AttrKind, Context, DenseData, FloatKind, Type, TypeKind};

/// Most elements of a vector value, so that a splat of any size costs no more
const ELEMENTS: usize = 1 << 24;
/// Fewer elements are not worth asking
const SMALL: usize = 1 << 14;

/// Room for a value of so many elements: their number, or the error text if that is too large or memory is exhausted
///
/// Call it before a large list is made: the system kills a program that runs out of memory, silently.
pub fn room(elements: Option<i64>) -> Result<usize, Trap> {
    let count = elements.and_then(|count| usize::try_from(count).ok()).filter(|count| *count <= ELEMENTS);
    let too_many = || format!("too many elements for the interpreter: {ELEMENTS} at most in one value");
    let count = count.ok_or_else(|| Trap::new(&codes::LIMIT, too_many()))?;
    // Twice, since a value is copied before it is changed.
    match count < SMALL || crate::lists::is_free::<RtValue>(2 * count) {
        true => Ok(count),
        false => Err(Trap::new(&codes::LIMIT, "more memory than there is")),
    }
}

/// A view of memory: an allocation with offset, sizes and strides in elements
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemRef {
    /// Number of the allocation
    pub alloc: usize,
    /// Element where the view starts
    pub offset: i64,
    /// Sizes of the dimensions
    pub sizes: Arc<[i64]>,
    /// Distance of neighbours in each dimension
    pub strides: Arc<[i64]>,
    /// In an allocation of bytes: elements of this kind, from a byte on
    pub bytes: Option<InBytes>,
}

/// Elements that are several bytes of an allocation each, the lowest one first
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InBytes {
    /// Byte where element 0 begins
    pub first: i64,
    /// Bytes of an element, 8 at most
    pub width: u8,
    /// The format, of floats
    pub float: Option<FloatKind>,
}

impl MemRef {
    /// The whole of an allocation, row by row
    pub fn whole(alloc: usize, sizes: &[i64]) -> MemRef {
        let mut strides = vec![1i64; sizes.len()];
        for n in (1..sizes.len()).rev() {
            strides[n - 1] = strides[n].saturating_mul(sizes[n].max(1));
        }
        MemRef { alloc, offset: 0, sizes: sizes.into(), strides: strides.into(), bytes: None }
    }
}

/// A number of at most 64 bits, which fits into registers: what quick paths work on
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// Integer or index
    Int {
        /// The bits; those above the width are zero
        bits: u64,
        /// Width in bits, 1 to 64
        width: u32,
    },
    /// Float
    Float {
        /// The bits in the format
        bits: u64,
        /// The format
        kind: FloatKind,
    },
}

impl Scalar {
    /// `i1`
    pub fn bool(value: bool) -> Scalar {
        Scalar::Int { bits: value.into(), width: 1 }
    }

    /// `f32`
    pub fn f32(value: f32) -> Scalar {
        Scalar::Float { bits: value.to_bits().into(), kind: FloatKind::F32 }
    }

    /// `f64`
    pub fn f64(value: f64) -> Scalar {
        Scalar::Float { bits: value.to_bits(), kind: FloatKind::F64 }
    }
}

impl From<Scalar> for RtValue {
    #[inline]
    fn from(value: Scalar) -> RtValue {
        match value {
            Scalar::Int { bits, width } => RtValue::Int { bits: bits.into(), width },
            Scalar::Float { bits, kind } => RtValue::Float { bits, kind },
        }
    }
}

/// Numbers of Rust as values of the type of that name
macro_rules! numbers {
    ($($number:ty: |$value:ident| $made:expr;)+) => { $(
        impl From<$number> for RtValue {
            fn from($value: $number) -> RtValue {
                $made
            }
        }
    )+ };
}

numbers! {
    bool: |value| RtValue::bool(value);
    i8: |value| RtValue::int(value.into(), 8);
    i16: |value| RtValue::int(value.into(), 16);
    i32: |value| RtValue::int(value.into(), 32);
    i64: |value| RtValue::int(value.into(), 64);
    f32: |value| RtValue::f32(value);
    f64: |value| RtValue::f64(value);
}

impl<T: Into<RtValue>> From<Vec<T>> for RtValue {
    /// A vector or tensor, row by row
    fn from(elements: Vec<T>) -> RtValue {
        RtValue::Vector(elements.into_iter().map(Into::into).collect())
    }
}

/// What a value of a dialect's own type may be: anything that is compared, shown and sent to threads
pub trait OwnValue: Any + Send + Sync + fmt::Debug + fmt::Display {
    /// Is the other one of the same type and equal?
    fn same(&self, other: &dyn OwnValue) -> bool;
    /// To find its type again
    fn any(&self) -> &dyn Any;
}

impl<T: Any + Send + Sync + fmt::Debug + fmt::Display + PartialEq> OwnValue for T {
    fn same(&self, other: &dyn OwnValue) -> bool {
        other.any().downcast_ref::<T>().is_some_and(|other| self == other)
    }

    fn any(&self) -> &dyn Any {
        self
    }
}

/// A value of a dialect's own type, shared
#[derive(Clone, Debug)]
pub struct Own(Arc<dyn OwnValue>);

impl PartialEq for Own {
    fn eq(&self, other: &Own) -> bool {
        self.0.same(&*other.0)
    }
}

impl Eq for Own {}

impl fmt::Display for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A value at run time
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RtValue {
    /// Integer or index (64 bits): bits above the width are zero
    Int {
        /// The bits
        bits: u128,
        /// Width in bits, 1 to 128
        width: u32,
    },
    /// Float: the bits in its format
    Float {
        /// The bits
        bits: u64,
        /// The format
        kind: FloatKind,
    },
    /// Elements of a vector or tensor of static shape, row by row
    Vector(Arc<[RtValue]>),
    /// A view of memory
    MemRef(MemRef),
    /// A function by its name
    Function(Arc<str>),
    /// What a dialect's own type stands for, see [`RtValue::own`]
    Own(Own),
    /// No value: what depends on it is poison too
    Poison,
}

impl RtValue {
    /// Integer of a width; wraps
    pub fn int(value: i128, width: u32) -> RtValue {
        RtValue::Int { bits: wrap_int(value, width, true) as u128, width }
    }

    /// `index`
    pub fn index(value: i64) -> RtValue {
        RtValue::int(value.into(), 64)
    }

    /// `i1`
    pub fn bool(value: bool) -> RtValue {
        RtValue::Int { bits: value.into(), width: 1 }
    }

    /// Float of a format
    pub fn float(bits: u64, kind: FloatKind) -> RtValue {
        RtValue::Float { bits, kind }
    }

    /// `f32`
    pub fn f32(value: f32) -> RtValue {
        RtValue::float(value.to_bits().into(), FloatKind::F32)
    }

    /// `f64`
    pub fn f64(value: f64) -> RtValue {
        RtValue::float(value.to_bits(), FloatKind::F64)
    }

    /// The number, if it is one of at most 64 bits
    #[inline]
    pub fn as_scalar(&self) -> Option<Scalar> {
        match self {
            RtValue::Int { bits, width: width @ 1..=64 } => {
                Some(Scalar::Int { bits: *bits as u64, width: *width })
            }
            RtValue::Float { bits, kind } => Some(Scalar::Float { bits: *bits, kind: *kind }),
            _ => None,
        }
    }

    /// Become a number
    #[inline]
    pub(crate) fn put(&mut self, value: Scalar) {
        // Each form on its own: copying a whole value right behind writing its parts stalls.
        match value {
            Scalar::Int { bits, width } => *self = RtValue::Int { bits: bits.into(), width },
            Scalar::Float { bits, kind } => *self = RtValue::Float { bits, kind },
        }
    }

    /// What a dialect's own type stands for; poison is [`RtValue::Poison`] there as well
    pub fn own(value: impl OwnValue) -> RtValue {
        RtValue::Own(Own(Arc::new(value)))
    }

    /// The value of a dialect's own type, if it is one of this type of Rust
    pub fn as_own<T: OwnValue>(&self) -> Option<&T> {
        match self {
            RtValue::Own(own) => (*own.0).any().downcast_ref(),
            _ => None,
        }
    }

    /// Signed reading of an integer
    pub fn as_signed(&self) -> Option<i128> {
        match self {
            RtValue::Int { bits, width } => Some(wrap_int(*bits as i128, *width, false)),
            _ => None,
        }
    }

    /// Unsigned reading of an integer
    pub fn as_unsigned(&self) -> Option<u128> {
        match self {
            RtValue::Int { bits, .. } => Some(*bits),
            _ => None,
        }
    }

    /// Signed reading of an integer of at most 64 bits
    pub fn as_i64(&self) -> Option<i64> {
        i64::try_from(self.as_signed()?).ok()
    }

    /// Value of a float whose format fits f64
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            RtValue::Float { bits, kind } => terrace_ir::show::value_of_bits(*bits, *kind),
            _ => None,
        }
    }

    /// The view, of a memref
    pub fn as_memref(&self) -> Option<&MemRef> {
        match self {
            RtValue::MemRef(view) => Some(view),
            _ => None,
        }
    }

    /// Is it poison, whole or in an element?
    pub fn has_poison(&self) -> bool {
        match self {
            RtValue::Poison => true,
            RtValue::Vector(all) => all.iter().any(|each| matches!(each, RtValue::Poison)),
            _ => false,
        }
    }

    /// The value of a constant: integer, float, dense elements; `None` for what values cannot be
    pub fn of_attr(cx: &Context, attr: Attr) -> Option<RtValue> {
        match attr.kind(cx) {
            AttrKind::Int { value, ty } => element(cx, *value as u128, *ty),
            AttrKind::Float { bits, ty } => element(cx, u128::from(*bits), *ty),
            AttrKind::Dense { ty, data } => {
                let elem = ty.scalar(cx);
                let bytes = terrace_ir::show::elem_bytes(cx, elem);
                let read = |raw: &[u8]| {
                    let mut wide = [0; 16];
                    wide.get_mut(..raw.len())?.copy_from_slice(raw);
                    element(cx, u128::from_le_bytes(wide), elem)
                };
                let count = usize::try_from(ty.num_elements(cx)?).ok().filter(|count| *count <= ELEMENTS)?;
                let all: Vec<RtValue> = match data {
                    DenseData::Splat(raw) => vec![read(raw)?; count],
                    DenseData::Raw(raw) if bytes > 0 => raw.chunks(bytes).map(read).collect::<Option<_>>()?,
                    DenseData::Raw(_) | DenseData::Strs(_) => return None,
                };
                (all.len() == count).then(|| RtValue::Vector(all.into()))
            }
            _ => None,
        }
    }
}

fn element(cx: &Context, bits: u128, ty: Type) -> Option<RtValue> {
    match *ty.kind(cx) {
        TypeKind::Int { width, .. } if width <= 128 => Some(RtValue::int(bits as i128, width)),
        TypeKind::Index => Some(RtValue::int(bits as i128, 64)),
        TypeKind::Float(kind) if kind.width() <= 64 => Some(RtValue::float(bits as u64, kind)),
        _ => None,
    }
}
