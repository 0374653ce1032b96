//! Types of the results of layout ops, and what must hold of sizes: one place for parser, verifier and interpreter.

use crate::codes;
use crate::nat_text::nat_of;
use crate::patterns::is_splat;
use crate::size::{Obligation, Relation, Verdict, bound, value_of};
use crate::types::{array_of, flatten, is_lane, split_type, split_vector, vector_of};
use crate::views::View;
use terrace_analysis::nat::{Claim, Facts, Nat, NatError, Proof};
use terrace_diag::Reported;
use terrace_ir::show::type_text;
use terrace_ir::{Attr, Context, Ir, OpId, Type, TypeKind, VerifyCx};

/// What a layout op is, from its operands and attributes
#[derive(Default)]
pub struct Shape {
    /// Types of the results
    pub results: Vec<Type>,
    /// What must hold
    pub obligations: Vec<Obligation>,
}

/// Gathers a shape
struct Maker<'a> {
    cx: &'a Context,
    types: &'a [Type],
    attr: &'a dyn Fn(&str) -> Option<Attr>,
    obligations: Vec<Obligation>,
}

fn large(error: NatError) -> String {
    format!("SIZE: {error}")
}

impl Maker<'_> {
    fn array(&self, n: usize) -> Result<(Nat, Type), String> {
        let Some(ty) = self.types.get(n).copied() else {
            return Err("TYPE: an operand is missing".into());
        };
        split_type(self.cx, ty).ok_or_else(|| format!("TYPE: needs an array, not {}", type_text(self.cx, ty)))
    }

    /// An array of arrays: both sizes and the element
    fn arrays(&self) -> Result<(Nat, Nat, Type), String> {
        let (outer, inside) = self.array(0)?;
        let (inner, elem) = split_type(self.cx, inside).ok_or_else(|| {
            format!("TYPE: needs an array of arrays, not of {}", type_text(self.cx, inside))
        })?;
        Ok((outer, inner, elem))
    }

    fn nat(&self, name: &str) -> Result<Nat, String> {
        let attr = (self.attr)(name).and_then(|attr| nat_of(self.cx, attr));
        attr.ok_or_else(|| format!("SIZE: attribute '{name}' is no size"))
    }

    fn word(&self, name: &str) -> Option<String> {
        (self.attr)(name)?.as_str(self.cx).map(String::from)
    }

    fn must(&mut self, relation: Relation, a: &Nat, b: &Nat, what: &'static str) {
        self.obligations.push(Obligation { relation, a: a.clone(), b: b.clone(), what });
    }

    fn index_array(&self, n: usize) -> Result<Nat, String> {
        let (size, elem) = self.array(n)?;
        if elem.is_index(self.cx) {
            return Ok(size);
        }
        Err(format!("TYPE: indices are an array of index, not of {}", type_text(self.cx, elem)))
    }

    fn same(&self, a: Type, b: Type, what: &str) -> Result<(), String> {
        if a == b {
            return Ok(());
        }
        Err(format!("TYPE: {what} are {} and {}", type_text(self.cx, a), type_text(self.cx, b)))
    }

    /// A function of the index stays inside of an array
    fn inside(&mut self, index: &Nat, size: &Nat, facts: &Facts) -> Result<(), String> {
        let behind = index.plus(&Nat::from(1)).map_err(large)?;
        for (a, b) in [(&Nat::from(0), index), (&behind, size)] {
            if facts.prove(Claim::AtMost(a, b)) != Proof::Yes {
                self.must(Relation::AtMost, a, b, "index");
            }
        }
        Ok(())
    }

    /// Types of the results; each view has its own rule below
    fn results(&mut self, view: View) -> Result<Vec<Type>, String> {
        let cx = self.cx;
        Ok(vec![match view {
            View::Split => self.split()?,
            View::Join => {
                let (n, m, elem) = self.arrays()?;
                array_of(cx, &n.times(&m).map_err(large)?, elem)
            }
            View::Transpose => {
                let (n, m, elem) = self.arrays()?;
                array_of(cx, &m, array_of(cx, &n, elem))
            }
            View::Slide => self.slide()?,
            View::Pad => self.pad()?,
            View::Slice => self.slice()?,
            View::Reorder => self.reorder()?,
            View::Gather => self.gather()?,
            View::Scatter => self.scatter()?,
            View::Zip => self.zip()?,
            View::Unzip => {
                let (size, elem) = self.array(0)?;
                let TypeKind::Tuple(types) = elem.kind(cx) else {
                    return Err(format!("TYPE: needs an array of tuples, not of {}", type_text(cx, elem)));
                };
                return Ok(types.iter().map(|ty| array_of(cx, &size, *ty)).collect());
            }
            View::Concat => {
                let ((n, a), (m, b)) = (self.array(0)?, self.array(1)?);
                self.same(a, b, "elements of both arrays")?;
                array_of(cx, &n.plus(&m).map_err(large)?, a)
            }
            View::At => self.array(0)?.1,
            View::Single => array_of(cx, &Nat::from(1), self.types[0]),
            View::Tuple if self.types.len() < 2 => return Err("TYPE: needs two values or more".into()),
            View::Tuple => cx.ty(TypeKind::Tuple(self.types.into())),
            View::Get => self.get()?,
            View::AsVector => self.as_vector()?,
            View::AsScalar => self.as_scalar()?,
            View::Place => self.types[0],
            // The type is written: the size pairs are what can be wrong.
            View::Cast => return Ok(Vec::new()),
        }])
    }

    fn split(&mut self) -> Result<Type, String> {
        let ((n, elem), m) = (self.array(0)?, self.nat("size")?);
        self.must(Relation::AtMost, &Nat::from(1), &m, "size of parts");
        self.must(Relation::Divides, &m, &n, "size of parts");
        Ok(array_of(self.cx, &n.exact_div(&m).map_err(large)?, array_of(self.cx, &m, elem)))
    }

    fn slide(&mut self) -> Result<Type, String> {
        let one = Nat::from(1);
        let ((n, elem), size, step) = (self.array(0)?, self.nat("size")?, self.nat("step")?);
        self.must(Relation::AtMost, &one, &step, "step");
        self.must(Relation::AtMost, &size, &n, "window");
        let rest = n.minus(&size).map_err(large)?;
        let steps = if (self.attr)("strict").is_some() {
            self.must(Relation::Divides, &step, &rest, "step");
            rest.exact_div(&step)
        } else {
            rest.floor_div(&step)
        };
        let count = steps.and_then(|steps| steps.plus(&one)).map_err(large)?;
        Ok(array_of(self.cx, &count, array_of(self.cx, &size, elem)))
    }

    fn pad(&mut self) -> Result<Type, String> {
        let (zero, one) = (Nat::from(0), Nat::from(1));
        let ((n, elem), low, high) = (self.array(0)?, self.nat("low")?, self.nat("high")?);
        let all = n.plus(&low).and_then(|n| n.plus(&high)).map_err(large)?;
        self.must(Relation::AtMost, &zero, &all, "size after padding");
        let mode = self.word("mode");
        match (mode.as_deref(), self.types.get(1)) {
            (Some("value"), Some(value)) if is_splat(self.cx, *value, elem) => {}
            (Some("value"), Some(value)) => self.same(elem, *value, "element and value")?,
            (Some("value"), None) => return Err("TYPE: padding by a value needs one".into()),
            (mode, value) => {
                self.must(Relation::AtMost, &one, &n, "size before padding");
                if mode == Some("mirror") {
                    let last = n.minus(&one).map_err(large)?;
                    self.must(Relation::AtMost, &low, &last, "mirrored elements");
                    self.must(Relation::AtMost, &high, &last, "mirrored elements");
                }
                if value.is_some() {
                    return Err("TYPE: only padding by a value has one".into());
                }
            }
        }
        Ok(array_of(self.cx, &all, elem))
    }

    fn slice(&mut self) -> Result<Type, String> {
        let zero = Nat::from(0);
        let ((n, elem), offset, size) = (self.array(0)?, self.nat("offset")?, self.nat("size")?);
        self.must(Relation::AtMost, &zero, &offset, "offset");
        self.must(Relation::AtMost, &zero, &size, "size of the slice");
        self.must(Relation::AtMost, &offset.plus(&size).map_err(large)?, &n, "end of the slice");
        Ok(array_of(self.cx, &size, elem))
    }

    fn reorder(&mut self) -> Result<Type, String> {
        let (n, _) = self.array(0)?;
        let by_function = (self.attr)("index").or((self.attr)("inverse")).is_some();
        if (self.attr)("stride").is_none() {
            self.order_and_inverse(&n)?;
        } else if by_function {
            return Err("TYPE: has a stride or `by` a function of the index, not both".into());
        } else {
            let stride = self.nat("stride")?;
            self.must(Relation::AtMost, &Nat::from(1), &stride, "stride");
            self.must(Relation::Divides, &stride, &n, "stride");
        }
        Ok(self.types[0])
    }

    /// The functions of the index in `reorder` stay inside of the array and undo each other
    fn order_and_inverse(&mut self, n: &Nat) -> Result<(), String> {
        let (index, inverse) = (self.nat("index")?, self.nat("inverse")?);
        let facts = index_below(n);
        self.inside(&index, n, &facts)?;
        for (outer, inner) in [(&index, &inverse), (&inverse, &index)] {
            let put = outer.substitute(&|name| (name == INDEX).then(|| inner.clone()));
            let both = put.map_err(large)?.simplify(&facts);
            self.must(Relation::Equal, &both, &Nat::bound("i"), "order and its inverse");
        }
        Ok(())
    }

    fn gather(&mut self) -> Result<Type, String> {
        let (n, elem) = self.array(0)?;
        let size = match ((self.attr)("index").is_some(), self.types.len()) {
            (true, 1) => {
                let index = self.nat("index")?;
                let size = self.nat("size")?;
                self.inside(&index, &n, &index_below(&size))?;
                size
            }
            (false, 2) if (self.attr)("size").is_none() => self.index_array(1)?,
            _ => return Err("TYPE: needs either indices or `by` a function of the index".into()),
        };
        self.must(Relation::AtMost, &Nat::from(0), &size, "size");
        Ok(array_of(self.cx, &size, elem))
    }

    fn scatter(&mut self) -> Result<Type, String> {
        let ((m, elem), indices, (n, into)) = (self.array(0)?, self.index_array(1)?, self.array(2)?);
        self.same(elem, into, "elements of value and target")?;
        self.must(Relation::Equal, &m, &indices, "elements and indices");
        self.must(Relation::AtMost, &m, &n, "elements and places");
        Ok(self.types[2])
    }

    fn zip(&mut self) -> Result<Type, String> {
        let (first, _) = self.array(0)?;
        let mut elems = Vec::new();
        for n in 0..self.types.len() {
            let (size, elem) = self.array(n)?;
            if n > 0 {
                self.must(Relation::Equal, &first, &size, "sizes of zipped arrays");
            }
            elems.push(elem);
        }
        if elems.len() < 2 {
            return Err("TYPE: needs two arrays or more".into());
        }
        Ok(array_of(self.cx, &first, self.cx.ty(TypeKind::Tuple(elems.into()))))
    }

    fn get(&mut self) -> Result<Type, String> {
        let n = self.nat("component")?.as_constant().and_then(|n| usize::try_from(n).ok());
        let TypeKind::Tuple(tuple) = self.types[0].kind(self.cx) else {
            return Err(format!("TYPE: needs a tuple, not {}", type_text(self.cx, self.types[0])));
        };
        let found = n.and_then(|n| tuple.get(n)).copied();
        found.ok_or_else(|| format!("TYPE: the tuple has {} components, counted from 0", tuple.len()))
    }

    fn as_vector(&mut self) -> Result<Type, String> {
        let ((n, elem), lanes) = (self.array(0)?, self.nat("lanes")?);
        if lanes.as_constant().is_some_and(|count| count < 1) {
            return Err("SIZE: a vector has at least one lane".into());
        }
        if !is_lane(self.cx, elem) {
            return Err(format!("TYPE: lanes are numbers, not {}", type_text(self.cx, elem)));
        }
        self.must(Relation::AtMost, &Nat::from(1), &lanes, "lanes");
        self.must(Relation::Divides, &lanes, &n, "lanes");
        Ok(array_of(self.cx, &n.exact_div(&lanes).map_err(large)?, vector_of(self.cx, &lanes, elem)))
    }

    fn as_scalar(&mut self) -> Result<Type, String> {
        let (n, vector) = self.array(0)?;
        let Some((lanes, elem)) = split_vector(self.cx, vector) else {
            let vector = type_text(self.cx, vector);
            return Err(format!("TYPE: needs vectors of one dimension, not {vector}"));
        };
        Ok(array_of(self.cx, &n.times(&lanes).map_err(large)?, elem))
    }
}

