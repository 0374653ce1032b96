//! Loops that are no computations, but whose turns threads may take: none of them uses what another one writes.
//!
//! Ends of loops may be parameters here, and subscripts may depend on data where that is read only. **Invariant.** Numbers that a
//! iteration sets before it reads them are private to it, and nothing behind the loop reads them. Where the work is not known,
//! or is little, the function looks at it when it is called: waking threads takes longer than a small loop.

use crate::access::Look;
use crate::ast::{Elem, ExprKind, For, Object, Stmt, StmtKind, assigned, declared};
use crate::bindings::Slot;
use crate::emitter::Emitter;
use crate::live;
use crate::lowering::Lowering;
use crate::refusal::Done;
use std::collections::BTreeSet;
use terrace_analysis::Across;
use terrace_dialect_arith as arith;
use terrace_dialect_arith::CmpIPredicate;
use terrace_dialect_scf as scf;
use terrace_ir::{NewOp, OpId, Value};

/// Innermost turns that are worth waking threads for
const WORK: i64 = 1 << 14;

/// Assumed iterations of a loop without a trip count
const UNCOUNTED: i64 = 1 << 6;

/// Whether threads take the turns of a loop
pub enum AtOnce {
    Never,
    /// With the loop in which numbers are each turn's own
    Always(Box<For>),
    /// If this holds
    If(Value, Box<For>),
}

/// Innermost turns of a loop
enum Work {
    Known(i64),
    Later(Value),
}

impl Emitter<'_> {
    /// `scf.parallel` over one variable, without its body
    pub fn parallel(&mut self, zero: Value, turns: Value, step: Value) -> OpId {
        let mut b = self.b();
        let kind = terrace_ir::Builder::kind(&b, scf::Parallel::DEF);
        b.insert(&NewOp {
            operands: &[zero, turns, step],
            segments: &[1, 1, 1, 0],
            regions: 1,
            ..NewOp::new(kind)
        })
    }
}

