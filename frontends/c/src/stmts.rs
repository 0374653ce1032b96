//! Statements of a function over memory: straight code, conditions, and loops that stay loops.

use crate::ast::{BinaryOp, Elem, Expr, ExprKind, For, Object, Stmt, StmtKind, While, assigned};
use crate::at_once::AtOnce;
use crate::codes;
use crate::emit::{Array, Cell, Done, Gen, Iv, Slot, refuse};
use crate::nest::Head;
use crate::value::Val;
use terrace_diag::Diagnostic;
use terrace_dialect_arith as arith;
use terrace_dialect_func as func;
use terrace_dialect_memref as memref;
use terrace_dialect_scf as scf;
use terrace_ir::{DYNAMIC, Value};

impl Gen<'_> {
    /// Statements one after the other
    pub fn statements(&mut self, stmts: &[Stmt], top: bool) -> Done<()> {
        crate::with_room(|| self.statements_here(stmts, top))
    }

    fn statements_here(&mut self, stmts: &[Stmt], top: bool) -> Done<()> {
        let outer = self.live.clone();
        for (n, stmt) in stmts.iter().enumerate() {
            if self.returned {
                return refuse(&codes::FLOW, stmt.span, "C-FLOW: nothing may stand behind `return`");
            }
            self.live = crate::live::behind(&stmts[n + 1..], &outer);
            self.set_loc(stmt.span);
            match &stmt.kind {
                StmtKind::Decl(objects) => {
                    for object in objects {
                        self.variable(object, stmts)?;
                    }
                }
                StmtKind::Expr(e) => self.effect(e)?,
                StmtKind::Block(all) => {
                    self.scopes.push(Vec::new());
                    let done = self.statements(all, top);
                    self.scopes.pop();
                    done?;
                }
                StmtKind::If(test, yes, no) => self.branch(test, yes, no)?,
                StmtKind::For(one) => self.nest(one)?,
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
        self.live = outer;
        Ok(())
    }

    fn give_back(&mut self, value: Option<&Expr>, stmt: &Stmt) -> Done<()> {
        let mut values = Vec::new();
        match (value, self.result) {
            (Some(e), Some(elem)) => {
                let value = self.expr(e)?;
                let value = self.typed(&value, elem, e.span)?;
                values = match value {
                    Val::Record(_, values) => values,
                    value => vec![self.to(&value, elem)],
                };
            }
            (None, None) => {}
            _ => return refuse(&codes::TYPE, stmt.span, "C-TYPE: `return` does not fit the function's type"),
        }
        self.set_loc(stmt.span);
        self.op_id(func::Return::DEF, &values, &[]);
        self.returned = true;
        Ok(())
    }

    /// A variable or array of the function
    fn variable(&mut self, object: &Object, stmts: &[Stmt]) -> Done<()> {
        self.set_loc(object.span);
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
        let stored = self.stored(object.elem);
        let ty = self.ir.cx().memref(&[], stored);
        let memref = self.op(memref::Alloca::DEF, &[], ty);
        let shown = self.shown(&object.name);
        self.name(memref, &shown);
        let slot = Slot::Cell(Cell { memref, elem: object.elem, known: object.init.clone() });
        if let Some(init) = &object.init {
            let value = self.expr(init)?;
            let value = self.typed(&value, object.elem, init.span)?;
            let value = self.store_form(&value, object.elem);
            self.set_loc(object.span);
            self.op_id(memref::Store::DEF, &[value, memref], &[]);
        }
        self.declare(&object.name, slot);
        Ok(())
    }

    fn local_array(&mut self, object: &Object) -> Done<()> {
        let dims = self.listed(object)?;
        let mut extents = Vec::new();
        for (dim, size) in object.dims.iter().zip(&dims) {
            if let (Some(e), DYNAMIC) = (dim, *size) {
                let value = self.expr(e)?;
                self.number_only(&value, e.span)?;
                let value = self.to(&value, Elem::Int { bits: 64, signed: true });
                let index = self.ir.cx().common().index;
                extents.push(self.op(arith::IndexCast::DEF, &[value], index));
            }
        }
        let elems = self.field_elems(object.elem);
        let mut fields = Vec::new();
        for (name, elem) in &elems {
            let stored = self.stored(*elem);
            let ty = self.ir.cx().memref(&dims, stored);
            let mut b = self.b();
            let memref = memref::Alloc::build(&mut b, &extents, &[], ty).memref(b.read());
            let shown = self.shown(&object.name);
            let name = if name.is_empty() { shown } else { format!("{shown}.{name}") };
            self.name(memref, &name);
            fields.push(memref);
        }
        self.frees.extend(&fields);
        self.arrays.push(Array {
            name: object.name.clone(),
            elem: object.elem,
            dims: dims.clone(),
            fields,
            param: false,
            global: false,
            restrict: true,
            open: false,
            root: self.arrays.len(),
        });
        let n = self.arrays.len() - 1;
        self.declare(&object.name, Slot::Array(n));
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
        let seen = matches!(self.lookup(name), Some(Slot::Cell(_) | Slot::Array(_) | Slot::Iv(_)));
        match seen || self.twice.contains(name) {
            true => {
                self.made += 1;
                format!("{name}.own{}", self.made)
            }
            false => name.to_string(),
        }
    }

    /// Fields of a structure; a number is one without a name
    pub fn field_elems(&self, elem: Elem) -> Vec<(String, Elem)> {
        match elem {
            Elem::Struct(n) => self.file.structs[n].fields.clone(),
            elem => vec![(String::new(), elem)],
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
            && let Some(Slot::Iv(_)) = self.lookup(name)
        {
            return refuse(&codes::IV, e.span, format!("C-IV: loop variable {name} is changed"));
        }
        if !self.is_memory(target) {
            return self.assign_temp(e);
        }
        let Some(place) = self.place(target)? else {
            return refuse(&codes::NAME, target.span, "C-NAME: this is no place in memory");
        };
        let elem = self.place_elem(&place);
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
        self.set_loc(e.span);
        self.write(&place, &found)?;
        let nested = !self.ivs.is_empty() || self.branches > 0;
        if let Some(Slot::Cell(cell)) = self.slot_mut(&place.name) {
            cell.known = (op.is_none() && !nested).then_some(value);
        }
        Ok(())
    }

    fn branch(&mut self, test: &Expr, yes: &[Stmt], no: &[Stmt]) -> Done<()> {
        let t = self.expr(test)?;
        let t = self.truth(&t);
        self.set_loc(test.span);
        let op = self.op_id(scf::If::DEF, &[t], &[]);
        // Temporaries that change under a condition have no one value behind it.
        let mut names = assigned(yes);
        names.extend(assigned(no));
        for name in names {
            if let Some(Slot::Temp { .. }) = self.lookup(&name) {
                let message = format!("C-NAME: {name} changes under a condition; declare it without `const`");
                return refuse(&codes::NAME, test.span, message);
            }
            if let Some(Slot::Cell(cell)) = self.slot_mut(&name) {
                cell.known = None;
            }
        }
        self.branches += 1;
        for (n, arm) in [yes, no].into_iter().enumerate() {
            if n == 1 && arm.is_empty() {
                continue;
            }
            let region = self.ir.region(op, n);
            let done = self.inside(region, |g| g.statements(arm, false));
            done?;
        }
        self.branches -= 1;
        Ok(())
    }

    /// Code in the one block of a region, with its yield
    fn inside(&mut self, region: terrace_ir::RegionId, act: impl FnOnce(&mut Self) -> Done<()>) -> Done<()> {
        let block = self.ir.append_block(region);
        let outside = std::mem::replace(&mut self.block, block);
        self.scopes.push(Vec::new());
        let outer = std::mem::take(&mut self.frees);
        let done = act(self);
        self.scopes.pop();
        self.free_inside(outer);
        self.op_id(scf::Yield::DEF, &[], &[]);
        self.block = outside;
        done
    }

    /// Arrays of a block that ends here; those around it are left
    fn free_inside(&mut self, outer: Vec<Value>) {
        for memref in std::mem::replace(&mut self.frees, outer) {
            self.op_id(memref::Dealloc::DEF, &[memref], &[]);
        }
    }

    /// A nest: a computation, or loops in order with the reason why
    ///
    /// Nests inside of loops in order, and under conditions, are computations of their own where they can be.
    fn nest(&mut self, one: &For) -> Done<()> {
        if self.ordered {
            return self.loops(one).map(drop);
        }
        self.split = false;
        match self.computation(one) {
            Ok(()) => Ok(()),
            Err(_) if std::mem::take(&mut self.split) => {
                let (first, rest) = crate::starts::apart(one);
                for one in first.iter().chain([&rest]) {
                    self.nest(one)?;
                }
                Ok(())
            }
            Err(why) if one.directive.is_some() => Err(why),
            Err(why) => {
                if let Some(parts) = self.in_pieces(one) {
                    self.scopes.push(Vec::new());
                    let done = self.statements(&parts, false);
                    self.scopes.pop();
                    return done;
                }
                // Of what is inside, this says enough, if it is for the same reason; that loops stand beside each other says
                // nothing of them.
                let code = why.code.map(|code| code.id).filter(|code| *code != codes::NEST.id);
                let told = self.told.is_some() && self.told == code;
                let outer = std::mem::replace(&mut self.told, code);
                let done = self.loops(one);
                self.told = outer;
                let at_once = done?;
                if told && !at_once {
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

    /// A `for` whose turns cannot be counted before it runs
    fn as_uncounted(&mut self, one: &For) -> Done<bool> {
        let step = one.step.iter().map(|e| Stmt { span: e.span, kind: StmtKind::Expr(e.clone()) }).collect();
        let made =
            While { head: one.head, test: one.test.clone(), body: one.body.clone(), step, first: false };
        let mut all: Vec<Stmt> = one.init.iter().cloned().collect();
        all.push(Stmt { span: one.head, kind: StmtKind::While(Box::new(made)) });
        self.scopes.push(Vec::new());
        let done = self.statements(&all, false);
        self.scopes.pop();
        done.map(|()| false)
    }

    /// A loop that nobody counts
    fn uncounted(&mut self, one: &While) -> Done<()> {
        let all: Vec<Stmt> = one.body.iter().chain(&one.step).cloned().collect();
        for name in assigned(&all) {
            match self.slot_mut(&name) {
                Some(Slot::Cell(cell)) => cell.known = None,
                Some(Slot::Temp { .. }) => {
                    let message = format!("C-NAME: {name} changes in a loop; declare it without `const`");
                    return refuse(&codes::NAME, one.head, message);
                }
                _ => {}
            }
        }
        let behind = std::mem::take(&mut self.live);
        self.live = crate::live::around_while(one, &behind);
        self.set_loc(one.head);
        let op = self.op_id(scf::While::DEF, &[], &[]);
        let outside = self.block;
        let outer = std::mem::take(&mut self.frees);
        // Loops around stay around, but how often this one turns says nothing of theirs.
        self.branches += 1;
        let mut done = Ok(());
        for n in 0..2 {
            let region = self.ir.region(op, n);
            self.block = self.ir.append_block(region);
            self.scopes.push(Vec::new());
            if done.is_ok() && (n == 0) == one.first {
                done = self.statements(&one.body, false).and_then(|()| self.statements(&one.step, false));
            }
            if n == 0 && done.is_ok() {
                done = self.goes_on(one);
            }
            self.scopes.pop();
            for memref in std::mem::take(&mut self.frees) {
                self.op_id(memref::Dealloc::DEF, &[memref], &[]);
            }
            if n == 1 {
                self.op_id(scf::Yield::DEF, &[], &[]);
            }
        }
        self.branches -= 1;
        self.frees = outer;
        self.block = outside;
        self.live = behind;
        done
    }

    /// The test of a loop that nobody counts, with the arrays of its turn freed
    fn goes_on(&mut self, one: &While) -> Done<()> {
        let yes = Expr { span: one.head, kind: ExprKind::Int(1, Elem::INT) };
        let value = self.expr(one.test.as_ref().unwrap_or(&yes))?;
        self.number_only(&value, one.head)?;
        let value = self.truth(&value);
        for memref in std::mem::take(&mut self.frees) {
            self.op_id(memref::Dealloc::DEF, &[memref], &[]);
        }
        self.op_id(scf::Condition::DEF, &[value], &[]);
        Ok(())
    }

    /// Loops as loops; says whether threads take their turns
    fn loops(&mut self, one: &For) -> Done<bool> {
        let head = match self.head(one) {
            Ok(head) => head,
            Err(_) => return self.as_uncounted(one),
        };
        let changed = assigned(&one.body);
        if changed.iter().any(|name| name == head.name) {
            return self.as_uncounted(one);
        }
        let mut moving = false;
        for e in [head.start, head.test.0] {
            e.walk(&mut |inner| {
                moving |= inner.base().is_some_and(|name| changed.iter().any(|other| other == name));
            });
        }
        if moving {
            return self.as_uncounted(one);
        }
        for name in &changed {
            if let Some(Slot::Cell(cell)) = self.slot_mut(name) {
                cell.known = None;
            }
        }
        let elem = match (head.elem, self.lookup(head.name)) {
            (Some(elem), _) => elem,
            (None, Some(Slot::Cell(cell))) => cell.elem,
            (None, _) => {
                return refuse(&codes::NAME, head.span, format!("C-NAME: {} is not declared", head.name));
            }
        };
        let range = self.turns(&head);
        let (turns, start) = self.turn_count(&head, elem, range)?;
        self.set_loc(head.span);
        let how = self.at_once(one, turns)?;
        let at_once = !matches!(how, AtOnce::Never);
        match how {
            AtOnce::Never => self.turns_of(one, &head, elem, range, turns, &start, false)?,
            AtOnce::Always(own) => self.turns_in_threads(&own, &head, elem, range, turns, &start)?,
            AtOnce::If(test, own) => {
                let op = self.op_id(scf::If::DEF, &[test], &[]);
                for n in 0..2 {
                    let region = self.ir.region(op, n);
                    let (head, start) = (&head, &start);
                    self.inside(region, |g| match n {
                        0 => g.turns_in_threads(&own, head, elem, range, turns, start),
                        _ => g.in_order(|g| g.turns_of(one, head, elem, range, turns, start, false)),
                    })?;
                }
            }
        }
        if head.elem.is_none() {
            self.last_value(&head, &start, turns, elem)?;
        }
        Ok(at_once)
    }

    /// What is made here stays as it is: no computations, no threads
    fn in_order(&mut self, act: impl FnOnce(&mut Self) -> Done<()>) -> Done<()> {
        let before = std::mem::replace(&mut self.ordered, true);
        let done = act(self);
        self.ordered = before;
        done
    }

    /// A loop whose turns threads take, with numbers that each turn has for itself
    fn turns_in_threads(
        &mut self,
        own: &For,
        head: &Head<'_>,
        elem: Elem,
        range: Option<(i64, i64, i64)>,
        turns: Value,
        start: &Val,
    ) -> Done<()> {
        self.in_order(|g| g.turns_of(own, head, elem, range, turns, start, true))
    }

    /// The loop and its body
    #[allow(clippy::too_many_arguments)]
    fn turns_of(
        &mut self,
        one: &For,
        head: &Head<'_>,
        elem: Elem,
        range: Option<(i64, i64, i64)>,
        turns: Value,
        start: &Val,
        threads: bool,
    ) -> Done<()> {
        self.set_loc(head.span);
        let (zero, step) = (self.index(0), self.index(1));
        let op = match threads {
            true => self.parallel(zero, turns, step),
            false => self.op_id(scf::For::DEF, &[zero, turns, step], &[]),
        };
        let region = self.ir.region(op, 0);
        let block = self.ir.append_block(region);
        let index = self.ir.cx().common().index;
        let turn = self.ir.add_block_arg(block, index);
        match head.elem {
            Some(_) => self.name(turn, head.name),
            // The variable itself is in memory.
            None => self.name(turn, &format!("{}.turn", head.name)),
        }
        let outside = std::mem::replace(&mut self.block, block);
        let value = self.counted(turn, start, head.step, elem);
        let n = self.ivs.len();
        let name = head.name.to_string();
        // Where only the end is not known, it is beyond all arrays.
        let far = || self.constant(head.start).map(|start| (start, head.step, 2 * crate::places::FAR));
        let range = range.or_else(far);
        self.ivs.push(Iv {
            name: name.clone(),
            elem,
            range,
            value: Some(value),
            index: Some(turn),
            span: head.span,
        });
        self.scopes.push(vec![(name, Slot::Iv(n))]);
        let behind = std::mem::take(&mut self.live);
        self.live = crate::live::around(one, &behind);
        let outer = std::mem::take(&mut self.frees);
        let done = self.statements(&one.body, false);
        self.live = behind;
        self.scopes.pop();
        self.free_inside(outer);
        self.ivs.pop();
        match threads {
            true => drop(scf::Reduce::build(&mut self.b(), &[], 0)),
            false => drop(self.op_id(scf::Yield::DEF, &[], &[])),
        }
        self.block = outside;
        done
    }

    /// start + step · turn
    fn counted(&mut self, turn: Value, start: &Val, step: i64, elem: Elem) -> Val {
        let ty = self.ty(elem);
        let turn = Val::One(self.op(arith::IndexCast::DEF, &[turn], ty), elem);
        let scaled = match step {
            1 => turn,
            _ => self.binary(BinaryOp::Mul, &turn, &Val::Int(step.into(), elem)).unwrap_or(turn),
        };
        match start {
            Val::Int(0, _) => scaled,
            start => {
                let sum = self.binary(BinaryOp::Add, &scaled, start).unwrap_or(scaled);
                self.cast(&sum, elem)
            }
        }
    }

    /// The variable behind the loop, if it was declared outside
    fn last_value(&mut self, head: &Head<'_>, start: &Val, turns: Value, elem: Elem) -> Done<()> {
        let value = self.counted(turns, start, head.step, elem);
        let value = self.store_form(&value, elem);
        if let Some(Slot::Cell(cell)) = self.slot_mut(head.name) {
            cell.known = None;
            let memref = cell.memref;
            self.op_id(memref::Store::DEF, &[value, memref], &[]);
        }
        Ok(())
    }

    /// Number of turns as an index, and the first value
    pub fn turn_count(
        &mut self,
        head: &Head<'_>,
        elem: Elem,
        range: Option<(i64, i64, i64)>,
    ) -> Done<(Value, Val)> {
        if let Some((start, _, turns)) = range {
            return Ok((self.index(turns), Val::Int(start.into(), elem)));
        }
        let first = self.expr(head.start)?;
        let start = self.typed(&first, elem, head.start.span)?;
        let end = self.expr(head.test.0)?;
        self.number_only(&end, head.test.0.span)?;
        let wide = Elem::Int { bits: 64, signed: true };
        let index = self.ir.cx().common().index;
        let as_index = |g: &mut Self, value: &Val| {
            let value = g.to(value, wide);
            g.op(arith::IndexCast::DEF, &[value], index)
        };
        let (a, b) = (as_index(self, &start), as_index(self, &end));
        // Turns: max(0, ceil((distance + inclusive) / step)).
        let (low, high) = if head.step > 0 { (a, b) } else { (b, a) };
        let mut distance = self.op(arith::SubI::DEF, &[high, low], index);
        if matches!(head.test.1, BinaryOp::Le | BinaryOp::Ge) {
            let one = self.index(1);
            distance = self.op(arith::AddI::DEF, &[distance, one], index);
        }
        let by = head.step.unsigned_abs() as i64;
        if by > 1 {
            let by = self.index(by);
            distance = self.op(arith::CeilDivSI::DEF, &[distance, by], index);
        }
        let zero = self.index(0);
        Ok((self.op(arith::MaxSI::DEF, &[distance, zero], index), start))
    }
}
