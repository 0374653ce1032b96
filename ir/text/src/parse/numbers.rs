//! Integers and floats.

use super::state::{Parse, Parser};
use crate::codes;
use terrace_diag::Span;
use terrace_ir::show::parse_float;
use terrace_ir::{Attr, FloatKind, Sign, Type, TypeKind, wide};

/// A number as written in the text
#[derive(Clone, Copy)]
pub(crate) struct Literal {
    pub start: u32,
    pub end: u32,
    pub negative: bool,
    pub hex: bool,
    pub float: bool,
}

impl<'a> Parser<'a> {
    /// Take a number
    pub fn literal(&mut self) -> Parse<Literal> {
        let start = self.lx.pos;
        let negative = self.lx.peek() == b'-';
        let sign = usize::from(negative);
        let digits = |byte: u8| byte.is_ascii_digit();
        if !self.lx.at(sign).is_ascii_digit() {
            return self.expected("a number");
        }
        let (mut n, mut float) = (sign, false);
        let hex = self.lx.at(n) == b'0' && self.lx.at(n + 1) == b'x' && self.lx.at(n + 2).is_ascii_hexdigit();
        if hex {
            n = self.lx.run(n + 2, |byte| byte.is_ascii_hexdigit());
        } else {
            n = self.lx.run(n, digits);
            if self.lx.at(n) == b'.' {
                float = true;
                n = self.lx.run(n + 1, digits);
                if matches!(self.lx.at(n), b'e' | b'E') {
                    let exponent = n + 1 + usize::from(matches!(self.lx.at(n + 1), b'+' | b'-'));
                    if self.lx.at(exponent).is_ascii_digit() {
                        n = self.lx.run(exponent, digits);
                    }
                }
            }
        }
        self.lx.bump(n);
        Ok(Literal { start: start as u32, end: (start + n) as u32, negative, hex, float })
    }

    fn literal_span(&self, literal: &Literal) -> Span {
        Span::new(self.source, literal.start, literal.end)
    }

    fn magnitude(&self, literal: &Literal) -> Option<u128> {
        let text =
            self.lx.slice(literal.start as usize + usize::from(literal.negative), literal.end as usize);
        if literal.hex { u128::from_str_radix(text.get(2..)?, 16).ok() } else { text.parse().ok() }
    }

    /// Value of an integer
    pub fn literal_int(&mut self, literal: &Literal) -> Parse<i128> {
        let span = self.literal_span(literal);
        if literal.float {
            return self.fail_at(&codes::EXPECTED, span, "expected an integer, found a float");
        }
        let value = self.magnitude(literal).and_then(|magnitude| {
            if literal.negative && magnitude == 1 << 127 {
                return Some(i128::MIN);
            }
            let value = i128::try_from(magnitude).ok()?;
            Some(if literal.negative { -value } else { value })
        });
        match value {
            Some(value) => Ok(value),
            None => self.fail_at(&codes::OVERFLOW, span, "integer does not fit 128 bits"),
        }
    }

    /// An integer
    pub fn int(&mut self) -> Parse<i128> {
        let literal = self.literal()?;
        self.literal_int(&literal)
    }

    /// A number as an attribute: of the type given, or of the one that follows, or `i64` or `f64`
    pub fn number(&mut self, ty: Option<Type>) -> Parse<Attr> {
        let literal = self.literal()?;
        let ty = match ty {
            Some(ty) => ty,
            None if self.lx.peek() == b':' && self.lx.at(1) != b':' => {
                self.lx.eat(b':');
                self.ty()?
            }
            None if literal.float => self.cx.common().f64,
            None => self.cx.common().i64,
        };
        self.number_of(&literal, ty)
    }

    /// A number's attribute in a type
    pub fn number_of(&mut self, literal: &Literal, ty: Type) -> Parse<Attr> {
        match ty.kind(self.cx) {
            TypeKind::Float(kind) => {
                let bits = self.float_bits(literal, *kind)?;
                Ok(self.cx.float_attr(bits, ty))
            }
            TypeKind::Int { width: 129.., .. } => self.wide_int(literal, ty),
            TypeKind::Int { .. } | TypeKind::Index => {
                let value = self.int_value(literal, ty)?;
                Ok(self.int_attr(value, ty))
            }
            _ => {
                let span = self.literal_span(literal);
                let message = format!("a number can't have the type {}", self.show(ty));
                self.fail_at(&codes::ATTRIBUTE, span, message)
            }
        }
    }

