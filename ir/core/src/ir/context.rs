//! The context: registered dialects, interned types, attributes and strings, the kept sources.
//!
//! Shared by every unit and thread through `Arc`. Reading takes no lock; interning locks one shard.

pub use super::Context;
use super::attrs::{Attr, AttrKind, Str};
use super::defs::{Arity, AttrDef, EnumDef, OpDef, TypeDef, ValueSpec};
use super::dialect::Dialect;
use super::types::{FloatKind, Sign, Type, TypeKind};
pub use crate::handles::OpKind;
use terrace_diag::Sources;
use terrace_support::{HashMap, Interner, hash_one};

/// Properties of a definition that every op needs, computed once per context
#[derive(Clone, Copy)]
pub struct OpFacts {
    /// Each operand and result field is one value; no regions, no successors
    pub simple: bool,
    /// Sizes of operand fields are stored
    pub operand_segments: bool,
    /// Sizes of result fields are stored
    pub result_segments: bool,
    /// Words before the segment sizes: the attribute slots
    pub slots: u16,
    /// Words of segment sizes
    pub segment_words: u16,
}

impl OpFacts {
    fn of(kind: OpKind, def: &OpDef) -> OpFacts {
        let one = |specs: &[ValueSpec]| specs.iter().all(|spec| spec.arity == Arity::One);
        let (operand_segments, result_segments) = (def.operand_segments(), def.result_segments());
        let words = |stored: bool, fields: usize| if stored { fields as u16 } else { 0 };
        OpFacts {
            simple: kind.0 >= 2
                && one(def.operands)
                && one(def.results)
                && def.regions.is_empty()
                && def.successors.is_empty(),
            operand_segments,
            result_segments,
            slots: match kind {
                OpKind::UNREGISTERED => 2,
                OpKind::SLOT => 1,
                _ => def.attrs.len() as u16,
            },
            segment_words: words(operand_segments, def.operands.len())
                + words(result_segments, def.results.len()),
        }
    }
}

static UNREGISTERED: OpDef = OpDef::named("unregistered");
static SLOT: OpDef = OpDef::named("unit slot");

/// Types that every program uses, so that asking for them costs nothing
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub struct Common {
    pub i1: Type,
    pub i8: Type,
    pub i16: Type,
    pub i32: Type,
    pub i64: Type,
    pub index: Type,
    pub f16: Type,
    pub bf16: Type,
    pub f32: Type,
    pub f64: Type,
    pub none: Type,
    pub unit: Attr,
    pub true_: Attr,
    pub false_: Attr,
    pub empty_dict: Attr,
}

impl Common {
    fn of(types: &Interner<TypeKind>, attrs: &Interner<AttrKind>) -> Common {
        let ty = |kind| Type::new(types.intern(kind) as usize);
        let at = |kind| Attr::new(attrs.intern(kind) as usize);
        let int = |width| ty(TypeKind::Int { width, sign: Sign::Signless });
        let i1 = int(1);
        Common {
            i1,
            i8: int(8),
            i16: int(16),
            i32: int(32),
            i64: int(64),
            index: ty(TypeKind::Index),
            f16: ty(TypeKind::Float(FloatKind::F16)),
            bf16: ty(TypeKind::Float(FloatKind::BF16)),
            f32: ty(TypeKind::Float(FloatKind::F32)),
            f64: ty(TypeKind::Float(FloatKind::F64)),
            none: ty(TypeKind::None),
            unit: at(AttrKind::Unit),
            true_: at(AttrKind::Int { value: 1, ty: i1 }),
            false_: at(AttrKind::Int { value: 0, ty: i1 }),
            empty_dict: at(AttrKind::Dict(Box::default())),
        }
    }
}

