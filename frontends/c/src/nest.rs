//! Loop nests: heads, perfect nesting, and what stands between loops.

use crate::ast::{Directive, Elem, Expr, ExprKind, For, Stmt, StmtKind};
use crate::bindings::{Bindings, Cell, Iv, Slot};
use crate::codes;
use crate::computation::{Body, Bound, Start};
use crate::forwarding::all_kept;
use crate::heads::Head;
use crate::lowering::Lowering;
use crate::refusal::{Done, refuse};
use terrace_diag::Diagnostic;

impl Bindings<'_> {
    /// Names in clauses are arrays or numbers in memory
    fn arrays_named(&self, directive: &Directive) -> Done<()> {
        let arrays = directive.disjoint.iter().chain(&directive.gather);
        for (name, span) in arrays {
            if !matches!(self.lookup(name), Some(Slot::Array(_))) {
                return refuse(&codes::NAME, *span, format!("C-NAME: {name} in a clause is no array"));
            }
        }
        for (name, span) in &directive.inout {
            if !matches!(self.lookup(name), Some(Slot::Array(_) | Slot::Cell(_))) {
                return refuse(&codes::NAME, *span, format!("C-NAME: {name} in `inout` is no output"));
            }
        }
        Ok(())
    }

    fn imperfect(&self, stmt: &Stmt, head: &Head<'_>, next: &For) -> Diagnostic {
        let inner = self.head(next).map_or("the inner loop", |head| head.name).to_string();
        let what = match &stmt.kind {
            StmtKind::For(_) => "this loop stands beside another one".to_string(),
            _ => format!("this statement stands between loops {} and {inner}", head.name),
        };
        let span = match &stmt.kind {
            StmtKind::For(one) => one.head,
            _ => stmt.span,
        };
        Diagnostic::error(&codes::NEST, format!("C-NEST: not perfect: {what}"))
            .at(span)
            .help("put it into the innermost loop, or into a nest of its own")
    }
}

