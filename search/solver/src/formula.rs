//! Formulas over variables with integer values: comparisons of terms with + − × / %, membership, ∧ ∨ ¬.
//!
//! Evaluation is three-valued: what depends on a variable without a value is unknown, unless the other parts decide. Division
//! rounds down and the remainder goes with it; a comparison of a term without a value (division by zero, more than 64
//! bits) is false.

use std::collections::BTreeSet;
use std::fmt::{self, Write};
use std::sync::Arc;

/// A variable: its place in the model
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub u32);

impl Var {
    /// As an index
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A division by zero, or more than 64 bits
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoValue;

/// A number
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Term {
    Int(i64),
    Var(Var),
    Add(Box<Term>, Box<Term>),
    Sub(Box<Term>, Box<Term>),
    Mul(Box<Term>, Box<Term>),
    /// Rounds down
    Div(Box<Term>, Box<Term>),
    /// Goes with `Div`
    Rem(Box<Term>, Box<Term>),
    Min(Box<Term>, Box<Term>),
    Max(Box<Term>, Box<Term>),
    /// The first where the statement holds, else the second
    If(Box<Formula>, Box<Term>, Box<Term>),
}

/// A comparison
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Cmp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Cmp {
    /// All, with their signs
    pub const SIGNS: &'static [(Cmp, &'static str)] =
        &[(Cmp::Eq, "=="), (Cmp::Ne, "!="), (Cmp::Le, "<="), (Cmp::Lt, "<"), (Cmp::Ge, ">="), (Cmp::Gt, ">")];

    fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Cmp::Eq => a == b,
            Cmp::Ne => a != b,
            Cmp::Lt => a < b,
            Cmp::Le => a <= b,
            Cmp::Gt => a > b,
            Cmp::Ge => a >= b,
        }
    }

    /// The sign
    pub fn sign(self) -> &'static str {
        Cmp::SIGNS.iter().find(|(cmp, _)| *cmp == self).map_or("", |(_, sign)| sign)
    }
}

/// A statement
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Formula {
    /// Decided
    Known(bool),
    /// Some of the variables has one of the values
    Any(Arc<[Var]>, Arc<[i64]>),
    /// A comparison
    Cmp(Cmp, Term, Term),
    /// All of them
    And(Vec<Formula>),
    /// One of them
    Or(Vec<Formula>),
    /// The contrary
    Not(Box<Formula>),
}

impl From<i64> for Term {
    fn from(value: i64) -> Term {
        Term::Int(value)
    }
}

impl From<Var> for Term {
    fn from(var: Var) -> Term {
        Term::Var(var)
    }
}

macro_rules! term_ops {
    ($($name:ident $variant:ident $doc:literal)*) => {
        impl Term {$(
            #[doc = $doc]
            #[allow(clippy::should_implement_trait)]
            pub fn $name(self, other: impl Into<Term>) -> Term {
                Term::$variant(Box::new(self), Box::new(other.into()))
            }
        )*}
    };
}
term_ops!(add Add "Sum" sub Sub "Difference" mul Mul "Product" div Div "Quotient, rounded down" rem Rem "Remainder"
    min Min "Smaller one" max Max "Larger one");

impl Term {
    fn parts(&self) -> Option<(&Term, &Term)> {
        match self {
            Term::Int(_) | Term::Var(_) => None,
            Term::Add(a, b)
            | Term::Sub(a, b)
            | Term::Mul(a, b)
            | Term::Div(a, b)
            | Term::Rem(a, b)
            | Term::Min(a, b)
            | Term::Max(a, b)
            | Term::If(_, a, b) => Some((a, b)),
        }
    }

    /// The number: `Ok(None)` if it depends on a variable without a value, `Err` if there is none
    pub fn value(&self, at: &dyn Fn(Var) -> Option<i64>) -> Result<Option<i64>, NoValue> {
        let (a, b) = match self {
            Term::Int(value) => return Ok(Some(*value)),
            Term::Var(var) => return Ok(at(*var)),
            Term::If(holds, a, b) => {
                return match holds.eval(at) {
                    Some(true) => a.value(at),
                    Some(false) => b.value(at),
                    None => Ok(None),
                };
            }
            _ => self.parts().ok_or(NoValue)?,
        };
        let (a, b) = (a.value(at)?, b.value(at)?);
        let (Some(a), Some(b)) = (a, b) else { return Ok(None) };
        let value = self.apply(a, b);
        value.map(Some).ok_or(NoValue)
    }

