//! Operators of updates: built in, or functions of the file.

use crate::ast::{BinaryOp, Elem};
use crate::codes;
use crate::computation::{Update, same_place};
use crate::lowering::Lowering;
use crate::refusal::{Done, refuse};
use crate::value::Val;
use terrace_diag::{Diagnostic, Span, nearest};
use terrace_dialect_mdh::operator::{Builtin, Operator};

/// What an operator is
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    Builtin(Builtin),
    Func(String),
}

impl Lowering<'_> {
    /// The directive's operators, compared with the body's updates
    pub fn operators(
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
    pub fn operator(&mut self, word: &str, at: Span, update: &Update) -> Done<Op> {
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
                let message = format!("C-OPER: `{word}` does not combine {}", self.names.show(elem));
                return refuse(&codes::OPER, at, message);
            }
            return Ok(Op::Builtin(builtin));
        }
        if self.is_joint(word) {
            return Ok(Op::Func(word.to_string()));
        }
        let Some(function) = self.names.file.functions.iter().find(|function| function.name == word) else {
            let names =
                self.names.file.functions.iter().filter(|f| f.operator.is_some()).map(|f| f.name.as_str());
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
            let ty = self.names.show(elem);
            let message = format!("C-OPER: {word} must be {ty} {word}({ty}, {ty})");
            let diagnostic =
                Diagnostic::error(&codes::OPER, message).at(at).also(function.span, "defined here");
            return Err(Box::new(diagnostic));
        }
        Ok(Op::Func(word.to_string()))
    }

    /// `a op b` by the word of an update
    pub fn apply(&mut self, word: &str, a: &Val, b: &Val, update: &Update) -> Done<Val> {
        use BinaryOp;
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
                let found = self.emit.binary(op, a, b);
                let Some(test) = found else {
                    return refuse(&codes::TYPE, update.span, "C-TYPE: not numbers");
                };
                let test = self.emit.truth(&test);
                return match self.emit.select(test, a, b) {
                    Some(value) => Ok(value),
                    None => refuse(&codes::TYPE, update.span, "C-TYPE: not numbers"),
                };
            }
            name => {
                let n = self.names.file.functions.iter().position(|function| function.name == name);
                return match n {
                    Some(n) => self.inline(n, &[a.clone(), b.clone()], update.span),
                    None => refuse(&codes::OPER, update.span, format!("C-OPER: `{name}` is no operator")),
                };
            }
        };
        let elem = update.value.elem();
        match self.emit.binary(op, a, b) {
            Some(value) => Ok(self.emit.cast(&value, elem)),
            None => refuse(&codes::TYPE, update.span, "C-TYPE: not numbers"),
        }
    }

    /// Identity of an operator of the file, if it declares one
    pub fn declared_identity(&mut self, update: &Update) -> Done<Option<Val>> {
        let word = update.operator.clone().unwrap_or_default();
        let file = self.names.file;
        let found =
            file.functions.iter().find(|function| function.name == word).and_then(|f| f.operator.as_ref());
        let Some(operator) = found.filter(|operator| !operator.identity.is_empty()) else { return Ok(None) };
        match update.value.elem() {
            Elem::Struct(n) => self.record(n, &operator.identity, update.span).map(Some),
            elem => {
                let value = self.expr(&operator.identity[0])?;
                Ok(Some(self.emit.cast(&value, elem)))
            }
        }
    }
}

/// Identity of a built-in operator
pub fn identity(builtin: Builtin, elem: Elem) -> Val {
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
