//! Definitions a dialect registers: the tables that the macros emit and that parser, printer and verifier interpret.
//!
//! Everything here is `'static` data plus function pointers; algorithms live once, elsewhere (macros
//! emit tables). An op definition is identified by its address.

use super::fold::{FoldCx, Folded};
use super::own_traits::{OpTrait, OwnTrait};
use super::verify_cx::VerifyCx;
use super::{Context, Ir, OpId};
use crate::asm::Asm;
use crate::handles::{Attr, Type};
use crate::interface::Interface;
use crate::traits::{Effects, Traits};
use terrace_diag::Reported;

/// Makes a value in a context; a definition that is made at run time brings data of its own
pub type Make<T> = &'static (dyn Fn(&Context) -> T + Send + Sync);

/// Checks parameters of a type or attribute: an error text that says what is wrong and what would be accepted
pub type CheckParams = &'static (dyn Fn(&Context, &[Attr]) -> Result<(), String> + Send + Sync);

/// A test on types, with the words used in errors
pub struct TypeConstraint {
    /// Completes "must be …", for example `signless-integer-like`
    pub what: &'static str,
    /// Does the type satisfy it?
    pub test: fn(&Context, Type) -> bool,
    /// The only type that satisfies it, if there is one: then text need not say it
    pub only: Option<Make<Type>>,
}

/// A test on attributes, with the words used in errors and the short spelling in custom syntax
pub struct AttrConstraint {
    /// Completes "must be …", for example `32-bit signless integer attribute`
    pub what: &'static str,
    /// Does the attribute satisfy it?
    pub test: fn(&Context, Attr) -> bool,
    /// How `$name` is spelled in an assembly format
    pub form: AttrForm,
}

/// Spelling of an attribute where the op's format says what it is
#[derive(Clone, Copy)]
pub enum AttrForm {
    /// The whole attribute with its type: `1 : i32`
    Full,
    /// The value alone; the type is fixed: `1`
    Bare(fn(&Context) -> Type),
    /// A keyword of an enumeration kept as `#dialect.enum` attribute: `nsw`, `fast,nnan`
    Enum(&'static EnumDef),
    /// A keyword kept as an integer attribute, upstream's comparison predicates: `slt`
    IntEnum(&'static EnumDef, fn(&Context) -> Type),
    /// `@name` of a symbol that the op defines: a string attribute
    SymbolName,
    /// `i32`: a type attribute
    Type,
    /// Present or absent
    Unit,
    /// Elements of `array<i64: …>` of this type in brackets: `[1, 2]`
    List(fn(&Context) -> Type),
    /// A dialect's attribute without its prefix: `<…>`-parameters only
    Stripped(&'static AttrDef),
}

/// Enumeration: names and values, one of them or a set of bits
pub struct EnumDef {
    /// Dialect and mnemonic, for example `arith.fastmath`
    pub name: &'static str,
    /// Names in order with their values
    pub cases: &'static [(&'static str, u64)],
    /// Values are bits and several may be given
    pub flags: bool,
    /// Between flags in text: `,` (upstream's default `, ` for some); a blank for an enumeration that is spelled
    /// `#gpu<dim x>` and not `#gpu.dim<x>`
    pub separator: &'static str,
}

impl EnumDef {
    /// Dialect and mnemonic of an enumeration spelled `#gpu<dim x>`
    pub fn split_name(&self) -> Option<(&'static str, &'static str)> {
        if self.flags || self.separator != " " { None } else { self.name.split_once('.') }
    }

    /// Value of a name
    pub fn value(&self, name: &str) -> Option<u64> {
        self.cases.iter().find(|(case, _)| *case == name).map(|(_, value)| *value)
    }

    /// Name of a value; for flags use `text`
    pub fn name_of(&self, value: u64) -> Option<&'static str> {
        self.cases.iter().find(|(_, case)| *case == value).map(|(name, _)| *name)
    }

    /// Text of a value: one name, or for flags the shortest list: widest cases first, in order of definition
    pub fn text(&self, value: u64) -> String {
        if let Some(name) = self.name_of(value) {
            return name.to_string();
        }
        let mut names = Vec::new();
        for &(name, bits) in self.cases {
            if bits.count_ones() == 1 && value & bits == bits {
                names.push(name);
            }
        }
        names.join(self.separator)
    }
}

/// How many values an operand or result field stands for
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arity {
    /// Exactly one
    One,
    /// None or one
    Optional,
    /// Any number
    Variadic,
}

