//! Which names are read behind a place before they are set anew.
//!
//! Only what surely sets a name in front of all reads ends its life: a declaration, a plain assignment, the head of a loop.
//! Elements of arrays are never set as a whole.

use crate::ast::{Expr, ExprKind, For, Stmt, StmtKind};
use std::collections::BTreeSet;

/// Names read behind: by statements that follow, and by what comes after them
pub fn behind(rest: &[Stmt], after: &BTreeSet<String>) -> BTreeSet<String> {
    let mut found = Found::default();
    found.stmts(rest);
    let left = after.iter().filter(|name| !found.set.contains(*name)).cloned();
    left.chain(found.read).collect()
}

/// Names read behind the end of a loop's body: by the next turn, and behind the loop
pub fn around(one: &For, after: &BTreeSet<String>) -> BTreeSet<String> {
    let mut found = Found::default();
    for e in one.step.iter().chain(&one.test) {
        found.expr(e);
    }
    found.stmts(&one.body);
    after.iter().cloned().chain(found.read).collect()
}

/// The same of a loop without a trip count
pub fn around_while(one: &crate::ast::While, after: &BTreeSet<String>) -> BTreeSet<String> {
    let mut found = Found::default();
    one.test.iter().for_each(|e| found.expr(e));
    found.stmts(&one.body);
    found.stmts(&one.step);
    after.iter().cloned().chain(found.read).collect()
}

#[derive(Default)]
struct Found {
    /// Read before it was set
    read: BTreeSet<String>,
    /// Surely set
    set: BTreeSet<String>,
}

impl Found {
    fn use_of(&mut self, name: &str) {
        if !self.set.contains(name) {
            self.read.insert(name.to_string());
        }
    }

    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Assign(None, target, value) = &e.kind
            && let ExprKind::Name(name) = &target.kind
        {
            self.expr(value);
            self.set.insert(name.clone());
            return;
        }
        let mut names = Vec::new();
        e.walk(&mut |inner| {
            if let ExprKind::Name(name) = &inner.kind {
                names.push(name.clone());
            }
        });
        for name in names {
            self.use_of(&name);
        }
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        crate::with_room(|| {
            for stmt in stmts {
                self.stmt(stmt);
            }
        });
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) => self.expr(e),
            StmtKind::Return(None) => {}
            StmtKind::Decl(objects) => {
                for object in objects {
                    object.init.iter().for_each(|e| self.expr(e));
                    self.set.insert(object.name.clone());
                }
            }
            StmtKind::While(one) => {
                let set = self.set.clone();
                one.test.iter().filter(|_| !one.first).for_each(|e| self.expr(e));
                self.stmts(&one.body);
                self.stmts(&one.step);
                one.test.iter().for_each(|e| self.expr(e));
                self.set = set;
            }
            StmtKind::Break | StmtKind::Continue => {}
            StmtKind::Block(all) => {
                let set = self.set.clone();
                self.stmts(all);
                self.leave(all, &set);
            }
            // What happens under a condition, or perhaps never, sets nothing for sure.
            StmtKind::If(test, yes, no) => {
                self.expr(test);
                let set = self.set.clone();
                self.stmts(yes);
                self.set.clone_from(&set);
                self.stmts(no);
                self.set = set;
            }
            StmtKind::For(one) => {
                let set = self.set.clone();
                if let Some(init) = &one.init {
                    self.stmt(init);
                }
                one.test.iter().for_each(|e| self.expr(e));
                let inside = self.set.clone();
                self.stmts(&one.body);
                one.step.iter().for_each(|e| self.expr(e));
                self.set = inside;
                if let Some(init) = &one.init {
                    self.leave(std::slice::from_ref(init), &set);
                }
            }
        }
    }

    /// What is declared inside is another variable of that name
    fn leave(&mut self, stmts: &[Stmt], before: &BTreeSet<String>) {
        for stmt in stmts {
            let StmtKind::Decl(objects) = &stmt.kind else { continue };
            for object in objects.iter().filter(|object| !before.contains(&object.name)) {
                self.set.remove(&object.name);
            }
        }
    }
}
