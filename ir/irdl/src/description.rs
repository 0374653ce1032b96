//! What both importers make of their input, and definitions are made from.
//!
//! Everything is text and indices: no context is needed yet. Names of ops, types and attributes have no dialect before
//! them.

use crate::constraint::{Graph, NodeId};
use terrace_asm_format::FieldRef;
use terrace_ir::{Arity, Effects, EnumDef, FloatKind, Traits};

/// A dialect
#[derive(Default)]
pub struct Description {
    /// Prefix of names
    pub name: String,
    /// Ops
    pub ops: Vec<Op>,
    /// Types
    pub types: Vec<Params>,
    /// Attributes
    pub attrs: Vec<Params>,
    /// Enumerations that are attributes
    pub enums: Vec<&'static EnumDef>,
    /// Constraints of all of them
    pub graph: Graph,
    /// There are types or attributes that are not described
    pub open: bool,
    /// What is not checked or not read because only C++ code knows it
    pub left: Vec<Left>,
}

/// Something that only C++ code knows
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Left {
    /// Kind, in the plural: `verifiers`
    pub what: &'static str,
    /// Op, type or attribute
    pub of: String,
    /// More about it
    pub detail: String,
}

impl Description {
    /// Note that something is left to C++ code
    pub fn leave(&mut self, what: &'static str, of: &str, detail: impl Into<String>) {
        self.left.push(Left { what, of: of.to_string(), detail: detail.into() });
    }
}

/// A builtin type that needs no parameters
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Plain {
    Int(u32),
    Index,
    Float(FloatKind),
    None,
}

/// A type that a field always has
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Only {
    /// A builtin one
    Plain(Plain),
    /// One of the dialect's own, without parameters
    Own(String),
}

/// An operand or result
#[derive(Clone, Debug)]
pub struct Value {
    /// Name
    pub name: String,
    /// How many
    pub arity: Arity,
    /// Which types
    pub node: NodeId,
    /// Words for messages: "must be …"
    pub what: String,
    /// The only type there is
    pub only: Option<Only>,
    /// Types are all of this definition of the dialect: formats leave out its name
    pub of: Option<String>,
}

/// An attribute of an op
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Name
    pub name: String,
    /// Which attributes
    pub node: NodeId,
    /// Words for messages
    pub what: String,
    /// Spelling in formats
    pub form: Form,
    /// May be absent
    pub optional: bool,
    /// What absence means
    pub default: Option<Constant>,
}