/// An operand or result field
pub struct ValueSpec {
    /// Field name
    pub name: &'static str,
    /// How many
    pub arity: Arity,
    /// Which types
    pub ty: &'static TypeConstraint,
}

/// An attribute field: one slot of the op's inline properties
pub struct AttrSpec {
    /// Name in text, upstream's spelling
    pub name: &'static str,
    /// Which attributes
    pub attr: &'static AttrConstraint,
    /// May be absent
    pub optional: bool,
    /// What absence means; text that equals it is not printed in custom form
    pub default: Option<Make<Attr>>,
}

/// Attributes that upstream stores only where they are written, though they have a default
const NOT_STORED: &[&str] = &["nontemporal"];

impl AttrSpec {
    /// The default, if upstream stores it where the attribute is left out: generic form and bytecode have it
    pub fn stored_default(&self, cx: &Context) -> Option<Attr> {
        self.default.filter(|_| !NOT_STORED.contains(&self.name)).map(|make| make(cx))
    }
}

/// A region field
pub struct RegionSpec {
    /// Field name
    pub name: &'static str,
    /// Any number of regions; only the last field may be
    pub variadic: bool,
    /// At most one block
    pub single_block: bool,
    /// May have no block at all
    pub may_be_empty: bool,
}

/// A successor field
pub struct SuccessorSpec {
    /// Field name
    pub name: &'static str,
    /// Any number; only the last field may be
    pub variadic: bool,
    /// Index of the operand field whose values become the block's arguments
    pub operands: Option<u8>,
}

/// A value of the op as the type relations see it: index of a field
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// Operand field
    Operand(u8),
    /// Result field
    Result(u8),
}

/// A relation between types that the verifier checks and the parser uses to infer what text leaves out
#[allow(missing_docs)]
pub enum TypeRel {
    /// All these fields (and all values of a variadic one) have one type
    Same(&'static [Slot]),
    /// `to` is `i1` with the shape of `from`
    BoolLike { from: Slot, to: Slot },
    /// `to` is the element type of `from`
    ElementOf { from: Slot, to: Slot },
    /// `to` is the type of the typed attribute in this attribute field
    TypeOfAttr { attr: u8, to: Slot },
    /// `to` is what a function makes of `from`; it makes nothing of some types
    By { from: Slot, to: Slot, make: fn(&Context, Type) -> Option<Type> },
    /// The two fields have the same shape (both scalar counts as same)
    SameShape(Slot, Slot),
    /// The two fields have the same element type
    SameElement(Slot, Slot),
}

/// Everything the framework knows of an op
///
/// Emitted by `#[op]`; `kind`-specific behaviour beyond it is in `interfaces`.
pub struct OpDef {
    /// `dialect.mnemonic`
    pub name: &'static str,
    /// First line of the documentation
    pub summary: &'static str,
    /// The whole documentation, Markdown, with its `mlir` example blocks
    pub docs: &'static str,
    /// Operand fields in order
    pub operands: &'static [ValueSpec],
    /// Result fields in order
    pub results: &'static [ValueSpec],
    /// Attribute fields in order: the property slots
    pub attrs: &'static [AttrSpec],
    /// Region fields in order
    pub regions: &'static [RegionSpec],
    /// Successor fields in order
    pub successors: &'static [SuccessorSpec],
    /// Traits that the framework knows
    pub traits: Traits,
    /// Traits of dialects
    pub own_traits: &'static [OwnTrait],
    /// Parent ops that are allowed, empty for any
    pub parents: &'static [&'static str],
    /// Terminator that an absent one stands for (`SingleBlockImplicitTerminator`), by name
    pub implicit_terminator: Option<&'static str>,
    /// Relations between types
    pub relations: &'static [TypeRel],
    /// Custom syntax; empty: generic form, or an interface of the text crate
    pub asm: &'static [Asm],
    /// What it does to memory when that does not depend on the op's instance
    pub effects: Effects,
    /// The op's own verifier, run after all tables have been checked
    pub verify: Option<fn(&VerifyCx<'_>, OpId) -> Result<(), Reported>>,
    /// Constant folding and identities that need no new op
    pub fold: Option<fn(&FoldCx<'_>) -> Folded>,
    /// Result types from operands and attributes when `relations` do not give them
    pub infer: Option<fn(&InferCx<'_>) -> Option<Vec<Type>>>,
    /// Effects when they depend on the instance
    pub effects_of: Option<fn(&Ir, OpId) -> Effects>,
    /// Tables of interfaces, in any order
    pub interfaces: &'static [Interface],
}

impl OpDef {
    /// A definition with a name and nothing else, for others to start from: `OpDef { traits, ..OpDef::named("toy.op") }`
    pub const fn named(name: &'static str) -> OpDef {
        OpDef {
            name,
            summary: "",
            docs: "",
            operands: &[],
            results: &[],
            attrs: &[],
            regions: &[],
            successors: &[],
            traits: Traits::NONE,
            own_traits: &[],
            parents: &[],
            implicit_terminator: None,
            relations: &[],
            asm: &[],
            effects: Effects::UNKNOWN,
            verify: None,
            fold: None,
            infer: None,
            effects_of: None,
            interfaces: &[],
        }
    }

    /// The interface table of this type
    pub fn interface<T: 'static>(&self) -> Option<&'static T> {
        self.interfaces.iter().find_map(Interface::get::<T>)
    }

    /// Has the op this trait of a dialect?
    pub fn has_own<T: OpTrait>(&self) -> bool {
        self.own_traits.iter().any(OwnTrait::is::<T>)
    }

    /// Several fields of varying length: segment sizes must be stored
    pub fn operand_segments(&self) -> bool {
        self.operands.iter().filter(|spec| spec.arity != Arity::One).count() > 1
    }

    /// Several result fields of varying length: segment sizes must be stored
    pub fn result_segments(&self) -> bool {
        self.results.iter().filter(|spec| spec.arity != Arity::One).count() > 1
    }

    /// Index of an attribute field by its name in text
    pub fn attr_slot(&self, name: &str) -> Option<usize> {
        self.attrs.iter().position(|spec| spec.name == name)
    }

    /// Mnemonic without the dialect
    pub fn mnemonic(&self) -> &'static str {
        self.name.split_once('.').map_or(self.name, |(_, mnemonic)| mnemonic)
    }

    /// Dialect of the name
    pub fn dialect(&self) -> &'static str {
        self.name.split_once('.').map_or("builtin", |(dialect, _)| dialect)
    }
}

/// What result type inference may look at: an op that does not exist yet
pub struct InferCx<'a> {
    /// The context
    pub cx: &'a Context,
    /// Types of all operands in order
    pub operands: &'a [Type],
    /// Sizes of the operand fields
    pub segments: &'a [u32],
    /// Attribute slots
    pub attrs: &'a [Option<Attr>],
}

