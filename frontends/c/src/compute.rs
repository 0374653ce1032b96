//! From contributions to outputs: which dimension combines how, what results start from, and whether turns depend on
//! each other.

use crate::ast::{Elem, For};
use crate::body::{Source, Update};
use crate::codes;
use crate::emit::{Done, Gen, Slot, refuse};
use crate::nest::Start;
use crate::places::Place;
use crate::pragma::{Comb, Directive};
use crate::value::Val;
use terrace_analysis::{Across, Clash, may_conflict};
use terrace_diag::{Diagnostic, Span, nearest};
use terrace_dialect_mdh as mdh;
use terrace_dialect_mdh::operator::{Builtin, Operator};
use terrace_dialect_mdh::view::{Dim, Kind, Order};
use terrace_ir::{Attr, Value};
use terrace_support::affine::AffineExpr;

/// A result in progress: one buffer
pub struct Out {
    pub place: Place,
    pub field: usize,
    pub elem: Elem,
    pub maps: Vec<Vec<AffineExpr>>,
    pub values: Vec<Value>,
    pub operator: Option<String>,
}

/// What a result starts from
#[derive(Clone, Debug)]
pub enum First {
    Nothing,
    Old,
    Constant(Attr),
    Element(Source, Vec<AffineExpr>),
}

/// Everything that assembling needs
pub struct Plan {
    pub dims: Vec<Dim>,
    pub outs: Vec<(Out, First)>,
}

/// What an operator is
#[derive(Clone, Debug, PartialEq)]
enum Op {
    Builtin(Builtin),
    Func(String),
}

fn same_place(a: &Place, b: &Place) -> bool {
    a.name == b.name && a.array == b.array && a.field == b.field
}

