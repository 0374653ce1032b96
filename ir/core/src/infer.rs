//! Types of an op's fields from what is known of the others: relations, constraints with only one type, `infer`.
//!
//! One algorithm for the parser (some types stand in the text) and for building (operands are there). A field's type is
//! that of its first value; a relation says the same of all of them. Nothing is checked here: the verifier does that.

use crate::attrs::Attr;
use crate::context::Context;
use crate::defs::{Arity, InferCx, OpDef, Slot, TypeRel};
use crate::types::Type;

/// Types known so far, by field
pub struct Known {
    /// Of operand fields
    pub operands: Vec<Option<Type>>,
    /// Of result fields
    pub results: Vec<Option<Type>>,
}

impl Known {
    /// Nothing is known
    pub fn new(def: &OpDef) -> Known {
        Known { operands: vec![None; def.operands.len()], results: vec![None; def.results.len()] }
    }

    /// Type of a field
    pub fn get(&self, slot: Slot) -> Option<Type> {
        match slot {
            Slot::Operand(field) => self.operands[field as usize],
            Slot::Result(field) => self.results[field as usize],
        }
    }

    /// Set the type of a field if none is known; true if that is news
    pub fn learn(&mut self, slot: Slot, ty: Option<Type>) -> bool {
        let place = match slot {
            Slot::Operand(field) => &mut self.operands[field as usize],
            Slot::Result(field) => &mut self.results[field as usize],
        };
        if place.is_some() || ty.is_none() {
            return false;
        }
        *place = ty;
        true
    }

    /// Fill in what constraints and relations give; `attrs` are the op's attribute slots
    pub fn complete(&mut self, cx: &Context, def: &OpDef, attrs: &[Option<Attr>]) {
        for (place, spec) in self.operands.iter_mut().zip(def.operands) {
            *place = place.or_else(|| spec.ty.only.map(|make| make(cx)));
        }
        for (place, spec) in self.results.iter_mut().zip(def.results) {
            *place = place.or_else(|| spec.ty.only.map(|make| make(cx)));
        }
        // Each round learns of at least one field, so rounds are at most as many as fields.
        let mut news = true;
        while news {
            news = false;
            for relation in def.relations {
                news |= self.apply(cx, attrs, relation);
            }
        }
    }

    fn apply(&mut self, cx: &Context, attrs: &[Option<Attr>], relation: &TypeRel) -> bool {
        match *relation {
            TypeRel::Same(slots) => {
                let ty = slots.iter().find_map(|slot| self.get(*slot));
                let mut news = false;
                for &slot in slots {
                    news |= self.learn(slot, ty);
                }
                news
            }
            TypeRel::BoolLike { from, to } => {
                let ty = self.get(from).map(|ty| ty.with_element(cx, cx.common().i1));
                self.learn(to, ty)
            }
            TypeRel::ElementOf { from, to } => {
                let ty = self.get(from).and_then(|ty| ty.element(cx));
                self.learn(to, ty)
            }
            TypeRel::TypeOfAttr { attr, to } => {
                let attr = attrs.get(attr as usize).copied().flatten();
                self.learn(to, attr.and_then(|attr| attr.ty(cx)))
            }
            TypeRel::By { from, to, make } => {
                let ty = self.get(from).and_then(|ty| make(cx, ty));
                self.learn(to, ty)
            }
            TypeRel::SameShape(..) | TypeRel::SameElement(..) => false,
        }
    }
}

/// Types of all results from the operands' types, their numbers by field and the attribute slots
///
/// `None` if the tables do not tell, which is so for ops with result fields of varying number but no `infer`.
pub fn result_types(
    cx: &Context,
    def: &OpDef,
    operands: &[Type],
    segments: &[u32],
    attrs: &[Option<Attr>],
) -> Option<Vec<Type>> {
    if def.results.iter().all(|spec| spec.arity == Arity::One) {
        let known = known_results(cx, def, operands, segments, attrs);
        if let Some(types) = known.results.iter().copied().collect::<Option<Vec<Type>>>() {
            return Some(types);
        }
    }
    (def.infer?)(&InferCx { cx, operands, segments, attrs })
}

/// What is known of the result fields when all operands are
pub fn known_results(
    cx: &Context,
    def: &OpDef,
    operands: &[Type],
    segments: &[u32],
    attrs: &[Option<Attr>],
) -> Known {
    let mut known = Known::new(def);
    let mut start = 0;
    for (place, size) in known.operands.iter_mut().zip(segments) {
        let end = start + *size as usize;
        *place = operands.get(start..end).and_then(|types| types.first()).copied();
        start = end;
    }
    known.complete(cx, def, attrs);
    known
}