    /// The number, all variables having a value
    fn number(&self, at: &[i64]) -> Option<i64> {
        let (a, b) = match self {
            Term::Int(value) => return Some(*value),
            Term::Var(var) => return at.get(var.index()).copied(),
            Term::If(holds, a, b) => return if holds.holds(at) { a.number(at) } else { b.number(at) },
            _ => self.parts()?,
        };
        self.apply(a.number(at)?, b.number(at)?)
    }

    fn apply(&self, a: i64, b: i64) -> Option<i64> {
        match self {
            Term::Add(..) => a.checked_add(b),
            Term::Sub(..) => a.checked_sub(b),
            Term::Mul(..) => a.checked_mul(b),
            Term::Div(..) => a.checked_rem_euclid(b).and_then(|rest| (a - rest).checked_div(b)).map(|down| {
                // Euclid's remainder is not negative; of a negative divisor the floor is one lower.
                if b < 0 && a.rem_euclid(b) != 0 { down - 1 } else { down }
            }),
            Term::Rem(..) => {
                a.checked_rem_euclid(b).map(|rest| if b < 0 && rest != 0 { rest + b } else { rest })
            }
            Term::Min(..) => Some(a.min(b)),
            Term::Max(..) => Some(a.max(b)),
            Term::Int(_) | Term::Var(_) | Term::If(..) => None,
        }
    }

    /// The least and greatest number, given those of variables; `None` if nothing is known
    pub fn range(&self, of: &dyn Fn(Var) -> (i64, i64)) -> Option<(i64, i64)> {
        let (a, b) = match self {
            Term::Int(value) => return Some((*value, *value)),
            Term::Var(var) => {
                return Some(of(*var)).filter(|(low, high)| *low != i64::MIN && *high != i64::MAX);
            }
            _ => self.parts()?,
        };
        let (a, b) = (a.range(of)?, b.range(of)?);
        let corners = |x: (i64, i64), y: (i64, i64)| {
            let all = [(x.0, y.0), (x.0, y.1), (x.1, y.0), (x.1, y.1)].map(|(x, y)| self.apply(x, y));
            let all: Option<Vec<i64>> = all.into_iter().collect();
            let all = all?;
            Some((*all.iter().min()?, *all.iter().max()?))
        };
        match self {
            // A remainder of one number is itself below its divisor.
            Term::Rem(..) if b.0 > 0 => {
                let fits = a.0 >= 0 && a.1 < b.0;
                Some(if fits {
                    a
                } else if a.0 == a.1 && b.0 == b.1 {
                    corners(a, b)?
                } else {
                    (0, b.1 - 1)
                })
            }
            Term::Rem(..) => None,
            Term::If(..) => Some((a.0.min(b.0), a.1.max(b.1))),
            // Towards a divisor without zero between, quotients are monotone.
            Term::Div(..) if b.0 <= 0 => None,
            _ => corners(a, b),
        }
    }

    fn renamed(&self, to: &dyn Fn(Var) -> Var) -> Term {
        let of = |term: &Term| Box::new(term.renamed(to));
        match self {
            Term::Int(value) => Term::Int(*value),
            Term::Var(var) => Term::Var(to(*var)),
            Term::Add(a, b) => Term::Add(of(a), of(b)),
            Term::Sub(a, b) => Term::Sub(of(a), of(b)),
            Term::Mul(a, b) => Term::Mul(of(a), of(b)),
            Term::Div(a, b) => Term::Div(of(a), of(b)),
            Term::Rem(a, b) => Term::Rem(of(a), of(b)),
            Term::Min(a, b) => Term::Min(of(a), of(b)),
            Term::Max(a, b) => Term::Max(of(a), of(b)),
            Term::If(holds, a, b) => Term::If(Box::new(holds.renamed(to)), of(a), of(b)),
        }
    }

    fn scope(&self, out: &mut Vec<Var>) {
        let mut pending = vec![self];
        while let Some(term) = pending.pop() {
            match term {
                Term::Var(var) => out.push(*var),
                Term::If(holds, ..) => out.extend(holds.scope()),
                _ => {}
            }
            if let Some((a, b)) = term.parts() {
                pending.extend([a, b]);
            }
        }
    }

