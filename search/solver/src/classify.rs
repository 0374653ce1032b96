//! What constraints join: one variable, one and one around it, a path, sets that paths use, or more.
//!
//! Nothing is declared: the class of a constraint follows from its formula, the tree and the domains. One constraint may have
//! parts of several classes. What speaks of one variable cuts its domain at once, and the rest is looked at again.

use crate::formula::{Formula, Var};
use crate::model::Model;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A set of values: bit n is the n-th value of the variable
pub type Mask = u64;

/// Most values of a variable of a tree
pub const MOST_VALUES: usize = 64;

/// Some of the variables, all on one path, has one of the values
pub type Use = (Arc<[Var]>, Arc<[i64]>);

/// A model taken apart
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Parts {
    /// Values that are left
    pub domains: Vec<Mask>,
    /// For a variable and one below it: of each value of the first, the values that the second may have
    pub pairs: BTreeMap<(Var, Var), Vec<Mask>>,
    /// Statements about paths; their atoms are all `Any`
    pub paths: Vec<Formula>,
    /// Uses that are true or false together
    pub groups: Vec<Vec<Use>>,
    /// If the first group is true, so is the second
    pub implied: Vec<(usize, usize)>,
    /// Numbers of the constraints that join more than that
    pub joint: Vec<usize>,
    /// How many constraints there are of each class: one variable, pair, path, sets, joint
    pub counts: [usize; 5],
    /// A constraint is false whatever the values
    pub never: bool,
}

impl Parts {
    /// Of a model whose variables have at most 64 values each
    pub fn of(model: &Model) -> Result<Parts, String> {
        if let Some(var) = model.vars.iter().find(|var| var.values.len() > MOST_VALUES) {
            return Err(format!(
                "{} has {} values, and at most {MOST_VALUES} can be counted",
                var.name,
                var.values.len()
            ));
        }
        let full = |n: usize| if n == 64 { u64::MAX } else { (1u64 << n) - 1 };
        let mut parts = Parts {
            domains: model.vars.iter().map(|var| full(var.values.len())).collect(),
            ..Parts::default()
        };
        let mut open: Vec<(usize, Formula)> =
            model.constraints.iter().map(|each| (each.id, each.formula.clone())).collect();
        // What one variable may be decides atoms of others.
        loop {
            let before = (parts.domains.clone(), open.len());
            let mut next = Vec::new();
            for (id, formula) in open {
                for part in conjuncts(parts.fold(model, &formula)) {
                    match parts.cut(model, &part) {
                        true => parts.counts[0] += 1,
                        false => next.push((id, part)),
                    }
                }
            }
            open = next;
            if before == (parts.domains.clone(), open.len()) {
                break;
            }
        }
        let mut edges: Vec<(Use, Use)> = Vec::new();
        for (id, part) in open {
            let scope = part.scope();
            let deepest = scope.iter().copied().max_by_key(|var| model.around(Some(*var)).count());
            let on_path = deepest.is_some_and(|deepest| {
                let path: Vec<Var> = model.around(Some(deepest)).collect();
                scope.iter().all(|var| path.contains(var))
            });
            match (&scope[..], on_path) {
                ([a, b], true) => {
                    let (upper, lower) = if Some(*b) == deepest { (*a, *b) } else { (*b, *a) };
                    parts.counts[1] += 1;
                    parts.pair(model, upper, lower, &part);
                }
                (_, true) => match atoms_only(model, &part) {
                    Some(path) => {
                        parts.counts[2] += 1;
                        parts.paths.push(path);
                    }
                    None => parts.joint.push(id),
                },
                (_, false) => match implication(model, &part) {
                    Some(edge) => {
                        parts.counts[3] += 1;
                        edges.push(edge);
                    }
                    None => parts.joint.push(id),
                },
            }
        }
        parts.joint.sort_unstable();
        parts.joint.dedup();
        parts.counts[4] = parts.joint.len();
        parts.group(&edges);
        Ok(parts)
    }

