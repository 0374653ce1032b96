//! Which numbers a partial result is.

use super::exact::Terms;
use super::{compensated, round};
use crate::elements::convert;
use terrace_dialect_arith as arith;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::operator::{Builtin, Operator};
use terrace_dialect_mdh::view::{CombineKind, Order, View};
use terrace_ir::{Builder, Ir, Str, Type, Value};

/// Partial results of an output
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// As written
    Plain(Operator),
    /// In another type
    Wide(Builtin, Type),
    /// A sum in a type, and its error
    Compensated(Type, Str),
    /// Integers
    Exact(Terms),
}

impl Form {
    /// Of each output; `joint` gives the operator on sums and errors of a type
    pub fn of(ir: &Ir, op: Compute, view: &View, joint: &mut dyn FnMut(Type) -> Str) -> Option<Vec<Form>> {
        let cx = ir.cx();
        let exact = view.order(Order::Exact).is_some();
        let mut forms = Vec::new();
        for group in view.groups()? {
            let ty = ir.ty(ir.result(op.id(), group.first)).scalar(cx);
            forms.push(match group.operator {
                Operator::Builtin(Builtin::Add) if exact && ty.is_float(cx) => {
                    Form::Exact(Terms::of(ir, op, view, group.first)?)
                }
                Operator::Builtin(_) => Form::Plain(group.operator),
                Operator::Accumulated(own) if own.compensated => {
                    let ty = own.ty.unwrap_or(ty);
                    Form::Compensated(ty, joint(ty))
                }
                Operator::Accumulated(own) => Form::Wide(own.builtin, own.ty.unwrap_or(ty)),
                Operator::Func(_) if group.len == 1 => Form::Plain(group.operator),
                Operator::Func(_) => return None,
            });
        }
        Some(forms)
    }

    /// Its numbers' types; `result` is that of the output
    pub fn types(self, ir: &Ir, result: Type) -> Vec<Type> {
        let common = ir.cx().common();
        match self {
            Form::Plain(_) => vec![result],
            Form::Wide(_, ty) => vec![ty],
            Form::Compensated(ty, _) => vec![ty; 2],
            Form::Exact(terms) => {
                std::iter::repeat_n(common.i64, terms.words()).chain([common.i32]).collect()
            }
        }
    }

    /// What merges its numbers
    fn operators(self) -> Vec<Operator> {
        match self {
            Form::Plain(operator) => vec![operator],
            Form::Wide(builtin, _) => vec![Operator::Builtin(builtin)],
            Form::Compensated(_, name) => vec![Operator::Func(name)],
            Form::Exact(terms) => {
                let sums = std::iter::repeat_n(Operator::Builtin(Builtin::Add), terms.words());
                sums.chain([Operator::Builtin(Builtin::Or)]).collect()
            }
        }
    }

    /// A term as such numbers
    pub fn split(self, b: &mut Builder<'_>, term: Value) -> Vec<Value> {
        match self {
            Form::Plain(_) => vec![term],
            Form::Wide(_, ty) => vec![convert(b, term, ty)],
            Form::Compensated(ty, _) => vec![convert(b, term, ty), compensated::float(b, 0.0, ty)],
            Form::Exact(terms) => terms.split(b, term),
        }
    }

    /// The result that such numbers are; `empty` where there may have been no terms
    pub fn join(self, b: &mut Builder<'_>, numbers: &[Value], result: Type, empty: bool) -> Value {
        let value = match (self, numbers) {
            (Form::Compensated(..), [sum, error]) => {
                let mut total = compensated::total(b, *sum, *error);
                if empty {
                    let ty = b.read().ty(total);
                    let zero = compensated::float(b, 0.0, ty);
                    total = arith::AddF::build(b, total, zero).result(b.read());
                }
                total
            }
            (Form::Exact(terms), [words @ .., flags]) => {
                let common = b.cx().common();
                let to = match () {
                    () if result == common.f32 => round::To::F32,
                    () if result == common.f64 => round::To::F64,
                    () => round::To::Odd,
                };
                round::float(b, words, *flags, terms.narrow, to)
            }
            (_, all) => all[0],
        };
        convert(b, value, result)
    }
}

/// How dimensions are combined, with the operators of all numbers of all outputs; an exact sum has any order
pub fn kind(forms: &[Form], kind: &CombineKind) -> CombineKind {
    let operators = || forms.iter().flat_map(|form| form.operators()).collect();
    match kind {
        CombineKind::Cc => CombineKind::Cc,
        CombineKind::Pw(_, Order::Exact) => CombineKind::Pw(operators(), Order::Fixed),
        CombineKind::Pw(_, order) => CombineKind::Pw(operators(), *order),
        CombineKind::Ps(_) => CombineKind::Ps(operators()),
    }
}
