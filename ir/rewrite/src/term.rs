//! Rules as data: a term to find and a term to put in its place.
//!
//! Terms are over one-result ops whose operands are single values. A variable stands for any value, and twice for the same
//! one; `C` for any constant. The right-hand side is built only after everything has been found, so it cannot fail.

use crate::rewriter::Rewriter;
use crate::rule::{Miss, OrMiss, Rule};
use terrace_ir::fold::constant_of;
use terrace_ir::{Attr, Context, Ir, NewOp, OpDef, OpId, Type, Value};

/// What to find
pub enum Find {
    /// Any value; the same number means the same value
    Var(u8),
    /// Any constant; the number names it on the right
    Const(u8),
    /// A constant for which the test holds
    ConstIf(u8, fn(&Context, Attr) -> bool),
    /// The only result of this op, with these operands
    Op(&'static OpDef, &'static [Find]),
    /// The same, used nowhere else
    OneUse(&'static OpDef, &'static [Find]),
}

/// What to put there
pub enum Put {
    /// A variable
    Var(u8),
    /// A constant of the root's type computed from those found; `None` is a miss, asked before anything is built
    Const(fn(&Context, &[Attr], Type) -> Option<Attr>),
    /// A new op with the root's result type
    Op(&'static OpDef, &'static [Put]),
}

/// A rule built from two terms
pub struct TermRule {
    /// Name
    pub name: &'static str,
    /// Left-hand side: `Op` or `OneUse`
    pub find: Find,
    /// Right-hand side
    pub put: Put,
}

const MAX: usize = 8;

const OTHER_OP: &str = "operand is another op's result";
const NO_CONSTANT: &str = "operand is not a constant";

struct Binding {
    vars: [Option<Value>; MAX],
    consts: [Option<Attr>; MAX],
}

fn find(ir: &Ir, term: &Find, value: Value, bind: &mut Binding) -> Result<(), Miss> {
    match term {
        Find::Var(n) => match bind.vars[*n as usize].replace(value) {
            Some(other) if other != value => Err(Miss("one variable stands for two values")),
            _ => Ok(()),
        },
        Find::Const(n) => {
            bind.consts[*n as usize] = Some(constant_of(ir, value).ok_or(Miss(NO_CONSTANT))?);
            Ok(())
        }
        Find::ConstIf(n, test) => {
            let attr = constant_of(ir, value).ok_or(Miss(NO_CONSTANT))?;
            bind.consts[*n as usize] = Some(attr);
            if test(ir.cx(), attr) { Ok(()) } else { Err(Miss("the constant is another one")) }
        }
        Find::Op(def, operands) => find_op(ir, def, operands, ir.defining_op(value), bind),
        Find::OneUse(def, operands) => {
            if !ir.has_one_use(value) {
                return Err(Miss("an inner op has other users"));
            }
            find_op(ir, def, operands, ir.defining_op(value), bind)
        }
    }
}

fn find_op(
    ir: &Ir,
    def: &'static OpDef,
    operands: &[Find],
    op: Option<OpId>,
    bind: &mut Binding,
) -> Result<(), Miss> {
    let op = op.filter(|op| ir.is(*op, def)).ok_or(Miss(OTHER_OP))?;
    if ir.num_operands(op) != operands.len() {
        return Err(Miss("another number of operands"));
    }
    operands.iter().zip(ir.operands(op)).try_for_each(|(term, value)| find(ir, term, value, bind))
}

/// A right-hand side with its constants computed
enum Ready {
    Value(Value),
    Attr(Attr),
    Op(&'static OpDef, Vec<Ready>),
}

fn ready(ir: &Ir, term: &Put, bind: &Binding, ty: Type) -> Result<Ready, Miss> {
    Ok(match term {
        Put::Var(n) => Ready::Value(bind.vars[*n as usize].ok_or(Miss("unbound variable"))?),
        Put::Const(make) => {
            let found: Vec<Attr> = bind.consts.iter().map_while(|attr| *attr).collect();
            Ready::Attr(make(ir.cx(), &found, ty).ok_or(Miss("the constants do not combine"))?)
        }
        Put::Op(def, operands) => {
            ir.cx().kind_of(def).ok_or(Miss("the op's dialect is not registered"))?;
            Ready::Op(def, operands.iter().map(|term| ready(ir, term, bind, ty)).collect::<Result<_, _>>()?)
        }
    })
}

fn build(rw: &mut Rewriter<'_>, root: OpId, term: Ready, ty: Type) -> Option<Value> {
    match term {
        Ready::Value(value) => Some(value),
        Ready::Attr(attr) => {
            let kind = rw.ir().kind(root);
            rw.constant(root, attr, ty, kind)
        }
        Ready::Op(def, operands) => {
            let operands: Option<Vec<Value>> =
                operands.into_iter().map(|term| build(rw, root, term, ty)).collect();
            let kind = rw.ir().cx().kind_of(def)?;
            let slots = vec![None; def.attrs.len()];
            let new = NewOp { operands: &operands?, results: &[ty], slots: &slots, ..NewOp::new(kind) };
            let op = rw.insert_before(root, &new);
            Some(rw.ir().result(op, 0))
        }
    }
}

impl Rule for TermRule {
    fn name(&self) -> &'static str {
        self.name
    }

    fn root(&self) -> Option<&'static OpDef> {
        match &self.find {
            Find::Op(def, _) | Find::OneUse(def, _) => Some(def),
            _ => None,
        }
    }

    fn apply(&self, rw: &mut Rewriter<'_>, op: OpId) -> Result<(), Miss> {
        let (Find::Op(def, operands) | Find::OneUse(def, operands)) = &self.find else {
            return Err(Miss("the left-hand side is no op"));
        };
        // Most rules miss at what defines an operand: asked before anything is bound.
        let defined = |(term, value): (&Find, Value)| match term {
            Find::Op(inner, _) | Find::OneUse(inner, _) => {
                let defined = rw.ir().defining_op(value).is_some_and(|op| rw.ir().is(op, inner));
                defined.or_miss(OTHER_OP)
            }
            Find::Const(_) | Find::ConstIf(..) => constant_of(rw.ir(), value).is_some().or_miss(NO_CONSTANT),
            Find::Var(_) => Ok(()),
        };
        if rw.ir().is(op, def) {
            operands.iter().zip(rw.ir().operands(op)).try_for_each(defined)?;
        }
        let mut bind = Binding { vars: [None; MAX], consts: [None; MAX] };
        find_op(rw.ir(), def, operands, Some(op), &mut bind)?;
        let ty = rw.ir().ty(rw.ir().result(op, 0));
        let term = ready(rw.ir(), &self.put, &bind, ty)?;
        let value = build(rw, op, term, ty).ok_or(Miss("a constant could not be made"))?;
        rw.replace(op, &[value]);
        Ok(())
    }
}
