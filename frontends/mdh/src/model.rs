//! A program of computations as plain data, whatever it was written in.
//!
//! A [`Function`] is a list of computations on named tensors. What is read and not written before is an argument; what is
//! written and not read afterwards is a result. Shapes of tensors follow from index functions, never asked twice.

mod error;
mod sizes;
mod typing;

pub use error::ModelError;
pub use sizes::Size;
pub(crate) use sizes::{Count, MOST, ends};
pub(crate) use typing::join;
pub use typing::type_join;

use std::collections::BTreeMap;
use terrace_analysis::{Range, range_of};
use terrace_dialect_mdh::operator::Builtin;
use terrace_dialect_mdh::schedule::{Groups, OpenSchedule, Rule, ScheduleError};
use terrace_dialect_mdh::view::{Condition, Order};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Type of elements
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Elem {
    /// An integer of so many bits
    Int(u32),
    /// A float of 16, 32 or 64 bits
    Float(u32),
    /// The float of 16 bits that has the exponents of `f32`
    Bf16,
    /// `index`
    Index,
}

impl Elem {
    /// By its name in text: `f32`, `i8`, `index`; C's words too
    pub fn parse(text: &str) -> Option<Elem> {
        Some(match text {
            "f16" => Elem::Float(16),
            "bf16" => Elem::Bf16,
            "f32" | "float" => Elem::Float(32),
            "f64" | "double" => Elem::Float(64),
            "i1" | "bool" => Elem::Int(1),
            "i8" | "char" => Elem::Int(8),
            "i16" => Elem::Int(16),
            "i32" | "int" => Elem::Int(32),
            "i64" => Elem::Int(64),
            "index" => Elem::Index,
            _ => return None,
        })
    }

    /// As MLIR spells it
    pub fn text(self) -> String {
        match self {
            Elem::Int(bits) => format!("i{bits}"),
            Elem::Float(bits) => format!("f{bits}"),
            Elem::Bf16 => "bf16".into(),
            Elem::Index => "index".into(),
        }
    }

    /// Is it one of the floats?
    pub fn is_float(self) -> bool {
        matches!(self, Elem::Float(_) | Elem::Bf16)
    }

    /// Number of bits; of an `index` as many as the widest has
    pub fn bits(self) -> u32 {
        match self {
            Elem::Int(bits) | Elem::Float(bits) => bits,
            Elem::Bf16 => 16,
            Elem::Index => 64,
        }
    }
}

/// A combine operator
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// One of ours
    Builtin(Builtin),
    /// One of [`Program::operators`]
    Named(String),
}

impl From<Builtin> for Op {
    fn from(op: Builtin) -> Op {
        Op::Builtin(op)
    }
}

/// How a dimension combines
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DimCombine {
    /// Kept
    Cc,
    /// Folded; one operator for each output, or one for all
    Pw(Vec<Op>, Order),
    /// Prefixes
    Ps(Vec<Op>),
}

/// A dimension
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dim {
    /// Name
    pub name: String,
    /// Number of coordinates
    pub size: i64,
    /// How it combines
    pub kind: DimCombine,
}

/// An access of an input
#[derive(Clone, PartialEq, Debug)]
pub struct Input {
    /// Tensor
    pub tensor: String,
    /// Index functions over the dimensions
    pub map: Vec<AffineExpr>,
    /// Instead of elements outside
    pub other: Option<f64>,
    /// Must be 0, else `other` stands in
    pub guard: Option<AffineExpr>,
    /// The scalar function picks elements itself ([`Scalar::Element`]); there are no index functions
    pub whole: bool,
}

/// An output
#[derive(Clone, PartialEq, Debug)]
pub struct Output {
    /// Tensor
    pub tensor: String,
    /// Index functions of each access
    pub maps: Vec<Vec<AffineExpr>>,
    /// Start values: a tensor of its own, with its own index functions if they differ
    pub init: Option<(String, Option<Vec<AffineExpr>>)>,
    /// No result of the function, though nothing reads it
    pub inner: bool,
}

/// A computation
#[derive(Clone, Debug)]
pub struct Computation {
    /// Name
    pub name: String,
    /// Dimensions
    pub dims: Vec<Dim>,
    /// Inputs: arguments of the scalar function, in order
    pub inputs: Vec<Input>,
    /// Outputs
    pub outputs: Vec<Output>,
    /// Contributions of other points do not exist
    pub conditions: Vec<Condition>,
    /// The scalar function: one value for each access of each output
    pub body: Vec<Scalar>,
    /// Its schedule, if the author gives one
    pub schedule: Option<OpenSchedule>,
    /// Where it begins in its source
    pub offset: u32,
}

