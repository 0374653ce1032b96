//! From contributions to outputs: which dimension combines how, what results start from, and whether turns depend on
//! each other.

use crate::ast::{Comb, Directive, Elem, For};
use crate::bindings::{Bindings, Slot};
use crate::codes;
use crate::computation::{First, Out, Plan, Start, Update, same_place};
use crate::lowering::Lowering;
use crate::operators::{Op, identity};
use crate::places::Lvalue;
use crate::refusal::{Done, refuse};
use crate::value::Val;
use terrace_diag::{Diagnostic, Span};
use terrace_dialect_mdh as mdh;
use terrace_dialect_mdh::operator::{Builtin, Operator};
use terrace_dialect_mdh::view::{CombineKind, Dim, Order};
use terrace_ir::Value;

impl Bindings<'_> {
    /// Is the place in this array, or in a part of it?
    fn is_of(&self, place: &Lvalue, name: &str) -> bool {
        let root = match self.lookup(name) {
            Some(Slot::Array(n)) => Some(self.arrays[*n].root),
            _ => None,
        };
        place.name == name || root.is_some() && place.array.map(|n| self.arrays[n].root) == root
    }
}

impl Lowering<'_> {
    /// Contributions become outputs
    pub fn outputs(&mut self, nest: &For, starts: &[Start], innermost: Span) -> Done<Plan> {
        let directive = nest.directive.as_ref();
        let updates = self.body.as_ref().map_or(Vec::new(), |body| body.updates.clone());
        let mut updates = self.without_running(updates, directive)?;
        if updates.is_empty() {
            let message = "C-OUT: the loops write nothing that is used";
            return refuse(&codes::OUT, innermost, message);
        }
        if let Some(directive) = directive.filter(|directive| !directive.outs.is_empty()) {
            updates = self.ordered_outs(updates, directive)?;
        }
        for (name, span) in directive.map_or(&[][..], |directive| &directive.inout) {
            if !updates.iter().any(|update| self.names.is_of(&update.place, name)) {
                return refuse(
                    &codes::OUT,
                    *span,
                    format!("C-OUT: inout names {name}, to which nothing is written"),
                );
            }
        }
        let rank = self.names.ivs.len();
        let kept: Vec<bool> =
            (0..rank).map(|n| updates.iter().any(|u| u.map.iter().any(|e| e.uses_dim(n as u32)))).collect();
        let dims = self.kinds(&updates, &kept, directive, innermost)?;
        let folds = dims.iter().any(|dim| dim.kind != CombineKind::Cc);
        let one_turn = |n: usize| self.names.ivs[n].range.is_some_and(|(_, _, turns)| turns == 1);
        for update in &updates {
            for (n, dim) in dims.iter().enumerate() {
                let uses = update.map.iter().any(|e| e.uses_dim(n as u32));
                if dim.kind.kept() && !uses && !one_turn(n) {
                    let message =
                        format!("C-KIND: {} is ++ but {} does not depend on it", dim.name, update.place.name);
                    return refuse(&codes::KIND, update.target.span, message);
                }
                if !dim.kind.kept() && uses {
                    let message = format!(
                        "C-KIND: {} is combined away, but {} depends on it",
                        dim.name, update.place.name
                    );
                    return refuse(&codes::KIND, update.target.span, message);
                }
            }
        }
        if directive.is_none() {
            self.unordered(&updates, folds)?;
        }
        self.reads(&updates, folds)?;
        let mut outs: Vec<Out> = Vec::new();
        for update in &updates {
            self.contribute(update, folds, &mut outs)?;
        }
        self.starts_fit(starts, &outs)?;
        let mut all = Vec::new();
        for out in outs {
            let first = self.first(&out, folds, directive, starts, &dims)?;
            self.keeps_outside(&out, &first)?;
            all.push((out, first));
        }
        let part =
            all.iter().find(|(out, first)| folds && !matches!(first, First::Old) && !self.covers(out, folds));
        if let Some((out, _)) = part {
            // What is set in front of a sum is set by a nest of its own, and the sum goes on from there.
            self.nest.split = true;
            let message = format!("C-OUT: only a part of {} is written", out.place.name);
            return refuse(&codes::OUT, out.place.span, message);
        }
        self.finish_body(&all);
        Ok(Plan { dims, outs: all })
    }

    /// `s += e; y[i] = s;`: s is no output of its own
    fn without_running(&self, updates: Vec<Update>, directive: Option<&Directive>) -> Done<Vec<Update>> {
        let running: Vec<String> = updates.iter().filter_map(|u| u.running.clone()).collect();
        if running.is_empty() {
            return Ok(updates);
        }
        let prefixes =
            directive.is_some_and(|d| d.combs.iter().any(|(comb, _)| matches!(comb, Comb::Prefix(_))));
        if !prefixes {
            let span = updates.iter().find(|u| u.running.is_some()).map_or(updates[0].span, |u| u.span);
            let message = "C-DEP: each turn stores what all turns before it have added up";
            let diagnostic = Diagnostic::error(&codes::DEP, message).at(span);
            return Err(Box::new(diagnostic.help("say so: `ps(+)` for the loop of the prefixes")));
        }
        for name in &running {
            if self.enclosing.live.contains(name)
                && let Some(update) = updates.iter().find(|u| u.place.name == *name)
            {
                let message =
                    format!("C-OUT: {name} is used behind the loops, but prefixes are stored elsewhere");
                return refuse(&codes::OUT, update.span, message);
            }
        }
        Ok(updates
            .into_iter()
            .filter(|u| u.place.array.is_some() || !running.contains(&u.place.name))
            .collect())
    }

    /// Contributions in the order of the directive's outputs
    fn ordered_outs(&self, updates: Vec<Update>, directive: &Directive) -> Done<Vec<Update>> {
        let mut left = updates;
        let mut all = Vec::new();
        for out in &directive.outs {
            let (mine, rest): (Vec<Update>, Vec<Update>) = left.into_iter().partition(|u| u.target.same(out));
            left = rest;
            if mine.is_empty() {
                let name = out.base().unwrap_or("this");
                let others = left.iter().chain(&all).find(|u: &&Update| u.target.base() == out.base());
                let diagnostic = match others {
                    Some(other) => {
                        let message =
                            format!("C-OUT: the directive says that {name} is written elsewhere than it is");
                        Diagnostic::error(&codes::OUT, message)
                            .at(out.span)
                            .also(other.target.span, "written here")
                    }
                    None => {
                        let message =
                            format!("C-OUT: {name} is named as an output, but nothing is written to it");
                        Diagnostic::error(&codes::OUT, message).at(out.span)
                    }
                };
                return Err(Box::new(diagnostic));
            }
            all.extend(mine);
        }
        if let Some(other) = left.first() {
            let message = format!(
                "C-OUT: the body also writes {}, which the directive does not name",
                other.place.name
            );
            return refuse(&codes::OUT, other.target.span, message);
        }
        Ok(all)
    }

    /// How each dimension combines
    fn kinds(
        &mut self,
        updates: &[Update],
        kept: &[bool],
        directive: Option<&Directive>,
        innermost: Span,
    ) -> Done<Vec<Dim>> {
        // One operator for each output; one that is the same for all stands once.
        let mut places: Vec<&Update> = Vec::new();
        for update in updates {
            if !places.iter().any(|other| same_place(&other.place, &update.place)) {
                places.push(update);
            }
        }
        let order = match directive.and_then(|d| d.order.as_deref()) {
            Some(word) => word.parse().unwrap_or_default(),
            None if directive.is_some() => Order::Fixed,
            None => Order::Source,
        };
        if self.joint_fits(updates, kept)? {
            places.truncate(1);
        }
        let combs = directive.map_or(&[][..], |directive| directive.combs.as_slice());
        let mut dims = Vec::new();
        for (n, kept) in kept.iter().copied().enumerate() {
            let (name, (_, _, size)) =
                (self.names.ivs[n].name.clone(), self.names.ivs[n].range.unwrap_or((0, 1, 0)));
            let kind = match combs.get(n) {
                Some((Comb::Keep, _)) => CombineKind::Cc,
                Some((Comb::Point(words), at)) => {
                    CombineKind::Pw(self.operators(words, *at, updates, &places)?, order)
                }
                Some((Comb::Prefix(words), at)) => {
                    CombineKind::Ps(self.operators(words, *at, updates, &places)?)
                }
                None if kept => CombineKind::Cc,
                None => {
                    let mut all = Vec::new();
                    for update in &places {
                        let Some(word) = &update.operator else {
                            let at = self.names.ivs[n].span;
                            let message = format!(
                                "C-DEP: every turn of {name} writes the same element of {}",
                                update.place.name
                            );
                            let diagnostic = Diagnostic::error(&codes::DEP, message).at(update.span);
                            return Err(Box::new(diagnostic.also(at, "this loop")));
                        };
                        all.push(self.operator(word, update.span, update)?);
                    }
                    if let Some(other) = updates.iter().find(|u| {
                        places.iter().any(|p| same_place(&p.place, &u.place) && p.operator != u.operator)
                    }) {
                        return refuse(
                            &codes::KIND,
                            other.span,
                            "C-KIND: two updates of one place by different operators",
                        );
                    }
                    CombineKind::Pw(self.spread(all), order)
                }
            };
            dims.push(Dim { name, size, kind });
        }
        let _ = innermost;
        Ok(dims)
    }

    /// One joint operator stays one; others are said output by output
    pub fn spread(&mut self, all: Vec<Op>) -> Vec<Operator> {
        all.iter()
            .map(|op| match op {
                Op::Builtin(builtin) => Operator::Builtin(*builtin),
                Op::Func(name) => Operator::Func(self.emit.ir.cx().intern(name)),
            })
            .collect()
    }

    /// A contribution to its output
    fn contribute(&mut self, update: &Update, folds: bool, outs: &mut Vec<Out>) -> Done<()> {
        let elem = update.value.elem();
        let builtin = self.builtin_of(update)?;
        let value = self.contribution(update, folds, builtin)?;
        let fields: Vec<(usize, Elem)> = match (elem, update.place.field) {
            (Elem::Struct(n), _) => {
                self.names.file.structs[n].fields.iter().map(|(_, elem)| *elem).enumerate().collect()
            }
            (elem, field) => vec![(field.unwrap_or(0), elem)],
        };
        let values: Vec<Value> = match &value {
            Val::Record(_, values) => values
                .iter()
                .zip(&fields)
                .map(|(value, (_, elem))| self.emit.store_form(&Val::One(*value, *elem), *elem))
                .collect(),
            value => vec![self.emit.store_form(value, elem)],
        };
        for ((field, elem), value) in fields.into_iter().zip(values) {
            let same = |out: &Out| out.place.name == update.place.name && out.field == field;
            let Some(n) = outs.iter().rposition(same) else {
                let place = update.place.clone();
                let (maps, operator) = (vec![update.map.clone()], update.operator.clone());
                outs.push(Out { place, field, elem, maps, values: vec![value], operator });
                continue;
            };
            let Some(access) = outs[n].maps.iter().position(|map| *map == update.map) else {
                outs[n].maps.push(update.map.clone());
                outs[n].values.push(value);
                continue;
            };
            let before = outs[n].values[access];
            outs[n].values[access] = self.joined(update, folds, builtin, before, (value, elem))?;
        }
        Ok(())
    }

    fn builtin_of(&mut self, update: &Update) -> Done<Option<Builtin>> {
        let Some(word) = &update.operator else { return Ok(None) };
        Ok(match self.operator(word, update.span, update)? {
            Op::Builtin(builtin) => Some(builtin),
            Op::Func(_) => None,
        })
    }

    /// What an update contributes: with the old element where nothing is folded, and what holds where its guard fails
    fn contribution(&mut self, update: &Update, folds: bool, builtin: Option<Builtin>) -> Done<Val> {
        let mut value = update.value.clone();
        let elem = value.elem();
        if let Some(word) = update.operator.as_ref().filter(|_| !folds) {
            // Every element once: the old one takes part as an input.
            let old = self.read_input(&update.place)?;
            value = self.apply(word, &old, &value, update)?;
        }
        let Some(guard) = update.guard else { return Ok(value) };
        let otherwise = match (folds, builtin) {
            (false, _) => self.read_input(&update.place)?,
            (true, Some(builtin)) => identity(builtin, elem),
            (true, None) => match self.declared_identity(update)? {
                Some(value) => value,
                None => {
                    let word = update.operator.clone().unwrap_or_default();
                    let message =
                        format!("C-OPER: {word} has no identity, but its update is under a condition");
                    return refuse(&codes::OPER, update.span, message);
                }
            },
        };
        match self.emit.select(guard, &value, &otherwise) {
            Some(chosen) => Ok(chosen),
            None => refuse(&codes::TYPE, update.span, "C-TYPE: both sides need one type"),
        }
    }

    /// Two contributions of one turn to one place
    fn joined(
        &mut self,
        update: &Update,
        folds: bool,
        builtin: Option<Builtin>,
        before: Value,
        (value, elem): (Value, Elem),
    ) -> Done<Value> {
        let Some(word) = update.operator.as_ref().filter(|_| folds) else { return Ok(value) };
        if builtin.is_none() {
            let message = "C-OPER: two updates of one place by an operator of the file";
            return refuse(&codes::OPER, update.span, message);
        }
        let [before, value] = [before, value].map(|value| Val::One(value, elem.stored()));
        let sum = self.apply(word, &before, &value, update)?;
        Ok(self.emit.to(&sum, elem.stored()))
    }

    /// The yield
    fn finish_body(&mut self, outs: &[(Out, First)]) {
        let values: Vec<Value> = outs.iter().flat_map(|(out, _)| out.values.iter().copied()).collect();
        let end = self.emit.op_id(mdh::Yield::DEF, &values, &[]);
        // Temporaries that became subscripts or conditions are no values.
        while let Some(op) = {
            let ops: Vec<_> = self.emit.ir.block_ops(self.emit.block).collect();
            ops.into_iter().rev().find(|op| *op != end && self.emit.ir.is_unused(*op))
        } {
            self.emit.ir.erase(op);
        }
        let Some(body) = &mut self.body else { return };
        for n in (0..body.inputs.len()).rev() {
            if !self.emit.ir.is_used(body.inputs[n].arg) {
                body.inputs.remove(n);
                self.emit.ir.remove_block_arg(body.block, n);
            }
        }
    }
}