impl Lowering<'_> {
    /// A constant range, or why there is none
    fn range_of_head(&self, head: &Head<'_>, outer: &[Iv]) -> Done<(i64, i64, i64)> {
        if let Some(range) = self.names.turns(head) {
            return Ok(range);
        }
        let e = if self.names.constant(head.start).is_none() { head.start } else { head.test.0 };
        // What is loaded or computed says more than what its place depends on.
        let mut found = (0, "is not known here".to_string());
        e.walk(&mut |inner| {
            let (rank, why) = match &inner.kind {
                ExprKind::Index(..) | ExprKind::Deref(_) => (4, "is loaded from memory".to_string()),
                ExprKind::Call(name, _) => (3, format!("is computed by {name}")),
                ExprKind::Name(name) if outer.iter().any(|iv| iv.name == *name) => {
                    (2, format!("depends on {name}, and not as a sum"))
                }
                ExprKind::Name(name) if self.nest.around.contains(name) => {
                    let why = "whose turns stay in order around it: sizes of computations are numbers";
                    (2, format!("depends on {name}, {why}"))
                }
                ExprKind::Name(name) if matches!(self.names.lookup(name), Some(Slot::Cell(_))) => {
                    (1, format!("is the variable {name}, which changes"))
                }
                _ => return,
            };
            if rank > found.0 {
                found = (rank, why);
            }
        });
        let why = found.1;
        let message = format!("C-BOUND: the bound of {} {why}", head.name);
        let diagnostic = Diagnostic::error(&codes::BOUND, message).at(e.span);
        Err(Box::new(match why.starts_with("is not known") {
            true => self.names.set_help(diagnostic, e),
            false => diagnostic,
        }))
    }

    /// Take the nest as a computation; nothing has changed if that is refused
    ///
    /// Variables of loops around it are numbers like others: they do not change while it runs.
    pub fn computation(&mut self, one: &For) -> Done<()> {
        let before = self.names.scopes.clone();
        let (last, arrays) = (self.emit.ir.last_op(self.emit.block), self.names.arrays.len());
        let parts = self.on_parts(one)?;
        let one = parts.as_ref().unwrap_or(one);
        let around = std::mem::take(&mut self.names.ivs);
        let hidden = self.hide(&around);
        self.nest.around = around.iter().map(|iv| iv.name.clone()).collect();
        let result = self.attempt(one);
        match result {
            Ok(()) => {
                self.names.scopes.truncate(before.len());
                for (scope, at, slot) in hidden {
                    self.names.scopes[scope][at].1 = slot;
                }
            }
            Err(_) => {
                self.names.scopes = before;
                self.forget_parts(last, arrays);
            }
        }
        self.names.ivs = around;
        self.nest.around.clear();
        self.body = None;
        result
    }

    /// Loop variables, and sums of them, become values; gives back what stood there
    fn hide(&mut self, around: &[Iv]) -> Vec<(usize, usize, Slot)> {
        let mut hidden = Vec::new();
        for (n, scope) in self.names.scopes.iter_mut().enumerate() {
            for (at, (_, slot)) in scope.iter_mut().enumerate() {
                let new = match &*slot {
                    Slot::Iv(iv) => {
                        let iv = &around[*iv];
                        Slot::Temp { value: iv.value.clone(), affine: None, elem: iv.elem }
                    }
                    Slot::Temp { value, affine: Some(e), elem } if e.as_constant().is_none() => {
                        Slot::Temp { value: value.clone(), affine: None, elem: *elem }
                    }
                    _ => continue,
                };
                hidden.push((n, at, std::mem::replace(slot, new)));
            }
        }
        hidden
    }

    fn attempt(&mut self, outermost: &For) -> Done<()> {
        let directive = outermost.directive.as_ref();
        let wanted = directive.map_or(0, |directive| directive.combs.len());
        let mut starts: Vec<Start> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        let mut cuts: Vec<Bound> = Vec::new();
        self.nest.cut.clear();
        let gather = directive.map_or(&[][..], |directive| &directive.gather);
        self.nest.gather = gather.iter().map(|(name, _)| name.clone()).collect();
        if let Some(directive) = directive {
            self.names.arrays_named(directive)?;
        }
        self.names.scopes.push(Vec::new());
        for (name, value, span) in directive.map_or(&[][..], |directive| &directive.assume) {
            match self.names.lookup(name) {
                Some(Slot::Cell(Cell { elem, .. }) | Slot::Temp { elem, .. })
                    if matches!(elem, Elem::Int { .. }) =>
                {
                    let slot = Slot::Number(*value, *elem);
                    self.names.declare(name, slot);
                }
                _ => {
                    return refuse(
                        &codes::NAME,
                        *span,
                        format!("C-NAME: {name} is no integer parameter or variable"),
                    );
                }
            }
        }
        let mut at = outermost;
        let stmts = loop {
            let head = self.names.head(at)?;
            let range = match self.names.turns(&head).is_none().then(|| self.names.cut(&head)).flatten() {
                Some((range, bound)) => {
                    self.nest.cut.push((self.names.ivs.len(), head.span));
                    cuts.push(bound);
                    range
                }
                None => self.range_of_head(&head, &self.names.ivs)?,
            };
            let elem = match (head.elem, self.names.lookup(head.name)) {
                (Some(elem), _) => elem,
                (None, Some(Slot::Cell(cell))) => cell.elem,
                (None, Some(Slot::Temp { elem, .. })) => *elem,
                (None, _) => {
                    return refuse(&codes::NAME, head.span, format!("C-NAME: {} is not declared", head.name));
                }
            };
            if names.iter().any(|name| name == head.name) {
                return refuse(
                    &codes::IV,
                    head.span,
                    format!("C-IV: {} is the variable of two loops", head.name),
                );
            }
            if head.elem.is_none() && self.enclosing.live.contains(head.name) {
                return refuse(&codes::IV, head.span, format!("C-IV: {} is used behind the loop", head.name));
            }
            names.push(head.name.to_string());
            let n = self.names.ivs.len();
            let name = head.name.to_string();
            self.names.ivs.push(Iv {
                name: name.clone(),
                elem,
                range: Some(range),
                value: None,
                index: None,
                span: head.span,
            });
            self.names.declare(&name, Slot::Iv(n));
            let mut inside: &[Stmt] = &at.body;
            while let [Stmt { kind: StmtKind::Block(all), .. }] = inside {
                inside = all;
            }
            let loops: Vec<usize> =
                (0..inside.len()).filter(|n| matches!(inside[*n].kind, StmtKind::For(_))).collect();
            let Some(position) = loops.first().copied() else { break inside };
            let StmtKind::For(next) = &inside[position].kind else { break inside };
            if let Some(other) = &next.directive {
                let message = match directive {
                    Some(_) => "C-PRAGMA: a directive inside of a nest that has one",
                    None => "C-PRAGMA: the directive of an inner nest leaves this loop outside",
                };
                return refuse(&codes::PRAGMA, other.span, message);
            }
            for (n, stmt) in inside.iter().enumerate().filter(|(n, _)| *n != position) {
                let start = match &stmt.kind {
                    StmtKind::Expr(Expr { kind: ExprKind::Assign(None, target, value), .. })
                        if n < position =>
                    {
                        Some((target, value))
                    }
                    _ => None,
                };
                match start.filter(|(target, _)| self.names.is_memory(target)) {
                    Some((target, value)) => {
                        let (target, value) = ((**target).clone(), (**value).clone());
                        starts.push(Start { target, value, depth: self.names.ivs.len() });
                    }
                    None => return Err(Box::new(self.names.imperfect(stmt, &head, next))),
                }
            }
            at = next;
        };
        if directive.is_some() && wanted > 0 && wanted != self.names.ivs.len() {
            let message = format!("C-ARITY: {} loops, {wanted} operators", self.names.ivs.len());
            let span = directive.map_or(outermost.head, |directive| directive.span);
            let diagnostic = Diagnostic::error(&codes::ARITY, message).at(span);
            return Err(Box::new(diagnostic.also(at.head, "innermost loop")));
        }
        let block = self.emit.ir.create_block();
        self.body = Some(Body {
            block,
            scopes: self.names.scopes.len() - 1,
            inputs: Vec::new(),
            known: cuts.iter().flat_map(Bound::at_least_zero).collect(),
            guards: Vec::new(),
            conditions: cuts,
            updates: Vec::new(),
            all_kept: directive.and_then(|directive| all_kept(&directive.combs)),
        });
        let outside = std::mem::replace(&mut self.emit.block, block);
        self.names.scopes.push(Vec::new());
        let done = self.body_stmts(stmts, true);
        self.names.scopes.pop();
        let whole = match done {
            Ok(()) => self.cut_to_reach(outside),
            Err(_) => Vec::new(),
        };
        let done = done.and_then(|()| self.outputs(outermost, &starts, at.head));
        self.emit.block = outside;
        let done = match done {
            Ok(plan) => self.assemble(outermost, plan),
            Err(why) => {
                self.emit.ir.erase_block(block);
                Err(why)
            }
        };
        for (n, array) in whole {
            self.names.arrays[n] = array;
        }
        done
    }
}