impl Context {
    /// A context with dialects that can be registered together
    pub(crate) fn of(dialects: &[&'static Dialect]) -> Context {
        let types: Interner<TypeKind> = Interner::default();
        let attrs: Interner<AttrKind> = Interner::default();
        let common = Common::of(&types, &attrs);
        let mut cx = Context {
            dialects: dialects.to_vec(),
            ops: vec![&UNREGISTERED, &SLOT],
            facts: Vec::new(),
            kinds_by_name: HashMap::default(),
            kinds_by_def: HashMap::default(),
            dialect_of: vec![None, None],
            type_defs: HashMap::default(),
            attr_defs: HashMap::default(),
            enum_defs: HashMap::default(),
            types,
            attrs,
            strs: Interner::default(),
            common,
            sources: Sources::new(),
        };
        for dialect in dialects {
            for &def in dialect.ops {
                let kind = OpKind(cx.ops.len() as u16);
                cx.ops.push(def);
                cx.dialect_of.push(Some(dialect));
                cx.kinds_by_name.insert(def.name, kind);
                cx.kinds_by_def.insert(std::ptr::from_ref(def) as usize, kind);
            }
            cx.type_defs.extend(dialect.types.iter().map(|def| (def.name, *def)));
            cx.attr_defs.extend(dialect.attrs.iter().map(|def| (def.name, *def)));
            cx.enum_defs.extend(dialect.enums.iter().map(|def| (def.name, *def)));
        }
        let facts = |(n, def): (usize, &&'static OpDef)| OpFacts::of(OpKind(n as u16), def);
        cx.facts = cx.ops.iter().enumerate().map(facts).collect();
        cx
    }

    /// Registered dialects in order of registration
    pub fn dialects(&self) -> &[&'static Dialect] {
        &self.dialects
    }

    /// The registered dialect of this name
    pub fn dialect(&self, name: &str) -> Option<&'static Dialect> {
        self.dialects.iter().copied().find(|dialect| dialect.name == name)
    }

    /// The dialect that registered an op
    pub fn dialect_of(&self, kind: OpKind) -> Option<&'static Dialect> {
        self.dialect_of[kind.0 as usize]
    }

    /// The dialect that makes constants for ops of a kind: the one that registered it, or `arith` if that makes none
    pub fn constants_of(&self, kind: OpKind) -> Option<&'static Dialect> {
        let own = self.dialect_of(kind)?;
        if own.materialize.is_some() { Some(own) } else { self.dialect("arith") }
    }

    /// Number of op kinds, for dense tables by kind
    pub fn num_kinds(&self) -> usize {
        self.ops.len()
    }

    /// Registered op names in order of registration
    pub fn op_names(&self) -> impl Iterator<Item = &'static str> {
        self.ops[2..].iter().map(|def| def.name)
    }

    /// Definition of a kind
    #[inline]
    pub fn def(&self, kind: OpKind) -> &'static OpDef {
        self.ops[kind.0 as usize]
    }

    /// Facts about a kind
    #[inline]
    pub fn facts(&self, kind: OpKind) -> &OpFacts {
        &self.facts[kind.0 as usize]
    }

    /// Kind of a registered op by name
    #[inline]
    pub fn kind_by_name(&self, name: &str) -> Option<OpKind> {
        self.kinds_by_name.get(name).copied()
    }

    /// Kind of a definition, if its dialect is registered here
    #[inline]
    pub fn kind_of(&self, def: &'static OpDef) -> Option<OpKind> {
        self.kinds_by_def.get(&(std::ptr::from_ref(def) as usize)).copied()
    }

    /// A registered type by name
    pub fn type_def(&self, name: &str) -> Option<&'static TypeDef> {
        self.type_defs.get(name).copied()
    }

    /// A registered attribute by name
    pub fn attr_def(&self, name: &str) -> Option<&'static AttrDef> {
        self.attr_defs.get(name).copied()
    }

    /// A registered enumeration by name
    pub fn enum_def(&self, name: &str) -> Option<&'static EnumDef> {
        self.enum_defs.get(name).copied()
    }

    /// Frequent types and attributes
    #[inline]
    pub fn common(&self) -> &Common {
        &self.common
    }

    /// The sources that were parsed into this context
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Intern a type
    pub fn ty(&self, kind: TypeKind) -> Type {
        Type::new(self.types.intern(kind) as usize)
    }

    /// What a type is
    #[inline]
    pub fn type_kind(&self, ty: Type) -> &TypeKind {
        self.types.get(ty.index() as u32)
    }

    /// Intern an attribute; integers must be in canonical form (use `int_attr`), dictionaries sorted (use `dict_attr`)
    pub fn attr(&self, kind: AttrKind) -> Attr {
        Attr::new(self.attrs.intern(kind) as usize)
    }

    /// What an attribute is
    #[inline]
    pub fn attr_kind(&self, attr: Attr) -> &AttrKind {
        self.attrs.get(attr.index() as u32)
    }

    /// Is there an interned attribute like this? Says nothing about whether some unit uses it
    pub fn any_attr(&self, test: impl Fn(&AttrKind) -> bool) -> bool {
        self.attrs.values().any(test)
    }

    /// Intern a string
    pub fn intern(&self, text: &str) -> Str {
        Str::new(self.strs.intern_with(hash_one(text), |other| **other == *text, || text.into()) as usize)
    }

    /// Text of an interned string
    #[inline]
    pub fn str(&self, id: Str) -> &str {
        self.strs.get(id.index() as u32)
    }
}
