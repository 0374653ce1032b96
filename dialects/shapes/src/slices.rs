//! Offsets, sizes and strides, each a list of numbers and operands, as ops on parts of tensors and of memory have them.
//!
//! The three operand fields follow each other; `first` is the field of the offsets.

use crate::lists::{parse_positions, print_positions};
use std::fmt;
use terrace_diag::Reported;
use terrace_interp::{Machine, Trap};
use terrace_ir::{DYNAMIC, Ir, OpId, VerifyCx, codes};
use terrace_text::{OpParser, OpPrinter, Unresolved};

/// An op on a part: `..slice` stands for the fields of offsets, sizes and strides
///
/// ```text
/// sliced! {
///     #[op("memref.subview", …)]
///     pub struct SubView { source: AnyMemRef, ..slice, #[result] result: AnyMemRef }
/// }
/// ```
#[macro_export]
macro_rules! sliced {
    (
        $(#[$attr:meta])*
        pub struct $name:ident { $($operand:ident: $rule:ident,)+ ..slice $(, #[result] $result:ident: $of:ident)? }
    ) => {
        $(#[$attr])*
        pub struct $name {
            $($operand: $rule,)+
            offsets: Variadic<Index>,
            sizes: Variadic<Index>,
            strides: Variadic<Index>,
            #[attr]
            static_offsets: DenseI64Array,
            #[attr]
            static_sizes: DenseI64Array,
            #[attr]
            static_strides: DenseI64Array,
            $(#[result] $result: $of,)?
        }
    };
}

/// Names of the lists of static numbers, in order
pub const LISTS: [&str; 3] = ["static_offsets", "static_sizes", "static_strides"];

/// The static numbers, [`DYNAMIC`] where operands stand
pub fn lists(ir: &Ir, op: OpId) -> [&[i64]; 3] {
    LISTS.map(|name| ir.attr(op, name).and_then(|attr| attr.as_dense_array(ir.cx())).unwrap_or(&[]))
}

/// Read the lists, each behind its words, and the attributes; operands are to be given to [`resolve`]
pub fn parse(p: &mut OpParser<'_, '_>, before: [&[&str]; 3]) -> Result<[Vec<Unresolved>; 3], Reported> {
    let mut dynamic = [Vec::new(), Vec::new(), Vec::new()];
    for ((words, name), slot) in before.iter().zip(LISTS).zip(&mut dynamic) {
        for word in *words {
            if word.starts_with(|c: char| c.is_ascii_alphabetic()) {
                p.keyword(word)?
            } else {
                p.punct(word)?
            }
        }
        let (values, fixed) = parse_positions(p)?;
        p.set_attr(name, fixed);
        *slot = values;
    }
    p.attr_dict()?;
    Ok(dynamic)
}

/// The lists' operands, field by field
pub fn resolve(p: &mut OpParser<'_, '_>, dynamic: &[Vec<Unresolved>; 3]) -> Result<(), Reported> {
    let index = p.cx().common().index;
    for values in dynamic {
        values.iter().try_for_each(|value| p.resolve(value, index))?;
        p.segment();
    }
    Ok(())
}

/// The lists, each behind its text, and the attributes
pub fn print(p: &mut OpPrinter<'_>, first: usize, before: [&str; 3]) {
    let (ir, op) = (p.ir(), p.op());
    for (n, (text, fixed)) in before.iter().zip(lists(ir, op)).enumerate() {
        p.text(text);
        print_positions(p, &ir.operand_field(op, first + n), fixed);
    }
    p.attr_dict(&LISTS);
}

/// `%x[…] […] […] : type to type`: an op that makes a slice of its first operand; `before` is what stands before each list
pub fn parse_op(p: &mut OpParser<'_, '_>, before: [&[&str]; 3]) -> Result<(), Reported> {
    let source = p.operand()?;
    let dynamic = parse(p, before)?;
    let from = p.colon_type()?;
    p.keyword("to")?;
    let to = p.ty()?;
    p.resolve(&source, from)?;
    p.segment();
    resolve(p, &dynamic)?;
    p.add_result(to);
    Ok(())
}

/// The same as text
pub fn print_op(p: &mut OpPrinter<'_>, before: [&str; 3]) {
    let (ir, op) = (p.ir(), p.op());
    p.text(" ");
    p.operand(ir.operand(op, 0));
    print(p, 1, before);
    p.text(" : ");
    p.ty(ir.ty(ir.operand(op, 0)));
    p.text(" to ");
    p.ty(ir.ty(ir.result(op, 0)));
}

/// Rules of the lists alone; `counts` says how many entries each must have
pub fn check(v: &VerifyCx<'_>, op: OpId, first: usize, counts: [usize; 3]) -> Result<(), Reported> {
    let fixed = lists(v.ir, op);
    let fail = |message: String| v.fail(op, &codes::OP_RULE, message);
    for (n, what) in ["offset", "size", "stride"].iter().enumerate() {
        if fixed[n].len() != counts[n] {
            return fail(format!("expected {} {what} values, got {}", counts[n], fixed[n].len()));
        }
        let (given, wanted) = (
            v.ir.operand_range(op, first + n).len(),
            fixed[n].iter().filter(|number| **number == DYNAMIC).count(),
        );
        if given != wanted {
            return fail(format!(
                "expected the number of '{what}s' to match the number of dynamic entries in 'static_{what}s' ({given} vs {wanted})"
            ));
        }
        if n < 2
            && let Some(negative) = fixed[n].iter().find(|number| **number < 0 && **number != DYNAMIC)
        {
            return fail(format!("expected {what}s to be non-negative, but got {negative}"));
        }
    }
    Ok(())
}

/// Where a slice leaves its sizes
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutOfBounds {
    /// It starts behind the end
    Offset {
        /// The dimension
        dim: usize,
        /// Where the slice starts
        offset: i64,
        /// Size of the dimension
        size: i64,
    },
    /// It ends behind the end or in front of the start
    Last {
        /// The dimension
        dim: usize,
        /// The last position
        last: i128,
        /// Size of the dimension
        size: i64,
    },
}

impl fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Offset { dim, offset, size } => {
                write!(f, "offset {dim} is out-of-bounds: {offset} >= {size}")
            }
            Self::Last { dim, last, size } => {
                write!(f, "slice along dimension {dim} runs out-of-bounds: {last} ")?;
                if *last < 0 { f.write_str("< 0") } else { write!(f, ">= {size}") }
            }
        }
    }
}

impl std::error::Error for OutOfBounds {}

/// Does a slice with these lists stay inside of the sizes, as far as numbers say? The error says where it does not
///
/// Verifiers ask this, and so does each rule that puts numbers where operands stood or sizes were open: a program that
/// leaves its memory where it runs must not become one that is refused.
pub fn inside(shape: &[i64], lists: [&[i64]; 3], empty_may_start_anywhere: bool) -> Result<(), OutOfBounds> {
    let [offsets, sizes, steps] = lists;
    for (dim, &size) in shape.iter().enumerate() {
        let (Some(&offset), Some(&count), Some(&step)) = (offsets.get(dim), sizes.get(dim), steps.get(dim))
        else {
            return Ok(());
        };
        if size == DYNAMIC || offset == DYNAMIC || count == 0 && empty_may_start_anywhere {
            continue;
        }
        if offset >= size {
            return Err(OutOfBounds::Offset { dim, offset, size });
        }
        if count == DYNAMIC || step == DYNAMIC || count == 0 {
            continue;
        }
        let last = i128::from(offset) + i128::from(count - 1) * i128::from(step);
        if last >= i128::from(size) || last < 0 {
            return Err(OutOfBounds::Last { dim, last, size });
        }
    }
    Ok(())
}

/// The lists of the op that runs, operands read
pub fn numbers(m: &Machine<'_>, first: usize) -> Result<[Vec<i64>; 3], Trap> {
    numbers_of(m, m.op(), first)
}

/// The same of another op
pub fn numbers_of(m: &Machine<'_>, op: OpId, first: usize) -> Result<[Vec<i64>; 3], Trap> {
    let ir = m.ir();
    let mut all = [Vec::new(), Vec::new(), Vec::new()];
    for (n, (fixed, what)) in lists(ir, op).iter().zip(["an offset", "a size", "a stride"]).enumerate() {
        let mut values = ir.operand_field(op, first + n).into_iter();
        for number in *fixed {
            let value = if *number == DYNAMIC { values.next() } else { None };
            all[n].push(match value {
                Some(value) => m.decide_i64(value, what)?,
                None => *number,
            });
        }
    }
    Ok(all)
}