/// Spelling of an attribute
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Form {
    Full,
    Bare(Plain),
    /// An enumeration that is an attribute; in angle brackets or not
    Enum(&'static EnumDef, bool),
    IntEnum(&'static EnumDef, u32),
    SymbolName,
    Type,
    Unit,
    List(Plain),
    /// An attribute of the dialect, by index
    Own(usize),
}

/// A default
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Constant {
    Int(i128, Plain),
    Str(String),
    Enum(&'static EnumDef, u64),
    EmptyArray,
    DenseArray(Plain, Vec<i64>),
    Unit,
}

/// A region
#[derive(Clone, Debug)]
pub struct Region {
    /// Name
    pub name: String,
    /// Any number
    pub variadic: bool,
    /// One block at most
    pub single_block: bool,
    /// No block is allowed
    pub may_be_empty: bool,
    /// Types of the entry block's arguments
    pub args: Option<Vec<NodeId>>,
    /// Number of blocks
    pub blocks: Option<usize>,
}

/// A relation between fields: names of the fields
#[derive(Clone, Debug)]
pub enum Relation {
    /// All have one type
    Same(Vec<FieldRef>),
    /// The second has the element type of the first, also of complex types
    Element(FieldRef, FieldRef),
    /// The same; a type without elements is its own
    ElementOrSelf(FieldRef, FieldRef),
    /// The second is i1 with the shape of the first
    BoolLike(FieldRef, FieldRef),
    /// One shape
    SameShape(FieldRef, FieldRef),
    /// One element type
    SameElement(FieldRef, FieldRef),
    /// The type of an attribute
    OfAttr(FieldRef, FieldRef),
}

/// An op
#[derive(Clone, Debug)]
pub struct Op {
    /// Name
    pub name: String,
    /// One line about it
    pub summary: String,
    /// Operands
    pub operands: Vec<Value>,
    /// Results
    pub results: Vec<Value>,
    /// Attributes
    pub attrs: Vec<Attribute>,
    /// Discardable attributes that must be there, by name
    pub discardable: Vec<(String, NodeId)>,
    /// Regions
    pub regions: Vec<Region>,
    /// Successors with whether they are variadic
    pub successors: Vec<(String, bool)>,
    /// Traits
    pub traits: Traits,
    /// Effects
    pub effects: Effects,
    /// Full names of ops that may be around it
    pub parents: Vec<String>,
    /// Full name
    pub implicit_terminator: Option<String>,
    /// Relations
    pub relations: Vec<Relation>,
    /// Declarative format
    pub format: Option<String>,
}

/// A type or attribute
#[derive(Clone, Debug)]
pub struct Params {
    /// Name
    pub name: String,
    /// Parameters
    pub params: Vec<Param>,
    /// Syntax; `None` is `<a, b>`
    pub format: Option<Vec<ParamPiece>>,
}

/// A parameter
#[derive(Clone, Debug)]
pub struct Param {
    /// Name
    pub name: String,
    /// Which attributes
    pub node: NodeId,
    /// Spelling
    pub form: Form,
}

/// A piece of the syntax of parameters
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum ParamPiece {
    Lit(String),
    Param(usize),
    Items(usize),
    Verbatim(usize),
}

impl Op {
    /// An op with a name and nothing else
    pub fn named(name: &str) -> Op {
        Op {
            name: name.to_string(),
            summary: String::new(),
            operands: Vec::new(),
            results: Vec::new(),
            attrs: Vec::new(),
            discardable: Vec::new(),
            regions: Vec::new(),
            successors: Vec::new(),
            traits: Traits::NONE,
            effects: Effects::UNKNOWN,
            parents: Vec::new(),
            implicit_terminator: None,
            relations: Vec::new(),
            format: None,
        }
    }
}

impl terrace_asm_format::Fields for Op {
    fn find(&self, name: &str) -> Option<FieldRef> {
        let value = |list: &[Value]| list.iter().position(|field| field.name == name);
        let operand = value(&self.operands).map(FieldRef::Operand);
        operand
            .or_else(|| value(&self.results).map(FieldRef::Result))
            .or_else(|| self.attrs.iter().position(|field| field.name == name).map(FieldRef::Attr))
            .or_else(|| self.regions.iter().position(|field| field.name == name).map(FieldRef::Region))
            .or_else(|| self.successors.iter().position(|field| field.0 == name).map(FieldRef::Successor))
    }

    fn unknown(&self, name: &str) -> String {
        format!("op `{}` has no field `{name}`", self.name)
    }

    fn may_be_absent(&self, place: FieldRef) -> bool {
        match place {
            FieldRef::Operand(n) => self.operands[n].arity != Arity::One,
            FieldRef::Result(n) => self.results[n].arity != Arity::One,
            FieldRef::Attr(n) => self.attrs[n].optional || self.attrs[n].default.is_some(),
            FieldRef::Region(n) => self.regions[n].may_be_empty || self.regions[n].variadic,
            FieldRef::Successor(n) => self.successors[n].1,
        }
    }

    fn count(&self, like: FieldRef) -> usize {
        match like {
            FieldRef::Operand(_) => self.operands.len(),
            FieldRef::Result(_) => self.results.len(),
            FieldRef::Attr(_) => self.attrs.len(),
            FieldRef::Region(_) => self.regions.len(),
            FieldRef::Successor(_) => self.successors.len(),
        }
    }
}