    /// The values that are left of a variable
    pub fn values<'m>(&self, model: &'m Model, var: Var) -> impl Iterator<Item = i64> + use<'m> {
        let mask = self.domains[var.index()];
        let values = &model.vars[var.index()].values;
        values.iter().enumerate().filter(move |(n, _)| mask >> n & 1 == 1).map(|(_, value)| *value)
    }

    /// Decide what the domains decide
    fn fold(&mut self, model: &Model, formula: &Formula) -> Formula {
        formula.rewrite(&|atom| {
            let (vars, values) = match atom {
                Formula::Any(vars, values) => (vars.to_vec(), values.to_vec()),
                Formula::Cmp(..) => match atom.scope()[..] {
                    [] => return Some(Formula::Known(atom.eval(&|_| None) == Some(true))),
                    [var] => {
                        let holds = |value: &i64| atom.eval(&|_| Some(*value)) == Some(true);
                        (vec![var], self.values(model, var).filter(holds).collect())
                    }
                    _ => return None,
                },
                _ => return None,
            };
            let mut can = Vec::new();
            for var in vars {
                let (mut some, mut all) = (false, true);
                for value in self.values(model, var) {
                    match values.contains(&value) {
                        true => some = true,
                        false => all = false,
                    }
                }
                if some && all {
                    return Some(Formula::Known(true));
                }
                if some {
                    can.push(var);
                }
            }
            Some(Formula::any(can, values))
        })
    }

    /// Cut domains by what speaks of one variable; `false` if it speaks of more
    fn cut(&mut self, model: &Model, part: &Formula) -> bool {
        match part {
            Formula::Known(known) => {
                self.never |= !known;
                return true;
            }
            // None of them has one of the values.
            Formula::Not(inner) => {
                if let Formula::Any(vars, values) = &**inner {
                    for var in vars.iter() {
                        self.keep(model, *var, |value| !values.contains(&value));
                    }
                    return true;
                }
            }
            _ => {}
        }
        let [var] = part.scope()[..] else { return false };
        self.keep(model, var, |value| part.eval(&|_| Some(value)) == Some(true));
        true
    }

    fn keep(&mut self, model: &Model, var: Var, holds: impl Fn(i64) -> bool) {
        let mask = mask_of(model, var, holds);
        self.domains[var.index()] &= mask;
        self.never |= self.domains[var.index()] == 0;
    }

    fn pair(&mut self, model: &Model, upper: Var, lower: Var, part: &Formula) {
        let uppers = &model.vars[upper.index()].values;
        let rows = uppers.iter().map(|above| {
            mask_of(model, lower, |below| {
                part.eval(&|var| Some(if var == upper { *above } else { below })) == Some(true)
            })
        });
        let rows: Vec<Mask> = rows.collect();
        let table = self.pairs.entry((upper, lower)).or_insert_with(|| vec![Mask::MAX; rows.len()]);
        for (old, new) in table.iter_mut().zip(rows) {
            *old &= new;
        }
    }

    /// Uses that imply each other in a circle are one group
    fn group(&mut self, edges: &[(Use, Use)]) {
        let mut nodes: Vec<Use> = edges.iter().flat_map(|(a, b)| [a.clone(), b.clone()]).collect();
        nodes.sort();
        nodes.dedup();
        let place = |each: &Use| nodes.binary_search(each).unwrap_or(0);
        let mut next = vec![Vec::new(); nodes.len()];
        for (a, b) in edges {
            next[place(a)].push(place(b));
        }
        let reach: Vec<Vec<bool>> = (0..nodes.len())
            .map(|from| {
                let mut seen = vec![false; nodes.len()];
                let mut pending = vec![from];
                while let Some(at) = pending.pop() {
                    if !std::mem::replace(&mut seen[at], true) {
                        pending.extend(&next[at]);
                    }
                }
                seen
            })
            .collect();
        let mut group = vec![usize::MAX; nodes.len()];
        for n in 0..nodes.len() {
            if group[n] != usize::MAX {
                continue;
            }
            for m in n..nodes.len() {
                if reach[n][m] && reach[m][n] {
                    group[m] = self.groups.len();
                }
            }
            let members = (n..nodes.len()).filter(|m| group[*m] == self.groups.len());
            self.groups.push(members.map(|m| nodes[m].clone()).collect());
        }
        for (a, b) in edges {
            let edge = (group[place(a)], group[place(b)]);
            if edge.0 != edge.1 && !self.implied.contains(&edge) {
                self.implied.push(edge);
            }
        }
    }
}

/// The values of a variable for which something holds
pub fn mask_of(model: &Model, var: Var, holds: impl Fn(i64) -> bool) -> Mask {
    let values = model.vars[var.index()].values.iter().enumerate();
    values.filter(|(_, value)| holds(**value)).fold(0, |mask, (n, _)| mask | 1 << n)
}