impl Gen<'_> {
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
            if !updates.iter().any(|update| self.is_of(&update.place, name)) {
                return refuse(
                    &codes::OUT,
                    *span,
                    format!("C-OUT: inout names {name}, to which nothing is written"),
                );
            }
        }
        let rank = self.ivs.len();
        let kept: Vec<bool> =
            (0..rank).map(|n| updates.iter().any(|u| u.map.iter().any(|e| e.uses_dim(n as u32)))).collect();
        let dims = self.kinds(&updates, &kept, directive, innermost)?;
        let folds = dims.iter().any(|dim| dim.kind != Kind::Cc);
        let one_turn = |n: usize| self.ivs[n].range.is_some_and(|(_, _, turns)| turns == 1);
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
            self.split = true;
            let message = format!("C-OUT: only a part of {} is written", out.place.name);
            return refuse(&codes::OUT, out.place.span, message);
        }
        self.finish_body(&all);
        Ok(Plan { dims, outs: all })
    }

    /// Is the place in this array, or in a part of it?
    fn is_of(&self, place: &Place, name: &str) -> bool {
        let root = match self.lookup(name) {
            Some(Slot::Array(n)) => Some(self.arrays[*n].root),
            _ => None,
        };
        place.name == name || root.is_some() && place.array.map(|n| self.arrays[n].root) == root
    }

    /// Loops cut by others write a part of a box: the rest must stay as it was
    pub fn keeps_outside(&self, out: &Out, first: &First) -> Done<()> {
        let cut =
            self.cut.iter().find(|(n, _)| out.maps.iter().any(|m| m.iter().any(|e| e.uses_dim(*n as u32))));
        let (Some((n, span)), false) = (cut, matches!(first, First::Old)) else { return Ok(()) };
        let name = &out.place.name;
        let message = format!(
            "C-BOUND: the bound of {} depends on other loops: only a part of {name} is written",
            self.ivs[*n].name
        );
        let diagnostic =
            Diagnostic::error(&codes::BOUND, message).at(*span).also(out.place.span, "written here");
        Err(Box::new(
            diagnostic.help(format!("say `inout({name})`: what lies outside keeps its old contents")),
        ))
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
            if self.live.contains(name)
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
        // One operator for each output; what is the same for all is said once.
        let mut places: Vec<&Update> = Vec::new();
        for update in updates {
            if !places.iter().any(|other| same_place(&other.place, &update.place)) {
                places.push(update);
            }
        }
        let order = match directive.and_then(|d| d.order.as_deref()) {
            Some(word) => Order::parse(word).unwrap_or_default(),
            None if directive.is_some() => Order::Fixed,
            None => Order::Source,
        };
        if self.joint_fits(updates, kept)? {
            places.truncate(1);
        }
        let combs = directive.map_or(&[][..], |directive| directive.combs.as_slice());
        let mut dims = Vec::new();
        for (n, kept) in kept.iter().copied().enumerate() {
            let (name, (_, _, size)) = (self.ivs[n].name.clone(), self.ivs[n].range.unwrap_or((0, 1, 0)));
            let kind = match combs.get(n) {
                Some((Comb::Keep, _)) => Kind::Cc,
                Some((Comb::Point(words), at)) => {
                    Kind::Pw(self.operators(words, *at, updates, &places)?, order)
                }
                Some((Comb::Prefix(words), at)) => Kind::Ps(self.operators(words, *at, updates, &places)?),
                None if kept => Kind::Cc,
                None => {
                    let mut all = Vec::new();
                    for update in &places {
                        let Some(word) = &update.operator else {
                            let at = self.ivs[n].span;
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
                    Kind::Pw(self.spread(all), order)
                }
            };
            dims.push(Dim { name, size, kind });
        }
        let _ = innermost;
        Ok(dims)
    }

    /// One joint operator stays one; others are said output by output
    fn spread(&mut self, all: Vec<Op>) -> Vec<Operator> {
        all.iter()
            .map(|op| match op {
                Op::Builtin(builtin) => Operator::Builtin(*builtin),
                Op::Func(name) => Operator::Func(self.ir.cx().intern(name)),
            })
            .collect()
    }

    /// The directive's operators, compared with the body's updates
    fn operators(
        &mut self,
        words: &[String],
        at: Span,
        updates: &[Update],
        places: &[&Update],
    ) -> Done<Vec<Operator>> {
        if words.len() != 1 && words.len() != places.len() {
            let message = format!("C-ARITY: {} operators for {} outputs", words.len(), places.len());
            return refuse(&codes::ARITY, at, message);
        }
        let mut all = Vec::new();
        for (n, update) in places.iter().enumerate() {
            let word = &words[if words.len() == 1 { 0 } else { n }];
            let op = self.operator(word, at, update)?;
            for update in updates.iter().filter(|other| same_place(&other.place, &update.place)) {
                let found = match &update.operator {
                    Some(found) => self.operator(found, update.span, update)?,
                    None => {
                        let message = format!("C-KIND: directive {word}, update `=`");
                        let diagnostic = Diagnostic::error(&codes::KIND, message).at(update.span);
                        return Err(Box::new(diagnostic.also(at, "operator")));
                    }
                };
                if found != op {
                    let text = update.operator.clone().unwrap_or_default();
                    let diagnostic =
                        Diagnostic::error(&codes::KIND, format!("C-KIND: directive {word}, update {text}"))
                            .at(update.span);
                    return Err(Box::new(diagnostic.also(at, "operator")));
                }
            }
            all.push(op);
        }
        Ok(self.spread(all))
    }

    /// What a word means as an operator for an update
    fn operator(&mut self, word: &str, at: Span, update: &Update) -> Done<Op> {
        let elem = update.value.elem();
        let unsigned = matches!(elem, Elem::Int { signed: false, .. });
        let builtin = match word {
            "+" | "add" => Some(Builtin::Add),
            "*" | "mul" => Some(Builtin::Mul),
            "min" | "fmin" | "fminf" if unsigned => Some(Builtin::MinU),
            "max" | "fmax" | "fmaxf" if unsigned => Some(Builtin::MaxU),
            "min" | "fmin" | "fminf" => Some(Builtin::Min),
            "max" | "fmax" | "fmaxf" => Some(Builtin::Max),
            "&" | "&&" => Some(Builtin::And),
            "|" | "||" => Some(Builtin::Or),
            "^" => Some(Builtin::Xor),
            _ => None,
        };
        if let Some(builtin) = builtin {
            let fits = match elem {
                Elem::Struct(_) => false,
                Elem::Float(_) => {
                    matches!(builtin, Builtin::Add | Builtin::Mul | Builtin::Min | Builtin::Max)
                }
                Elem::Bool => !matches!(builtin, Builtin::Add | Builtin::Mul),
                Elem::Int { .. } => true,
            };
            if !fits {
                let message = format!("C-OPER: `{word}` does not combine {}", self.show(elem));
                return refuse(&codes::OPER, at, message);
            }
            return Ok(Op::Builtin(builtin));
        }
        if self.is_joint(word) {
            return Ok(Op::Func(word.to_string()));
        }
        let Some(function) = self.file.functions.iter().find(|function| function.name == word) else {
            let names = self.file.functions.iter().filter(|f| f.operator.is_some()).map(|f| f.name.as_str());
            let near = nearest(word, names.chain(["min", "max"]));
            let message = format!(
                "C-OPER: `{word}` is no operator: + * min max & | ^ && ||, or a function of this file"
            );
            let diagnostic = Diagnostic::error(&codes::OPER, message).at(at);
            return Err(Box::new(match near {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic,
            }));
        };
        if function.operator.is_none() {
            let message = format!("C-OPER: {word} does not say that it is an operator");
            let diagnostic =
                Diagnostic::error(&codes::OPER, message).at(at).also(function.span, "defined here");
            let help = "put `#pragma mdh operator(associative, commutative)` above it, as far as that is so";
            return Err(Box::new(diagnostic.help(help)));
        }
        let fits = function.result == Some(elem)
            && function.params.len() == 2
            && function.params.iter().all(|param| param.elem == elem && param.dims.is_empty());
        if !fits {
            let ty = self.show(elem);
            let message = format!("C-OPER: {word} must be {ty} {word}({ty}, {ty})");
            let diagnostic =
                Diagnostic::error(&codes::OPER, message).at(at).also(function.span, "defined here");
            return Err(Box::new(diagnostic));
        }
        if !self.operators.iter().any(|name| name == word) {
            self.operators.push(word.to_string());
        }
        Ok(Op::Func(word.to_string()))
    }

    /// Without a directive: does another order of the turns leave other values? Writes of one element are such
    fn unordered(&self, updates: &[Update], folds: bool) -> Done<()> {
        let ranges = self.turns_ranges();
        for (n, a) in updates.iter().enumerate() {
            for b in updates[n..].iter().filter(|b| same_place(&a.place, &b.place)) {
                let across: Vec<Across> = (0..self.ivs.len())
                    .map(|d| match updates.iter().any(|u| u.map.iter().any(|e| e.uses_dim(d as u32))) {
                        true => Across::Differ,
                        false if folds => Across::Free,
                        false => Across::Differ,
                    })
                    .collect();
                // No loop keeps its turns apart: all of them are combined.
                if !across.contains(&Across::Differ) {
                    continue;
                }
                if let Some(clash) = may_conflict(&a.map, &b.map, &ranges[..], &across) {
                    let message = format!(
                        "C-DEP: two turns write one element of {}{}",
                        a.place.name,
                        self.turns_text(&clash)
                    );
                    return refuse(&codes::DEP, b.span, message);
                }
            }
        }
        Ok(())
    }

    pub fn turns_text(&self, clash: &Clash) -> String {
        let Clash::At { first, second } = clash else { return String::new() };
        let text = |turns: &[i64]| {
            let values = self.ivs.iter().zip(turns).map(|(iv, turn)| {
                let (start, step, _) = iv.range.unwrap_or((0, 1, 0));
                format!("{} = {}", iv.name, start + step * turn)
            });
            values.collect::<Vec<_>>().join(", ")
        };
        format!(": {} and {}", text(first), text(second))
    }

    /// Reads of what is written: old values are what a computation sees
    fn reads(&self, updates: &[Update], folds: bool) -> Done<()> {
        let Some(body) = &self.body else { return Ok(()) };
        let ranges = self.turns_ranges();
        for input in &body.inputs {
            let whole = match (&input.source, &input.map) {
                (Source::Array(n, _), None) => updates.iter().find(|update| update.place.array == Some(*n)),
                _ => None,
            };
            if let Some(update) = whole {
                let message = format!("C-DEP: {} is gathered from while it is written", update.place.name);
                return refuse(&codes::DEP, input.span, message);
            }
            for update in updates {
                let (array, map) = match (&input.source, &input.map) {
                    (Source::Array(n, field), Some(map)) => {
                        let own = update.place.array == Some(*n)
                            && update.place.field.is_none_or(|other| other == *field);
                        (own, map.as_slice())
                    }
                    (Source::Cell(name), _) => {
                        (update.place.array.is_none() && update.place.name == *name, &[][..])
                    }
                    _ => (false, &[][..]),
                };
                if !array {
                    continue;
                }
                let name = &update.place.name;
                if folds {
                    let message = format!("C-DEP: {name} is read while it is being added up");
                    return refuse(&codes::DEP, input.span, message);
                }
                for n in 0..self.ivs.len() {
                    let across: Vec<Across> = (0..self.ivs.len())
                        .map(|m| match m.cmp(&n) {
                            std::cmp::Ordering::Less => Across::Same,
                            std::cmp::Ordering::Equal => Across::Before,
                            std::cmp::Ordering::Greater => Across::Free,
                        })
                        .collect();
                    if let Some(clash) = may_conflict(&update.map, map, &ranges[..], &across) {
                        let message = format!(
                            "C-DEP: an element of {name} that is read here is written by a turn before{}",
                            self.turns_text(&clash)
                        );
                        return refuse(&codes::DEP, input.span, message);
                    }
                }
            }
        }
        Ok(())
    }

    /// A contribution to its output
    fn contribute(&mut self, update: &Update, folds: bool, outs: &mut Vec<Out>) -> Done<()> {
        let mut value = update.value.clone();
        let elem = value.elem();
        let builtin = match &update.operator {
            Some(word) => match self.operator(word, update.span, update)? {
                Op::Builtin(builtin) => Some(builtin),
                Op::Func(_) => None,
            },
            None => None,
        };
        if !folds && update.operator.is_some() {
            // Every element once: the old one takes part as an input.
            let old = self.read_input(&update.place)?;
            let word = update.operator.clone().unwrap_or_default();
            value = self.apply(&word, &old, &value, update)?;
        }
        if let Some(guard) = update.guard {
            let otherwise = match (folds, builtin) {
                (false, _) => self.read_input(&update.place)?,
                (true, Some(builtin)) => self.identity(builtin, elem),
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
            let Some(chosen) = self.select(guard, &value, &otherwise) else {
                return refuse(&codes::TYPE, update.span, "C-TYPE: both sides need one type");
            };
            value = chosen;
        }
        let fields: Vec<(usize, Elem)> = match (elem, update.place.field) {
            (Elem::Struct(n), _) => {
                self.file.structs[n].fields.iter().map(|(_, elem)| *elem).enumerate().collect()
            }
            (elem, field) => vec![(field.unwrap_or(0), elem)],
        };
        let values: Vec<Value> = match &value {
            Val::Record(_, values) => {
                let pairs: Vec<(Value, Elem)> =
                    values.iter().copied().zip(fields.iter().map(|(_, elem)| *elem)).collect();
                pairs.into_iter().map(|(value, elem)| self.store_form(&Val::One(value, elem), elem)).collect()
            }
            value => vec![self.store_form(value, elem)],
        };
        for ((field, elem), value) in fields.into_iter().zip(values) {
            let mut found = None;
            for (n, out) in outs.iter().enumerate() {
                if out.place.name == update.place.name && out.field == field {
                    found = Some(n);
                }
            }
            let Some(n) = found else {
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
            // Two contributions of one turn to one place.
            let before = Val::One(outs[n].values[access], Self::stored_elem(elem));
            let joined = match (&update.operator, folds) {
                (None, _) => value,
                (Some(_), false) => value,
                (Some(word), true) if builtin.is_some() => {
                    let word = word.clone();
                    let sum =
                        self.apply(&word, &before, &Val::One(value, Self::stored_elem(elem)), update)?;
                    self.to(&sum, Self::stored_elem(elem))
                }
                (Some(_), true) => {
                    return refuse(
                        &codes::OPER,
                        update.span,
                        "C-OPER: two updates of one place by an operator of the file",
                    );
                }
            };
            outs[n].values[access] = joined;
        }
        Ok(())
    }

    /// `a op b` by the word of an update
    fn apply(&mut self, word: &str, a: &Val, b: &Val, update: &Update) -> Done<Val> {
        use crate::ast::BinaryOp;
        let op = match word {
            "+" => BinaryOp::Add,
            "*" => BinaryOp::Mul,
            "&" => BinaryOp::And,
            "|" => BinaryOp::Or,
            "^" => BinaryOp::Xor,
            "&&" => BinaryOp::LogAnd,
            "||" => BinaryOp::LogOr,
            "min" | "max" => {
                let op = if word == "max" { BinaryOp::Gt } else { BinaryOp::Lt };
                let found = self.binary(op, a, b);
                let Some(test) = found else {
                    return refuse(&codes::TYPE, update.span, "C-TYPE: not numbers");
                };
                let test = self.truth(&test);
                return match self.select(test, a, b) {
                    Some(value) => Ok(value),
                    None => refuse(&codes::TYPE, update.span, "C-TYPE: not numbers"),
                };
            }
            name => {
                let n = self.file.functions.iter().position(|function| function.name == name);
                return match n {
                    Some(n) => self.inline(n, &[a.clone(), b.clone()], update.span),
                    None => refuse(&codes::OPER, update.span, format!("C-OPER: `{name}` is no operator")),
                };
            }
        };
        let elem = update.value.elem();
        match self.binary(op, a, b) {
            Some(value) => Ok(self.cast(&value, elem)),
            None => refuse(&codes::TYPE, update.span, "C-TYPE: not numbers"),
        }
    }

    /// Identity of a built-in operator
    pub fn identity(&self, builtin: Builtin, elem: Elem) -> Val {
        let float = matches!(elem, Elem::Float(_));
        let infinity = |sign: f64| Val::Float(sign * f64::INFINITY, elem);
        let bits = match elem {
            Elem::Int { bits, .. } => bits,
            _ => 8,
        };
        match builtin {
            Builtin::Add | Builtin::Or | Builtin::Xor | Builtin::MaxU if !float => Val::Int(0, elem),
            Builtin::MinU => Val::Int(-1, elem),
            Builtin::Mul if !float => Val::Int(1, elem),
            Builtin::And => Val::Int(if elem == Elem::Bool { 1 } else { -1 }, elem),
            Builtin::Min if !float => Val::Int((1i128 << (bits - 1)) - 1, elem),
            Builtin::Max if !float => Val::Int(-(1i128 << (bits - 1)), elem),
            Builtin::Mul => Val::Float(1.0, elem),
            Builtin::Min => infinity(1.0),
            Builtin::Max => infinity(-1.0),
            _ => Val::Float(0.0, elem),
        }
    }

    /// Identity of an operator of the file, if it declares one
    fn declared_identity(&mut self, update: &Update) -> Done<Option<Val>> {
        let word = update.operator.clone().unwrap_or_default();
        let file = self.file;
        let found =
            file.functions.iter().find(|function| function.name == word).and_then(|f| f.operator.as_ref());
        let Some(operator) = found.filter(|operator| !operator.identity.is_empty()) else { return Ok(None) };
        match update.value.elem() {
            Elem::Struct(n) => self.record(n, &operator.identity, update.span).map(Some),
            elem => {
                let value = self.expr(&operator.identity[0])?;
                Ok(Some(self.cast(&value, elem)))
            }
        }
    }

    /// The yield
    fn finish_body(&mut self, outs: &[(Out, First)]) {
        let values: Vec<Value> = outs.iter().flat_map(|(out, _)| out.values.iter().copied()).collect();
        let end = self.op_id(mdh::Yield::DEF, &values, &[]);
        // Temporaries that became subscripts or conditions are no values.
        while let Some(op) = {
            let ops: Vec<_> = self.ir.block_ops(self.block).collect();
            ops.into_iter().rev().find(|op| *op != end && self.ir.is_unused(*op))
        } {
            self.ir.erase(op);
        }
        let Some(body) = &mut self.body else { return };
        for n in (0..body.inputs.len()).rev() {
            if !self.ir.is_used(body.inputs[n].arg) {
                body.inputs.remove(n);
                self.ir.remove_block_arg(body.block, n);
            }
        }
    }
}
