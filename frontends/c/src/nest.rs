//! Loop nests: heads, perfect nesting, and what stands between loops.

use crate::ast::{BinaryOp, Directive, Elem, Expr, ExprKind, For, Stmt, StmtKind};
use crate::bindings::{Bindings, Cell, Iv, Slot};
use crate::codes;
use crate::computation::{Body, Bound, Start};
use crate::forwarding::all_kept;
use crate::heads::Head;
use crate::lowering::Lowering;
use crate::refusal::{Done, refuse};
use terrace_diag::{Diagnostic, Span};

/// Loops inside of each other
struct PerfectNest<'f> {
    /// Statements of the innermost one
    stmts: &'f [Stmt],
    /// Head of the innermost one
    innermost: Span,
    /// What is set between them
    starts: Vec<Start>,
    /// What holds inside of ranges that follow from outer loops
    cuts: Vec<Bound>,
}

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
            StmtKind::For(_) => "this loop stands next to another one".to_string(),
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
        let parts = self.on_slices(one)?;
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
                self.forget_slices(last, arrays);
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
        self.nest.cut.clear();
        self.clauses(directive)?;
        let nest = self.descend(outermost)?;
        if let Some(directive) = directive.filter(|directive| !directive.combs.is_empty())
            && directive.combs.len() != self.names.ivs.len()
        {
            let (loops, wanted) = (self.names.ivs.len(), directive.combs.len());
            let message = format!("C-ARITY: {loops} loops, {wanted} operators");
            let diagnostic = Diagnostic::error(&codes::ARITY, message).at(directive.span);
            return Err(Box::new(diagnostic.also(nest.innermost, "innermost loop")));
        }
        self.as_body(outermost, nest)
    }

    /// What a directive says of names, in a scope of its own
    fn clauses(&mut self, directive: Option<&Directive>) -> Done<()> {
        self.nest.gather.clear();
        if let Some(directive) = directive {
            self.nest.gather.extend(directive.gather.iter().map(|(name, _)| name.clone()));
            self.names.arrays_named(directive)?;
        }
        self.names.scopes.push(Vec::new());
        self.sizes_below(directive)?;
        for (name, value, span) in directive.map_or(&[][..], |directive| &directive.assume) {
            match self.names.lookup(name) {
                Some(Slot::Cell(Cell { elem, .. }) | Slot::Temp { elem, .. })
                    if matches!(elem, Elem::Int { .. }) =>
                {
                    let slot = Slot::Number(*value, *elem);
                    self.names.declare(name, slot);
                }
                _ => {
                    let message = format!("C-NAME: {name} is no integer parameter or variable");
                    return refuse(&codes::NAME, *span, message);
                }
            }
        }
        Ok(())
    }

    /// Sizes that are known at run time, below a bound
    fn sizes_below(&mut self, directive: Option<&Directive>) -> Done<()> {
        self.nest.most.clear();
        self.nest.ends.clear();
        for (name, most, span) in directive.map_or(&[][..], |directive| &directive.most) {
            match self.names.lookup(name) {
                Some(Slot::Cell(Cell { elem, .. }) | Slot::Temp { elem, .. })
                    if matches!(elem, Elem::Int { .. }) =>
                {
                    self.nest.most.push((name.clone(), *most));
                }
                _ => {
                    let message = format!("C-NAME: {name} is no integer parameter or variable");
                    return refuse(&codes::NAME, *span, message);
                }
            }
        }
        Ok(())
    }

    /// The greatest number of turns of a loop from 0 to a size that is known at run time
    fn most_turns(&self, head: &Head<'_>) -> Option<i64> {
        let ExprKind::Name(name) = &head.test.0.kind else { return None };
        let counts =
            head.step == 1 && head.test.1 == BinaryOp::Lt && self.names.constant(head.start) == Some(0);
        let found = self.nest.most.iter().find(|(other, _)| other == name);
        found.filter(|_| counts && self.names.constant(head.test.0).is_none()).map(|(_, most)| *most)
    }

    /// From the outermost loop to the innermost one; their variables are declared
    fn descend<'f>(&mut self, outermost: &'f For) -> Done<PerfectNest<'f>> {
        let (mut starts, mut cuts) = (Vec::new(), Vec::new());
        let mut at = outermost;
        loop {
            let head = self.enter(at, &mut cuts)?;
            let mut inside: &[Stmt] = &at.body;
            while let [Stmt { kind: StmtKind::Block(all), .. }] = inside {
                inside = all;
            }
            let next = inside.iter().enumerate().find_map(|(n, stmt)| match &stmt.kind {
                StmtKind::For(next) => Some((n, &**next)),
                _ => None,
            });
            let Some((position, next)) = next else {
                return Ok(PerfectNest { stmts: inside, innermost: at.head, starts, cuts });
            };
            if let Some(other) = &next.directive {
                let message = match &outermost.directive {
                    Some(_) => "C-PRAGMA: a directive inside of a nest that has one",
                    None => "C-PRAGMA: the directive of an inner nest leaves this loop outside",
                };
                return refuse(&codes::PRAGMA, other.span, message);
            }
            for (n, stmt) in inside.iter().enumerate().filter(|(n, _)| *n != position) {
                match self.start(stmt).filter(|_| n < position) {
                    Some(start) => starts.push(start),
                    None => return Err(Box::new(self.names.imperfect(stmt, &head, next))),
                }
            }
            at = next;
        }
    }

    /// The variable of a loop, with its range or the box that its range is cut from
    fn enter<'f>(&mut self, one: &'f For, cuts: &mut Vec<Bound>) -> Done<Head<'f>> {
        let head = self.names.head(one)?;
        let most = self.most_turns(&head);
        let cut = || self.names.cut(&head);
        let range = match (self.names.turns(&head).is_none() && most.is_none()).then(cut).flatten() {
            _ if most.is_some() => {
                let end = (self.names.ivs.len(), head.test.0.clone(), most.unwrap_or(0));
                self.nest.cut.push((self.names.ivs.len(), head.span));
                self.nest.ends.push(end);
                (0, 1, most.unwrap_or(0))
            }
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
        if self.names.ivs.iter().any(|iv| iv.name == head.name) {
            let message = format!("C-IV: {} is the variable of two loops", head.name);
            return refuse(&codes::IV, head.span, message);
        }
        if head.elem.is_none() && self.enclosing.live.contains(head.name) {
            return refuse(&codes::IV, head.span, format!("C-IV: {} is used behind the loop", head.name));
        }
        let (n, name) = (self.names.ivs.len(), head.name.to_string());
        let (range, span) = (Some(range), head.span);
        self.names.ivs.push(Iv { name, elem, range, value: None, index: None, span });
        self.names.declare(head.name, Slot::Iv(n));
        Ok(head)
    }

    /// `lv = e;` as what a result starts from
    fn start(&self, stmt: &Stmt) -> Option<Start> {
        let StmtKind::Expr(Expr { kind: ExprKind::Assign(None, target, value), .. }) = &stmt.kind else {
            return None;
        };
        self.names.is_memory(target).then(|| Start {
            target: (**target).clone(),
            value: (**value).clone(),
            depth: self.names.ivs.len(),
        })
    }

    /// The innermost statements as the body of a computation, and the computation in its function
    fn as_body(&mut self, outermost: &For, nest: PerfectNest<'_>) -> Done<()> {
        let directive = outermost.directive.as_ref();
        let block = self.emit.ir.create_block();
        self.body = Some(Body {
            block,
            scopes: self.names.scopes.len() - 1,
            inputs: Vec::new(),
            known: nest.cuts.iter().flat_map(Bound::at_least_zero).collect(),
            guards: Vec::new(),
            conditions: nest.cuts,
            updates: Vec::new(),
            all_kept: directive.and_then(|directive| all_kept(&directive.combs)),
        });
        let outside = std::mem::replace(&mut self.emit.block, block);
        self.names.scopes.push(Vec::new());
        let done = self.body_stmts(nest.stmts, true);
        self.names.scopes.pop();
        let whole = match done {
            Ok(()) => self.cut_to_reach(outside),
            Err(_) => Vec::new(),
        };
        let done = done.and_then(|()| self.outputs(outermost, &nest.starts, nest.innermost));
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
