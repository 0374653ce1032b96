//! One lane, computed at once.

use terrace_dialect_math::polynomial_approximation::{FloatOp, Format, IntOp, Pred, Rows};

/// A machine with fused products or without
#[derive(Clone, Copy)]
pub struct Lane {
    pub fused: bool,
}

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn of_single(value: f32) -> u64 {
    value.to_bits().into()
}

/// The same of floats of either format
macro_rules! on_floats {
    ($format:expr, |$($arg:ident),*| $body:expr) => {
        match $format {
            Format::Single => {
                $(let $arg = single($arg);)*
                of_single($body)
            }
            Format::Double => {
                $(let $arg = f64::from_bits($arg);)*
                f64::to_bits($body)
            }
        }
    };
}

/// A value as bits; truth values are one or zero
impl Rows for Lane {
    type V = u64;

    fn real(&self, format: Format, value: f64) -> u64 {
        match format {
            Format::Single => of_single(value as f32),
            Format::Double => value.to_bits(),
        }
    }

    fn int(&self, format: Format, value: i64) -> u64 {
        match format {
            Format::Single => u64::from(value as u32),
            Format::Double => value as u64,
        }
    }

    fn float_op(&self, format: Format, op: FloatOp, a: u64, b: u64) -> u64 {
        on_floats!(format, |a, b| match op {
            FloatOp::Add => a + b,
            FloatOp::Sub => a - b,
            FloatOp::Mul => a * b,
            FloatOp::Div => a / b,
        })
    }

    fn int_op(&self, format: Format, op: IntOp, a: u64, b: u64) -> u64 {
        let wide = match format {
            Format::Single => i64::from(a as i32),
            Format::Double => a as i64,
        };
        let result = match op {
            IntOp::Add => wide.wrapping_add(b as i64),
            IntOp::Sub => wide.wrapping_sub(b as i64),
            IntOp::Xor => wide ^ b as i64,
            IntOp::Up => wide << b,
            IntOp::Down => wide >> b,
        };
        self.int(format, result)
    }

    fn fma(&self, format: Format, a: u64, b: u64, c: u64) -> u64 {
        on_floats!(format, |a, b, c| if self.fused { a.mul_add(b, c) } else { a * b + c })
    }

    fn fused(&self, format: Format, a: u64, b: u64, c: u64) -> Option<u64> {
        self.fused.then(|| self.fma(format, a, b, c))
    }

    fn sqrt(&self, format: Format, x: u64) -> u64 {
        on_floats!(format, |x| x.sqrt())
    }

    fn convert(&self, from: Format, x: u64) -> u64 {
        match from {
            Format::Single => f64::from(single(x)).to_bits(),
            Format::Double => of_single(f64::from_bits(x) as f32),
        }
    }

    fn bits(&self, _: Format, x: u64) -> u64 {
        x
    }

    fn of_bits(&self, _: Format, x: u64) -> u64 {
        x
    }

    fn abs(&self, format: Format, x: u64) -> u64 {
        on_floats!(format, |x| x.abs())
    }

    fn copysign(&self, format: Format, x: u64, sign: u64) -> u64 {
        on_floats!(format, |x, sign| x.copysign(sign))
    }

    fn compare(&self, format: Format, pred: Pred, a: u64, b: u64) -> u64 {
        let (a, b) = match format {
            Format::Single => (f64::from(single(a)), f64::from(single(b))),
            Format::Double => (f64::from_bits(a), f64::from_bits(b)),
        };
        u64::from(match pred {
            Pred::Greater => a > b,
            Pred::GreaterOrEqual => a >= b,
            Pred::Less => a < b,
            Pred::Equal => a == b,
        })
    }

    fn both(&self, _: Format, a: u64, b: u64) -> u64 {
        a & b
    }

    fn either(&self, _: Format, a: u64, b: u64) -> u64 {
        a | b
    }

    fn select(&self, _: Format, mask: u64, yes: u64, no: u64) -> u64 {
        if mask == 1 { yes } else { no }
    }

    fn library(&self, format: Format, mask: u64, name: &str, x: u64, no: u64) -> u64 {
        if mask == 0 {
            return no;
        }
        let exact = match name {
            "cos" => libm::cos,
            "sin" => libm::sin,
            "tan" => libm::tan,
            _ => panic!("no function {name}"),
        };
        match format {
            Format::Single => of_single(exact(single(x).into()) as f32),
            Format::Double => exact(f64::from_bits(x)).to_bits(),
        }
    }
}
