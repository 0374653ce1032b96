//! What runs when: nests are static groups, the loops around them repeat, rounds overlap, pipelines run next to each other.

use std::fmt::Write;

/// Control of a component
#[derive(Debug)]
pub(crate) enum Control {
    /// A static group, with its cycles
    Nest(String, i64),
    Seq(Vec<Control>),
    Par(Vec<Control>),
    Repeat(i64, Box<Control>),
    /// Where a bit is set
    If(String, Box<Control>),
}

impl Control {
    /// Cycles that follow from the text alone
    fn cycles(&self) -> Option<i64> {
        match self {
            Control::Nest(_, cycles) => Some(*cycles),
            Control::Seq(all) => {
                all.iter().map(Control::cycles).try_fold(0i64, |sum, one| sum.checked_add(one?))
            }
            _ => None,
        }
    }

    /// Is nothing inside?
    fn is_empty(&self) -> bool {
        match self {
            Control::Nest(..) => false,
            Control::Seq(all) | Control::Par(all) => all.iter().all(Control::is_empty),
            Control::Repeat(_, one) | Control::If(_, one) => one.is_empty(),
        }
    }

    pub fn print(&self, out: &mut String, depth: usize) {
        let indent = "  ".repeat(depth);
        let (head, inside): (String, &[Control]) = match self {
            Control::Nest(name, _) => {
                let _ = writeln!(out, "{indent}{name};");
                return;
            }
            // Sequences of known length have no cycles between their parts.
            _ if self.is_empty() => return,
            Control::Seq(all) if self.cycles().is_some() => ("static seq".into(), all),
            Control::Seq(all) => ("seq".into(), all),
            Control::Par(all) => ("par".into(), all),
            Control::Repeat(times, one) => (format!("repeat {times}"), std::slice::from_ref(one)),
            Control::If(bit, one) => (format!("if {bit}"), std::slice::from_ref(one)),
        };
        let _ = writeln!(out, "{indent}{head} {{");
        inside.iter().for_each(|one| one.print(out, depth + 1));
        let _ = writeln!(out, "{indent}}}");
    }
}