/// What is known of the index in a function of it
fn index_below(size: &Nat) -> Facts {
    let mut facts = Facts::default();
    facts.set_below(INDEX, size);
    facts
}

/// Name of the index in functions of it
pub(crate) const INDEX: &str = "$i";

/// Deepest nesting of arrays and tuples
pub(crate) const MAX_NESTING: usize = 64;

/// Is it nested beyond the limit?
pub(crate) fn is_deep(cx: &Context, ty: Type) -> bool {
    let mut pending = vec![(ty, 0)];
    while let Some((ty, depth)) = pending.pop() {
        if depth > MAX_NESTING {
            return true;
        }
        match (split_type(cx, ty), ty.kind(cx)) {
            (Some((_, elem)), _) => pending.push((elem, depth + 1)),
            (None, TypeKind::Tuple(types)) => pending.extend(types.iter().map(|ty| (*ty, depth + 1))),
            _ => {}
        }
    }
    false
}

/// The shape of a layout op; the error says which rule it breaks
pub fn of(
    cx: &Context,
    view: View,
    types: &[Type],
    attr: &dyn Fn(&str) -> Option<Attr>,
) -> Result<Shape, String> {
    if types.is_empty() {
        return Err("TYPE: an operand is missing".into());
    }
    let mut maker = Maker { cx, types, attr, obligations: Vec::new() };
    let results = maker.results(view)?;
    if results.iter().any(|ty| is_deep(cx, *ty)) {
        return Err(format!("TYPE: arrays and tuples are nested {MAX_NESTING} deep at most"));
    }
    Ok(Shape { results, obligations: maker.obligations })
}

