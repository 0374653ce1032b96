//! One lane, computed at once.

use terrace_dialect_math::polynomial_approximation::{FloatOp, Format, IntOp, Pred, Rows};

/// A machine with fused products or without, with ops on exponents or without
#[derive(Clone, Copy, Debug)]
pub struct Lane {
    pub fused: bool,
    pub exponents: bool,
}

/// Machines that differ
pub const LANES: [Lane; 3] = [
    Lane { fused: true, exponents: true },
    Lane { fused: true, exponents: false },
    Lane { fused: false, exponents: false },
];

/// x · 2^n, rounded once: the exponent of f64 has room for all f32
fn scaled(x: f64, n: f64) -> f64 {
    libm::ldexp(x, n.clamp(-2200.0, 2200.0) as i32)
}

impl Lane {
    fn on_wide(self, format: Format, x: u64) -> f64 {
        match format {
            Format::Single => single(x).into(),
            Format::Double => f64::from_bits(x),
        }
    }
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

    fn scaled(&self, format: Format, x: u64, n: u64, zero: Option<u64>) -> Option<u64> {
        self.exponents.then(|| match format {
            _ if zero == Some(1) => 0,
            Format::Single => of_single(scaled(single(x).into(), single(n).into()) as f32),
            Format::Double => scaled(f64::from_bits(x), f64::from_bits(n)).to_bits(),
        })
    }

    fn scales(&self, _: Format) -> bool {
        self.exponents
    }

    fn exponent_and_significand(&self, format: Format, x: u64) -> Option<(u64, u64)> {
        let number = self.on_wide(format, x);
        let parts = match number {
            _ if number.is_nan() || number < 0.0 => (f64::NAN, f64::NAN),
            0.0 => (f64::NEG_INFINITY, 1.0),
            f64::INFINITY => (f64::INFINITY, 1.0),
            _ => {
                let (half, above) = libm::frexp(number);
                // From a half to one; below three quarters it belongs to the next power.
                (f64::from(above - 1), if half < 0.75 { half + half } else { half })
            }
        };
        let number = |value: f64| self.real(format, value);
        self.exponents.then(|| (number(parts.0), number(parts.1)))
    }

    fn rsqrt_estimate(&self, format: Format, x: u64) -> Option<u64> {
        let exact = 1.0 / self.on_wide(format, x).sqrt();
        let off = if exact.is_finite() { exact * (1.0 - 2f64.powi(-14)) } else { exact };
        self.exponents.then(|| self.real(format, off))
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
