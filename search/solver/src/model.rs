//! A model: variables with finitely many values, a tree of some of them, and constraints.
//!
//! Variables of the tree stand in pre-order: each after the one around it. Values are sorted, so that a set of them is a mask
//! or an index. A constraint is a formula with a number that its owner knows.

use crate::formula::{Formula, Var};

/// A variable
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// For texts
    pub name: String,
    /// Values in ascending order
    pub values: Vec<i64>,
    /// The variable around it, of those in the tree
    pub parent: Option<Var>,
}

/// What has to hold
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// Who made it: a place in a list of the owner's
    pub id: usize,
    /// The statement
    pub formula: Formula,
}

/// Variables and constraints
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    /// Variables
    pub vars: Vec<Variable>,
    /// Constraints
    pub constraints: Vec<Constraint>,
}

/// A value for each variable
pub type Assignment = Vec<i64>;

impl Model {
    /// A variable; parents come before
    pub fn var(&mut self, name: &str, values: impl IntoIterator<Item = i64>, parent: Option<Var>) -> Var {
        let mut values: Vec<i64> = values.into_iter().collect();
        values.sort_unstable();
        values.dedup();
        self.vars.push(Variable { name: name.into(), values, parent });
        Var(self.vars.len() as u32 - 1)
    }

    /// A constraint that gets its place as number
    pub fn require(&mut self, formula: Formula) {
        let id = self.constraints.len();
        self.constraints.push(Constraint { id, formula });
    }

    /// All variables
    pub fn all(&self) -> impl Iterator<Item = Var> + use<> {
        (0..self.vars.len() as u32).map(Var)
    }

    /// A variable and those around it, inner ones first
    pub fn around(&self, var: Option<Var>) -> impl Iterator<Item = Var> + '_ {
        std::iter::successors(var, |var| self.vars[var.index()].parent)
    }

    /// Those around a variable, inner ones first
    pub fn outside(&self, var: Var) -> impl Iterator<Item = Var> + '_ {
        self.around(self.vars[var.index()].parent)
    }

    /// Chains from an outermost variable to an innermost one, in order of text
    pub fn chains(&self) -> Vec<Vec<Var>> {
        let mut leaf = vec![true; self.vars.len()];
        for parent in self.vars.iter().filter_map(|var| var.parent) {
            leaf[parent.index()] = false;
        }
        self.all()
            .filter(|var| leaf[var.index()])
            .map(|var| {
                let mut chain: Vec<Var> = self.around(Some(var)).collect();
                chain.reverse();
                chain
            })
            .collect()
    }

    /// The constraints that the values violate
    pub fn violated(&self, values: &[i64]) -> Vec<usize> {
        let at = |var: Var| values.get(var.index()).copied();
        let wrong = |each: &&Constraint| each.formula.eval(&at) != Some(true);
        self.constraints.iter().filter(wrong).map(|each| each.id).collect()
    }

    /// Are all constraints true of the values, and the values in the domains?
    pub fn holds(&self, values: &[i64]) -> bool {
        values.len() == self.vars.len()
            && values.iter().zip(&self.vars).all(|(value, var)| var.values.binary_search(value).is_ok())
            && self.violated(values).is_empty()
    }

    /// The model with only these constraints, by number
    pub fn only(&self, ids: &[usize]) -> Model {
        let keep = |each: &&Constraint| ids.contains(&each.id);
        Model {
            vars: self.vars.clone(),
            constraints: self.constraints.iter().filter(keep).cloned().collect(),
        }
    }

    /// The model with some variables fixed: their values are put into the formulas
    pub fn with(&self, fixed: &dyn Fn(Var) -> Option<i64>) -> Model {
        let mut model = self.clone();
        for (n, var) in model.vars.iter_mut().enumerate() {
            if let Some(value) = fixed(Var(n as u32)) {
                var.values.retain(|other| *other == value);
            }
        }
        model
    }

    /// Number of assignments, valid or not, as a float
    pub fn size(&self) -> f64 {
        self.vars.iter().map(|var| var.values.len() as f64).product()
    }
}
