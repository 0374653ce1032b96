//! Bodies as terms: what a reduction folds, with element-wise producers read through.
//!
//! Equal expressions are one term, however many computations they were spelled in. So two reductions fold the same
//! if they yield the same term over the same dimensions. Terms only read: nothing of the IR changes.

use crate::inline::producer::{Producer, Written};
use terrace_dialect_mdh::view::{Input, View};
use terrace_dialect_mdh::{Compute, Index, Yield};
use terrace_ir::{Attr, Ir, OpId, OpKind, Traits, Type, Value};
use terrace_support::affine::{AffineExpr, AffineMap};
use terrace_support::{HashMap, HashSet};

/// Most terms of one reduction: bodies have at most a few hundred operations
const MOST: usize = 1000;

/// Most producers that are read through one behind the other
const DEPTH: usize = 64;

/// Number of a term
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Id(u32);

/// An expression at a point
#[derive(Clone, Debug)]
pub enum Term {
    /// An element, or a value from outside: the number of a read
    Read(usize),
    /// A coordinate as a value
    Coordinate(AffineExpr),
    /// An op of one result
    Op { op: OpId, operands: Vec<Id> },
}

/// What makes two ops equal
#[derive(PartialEq, Eq, Hash)]
struct Key {
    kind: OpKind,
    dict: Option<Attr>,
    slots: Vec<Option<Attr>>,
    operands: Vec<Id>,
    ty: Type,
}

/// Terms over the dimensions of one computation
pub struct Terms {
    sizes: Vec<i64>,
    terms: Vec<Term>,
    ops: HashMap<Key, Id>,
    /// What is read, each once
    pub reads: Vec<Input>,
    /// Bodies that are terms already, by the op and where it is computed
    known: Vec<(OpId, Vec<AffineExpr>, Vec<Id>)>,
}

impl Terms {
    /// None yet
    pub fn over(view: &View) -> Terms {
        Terms {
            sizes: view.sizes(),
            terms: Vec::new(),
            ops: HashMap::default(),
            reads: Vec::new(),
            known: Vec::new(),
        }
    }

    /// The dimensions as coordinates; those of one coordinate are 0
    pub fn own_point(&self) -> Vec<AffineExpr> {
        let dim = |(n, size): (usize, &i64)| if *size == 1 { 0.into() } else { AffineExpr::Dim(n as u32) };
        self.sizes.iter().enumerate().map(dim).collect()
    }

    /// A term
    pub fn get(&self, id: Id) -> &Term {
        &self.terms[id.0 as usize]
    }

    /// The op and the operands of a term
    pub fn op(&self, id: Id) -> Option<(OpId, &[Id])> {
        match self.get(id) {
            Term::Op { op, operands } => Some((*op, operands)),
            _ => None,
        }
    }

    /// What a computation yields at coordinates of this one; `None` where that has no form as terms
    pub fn yields(
        &mut self,
        ir: &Ir,
        written: &Written,
        op: Compute,
        view: &View,
        at: &[AffineExpr],
    ) -> Option<Vec<Id>> {
        self.body(ir, written, (op, view), at, 0)
    }

    fn body(
        &mut self,
        ir: &Ir,
        written: &Written,
        (op, view): (Compute, &View),
        at: &[AffineExpr],
        depth: usize,
    ) -> Option<Vec<Id>> {
        let same = |(other, coords, _): &&(OpId, Vec<AffineExpr>, Vec<Id>)| *other == op.id() && coords == at;
        if let Some((_, _, found)) = self.known.iter().find(same) {
            return Some(found.clone());
        }
        let block = ir.entry(op.body(ir)).filter(|_| depth < DEPTH)?;
        let mut values: HashMap<Value, Id> = HashMap::default();
        for (arg, input) in ir.block_args(block).to_vec().into_iter().zip(&view.inputs) {
            let id = self.element(ir, written, input, at, depth)?;
            values.insert(arg, id);
        }
        for each in ir.block_ops(block) {
            if let Some(end) = Yield::cast(ir, each) {
                let found: Vec<Id> =
                    end.values(ir).iter().map(|value| values.get(value).copied()).collect::<Option<_>>()?;
                self.known.push((op.id(), at.to_vec(), found.clone()));
                return Some(found);
            }
            let id = self.operation(ir, each, &values, at)?;
            values.insert(ir.result(each, 0), id);
        }
        None
    }