/// An expression of the scalar function
#[derive(Clone, PartialEq, Debug)]
pub enum Scalar {
    /// An input's element
    Arg(usize),
    /// An element of an input that is there as a whole
    Element(usize, Vec<Scalar>),
    /// Converted to a type
    Cast(Elem, Box<Scalar>),
    /// Coordinate in a dimension
    Index(usize),
    /// One of [`Function::sizes`]
    Size(usize),
    /// A number without a type of its own
    Int(i64),
    /// A number without a type of its own
    Float(f64),
    /// Its negative
    Neg(Box<Scalar>),
    /// Two operands
    Op(Bin, Box<Scalar>, Box<Scalar>),
    /// A function of `math`
    Call(String, Vec<Scalar>),
    /// One or the other
    Select(Box<Scalar>, Box<Scalar>, Box<Scalar>),
}

/// An operation on two numbers
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Bin {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Min,
    Max,
    And,
    Or,
    Xor,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

impl Bin {
    /// Is the result a truth value?
    pub fn compares(self) -> bool {
        matches!(self, Bin::Lt | Bin::Le | Bin::Gt | Bin::Ge | Bin::Eq | Bin::Ne)
    }
}

/// A user's operator: (2r) → r values
#[derive(Clone, Debug)]
pub struct OperatorFn {
    /// Name
    pub name: String,
    /// Types of the r components
    pub elems: Vec<Elem>,
    /// Names of the 2r parameters
    pub params: Vec<String>,
    /// The r values, over parameters as [`Scalar::Arg`]
    pub body: Vec<Scalar>,
    /// Declared
    pub associative: bool,
    /// Declared
    pub commutative: bool,
    /// Declared
    pub exact: bool,
    /// Identity, if there is one
    pub identity: Vec<f64>,
    /// Where it begins in its source
    pub offset: u32,
}

/// A function of tensors
#[derive(Clone, Debug)]
pub struct Function {
    /// Name
    pub name: String,
    /// Numbers that are known at run time, in order
    pub sizes: Vec<Size>,
    /// Element types and declared shapes of tensors, in order
    pub tensors: Vec<(String, Elem, Option<Vec<i64>>)>,
    /// Arguments whose elements are from 0 to below a number
    pub below: BTreeMap<String, i64>,
    /// What it computes, in order
    pub computations: Vec<Computation>,
    /// Where it begins in its source
    pub offset: u32,
}

/// A program
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Operators
    pub operators: Vec<OperatorFn>,
    /// Functions
    pub functions: Vec<Function>,
}

impl Computation {
    /// Does a schedule fit: its numbers of entries, the names of its buffers, and what it says where nothing is left open?
    pub fn check_schedule(&self, draft: &OpenSchedule) -> Result<(), ScheduleError> {
        let (ins, groups) = self.buffers();
        let outs: Vec<_> = self.outputs.iter().map(|out| Some(out.tensor.as_str())).collect();
        let (dims, buffers) = (self.dims.len(), [ins.len(), outs.len()]);
        let or = match groups.split() {
            true => format!(" (or {}, one per access group)", groups.buffers.len()),
            false => String::new(),
        };
        for (n, step) in draft.steps.iter().enumerate() {
            let fields = [step.sizes.len(), step.cores.len()];
            let entries = [&step.ins, &step.outs].map(Vec::len);
            let fit = entries[0] == buffers[0] || groups.one_each(entries[0]);
            if fields != [dims; 2] || !fit || entries[1] != buffers[1] {
                let what = format!(
                    "{} sizes, {} ; {} buffers, {} cores, but there are {dims} dimensions, {}{or} ; {} buffers",
                    fields[0], entries[0], entries[1], fields[1], buffers[0], buffers[1]
                );
                let broken = Rule::Arity.broken(what);
                return Err(ScheduleError { at: step.label.at.clone(), step: Some(n + 1), broken });
            }
        }
        draft.names_fit(&ins, &groups, &outs)?;
        if draft.is_decided() { draft.decided().map(|_| ()) } else { Ok(()) }
    }

