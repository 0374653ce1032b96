//! Programs as terms.
//!
//! A term is an op with the terms of its operands and, where it has a function, those of what this yields. Arguments of functions
//! of patterns are numbers: 0 is the last argument of the innermost function around (de Bruijn). A value of a function around is
//! the same term inside of it but for these numbers, so that what does not depend on an element is equal wherever it stands.

use egg::{Id, Language};
use terrace_dialect_array::Yield;
use terrace_ir::{Attr, Ir, OpId, OpKind, RegionId, Type, Value};
use terrace_support::HashMap;

/// Most terms of a program
pub const MOST: usize = 50_000;

/// What a term is, without its parts
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Label {
    /// An argument of a function of a pattern, by number
    Var(u32, Type),
    /// An argument of the program
    Arg(u32, Type),
    /// One of several results; the part is the op
    Result(u32, Type),
    /// All that the program gives
    Program,
    /// An op
    Op(Op),
}

/// An op without its operands
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Op {
    /// Its kind
    pub kind: OpKind,
    /// Properties
    pub slots: Vec<Option<Attr>>,
    /// Other attributes
    pub dict: Option<Attr>,
    /// Sizes of operand fields, where they vary
    pub segments: Vec<u32>,
    /// Sizes of result fields, where they vary
    pub result_segments: Vec<u32>,
    /// Types of results
    pub results: Vec<Type>,
    /// How many parts are operands; the others are what its function yields
    pub operands: usize,
    /// Arguments of its function, if it has one
    pub params: Option<Vec<Type>>,
}

/// Labels by number: the same for the same label
#[derive(Clone, Default, Debug)]
pub struct Labels {
    all: Vec<Label>,
    by_label: HashMap<Label, u32>,
}

impl Labels {
    /// Its number
    pub fn number(&mut self, label: Label) -> u32 {
        if let Some(number) = self.by_label.get(&label) {
            return *number;
        }
        let number = self.all.len() as u32;
        self.all.push(label.clone());
        self.by_label.insert(label, number);
        number
    }

    /// The label of a number that was given
    pub fn label(&self, number: u32) -> &Label {
        &self.all[number as usize]
    }
}

/// A term: its label and its parts
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node {
    /// Number of the label
    pub label: u32,
    /// Operands, then what the function yields
    pub parts: Vec<Id>,
}

impl Language for Node {
    type Discriminant = (u32, usize);

    fn discriminant(&self) -> Self::Discriminant {
        (self.label, self.parts.len())
    }

    fn matches(&self, other: &Self) -> bool {
        self.discriminant() == other.discriminant()
    }

    fn children(&self) -> &[Id] {
        &self.parts
    }

    fn children_mut(&mut self) -> &mut [Id] {
        &mut self.parts
    }
}

/// Where a term stands: in the function of a pattern, in another, …
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct TermScope {
    region: RegionId,
    around: usize,
}

/// A program being read; terms go to whoever keeps them
pub struct Reader<'a> {
    ir: &'a Ir,
    /// What arguments of the unit's own block are
    args: HashMap<Value, Label>,
    places: Vec<TermScope>,
    by_place: HashMap<TermScope, usize>,
    done: HashMap<(Value, usize), Id>,
}

/// Why a program is no term, at an op
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoTerm {
    /// The op
    pub op: OpId,
    /// Why
    pub why: String,
}

enum Step {
    Ready(Node),
    /// One result of several, of this type
    Part(Node, u32, Type),
    Needs(Vec<(Value, usize)>),
}