    fn show(&self, names: &dyn Fn(Var) -> String, out: &mut String) {
        let (a, b, sign) = match self {
            Term::Int(value) => return out.push_str(&value.to_string()),
            Term::Var(var) => return out.push_str(&names(*var)),
            Term::Add(a, b) => (a, b, "+"),
            Term::Sub(a, b) => (a, b, "-"),
            Term::Mul(a, b) => (a, b, "*"),
            Term::Div(a, b) => (a, b, "/"),
            Term::Rem(a, b) => (a, b, "%"),
            Term::Min(a, b) => (a, b, "min"),
            Term::Max(a, b) => (a, b, "max"),
            Term::If(holds, a, b) => {
                a.show(names, out);
                out.push_str(" if (");
                holds.show(names, &|_, value| value.to_string(), out);
                out.push_str(") else ");
                return b.show(names, out);
            }
        };
        if sign.starts_with('m') {
            let _ = write!(out, "{sign}(");
            a.show(names, out);
            out.push_str(", ");
            b.show(names, out);
            return out.push(')');
        }
        let strong = |term: &Term| matches!(term, Term::Mul(..) | Term::Div(..) | Term::Rem(..));
        let weak = |term: &Term| matches!(term, Term::Add(..) | Term::Sub(..));
        let (left, right) = if strong(self) { (weak(a), weak(b) || strong(b)) } else { (false, weak(b)) };
        let part = |term: &Term, wrap: bool, out: &mut String| {
            if wrap {
                out.push('(');
            }
            term.show(names, out);
            if wrap {
                out.push(')');
            }
        };
        part(a, left, out);
        let _ = write!(out, " {sign} ");
        part(b, right, out);
    }
}

impl Formula {
    /// The variable has one of the values
    pub fn is_in(var: Var, values: impl IntoIterator<Item = i64>) -> Formula {
        Formula::any([var], values)
    }

    /// Some of the variables has one of the values
    pub fn any(vars: impl IntoIterator<Item = Var>, values: impl IntoIterator<Item = i64>) -> Formula {
        let (vars, values): (BTreeSet<Var>, BTreeSet<i64>) =
            (vars.into_iter().collect(), values.into_iter().collect());
        if vars.is_empty() || values.is_empty() {
            return Formula::Known(false);
        }
        Formula::Any(vars.into_iter().collect(), values.into_iter().collect())
    }

    /// A comparison
    pub fn cmp(cmp: Cmp, a: impl Into<Term>, b: impl Into<Term>) -> Formula {
        Formula::Cmp(cmp, a.into(), b.into())
    }

    /// The contrary
    #[allow(clippy::should_implement_trait)]
    pub fn not(self) -> Formula {
        match self {
            Formula::Known(known) => Formula::Known(!known),
            Formula::Not(inner) => *inner,
            other => Formula::Not(Box::new(other)),
        }
    }

    /// If `self` holds, so does `then`
    pub fn implies(self, then: Formula) -> Formula {
        Formula::or([self.not(), then])
    }

    /// All of them, without what is decided
    pub fn and(all: impl IntoIterator<Item = Formula>) -> Formula {
        let mut parts = Vec::new();
        for each in all {
            match each {
                Formula::Known(true) => {}
                Formula::Known(false) => return Formula::Known(false),
                Formula::And(inner) => parts.extend(inner),
                other => parts.push(other),
            }
        }
        match parts.len() {
            0 => Formula::Known(true),
            1 => parts.remove(0),
            _ => Formula::And(parts),
        }
    }

    /// One of them, without what is decided
    pub fn or(all: impl IntoIterator<Item = Formula>) -> Formula {
        let mut parts = Vec::new();
        for each in all {
            match each {
                Formula::Known(false) => {}
                Formula::Known(true) => return Formula::Known(true),
                Formula::Or(inner) => parts.extend(inner),
                other => parts.push(other),
            }
        }
        match parts.len() {
            0 => Formula::Known(false),
            1 => parts.remove(0),
            _ => Formula::Or(parts),
        }
    }

