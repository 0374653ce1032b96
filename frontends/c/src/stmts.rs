//! Statements of a function over memory: straight code, conditions, and loops that stay loops.

use crate::ast::{BinaryOp, Elem, Expr, ExprKind, For, Object, Stmt, StmtKind, assigned};
use crate::bindings::{Array, Cell, Slot};
use crate::codes;
use crate::lowering::Lowering;
use crate::refusal::{Done, refuse};
use crate::value::Val;
use terrace_diag::Diagnostic;
use terrace_dialect_arith as arith;
use terrace_dialect_func as func;
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_ir::DYNAMIC;

impl Lowering<'_> {
    /// Statements one after the other
    pub fn statements(&mut self, stmts: &[Stmt], top: bool) -> Done<()> {
        crate::with_room(|| self.statements_here(stmts, top))
    }

    fn statements_here(&mut self, stmts: &[Stmt], top: bool) -> Done<()> {
        let outer = self.enclosing.live.clone();
        for (n, stmt) in stmts.iter().enumerate() {
            if self.function.returned {
                return refuse(&codes::FLOW, stmt.span, "C-FLOW: nothing may stand behind `return`");
            }
            self.enclosing.live = crate::live::behind(&stmts[n + 1..], &outer);
            self.emit.set_loc(stmt.span);
            match &stmt.kind {
                StmtKind::Decl(objects) => {
                    for object in objects {
                        self.variable(object, stmts)?;
                    }
                }
                StmtKind::Expr(e) => self.effect(e)?,
                StmtKind::Block(all) => {
                    self.names.scopes.push(Vec::new());
                    let done = self.statements(all, top);
                    self.names.scopes.pop();
                    done?;
                }
                StmtKind::If(test, yes, no) => self.branch(test, yes, no)?,
                StmtKind::For(one) => self.lower_nest(one)?,
                StmtKind::While(one) => self.uncounted(one)?,
                StmtKind::Break | StmtKind::Continue => {
                    return refuse(&codes::FLOW, stmt.span, "C-FLOW: there is no loop around this jump");
                }
                StmtKind::Return(value) => {
                    if !top {
                        return refuse(
                            &codes::FLOW,
                            stmt.span,
                            "C-FLOW: `return` inside of a loop or a condition",
                        );
                    }
                    self.give_back(value.as_ref(), stmt)?;
                }
            }
        }
        self.enclosing.live = outer;
        Ok(())
    }

    fn give_back(&mut self, value: Option<&Expr>, stmt: &Stmt) -> Done<()> {
        let mut values = Vec::new();
        match (value, self.function.result) {
            (Some(e), Some(elem)) => {
                let value = self.expr(e)?;
                let value = self.typed(&value, elem, e.span)?;
                values = match value {
                    Val::Record(_, values) => values,
                    value => vec![self.emit.to(&value, elem)],
                };
            }
            (None, None) => {}
            _ => return refuse(&codes::TYPE, stmt.span, "C-TYPE: `return` does not fit the function's type"),
        }
        self.emit.set_loc(stmt.span);
        self.emit.op_id(func::Return::DEF, &values, &[]);
        self.function.returned = true;
        Ok(())
    }

    /// A variable or array of the function
    pub fn variable(&mut self, object: &Object, stmts: &[Stmt]) -> Done<()> {
        self.emit.set_loc(object.span);
        if object.fixed && !object.constant {
            let message = format!(
                "C-TYPE: `static` {} has the name of another variable of this function, or is a structure; pass it to the function",
                object.name
            );
            return refuse(&codes::TYPE, object.span, message);
        }
        if !object.dims.is_empty() {
            return self.local_array(object);
        }
        let changes = assigned(stmts).contains(&object.name);
        if !changes || matches!(object.elem, Elem::Struct(_)) {
            if matches!(object.elem, Elem::Struct(_)) && changes {
                let message = format!(
                    "C-TYPE: {} is a structure that changes; use an array of one element",
                    object.name
                );
                return refuse(&codes::TYPE, object.span, message);
            }
            return self.temporary(object);
        }
        let stored = self.emit.stored(object.elem);
        let ty = self.emit.ir.cx().memref(&[], stored);
        let memref = self.emit.op(memref::Alloca::DEF, &[], ty);
        let shown = self.shown(&object.name);
        self.emit.name(memref, &shown);
        let slot = Slot::Cell(Cell { memref, elem: object.elem, known: object.init.clone() });
        if let Some(init) = &object.init {
            let value = self.expr(init)?;
            let value = self.typed(&value, object.elem, init.span)?;
            let value = self.emit.store_form(&value, object.elem);
            self.emit.set_loc(object.span);
            self.emit.op_id(memref::Store::DEF, &[value, memref], &[]);
        }
        self.names.declare(&object.name, slot);
        Ok(())
    }

    fn local_array(&mut self, object: &Object) -> Done<()> {
        let dims = self.names.listed(object)?;
        let mut extents = Vec::new();
        for (dim, size) in object.dims.iter().zip(&dims) {
            if let (Some(e), DYNAMIC) = (dim, *size) {
                let value = self.expr(e)?;
                self.number_only(&value, e.span)?;
                let value = self.emit.to(&value, Elem::Int { bits: 64, signed: true });
                let index = self.emit.ir.cx().common().index;
                extents.push(self.emit.op(arith::IndexCast::DEF, &[value], index));
            }
        }
        let elems = self.names.field_elems(object.elem);
        let mut fields = Vec::new();
        for (name, elem) in &elems {
            let stored = self.emit.stored(*elem);
            let ty = self.emit.ir.cx().memref(&dims, stored);
            let mut b = self.emit.b();
            let memref = memref::Alloc::build(&mut b, &extents, &[], ty).memref(b.read());
            let shown = self.shown(&object.name);
            let name = if name.is_empty() { shown } else { format!("{shown}.{name}") };
            self.emit.name(memref, &name);
            fields.push(memref);
        }
        self.function.frees.extend(&fields);
        self.names.arrays.push(Array {
            name: object.name.clone(),
            elem: object.elem,
            dims: dims.clone(),
            fields,
            param: false,
            global: false,
            restrict: true,
            open: false,
            root: self.names.arrays.len(),
        });
        let n = self.names.arrays.len() - 1;
        self.names.declare(&object.name, Slot::Array(n));
        match &object.init {
            None => Ok(()),
            Some(list @ Expr { kind: ExprKind::List(..), .. }) if !matches!(object.elem, Elem::Struct(_)) => {
                self.set_to_list(object, list, &dims)
            }
            Some(_) => {
                let message =
                    format!("C-TYPE: {} has a list of values; set its elements in a loop", object.name);
                refuse(&codes::TYPE, object.span, message)
            }
        }
    }

    /// A name for a variable where another one has that name: values that are seen at one place have different ones
    fn shown(&mut self, name: &str) -> String {
        let seen = matches!(self.names.lookup(name), Some(Slot::Cell(_) | Slot::Array(_) | Slot::Iv(_)));
        match seen || self.function.twice.contains(name) {
            true => {
                self.function.made += 1;
                format!("{name}.own{}", self.function.made)
            }
            false => name.to_string(),
        }
    }

    /// An expression for what it does
    fn effect(&mut self, e: &Expr) -> Done<()> {
        let (op, target, value) = match &e.kind {
            ExprKind::Assign(op, target, value) => (*op, target, (**value).clone()),
            ExprKind::Step(target, by) => {
                (Some(BinaryOp::Add), target, Expr { span: e.span, kind: ExprKind::Int(*by, Elem::INT) })
            }
            ExprKind::Call(name, _) => {
                let message = format!(
                    "C-CALL: {name} is called for what it does; only functions of numbers are called"
                );
                return refuse(&codes::CALL, e.span, message);
            }
            _ => return refuse(&codes::SYNTAX, e.span, "C-SYNTAX: this statement has no effect"),
        };
        if let Some(name) = target.base()
            && let Some(Slot::Iv(_)) = self.names.lookup(name)
        {
            return refuse(&codes::IV, e.span, format!("C-IV: loop variable {name} is changed"));
        }
        if !self.names.is_memory(target) {
            return self.assign_temp(e);
        }
        let Some(place) = self.names.place(target)? else {
            return refuse(&codes::NAME, target.span, "C-NAME: this is no place in memory");
        };
        let elem = self.names.place_elem(&place);
        let found = match (op, &value.kind, elem) {
            (Some(op), ..) => {
                let whole = Expr {
                    span: e.span,
                    kind: ExprKind::Binary(op, target.clone(), Box::new(value.clone())),
                };
                self.expr(&whole)?
            }
            (None, ExprKind::List(_, all), Elem::Struct(n)) => self.record(n, all, value.span)?,
            (None, ..) => self.expr(&value)?,
        };
        self.emit.set_loc(e.span);
        self.write(&place, &found)?;
        let nested = !self.names.ivs.is_empty() || self.enclosing.branches > 0;
        if let Some(Slot::Cell(cell)) = self.names.slot_mut(&place.name) {
            cell.known = (op.is_none() && !nested).then_some(value);
        }
        Ok(())
    }

    fn branch(&mut self, test: &Expr, yes: &[Stmt], no: &[Stmt]) -> Done<()> {
        let t = self.expr(test)?;
        let t = self.emit.truth(&t);
        self.emit.set_loc(test.span);
        let op = self.emit.op_id(scf::If::DEF, &[t], &[]);
        // Temporaries that change under a condition have no one value behind it.
        let mut names = assigned(yes);
        names.extend(assigned(no));
        for name in names {
            if let Some(Slot::Temp { .. }) = self.names.lookup(&name) {
                let message = format!("C-NAME: {name} changes under a condition; declare it without `const`");
                return refuse(&codes::NAME, test.span, message);
            }
            if let Some(Slot::Cell(cell)) = self.names.slot_mut(&name) {
                cell.known = None;
            }
        }
        self.enclosing.branches += 1;
        for (n, arm) in [yes, no].into_iter().enumerate() {
            if n == 1 && arm.is_empty() {
                continue;
            }
            let region = self.emit.ir.region(op, n);
            let done = self.inside(region, |g| g.statements(arm, false));
            done?;
        }
        self.enclosing.branches -= 1;
        Ok(())
    }

    /// A nest: a computation, or loops in order with the reason why
    ///
    /// Nests inside of loops in order, and under conditions, are computations of their own where they can be.
    fn lower_nest(&mut self, one: &For) -> Done<()> {
        if self.enclosing.ordered {
            return self.loops(one).map(drop);
        }
        self.nest.split = false;
        match self.computation(one) {
            Ok(()) => Ok(()),
            Err(_) if std::mem::take(&mut self.nest.split) => {
                let (first, rest) = crate::starts::apart(one);
                for one in first.iter().chain([&rest]) {
                    self.lower_nest(one)?;
                }
                Ok(())
            }
            Err(why) if one.directive.is_some() => Err(why),
            Err(why) => {
                if let Some(parts) = self.in_pieces(one) {
                    self.names.scopes.push(Vec::new());
                    let done = self.statements(&parts, false);
                    self.names.scopes.pop();
                    return done;
                }
                // For the loops inside, this is enough, if the reason is the same; that loops stand next to each other says
                // nothing of them.
                let code = why.code.map(|code| code.id).filter(|code| *code != codes::NEST.id);
                let reported = self.enclosing.reported.is_some() && self.enclosing.reported == code;
                let outer = std::mem::replace(&mut self.enclosing.reported, code);
                let done = self.loops(one);
                self.enclosing.reported = outer;
                let at_once = done?;
                if reported && !at_once {
                    return Ok(());
                }
                let Diagnostic { message, span, label, labels, .. } = *why;
                let mut remark = match at_once {
                    true => {
                        let text =
                            "threads take the turns of the outermost loop, in which loops stay as they are";
                        Diagnostic::remark(&codes::TURNS, format!("C-TURNS: {text}: {message}"))
                    }
                    false => Diagnostic::remark(
                        &codes::ORDERED,
                        format!("C-ORDERED: the loops stay in order: {message}"),
                    ),
                };
                (remark.span, remark.label, remark.labels) = (span, label, labels);
                let _ = self.diags.emit(remark);
                Ok(())
            }
        }
    }
}