/// Size pairs of two types of one form, for a cast
pub fn cast(cx: &Context, from: Type, to: Type) -> Result<Vec<Obligation>, String> {
    let mut pairs = vec![(from, to)];
    let mut obligations = Vec::new();
    while let Some((a, b)) = pairs.pop() {
        if a == b {
            continue;
        }
        let ((left, a_elem), (right, b_elem)) = (flatten(cx, a), flatten(cx, b));
        let differ =
            || format!("TYPE: {} and {} differ in more than sizes", type_text(cx, from), type_text(cx, to));
        if left.len() != right.len() {
            return Err(differ());
        }
        for (a, b) in left.into_iter().zip(right).filter(|(a, b)| a != b) {
            obligations.push(Obligation { relation: Relation::Equal, a, b, what: "sizes of a cast" });
        }
        match (a_elem.kind(cx), b_elem.kind(cx)) {
            _ if a_elem == b_elem => {}
            _ if let (Some((a, left)), Some((b, right))) =
                (split_vector(cx, a_elem), split_vector(cx, b_elem))
                && left == right =>
            {
                obligations.push(Obligation { relation: Relation::Equal, a, b, what: "lanes of a cast" });
            }
            (TypeKind::Tuple(a), TypeKind::Tuple(b)) if a.len() == b.len() => {
                pairs.extend(a.iter().copied().zip(b.iter().copied()));
            }
            _ => return Err(differ()),
        }
    }
    Ok(obligations)
}