fn conjuncts(formula: Formula) -> Vec<Formula> {
    match formula {
        Formula::And(all) => all,
        Formula::Not(inner) => match *inner {
            Formula::Or(all) => all.into_iter().flat_map(|each| conjuncts(each.not())).collect(),
            other => vec![other.not()],
        },
        other => vec![other],
    }
}

/// With comparisons of two variables written out
fn atoms_only(model: &Model, formula: &Formula) -> Option<Formula> {
    let fits = std::cell::Cell::new(true);
    let out = formula.rewrite(&|atom| match atom {
        Formula::Cmp(..) => {
            let [a, b] = atom.scope()[..] else {
                fits.set(false);
                return None;
            };
            let cases = model.vars[a.index()].values.iter().map(|left| {
                let rights = model.vars[b.index()].values.iter().copied();
                let at = |right: i64| move |var| Some(if var == a { *left } else { right });
                let right = rights.filter(|right| atom.eval(&at(*right)) == Some(true));
                Formula::and([Formula::is_in(a, [*left]), Formula::is_in(b, right)])
            });
            Some(Formula::or(cases))
        }
        _ => None,
    });
    fits.get().then_some(out)
}

fn on_one_path(model: &Model, vars: &[Var]) -> bool {
    let deepest = vars.iter().copied().max_by_key(|var| model.around(Some(*var)).count());
    let path: Vec<Var> = model.around(deepest).collect();
    vars.iter().all(|var| path.contains(var))
}

/// `not any(A) or any(B)`, of two paths
fn implication(model: &Model, part: &Formula) -> Option<(Use, Use)> {
    let Formula::Or(both) = part else { return None };
    let (mut from, mut to) = (None, None);
    for each in both {
        match each {
            Formula::Any(vars, values) if to.is_none() => to = Some((vars.clone(), values.clone())),
            Formula::Not(inner) if from.is_none() => match &**inner {
                Formula::Any(vars, values) => from = Some((vars.clone(), values.clone())),
                _ => return None,
            },
            _ => return None,
        }
    }
    let (from, to) = (from?, to?);
    (on_one_path(model, &from.0) && on_one_path(model, &to.0)).then_some((from, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Cmp;

    /// a{b, c}
    fn tree() -> (Model, [Var; 3]) {
        let mut model = Model::default();
        let a = model.var("a", 0..4, None);
        let b = model.var("b", 0..4, Some(a));
        let c = model.var("c", 0..4, Some(a));
        (model, [a, b, c])
    }

    #[test]
    fn classes_follow_from_the_tree() {
        let (mut model, [a, b, c]) = tree();
        model.require(Formula::cmp(Cmp::Le, Term::from(a).div(2), 0));
        model.require(Formula::cmp(Cmp::Ne, a, b));
        model.require(Formula::any([a, b], [1]).implies(Formula::any([a, c], [1])));
        model.require(Formula::any([a, c], [1]).implies(Formula::any([a, b], [1])));
        model.require(Formula::cmp(Cmp::Ne, b, c));
        let parts = Parts::of(&model).expect("few values");
        assert_eq!(parts.domains, [0b11, 0b1111, 0b1111]);
        assert_eq!(parts.pairs[&(a, b)][..2], [0b1110, 0b1101]);
        assert_eq!(parts.groups.len(), 1);
        assert_eq!(parts.joint, [4]);
        assert_eq!(parts.counts, [1, 1, 0, 2, 1]);
    }

    use crate::formula::Term;

    #[test]
    fn domains_decide_atoms_of_others() {
        let (mut model, [a, b, c]) = tree();
        model.require(Formula::any([a, b], [1]).implies(Formula::any([a, c], [1])));
        model.require(Formula::any([a, c], [1]).not());
        let parts = Parts::of(&model).expect("few values");
        assert_eq!(parts.domains, [0b1101; 3]);
        assert!(parts.groups.is_empty() && parts.joint.is_empty());
    }

    #[test]
    fn what_can_never_hold_is_said() {
        let (mut model, [a, ..]) = tree();
        model.require(Formula::cmp(Cmp::Gt, a, 3));
        assert!(Parts::of(&model).expect("few values").never);
    }
}
