//! Pairs of arrays that must not overlap for the code to mean what its author wrote.

use crate::access::{Base, Look};
use crate::ast::{For, Stmt, StmtKind};
use crate::bindings::{Array, Bindings};
use std::collections::BTreeSet;

/// What is known and required about arrays that share memory
#[derive(Default)]
pub struct Overlaps {
    /// Groups of arrays that the author declares disjoint
    pub disjoint: Vec<Vec<String>>,
    /// Pairs of arrays that the code requires to be disjoint
    pub pairs: Vec<(usize, usize)>,
}

impl Overlaps {
    /// Statements that were put in another order mean the same only if arrays that they use do not overlap
    pub fn in_loop(&mut self, names: &Bindings<'_>, one: &For) {
        let mut look = Look::new(names, BTreeSet::new());
        look.stmts(std::slice::from_ref(&Stmt {
            span: one.head,
            kind: StmtKind::For(Box::new(one.clone())),
        }));
        let (mut written, mut all) = (Vec::new(), Vec::new());
        for access in &look.found {
            if let Base::Array(n) = access.base {
                all.push(n);
                if access.write {
                    written.push(n);
                }
            }
        }
        self.between(names, &written, &all);
    }

    /// Pairs of arrays that must not overlap, if the author does not say that they don't
    pub fn between(&mut self, names: &Bindings<'_>, written: &[usize], all: &[usize]) {
        let free = |array: &Array| array.param && !array.restrict;
        let both = |a: &Array, b: &Array| a.global && b.global;
        for written in written {
            for other in all {
                let pair = (*written.min(other), *written.max(other));
                let [a, b] = [&names.arrays[*written], &names.arrays[*other]];
                let named =
                    self.disjoint.iter().any(|group| group.contains(&a.name) && group.contains(&b.name));
                if written != other
                    && free(a)
                    && free(b)
                    && !both(a, b)
                    && !named
                    && !self.pairs.contains(&pair)
                {
                    self.pairs.push(pair);
                }
            }
        }
    }
}
