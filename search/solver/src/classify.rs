//! What constraints join: one variable, one and one around it, a path, sets that paths use, or more.
//!
//! Nothing is declared: the class of a constraint follows from its formula, the tree and the domains. One constraint may have
//! parts of several classes. What speaks of one variable cuts its domain at once, and the rest is looked at again.

use crate::formula::{Formula, Var};
use crate::model::Model;
use crate::uncounted::{MOST_VALUES, Uncounted};
use std::collections::BTreeMap;
use std::sync::Arc;
use terrace_support::HashMap;

/// A set of values: bit n is the n-th value of the variable
pub type Mask = u64;

/// Most groups of paths that must use the same values; constraints of more are joint
pub const MOST_GROUPS: usize = 20;

/// Most atoms of a statement about a path; of these before a variable, those that are looked up in a table
const MOST_ATOMS: usize = 30;
const MOST_SEEN: usize = 12;

/// Some of the variables, all on one path, has one of the values
pub type Use = (Arc<[Var]>, Arc<[i64]>);

/// A statement about a path: groups and uses are its atoms, in this order
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Path {
    /// Groups that it asks for
    pub groups: Vec<usize>,
    /// Uses that it asks for, outer variables first
    pub uses: Vec<Use>,
    /// Over variables that are places of atoms, 1 where they hold
    formula: Formula,
    /// Of few atoms: whether it holds for each choice of them
    table: Option<u64>,
}

impl Path {
    fn new(groups: Vec<usize>, uses: Vec<Use>, formula: Formula) -> Path {
        let atoms = groups.len() + uses.len();
        let mut path = Path { groups, uses, formula, table: None };
        if atoms <= 6 {
            let holds = (0..1usize << atoms).filter(|bits| path.may_hold(*bits, 0));
            path.table = Some(holds.fold(0, |table, bits| table | 1 << bits));
            // What is the same is compared by its table.
            path.formula = Formula::Known(true);
        }
        path
    }

