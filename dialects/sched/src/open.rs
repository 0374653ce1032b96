//! What a nest leaves open: the one list of its parameters.
//!
//! Three kinds of fields can hold a name in place of a value: a loop's level (`: @m`), the order of a perfect run of loops
//! (`perm @p` on its outermost one) and whether a buffer is there (`when @b`, on it and on the copy that fills it). A name in
//! several fields of one kind is one parameter. [`open`] gives them in order of the text, with the values that each may have; whether a
//! choice of all of them is a schedule, the rules say of what it makes. Who decides, refuses or searches asks here.

use crate::{Alloc, Axis, Copy, For, Kernel, Level, LoopInfo};
use std::fmt;
use terrace_ir::{Attr, Ir, OpId};
use terrace_schedule_model::Decision;

/// What kind of field is open
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// Who runs a loop
    Level,
    /// The order of so many loops
    Order(usize),
    /// Is a buffer there?
    Buffer,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Level => f.write_str("a level"),
            What::Order(count) => write!(f, "the order of {count} loops"),
            What::Buffer => f.write_str("whether a buffer is there"),
        }
    }
}

/// A text that is no value of a parameter; completes "`@p` …"
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoValue {
    /// What the parameter decides
    pub what: What,
    /// The text
    pub text: String,
}

impl fmt::Display for NoValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.text;
        match self.what {
            What::Level => write!(f, "has no level '{text}'"),
            What::Order(count) => {
                write!(f, "has {count} loops to order, and '{text}' is no order of them")
            }
            What::Buffer => write!(f, "is there or not: 1 or 0, not '{text}'"),
        }
    }
}

impl std::error::Error for NoValue {}

/// An op whose field has a name that means something else elsewhere; completes "`op` …"
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TwoMeanings {
    /// The op
    pub op: OpId,
    /// The name, without `@`
    pub name: String,
    /// What it decides here
    pub here: What,
    /// What it decides elsewhere
    pub elsewhere: What,
}

impl fmt::Display for TwoMeanings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "takes '@{}' for {}, which is {}", self.name, self.here, self.elsewhere)
    }
}

impl std::error::Error for TwoMeanings {}

/// A parameter of a nest
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Open {
    /// Its name, without `@`
    pub name: String,
    /// What it decides
    pub what: What,
    /// Ops whose field it is, in order of the text
    pub ops: Vec<OpId>,
    /// Loops of a kernel can be on its levels
    kernel: bool,
}

/// Most loops whose orders are listed
const MOST_ORDERED: usize = 6;

impl Open {
    /// What an unnamed choice means until it is made: loops one after the other, in the order of the text, buffers there
    pub fn neutral(&self) -> Decision {
        match self.what {
            What::Level => Decision::Level(Level::Seq),
            What::Order(count) => Decision::Order((0..count).collect()),
            What::Buffer => Decision::There(true),
        }
    }

    /// Values that it may have; the neutral one first
    pub fn values(&self) -> Vec<Decision> {
        match self.what {
            What::Level => {
                let mut all = vec![Level::Seq, Level::Unroll, Level::Vector];
                match self.kernel {
                    true => {
                        all.extend(Axis::ALL.map(Level::Thread));
                        all.extend(Axis::ALL.map(Level::Block));
                    }
                    false => all.push(Level::Task),
                }
                all.into_iter().map(Decision::Level).collect()
            }
            What::Order(count) => orders(count.min(MOST_ORDERED))
                .map(|order| {
                    let rest = order.len()..count;
                    Decision::Order(order.iter().copied().chain(rest).collect())
                })
                .collect(),
            What::Buffer => vec![Decision::There(true), Decision::There(false)],
        }
    }

    /// A value from its text; the error says what is expected
    pub fn parse(&self, text: &str) -> Result<Decision, NoValue> {
        let wrong = || NoValue { what: self.what, text: text.into() };
        match self.what {
            What::Level => text.parse().map(Decision::Level).map_err(|_| wrong()),
            What::Order(count) => {
                let order: Option<Vec<usize>> = text.split('.').map(|n| n.parse().ok()).collect();
                let whole = order.filter(|order| {
                    let mut seen = order.clone();
                    seen.sort_unstable();
                    seen.into_iter().eq(0..count)
                });
                whole.map(Decision::Order).ok_or_else(wrong)
            }
            What::Buffer => match text {
                "0" => Ok(Decision::There(false)),
                "1" => Ok(Decision::There(true)),
                _ => Err(wrong()),
            },
        }
    }
}

