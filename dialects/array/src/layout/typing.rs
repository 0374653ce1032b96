//! Types of the results of layout ops, and what must hold of sizes: one place for parser, verifier and interpreter.

use super::table;
use crate::codes;
use crate::misfit::Misfit;
use crate::nat_text::nat_of;
use crate::size::{Obligation, Relation, check};
use crate::types::{MAX_NESTING, is_deep, split_type};
use terrace_analysis::nat::{Claim, Facts, Nat, Proof};
use terrace_diag::Reported;
use terrace_ir::show::type_text;
use terrace_ir::{Attr, Context, Ir, OpDef, OpId, Type, VerifyCx};

/// What a layout op is, from its operands and attributes
#[derive(Default)]
pub struct Shape {
    /// Types of the results
    pub results: Vec<Type>,
    /// What must hold
    pub obligations: Vec<Obligation>,
}

/// Operands and properties of an op that may not exist yet; gathers conditions on sizes
pub struct Typing<'a> {
    /// The context of the types
    pub cx: &'a Context,
    /// Types of the operands
    pub types: &'a [Type],
    attr: &'a dyn Fn(&str) -> Option<Attr>,
    declared: Option<Type>,
    obligations: Vec<Obligation>,
}

impl Typing<'_> {
    /// Size and element of an operand that is an array
    pub fn array(&self, n: usize) -> Result<(Nat, Type), Misfit> {
        let Some(ty) = self.types.get(n).copied() else {
            return Err(Misfit::ty("an operand is missing"));
        };
        split_type(self.cx, ty)
            .ok_or_else(|| Misfit::ty(format!("needs an array, not {}", type_text(self.cx, ty))))
    }

    /// An array of arrays: both sizes and the element
    pub fn arrays(&self) -> Result<(Nat, Nat, Type), Misfit> {
        let (outer, inside) = self.array(0)?;
        let (inner, elem) = split_type(self.cx, inside).ok_or_else(|| {
            Misfit::ty(format!("needs an array of arrays, not of {}", type_text(self.cx, inside)))
        })?;
        Ok((outer, inner, elem))
    }

    /// Size of an array of indices
    pub fn index_array(&self, n: usize) -> Result<Nat, Misfit> {
        let (size, elem) = self.array(n)?;
        if elem.is_index(self.cx) {
            return Ok(size);
        }
        Err(Misfit::ty(format!("indices are an array of index, not of {}", type_text(self.cx, elem))))
    }

    /// Is the property there?
    pub fn has(&self, name: &str) -> bool {
        (self.attr)(name).is_some()
    }

    /// A property that is a size
    pub fn nat(&self, name: &str) -> Result<Nat, Misfit> {
        let attr = (self.attr)(name).and_then(|attr| nat_of(self.cx, attr));
        attr.ok_or_else(|| Misfit::size(format!("attribute '{name}' is no size")))
    }

    /// A property that is a word
    pub fn word(&self, name: &str) -> Option<&str> {
        (self.attr)(name)?.as_str(self.cx)
    }

    /// The type of the result, where the program states it
    pub fn declared(&self) -> Option<Type> {
        self.declared
    }

    /// Two types are the same one
    pub fn same(&self, a: Type, b: Type, what: &str) -> Result<(), Misfit> {
        if a == b {
            return Ok(());
        }
        Err(Misfit::ty(format!("{what} are {} and {}", type_text(self.cx, a), type_text(self.cx, b))))
    }

    /// A condition on sizes
    pub fn must(&mut self, relation: Relation, a: &Nat, b: &Nat, what: &'static str) {
        self.obligations.push(Obligation { relation, a: a.clone(), b: b.clone(), what });
    }

    /// A function of the index stays inside of an array
    pub fn inside(&mut self, index: &Nat, size: &Nat, facts: &Facts) -> Result<(), Misfit> {
        let behind = index.plus(&Nat::from(1))?;
        for (a, b) in [(&Nat::from(0), index), (&behind, size)] {
            if facts.prove(Claim::AtMost(a, b)) != Proof::Yes {
                self.must(Relation::AtMost, a, b, "index");
            }
        }
        Ok(())
    }
}

fn typed(
    cx: &Context,
    def: &OpDef,
    types: &[Type],
    attr: &dyn Fn(&str) -> Option<Attr>,
    declared: Option<Type>,
) -> Result<Shape, Misfit> {
    if types.is_empty() {
        return Err(Misfit::ty("an operand is missing"));
    }
    let Some(table) = table(def) else { return Err(Misfit::ty("is no layout op")) };
    let mut typing = Typing { cx, types, attr, declared, obligations: Vec::new() };
    let results = (table.types)(&mut typing)?;
    if results.iter().any(|ty| is_deep(cx, *ty)) {
        return Err(Misfit::ty(format!("arrays and tuples are nested {MAX_NESTING} deep at most")));
    }
    Ok(Shape { results, obligations: typing.obligations })
}

/// The shape of a layout op of this definition; the error says which rule it breaks
pub fn shape(
    cx: &Context,
    def: &OpDef,
    types: &[Type],
    attr: &dyn Fn(&str) -> Option<Attr>,
) -> Result<Shape, Misfit> {
    typed(cx, def, types, attr, None)
}

/// The shape of a layout op of a unit
pub fn of_op(ir: &Ir, op: OpId) -> Result<Shape, Misfit> {
    let types: Vec<Type> = ir.operands(op).map(|value| ir.ty(value)).collect();
    let declared = ir.results(op).next().map(|value| ir.ty(value));
    typed(ir.cx(), ir.def(op), &types, &|name| ir.attr(op, name), declared)
}

/// The verifier of every layout op
pub fn verify(v: &VerifyCx<'_>, op: OpId) -> Result<(), Reported> {
    let fail = |why: Misfit| v.fail(op, why.code(), why.to_string());
    let shape = match of_op(v.ir, op) {
        Ok(shape) => shape,
        Err(why) => return fail(why),
    };
    check(v, op, &shape.obligations)?;
    if let Some(Err(why)) = table(v.ir.def(op)).map(|table| (table.check)(op, v.ir)) {
        return fail(why);
    }
    let have: Vec<Type> = v.ir.results(op).map(|value| v.ir.ty(value)).collect();
    if have == shape.results {
        return Ok(());
    }
    let list = |types: &[Type]| types.iter().map(|ty| v.show(*ty)).collect::<Vec<_>>().join(", ");
    let message = format!("TYPE: gives {}, declared {}", list(&shape.results), list(&have));
    v.fail(op, &codes::TYPE, message)
}