    /// The variables that it speaks of, outer ones first
    pub fn scope(&self) -> Vec<Var> {
        let mut all: Vec<Var> = self.uses.iter().flat_map(|(vars, _)| vars.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether it may hold, with these atoms true, these not known, and the others false
    pub fn may_hold(&self, known: usize, unknown: usize) -> bool {
        match self.table {
            Some(table) => {
                // All subsets of what is not known.
                let mut some = unknown;
                loop {
                    if table >> (known | some) & 1 == 1 {
                        return true;
                    }
                    if some == 0 {
                        return false;
                    }
                    some = (some - 1) & unknown;
                }
            }
            None => {
                let at = |atom: Var| {
                    let bit = 1 << atom.index();
                    if unknown & bit != 0 { None } else { Some(i64::from(known & bit != 0)) }
                };
                self.formula.eval(&at) != Some(false)
            }
        }
    }
}

/// A model taken apart
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Parts {
    /// Values that are left
    pub domains: Vec<Mask>,
    /// For a variable and one below it: of each value of the first, the values that the second may have
    pub pairs: BTreeMap<(Var, Var), Vec<Mask>>,
    /// Statements about paths
    pub paths: Vec<Path>,
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

/// A part of a constraint that is not settled
struct Open {
    id: usize,
    formula: Formula,
    scope: Vec<Var>,
}

/// What is the same for many variables
struct Known<'a> {
    model: &'a Model,
    /// Of each variable, the first one with the same values
    like: Vec<usize>,
    /// The last variable below
    last: Vec<usize>,
    masks: HashMap<(Arc<[i64]>, usize), Mask>,
    /// Of a comparison of one variable, and of a statement about two, with these put in place of them
    single: HashMap<(Formula, usize), Mask>,
    tables: HashMap<(Formula, usize, usize), Vec<Mask>>,
}

impl<'a> Known<'a> {
    fn new(model: &'a Model) -> Known<'a> {
        let mut by_values: HashMap<&[i64], usize> = HashMap::default();
        let like = model.vars.iter().enumerate().map(|(n, var)| *by_values.entry(&var.values).or_insert(n));
        let like = like.collect();
        let mut last: Vec<usize> = (0..model.vars.len()).collect();
        for n in (0..model.vars.len()).rev() {
            if let Some(parent) = model.vars[n].parent {
                last[parent.index()] = last[parent.index()].max(last[n]);
            }
        }
        let (masks, single, tables) = (HashMap::default(), HashMap::default(), HashMap::default());
        Known { model, like, last, masks, single, tables }
    }

    fn mask(&mut self, var: Var, values: &Arc<[i64]>) -> Mask {
        let (model, like) = (self.model, self.like[var.index()]);
        let of = || mask_of(model, Var(like as u32), |value| values.contains(&value));
        *self.masks.entry((values.clone(), like)).or_insert_with(of)
    }

    /// The values for which a statement about one variable holds
    fn single(&mut self, var: Var, atom: &Formula) -> Mask {
        let key = (atom.renamed(&|_| Var(0)), self.like[var.index()]);
        let model = self.model;
        let like = Var(key.1 as u32);
        *self
            .single
            .entry(key)
            .or_insert_with_key(|(atom, _)| mask_of(model, like, |v| atom.eval(&|_| Some(v)) == Some(true)))
    }

    fn table(&mut self, upper: Var, lower: Var, part: &Formula) -> &[Mask] {
        let like = (self.like[upper.index()], self.like[lower.index()]);
        let key = (part.renamed(&|var| Var(u32::from(var != upper))), like.0, like.1);
        let model = self.model;
        self.tables.entry(key).or_insert_with_key(|(part, _, _)| {
            let row = |above: &i64| {
                mask_of(model, Var(like.1 as u32), |below| {
                    part.eval(&|var| Some(if var == Var(0) { *above } else { below })) == Some(true)
                })
            };
            model.vars[like.0].values.iter().map(row).collect()
        })
    }

    /// In pre-order, each below the one before
    fn on_path(&self, scope: &[Var]) -> bool {
        scope.windows(2).all(|pair| pair[1].index() <= self.last[pair[0].index()])
    }
}

impl Parts {
    /// Of a model whose variables have at most 64 values each
    pub fn of(model: &Model) -> Result<Parts, Uncounted> {
        if let Some(var) = model.vars.iter().find(|var| var.values.len() > MOST_VALUES) {
            return Err(Uncounted::Values { name: var.name.clone(), values: var.values.len() });
        }
        let full = |n: usize| if n == 64 { u64::MAX } else { (1u64 << n) - 1 };
        let mut parts = Parts {
            domains: model.vars.iter().map(|var| full(var.values.len())).collect(),
            ..Parts::default()
        };
        let mut known = Known::new(model);
        let mut open: Vec<Open> = Vec::with_capacity(model.constraints.len());
        for each in &model.constraints {
            parts.take(&mut known, each.id, &each.formula, &mut open);
        }
        // What one variable may be decides atoms of others: what speaks of a changed one is looked at again.
        let mut before: Vec<Mask> = model.vars.iter().map(|var| full(var.values.len())).collect();
        while before != parts.domains {
            let changed: Vec<bool> = before.iter().zip(&parts.domains).map(|(a, b)| a != b).collect();
            before.clone_from(&parts.domains);
            for each in std::mem::take(&mut open) {
                match each.scope.iter().any(|var| changed[var.index()]) {
                    true => parts.take(&mut known, each.id, &each.formula, &mut open),
                    false => open.push(each),
                }
            }
        }
        let mut edges: Vec<(usize, (Use, Use))> = Vec::new();
        let mut paths: Vec<(usize, Formula)> = Vec::new();
        let mut on_path: Vec<(Use, Use)> = Vec::new();
        for Open { id, formula, scope } in open {
            if known.on_path(&scope) {
                on_path.extend(implication(&known, &formula));
            }
            match (&scope[..], known.on_path(&scope)) {
                ([upper, lower], true) => {
                    parts.counts[1] += 1;
                    let rows = known.table(*upper, *lower, &formula);
                    let table =
                        parts.pairs.entry((*upper, *lower)).or_insert_with(|| vec![Mask::MAX; rows.len()]);
                    for (old, new) in table.iter_mut().zip(rows) {
                        *old &= new;
                    }
                }
                (_, true) => match atoms_only(model, &formula) {
                    Some(path) => paths.push((id, path)),
                    None => parts.joint.push(id),
                },
                (_, false) => match implication(&known, &formula) {
                    Some(edge) => {
                        parts.counts[3] += 1;
                        edges.push((id, edge));
                    }
                    None => parts.joint.push(id),
                },
            }
        }
        parts.group(&circles(&edges, on_path));
        if parts.groups.len() > MOST_GROUPS {
            // More than can be counted: each is for the caller to ask.
            parts.groups.clear();
            parts.implied.clear();
            parts.joint.extend(edges.iter().map(|(id, _)| *id));
        }
        parts.name_groups(paths);
        parts.joint.sort_unstable();
        parts.joint.dedup();
        parts.counts[4] = parts.joint.len();
        Ok(parts)
    }

    /// Choices of groups in use that no statement about them alone refuses
    pub fn used(&self) -> Vec<u32> {
        let alone: Vec<&Path> = self.paths.iter().filter(|path| path.uses.is_empty()).collect();
        let fits = |used: &u32| {
            let on = |group: usize| used >> group & 1 == 1;
            let atoms = |path: &Path| {
                path.groups.iter().enumerate().fold(0, |all, (n, group)| all | usize::from(on(*group)) << n)
            };
            self.implied.iter().all(|(from, to)| !on(*from) || on(*to))
                && alone.iter().all(|path| path.may_hold(atoms(path), 0))
        };
        (0..1 << self.groups.len()).filter(fits).collect()
    }

    /// The values that are left of a variable
    pub fn values<'m>(&self, model: &'m Model, var: Var) -> impl Iterator<Item = i64> + use<'m> {
        let mask = self.domains[var.index()];
        let values = &model.vars[var.index()].values;
        values.iter().enumerate().filter(move |(n, _)| mask >> n & 1 == 1).map(|(_, value)| *value)
    }

    /// Take a statement apart: what speaks of one variable cuts its domain, the rest stays open
    fn take(&mut self, known: &mut Known<'_>, id: usize, formula: &Formula, open: &mut Vec<Open>) {
        let folded = {
            let shared = std::cell::RefCell::new(&mut *known);
            formula.rewrite(&|atom| self.fold(&mut shared.borrow_mut(), atom))
        };
        for part in conjuncts(folded) {
            let scope = part.scope();
            if self.cut(known, &part, &scope) {
                self.counts[0] += 1;
            } else {
                open.push(Open { id, formula: part, scope });
            }
        }
    }

    /// Decide of an atom what the domains decide
    fn fold(&self, known: &mut Known<'_>, atom: &Formula) -> Option<Formula> {
        match atom {
            Formula::Any(vars, values) => {
                let mut can = 0;
                for var in vars.iter() {
                    let (mask, domain) = (known.mask(*var, values), self.domains[var.index()]);
                    if domain != 0 && domain & !mask == 0 {
                        return Some(Formula::Known(true));
                    }
                    can += usize::from(domain & mask != 0);
                }
                if can == vars.len() {
                    return None;
                }
                let mut some = |var: &Var| self.domains[var.index()] & known.mask(*var, values) != 0;
                let vars: Arc<[Var]> = vars.iter().copied().filter(|var| some(var)).collect();
                Some(if vars.is_empty() { Formula::Known(false) } else { Formula::Any(vars, values.clone()) })
            }
            Formula::Cmp(..) => match atom.scope()[..] {
                [] => Some(Formula::Known(atom.eval(&|_| None) == Some(true))),
                [var] => {
                    let (mask, domain) = (known.single(var, atom), self.domains[var.index()]);
                    let values: Vec<i64> = known.model.vars[var.index()]
                        .values
                        .iter()
                        .enumerate()
                        .filter(|(n, _)| (mask & domain) >> n & 1 == 1)
                        .map(|(_, value)| *value)
                        .collect();
                    Some(if values.is_empty() {
                        Formula::Known(false)
                    } else if domain & !mask == 0 {
                        Formula::Known(true)
                    } else {
                        Formula::Any(Arc::new([var]), values.into())
                    })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Cut domains by what speaks of one variable; `false` if it speaks of more
    fn cut(&mut self, known: &mut Known<'_>, part: &Formula, scope: &[Var]) -> bool {
        match part {
            Formula::Known(holds) => {
                self.never |= !holds;
                return true;
            }
            // None of them has one of the values.
            Formula::Not(inner) => {
                if let Formula::Any(vars, values) = &**inner {
                    for var in vars.iter() {
                        let mask = known.mask(*var, values);
                        self.keep(*var, !mask);
                    }
                    return true;
                }
            }
            _ => {}
        }
        let [var] = *scope else { return false };
        let mask = known.single(var, part);
        self.keep(var, mask);
        true
    }

    fn keep(&mut self, var: Var, mask: Mask) {
        self.domains[var.index()] &= mask;
        self.never |= self.domains[var.index()] == 0;
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

    /// Statements about paths, with groups in place of the uses that are of one
    fn name_groups(&mut self, paths: Vec<(usize, Formula)>) {
        let members = self.groups.iter().enumerate();
        let members = members.flat_map(|(n, all)| all.iter().map(move |each| (each.clone(), n)));
        let by_use: HashMap<Use, usize> = members.collect();
        let mut seen: HashMap<Path, ()> = HashMap::default();
        let mut out = Vec::new();
        for (id, formula) in paths {
            let (mut groups, mut uses): (Vec<usize>, Vec<Use>) = (Vec::new(), Vec::new());
            for each in atoms(&formula) {
                match by_use.get(&each) {
                    Some(group) if !groups.contains(group) => groups.push(*group),
                    None if !uses.contains(&each) => uses.push(each),
                    _ => {}
                }
            }
            groups.sort_unstable();
            if groups.len() + uses.len() > MOST_ATOMS || uses.len() > 2 * MOST_SEEN {
                self.joint.push(id);
                continue;
            }
            let place = |each: &Use| match by_use.get(each) {
                Some(group) => groups.binary_search(group).unwrap_or(0),
                None => groups.len() + uses.iter().position(|other| other == each).unwrap_or(0),
            };
            let formula = formula.rewrite(&|atom| {
                let Formula::Any(vars, values) = atom else { return None };
                let atom = Var(place(&(vars.clone(), values.clone())) as u32);
                Some(Formula::Any(Arc::new([atom]), Arc::new([1])))
            });
            self.counts[2] += 1;
            let path = Path::new(groups, uses, formula);
            if seen.insert(path.clone(), ()).is_none() {
                out.push(path);
            }
        }
        // A group is in use if and only if each of its members is.
        for (group, members) in self.groups.iter().enumerate() {
            for member in members {
                let atom = |n: u32| Formula::Any(Arc::new([Var(n)]), Arc::new([1]));
                let same = Formula::And(vec![atom(0).implies(atom(1)), atom(1).implies(atom(0))]);
                out.push(Path::new(vec![group], vec![member.clone()], same));
            }
        }
        self.paths = out;
    }
}

/// Edges between uses, with those that close circles: statements about one path, and uses of some variables, which are uses of more
///
/// Of three chains that must use the same, two may have the same variables left, or one some of the other's.
fn circles(edges: &[(usize, (Use, Use))], on_path: Vec<(Use, Use)>) -> Vec<(Use, Use)> {
    let mut nodes: Vec<&Use> = edges.iter().flat_map(|(_, (a, b))| [a, b]).collect();
    nodes.sort();
    nodes.dedup();
    let mut all: Vec<(Use, Use)> = edges.iter().map(|(_, edge)| edge.clone()).collect();
    all.extend(
        on_path
            .into_iter()
            .filter(|(a, b)| nodes.binary_search(&a).is_ok() && nodes.binary_search(&b).is_ok()),
    );
    for a in nodes.iter().copied() {
        let more = |b: &&&Use| a != **b && a.1 == b.1 && a.0.iter().all(|var| b.0.contains(var));
        all.extend(nodes.iter().filter(more).map(|b| (a.clone(), (*b).clone())));
    }
    all
}

/// Uses that a formula speaks of
fn atoms(formula: &Formula) -> Vec<Use> {
    let (mut out, mut pending) = (Vec::new(), vec![formula]);
    while let Some(each) = pending.pop() {
        match each {
            Formula::Any(vars, values) => out.push((vars.clone(), values.clone())),
            Formula::And(all) | Formula::Or(all) => pending.extend(all.iter().rev()),
            Formula::Not(inner) => pending.push(inner),
            Formula::Known(_) | Formula::Cmp(..) => {}
        }
    }
    out
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

/// `not any(A) or any(B)`, of two paths
fn implication(known: &Known<'_>, part: &Formula) -> Option<(Use, Use)> {
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
    (known.on_path(&from.0) && known.on_path(&to.0)).then_some((from, to))
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
    fn chains_with_fewer_variables_left_close_the_circle() {
        // a{b, c{d, e}}: all three chains use 1, or none; e cannot.
        let mut model = Model::default();
        let a = model.var("a", 0..3, None);
        let b = model.var("b", 0..3, Some(a));
        let c = model.var("c", 0..3, Some(a));
        let d = model.var("d", 0..3, Some(c));
        let e = model.var("e", 0..3, Some(c));
        let chains = [vec![a, b], vec![a, c, d], vec![a, c, e]];
        for n in 0..3 {
            let used = |n: usize| Formula::any(chains[n].iter().copied(), [1]);
            model.require(used(n).implies(used((n + 1) % 3)));
        }
        model.require(Formula::is_in(e, [1]).not());
        let parts = Parts::of(&model).expect("few values");
        assert_eq!((parts.groups.len(), parts.joint.len()), (1, 0));
        let space = crate::Space::new(&model).expect("no joint constraints");
        let mut wanted = 0;
        for values in (0..243).map(|n| [n % 3, n / 3 % 3, n / 9 % 3, n / 27 % 3, n / 81]) {
            wanted += u32::from(model.holds(&values));
        }
        assert_eq!(*space.count(), wanted.into());
    }

    #[test]
    fn what_can_never_hold_is_said() {
        let (mut model, [a, ..]) = tree();
        model.require(Formula::cmp(Cmp::Gt, a, 3));
        assert!(Parts::of(&model).expect("few values").never);
        // Nor do its branches add up to anything.
        let space = crate::Space::new(&model).expect("no joint constraints");
        assert_eq!(space.count().bits(), 0);
        let again = space.adding_up(&Nothing).expect("few sums");
        assert_eq!(again.count().bits(), 0);
        assert!(again.nth(&0u32.into()).is_none() && again.solutions().next().is_none());
    }

    /// Nothing is added up, and nothing refused
    struct Nothing;

    impl crate::sums::Sums for Nothing {
        type Sum = ();

        fn none(&self) {}

        fn of(&self, _var: usize, _value: i64, _below: &(), _marks: u64) -> Option<()> {
            Some(())
        }

        fn both(&self, _a: &(), _b: &()) -> Option<()> {
            Some(())
        }
    }
}