impl Lowering<'_> {
    /// May threads take the turns of the loop, of which there are so many?
    pub fn at_once(&mut self, one: &For, turns: Value) -> Done<AtOnce> {
        if self.enclosing.ordered || self.body.is_some() {
            return Ok(AtOnce::Never);
        }
        let Some(own) = self.independent(one) else { return Ok(AtOnce::Never) };
        let test = match self.work(one, turns) {
            Work::Known(work) if work < WORK => return Ok(AtOnce::Never),
            Work::Known(_) => None,
            Work::Later(work) => Some(work),
        };
        self.overlaps.in_loop(&self.names, one);
        let own = Box::new(own);
        Ok(match test {
            None => AtOnce::Always(own),
            Some(work) => {
                let least = self.emit.index(WORK);
                AtOnce::If(self.emit.compare_ints(CmpIPredicate::Sge, work, least), own)
            }
        })
    }

    /// The loop with numbers that each turn has for itself, if no turn uses what another one writes
    pub fn independent(&self, one: &For) -> Option<For> {
        let head = self.names.head(one).ok()?;
        if !one.body.iter().all(crate::distribute::plain) {
            return None;
        }
        let whole = Stmt { span: one.head, kind: StmtKind::For(Box::new(one.clone())) };
        let changed: BTreeSet<String> = assigned(std::slice::from_ref(&whole)).into_iter().collect();
        let inside: BTreeSet<&str> = declared(&one.body).into_iter().collect();
        let exposed = live::behind(&one.body, &BTreeSet::new());
        let mut own: Vec<Object> = Vec::new();
        for name in assigned(&one.body) {
            match self.names.lookup(&name) {
                // What is declared inside hides it, or does not: then it is read behind, or set by several turns.
                Some(Slot::Cell(cell)) => {
                    if self.enclosing.live.contains(&name)
                        || exposed.contains(&name)
                        || inside.contains(name.as_str())
                    {
                        return None;
                    }
                    own.push(Object {
                        name,
                        span: head.span,
                        elem: cell.elem,
                        dims: Vec::new(),
                        restrict: false,
                        constant: false,
                        fixed: false,
                        init: None,
                    });
                }
                Some(Slot::Array(_)) | None => {}
                Some(_) if inside.contains(name.as_str()) => {}
                Some(_) => return None,
            }
        }
        let mut look = Look::new(&self.names, changed);
        let turn = look.enter(one, Across::Same)?;
        look.stmts(&one.body);
        // Arrays that a turn declares are its own.
        look.found.retain(|access| !matches!(access.base, crate::access::Base::Local(_)));
        if !look.found.iter().any(|access| access.write) || !look.independent(turn) {
            return None;
        }
        let mut body = Vec::new();
        if !own.is_empty() {
            body.push(Stmt { span: one.head, kind: StmtKind::Decl(own) });
        }
        body.extend(one.body.iter().cloned());
        Some(For { body, ..one.clone() })
    }

    /// Innermost turns: those of the deepest loops, as far as they are known in front of the loop
    fn work(&mut self, one: &For, turns: Value) -> Work {
        let mut known =
            self.names.head(one).ok().and_then(|head| self.names.turns(&head)).map(|(_, _, turns)| turns);
        let mut product = turns;
        let index = self.emit.ir.cx().common().index;
        let whole = Stmt { span: one.head, kind: StmtKind::For(Box::new(one.clone())) };
        let mut inside: BTreeSet<String> = assigned(std::slice::from_ref(&whole)).into_iter().collect();
        inside.extend(declared(std::slice::from_ref(&whole)).into_iter().map(String::from));
        let mut at = deepest(&one.body);
        while let Some(next) = at {
            at = deepest(&next.body);
            let Ok(head) = self.names.head(next) else { break };
            if let Some((_, _, turns)) = self.names.turns(&head) {
                known = known.map(|known| known.saturating_mul(turns));
                let factor = self.emit.index(turns);
                product = self.emit.op(arith::MulI::DEF, &[product, factor], index);
                continue;
            }
            known = None;
            let mut fixed = true;
            for e in [head.start, head.test.0] {
                e.walk(&mut |e| match &e.kind {
                    ExprKind::Name(name) => fixed &= !inside.contains(name),
                    ExprKind::Index(..) | ExprKind::Deref(_) | ExprKind::Call(..) | ExprKind::Field(..) => {
                        fixed = false;
                    }
                    _ => {}
                });
            }
            let elem = head.elem.unwrap_or(Elem::Int { bits: 64, signed: true });
            // A triangle is half of a square.
            let factor = match fixed.then(|| self.turn_count(&head, elem, None)) {
                Some(Ok((turns, _))) => turns,
                _ => turns,
            };
            product = self.emit.op(arith::MulI::DEF, &[product, factor], index);
        }
        // Loops without a trip count run a few times.
        let uncounted = one.body.iter().any(crate::distribute::uncounted);
        match known.map(|known| if uncounted { known.saturating_mul(UNCOUNTED) } else { known }) {
            Some(known) => Work::Known(known),
            None => Work::Later(product),
        }
    }
}

/// The loop with the most loops inside
fn deepest(stmts: &[Stmt]) -> Option<&For> {
    fn depth(stmts: &[Stmt]) -> usize {
        crate::with_room(|| {
            let each = stmts.iter().map(|stmt| match &stmt.kind {
                StmtKind::For(one) => 1 + depth(&one.body),
                StmtKind::If(_, yes, no) => depth(yes).max(depth(no)),
                StmtKind::Block(all) => depth(all),
                _ => 0,
            });
            each.max().unwrap_or(0)
        })
    }
    let mut found: Option<(&For, usize)> = None;
    let mut stack: Vec<&Stmt> = stmts.iter().collect();
    while let Some(stmt) = stack.pop() {
        match &stmt.kind {
            StmtKind::For(one) => {
                let own = 1 + depth(&one.body);
                if found.is_none_or(|(_, best)| own > best) {
                    found = Some((one, own));
                }
            }
            StmtKind::If(_, yes, no) => stack.extend(yes.iter().chain(no)),
            StmtKind::Block(all) => stack.extend(all),
            _ => {}
        }
    }
    found.map(|(one, _)| one)
}