    /// Attribute of an integer type of more than 128 bits
    fn wide_int(&mut self, literal: &Literal, ty: Type) -> Parse<Attr> {
        let TypeKind::Int { width, sign } = *ty.kind(self.cx) else {
            return self.expected("an integer type");
        };
        let span = self.literal_span(literal);
        if literal.float {
            return self.int_value(literal, ty).map(|value| self.int_attr(value, ty));
        }
        if width > wide::MAX_WIDTH {
            let message = format!("integers of more than {} bits are not read", wide::MAX_WIDTH);
            return self.fail_at(&codes::OVERFLOW, span, message);
        }
        let start = literal.start as usize + usize::from(literal.negative);
        let (base, skip) = if literal.hex { (16, 2) } else { (10, 0) };
        let digits = &self.lx.src[start + skip..literal.end as usize];
        let limbs = wide::parse(digits, base, width).filter(|limbs| match (sign, literal.negative) {
            (Sign::Unsigned, negative) => !negative,
            (Sign::Signless, false) => true,
            (Sign::Signed, false) => !wide::bit(limbs, width - 1),
            // The least value is the only one with the top bit.
            (_, true) => !wide::bit(limbs, width - 1) || wide::is_power(limbs, width - 1),
        });
        let Some(limbs) = limbs else { return self.out_of_range(span, ty) };
        let limbs = if literal.negative { wide::negated(&limbs) } else { limbs };
        Ok(self.cx.wide_attr(&limbs, ty))
    }

    fn out_of_range<T>(&mut self, span: Span, ty: Type) -> Parse<T> {
        let text = self.lx.slice(span.start as usize, span.end as usize);
        let shown: String = text.chars().take(50).collect();
        let message = format!("`{shown}` is out of range of {}", self.show(ty));
        self.fail_at(&codes::OVERFLOW, span, message)
    }

    /// Value of an integer that must fit a type
    pub fn int_value(&mut self, literal: &Literal, ty: Type) -> Parse<i128> {
        let span = self.literal_span(literal);
        if literal.float {
            let message = format!("a float can't have the type {}", self.show(ty));
            return self.fail_at(&codes::ATTRIBUTE, span, message);
        }
        let (width, sign) = match ty.kind(self.cx) {
            TypeKind::Int { width, sign } => (*width, *sign),
            _ => (64, Sign::Signless),
        };
        let fits = self.magnitude(literal).is_some_and(|magnitude| {
            let limit = |bits: u32| if bits >= 128 { u128::MAX } else { (1u128 << bits) - 1 };
            let largest = match (sign, literal.negative) {
                (Sign::Unsigned, true) => 0,
                // A signless literal may be read either way.
                (Sign::Unsigned, false) | (Sign::Signless, false) => limit(width),
                (Sign::Signed, false) => limit(width.saturating_sub(1)),
                (_, true) => return magnitude <= 1u128 << (width - 1).min(127),
            };
            magnitude <= largest
        });
        if !fits {
            return self.out_of_range(span, ty);
        }
        let magnitude = self.magnitude(literal).unwrap_or(0) as i128;
        Ok(if literal.negative { magnitude.wrapping_neg() } else { magnitude })
    }

    /// Bits of a float
    pub fn float_bits(&mut self, literal: &Literal, kind: FloatKind) -> Parse<u64> {
        let span = self.literal_span(literal);
        let text = self.lx.slice(literal.start as usize, literal.end as usize);
        if literal.hex {
            let bits = self.magnitude(literal).filter(|_| !literal.negative);
            let width = kind.width();
            return match bits.and_then(|bits| u64::try_from(bits).ok()) {
                Some(bits) if width >= 64 || bits >> width == 0 => Ok(bits),
                _ => {
                    let message = format!("hexadecimal bits do not fit {} ({width} bits)", kind.word());
                    self.fail_at(&codes::OVERFLOW, span, message)
                }
            };
        }
        if !literal.float {
            let message = format!("an integer can't have the type {}", kind.word());
            let error = terrace_diag::Diagnostic::error(&codes::ATTRIBUTE, message).at(span);
            return Err(self.emit(error.help(format!("write `{text}.0`"))));
        }
        match parse_float(text, kind) {
            Some(bits) => Ok(bits),
            None => {
                let message = format!(
                    "decimal numbers of type {} are not read; give the bits in hexadecimal",
                    kind.word()
                );
                self.fail_at(&codes::ATTRIBUTE, span, message)
            }
        }
    }
}