impl<'a> InferCx<'a> {
    /// The context
    pub fn cx(&self) -> &'a Context {
        self.cx
    }

    /// Types of all operands in order
    pub fn operands(&self) -> &'a [Type] {
        self.operands
    }

    /// An attribute slot; `None` where the op leaves it out
    pub fn attr(&self, slot: usize) -> Option<Attr> {
        self.attrs.get(slot).copied().flatten()
    }
}

/// A dialect's type
pub struct TypeDef {
    /// `dialect.mnemonic`
    pub name: &'static str,
    /// Documentation
    pub docs: &'static str,
    /// Parameters in order
    pub params: &'static [ParamSpec],
    /// Checks parameters
    pub verify: Option<CheckParams>,
    /// Tables of interfaces (custom syntax of the text crate, for example)
    pub interfaces: &'static [Interface],
}

impl TypeDef {
    /// The interface table of this type
    pub fn interface<T: 'static>(&self) -> Option<&'static T> {
        self.interfaces.iter().find_map(Interface::get::<T>)
    }
}

/// A dialect's attribute
pub struct AttrDef {
    /// `dialect.mnemonic`
    pub name: &'static str,
    /// Documentation
    pub docs: &'static str,
    /// Parameters in order
    pub params: &'static [ParamSpec],
    /// Checks parameters
    pub verify: Option<CheckParams>,
    /// Tables of interfaces
    pub interfaces: &'static [Interface],
}

/// One parameter of a dialect's type or attribute; default syntax is `<a, b, …>` in order
pub struct ParamSpec {
    /// Field name
    pub name: &'static str,
    /// Which attributes
    pub attr: &'static AttrConstraint,
}

macro_rules! by_address {
    ($($ty:ident)*) => {$(
        impl PartialEq for $ty {
            fn eq(&self, other: &Self) -> bool {
                std::ptr::eq(self, other)
            }
        }
        impl Eq for $ty {}
        impl std::hash::Hash for $ty {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.name.hash(state);
            }
        }
        impl std::fmt::Debug for $ty {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name)
            }
        }
    )*};
}
pub(super) use by_address;
by_address!(OpDef TypeDef AttrDef EnumDef);