/// The shape of an op that stands in a unit
pub fn of_op(ir: &Ir, view: View, op: OpId) -> Result<Shape, String> {
    let cx = ir.cx();
    let types: Vec<Type> = ir.operands(op).map(|value| ir.ty(value)).collect();
    let mut shape = of(cx, view, &types, &|name| ir.attr(op, name))?;
    if view == View::Cast {
        let to = ir.ty(ir.result(op, 0));
        shape.obligations = cast(cx, types[0], to)?;
        shape.results = vec![to];
    }
    Ok(shape)
}

/// Report what is refuted
pub(crate) fn check(v: &VerifyCx<'_>, op: OpId, obligations: &[Obligation]) -> Result<(), Reported> {
    let bound = bound(v.ir);
    for obligation in obligations {
        if let Verdict::Refuted(why) = obligation.decide(&bound) {
            return v.fail(op, &codes::SIZE, format!("SIZE: {why}"));
        }
    }
    Ok(())
}

/// Largest size at which an order is tried element by element
const TRIED: i64 = 65_536;

/// Where an order of known size does not permute the elements, if it does not
fn wrong_order(ir: &Ir, op: OpId) -> Option<String> {
    let cx = ir.cx();
    let nat = |name: &str| ir.attr(op, name).and_then(|attr| nat_of(cx, attr));
    let (index, inverse) = (nat("index")?, nat("inverse")?);
    let mut known = bound(ir);
    let (size, _) = split_type(cx, ir.ty(ir.operand(op, 0)))?;
    let size = value_of(&size, &known).ok().filter(|size| *size <= TRIED)?;
    for i in 0..size {
        known.insert(INDEX.into(), i);
        let Ok(at) = value_of(&index, &known) else { return None };
        if !(0..size).contains(&at) {
            return Some(format!("index: {index} is {at} at $i = {i}, outside of {size} elements"));
        }
        known.insert(INDEX.into(), at);
        let back = value_of(&inverse, &known).ok()?;
        if back != i {
            return Some(format!("order and its inverse: $i = {i} goes to {at}, which goes to {back}"));
        }
    }
    None
}

pub(crate) fn verify(v: &VerifyCx<'_>, view: View, op: OpId) -> Result<(), Reported> {
    let shape = match of_op(v.ir, view, op) {
        Ok(shape) => shape,
        Err(why) => {
            let code = if why.starts_with("SIZE") { &codes::SIZE } else { &codes::TYPE };
            return v.fail(op, code, why);
        }
    };
    check(v, op, &shape.obligations)?;
    if view == View::Reorder
        && let Some(why) = wrong_order(v.ir, op)
    {
        return v.fail(op, &codes::SIZE, format!("SIZE: {why}"));
    }
    let have: Vec<Type> = v.ir.results(op).map(|value| v.ir.ty(value)).collect();
    if have == shape.results {
        return Ok(());
    }
    let list = |types: &[Type]| types.iter().map(|ty| v.show(*ty)).collect::<Vec<_>>().join(", ");
    let message = format!("TYPE: gives {}, declared {}", list(&shape.results), list(&have));
    v.fail(op, &codes::TYPE, message)
}