    /// The variables it speaks of, in order
    pub fn scope(&self) -> Vec<Var> {
        let mut out = Vec::new();
        let mut pending = vec![self];
        while let Some(each) = pending.pop() {
            match each {
                Formula::Known(_) => {}
                Formula::Any(vars, _) => out.extend(vars.iter().copied()),
                Formula::Cmp(_, a, b) => {
                    a.scope(&mut out);
                    b.scope(&mut out);
                }
                Formula::And(all) | Formula::Or(all) => pending.extend(all),
                Formula::Not(inner) => pending.push(inner),
            }
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    /// With other variables
    pub fn renamed(&self, to: &dyn Fn(Var) -> Var) -> Formula {
        let all = |all: &[Formula]| all.iter().map(|each| each.renamed(to)).collect();
        match self {
            Formula::Known(known) => Formula::Known(*known),
            Formula::Any(vars, values) => {
                let mut vars: Vec<Var> = vars.iter().map(|var| to(*var)).collect();
                vars.sort_unstable();
                vars.dedup();
                Formula::Any(vars.into(), values.clone())
            }
            Formula::Cmp(cmp, a, b) => Formula::Cmp(*cmp, a.renamed(to), b.renamed(to)),
            Formula::And(parts) => Formula::And(all(parts)),
            Formula::Or(parts) => Formula::Or(all(parts)),
            Formula::Not(inner) => Formula::Not(Box::new(inner.renamed(to))),
        }
    }

    /// Whether it holds, as far as the values decide
    pub fn eval(&self, at: &dyn Fn(Var) -> Option<i64>) -> Option<bool> {
        match self {
            Formula::Known(known) => Some(*known),
            Formula::Any(vars, values) => {
                let mut open = false;
                for var in vars.iter() {
                    match at(*var) {
                        Some(value) if values.contains(&value) => return Some(true),
                        Some(_) => {}
                        None => open = true,
                    }
                }
                (!open).then_some(false)
            }
            Formula::Cmp(cmp, a, b) => match (a.value(at), b.value(at)) {
                (Err(NoValue), _) | (_, Err(NoValue)) => Some(false),
                (Ok(a), Ok(b)) => Some(cmp.holds(a?, b?)),
            },
            Formula::And(all) => {
                let mut open = false;
                for each in all {
                    match each.eval(at) {
                        Some(false) => return Some(false),
                        Some(true) => {}
                        None => open = true,
                    }
                }
                (!open).then_some(true)
            }
            Formula::Or(all) => {
                let mut open = false;
                for each in all {
                    match each.eval(at) {
                        Some(true) => return Some(true),
                        Some(false) => {}
                        None => open = true,
                    }
                }
                (!open).then_some(false)
            }
            Formula::Not(inner) => inner.eval(at).map(|holds| !holds),
        }
    }

    /// Whether it holds, all variables having a value
    pub fn holds(&self, at: &[i64]) -> bool {
        match self {
            Formula::Known(known) => *known,
            Formula::Any(vars, values) => {
                vars.iter().any(|var| at.get(var.index()).is_some_and(|value| values.contains(value)))
            }
            Formula::Cmp(cmp, a, b) => match (a.number(at), b.number(at)) {
                (Some(a), Some(b)) => cmp.holds(a, b),
                _ => false,
            },
            Formula::And(all) => all.iter().all(|each| each.holds(at)),
            Formula::Or(all) => all.iter().any(|each| each.holds(at)),
            Formula::Not(inner) => !inner.holds(at),
        }
    }

    /// With the atoms that `decide` knows decided, and what follows from them
    pub fn rewrite(&self, decide: &dyn Fn(&Formula) -> Option<Formula>) -> Formula {
        match self {
            Formula::And(all) => Formula::and(all.iter().map(|each| each.rewrite(decide))),
            Formula::Or(all) => Formula::or(all.iter().map(|each| each.rewrite(decide))),
            Formula::Not(inner) => inner.rewrite(decide).not(),
            atom => decide(atom).unwrap_or_else(|| atom.clone()),
        }
    }

    /// As text, with names for variables and words for their values
    pub fn text(&self, names: &dyn Fn(Var) -> String, words: &dyn Fn(Var, i64) -> String) -> String {
        let mut out = String::new();
        self.show(names, words, &mut out);
        out
    }

    fn show(&self, names: &dyn Fn(Var) -> String, words: &dyn Fn(Var, i64) -> String, out: &mut String) {
        let list = |all: &[Formula], sign: &str, out: &mut String| {
            for (n, each) in all.iter().enumerate() {
                if n > 0 {
                    let _ = write!(out, " {sign} ");
                }
                let wrap = matches!(each, Formula::And(_) | Formula::Or(_));
                if wrap {
                    out.push('(');
                }
                each.show(names, words, out);
                if wrap {
                    out.push(')');
                }
            }
        };
        match self {
            Formula::Known(known) => out.push_str(if *known { "true" } else { "false" }),
            Formula::Any(vars, values) => {
                let all: Vec<String> = vars.iter().map(|var| names(*var)).collect();
                let first = vars.first().copied().unwrap_or(Var(0));
                let values: Vec<String> = values.iter().map(|value| words(first, *value)).collect();
                let _ = match &all[..] {
                    [one] => write!(out, "{one} in {{{}}}", values.join(", ")),
                    _ => write!(out, "any({}) in {{{}}}", all.join(", "), values.join(", ")),
                };
            }
            Formula::Cmp(cmp, a, b) => {
                a.show(names, out);
                let _ = write!(out, " {} ", cmp.sign());
                b.show(names, out);
            }
            Formula::And(all) => list(all, "and", out),
            Formula::Or(all) => list(all, "or", out),
            Formula::Not(inner) => {
                out.push_str("not (");
                inner.show(names, words, out);
                out.push(')');
            }
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&|var| format!("v{}", var.0), &|_, value| value.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(values: &[Option<i64>]) -> impl Fn(Var) -> Option<i64> + '_ {
        |var| values[var.index()]
    }

    #[test]
    fn every_operator_has_its_meaning() {
        let (x, y) = (|| Term::from(Var(0)), || Term::from(Var(1)));
        let table: &[(Term, i64)] = &[
            (x().add(y()), 21),
            (x().sub(y()), 13),
            (x().mul(y()), 68),
            (x().div(y()), 4),
            (x().rem(y()), 1),
            (x().min(y()), 4),
            (x().max(y()), 17),
        ];
        let values = [Some(17), Some(4)];
        for (term, expected) in table {
            assert_eq!(term.value(&at(&values)), Ok(Some(*expected)), "{term:?}");
        }
        for (cmp, expected) in [
            (Cmp::Eq, false),
            (Cmp::Ne, true),
            (Cmp::Lt, false),
            (Cmp::Le, false),
            (Cmp::Gt, true),
            (Cmp::Ge, true),
        ] {
            assert_eq!(Formula::cmp(cmp, Var(0), Var(1)).eval(&at(&values)), Some(expected), "{cmp:?}");
        }
    }

    #[test]
    fn quotients_round_down() {
        let floor = |a: i64, b: i64| {
            let of = |make: fn(Term, Term) -> Term| make(a.into(), b.into()).value(&|_| None);
            (of(|a, b| a.div(b)), of(|a, b| a.rem(b)))
        };
        assert_eq!(floor(-7, 2), (Ok(Some(-4)), Ok(Some(1))));
        assert_eq!(floor(7, -2), (Ok(Some(-4)), Ok(Some(-1))));
        assert_eq!(floor(-7, -2), (Ok(Some(3)), Ok(Some(-1))));
        assert_eq!(floor(6, -2), (Ok(Some(-3)), Ok(Some(0))));
        assert_eq!(floor(7, 0), (Err(NoValue), Err(NoValue)));
        assert_eq!(floor(i64::MIN, -1).0, Err(NoValue));
    }

    #[test]
    fn unknown_is_neither() {
        let open = Formula::cmp(Cmp::Lt, Var(0), 3);
        let values = [None, Some(1)];
        assert_eq!(open.eval(&at(&values)), None);
        assert_eq!(open.clone().not().eval(&at(&values)), None);
        let no = Formula::is_in(Var(1), [2]);
        assert_eq!(Formula::And(vec![open.clone(), no.clone()]).eval(&at(&values)), Some(false));
        assert_eq!(Formula::Or(vec![open.clone(), no.clone().not()]).eval(&at(&values)), Some(true));
        assert_eq!(Formula::any([Var(0), Var(1)], [1]).eval(&at(&values)), Some(true));
        assert_eq!(Formula::any([Var(0), Var(1)], [2]).eval(&at(&values)), None);
    }

    #[test]
    fn a_quotient_by_zero_makes_a_comparison_false() {
        let divides = Formula::cmp(Cmp::Eq, Term::from(8).rem(Var(0)), 0);
        assert_eq!(divides.eval(&|_| Some(0)), Some(false));
        assert_eq!(divides.eval(&|_| Some(4)), Some(true));
    }

    #[test]
    fn text_has_the_parentheses_it_needs() {
        let x = || Term::from(Var(0));
        let sum = Formula::cmp(Cmp::Le, x().add(1).mul(x().sub(x().sub(2))), 3);
        assert_eq!(sum.to_string(), "(v0 + 1) * (v0 - (v0 - 2)) <= 3");
        let both = Formula::or([sum.clone(), Formula::and([sum, Formula::is_in(Var(1), [3, 1])])]);
        assert_eq!(
            both.to_string(),
            "(v0 + 1) * (v0 - (v0 - 2)) <= 3 or ((v0 + 1) * (v0 - (v0 - 2)) <= 3 and v1 in {1, 3})"
        );
    }
}