    /// An element of an input: the producer's term, where it has one
    fn element(
        &mut self,
        ir: &Ir,
        written: &Written,
        input: &Input,
        at: &[AffineExpr],
        depth: usize,
    ) -> Option<Id> {
        let mut read = input.clone();
        if let Some(map) = &mut read.map {
            let place = |expr: &AffineExpr| Some(expr.replace(at, &[])?.within(&self.sizes));
            let results: Vec<AffineExpr> = map.results.iter().map(place).collect::<Option<_>>()?;
            *map = AffineMap::new(self.sizes.len() as u32, 0, results)?;
            let source = ir.defining_op(input.value).and_then(|op| Compute::cast(ir, op));
            if let (Some(source), None, None) = (source, &input.other, &input.guard)
                && let Some(producer) = Producer::read(ir, source, written)
            {
                let result = ir.results(source.id()).position(|value| value == input.value)?;
                let coords = producer.coordinates(result, &map.results)?;
                // What has no form as terms is read where it is stored.
                if let Some(found) = self.body(ir, written, (source, &producer.view), &coords, depth + 1) {
                    return found.get(result).copied();
                }
            }
        }
        if let Some(guard) = &mut read.guard {
            *guard = guard.replace(at, &[])?.within(&self.sizes);
        }
        if written.may_change(ir, read.value) {
            return None;
        }
        let same = |other: &Input| {
            other.value == read.value
                && other.map == read.map
                && other.other == read.other
                && other.guard == read.guard
        };
        let known = self.reads.iter().position(same);
        let number = known.unwrap_or(self.reads.len());
        if known.is_none() {
            self.reads.push(read);
        } else if let Some(id) = self.find(|term| matches!(term, Term::Read(n) if *n == number)) {
            return Some(id);
        }
        self.add(Term::Read(number))
    }

    fn operation(&mut self, ir: &Ir, op: OpId, values: &HashMap<Value, Id>, at: &[AffineExpr]) -> Option<Id> {
        let pure = ir.has(op, Traits::Pure) || ir.has(op, Traits::NoEffect);
        if !pure || ir.num_regions(op) > 0 || ir.num_results(op) != 1 {
            return None;
        }
        let ty = ir.ty(ir.result(op, 0));
        if let Some(index) = Index::cast(ir, op) {
            let dim = usize::try_from(index.dim(ir).as_i64(ir.cx())?).ok()?;
            let place = at.get(dim)?.clone();
            return match self.find(|term| matches!(term, Term::Coordinate(other) if *other == place)) {
                Some(id) => Some(id),
                None => self.add(Term::Coordinate(place)),
            };
        }
        let operands: Vec<Id> =
            ir.operands(op).map(|value| values.get(&value).copied()).collect::<Option<_>>()?;
        let mut sides = operands.clone();
        if sides.len() == 2 && ir.has(op, Traits::Commutative) {
            sides.sort_unstable();
        }
        let slots = (0..ir.def(op).attrs.len()).map(|slot| ir.slot(op, slot)).collect();
        let key = Key { kind: ir.kind(op), dict: ir.dict(op), slots, operands: sides, ty };
        if let Some(id) = self.ops.get(&key) {
            return Some(*id);
        }
        let id = self.add(Term::Op { op, operands })?;
        self.ops.insert(key, id);
        Some(id)
    }

    fn find(&self, test: impl Fn(&Term) -> bool) -> Option<Id> {
        self.terms.iter().position(test).map(|n| Id(n as u32))
    }

    fn add(&mut self, term: Term) -> Option<Id> {
        if self.terms.len() >= MOST {
            return None;
        }
        self.terms.push(term);
        Some(Id(self.terms.len() as u32 - 1))
    }

    /// The terms that a term is computed from, itself included, but for what is below some of them; operands come first
    pub fn below(&self, root: Id, but: &[Id]) -> Vec<Id> {
        let (mut found, mut pending): (HashSet<Id>, Vec<Id>) = (HashSet::default(), vec![root]);
        while let Some(id) = pending.pop() {
            if !but.contains(&id)
                && found.insert(id)
                && let Some((_, operands)) = self.op(id)
            {
                pending.extend(operands);
            }
        }
        let mut all: Vec<Id> = found.into_iter().collect();
        all.sort_unstable();
        all
    }

    /// Does a term depend on one of these dimensions?
    pub fn varies(&self, id: Id, dims: &[usize]) -> bool {
        let uses = |expr: &AffineExpr| dims.iter().any(|dim| expr.uses_dim(*dim as u32));
        self.below(id, &[]).into_iter().any(|id| match self.get(id) {
            Term::Read(n) => {
                let read = &self.reads[*n];
                read.map.iter().flat_map(|map| &map.results).chain(&read.guard).any(uses)
            }
            Term::Coordinate(place) => uses(place),
            Term::Op { .. } => false,
        })
    }
}