impl<'a> Reader<'a> {
    /// Of a unit whose block has arguments with these labels
    pub fn new(ir: &'a Ir, top: RegionId, args: HashMap<Value, Label>) -> Reader<'a> {
        let place = TermScope { region: top, around: usize::MAX };
        let by_place = [(place, 0)].into_iter().collect();
        Reader { ir, args, places: vec![place], by_place, done: HashMap::default() }
    }

    fn place(&mut self, region: RegionId, around: usize) -> usize {
        let place = TermScope { region, around };
        let next = self.places.len();
        let found = *self.by_place.entry(place).or_insert(next);
        if found == next {
            self.places.push(place);
        }
        found
    }

    /// The term of a value of the unit's own block
    pub fn term(
        &mut self,
        value: Value,
        labels: &mut Labels,
        keep: &mut dyn FnMut(Node) -> Id,
    ) -> Result<Id, NoTerm> {
        let mut pending = vec![(value, 0)];
        while let Some(top) = pending.last().copied() {
            if self.done.contains_key(&top) {
                pending.pop();
                continue;
            }
            match self.step(top, labels)? {
                Step::Ready(node) => {
                    let id = keep(node);
                    self.done.insert(top, id);
                    pending.pop();
                }
                Step::Part(node, n, ty) => {
                    let whole = keep(node);
                    let label = labels.number(Label::Result(n, ty));
                    self.done.insert(top, keep(Node { label, parts: vec![whole] }));
                    pending.pop();
                }
                Step::Needs(more) => {
                    if self.done.len() + pending.len() + more.len() > MOST {
                        return Err(self.no(self.ir.root(), "the program has too many terms"));
                    }
                    pending.extend(more);
                }
            }
        }
        Ok(self.done[&(value, 0)])
    }

    fn no(&self, op: OpId, why: impl Into<String>) -> NoTerm {
        NoTerm { op, why: why.into() }
    }

    fn step(&mut self, (value, place): (Value, usize), labels: &mut Labels) -> Result<Step, NoTerm> {
        let ir = self.ir;
        let Some(op) = ir.defining_op(value) else {
            let label = self.argument(value, place)?;
            return Ok(Step::Ready(Node { label: labels.number(label), parts: Vec::new() }));
        };
        let (label, inner) = self.op(op)?;
        let inside = inner.map(|region| self.place(region, place));
        let mut needed: Vec<(Value, usize)> = ir.operands(op).map(|operand| (operand, place)).collect();
        if let (Some(region), Some(inside)) = (inner, inside) {
            let end = ir.entry(region).and_then(|block| ir.last_op(block));
            needed.extend(end.into_iter().flat_map(|end| ir.operands(end)).map(|yielded| (yielded, inside)));
        }
        let missing: Vec<_> = needed.iter().filter(|key| !self.done.contains_key(*key)).copied().collect();
        if !missing.is_empty() {
            return Ok(Step::Needs(missing));
        }
        let parts = needed.iter().map(|key| self.done[key]).collect();
        let node = Node { label: labels.number(Label::Op(label)), parts };
        match ir.results(op).position(|result| result == value) {
            Some(n) if ir.num_results(op) > 1 => Ok(Step::Part(node, n as u32, ir.ty(value))),
            _ => Ok(Step::Ready(node)),
        }
    }

    /// The label of an op, and its function
    fn op(&self, op: OpId) -> Result<(Op, Option<RegionId>), NoTerm> {
        let ir = self.ir;
        if !terrace_rewrite::dead::is_removable(ir, op) || ir.num_successors(op) > 0 || ir.child(op).is_some()
        {
            return Err(self.no(op, "it does more than give a value"));
        }
        let region = match ir.num_regions(op) {
            0 => None,
            1 => Some(ir.region(op, 0)),
            _ => return Err(self.no(op, "it has several regions")),
        };
        let mut params = None;
        if let Some(region) = region {
            let block =
                ir.single_block(region).ok_or_else(|| self.no(op, "its function is not one block"))?;
            let end = ir.last_op(block).filter(|end| Yield::cast(ir, *end).is_some());
            end.ok_or_else(|| self.no(op, "its region is no function of a pattern"))?;
            params = Some(ir.block_args(block).iter().map(|arg| ir.ty(*arg)).collect());
        }
        let slots = (0..ir.def(op).attrs.len()).map(|slot| ir.slot(op, slot)).collect();
        let label = Op {
            kind: ir.kind(op),
            slots,
            dict: ir.dict(op),
            segments: ir.operand_segments(op).map(<[u32]>::to_vec).unwrap_or_default(),
            result_segments: ir.result_segments(op).map(<[u32]>::to_vec).unwrap_or_default(),
            results: ir.results(op).map(|result| ir.ty(result)).collect(),
            operands: ir.num_operands(op),
            params,
        };
        Ok((label, region))
    }

    fn argument(&self, value: Value, place: usize) -> Result<Label, NoTerm> {
        let ir = self.ir;
        let none = || self.no(ir.root(), "a value is defined nowhere");
        let block = ir.value_block(value).ok_or_else(none)?;
        let region = ir.block_region(block).ok_or_else(none)?;
        let (mut at, mut before) = (place, 0);
        while let Some(TermScope { region: own, around }) = self.places.get(at).copied() {
            if own == region && around == usize::MAX {
                // Numbers that reach out of the term count what stands around in it.
                return Ok(match self.args.get(&value).cloned().ok_or_else(none)? {
                    Label::Var(number, ty) => Label::Var(number + before, ty),
                    other => other,
                });
            }
            let args = ir.entry(own).map_or(&[][..], |block| ir.block_args(block));
            if own == region {
                let n = args.iter().position(|arg| *arg == value).ok_or_else(none)?;
                return Ok(Label::Var(before + (args.len() - 1 - n) as u32, ir.ty(value)));
            }
            before += args.len() as u32;
            at = around;
        }
        Err(none())
    }
}