    /// Names of the buffers that are read by index functions, in order of first access, and their access groups
    fn buffers(&self) -> (Vec<Option<&str>>, Groups) {
        let mut names: Vec<Option<&str>> = Vec::new();
        for input in self.inputs.iter().filter(|input| !input.whole) {
            if !names.contains(&Some(&input.tensor)) {
                names.push(Some(&input.tensor));
            }
        }
        let map = |input: &Input| AffineMap::new(self.dims.len() as u32, 0, input.map.clone());
        let reads = self.inputs.iter().filter_map(|input| {
            let buffer = names.iter().position(|name| *name == Some(&input.tensor))?;
            Some((buffer, if input.whole { None } else { map(input) }))
        });
        let reads: Vec<_> = reads.collect();
        let groups = Groups::of(reads.iter().map(|(buffer, map)| (*buffer, map.as_ref())));
        (names, groups)
    }

    /// Least and greatest value of an index function over all points; the one below 0 if a dimension that it uses has none
    pub fn hull(&self, e: &AffineExpr) -> Option<(i64, i64)> {
        let empty = |(n, dim): (usize, &Dim)| dim.size < 1 && e.uses_dim(n as u32);
        if self.dims.iter().enumerate().any(empty) {
            return Some((-1, -1));
        }
        let ranges: Vec<Range> =
            self.dims.iter().map(|dim| Range::below(dim.size.max(1)).unwrap_or(Range::ALL)).collect();
        let range = range_of(e, &ranges[..])?;
        Some((range.min(), range.max()))
    }

    /// Sizes that an access needs: its hull, where something is read cut by conditions on the same expression
    ///
    /// A place of a result is there whether or not a condition leaves it out.
    pub fn reach(&self, map: &[AffineExpr], read: bool) -> Option<Vec<i64>> {
        map.iter()
            .map(|e| {
                let (_, mut high) = self.hull(e)?;
                for condition in self.conditions.iter().filter(|_| read) {
                    if condition.expr == *e
                        && let Some((_, limit)) = self.hull(&condition.high)
                    {
                        high = high.min(limit - 1);
                    }
                }
                high.max(-1).checked_add(1)
            })
            .collect()
    }
}

impl Function {
    /// Shapes of all tensors: declared, or what index functions reach; the error names what does not fit
    pub fn shapes(&self) -> Result<BTreeMap<String, Vec<i64>>, ModelError> {
        let mut shapes: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        for (name, _, declared) in &self.tensors {
            if let Some(shape) = declared {
                shapes.insert(name.clone(), shape.clone());
            }
        }
        let declared: Vec<String> = shapes.keys().cloned().collect();
        for one in &self.computations {
            let own = one
                .outputs
                .iter()
                .filter_map(|out| out.init.as_ref().map(|(name, map)| (name, map, &out.maps[0])));
            let reads = one
                .inputs
                .iter()
                .filter(|input| input.other.is_none() && !input.whole)
                .map(|input| (&input.tensor, &input.map));
            let inits = own.map(|(name, map, out)| (name, map.as_ref().unwrap_or(out)));
            let writes = one.outputs.iter().flat_map(|out| out.maps.iter().map(|map| (&out.tensor, map)));
            let reads = reads.chain(inits).map(|(name, map)| (name, map, true));
            for (name, map, read) in reads.chain(writes.map(|(name, map)| (name, map, false))) {
                if declared.contains(name) {
                    continue;
                }
                let reach = one.reach(map, read).ok_or_else(|| ModelError::OpenSize(name.clone()))?;
                let shape = shapes.entry(name.clone()).or_insert_with(|| vec![0; reach.len()]);
                if shape.len() != reach.len() {
                    return Err(ModelError::Ranks {
                        tensor: name.clone(),
                        first: shape.len(),
                        second: reach.len(),
                    });
                }
                for (size, reach) in shape.iter_mut().zip(reach) {
                    *size = (*size).max(reach);
                }
            }
        }
        for one in &self.computations {
            for input in &one.inputs {
                let Some(shape) = shapes.get(&input.tensor) else {
                    return Err(ModelError::NoShape(input.tensor.clone()));
                };
                if shape.len() != input.map.len() && !input.whole {
                    return Err(ModelError::Access {
                        tensor: input.tensor.clone(),
                        rank: shape.len(),
                        found: input.map.len(),
                    });
                }
            }
        }
        Ok(shapes)
    }

    /// Element type of a tensor
    pub fn elem(&self, name: &str) -> Option<Elem> {
        self.tensors.iter().find(|(other, ..)| other == name).map(|(_, elem, _)| *elem)
    }
}
