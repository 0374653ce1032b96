//! Formats of `gpu.printf`: which number each conversion takes, and the same format with lengths that fit.
//!
//! A format is `printf`'s of C. What its conversions say of lengths (`h`, `l`, `ll`, …) is not looked at: the types of the
//! operands are known, and the length that the target's language has for them is put in its place. So `%d` prints an `index`
//! whole on every target.

use std::fmt;

/// What is printed
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrintedArg {
    /// An integer of at most 32 bits
    Int,
    /// An integer of 64 bits
    Long,
    /// A float
    Float,
}

/// Why a format does not fit its operands
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadFormat {
    /// The text ends after a `%`
    Cut,
    /// No operand is left for a conversion
    NoOperand {
        /// The conversion
        conversion: String,
    },
    /// A conversion of integers, and an operand that is none that fits
    NotInteger {
        /// The conversion
        conversion: String,
        /// Number of the operand, from 1
        operand: usize,
    },
    /// A conversion of floats, and an operand that is none
    NotFloat {
        /// The conversion
        conversion: String,
        /// Number of the operand, from 1
        operand: usize,
    },
    /// A conversion of something else than numbers
    NotNumber {
        /// The conversion
        conversion: String,
    },
    /// Operands are left over
    Left {
        /// Conversions of the format
        conversions: usize,
        /// Operands
        operands: usize,
    },
}

impl fmt::Display for BadFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cut => f.write_str("its format ends within a conversion"),
            Self::NoOperand { conversion } => {
                write!(f, "its format has more conversions than operands: `{conversion}`")
            }
            Self::NotInteger { conversion, operand } => {
                write!(f, "`{conversion}` takes an integer, and operand {operand} is none that fits")
            }
            Self::NotFloat { conversion, operand } => {
                write!(f, "`{conversion}` takes a float, and operand {operand} is none")
            }
            Self::NotNumber { conversion } => write!(f, "`{conversion}` prints no number"),
            Self::Left { conversions, operands } => {
                write!(f, "its format has {conversions} conversions for {operands} operands")
            }
        }
    }
}

impl std::error::Error for BadFormat {}

/// The format for operands of these kinds, with `long` (`l` or `ll`) as the length of 64 bits; the error says what does not fit
pub fn adapted(format: &str, args: &[PrintedArg], long: &str) -> Result<String, BadFormat> {
    let mut out = String::with_capacity(format.len() + 2 * args.len());
    let mut args = args.iter();
    let mut count = 0;
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('%') {
            out.push_str("%%");
            rest = after;
            continue;
        }
        let flags = rest.len() - rest.trim_start_matches(|c: char| "-+ #0123456789.".contains(c)).len();
        let (spec, after) = rest.split_at(flags);
        let after = after.trim_start_matches(|c: char| "hljztL".contains(c));
        let Some(letter) = after.chars().next() else {
            return Err(BadFormat::Cut);
        };
        rest = &after[letter.len_utf8()..];
        count += 1;
        let conversion = format!("%{spec}{letter}");
        let Some(arg) = args.next() else { return Err(BadFormat::NoOperand { conversion }) };
        let length = match (letter, arg) {
            ('d' | 'i' | 'u' | 'x' | 'X' | 'o', PrintedArg::Int) | ('c', PrintedArg::Int) => "",
            ('d' | 'i' | 'u' | 'x' | 'X' | 'o', PrintedArg::Long) => long,
            ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', PrintedArg::Float) => "",
            ('d' | 'i' | 'u' | 'x' | 'X' | 'o' | 'c', _) => {
                return Err(BadFormat::NotInteger { conversion, operand: count });
            }
            ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', _) => {
                return Err(BadFormat::NotFloat { conversion, operand: count });
            }
            _ => return Err(BadFormat::NotNumber { conversion }),
        };
        out.push_str(&format!("%{spec}{length}{letter}"));
    }
    out.push_str(rest);
    match args.len() {
        0 => Ok(out),
        left => Err(BadFormat::Left { conversions: count, operands: count + left }),
    }
}

#[cfg(test)]
mod tests {
    use super::PrintedArg::{Float, Int, Long};
    use super::*;

    #[test]
    fn lengths_follow_types() {
        assert_eq!(adapted("%d: %f\n", &[Long, Float], "ll").as_deref(), Ok("%lld: %f\n"));
        assert_eq!(adapted("%-5hhd|%08lx%%", &[Int, Long], "l").as_deref(), Ok("%-5d|%08lx%%"));
        assert_eq!(adapted("%+.3Lg", &[Float], "l").as_deref(), Ok("%+.3g"));
        assert_eq!(adapted("no number", &[], "l").as_deref(), Ok("no number"));
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let wrong = |format: &str, args: &[PrintedArg]| {
            adapted(format, args, "l").expect_err("does not fit").to_string()
        };
        assert_eq!(wrong("%d %d", &[Int]), "its format has more conversions than operands: `%d`");
        assert_eq!(wrong("%d", &[Int, Int]), "its format has 1 conversions for 2 operands");
        assert_eq!(wrong("%.2f", &[Int]), "`%.2f` takes a float, and operand 1 is none");
        assert_eq!(wrong("%d", &[Float]), "`%d` takes an integer, and operand 1 is none that fits");
        assert_eq!(wrong("%s", &[Long]), "`%s` prints no number");
        assert_eq!(wrong("%*d", &[Int]), "`%*` prints no number");
        assert_eq!(wrong("50%", &[]), "its format ends within a conversion");
    }
}