/// All orders of so many things, as they are first
fn orders(count: usize) -> impl Iterator<Item = Vec<usize>> {
    let total: usize = (1..=count).product();
    (0..total).map(move |mut n| {
        let mut left: Vec<usize> = (0..count).collect();
        let mut order = Vec::new();
        for size in (1..=count).rev() {
            let block: usize = (1..size).product();
            order.push(left.remove(n / block));
            n %= block;
        }
        order
    })
}

/// The name in a field, if it is open
fn name_of(ir: &Ir, field: Option<Attr>) -> Option<String> {
    let (root, _) = field?.as_symbol(ir.cx())?;
    Some(ir.cx().str(root).to_string())
}

/// Everything that a unit leaves open; the error is an op whose field has a name that means something else elsewhere
pub fn open(ir: &Ir) -> Result<Vec<Open>, TwoMeanings> {
    let mut all: Vec<Open> = Vec::new();
    for op in ir.walk() {
        let (mut found, each) = (Vec::new(), For::cast(ir, op));
        if let Some(each) = each {
            found.extend(name_of(ir, each.level(ir)).map(|name| (name, What::Level)));
            let order = || What::Order(perfect_run(ir, each).len());
            found.extend(name_of(ir, each.perm(ir)).map(|name| (name, order())));
        } else if let Some(alloc) = Alloc::cast(ir, op) {
            found.extend(name_of(ir, alloc.when(ir)).map(|name| (name, What::Buffer)));
        } else if let Some(copy) = Copy::cast(ir, op) {
            found.extend(name_of(ir, copy.when(ir)).map(|name| (name, What::Buffer)));
        }
        for (name, what) in found {
            let kernel = std::iter::successors(ir.parent(op), |op| ir.parent(*op))
                .any(|op| Kernel::cast(ir, op).is_some());
            match all.iter_mut().find(|known| known.name == name) {
                Some(known) if known.what == what => {
                    known.ops.push(op);
                    known.kernel &= kernel;
                }
                Some(known) => {
                    return Err(TwoMeanings { op, name, here: what, elsewhere: known.what });
                }
                None => all.push(Open { name, what, ops: vec![op], kernel }),
            }
        }
    }
    Ok(all)
}

/// Loops each of which is all of the body of the one before
pub fn perfect_run(ir: &Ir, top: For) -> Vec<LoopInfo> {
    let mut run: Vec<LoopInfo> = top.info(ir).into_iter().collect();
    while let Some(outer) = run.last() {
        let inner = ir.entry(outer.op.body(ir)).and_then(|body| {
            let first = ir.first_op(body)?;
            let last = ir.next(first)?;
            For::cast(ir, first).filter(|_| ir.next(last).is_none())?.info(ir)
        });
        match inner {
            Some(inner) => run.push(inner),
            None => break,
        }
    }
    run
}

/// A field without a value, where a value is needed
pub struct Undecided {
    /// The first op that has the field
    pub op: OpId,
    /// What the field decides; `None` where fields of one name contradict each other
    pub what: Option<What>,
    /// The reason, for a diagnostic at the op
    pub message: String,
}

/// The first field that is still open; `levels`: open levels count too
pub fn undecided(ir: &Ir, levels: bool) -> Option<Undecided> {
    let all = match open(ir) {
        Ok(all) => all,
        Err(two) => return Some(Undecided { op: two.op, what: None, message: two.to_string() }),
    };
    let first = all.into_iter().find(|each| levels || each.what != What::Level)?;
    let op = *first.ops.first()?;
    let message = match first.what {
        What::Level => format!("is at the level '@{}', which is not decided yet", first.name),
        _ => format!("depends on '@{}', which is not decided yet", first.name),
    };
    Some(Undecided { op, what: Some(first.what), message })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_read_as_they_are_listed() {
        let open = |what, kernel| Open { name: "p".into(), what, ops: Vec::new(), kernel };
        for each in [
            open(What::Level, false),
            open(What::Level, true),
            open(What::Order(3), false),
            open(What::Order(8), false),
            open(What::Buffer, false),
        ] {
            let values = each.values();
            assert_eq!(values[0], each.neutral());
            assert!(
                values.iter().all(|value| each.parse(&value.to_string()).as_ref() == Ok(value)),
                "{values:?}"
            );
            assert!(each.parse("2.2.0").is_err() && each.parse("").is_err());
        }
        let orders: Vec<String> =
            open(What::Order(3), false).values().iter().map(Decision::to_string).collect();
        assert_eq!(orders, ["0.1.2", "0.2.1", "1.0.2", "1.2.0", "2.0.1", "2.1.0"]);
        assert_eq!(open(What::Order(8), false).values().len(), 720);
    }
}
